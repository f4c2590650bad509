import { expect, test } from "vitest";
import { createAccountingFiles } from "#src/accounting-files/accounting-files.service.ts";
import { Secret } from "#src/shared/secret.ts";
import { sampleAccount } from "../support/samples.ts";
import { sampleOp } from "../withdrawals/withdraw-samples.ts";
import { day, factsOf } from "./accounting-samples.ts";

test("files are of one wallet account though another one is connected while the sales are read", async () => {
  const at = Temporal.Instant.from("2026-11-19T12:00:00Z");
  let wallet = "old";
  const sales = { old: [day(1_000, 10)], new: [day(2_000, 20)] };
  const service = createAccountingFiles({
    accounts: {
      findWithKey: async () => ({
        account: sampleAccount({ id: wallet, accountFp: wallet }),
        apiKey: new Secret("sk_test_1"),
      }),
    },
    readPeriod: async () => {
      const { reading } = factsOf("2026-11-19", wallet === "old" ? sales.old : sales.new);
      wallet = "new";
      return { ...reading, missing: 0, isKept: false };
    },
    journal: {
      completedBetween: async (accountFp) => [{ op: sampleOp({ accountFp, txid: "TX-1" }), at }],
      openOf: async () => [],
      claimantsOf: async () => new Map(),
      pixKeyOf: async () => undefined,
    },
    askedDetails: new Map(),
    clock: { now: () => at },
    hashPixKey: (text) => text,
    wallet: {
      withdrawals: async () => ({ items: [], skewMs: undefined }),
      withdrawal: () => Promise.reject(new Error("none is listed")),
    },
  });
  const { period } = factsOf("2026-11-19", sales.new).reading;
  const { reading, withdrawals } = await service.facts("guild", "ana", period);
  expect(withdrawals.map(({ op }) => op?.accountFp)).toEqual(["new"]);
  expect(reading.known).toEqual(factsOf("2026-11-19", sales.new).reading.known);
});
