import type { MoneyNeeds } from "./money-needs.ts";

/** How many operations are in each open state, and for how long the oldest one without a known outcome waits. */
export const moneyCensus = async ({
  journal,
  clock,
}: Pick<MoneyNeeds, "journal" | "clock">): Promise<{
  readonly byState: Readonly<Record<string, number>>;
  readonly oldestUnknownMs: number;
}> => {
  const { byState, oldestUnknownSince } = await journal.census();
  const sinceMs = oldestUnknownSince?.epochMilliseconds;
  const nowMs = clock.now().epochMilliseconds;
  return { byState, oldestUnknownMs: sinceMs === undefined ? 0 : Math.max(nowMs - sinceMs, 0) };
};
