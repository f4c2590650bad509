import { expect, test } from "vitest";
import { createReadFuse } from "#src/jobs/disputes/read-fuse.ts";
import { WalletError, type WalletErrorKind } from "#src/shared/errors.ts";

const failing = (kind: WalletErrorKind) => async (): Promise<never> => {
  throw new WalletError({ kind, method: "GET", route: "/v1/meds/summary" });
};

/** Kinds of the failures, and "answered", of reads that were passed on one after the other. */
const outcomes = async (
  reads: readonly (() => Promise<unknown>)[],
): Promise<readonly unknown[]> => {
  const pass = createReadFuse(2);
  const seen: unknown[] = [];
  for (const read of reads) {
    seen.push(
      await pass(read).catch((error: unknown) => error instanceof WalletError && error.kind),
    );
  }
  return seen;
};

const answered = async (): Promise<string> => "answered";

test("nobody is asked any more once two reads in a row were left unanswered", async () => {
  const seen = await outcomes([failing("timeout"), failing("unavailable"), answered, answered]);
  expect(seen).toEqual(["timeout", "unavailable", "unavailable", "unavailable"]);
});

test("an answer between two of them shows that the service is there", async () => {
  const seen = await outcomes([failing("timeout"), answered, failing("unreachable"), answered]);
  expect(seen).toEqual(["timeout", "answered", "unreachable", "answered"]);
});

test("so does a refusal, which is an answer to one key only", async () => {
  const reads = [failing("timeout"), failing("unauthorized"), failing("timeout"), answered];
  expect(await outcomes(reads)).toEqual(["timeout", "unauthorized", "timeout", "answered"]);
});
