import { type Connection, connectionOfAsker, resumeJobs } from "../accounts/asker.service.ts";
import { isRefusedKey, isUnanswered, WalletError } from "../shared/errors.ts";
import { isCurrent, type SalesDay, salesDayOf } from "./sales-days.ts";
import type { SalesDays } from "./sales-days.store.ts";
import {
  isReadAgain,
  MOST_AT_ONCE,
  type PeriodDays,
  periodDays,
  type PeriodReading,
  type SalesPeriod,
} from "./sales-period.ts";
import { codesOfErrors } from "../shared/settled.ts";
import { MINUTE } from "../shared/time.ts";
import type { SalesNeeds } from "./sales.service.ts";

interface SalesPeriodsNeeds extends SalesNeeds {
  readonly days: Pick<SalesDays, "between" | "want">;
}

/** Younger figures are not read again: people leaf through periods. */
const READ_AGAIN_MS = MINUTE;

export type SalesPeriodsService = ReturnType<typeof createSalesPeriods>;

export const createSalesPeriods = (needs: SalesPeriodsNeeds) => ({
  /**
   * The figures that are kept, and up to ten days read now: missing ones, as are those with a refund since they were read,
   * then those of a short period that are older than a minute. The background reads the rest.
   * @throws UserError not_connected
   * @throws WalletError when no figure of the period is known
   */
  period: async (guildId: string, ownerId: string, period: SalesPeriod): Promise<PeriodReading> => {
    const connection = await connectionOfAsker(needs.accounts, { guildId, userId: ownerId });
    const { account } = connection;
    const readAt = needs.clock.now();
    const days = periodDays(period, readAt);
    const wanted = wantedDays(days);
    const known = await keptDays(needs.days, account.accountFp, wanted);
    const lacking = wanted.filter((day) => !known.has(day.toString()));
    const old = isReadAgain(days) ? oldDays(days.shown, known, readAt) : [];
    const unread = [...lacking, ...old];
    const isPaused = account.pausedAt !== undefined;
    // Another's key may have read the kept days since this one was refused.
    const mustWork = isPaused && unread.length === 0;
    const asked = mustWork ? days.shown.slice(-1) : unread.slice(0, MOST_AT_ONCE);
    const problems = await readInto(known, needs, connection, asked);
    const missing = days.shown.filter((day) => !known.has(day.toString())).length;
    const isStillPaused = isPaused && problems.length === asked.length;
    const fatal =
      problems.find(isRefusedKey) ??
      (isStillPaused || missing === days.shown.length ? problems[0] : undefined);
    if (fatal !== undefined) throw fatal;
    await needs.days.want(account.accountFp, readAt);
    const unanswered = problems.filter(
      (error) => error instanceof WalletError && isUnanswered(error.kind),
    );
    const isKept = asked.length > 0 && unanswered.length === asked.length;
    const supportCodes = codesOfErrors(problems.filter((error) => error instanceof WalletError));
    return { period, days, known, missing, readAt, isKept, supportCodes };
  },
});

/** The most important first: the open day, then the shown days from the newest on, then those before. */
const wantedDays = ({
  shown,
  before,
  weekdays,
  since,
}: PeriodDays): readonly Temporal.PlainDate[] => {
  const all = [
    ...(since === undefined ? [] : [since]),
    ...shown.toReversed(),
    ...before,
    ...weekdays,
  ];
  return [...new Map(all.map((day) => [day.toString(), day])).values()];
};

/** Kept figures of whole days; those of other days, and of before a refund, are out of date. */
const keptDays = async (
  store: SalesPeriodsNeeds["days"],
  accountFp: string,
  wanted: readonly Temporal.PlainDate[],
): Promise<Map<string, SalesDay>> => {
  const [first, ...rest] = wanted.toSorted((one, other) => Temporal.PlainDate.compare(one, other));
  if (first === undefined) return new Map();
  const kept = await store.between(accountFp, first, rest.at(-1) ?? first);
  return new Map(kept.filter(isCurrent).map((each) => [each.day.toString(), each]));
};

/** The kept days that were read a minute ago or earlier. */
const oldDays = (
  shown: readonly Temporal.PlainDate[],
  known: ReadonlyMap<string, SalesDay>,
  now: Temporal.Instant,
): readonly Temporal.PlainDate[] => {
  const until = now.subtract({ milliseconds: READ_AGAIN_MS });
  return shown.filter((day) => {
    const kept = known.get(day.toString());
    return kept !== undefined && Temporal.Instant.compare(kept.readAt, until) <= 0;
  });
};

/** Adds the readable days to `known`. @returns the errors of the other days */
const readInto = async (
  known: Map<string, SalesDay>,
  needs: SalesPeriodsNeeds,
  { account, key }: Connection,
  days: readonly Temporal.PlainDate[],
): Promise<readonly unknown[]> => {
  const read = await Promise.allSettled(
    days.map(async (day) => {
      known.set(day.toString(), salesDayOf(await needs.readReport(key, day)));
    }),
  );
  const errors: readonly unknown[] = read.flatMap((each) =>
    each.status === "rejected" ? [each.reason] : [],
  );
  if (errors.length < read.length && !errors.some(isRefusedKey))
    await resumeJobs({ ...needs.accounts, log: needs.log }, account);
  return errors;
};
