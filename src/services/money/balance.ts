import { allowedFrom } from "../../domain/withdraw-limits.ts";
import { MINIMUM_WITHDRAWAL, quoteOf } from "../../domain/withdraw-quote.ts";
import type { ListedWithdrawal, WithdrawalPage } from "../../domain/withdrawal.ts";
import type { Cents } from "../../shared/money.ts";
import type { MoneyNeeds } from "./money-needs.ts";
import type { Actor, BalanceService, BalanceView } from "./money-services.ts";
import { type Reading, reading, requireAuthorized, valueOf } from "../wallet-reading.ts";
import { connectionOfActor } from "./withdraw-account.ts";
import { questionOf } from "./restore-check.ts";
import { guardsOf } from "./withdraw-rules.ts";

const UNDER_WAY = new Set<string | undefined>(["scheduled", "processing"]);

const elsewhereOpen = (
  page: WithdrawalPage | undefined,
  claimed: readonly string[],
): readonly ListedWithdrawal[] | undefined =>
  page?.items.filter(({ txid, status }) => UNDER_WAY.has(status) && !claimed.includes(txid));

const quotesOf = (available: Cents | undefined): BalanceView["quotes"] =>
  available === undefined || available < MINIMUM_WITHDRAWAL
    ? undefined
    : { normal: quoteOf(available, false), turbo: quoteOf(available, true) };

/** @throws WalletError when nothing could be read */
const problemsOf = (readings: readonly Reading<unknown>[]): BalanceView["problems"] => {
  const errors = readings.flatMap((read) => (read.ok ? [] : [read.error]));
  const [first] = errors;
  if (first !== undefined && errors.length === readings.length) throw first;
  return [...new Set(errors.map(({ kind }) => kind))];
};

/** See `BalanceService`. */
export const createBalanceService = (needs: MoneyNeeds): BalanceService => ({
  read: async (actor: Actor) => {
    const { wallet, journal, clock } = needs;
    const { account, key } = await connectionOfActor(needs, actor);
    const [balance, disputes, list] = await Promise.all([
      reading(wallet.balance(key, "interactive")),
      reading(wallet.disputeSummary(key, "interactive")),
      reading(wallet.withdrawals(key, "interactive")),
    ]);
    requireAuthorized(balance, disputes, list);
    const problems = problemsOf([balance, disputes, list]);
    const open = await journal.openOf(key.fingerprint);
    const guards = await guardsOf(needs, actor.userId);
    const now = clock.now();
    return {
      balance: valueOf(balance),
      frozen: valueOf(disputes)?.frozen,
      open: open?.ownerId === actor.userId ? open : undefined,
      elsewhereOpen: elsewhereOpen(valueOf(list), await journal.claimedTxids(key.fingerprint)),
      allowedFrom: allowedFrom(await journal.lastSentAt(key.fingerprint), now),
      quotes: quotesOf(valueOf(balance)?.available),
      locked: guards.lockedAt !== undefined,
      question: await questionOf(needs, account, key.fingerprint, async () => list),
      problems,
      readAt: now,
    };
  },
});
