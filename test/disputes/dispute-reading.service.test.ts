import { describe, expect, it, test } from "vitest";
import type { DisputeOverview } from "#src/disputes/dispute-list.ts";
import { DAY, MINUTE } from "#src/shared/time.ts";
import { disputeChoices } from "#src/disputes/dispute-list.view.ts";
import { readDisputeRate } from "#src/disputes/dispute-reading.service.ts";
import { Secret } from "#src/shared/secret.ts";
import { ANA as SANDBOX_ANA } from "#src/sandbox/world.ts";
import {
  actor,
  type DisputeReadingStage,
  inFull,
  openDisputeReading,
} from "./dispute-reading-stage.ts";
import { ANA, BRUNO, GUILD, refusal } from "../withdrawals/money-stage.ts";
import { alertTo } from "./dispute-builders.ts";
import { apiSale, esalesSale } from "./dispute-samples.ts";
import { idAlone } from "./model-disputes.ts";
import { START, walletUnderTest } from "../sandbox/wallet/wallet-support.ts";
import { sampleAccount, sampleReport } from "../support/samples.ts";
import { connectClient } from "../wallet/wallet-setup.ts";

const ids = ({ rows }: DisputeOverview): readonly string[] =>
  rows.map(({ infractionId }) => infractionId);
const stranger = actor({ userId: BRUNO });
const overview = ({ disputes }: DisputeReadingStage, page = 0) =>
  disputes.overview(actor(), "all", page);
const numbered = (n: number): string => `number-${String(n).padStart(2, "0")}`;

describe("the overview", () => {
  it("puts those that await an answer before the rest, the soonest deadline first", async () => {
    const stage = await openDisputeReading();
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
    // The most urgent are read, so that they can be named by their products.
    expect(new Set(stage.reads)).toEqual(
      new Set(["disputeSummary", "disputes", "dispute soon", "dispute later"]),
    );
  });

  it("names those that wait by what was sold, and reads none of them whose sale is known", async () => {
    const stage = await openDisputeReading();
    stage.listed = inFull;
    stage.add("sold", { txid: "tx-sold" });
    stage.add("opened", { sale: undefined, txid: "tx-opened" });
    await stage.disputes.detail(actor(), "opened");
    stage.reads.length = 0;
    stage.products.set("tx-sold", "Plano VIP anual").set("tx-opened", "Curso");
    const named = async () => (await overview(stage)).rows.map(({ product }) => product);
    expect(await named()).toEqual(["Curso", "Plano VIP anual"]);
    expect(stage.reads).toEqual(["disputeSummary", "disputes"]);
    stage.products.delete("tx-sold");
    stage.reads.length = 0;
    expect(await named()).toEqual(["Curso", "Plano VIP mensal"]);
    expect(stage.reads).toEqual(["disputeSummary", "disputes", "dispute sold"]);
    // What was read in full once is known.
    stage.reads.length = 0;
    expect(await named()).toEqual(["Curso", "Plano VIP mensal"]);
    expect(stage.reads).toEqual(["disputeSummary", "disputes"]);
  });

  it("narrowed to those with the bank has these alone, and counts all that await an answer", async () => {
    const stage = await openDisputeReading();
    stage.listed = inFull;
    stage.add("pending");
    stage.add("overdue", { dueAt: stage.clock.now() });
    stage.add("defended", { status: "disagreed" });
    stage.add("conceded", { status: "agreed" });
    stage.add("won", { analysisStatus: "rejected" });

    const seen = await stage.disputes.overview(actor(), "bank", 0);

    expect(new Set(ids(seen))).toEqual(new Set(["defended", "conceded"]));
    expect(seen.awaiting).toBe(2);
  });

  it("has pages of ten, and ends on the last one whatever is asked for", async () => {
    const stage = await openDisputeReading();
    stage.listed = inFull;
    for (let n = 0; n < 23; n += 1) stage.add(numbered(n));

    expect(ids(await overview(stage, 1))).toEqual(
      Array.from({ length: 10 }, (_, n) => numbered(10 + n)),
    );
    expect(await overview(stage, 99)).toMatchObject({ page: 2, pages: 3, found: 23 });
    expect(await overview(stage, -1)).toMatchObject({ page: 0 });
  });

  it("reads what the list leaves unsaid, a few of them, and says of the others that they are unread", async () => {
    const stage = await openDisputeReading();
    for (let n = 0; n < 9; n += 1) stage.add(numbered(n));

    const { rows, awaiting, mayAwait } = await overview(stage);
    expect([awaiting, mayAwait]).toEqual([5, 4]);
    expect(stage.reads.filter((read) => read.startsWith("dispute number"))).toHaveLength(5);
    expect(rows.map(({ state }) => state)).toEqual([
      ...Array.from({ length: 5 }, () => "needs_answer"),
      ...Array.from({ length: 4 }, () => undefined),
    ]);
  });

  it("without the list reads what is followed, one by one, and says why", async () => {
    const stage = await openDisputeReading();
    stage.add("typed-by-hand");
    stage.add("nobody-knows");
    await stage.disputes.detail(actor(), "typed-by-hand");
    stage.add("typed-by-hand", { status: "disagreed" });
    stage.failing.set("disputes", "malformed");

    const seen = await overview(stage);

    expect(seen.rows).toMatchObject([{ infractionId: "typed-by-hand", state: "defended" }]);
    expect(seen).toMatchObject({ listProblem: "malformed", unlisted: 1, problems: ["malformed"] });
    expect(seen).toMatchObject({ unlistedPending: 2, supportCodes: ["req_malformed"] });
  });

  it("shows what the last reading said where nothing can be read now", async () => {
    const stage = await openDisputeReading();
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
    const stage = await openDisputeReading();
    const gone = stage.add("beside");
    await stage.disputes.detail(actor(), "beside");
    stage.listed = inFull;
    expect(ids(await overview(stage))).toEqual(["beside"]);
    stage.there.delete(gone.infractionId);

    expect(ids(await overview(stage))).toEqual(["beside"]);
  });

  it("reads first what awaits an answer by its last reading, though not by the list", async () => {
    const stage = await openDisputeReading();
    const { dueAt } = stage.add("awaits", { dueAt: stage.clock.now().add({ hours: 8 }) });
    await stage.disputes.detail(actor(), "awaits");
    for (const id of ["a", "b", "c", "d", "e"]) stage.add(id);
    stage.listed = (each) =>
      each.infractionId === "awaits"
        ? { ...inFull(each), status: "disagreed" }
        : { ...inFull(each), amount: undefined };

    const seen = await stage.disputes.overview(actor(), "answer", 0);

    expect(seen.rows[0]).toMatchObject({ infractionId: "awaits", state: "needs_answer", dueAt });
  });

  it("shows once, and counts once, one that the list writes in another case than its reading", async () => {
    const stage = await openDisputeReading();
    const dispute = stage.add("MED-1", { infractionId: "med-1" });
    await stage.disputes.detail(actor(), "MED-1");
    stage.listed = () => ({ ...inFull(dispute), infractionId: "MED-1" });

    const seen = await overview(stage);

    expect([ids(seen), seen.awaiting]).toEqual([["MED-1"], 1]);
  });

  it("reads again one that the list contradicts in another case", async () => {
    const stage = await openDisputeReading();
    const dispute = stage.add("MED-1", { infractionId: "med-1" });
    await stage.disputes.detail(actor(), "MED-1");
    stage.add("MED-1", { infractionId: "med-1", status: "disagreed" });
    stage.listed = () => ({ ...inFull(dispute), infractionId: "MED-1", status: "disagreed" });

    const seen = await overview(stage);

    expect(seen.rows).toMatchObject([{ infractionId: "MED-1", state: "defended" }]);
  });

  it.each([
    ["words", { status: "disagreed" }],
    ["deadline", { dueAt: Temporal.Instant.from("2026-11-26T15:00Z") }],
  ])("reads one in full whose list has other %s than its last reading", async (_, stale) => {
    const stage = await openDisputeReading();
    const { dueAt } = stage.add("awaits", { dueAt: stage.clock.now().add({ hours: 8 }) });
    await stage.disputes.detail(actor(), "awaits");
    stage.listed = (each) => ({ ...inFull(each), ...stale });
    stage.products.set(stage.there.get("awaits")?.txid ?? "", "Curso");

    const seen = await stage.disputes.overview(actor(), "answer", 0);

    expect(seen).toMatchObject({ awaiting: 1, unlistedPending: 0 });
    expect(seen.rows).toMatchObject([{ infractionId: "awaits", state: "needs_answer", dueAt }]);
  });

  it("fails only when there is nothing at all to show, or the key is refused", async () => {
    const stage = await openDisputeReading();
    stage.failing.set("disputeSummary", "timeout");
    expect(await overview(stage)).toMatchObject({ rows: [], problems: ["timeout"] });
    stage.failing.set("disputes", "malformed");
    expect(await refusal(overview(stage))).toMatchObject({ kind: "timeout" });
    stage.failing.delete("disputeSummary");
    expect(await overview(stage)).toMatchObject({ rows: [], listProblem: "malformed" });
    stage.failing.set("disputes", "unauthorized");
    expect(await refusal(overview(stage))).toMatchObject({ kind: "unauthorized" });
    expect(await refusal(stage.disputes.overview(stranger, "all", 0))).toEqual({
      kind: "not_connected",
    });
  });
});

describe("what the overview says of alerts", () => {
  it("is where they go, and how many of the last seven days reached nobody", async () => {
    const stage = await openDisputeReading();
    const { accounts, outbox } = stage.stores;
    expect(await overview(stage)).toMatchObject({ alerts: "direct", undelivered: 0 });
    const now = stage.clock.now();
    await outbox.enqueue({ ...alertTo(ANA, stage.accountId, "new"), notBefore: now }, now);
    const [held] = await outbox.claim({ owner: "one", leaseMs: MINUTE, limit: 1, now });
    await outbox.settle(held!, { state: "dead", error: "unreachable_person 50007" });
    expect(await overview(stage)).toMatchObject({ undelivered: 1 });
    expect(await stage.disputes.undelivered(stage.accountId)).toBe(1);
    stage.clock.moveBy(7 * DAY);
    expect(await overview(stage)).toMatchObject({ undelivered: 1 });
    stage.clock.moveBy(1);
    expect(await overview(stage)).toMatchObject({ undelivered: 0 });
    await accounts.setAlerts(actor().guildId, ANA, "off", now);
    expect(await overview(stage)).toMatchObject({ alerts: "off" });
  });
});

describe("what the overview counts of those that need no answer", () => {
  it("is how many ended and were won, on whatever page they stand", async () => {
    const stage = await openDisputeReading();
    stage.listed = inFull;
    stage.add("waits");
    stage.add("lost", { analysisStatus: "accepted" });
    stage.add("won", { analysisStatus: "rejected" });
    stage.add("lost-with-answer", { status: "agreed", analysisStatus: "accepted" });
    stage.add("strange", { analysisStatus: "dividido" });
    stage.add("accepted-all-the-same", { status: "canceled", analysisStatus: "accepted" });
    expect(await overview(stage)).toMatchObject({
      awaiting: 1,
      counts: { overdue: 0, bank: 0, ended: 4, won: 1 },
    });
    const narrowed = await stage.disputes.overview(actor(), "lost", 0);
    expect(narrowed).toMatchObject({ found: 3, mayAwait: 1, counts: { ended: 4, won: 1 } });
  });
});

describe("one dispute", () => {
  it("is followed from its first reading on, with nothing of it told as news", async () => {
    const stage = await openDisputeReading();
    stage.add("typed", { dueAt: stage.clock.now().add({ hours: 20 }) });

    const { state, watched, watchId } = await stage.disputes.detail(actor(), "typed");

    expect([state, watchId]).toEqual(["needs_answer", stage.accountId]);
    expect(watched?.doneSteps.toSorted()).toEqual(["24h", "48h", "72h", "new"]);
    expect(watched?.closedAt).toBeUndefined();
    expect(await stage.stores.disputeWatch.awaiting(stage.accountId)).toEqual([watched]);
    const kept = JSON.stringify(watched);
    expect(kept).not.toMatch(/Carla|482\.917|reconhece|VIP/);
  });

  it.each([
    ["answered", { status: "disagreed" }, "answered", false],
    ["decided without an answer", { analysisStatus: "accepted" }, "lost", true],
    ["won", { status: "disagreed", analysisStatus: "rejected" }, "won", true],
    ["cancelled", { status: "canceled" }, "cancelled", true],
  ] as const)("that is %s already owes nothing of that", async (_what, given, step, closed) => {
    const stage = await openDisputeReading();
    stage.add("old", given);

    const { watched } = await stage.disputes.detail(actor(), "old");

    expect(watched?.doneSteps).toContain(step);
    expect(watched?.closedAt !== undefined).toBe(closed);
  });

  it("that is followed already keeps what was told of it", async () => {
    const stage = await openDisputeReading();
    stage.add("typed");
    const first = await stage.disputes.detail(actor(), "typed");
    stage.clock.moveBy(60_000);

    expect((await stage.disputes.detail(actor(), "typed")).watched).toEqual(first.watched);
  });

  it("that is followed by its id in another case is not followed twice", async () => {
    const stage = await openDisputeReading();
    stage.add("MED-1");
    await stage.disputes.detail(actor(), "MED-1");
    stage.add("med-1");

    await stage.disputes.detail(actor(), "med-1");

    expect(await stage.stores.disputeWatch.of(stage.accountId)).toHaveLength(1);
  });

  it("that is not there or not theirs is not found, and no id at all is told apart", async () => {
    const stage = await openDisputeReading();
    const notFound = { kind: "dispute_not_found" };
    expect(await refusal(stage.disputes.detail(actor(), "none"))).toEqual(notFound);
    stage.failing.set("dispute", "invalid_request");
    const noId = { kind: "dispute_id_unreadable", given: "../x" };
    expect(await refusal(stage.disputes.detail(actor(), "../x"))).toEqual(noId);
    expect(await stage.stores.disputeWatch.of(stage.accountId)).toEqual([]);
    expect(await refusal(stage.disputes.detail(stranger, "none"))).toEqual({
      kind: "not_connected",
    });
  });

  it("opens by a button for its owner alone, wherever the message stands", async () => {
    const stage = await openDisputeReading();
    stage.add("typed");
    const ref = { watchId: stage.accountId, infractionId: "typed" };

    const direct = actor({ guildId: "" });
    expect((await stage.disputes.open(direct, ref)).dispute.infractionId).toBe("typed");
    stage.reads.length = 0;
    expect(await refusal(stage.disputes.open(stranger, ref))).toEqual({
      kind: "not_your_dispute",
      ownerId: ANA,
    });
    expect(stage.reads).toEqual([]);
  });

  it("come with the product of their sale where it is known, and match it", async () => {
    const stage = await openDisputeReading();
    stage.add("course", { txid: "tx-course" });
    stage.add("other");
    for (const id of ["course", "other"]) await stage.disputes.detail(actor(), id);
    stage.products.set("tx-course", "Curso de edição");

    const found = await stage.disputes.suggest(actor(), "CURSO");

    expect(found).toMatchObject([{ infractionId: "course", product: "Curso de edição" }]);
    expect(disputeChoices(found, "pt-BR")[0]?.name).toMatch(/^“Curso de edição” · R\$/);
  });
});

describe("suggestions", () => {
  it("are those that are followed, the most urgent first, without asking the service", async () => {
    const stage = await openDisputeReading();
    stage.add("later", { dueAt: stage.clock.now().add({ hours: 70 }), txid: "tx-later" });
    stage.add("soon");
    for (const id of ["later", "soon"]) await stage.disputes.detail(actor(), id);
    stage.reads.length = 0;
    const suggested = async (typed: string, by = actor()) =>
      (await stage.disputes.suggest(by, typed)).map(({ infractionId }) => infractionId);

    expect(await suggested("")).toEqual(["soon", "later"]);
    expect(await suggested(" TX-L")).toEqual(["later"]);
    expect(await suggested("", stranger)).toEqual([]);
    expect(await suggested("", actor({ guildId: `${GUILD}0` }))).toEqual([]);
    expect(stage.reads).toEqual([]);
  });
});

describe("what a contested sale was of", () => {
  it("is known without a request once its MED was read in full, though no list names it", async () => {
    const stage = await openDisputeReading();
    stage.add("opened", { sale: esalesSale });
    stage.add("listed", { sale: { ...apiSale, productName: undefined } });
    await stage.disputes.detail(actor(), "opened");
    await stage.disputes.detail(actor(), "listed");
    stage.reads.length = 0;
    const products = (await stage.disputes.suggest(actor(), "")).map(({ product }) => product);
    expect(products).toEqual(["Plano VIP mensal", "Curso de edição de vídeo"]);
    expect(stage.reads).toEqual([]);
  });
});

describe("the rate", () => {
  it("sets the disputes of thirty whole days against the sales of thirty reports", async () => {
    const stage = await openDisputeReading();
    stage.add("inside");
    stage.add("outside", { contestedAt: Temporal.Instant.from("2026-10-01T00:00:00Z") });
    stage.add("cancelled", { status: "canceled" });
    stage.listed = (each) => ({ ...idAlone(each), contestedAt: each.contestedAt });

    expect(await stage.disputes.rate(actor())).toMatchObject({
      known: true,
      disputes: 1,
      sales: 150,
      basisPoints: 67,
    });
    expect(stage.reads.filter((read) => read.startsWith("salesReport"))).toHaveLength(30);
  });

  it.each([
    [
      "the list cannot be read",
      (stage: DisputeReadingStage) => stage.failing.set("disputes", "timeout"),
    ],
    ["the list is shorter than the count", (stage: DisputeReadingStage) => (stage.total = 9)],
    ["the list has rows without an id", (stage: DisputeReadingStage) => (stage.unnamed = 1)],
  ])("is not made up when %s, and no report is asked for", async (_why, change) => {
    const stage = await openDisputeReading();
    stage.add("one");
    change(stage);

    expect(await stage.disputes.rate(actor())).toEqual({ known: false, why: "list" });
    expect(stage.reads.filter((read) => read.startsWith("salesReport"))).toEqual([]);
  });

  it("is not made up when a dispute or a report cannot be read", async () => {
    const stage = await openDisputeReading();
    stage.add("one");
    stage.failing.set("salesReport", "timeout");
    expect(await stage.disputes.rate(actor())).toEqual({ known: false, why: "sales" });
    stage.failing.set("dispute", "timeout");
    expect(await stage.disputes.rate(actor())).toEqual({ known: false, why: "dates" });
  });
});

test("the sandbox's list, which says when its disputes were created, gives a rate without reading each", async () => {
  const { wallet } = await walletUnderTest(SANDBOX_ANA.apiKey);
  const { client } = connectClient(wallet.baseUrl);
  const account = sampleAccount();
  const rate = await readDisputeRate(
    {
      clock: { now: () => START },
      findWithKey: async () => ({ account, apiKey: new Secret(SANDBOX_ANA.apiKey) }),
      wallet: {
        ...client,
        dispute: async () => {
          throw new Error("Read one by one");
        },
        // Thirty real reads at the account's rate limit would take half a minute.
        salesReport: async () => sampleReport(),
      },
    },
    actor(),
  );
  // All eight fall into this period, and one was cancelled.
  expect(rate).toMatchObject({ known: true, disputes: 7, sales: 180, basisPoints: 389 });
});
