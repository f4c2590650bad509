import type { Account } from "#src/accounts/account.ts";
import {
  type Chosen,
  type ClaimedDelivery,
  type NewDelivery,
  nonceOf,
  type Settlement,
} from "#src/delivery/delivery.ts";
import { Secret } from "#src/shared/secret.ts";
import type { Schema } from "#src/schema.ts";
import type { ReportRoute } from "#src/reports/report-route.ts";
import type { SavedAccount } from "#src/accounts/accounts-write.store.ts";
import { asRoute } from "../support/samples.ts";

export const NOON = Temporal.Instant.from("2026-11-19T12:00:00Z");
export const GUILD = "900000000000000001";
export const CHANNEL = "910000000000000001";
export const ANA = "920000000000000001";
export const BRUNO = "920000000000000002";
export const CARLA = "920000000000000003";

export const later = (milliseconds: number, from = NOON): Temporal.Instant =>
  from.add({ milliseconds });

/** Rows that go with those that they refer to, and the one that outlasts a run. */
type Kept = "ghost_seen" | "withdraw_event" | "storage_state";

/** In an order in which foreign keys let their rows be deleted. A new table that is missing here does not compile. */
const DELETED: Readonly<Record<Exclude<keyof Schema, Kept>, true>> = {
  withdraw_op: true,
  pix_key: true,
  money_guard: true,
  split_balance: true,
  ghost_baseline: true,
  proof: true,
  webhook: true,
  webhook_trust: true,
  restore_check: true,
  database_restore: true,
  charge: true,
  goal: true,
  sale_choice: true,
  sale_seen: true,
  sale_watch: true,
  sale_route: true,
  pending_key: true,
  presence: true,
  alert_route: true,
  report_progress: true,
  close_progress: true,
  sales_day: true,
  sales_correction: true,
  sales_history: true,
  account: true,
  wallet_key: true,
  dispute_watch: true,
  dispute_poll: true,
  dispute_unlisted: true,
  report_route: true,
  outbox: true,
  interaction_seen: true,
  identify_start: true,
  audit_event: true,
  meta: true,
};
export const TABLES = Object.keys(DELETED) as readonly (keyof typeof DELETED)[];

export const anaKey = new Secret("sk_sandbox_ana_4f9c2d7e1b");
export const anaOtherKey = new Secret("sk_sandbox_ana_88aa77bb66");
export const brunoKey = new Secret("sk_sandbox_bruno_0d1e2f3a4b");

export const savedAccount = (changes: Partial<SavedAccount> = {}): SavedAccount => ({
  guildId: GUILD,
  ownerId: ANA,
  connectedBy: ANA,
  ownerVerified: true,
  reportConsent: true,
  reportConsentAt: NOON,
  connectedAt: NOON,
  ...changes,
});

export const chosenRoute = (changes: Partial<Chosen<ReportRoute>> = {}): Chosen<ReportRoute> => ({
  guildId: GUILD,
  channelId: CHANNEL,
  time: Temporal.PlainTime.from("21:05"),
  timeZone: "America/Sao_Paulo",
  active: true,
  emptyChoice: "line",
  locale: "pt-BR",
  updatedBy: CARLA,
  ...changes,
});

/** Arguments that save it. */
export const savedRoute = (changes: Partial<Chosen<ReportRoute>> = {}) =>
  asRoute(chosenRoute(changes));

export const delivery = (dedupeKey: string, changes: Partial<NewDelivery> = {}): NewDelivery => ({
  dedupeKey,
  kind: "sales_report",
  target: { kind: "channel", channelId: CHANNEL },
  guildId: GUILD,
  accountId: null,
  payload: { embeds: [{ title: "Vendas", description: `de ${dedupeKey} – "R$ 1,00"` }] },
  notBefore: NOON,
  ...changes,
});

/** Claimed for the first time when it was enqueued. */
export const claimedDelivery = (
  dedupeKey: string,
  at: Temporal.Instant,
  changes: Partial<ClaimedDelivery> = {},
): ClaimedDelivery => ({
  ...delivery(dedupeKey, { notBefore: at }),
  nonce: nonceOf(dedupeKey),
  attempts: 1,
  enqueuedAt: at,
  firstAttemptAt: at,
  claimedAt: at,
  owner: "p1",
  token: 1,
  wasBlocked: false,
  lostLives: [],
  ...changes,
});

export const reportOf = (account: Account, changes: Partial<NewDelivery> = {}): NewDelivery =>
  delivery(`report|${account.id}|${CHANNEL}|2026-11-18`, {
    accountId: account.id,
    day: Temporal.PlainDate.from("2026-11-18"),
    ...changes,
  });

export const noticeTo = (userId: string, dedupeKey: string): NewDelivery =>
  delivery(dedupeKey, {
    kind: "notice",
    target: { kind: "person", userId },
    payload: { content: "A chave foi recusada." },
  });

export const sent: Settlement = { state: "sent", messageId: "930000000000000001" };

export const dueAgain = (notBefore: Temporal.Instant, untouched = false): Settlement => ({
  state: "due",
  notBefore,
  error: "unclear",
  untouched,
});

export const blocked = (notBefore: Temporal.Instant, untouched = true): Settlement => ({
  state: "blocked",
  notBefore,
  error: "10003",
  untouched,
});

/** The keys of claims. */
export const keysOf = (claims: readonly ClaimedDelivery[]): string[] =>
  claims.map(({ dedupeKey }) => dedupeKey);
