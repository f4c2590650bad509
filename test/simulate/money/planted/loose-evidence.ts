import { readPixKey } from "#src/domain/pix-key.ts";
import { cents } from "#src/shared/money.ts";
import type { Plant } from "../bot.ts";

/**
 * Has several mistakes at once, of guards of which each would hide that another is missing. What reads on its own account
 * comes last.
 */
export const together =
  (...plants: readonly Plant[]): Plant =>
  (needs) =>
    plants.reduce((planted, plant) => plant(planted), needs);

/** Believes any list, also one that was never seen to hold a withdrawal that is not over. */
export const believesAnyList: Plant = (needs) => ({
  ...needs,
  openListings: { ...needs.openListings, isKnown: () => Promise.resolve(true) },
});

/** Does not look whether the balance fell. */
export const ignoresBalance: Plant = (needs) => ({
  ...needs,
  wallet: {
    ...needs.wallet,
    balance: async (key, lane) => {
      const read = await needs.wallet.balance(key, lane);
      return lane === "background" ? { available: cents(1e12) } : read;
    },
  },
});

/** Takes nothing but stars for a mask, and every other form for a key of somebody else. */
export const knowsOnlyStars: Plant = (needs) => ({
  ...needs,
  wallet: {
    ...needs.wallet,
    withdrawal: async (...given) => {
      const read = await needs.wallet.withdrawal(...given);
      const key = readPixKey(read.pixKey);
      const isKey = key.kind === "key" && !key.key.suspect && key.key.type !== "unknown";
      if (isKey || read.pixKey.includes("*")) return read;
      return { ...read, pixKey: "somebody.else@example.com" };
    },
  },
});
