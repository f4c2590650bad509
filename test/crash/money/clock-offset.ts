import { randomUUID } from "node:crypto";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** How far a bot's clock is ahead, in a file that `ahead.ts` reads. */
interface ClockOffset {
  readonly path: string;
  readonly set: (ms: number) => void;
  readonly remove: () => void;
}

export const createClockOffset = (ms: number): ClockOffset => {
  const path = join(tmpdir(), `balcao-clock-offset-${randomUUID()}`);
  const file = openSync(path, "w");
  const set = (next: number): void => void writeSync(file, new Float64Array([next]), 0, 8, 0);
  set(ms);
  return {
    path,
    set,
    remove: () => {
      closeSync(file);
      rmSync(path);
    },
  };
};
