import { expect, test } from "vitest";
import { fuzzOperation } from "./fuzz-operation.ts";

test.each(["createCharge", "splitWithdraw", "withdraw", "cancelWithdrawal", "refund"] as const)(
  "10,000 malformed answers to %s each have the state that they prove, after one request each",
  async (operation) => {
    const counts = await fuzzOperation(operation);
    console.log(operation, Object.fromEntries(counts));

    for (const state of ["accepted", "rejected", "unknown"] as const) {
      expect(counts.get(state)).toBeGreaterThan(100);
    }
  },
);
