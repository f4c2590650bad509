import type { NewDelivery } from "../../domain/delivery.ts";
import { isHeld, type WithdrawOp } from "../../domain/withdraw-op.ts";
import type { MoneyNeeds } from "./money-needs.ts";
import { recordAnswer, type Unrecorded } from "./withdraw-record.ts";
import { outcomeNotice, show } from "./withdraw-step.ts";

/** What a person who confirmed never heard of. */
const sweptNotice = (needs: MoneyNeeds, op: WithdrawOp): readonly NewDelivery[] => {
  const now = needs.clock.now();
  return [outcomeNotice(needs, op, undefined, now)];
};

/** Answers that this process knows and the database would not take before. */
const recordLeft = async (needs: MoneyNeeds, unrecorded: Unrecorded): Promise<void> => {
  for (const { op, answer } of unrecorded.values()) {
    try {
      const recorded = await recordAnswer(needs, op, answer, unrecorded);
      // Its step to `sending` was not made after all: the sweep ends it with its lease.
      if (isHeld(recorded.state)) continue;
      // Whoever confirmed was told that nobody knows.
      const now = needs.clock.now();
      await needs.enqueue(outcomeNotice(needs, recorded, undefined, now), now);
      await show(needs, recorded, undefined);
    } catch (error) {
      // It is still in mind, and after its lease reading tells the truth.
      needs.log.error({ op: op.id, err: error }, "an answer could still not be recorded");
    }
  }
};

/** Ends what nobody goes on with: steps of dead processes, and drafts whose confirmation expired. */
export const sweepMoney = async (
  needs: MoneyNeeds,
  unrecorded: Unrecorded,
  everything: boolean,
): Promise<void> => {
  await recordLeft(needs, unrecorded);
  const { journal, clock, log } = needs;
  const swept = await journal.sweep(everything, clock.now(), (op) => sweptNotice(needs, op));
  for (const op of swept) {
    log.warn({ op: op.id, to: op.state }, "a withdrawal was left by its process");
    await show(needs, op, undefined);
  }
  if (swept.length > 0) needs.wake();
  const expired = await journal.abandonExpired(clock.now());
  await Promise.all(expired.map((op) => show(needs, op, undefined)));
};
