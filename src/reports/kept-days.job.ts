import type { ReportSeller } from "./report-sellers.store.ts";
import type { SalesCorrection, SalesDay } from "./sales-days.ts";
import type { SalesDays } from "./sales-days.store.ts";

/** By wallet account and day. */
export type KeptDays = ReadonlyMap<string, ReadonlyMap<string, SalesDay>>;

export const keptDaysOf = async (
  days: Pick<SalesDays, "between" | "ofGuild">,
  { guildId, accountFp, target }: Pick<ReportSeller, "accountFp" | "guildId" | "target">,
  from: Temporal.PlainDate,
  to: Temporal.PlainDate,
): Promise<KeptDays> => {
  const byDay = (its: readonly SalesDay[]) =>
    new Map(its.map((each) => [each.day.toString(), each]));
  if (target.kind === "person")
    return new Map([[accountFp, byDay(await days.between(accountFp, from, to))]]);
  const rows = await days.ofGuild(guildId, from, to);
  const byAccount = Map.groupBy(rows, (row) => row.accountFp);
  return new Map([...byAccount].map(([fp, its]) => [fp, byDay(its)]));
};

/** Corrections that a seller was not told yet; of several late days the first with room tells them. */
export const correctionsFor = async (
  days: Pick<SalesDays, "corrections">,
  sellers: readonly ReportSeller[],
) => {
  const toldUntil = ({ correctionsTold, since }: ReportSeller) => correctionsTold ?? since;
  const after = new Map<string, Temporal.Instant>();
  for (const seller of sellers) {
    const until = toldUntil(seller);
    const known = after.get(seller.accountFp);
    if (known === undefined || Temporal.Instant.compare(until, known) < 0)
      after.set(seller.accountFp, until);
  }
  const found = await days.corrections(after);
  const noticed = Map.groupBy(found, ({ accountFp }) => accountFp);
  return (seller: ReportSeller, until = toldUntil(seller)): readonly SalesCorrection[] =>
    (noticed.get(seller.accountFp) ?? []).filter(
      ({ noticedAt }) => Temporal.Instant.compare(noticedAt, until) > 0,
    );
};
