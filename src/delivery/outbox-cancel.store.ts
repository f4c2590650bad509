import { instantOf, isOwnersPresence, storedInstant } from "../database/columns.ts";
import { type DeliveriesOf, lockReports, ownerColumnOf } from "./outbox-redirect.store.ts";
import type { AccountRow } from "../accounts/account-connections.store.ts";
import type { ConnectionsFilter } from "../accounts/wallet-accounts.store.ts";
import type { ConsentRow } from "../accounts/accounts.store.ts";
import type { Database } from "../schema.ts";
import { rowLock } from "../database/queries.ts";
import { ACCEPTED, type DeliveryPayload, referenceOf, withoutSellers } from "./delivery.ts";
import { alertKinds, type DeliveryKind, reportKinds } from "./delivery-policies.ts";
import { NO_PAYLOAD } from "./outbox-replace.store.ts";
import type { DailyReport } from "../reports/daily-report.ts";
import type { Locale } from "../shared/locale.ts";

/**
 * Leaves a charge's card that an attempt may have posted without its text: it is only searched for, so that a card in the
 * channel can show the end.
 */
const searchForCards = async (db: Database, accountId: string): Promise<void> => {
  const cards = await db
    .selectFrom("outbox")
    .select(["dedupe_key", "payload"])
    .where("account_id", "=", accountId)
    .where("kind", "=", "charge")
    .where("settled_at", "is", null)
    .where("first_attempt_at", "is not", null)
    .orderBy("dedupe_key")
    .modifyEnd(rowLock(db, "for update"))
    .execute();
  for (const { dedupe_key: key, payload } of cards) {
    const { charge } = JSON.parse(payload) as DeliveryPayload;
    await db
      .updateTable("outbox")
      .set({ payload: JSON.stringify({ charge: { id: charge?.id, code: "" } }) })
      .where("dedupe_key", "=", key)
      .execute();
  }
};

/** Deletes a connection's unsent deliveries, except attempted cards of charges, and clears its sent alerts. */
export const deleteDeliveriesOf = async (
  db: Database,
  { id: accountId, watch_id: watchId }: Pick<AccountRow, "id" | "watch_id">,
): Promise<void> => {
  await searchForCards(db, accountId);
  await db
    .deleteFrom("outbox")
    .where("account_id", "=", accountId)
    .where("settled_at", "is", null)
    .where((eb) => eb.or([eb("kind", "<>", "charge"), eb("first_attempt_at", "is", null)]))
    .execute();
  await db
    .updateTable("outbox")
    .set({ payload: NO_PAYLOAD })
    .where("watch_id", "=", watchId)
    .where("account_id", "=", accountId)
    .execute();
};

/** Rewrites the server's unsettled reports that have a part of the seller, or all; one without a rest is deleted. */
const changeDailyReports = async (
  db: Database,
  guildId: string,
  accountId: string | undefined,
  change: (report: DailyReport) => DailyReport | undefined,
): Promise<void> => {
  const rows = await db
    .selectFrom("outbox")
    .select(["dedupe_key", "payload"])
    .where("guild_id", "=", guildId)
    .where("kind", "=", "sales_report")
    .where("settled_at", "is", null)
    .$if(accountId !== undefined, (query) => query.where("payload", "like", `%${accountId}%`))
    .orderBy("dedupe_key")
    .modifyEnd(rowLock(db, "for update"))
    .execute();
  for (const { dedupe_key: key, payload: stored } of rows) {
    const { report } = JSON.parse(stored) as DeliveryPayload;
    if (report === undefined) continue;
    const left = change(report);
    if (left === undefined) await db.deleteFrom("outbox").where("dedupe_key", "=", key).execute();
    else
      await db
        .updateTable("outbox")
        .set({ payload: JSON.stringify({ report: left }) })
        .where("dedupe_key", "=", key)
        .execute();
  }
};

/**
 * Takes a seller out of the server's reports: the others' figures go out alone. A report in flight may go out as it was.
 */
export const leaveDailyReports = (
  db: Database,
  { guild_id: guildId, id: accountId }: ConsentRow,
): Promise<void> =>
  changeDailyReports(db, guildId, accountId, (report) => withoutSellers(report, [accountId]));

/** Takes a seller's goal, which was hidden or removed, out of the server's reports. */
export const hideGoalInReports = async (
  db: Database,
  guildId: string,
  accountId: string,
): Promise<void> => {
  await lockReports(db, guildId);
  await changeDailyReports(db, guildId, accountId, (report) => ({
    ...report,
    sellers: report.sellers.map((seller) =>
      seller.accountId === accountId ? { ...seller, goal: undefined } : seller,
    ),
  }));
};

/** Has the server's reports told in the language that was chosen since. Call after `lockReports`. */
export const translateDailyReports = (
  db: Database,
  guildId: string,
  locale: Locale,
): Promise<void> => changeDailyReports(db, guildId, undefined, (report) => ({ ...report, locale }));

/** Hands unsent alerts to another connection of the same owner. */
export const reassignAlerts = async (
  db: Database,
  fromAccountId: string,
  to: { readonly id: string; readonly guild_id: string },
): Promise<void> => {
  await db
    .updateTable("outbox")
    .set({ account_id: to.id, guild_id: to.guild_id })
    .where("account_id", "=", fromAccountId)
    .where("kind", "in", alertKinds)
    .where("settled_at", "is", null)
    .execute();
};

/** Hands unsent direct reports and closes to another connection of the same owner and wallet account that wants them too. */
export const handOverDirectReports = async (
  db: Database,
  fromAccountId: string,
  { watch_id: watchId }: { readonly watch_id: string },
): Promise<void> => {
  const to = await db
    .selectFrom("account")
    .select("id")
    .where("watch_id", "=", watchId)
    .where("id", "<>", fromAccountId)
    .where("report_direct", "=", 1)
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  if (to === undefined) return;
  await db
    .updateTable("outbox")
    .set({ account_id: to.id })
    .where("account_id", "=", fromAccountId)
    .where("kind", "in", reportKinds)
    .where("target_kind", "=", "person")
    .where("settled_at", "is", null)
    .execute();
};

/** Facts of a connection that takes over a message about its key. */
interface HandedNotice {
  readonly guildId: string;
  readonly locale: Locale;
  readonly keyLast4: string;
  readonly reference: string;
}

interface HandedRefusal extends HandedNotice {
  readonly isLast: boolean;
  readonly elsewhere: number;
  readonly noticedAt: Temporal.Instant;
}

interface HandedAcceptance extends HandedNotice {
  readonly readAt: Temporal.Instant;
}

/**
 * Words the unsent message that a key is refused anew, without a connection that goes or has another key by now, and hands
 * it to another one that was paused with it. The message that it is accepted again goes to another one with the key.
 * `row`: the connection of before where it has another key by now, or the one that takes over.
 */
export const handOverKeyNotice =
  (
    wordedFor: (facts: HandedRefusal) => DeliveryPayload,
    acceptedFor: (facts: HandedAcceptance) => DeliveryPayload,
  ) =>
  async (
    db: Database,
    fromAccountId: string,
    row: Pick<AccountRow, "id" | "key_fingerprint" | "watch_id">,
  ): Promise<void> => {
    const rows = await db
      .selectFrom("account")
      .leftJoin("presence", (join) => join.on(isOwnersPresence))
      .select(["id", "account.guild_id", "key_last4", "key_fingerprint"])
      .select(["locale", "paused_at", "left_at"])
      .where("watch_id", "=", row.watch_id)
      .orderBy("id")
      .execute();
    const from = row.id === fromAccountId ? row : rows.find(({ id }) => id === fromAccountId);
    const waiting = await db
      .selectFrom("outbox")
      .select(["account_id", "dedupe_key", "created_at"])
      .where(
        "account_id",
        "in",
        rows.map(({ id }) => id),
      )
      .where("kind", "=", "notice")
      .where("settled_at", "is", null)
      .execute();
    for (const { account_id: toldId, dedupe_key: key, created_at: at } of waiting) {
      const isAcceptance = key.startsWith(ACCEPTED);
      if (isAcceptance && toldId !== fromAccountId) continue;
      const told = rows.filter(({ id, paused_at, key_fingerprint }) => {
        if (id === fromAccountId) return false;
        // A refusal is enqueued in the transaction that pauses all connections with the key.
        if (!isAcceptance) return paused_at === at;
        return paused_at === null && key_fingerprint === from?.key_fingerprint;
      });
      // In a server that its owner left no key can be connected.
      const stayed = told.filter(({ left_at }) => left_at === null);
      const to = stayed.find(({ id }) => id === toldId) ?? [...stayed, ...told][0];
      if (to === undefined) continue;
      const facts = {
        guildId: to.guild_id,
        locale: to.locale ?? rows.find(({ locale }) => locale !== null)?.locale ?? "pt-BR",
        keyLast4: to.key_last4,
        reference: referenceOf(key),
      };
      const payload = isAcceptance
        ? acceptedFor({ ...facts, readAt: instantOf(at) })
        : wordedFor({
            ...facts,
            isLast: rows.every(({ paused_at }) => paused_at !== null),
            elsewhere: stayed.filter(({ id }) => id !== to.id).length,
            noticedAt: instantOf(at),
          });
      await db
        .updateTable("outbox")
        .set({ account_id: to.id, guild_id: to.guild_id, payload: JSON.stringify(payload) })
        .where("dedupe_key", "=", key)
        .where("settled_at", "is", null)
        .execute();
    }
  };

/**
 * Deletes the unsent message that the key of a paused connection is refused: it works again, or was replaced.
 * @returns whether there was one that was surely not sent
 */
export const deleteRefusal = async (
  db: Database,
  { id, paused_at: pausedAt }: Pick<AccountRow, "id" | "paused_at">,
): Promise<boolean> => {
  const deleted = await db
    .deleteFrom("outbox")
    .where("account_id", "=", id)
    .where("kind", "=", "notice")
    .where("created_at", "=", pausedAt)
    .where("settled_at", "is", null)
    .returning("first_attempt_at")
    .execute();
  return deleted.some(({ first_attempt_at: tried }) => tried === null);
};

/** Deletes the message that a key is accepted again where it was surely not sent. @returns whether there was one */
export const deleteAcceptance = async (
  db: Database,
  which: ConnectionsFilter,
): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom("outbox")
    .where("account_id", "in", (eb) => eb.selectFrom("account").select("id").where(which))
    .where("kind", "=", "notice")
    .where("dedupe_key", "like", `${ACCEPTED}%`)
    .where("first_attempt_at", "is", null)
    .where("settled_at", "is", null)
    .executeTakeFirst();
  return numDeletedRows > 0n;
};

const cancelled = (at: Temporal.Instant, reason: string) => ({
  state: "obsolete" as const,
  last_error: reason,
  settled_at: storedInstant(at),
  lease_until: null,
  payload: NO_PAYLOAD,
});

/** Cancels unsettled deliveries by key. A delivery in flight is not retried. */
export const cancelDeliveriesByKey = async (
  db: Database,
  dedupeKeys: readonly string[],
  at: Temporal.Instant,
  reason: string,
): Promise<void> => {
  for (const key of dedupeKeys) {
    await db
      .updateTable("outbox")
      .set(cancelled(at, reason))
      .where("dedupe_key", "=", key)
      .where("settled_at", "is", null)
      .execute();
  }
};

/** Cancels the unsettled deliveries that a further condition names. A delivery in flight is not retried. */
export const cancelUnsettled = (
  db: Database,
  of: DeliveriesOf,
  at: Temporal.Instant,
  reason: string,
) => {
  const [column, id] = ownerColumnOf(of);
  const channelId = "guildId" in of ? of.channelId : undefined;
  return db
    .updateTable("outbox")
    .set(cancelled(at, reason))
    .where(column, "=", id)
    .$if(channelId !== undefined, (query) => query.where("target_id", "=", channelId ?? ""))
    .$if("accountId" in of && of.inChannels === true, (query) =>
      query.where("target_kind", "=", "channel"),
    )
    .where("settled_at", "is", null);
};

export const cancelDeliveries = async (
  db: Database,
  kinds: DeliveryKind | readonly DeliveryKind[],
  ...which: [of: DeliveriesOf, at: Temporal.Instant, reason: string]
): Promise<void> => {
  await cancelUnsettled(db, ...which)
    .where("kind", "in", [kinds].flat())
    .execute();
};

/**
 * Cancels a delivery whose news its reader has learnt elsewhere. A delivery that was attempted stays. The row stays on
 * record, so that the same delivery is not enqueued again.
 * @returns whether the delivery certainly was not and will not be posted
 */
export const cancelUnsentDelivery = async (
  db: Database,
  dedupeKey: string,
  at: Temporal.Instant,
): Promise<boolean> => {
  await db
    .updateTable("outbox")
    .set(cancelled(at, "retracted"))
    .where("dedupe_key", "=", dedupeKey)
    .where("state", "in", ["due", "blocked"])
    .where("first_attempt_at", "is", null)
    .execute();
  const row = await db
    .selectFrom("outbox")
    .select(["state", "first_attempt_at"])
    .where("dedupe_key", "=", dedupeKey)
    .executeTakeFirst();
  return row === undefined || (row.state === "obsolete" && row.first_attempt_at === null);
};
