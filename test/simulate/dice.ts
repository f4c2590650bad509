import type { Random } from "#src/shared/random.ts";

/** Deterministic chance from a seed; fast, because a run draws thousands of numbers. */
export interface Dice extends Random {
  readonly between: (least: number, most: number) => number;
  readonly chance: (probability: number) => boolean;
  readonly pick: <Item>(items: readonly [Item, ...Item[]]) => Item;
  /** Log-uniform: as many values between 1 s and 10 s as between 1 h and 10 h. */
  readonly spread: (least: number, most: number) => number;
}

const GOLDEN = 0x9e3779b9;

/** A counter with mixed bits, starting at a different place for each seed. */
export const createDice = (seed: number): Dice => {
  let state = Math.imul(seed + 1, 0x85ebca6b) >>> 0;
  const word = (): number => {
    state = (state + GOLDEN) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  };
  const fraction = (): number => word() / 2 ** 32;
  const between = (least: number, most: number): number =>
    least + Math.floor(fraction() * (most - least + 1));
  return {
    fraction,
    between,
    bytes: (size) => Uint8Array.from({ length: size }, () => word() & 0xff),
    chance: (probability) => fraction() < probability,
    pick: (items) => items[between(0, items.length - 1)] ?? items[0],
    spread: (least, most) =>
      Math.round(Math.exp(Math.log(least) + fraction() * Math.log(most / least))),
  };
};
