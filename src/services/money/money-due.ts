import { MINUTE } from "../../shared/time.ts";
import type { WithdrawOp } from "../../domain/withdraw-op.ts";
import type { MoneyNeeds } from "./money-needs.ts";
import { checkOp } from "./withdraw-check.ts";

/** Checks what is due until nothing is that this process has room for; resolves to when the next check is due. */
export type CheckDue = (stopping: AbortSignal) => Promise<Temporal.Instant | undefined>;

/** Checks under way at the same time, however many ask for them. */
const LANES = 8;
/** Longer than one check can take: meanwhile nobody else takes it. */
const HOLD_MS = 2 * MINUTE;

export const createCheckDue = (needs: MoneyNeeds): CheckDue => {
  const { journal, clock, log } = needs;
  const underWay = new Set<Promise<void>>();
  let claiming = 0;

  /** One operation's failure is its own: it is taken again when its hold ends. */
  const checkOne = async (op: WithdrawOp): Promise<void> => {
    try {
      await checkOp(needs, op, "job");
    } catch (error) {
      log.error({ op: op.id, err: error }, "a withdrawal could not be checked");
    }
  };

  const begin = (op: WithdrawOp): Promise<void> => {
    const check = checkOne(op).finally(() => underWay.delete(check));
    underWay.add(check);
    return check;
  };

  const claim = async (room: number): Promise<readonly WithdrawOp[]> => {
    claiming += room;
    try {
      return await journal.claimDue(clock.now(), room, HOLD_MS);
    } finally {
      claiming -= room;
    }
  };

  return async (stopping) => {
    const ours = new Set<Promise<void>>();
    while (!stopping.aborted) {
      // What others are about to take is not free either.
      const room = LANES - underWay.size - claiming;
      for (const op of room > 0 ? await claim(room) : []) {
        const check = begin(op).finally(() => ours.delete(check));
        ours.add(check);
      }
      if (ours.size === 0 && (room > 0 || underWay.size === 0)) break;
      await Promise.race(ours.size > 0 ? ours : underWay);
    }
    await Promise.all(ours);
    return stopping.aborted ? undefined : await journal.nextDueAt();
  };
};
