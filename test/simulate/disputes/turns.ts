import type { VirtualTime } from "../virtual-time.ts";
import type { OwedJudge } from "./judge-owed.ts";
import { LAST_CALL_MS } from "./known-truth.ts";
import type { Row } from "./ledger.ts";
import type { Pulse } from "./pulse.ts";
import { LADDER } from "./rules.ts";

export interface TurnNeeds {
  readonly time: VirtualTime;
  readonly pulse: Pulse;
  readonly rowsOf: () => readonly Row[];
  readonly owed: OwedJudge;
}

/** Plans what a deadline brings by itself: everybody beats then, and each time something may be owed. */
export const planTurns = (
  dueMs: number,
  { time, pulse, rowsOf, owed }: TurnNeeds,
  touch: () => void,
): void => {
  for (const beforeMs of [...LADDER.map(([, ms]) => ms), 0]) {
    const atMs = dueMs - beforeMs;
    if (atMs < time.nowMs()) continue;
    pulse.stir(atMs);
    time.after(atMs - time.nowMs(), () => {
      for (const row of rowsOf()) owed.disturb(row, "prompt");
      // From then on a reading decides whether the owner's word holds.
      if (beforeMs === 0 || beforeMs === LAST_CALL_MS) touch();
    });
  }
};
