import { describe, expect, it } from "vitest";
import { actor, BRUNO, openMoneyStage, refusal, withdrawn } from "./money-stage.ts";

describe("the balance", () => {
  it("comes with what is frozen, what is on its way, and what it would net", async () => {
    const stage = await openMoneyStage();
    stage.add({ txid: "ELSEWHERE", isTurbo: false });
    stage.add({ txid: "OVER", status: "completed" });
    const { op } = await withdrawn(stage);

    const view = await stage.money.balance.read(actor());

    expect(view).toMatchObject({
      balance: { available: 100_000 },
      frozen: 700,
      open: [{ id: op.id }],
      quotes: { normal: { fee: 50, net: 99_950 }, turbo: { fee: 350, net: 99_650 } },
      locked: false,
      problems: [],
    });
    expect(view.elsewhereOpen?.map(({ txid }) => txid)).toEqual(["ELSEWHERE"]);
    expect(view.recent?.allowedFrom.toString()).toBe("2026-11-21T15:00:00Z");
  });

  it("says what could not be read, and quotes nothing below the minimum", async () => {
    const stage = await openMoneyStage();
    stage.available = 999;
    stage.failing.set("withdrawals", "malformed");
    stage.failing.set("disputeSummary", "timeout");

    expect(await stage.money.balance.read(actor())).toMatchObject({
      frozen: undefined,
      elsewhereOpen: undefined,
      quotes: undefined,
      problems: ["timeout", "malformed"],
    });
  });

  it("fails only when nothing at all can be read, or the key is refused", async () => {
    const stage = await openMoneyStage();
    stage.failing.set("withdrawals", "unauthorized");
    expect(await refusal(stage.money.balance.read(actor()))).toMatchObject({
      kind: "unauthorized",
    });
    for (const name of ["balance", "withdrawals", "disputeSummary"] as const) {
      stage.failing.set(name, "timeout");
    }
    expect(await refusal(stage.money.balance.read(actor()))).toMatchObject({ kind: "timeout" });
    expect(await refusal(stage.money.balance.read(actor({ userId: BRUNO })))).toEqual({
      kind: "not_connected",
    });
  });
});
