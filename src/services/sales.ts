import type { Account } from "../domain/account.ts";
import type { SalesReport } from "../domain/sales.ts";
import { type WalletKey, walletKeyOf } from "../domain/wallet-key.ts";
import type { Clock } from "../shared/time.ts";
import { UserError } from "../shared/errors.ts";
import type { Secret } from "../shared/secret.ts";
import { createReadingTimes } from "./reading-times.ts";
import type { SalesService } from "./services.ts";
import type { WalletLearning } from "./wallet-learning.ts";

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
  const readingTimes = createReadingTimes<SalesReport>();
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
