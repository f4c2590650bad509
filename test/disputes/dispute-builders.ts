import type { NewDelivery } from "#src/delivery/delivery.ts";
import {
  alertKey as keyOf,
  type AlertStep,
  alertSteps,
  alertSubject,
  type NewWatchedDispute,
  type ChosenAlertRoute,
} from "#src/disputes/dispute-alert.ts";
import type { DisputePoll } from "#src/disputes/dispute-watch.ts";
import { disputePollOf } from "#src/disputes/dispute-tables.store.ts";
import type { ProofContent } from "#src/defence/proof.ts";
import { DAY } from "#src/shared/time.ts";
import { cents } from "#src/shared/money.ts";
import type { Database } from "#src/schema.ts";
import { ANA, BRUNO, CARLA, CHANNEL, delivery, GUILD, later, NOON } from "../database/builders.ts";

export const OTHER_CHANNEL = "910000000000000002";
export const ROLE = "940000000000000001";

export const chosenAlertRoute = (changes: Partial<ChosenAlertRoute> = {}): ChosenAlertRoute => ({
  guildId: GUILD,
  channelId: CHANNEL,
  roleId: ROLE,
  pingSteps: ["new", "6h", "1h"],
  quiet: { from: Temporal.PlainTime.from("22:00"), to: Temporal.PlainTime.from("07:30") },
  timeZone: "America/Sao_Paulo",
  slowNights: true,
  active: true,
  locale: "pt-BR",
  updatedBy: CARLA,
  ...changes,
});

export const newDispute = (
  watchId: string,
  changes: Partial<NewWatchedDispute> = {},
): NewWatchedDispute => ({
  watchId,
  infractionId: "infraction-1",
  txid: "txid-1",
  saleTxid: "",
  amount: cents(12_345),
  frozen: cents(12_000),
  status: "pending",
  analysisStatus: "pending",
  dueAt: later(7 * DAY),
  firstSeenAt: NOON,
  doneSteps: [],
  answeredByOwnerAt: undefined,
  snoozedUntil: undefined,
  closedAt: undefined,
  ...changes,
});

/** The key of an alert about `newDispute`'s default. A suffix of `step` makes keys differ. */
export const alertKey = (watchId: string, step: string, infractionId = "infraction-1"): string =>
  keyOf({ watchId, infractionId, dueAt: later(7 * DAY) }, step as AlertStep);

const subjectOf = (accountId: string, name: string): NewDelivery["alert"] => {
  const step = alertSteps.find((each) => each === name);
  const dispute = { watchId: accountId, infractionId: "infraction-1", dueAt: later(7 * DAY) };
  return step && alertSubject(dispute, step);
};

export const alertOf = (
  accountId: string,
  step: string,
  changes: Partial<NewDelivery> = {},
): NewDelivery =>
  delivery(alertKey(accountId, step), {
    kind: "dispute_alert",
    accountId,
    alert: subjectOf(accountId, step),
    payload: {
      content: "MED",
      pings: { userId: ANA, roleId: ROLE },
      embeds: [{ title: `MED: ${step}` }],
    },
    ...changes,
  });

export const alertTo = (userId: string, accountId: string, step: string): NewDelivery =>
  alertOf(accountId, step, { target: { kind: "person", userId } });

/** Target and state of each delivery, by key. */
export const owedIn = async (db: Database): Promise<Record<string, string>> => {
  const rows = await db.selectFrom("outbox").selectAll().orderBy("dedupe_key").execute();
  return Object.fromEntries(
    rows.map((row) => [row.dedupe_key, `${row.target_kind} ${row.target_id} ${row.state}`]),
  );
};

/** Undefined once the account is gone. */
export const pollState = async (
  db: Database,
  watchId: string,
): Promise<DisputePoll | undefined> => {
  const row = await db
    .selectFrom("dispute_poll")
    .selectAll()
    .where("account_id", "=", watchId)
    .executeTakeFirst();
  return row && disputePollOf(row);
};

export const proofContent = (changes: Partial<ProofContent> = {}): ProofContent => ({
  messageId: "950000000000000001",
  channelId: CHANNEL,
  authorId: BRUNO,
  authorName: "bruno.compra",
  writtenAt: later(-DAY),
  editedAt: undefined,
  text: "Recebi o produto, obrigado! 🙏",
  attachments: ["comprovante.png"],
  forwarded: false,
  sha256: "5e".repeat(32),
  ...changes,
});

export const audited = async (db: Database): Promise<readonly string[]> => {
  const rows = await db
    .selectFrom("audit_event")
    .select(["actor", "action"])
    .where("action", "!=", "account_connected")
    .execute();
  return rows.map(({ actor, action }) => `${actor === ANA ? "ana" : actor} ${action}`);
};
