/** Chance that can be repeated: the same seed gives the same throws. */
export interface Dice {
  /** A whole number from 0 to `sides - 1`. */
  readonly below: (sides: number) => number;
  /** A whole number of them, both ends included. */
  readonly between: (least: number, most: number) => number;
}

/** Mulberry32. */
export const createDice = (seed: number): Dice => {
  let state = seed >>> 0;
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    below: (sides) => Math.floor(fraction() * sides),
    between: (least, most) => least + Math.floor(fraction() * (most - least + 1)),
  };
};
