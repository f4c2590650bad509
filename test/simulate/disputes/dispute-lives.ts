import { DAY, MINUTE, SECOND } from "#src/shared/time.ts";
import type { Dice } from "../dice.ts";
import type { Standing, TrueDispute } from "./truth.ts";
import type { World } from "./world.ts";

/** What will become of a dispute, each thing at a time of its own. */
const answerAndDecide = (world: World, dice: Dice, dispute: TrueDispute): void => {
  const { time, truth } = world;
  const { dueMs } = truth.now(dispute);
  const nowMs = time.nowMs();
  const later = (atMs: number, change: Partial<Standing>): void => {
    time.after(atMs - nowMs, () => {
      const { status, analysis } = truth.now(dispute);
      const isOver = status === "canceled" || analysis !== "pending";
      if (isOver || (change.status !== undefined && status !== "pending")) return;
      truth.change(dispute, change);
    });
  };
  const leftMs = Math.max(dueMs - nowMs, MINUTE);
  const isAnswered = dice.chance(0.55);
  const answerMs = nowMs + dice.between(SECOND, leftMs);
  if (isAnswered) later(answerMs, { status: dice.pick(["disagreed", "disagreed", "agreed"]) });
  if (dice.chance(0.1)) later(nowMs + dice.spread(MINUTE, 10 * DAY), { status: "canceled" });
  if (dice.chance(0.03)) later(nowMs + dice.spread(MINUTE, 10 * DAY), { status: "in_review" });
  if (dice.chance(0.7)) {
    const fromMs = isAnswered ? answerMs : dice.chance(0.5) ? dueMs : nowMs;
    const analysis = dice.pick(["accepted", "rejected"] as const);
    later(Math.max(fromMs, nowMs) + dice.spread(SECOND, 5 * DAY), { analysis });
  }
  if (dice.chance(0.15)) {
    time.after(dice.spread(MINUTE, 2 * leftMs), () => {
      const standing = truth.now(dispute);
      if (standing.status !== "pending" || standing.analysis !== "pending") return;
      const shiftMs = dice.spread(10 * MINUTE, 5 * DAY) * (dice.chance(0.7) ? 1 : -1);
      truth.change(dispute, { dueMs: standing.dueMs + shiftMs });
    });
  }
};

/** `ageMs`: it was there for so long before anybody could see it. */
export const openDispute = (world: World, dice: Dice, merchant: string, ageMs: number): void => {
  const { time, truth } = world;
  const createdMs = time.nowMs() - ageMs;
  const isOverdue = dice.chance(0.06);
  const leftMs = isOverdue ? -dice.spread(MINUTE, DAY) : dice.spread(20 * MINUTE, 10 * DAY);
  const isOld = ageMs > 0 && dice.chance(0.5);
  const standing: Standing = {
    status: isOld ? dice.pick(["agreed", "disagreed", "canceled"]) : "pending",
    analysis: isOld && dice.chance(0.5) ? dice.pick(["accepted", "rejected"]) : "pending",
    dueMs: time.nowMs() + leftMs,
  };
  answerAndDecide(world, dice, truth.open(merchant, createdMs, standing));
};
