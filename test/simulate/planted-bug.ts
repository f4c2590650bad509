import { expect } from "vitest";

/** A planted bug must show within this many seeds. */
export const MOST_SEEDS = 500;

export const expectCaught = async (
  name: string,
  rule: string,
  live: (seed: number) => Promise<{ readonly violations: readonly string[] }>,
): Promise<void> => {
  let caught: string | undefined;
  let seed = 0;
  while (caught === undefined && seed < MOST_SEEDS) {
    seed++;
    const { violations } = await live(seed);
    caught = violations.find((violation) => violation.startsWith(rule));
  }
  console.log(`A bot that ${name}: caught by seed ${seed}, ${caught ?? "never"}`);
  expect(caught).toBeDefined();
};
