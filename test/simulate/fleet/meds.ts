import { DAY, HOUR, MINUTE } from "#src/shared/time.ts";
import type { Dice } from "../dice.ts";

export interface Med {
  readonly id: string;
  readonly seller: number;
  readonly createdMs: number;
  readonly dueMs: number;
  /** When the seller answers in the service's dashboard. */
  readonly answeredMs: number;
  readonly decidedMs: number;
}

const NET = 94;
const AMOUNT = 100;

const isThere = (med: Med, nowMs: number): boolean => med.createdMs <= nowMs;
const statusOf = ({ answeredMs }: Med, nowMs: number): "pending" | "disagreed" =>
  answeredMs <= nowMs ? "disagreed" : "pending";
const decisionOf = ({ decidedMs }: Med, nowMs: number): "pending" | "rejected" =>
  decidedMs <= nowMs ? "rejected" : "pending";
const iso = (ms: number): string => new Date(ms).toISOString();

export const summaryBody = (meds: readonly Med[], nowMs: number): object => {
  const there = meds.filter((med) => isThere(med, nowMs));
  const answered = there.filter((med) => statusOf(med, nowMs) === "disagreed").length;
  const decided = there.filter((med) => decisionOf(med, nowMs) === "rejected").length;
  const total = there.length;
  return {
    success: true,
    summary: {
      byStatus: { pending: total - answered, agreed: 0, disagreed: answered, canceled: 0, total },
      byAnalysis: { pending: total - decided, accepted: 0, rejected: decided },
      amounts: { currentlyFrozen: (total - decided) * NET, totalLost: 0 },
    },
  };
};

const itemOf = (med: Med, nowMs: number) => ({
  infractionId: med.id,
  txid: `tx${med.id}`,
  amount: AMOUNT,
  frozenAmount: NET,
  status: statusOf(med, nowMs),
  analysisStatus: decisionOf(med, nowMs),
  infractionDate: iso(med.createdMs),
  dueDate: iso(med.dueMs),
});

export const listBody = (meds: readonly Med[], nowMs: number): object => {
  const there = meds.filter((med) => isThere(med, nowMs));
  const newest = there.toSorted((one, other) => other.createdMs - one.createdMs);
  return { success: true, meds: newest.map((med) => itemOf(med, nowMs)) };
};

export const detailBody = (med: Med, nowMs: number): object => ({
  success: true,
  med: {
    ...itemOf(med, nowMs),
    situationType: "FRAUDE",
    description: "",
    analysisDate: null,
    payer: null,
    refund: null,
    createdAt: iso(med.createdMs),
    resolvedAt: null,
  },
  originalTransaction: null,
});

interface MedPlan {
  readonly sellers: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly single: number;
  readonly bursts: number;
  readonly old: number;
}

const BURST = 10;
/** Enough for the last dispute's alert. */
const QUIET_END_MS = 15 * MINUTE;

/** Draws the disputes of a day: most with a week to answer, the others with hours. */
export const drawMeds = (dice: Dice, plan: MedPlan): readonly Med[] => {
  const meds: Med[] = [];
  const add = (seller: number, createdMs: number): void => {
    const leftMs = dice.chance(0.75) ? 7 * DAY : dice.between(2 * HOUR, 72 * HOUR);
    const dueMs = createdMs + leftMs;
    const answeredMs = createdMs + Math.min(dice.spread(HOUR / 2, 12 * HOUR), leftMs - HOUR);
    const decidedMs = answeredMs + dice.spread(HOUR / 2, 24 * HOUR);
    const id = `INF${String(meds.length).padStart(6, "0")}`;
    meds.push({ id, seller, createdMs, dueMs, answeredMs, decidedMs });
  };
  const someone = (): number => dice.between(0, plan.sellers - 1);
  const atAnyTime = (): number => dice.between(plan.startMs, plan.endMs - QUIET_END_MS);
  for (let old = 0; old < plan.old; old++) {
    add(someone(), plan.startMs - dice.between(MINUTE, HOUR));
  }
  for (let single = 0; single < plan.single; single++) add(someone(), atAnyTime());
  for (let burst = 0; burst < plan.bursts; burst++) {
    const [seller, fromMs] = [someone(), atAnyTime()];
    for (let each = 0; each < BURST; each++) add(seller, fromMs + dice.between(0, MINUTE));
  }
  return meds;
};
