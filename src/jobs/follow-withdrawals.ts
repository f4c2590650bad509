import type { Logger } from "../shared/log.ts";
import type { Money } from "../services/money/money.ts";

/**
 * Ends what dead processes left and reads what became of withdrawals that are due.
 * @returns when the next one is due
 */
export type FollowWithdrawals = (stopping: AbortSignal) => Promise<Temporal.Instant | undefined>;

export const createFollowWithdrawals =
  (needs: {
    readonly log: Logger;
    readonly money: Pick<Money, "sweep" | "checkDue">;
  }): FollowWithdrawals =>
  async (stopping) => {
    try {
      await needs.money.sweep(false);
    } catch (error) {
      // What could not be swept keeps nobody from their check; the next look sweeps again.
      needs.log.error({ err: error }, "left withdrawals could not be swept");
    }
    return await needs.money.checkDue(stopping);
  };
