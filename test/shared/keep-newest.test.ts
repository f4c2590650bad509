import { expect, test } from "vitest";
import { keepNewest } from "#src/shared/keep-newest.ts";

test("as many as may be kept stay, and one kept anew outlives those kept since", () => {
  const kept = new Map<string, number>();
  for (const [place, name] of ["a", "b", "a", "c"].entries()) keepNewest(kept, name, place, 2);
  expect([...kept]).toEqual([
    ["a", 2],
    ["c", 3],
  ]);
});
