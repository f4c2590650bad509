import type { VirtualTime } from "../virtual-time.ts";

/** Lets all timers of this thread run in virtual time; the returned function gives the real ones back. */
export const useVirtualTimers = (time: VirtualTime): (() => void) => {
  const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };
  const cancels = new WeakMap<object, () => void>();
  const set = (work: () => void, delayMs = 0): object => {
    const timer = { ref: () => timer, unref: () => timer };
    cancels.set(timer, time.after(delayMs, work));
    return timer;
  };
  const clear = (timer: object | undefined): void => {
    if (timer !== undefined) cancels.get(timer)?.();
  };
  Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
  return () => void Object.assign(globalThis, real);
};
