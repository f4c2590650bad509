import { setImmediate } from "node:timers/promises";
import type { Clock } from "#src/shared/time.ts";

interface Moment {
  readonly atMs: number;
  readonly order: number;
  work: (() => void) | undefined;
}

/** Time that jumps from one planned event to the next. */
export interface VirtualTime {
  /** True time. */
  readonly nowMs: () => number;
  /** The clock of the bot's machine: true time, unless it was set to be ahead. */
  readonly clock: Clock;
  readonly aheadMs: () => number;
  /** Sets the clock; 0: right. */
  readonly setClock: (aheadMs: number) => void;
  readonly after: (delayMs: number, work: () => void) => () => void;
  readonly sleep: (ms: number) => Promise<void>;
  /** Runs until that time, or until `stop` gives true; between two moments all ready promises run. */
  readonly run: (untilMs: number, stop: () => boolean) => Promise<void>;
}

const comesBefore = (a: Moment, b: Moment): boolean =>
  a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);

/** A binary heap with the earliest moment at its root. */
const createPlan = () => {
  const heap: Moment[] = [];
  const swap = (a: number, b: number): void => {
    [heap[a], heap[b]] = [heap[b] as Moment, heap[a] as Moment];
  };
  const before = (a: number, b: number): boolean =>
    comesBefore(heap[a] as Moment, heap[b] as Moment);
  return {
    first: (): Moment | undefined => heap[0],
    add: (moment: Moment): void => {
      let place = heap.push(moment) - 1;
      while (place > 0) {
        const parent = (place - 1) >> 1;
        if (!before(place, parent)) break;
        swap(place, parent);
        place = parent;
      }
    },
    removeFirst: (): void => {
      const last = heap.pop();
      if (last === undefined || heap.length === 0) return;
      heap[0] = last;
      for (let place = 0; ;) {
        const [left, right] = [2 * place + 1, 2 * place + 2];
        let least = left < heap.length && before(left, place) ? left : place;
        if (right < heap.length && before(right, least)) least = right;
        if (least === place) break;
        swap(place, least);
        place = least;
      }
    },
  };
};

export const createVirtualTime = (start: string): VirtualTime => {
  const plan = createPlan();
  let nowMs = Temporal.Instant.from(start).epochMilliseconds;
  let planned = 0;
  let aheadMs = 0;
  const after: VirtualTime["after"] = (delayMs, work) => {
    const atMs = nowMs + Math.max(0, Math.ceil(delayMs));
    const moment: Moment = { atMs, order: planned++, work };
    plan.add(moment);
    return () => {
      moment.work = undefined;
    };
  };
  return {
    nowMs: () => nowMs,
    clock: { now: () => Temporal.Instant.fromEpochMilliseconds(nowMs + aheadMs) },
    aheadMs: () => aheadMs,
    setClock: (ms) => {
      aheadMs = ms;
    },
    after,
    sleep: (ms) =>
      new Promise((resolve) => {
        after(ms, resolve);
      }),
    run: async (untilMs, stop) => {
      await setImmediate();
      for (let next = plan.first(); next !== undefined && !stop(); next = plan.first()) {
        if (next.atMs > untilMs) break;
        plan.removeFirst();
        if (next.work === undefined) continue;
        nowMs = next.atMs;
        next.work();
        // The run's database is synchronous: one turn of the event loop runs all ready promises.
        await setImmediate();
      }
      if (!stop()) nowMs = Math.max(nowMs, untilMs);
    },
  };
};
