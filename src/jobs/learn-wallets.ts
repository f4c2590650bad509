import type { Account } from "../domain/account.ts";
import { openReportDay } from "../domain/report-day.ts";
import type { SalesReport } from "../domain/sales.ts";
import type { WalletLearning } from "../services/sales.ts";
import type { Clock } from "../shared/time.ts";
import { WalletError } from "../shared/errors.ts";
import type { Logger } from "../shared/log.ts";
import { mapConcurrent } from "./concurrency.ts";

interface LearnWalletsNeeds {
  readonly clock: Clock;
  readonly log: Logger;
  /** Connections whose wallet account is not known yet and whose key works. */
  readonly unlearnt: () => Promise<readonly Account[]>;
  /** In the background lane. @throws WalletError */
  readonly readReport: (account: Account, day: Temporal.PlainDate) => Promise<SalesReport>;
  readonly learn: WalletLearning;
}

/** Asks for each key that an older version kept, once, which wallet account it is of. Does nothing once all is known. */
export type LearnWallets = (stopping: AbortSignal) => Promise<void>;

const CONCURRENCY = 2;

export const createLearnWallets = (needs: LearnWalletsNeeds): LearnWallets => {
  const { clock, log, unlearnt, readReport, learn } = needs;
  const asked = new Set<string>();
  let isDone = false;

  const ask = async (account: Account): Promise<void> => {
    // Its other connections are learnt with it.
    if (asked.has(account.keyFingerprint)) return;
    asked.add(account.keyFingerprint);
    try {
      await learn(account, await readReport(account, openReportDay(clock.now())));
    } catch (error) {
      log.warn({ account: account.id, err: error }, "whose key it is cannot be asked now");
      // A refused key is its jobs' to find out; whatever passes is asked again a minute later.
      const isRefused = error instanceof WalletError && error.kind === "unauthorized";
      if (!isRefused) asked.delete(account.keyFingerprint);
    }
  };

  return async (stopping) => {
    if (isDone) return;
    const left = (await unlearnt()).filter(({ keyFingerprint }) => !asked.has(keyFingerprint));
    // Connections that are made from now on say whose they are.
    isDone = left.length === 0;
    await mapConcurrent(CONCURRENCY, left, ask, stopping);
  };
};
