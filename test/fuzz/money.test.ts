import { expect, test } from "vitest";
import { moneyNames } from "../wallet/calls.ts";
import { fuzzOperation } from "./fuzz-operation.ts";

test.each(moneyNames)(
  "10,000 malformed answers to %s each have the state that they prove, after one request each",
  async (operation) => {
    const counts = await fuzzOperation(operation);
    console.log(operation, Object.fromEntries(counts));

    for (const state of ["accepted", "rejected", "unknown"] as const) {
      expect(counts.get(state)).toBeGreaterThan(100);
    }
  },
);
