import { MINUTE } from "../shared/duration.ts";
import type { WithdrawOp } from "../domain/withdraw-op.ts";
import type { MoneyNeeds } from "./money-needs.ts";
import { checkOp } from "./withdraw-check.ts";

const LANES = 8;
/** Longer than one check can take: meanwhile no other process takes it. */
const HOLD_MS = 2 * MINUTE;

/** One operation's failure is its own: it is taken again when its hold ends. */
const checkOne = async (needs: MoneyNeeds, op: WithdrawOp): Promise<void> => {
  try {
    await checkOp(needs, op, "job");
  } catch (error) {
    needs.log.error({ op: op.id, err: error }, "a withdrawal could not be checked");
  }
};

/** Checks what is due, a few at a time, until nothing is. @returns when the next check is due */
export const checkDue = async (
  needs: MoneyNeeds,
  stopping: AbortSignal,
): Promise<Temporal.Instant | undefined> => {
  const underWay = new Set<Promise<void>>();
  while (!stopping.aborted) {
    const room = LANES - underWay.size;
    const ops = room > 0 ? await needs.journal.claimDue(needs.clock.now(), room, HOLD_MS) : [];
    for (const op of ops) {
      const check = checkOne(needs, op).finally(() => underWay.delete(check));
      underWay.add(check);
    }
    if (underWay.size === 0) break;
    await Promise.race(underWay);
  }
  await Promise.all(underWay);
  return stopping.aborted ? undefined : await needs.journal.nextDueAt();
};
