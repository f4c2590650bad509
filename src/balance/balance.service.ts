import type { MoneyGuards } from "../money-guards/money-guards.ts";
import {
  capFreesAt,
  MINIMUM_WITHDRAWAL,
  underWay,
  underWayElsewhere,
} from "../withdrawals/withdraw-limits.ts";
import { mayBeOpId } from "../withdrawals/reconcile.ts";
import { isLocking, takenAmount } from "../withdrawals/withdraw-op.ts";
import { awaitsAnswer, disputeState } from "../disputes/dispute.ts";
import { isStale } from "../reports/sales-days.ts";
import { openReportDay } from "../shared/report-day.ts";
import { DAY, earliestOf } from "../shared/time.ts";
import { cents } from "../shared/money.ts";
import type { BalanceView } from "../withdrawals/withdraw-facts.ts";
import type { Actor, MoneyNeeds } from "../withdrawals/money-services.service.ts";
import {
  problemsOf,
  settled,
  requireAuthorized,
  supportCodesOf,
  valueOf,
} from "../shared/settled.ts";
import { guardsOf } from "../money-guards/money-guards.service.ts";
import { connectionOfAsker, resumeJobs } from "../accounts/asker.service.ts";
import { questionOf } from "../withdrawals/restore/restore-check.service.ts";
import { recentOf, spentInADay } from "../withdrawals/withdraw-rules.service.ts";

export const createBalanceService = (needs: MoneyNeeds) => ({
  /** @throws UserError not_connected; WalletError only when every read failed */
  read: async (actor: Actor): Promise<BalanceView> => {
    const { wallet, journal, clock } = needs;
    const { account, key } = await connectionOfAsker(needs, actor);
    const [balance, disputes, list] = await Promise.all([
      settled(wallet.balance(key, "interactive")),
      settled(wallet.disputeSummary(key, "interactive")),
      settled(wallet.withdrawals(key, "interactive")),
    ]);
    requireAuthorized(balance, disputes, list);
    if (!balance.ok && !disputes.ok && !list.ok) throw balance.error;
    await resumeJobs(needs, account, [balance, disputes, list]);
    const open = await journal.openOf(key.fingerprint);
    const page = valueOf(list);
    const listed = page?.items.map(({ txid }) => txid) ?? [];
    const claimed = await journal.claimantsOf(key.fingerprint, listed);
    const lock = open.find(isLocking);
    const guards = await guardsOf(needs, actor.userId);
    const now = clock.now();
    const today = openReportDay(now);
    const kept = await needs.salesDays.between(account.accountFp, today, today);
    const sentAt = await journal.lastSentAt(key.fingerprint);
    return {
      balance: valueOf(balance),
      frozen: valueOf(disputes)?.frozen,
      disputes: await unansweredOf(needs, account.watchId, now),
      today: kept.find((day) => !isStale(day)),
      open: open.filter(({ ownerId }) => ownerId === actor.userId),
      elsewhereOpen:
        page &&
        underWayElsewhere(page, claimed).map((row) => ({
          ...row,
          mayBeOpId: mayBeOpId(lock, actor.userId, row),
        })),
      lock: lock?.state,
      lockByAnother: lock !== undefined && lock.ownerId !== actor.userId,
      underWay: underWay(open, page, claimed, actor.userId),
      recent: await recentOf(needs, key.fingerprint, { sentAt, page, claimed }, now),
      cap: await capOf(needs, guards),
      locked: guards.lockedAt !== undefined,
      withdrawEnabled: needs.withdrawEnabled,
      question: await questionOf(needs, account, async () => list),
      problems: problemsOf([balance, disputes, list]),
      supportCodes: supportCodesOf([balance, disputes, list]),
      readAt: now,
    };
  },
});

/**
 * Followed disputes that await the answer of their seller, overdue ones included. Empty while alerts are off: they
 * are not read then, and an answer would stay unnoticed.
 */
const unansweredOf = async (
  { disputeWatch, ofWatch }: Pick<MoneyNeeds, "disputeWatch" | "ofWatch">,
  watchId: string,
  now: Temporal.Instant,
): Promise<BalanceView["disputes"]> => {
  if ((await ofWatch(watchId))?.told.alerts === "off")
    return { count: 0, overdue: 0, firstDueAt: undefined };
  const unanswered = (await disputeWatch.awaiting(watchId)).filter((each) =>
    awaitsAnswer(disputeState(each, now)),
  );
  const due = unanswered
    .map(({ dueAt }) => dueAt)
    .filter((dueAt) => Temporal.Instant.compare(now, dueAt) < 0);
  return {
    count: unanswered.length,
    overdue: unanswered.length - due.length,
    firstDueAt: earliestOf(due),
  };
};

/** The rest of the owner's daily cap, and the time when a withdrawal fits under it again. */
const capOf = async (
  needs: MoneyNeeds,
  { dailyCap: cap, pendingCap, ownerId }: MoneyGuards,
): Promise<BalanceView["cap"]> => {
  if (cap === undefined) return undefined;
  const left = cents(Math.max(cap - (await spentInADay(needs, ownerId)), 0));
  if (left >= MINIMUM_WITHDRAWAL) return { cap, left, freesAt: undefined };
  const since = needs.clock.now().subtract({ milliseconds: DAY });
  const sent = (await needs.journal.sentSince(ownerId, since)).flatMap((op) => {
    const [at, amount] = [op.sentAt, takenAmount(op)];
    return amount !== undefined && at !== undefined ? [{ at, amount }] : [];
  });
  return { cap, left, freesAt: capFreesAt(sent, { dailyCap: cap, pendingCap }) };
};
