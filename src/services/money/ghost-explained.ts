import { distanceMs, isMatch } from "../../domain/reconcile.ts";
import type { Withdrawal } from "../../domain/withdrawal.ts";
import type { MoneyNeeds } from "./money-needs.ts";

/** Decisions of one owner that can be recent enough to matter. */
const MOST_DECISIONS = 10;

/**
 * Withdrawals that their owner has already answered for, one of each operation: it was decided by hand, so that none was
 * ever claimed by it.
 */
export const explainedByOwner = async (
  { journal }: Pick<MoneyNeeds, "journal">,
  accountFp: string,
  ownerIds: readonly string[],
  details: ReadonlyMap<string, Withdrawal>,
): Promise<ReadonlySet<string>> => {
  const explained = new Set<string>();
  if (details.size === 0) return explained;
  const states = ["resolved_manual"] as const;
  for (const ownerId of ownerIds) {
    for (const op of await journal.list({ ownerId, states, limit: MOST_DECISIONS })) {
      if (op.accountFp !== accountFp || op.resolution !== "happened") continue;
      const pixKey = await journal.pixKeyOf(op.id);
      if (pixKey === undefined) continue;
      const [nearest] = [...details.values()]
        .filter((detail) => isMatch(op, pixKey, detail))
        .toSorted((a, b) => distanceMs(op, a) - distanceMs(op, b));
      if (nearest !== undefined) explained.add(nearest.txid);
    }
  }
  return explained;
};
