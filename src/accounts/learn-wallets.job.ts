import type { Account } from "./account.ts";
import { openReportDay } from "../shared/report-day.ts";
import type { SalesReport } from "../reports/sales.ts";
import type { WalletLearning } from "../reports/sales.service.ts";
import type { Clock } from "../shared/time.ts";
import { isRefusedKey } from "../shared/errors.ts";
import type { Logger } from "../shared/log.ts";
import { createWorkers } from "../shared/concurrency.ts";

interface LearnWalletsNeeds {
  readonly clock: Clock;
  readonly log: Logger;
  /** Connections with a working key and an unknown wallet account. */
  readonly unlearnt: () => Promise<readonly Account[]>;
  /** Reads with background priority. @throws WalletError */
  readonly readReport: (account: Account, day: Temporal.PlainDate) => Promise<SalesReport>;
  readonly learn: WalletLearning;
}

/**
 * Asks the service once for the wallet account of each key that an older version stored. Does no work once all are
 * known.
 */
type LearnWallets = (stopping: AbortSignal) => Promise<void>;

const CONCURRENCY = 2;

export const createLearnWallets = (needs: LearnWalletsNeeds): LearnWallets => {
  const { clock, log, unlearnt, readReport, learn } = needs;
  const asked = new Set<string>();
  let isDone = false;

  const ask = async (account: Account): Promise<void> => {
    // `learn` also covers other connections with the same key.
    if (asked.has(account.keyFingerprint)) return;
    asked.add(account.keyFingerprint);
    try {
      await learn(account, await readReport(account, openReportDay(clock.now())));
    } catch (error) {
      log.warn({ account: account.id, err: error }, "whose key it is cannot be asked now");
      // The key's other jobs report a refusal; other failures are retried a minute later.
      if (!isRefusedKey(error)) asked.delete(account.keyFingerprint);
    }
  };

  return async (stopping) => {
    if (isDone) return;
    const left = (await unlearnt()).filter(({ keyFingerprint }) => !asked.has(keyFingerprint));
    // New connections store their wallet account from the start.
    isDone = left.length === 0;
    await createWorkers(CONCURRENCY)(left, ask, stopping);
  };
};
