import type { KeyOffer } from "#src/accounts/wallet-key.ts";
import type { BalanceView } from "#src/withdrawals/withdraw-facts.ts";
import type { Account } from "#src/accounts/account.ts";
import type { ReportRoute } from "#src/reports/report-route.ts";
import type { OriginSales, SalesReport } from "#src/reports/sales.ts";
import { cents } from "#src/shared/money.ts";

export const NOW = Temporal.Instant.from("2026-11-20T18:00:00Z");
/** `NOW` and a day later as Discord timestamps. */
export const WHEN = "<t:1795197600:d> <t:1795197600:t> (<t:1795197600:R>)";
export const LATER = "<t:1795284000:d> <t:1795284000:t> (<t:1795284000:R>)";
/** `NOW` as an embed's timestamp. */
export const READ_AT = "2026-11-20T18:00:00.000Z";

export const sampleAccount = (given: Partial<Account> = {}): Account => ({
  id: "account-1",
  guildId: "1180000000000000001",
  ownerId: "1180000000000000011",
  connectedBy: "1180000000000000011",
  keyLast4: "9x2z",
  keyFingerprint: "fingerprint",
  accountFp: "fingerprint",
  watchId: "account-1",
  ownerVerified: true,
  reportConsent: false,
  reportDirect: false,
  reportConsentAt: undefined,
  alerts: "direct",
  locale: undefined,
  pausedAt: undefined,
  connectedAt: NOW,
  ...given,
});

export const sampleRoute = (given: Partial<ReportRoute> = {}): ReportRoute => ({
  guildId: "1180000000000000001",
  channelId: "1180000000000000102",
  time: Temporal.PlainTime.from("21:05"),
  timeZone: "America/Sao_Paulo",
  active: true,
  emptyChoice: "line",
  locale: "pt-BR",
  activeSince: NOW,
  suspendedAt: undefined,
  updatedBy: "1180000000000000013",
  ...given,
});

/** Arguments that save a route whole, whatever it was before. */
export const asRoute = <const Route extends { readonly guildId: string }>(route: Route) =>
  [route.guildId, () => route] as const;

export const sold = (count: number, sales: number, fees: number): OriginSales => ({
  count,
  sales: cents(sales),
  fees: cents(fees),
  net: cents(sales - fees),
});

export const sampleReport = (
  api: OriginSales = sold(4, 59_800, 3_588),
  esales: OriginSales = sold(2, 17_900, 1_074),
  day = "2026-11-20",
): SalesReport => ({
  day: Temporal.PlainDate.from(day),
  userId: "1180000000000000011",
  total: {
    sales: cents(api.sales + esales.sales),
    fees: cents(api.fees + esales.fees),
    net: cents(api.net + esales.net),
  },
  byOrigin: { api, esales },
});

export const sampleOffer = (given: Partial<KeyOffer> = {}): KeyOffer => ({
  id: "abcdefghijklmnopqrstuv",
  guildId: "1180000000000000001",
  ownerId: "1180000000000000011",
  askedBy: "1180000000000000013",
  keyLast4: "wxyz",
  locale: "pt-BR",
  askedAt: NOW,
  ...given,
});

/** Of which no part could be read. */
export const UNREAD_BALANCE: BalanceView = {
  balance: undefined,
  frozen: undefined,
  disputes: { count: 0, overdue: 0, firstDueAt: undefined },
  open: [],
  elsewhereOpen: [],
  lock: undefined,
  underWay: [],
  recent: undefined,
  cap: undefined,
  locked: false,
  withdrawEnabled: true,
  problems: [],
  readAt: NOW,
};
