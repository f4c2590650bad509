import { performance } from "node:perf_hooks";
import { SECOND } from "../shared/time.ts";

const SAMPLE_MS = SECOND;

export interface LoopLag {
  /** The worst lag of the last sample, or how long the running sample is overdue. */
  readonly currentMs: () => number;
  readonly stop: () => void;
}

/** Watches how late the event loop runs its timers. */
export const watchLoopLag = (): LoopLag => {
  let expected = performance.now() + SAMPLE_MS;
  let lastLag = 0;
  const timer = setInterval(() => {
    lastLag = Math.max(0, performance.now() - expected);
    expected = performance.now() + SAMPLE_MS;
  }, SAMPLE_MS);
  timer.unref();
  return {
    currentMs: () => Math.max(lastLag, performance.now() - expected, 0),
    stop: () => clearInterval(timer),
  };
};
