import { setFlagsFromString } from "node:v8";

/** V8's own goes up to 300. */
const GROWTH_PERCENT = 20;

/**
 * Keeps the heap small while any of its runs is under way: it grows by a fifth of what lives before the next full
 * collection, where V8 alone lets it grow to three times that. The collections cost a few percent more CPU for as long.
 */
export const createSmallHeap = (setFlags: (flags: string) => void = setFlagsFromString) => {
  let running = 0;
  const growBy = (percent: number): void => setFlags(`--heap-growing-percent=${percent}`);
  return <Needs extends readonly unknown[]>(run: (...needs: Needs) => Promise<void>) =>
    async (...needs: Needs): Promise<void> => {
      if (running++ === 0) growBy(GROWTH_PERCENT);
      try {
        await run(...needs);
      } finally {
        // V8 chooses by itself again.
        if (--running === 0) growBy(0);
      }
    };
};
