import type { DisputeRate } from "./dispute-facts.ts";
import type { ListedDispute } from "./dispute-list.ts";
import { closeOf, openingOf, openReportDay } from "./report-day.ts";

const DAYS = 30;
const WHOLE = 10_000;

/** The last 30 report days that are over, the first one first. */
export const rateDays = (now: Temporal.Instant): readonly Temporal.PlainDate[] => {
  const open = openReportDay(now);
  return Array.from({ length: DAYS }, (_, index) => open.subtract({ days: DAYS - index }));
};

export interface RateFacts {
  readonly days: readonly Temporal.PlainDate[];
  /** Approved sales of each of the days; undefined for one that could not be read. */
  readonly sales: readonly (number | undefined)[];
  /** Every dispute of the account; undefined when the list is not known to be whole. */
  readonly disputes: readonly Pick<ListedDispute, "contestedAt" | "status">[] | undefined;
}

/**
 * How many of the payments of whole days were contested in them. A missing figure makes it unknown: a rate that is
 * lower than the true one would calm a seller who has reason to worry.
 */
export const disputeRate = ({ days, sales, disputes }: RateFacts): DisputeRate => {
  const [from, to] = [days[0], days.at(-1)];
  if (disputes === undefined) return { known: false, why: "list" };
  const counted = disputes.filter(({ status }) => status !== "canceled");
  const times = counted.flatMap(({ contestedAt }) => contestedAt ?? []);
  if (times.length < counted.length) return { known: false, why: "dates" };
  const figures = sales.flatMap((count) => count ?? []);
  if (from === undefined || to === undefined || figures.length < days.length) {
    return { known: false, why: "sales" };
  }
  const total = figures.reduce((sum, count) => sum + count, 0);
  if (total === 0) return { known: false, why: "no_sales" };
  const [begin, end] = [openingOf(from).epochMilliseconds, closeOf(to).epochMilliseconds];
  const within = times.filter(({ epochMilliseconds: at }) => at >= begin && at < end).length;
  const basisPoints = Math.round((within * WHOLE) / total);
  return { known: true, from, to, disputes: within, sales: total, basisPoints };
};
