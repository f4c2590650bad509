import { MINUTE } from "#src/shared/time.ts";
import { WalletError } from "#src/shared/errors.ts";
import type { Plant } from "../bot.ts";

const OLDEST = {
  txid: "W0",
  requestedAt: Temporal.Instant.fromEpochMilliseconds(0),
  amount: undefined,
  status: undefined,
};

/** Short pages, so that what others withdraw pushes a row off them before they can be read. */
const ROWS = 2;
const UNREADABLE_MS = 11 * MINUTE;

/** Takes every page of the list for the whole of it: what is not on it did not happen. */
export const noCoverage: Plant = (needs) => {
  let sentMs = Number.NEGATIVE_INFINITY;
  const nowMs = (): number => needs.clock.now().epochMilliseconds;
  return {
    ...needs,
    wallet: {
      ...needs.wallet,
      withdraw: (...given) => {
        sentMs = nowMs();
        return needs.wallet.withdraw(...given);
      },
      withdrawals: async (...given) => {
        if (nowMs() - sentMs < UNREADABLE_MS)
          throw new WalletError({ kind: "unavailable", method: "GET", route: "/v1/simulated" });
        const page = await needs.wallet.withdrawals(...given);
        return { ...page, items: [...page.items.slice(0, ROWS), OLDEST] };
      },
    },
  };
};
