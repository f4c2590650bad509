import type { Account } from "#src/accounts/account.ts";
import type { ClaimedDelivery, NewDelivery, Settlement } from "#src/delivery/delivery.ts";
import { Secret } from "#src/shared/secret.ts";
import type { SavedAccount } from "#src/accounts/accounts-write.store.ts";
import type { ChosenRoute } from "#src/reports/report-routes.store.ts";

export const NOON = Temporal.Instant.from("2026-11-19T12:00:00Z");
export const GUILD = "900000000000000001";
export const CHANNEL = "910000000000000001";
export const ANA = "920000000000000001";
export const BRUNO = "920000000000000002";
export const CARLA = "920000000000000003";

export const later = (milliseconds: number, from = NOON): Temporal.Instant =>
  from.add({ milliseconds });

/** In an order in which foreign keys let their rows be deleted. */
export const TABLES = [
  "withdraw_op",
  "pix_key",
  "money_guard",
  "split_balance",
  "ghost_baseline",
  "proof",
  "webhook",
  "webhook_trust",
  "restore_check",
  "database_restore",
  "charge",
  "goal",
  "sale_choice",
  "sale_seen",
  "sale_watch",
  "sale_route",
  "pending_key",
  "presence",
  "alert_route",
  "report_progress",
  "close_progress",
  "sales_day",
  "sales_correction",
  "sales_history",
  "account",
  "wallet_key",
  "dispute_watch",
  "dispute_poll",
  "dispute_unlisted",
  "report_route",
  "outbox",
  "interaction_seen",
  "identify_start",
  "audit_event",
  "meta",
] as const;

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

export const chosenRoute = (changes: Partial<ChosenRoute> = {}): ChosenRoute => ({
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
