import { expect, test } from "vitest";
import { readNames } from "../wallet/calls.ts";
import { fuzzOperation } from "./fuzz-operation.ts";

test.each(readNames)(
  "10,000 malformed answers to %s end well, and not all the same",
  async (operation) => {
    const counts = await fuzzOperation(operation);
    console.log(operation, Object.fromEntries(counts));

    expect(counts.get("value")).toBeGreaterThan(100);
    expect(counts.get("malformed")).toBeGreaterThan(100);
    expect(counts.size).toBeGreaterThanOrEqual(8);
  },
);
