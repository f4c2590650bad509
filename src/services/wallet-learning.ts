import type { Account } from "../domain/account.ts";
import type { SalesReport } from "../domain/sales.ts";
import type { Clock } from "../shared/time.ts";
import type { Logger } from "../shared/log.ts";

export interface WalletLearningNeeds {
  readonly clock: Clock;
  readonly log: Logger;
  readonly learn: (account: Account, walletUserId: string, at: Temporal.Instant) => Promise<void>;
}

/**
 * Notes which wallet account a key is of, where that is not known yet: a report of sales is the one place where the
 * service says it. Source: service.md 2.7. Never rejects: whoever wanted the report has it.
 */
export type WalletLearning = (account: Account, report: SalesReport) => Promise<void>;

/** Whether only the key itself is known, and not whose account it is of. */
export const isUnlearnt = ({ accountFp, keyFingerprint }: Account): boolean =>
  accountFp === keyFingerprint;

export const createWalletLearning =
  ({ clock, log, learn }: WalletLearningNeeds): WalletLearning =>
  async (account, { userId }) => {
    if (!isUnlearnt(account)) return;
    try {
      await learn(account, userId, clock.now());
    } catch (error) {
      log.error({ account: account.id, err: error }, "a wallet account could not be noted");
    }
  };
