import { describe, expect, it } from "vitest";
import { actor, type DisputesStage, openDisputesStage } from "./disputes-stage.ts";
import { ANA, BRUNO, GUILD, refusal } from "../money/money-stage.ts";

const bruno = actor({ userId: BRUNO });

describe("one dispute", () => {
  it("is followed from its first reading on, with nothing of it told as news", async () => {
    const stage = await openDisputesStage();
    stage.add("typed", { dueAt: stage.clock.now().add({ hours: 20 }) });

    const { state, watched, accountId } = await stage.disputes.detail(actor(), "typed");

    expect([state, accountId]).toEqual(["needs_answer", stage.accountId]);
    expect(watched?.doneSteps.toSorted()).toEqual(["24h", "48h", "72h", "new"]);
    expect(watched?.closedAt).toBeUndefined();
    expect(await stage.stores.disputeWatch.awaiting(stage.accountId)).toEqual([watched]);
    const kept = JSON.stringify(watched);
    expect(kept).not.toMatch(/Carla|482|reconhece|VIP/);
  });

  it.each([
    ["answered", { status: "disagreed" }, "answered", false],
    ["decided without an answer", { analysisStatus: "accepted" }, "lost", true],
    ["won", { status: "disagreed", analysisStatus: "rejected" }, "won", true],
    ["cancelled", { status: "canceled" }, "cancelled", true],
  ] as const)("that is %s already owes nothing of that", async (_what, given, step, closed) => {
    const stage = await openDisputesStage();
    stage.add("old", given);

    const { watched } = await stage.disputes.detail(actor(), "old");

    expect(watched?.doneSteps).toContain(step);
    expect(watched?.closedAt !== undefined).toBe(closed);
  });

  it("that is followed already keeps what was told of it", async () => {
    const stage = await openDisputesStage();
    stage.add("typed");
    const first = await stage.disputes.detail(actor(), "typed");
    stage.clock.moveBy(60_000);

    expect((await stage.disputes.detail(actor(), "typed")).watched).toEqual(first.watched);
  });

  it("that is not there or not theirs is not found, and no id at all is told apart", async () => {
    const stage = await openDisputesStage();
    const notFound = { kind: "dispute_not_found" };
    expect(await refusal(stage.disputes.detail(actor(), "none"))).toEqual(notFound);
    stage.failing.set("dispute", "invalid_request");
    const noId = { kind: "dispute_id_unreadable", given: "../x" };
    expect(await refusal(stage.disputes.detail(actor(), "../x"))).toEqual(noId);
    expect(await stage.stores.disputeWatch.of(stage.accountId)).toEqual([]);
    expect(await refusal(stage.disputes.detail(bruno, "none"))).toEqual({ kind: "not_connected" });
  });

  it("opens by a button for its owner alone, wherever the message stands", async () => {
    const stage = await openDisputesStage();
    stage.add("typed");
    const ref = { accountId: stage.accountId, infractionId: "typed" };

    const direct = actor({ guildId: "" });
    expect((await stage.disputes.open(direct, ref)).dispute.infractionId).toBe("typed");
    stage.reads.length = 0;
    expect(await refusal(stage.disputes.open(bruno, ref))).toEqual({
      kind: "not_your_dispute",
      ownerId: ANA,
    });
    const gone = { ...ref, accountId: "gone" };
    expect(await refusal(stage.disputes.open(direct, gone))).toEqual({ kind: "not_connected" });
    expect(stage.reads).toEqual([]);
  });
});

describe("suggestions", () => {
  it("are those that are followed, the most urgent first, without asking the service", async () => {
    const stage = await openDisputesStage();
    stage.add("later", { dueAt: stage.clock.now().add({ hours: 70 }), txid: "tx-later" });
    stage.add("soon");
    for (const id of ["later", "soon"]) await stage.disputes.detail(actor(), id);
    stage.reads.length = 0;
    const suggested = async (typed: string, by = actor()) =>
      (await stage.disputes.suggest(by, typed)).map(({ infractionId }) => infractionId);

    expect(await suggested("")).toEqual(["soon", "later"]);
    expect(await suggested(" TX-L")).toEqual(["later"]);
    expect(await suggested("", bruno)).toEqual([]);
    expect(await suggested("", actor({ guildId: `${GUILD}0` }))).toEqual([]);
    expect(stage.reads).toEqual([]);
  });
});

describe("the rate", () => {
  it("sets the disputes of thirty whole days against the sales of thirty reports", async () => {
    const stage = await openDisputesStage();
    stage.add("inside");
    stage.add("outside", { contestedAt: Temporal.Instant.from("2026-10-01T00:00:00Z") });

    expect(await stage.disputes.rate(actor())).toMatchObject({
      known: true,
      disputes: 1,
      sales: 150,
      basisPoints: 67,
    });
    expect(stage.reads.filter((read) => read.startsWith("salesReport"))).toHaveLength(30);
  });

  it.each([
    ["the list cannot be read", (stage: DisputesStage) => stage.failing.set("disputes", "timeout")],
    ["the list is shorter than the count", (stage: DisputesStage) => (stage.total = 9)],
    ["the list has rows without an id", (stage: DisputesStage) => (stage.unnamed = 1)],
  ])("is not made up when %s, and no report is asked for", async (_why, change) => {
    const stage = await openDisputesStage();
    stage.add("one");
    change(stage);

    expect(await stage.disputes.rate(actor())).toEqual({ known: false, why: "list" });
    expect(stage.reads.filter((read) => read.startsWith("salesReport"))).toEqual([]);
  });

  it("is not made up when a dispute or a report cannot be read", async () => {
    const stage = await openDisputesStage();
    stage.add("one");
    stage.failing.set("salesReport", "timeout");
    expect(await stage.disputes.rate(actor())).toEqual({ known: false, why: "sales" });
    stage.failing.set("dispute", "timeout");
    expect(await stage.disputes.rate(actor())).toEqual({ known: false, why: "dates" });
  });
});
