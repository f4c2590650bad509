/**
 * Resolves after that time, or at once when it is stopping. By the global timers, which tests and simulations run in
 * virtual time; those of `node:timers/promises` stay real.
 */
export const pause = (ms: number, stopping?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      stopping?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    stopping?.addEventListener("abort", end);
  });
