import { createHash } from "node:crypto";

export interface SeededRandom {
  /** A fraction in [0, 1). */
  readonly fraction: () => number;
  /** A whole number in the range, both ends included. */
  readonly between: (least: number, most: number) => number;
}

/** Deterministic chance: the hash of the seed and a counter. */
export const seededRandom = (seed: number): SeededRandom => {
  let asked = 0;
  const fraction = (): number => {
    asked++;
    return createHash("sha256").update(`${seed} ${asked}`).digest().readUInt32BE() / 2 ** 32;
  };
  return {
    fraction,
    between: (least, most) => least + Math.floor(fraction() * (most - least + 1)),
  };
};
