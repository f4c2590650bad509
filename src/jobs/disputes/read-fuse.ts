import { isUnanswered, WalletError } from "../../shared/errors.ts";

/** Passes reads on. Once too many in a row were left unanswered, all fail as the last of them did, without being begun. */
export type ReadFuse = <Value>(read: () => Promise<Value>) => Promise<Value>;

/** Lives as long as one look: the next one asks anew whether the service is back. */
export const createReadFuse = (mostUnanswered: number): ReadFuse => {
  let inARow = 0;
  let last: WalletError | undefined;
  return async (read) => {
    if (last !== undefined && inARow >= mostUnanswered) throw last;
    try {
      const value = await read();
      inARow = 0;
      return value;
    } catch (error) {
      const wasLost = error instanceof WalletError && isUnanswered(error.kind);
      inARow = wasLost ? inARow + 1 : 0;
      if (wasLost) last = error;
      throw error;
    }
  };
};
