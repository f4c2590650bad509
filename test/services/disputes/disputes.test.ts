import { describe, expect, it } from "vitest";
import type { DisputeOverview } from "#src/domain/dispute-list.ts";
import { actor, type DisputesStage, inFull, openDisputesStage } from "./disputes-stage.ts";
import { BRUNO, refusal } from "../money/money-stage.ts";

const ids = ({ rows }: DisputeOverview): readonly string[] =>
  rows.map(({ infractionId }) => infractionId);
const bruno = actor({ userId: BRUNO });
const overview = ({ disputes }: DisputesStage, page = 0) => disputes.overview(actor(), "all", page);
const numbered = (n: number): string => `number-${String(n).padStart(2, "0")}`;

describe("the overview", () => {
  it("puts those that await an answer before the rest, the soonest deadline first", async () => {
    const stage = await openDisputesStage();
    const now = stage.clock.now();
    stage.listed = inFull;
    stage.add("won", { status: "disagreed", analysisStatus: "rejected" });
    stage.add("overdue", { dueAt: now.subtract({ hours: 1 }) });
    stage.add("defended", { status: "disagreed", dueAt: now.add({ hours: 1 }) });
    stage.add("later", { dueAt: now.add({ hours: 70 }) });
    stage.add("soon", { dueAt: now.add({ hours: 2 }) });

    const seen = await overview(stage);

    expect(ids(seen)).toEqual(["soon", "later", "overdue", "defended", "won"]);
    expect(seen).toMatchObject({ awaiting: 3, found: 5, pages: 1, unlisted: 0, problems: [] });
    expect(seen.listProblem).toBeUndefined();
    expect(stage.reads).toEqual(["disputeSummary", "disputes"]);
  });

  it.each([
    ["answer", ["pending", "overdue", "strange"]],
    ["bank", ["defended", "conceded"]],
    ["won", ["won"]],
    ["lost", ["lost"]],
    ["cancelled", ["cancelled"]],
  ] as const)("narrowed to %s has %j", async (filter, expected) => {
    const stage = await openDisputesStage();
    stage.listed = inFull;
    stage.add("pending");
    stage.add("overdue", { dueAt: stage.clock.now() });
    stage.add("strange", { status: "em_recurso" });
    stage.add("defended", { status: "disagreed" });
    stage.add("conceded", { status: "agreed" });
    stage.add("won", { analysisStatus: "rejected" });
    stage.add("lost", { analysisStatus: "accepted" });
    stage.add("cancelled", { status: "canceled" });

    const seen = await stage.disputes.overview(actor(), filter, 0);

    expect(ids(seen).toSorted()).toEqual(expected.toSorted());
    expect(seen.awaiting).toBe(2);
  });

  it("has pages of ten, and ends on the last one whatever is asked for", async () => {
    const stage = await openDisputesStage();
    stage.listed = inFull;
    for (let n = 0; n < 23; n += 1) stage.add(numbered(n));

    expect(ids(await overview(stage, 1))).toEqual(
      Array.from({ length: 10 }, (_, n) => numbered(10 + n)),
    );
    expect(await overview(stage, 99)).toMatchObject({ page: 2, pages: 3, found: 23 });
    expect(await overview(stage, -1)).toMatchObject({ page: 0 });
  });

  it("reads what the list leaves unsaid, a few of them, and says of the others that they are unread", async () => {
    const stage = await openDisputesStage();
    for (let n = 0; n < 9; n += 1) stage.add(numbered(n));

    const { rows } = await overview(stage);

    expect(stage.reads.filter((read) => read.startsWith("dispute number"))).toHaveLength(6);
    expect(rows.map(({ state }) => state)).toEqual([
      ...Array.from({ length: 6 }, () => "needs_answer"),
      ...Array.from({ length: 3 }, () => undefined),
    ]);
  });

  it("without the list reads what is followed, one by one, and says why", async () => {
    const stage = await openDisputesStage();
    stage.add("typed-by-hand");
    stage.add("nobody-knows");
    await stage.disputes.detail(actor(), "typed-by-hand");
    stage.add("typed-by-hand", { status: "disagreed" });
    stage.failing.set("disputes", "malformed");

    const seen = await overview(stage);

    expect(seen.rows).toMatchObject([{ infractionId: "typed-by-hand", state: "defended" }]);
    expect(seen).toMatchObject({ listProblem: "malformed", unlisted: 1, problems: ["malformed"] });
    expect(seen).toMatchObject({ supportCodes: ["req_malformed"] });
  });

  it("shows what the last reading said where nothing can be read now", async () => {
    const stage = await openDisputesStage();
    stage.add("followed");
    await stage.disputes.detail(actor(), "followed");
    for (const name of ["disputes", "disputeSummary", "dispute"] as const)
      stage.failing.set(name, "timeout");

    expect(await overview(stage)).toMatchObject({
      rows: [{ infractionId: "followed", state: "needs_answer" }],
      summary: undefined,
      unlisted: undefined,
      problems: ["timeout"],
    });
  });

  it("shows one that is followed and that the list leaves out, once", async () => {
    const stage = await openDisputesStage();
    const gone = stage.add("beside");
    await stage.disputes.detail(actor(), "beside");
    stage.listed = inFull;
    expect(ids(await overview(stage))).toEqual(["beside"]);
    stage.there.delete(gone.infractionId);

    expect(ids(await overview(stage))).toEqual(["beside"]);
  });

  it("fails only when there is nothing at all to show, or the key is refused", async () => {
    const stage = await openDisputesStage();
    stage.failing.set("disputes", "malformed");
    expect(await overview(stage)).toMatchObject({ rows: [], listProblem: "malformed" });
    stage.failing.set("disputeSummary", "timeout");
    expect(await refusal(overview(stage))).toMatchObject({ kind: "timeout" });
    stage.failing.set("disputes", "unauthorized");
    expect(await refusal(overview(stage))).toMatchObject({ kind: "unauthorized" });
    expect(await refusal(stage.disputes.overview(bruno, "all", 0))).toEqual({
      kind: "not_connected",
    });
  });
});
