import type { AccountsStore } from "../accounts/accounts.store.ts";
import {
  type Connection,
  connectionOfAsker,
  isEntitledOwner,
  resumeJobs,
} from "../accounts/asker.service.ts";
import { lastDays, periodDays, type PeriodReading, salesChangeOf } from "./sales-period.ts";
import { isStale, isWhole, type ReadSalesReport, salesDayOf } from "./sales-days.ts";
import { isUnanswered } from "../shared/errors.ts";
import { settled, supportCodesOf } from "../shared/settled.ts";
import type { SalesDays } from "./sales-days.store.ts";
import type { WalletKey } from "../accounts/wallet-key.ts";
import type { Clock } from "../shared/time.ts";
import type { Logger } from "../shared/log.ts";

export interface SalesNeeds {
  readonly clock: Clock;
  readonly log: Logger;
  readonly accounts: Pick<AccountsStore, "connectionsOf" | "findWithKey" | "resume">;
  /** Reads with a person's priority. @throws WalletError */
  readonly readReport: (key: WalletKey, day: Temporal.PlainDate) => Promise<ReadSalesReport>;
}

export type SalesService = ReturnType<typeof createSalesService>;

interface SalesServiceNeeds extends SalesNeeds {
  readonly days: Pick<SalesDays, "between">;
}

/**
 * Sales reports for people. A read that succeeds resumes the jobs of a paused key. A refusal (401) pauses no jobs
 * here: the job finds out at its next report and sends its owner a lasting message. Pausing here would stop reports
 * for good after a passing refusal that the owner saw once and forgot.
 */
export const createSalesService = (needs: SalesServiceNeeds) => ({
  /**
   * @throws UserError not_connected
   * @throws WalletError
   */
  report: async (guildId: string, userId: string, day: Temporal.PlainDate) =>
    readReport(needs, await connectionOfAsker(needs.accounts, { guildId, userId }), day),
  /**
   * The day's report beside the kept days that it is compared with: a day that is not kept, or had a refund since it was
   * read, is left out, since a person waits. `since`: the day after it, read too. While the service does not answer, a
   * kept whole day is shown as it is, but not to an owner of refused keys alone when another owner's key reads it.
   * @throws UserError not_connected
   * @throws WalletError
   */
  day: async (
    guildId: string,
    userId: string,
    day: Temporal.PlainDate,
    since?: Temporal.PlainDate,
  ): Promise<PeriodReading> => {
    const connection = await connectionOfAsker(needs.accounts, { guildId, userId });
    const { accountFp } = connection.account;
    const read = (wanted: Temporal.PlainDate) => settled(readReport(needs, connection, wanted));
    const [kept, shown, open] = await Promise.all([
      needs.days.between(accountFp, day.subtract({ days: 7 }), day),
      read(day),
      since && read(since),
    ]);
    // A figure with a refund since is no base; that of the day itself stands in for an answer.
    const usable = kept.filter((each) => each.day.equals(day) || !isStale(each));
    const known = new Map(usable.map((each) => [each.day.toString(), each]));
    const before = known.get(day.toString());
    const isKept =
      !shown.ok &&
      before !== undefined &&
      isWhole(before) &&
      isUnanswered(shown.error.kind) &&
      (await isEntitledOwner(needs.accounts, connection.account));
    if (shown.ok) known.set(day.toString(), salesDayOf(shown.value));
    else if (!isKept) throw shown.error;
    if (since && open?.ok) known.set(since.toString(), salesDayOf(open.value));
    const readAt = shown.ok ? shown.value.readAt : needs.clock.now();
    const period = lastDays(1, day);
    const days = periodDays(period, readAt);
    const ifKnown = (base: readonly Temporal.PlainDate[]) =>
      salesChangeOf(days.closed, base, known)?.kind === "unknown" ? [] : base;
    return {
      period,
      days: {
        ...days,
        before: ifKnown(days.before),
        weekdays: ifKnown(days.weekdays),
        since: days.since && since,
      },
      known,
      missing: 0,
      readAt,
      isKept,
      supportCodes: supportCodesOf([shown]),
    };
  },
});

const readReport = async (
  needs: SalesNeeds,
  { account, key }: Connection,
  day: Temporal.PlainDate,
): Promise<ReadSalesReport> => {
  const report = await needs.readReport(key, day);
  await resumeJobs({ ...needs.accounts, log: needs.log }, account);
  return report;
};
