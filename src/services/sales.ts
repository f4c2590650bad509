import type { Account } from "../domain/account.ts";
import type { SalesReport } from "../domain/sales.ts";
import { type WalletKey, walletKeyOf } from "../domain/wallet-key.ts";
import type { Clock } from "../shared/time.ts";
import { UserError } from "../shared/errors.ts";
import type { Secret } from "../shared/secret.ts";
import type { SalesService } from "./services.ts";
import type { Logger } from "../shared/log.ts";

export interface SalesNeeds {
  readonly clock: Clock;
  /** One query: asked for every command. */
  readonly findWithKey: (
    guildId: string,
    ownerId: string,
  ) => Promise<{ readonly account: Account; readonly apiKey: Secret } | undefined>;
  /** With a person waiting. @throws WalletError */
  readonly readReport: (key: WalletKey, day: Temporal.PlainDate) => Promise<SalesReport>;
  /** Notes whose account the key is of, where that is not known. */
  readonly learn: WalletLearning;
  /** Lets the jobs of a paused key go on. */
  readonly resume: (accountId: string) => Promise<void>;
}

/**
 * Sales, read with the key of whoever asks. A key that works again goes back to its jobs. One that is refused here
 * (401) is left to them: they find out at the next report, stop and tell the owner in a message that stays, while
 * pausing here would keep a report back for good after a passing refusal that its owner saw once and forgot.
 */
export const createSalesService = (needs: SalesNeeds): SalesService => {
  const { clock } = needs;
  const readingTimes = createFirstAskedTimes<SalesReport>();
  return {
    report: async (guildId, ownerId, day) => {
      const found = await needs.findWithKey(guildId, ownerId);
      if (found === undefined) throw new UserError({ kind: "not_connected" });
      const { account, apiKey } = found;
      const askedAt = clock.now();
      const report = await needs.readReport(walletKeyOf(account, apiKey), day);
      await needs.learn(account, report);
      if (account.pausedAt !== undefined) await needs.resume(account.id);
      return { report, readAt: readingTimes.firstAsked(report, askedAt) };
    },
  };
};

/**
 * Remembers when each answer was asked for. The wallet client hands one answer to everybody who asks for the same
 * within two seconds, so an answer may be older than the question of whoever gets it. What answers leave behind is
 * forgotten with them.
 */
interface FirstAskedTimes<Answer> {
  /** When the answer was first asked for: whatever happened later may be missing from it. */
  readonly firstAsked: (answer: Answer, askedAt: Temporal.Instant) => Temporal.Instant;
}

const createFirstAskedTimes = <Answer extends object>(): FirstAskedTimes<Answer> => {
  const asked = new WeakMap<Answer, Temporal.Instant>();
  return {
    firstAsked: (answer, askedAt) => {
      const before = asked.get(answer);
      const first =
        before !== undefined && Temporal.Instant.compare(before, askedAt) < 0 ? before : askedAt;
      asked.set(answer, first);
      return first;
    },
  };
};

interface WalletLearningNeeds {
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
const isUnlearnt = ({ accountFp, keyFingerprint }: Account): boolean =>
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
