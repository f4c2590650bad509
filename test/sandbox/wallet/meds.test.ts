import { beforeEach, describe, expect, test } from "vitest";
import { seededMeds } from "#src/sandbox/wallet/seeded-merchants.ts";
import { ANA, BRUNO, CARLA } from "#src/sandbox/world.ts";
import { START, walletUnderTest, type WalletUnderTest } from "./wallet-support.ts";

const NEW = {
  amountCents: 100_00,
  situationType: "FRAUDE",
  hoursToAnswer: 6,
  original: { type: "api", product: "Plano VIP mensal" },
} as const;
const ANSWER = { status: "disagreed", text: "Produto entregue." } as const;

let its: WalletUnderTest;

beforeEach(async () => {
  its = await walletUnderTest(BRUNO.apiKey);
});

const open = (): string => its.wallet.openMed(BRUNO.id, NEW);
const list = async (key = BRUNO.apiKey) => (await its.ask("/v1/meds", { key })).body.meds;
const detail = async (id: string) => (await its.ask(`/v1/meds/${id}`)).body.med;
const hoursOn = (hours: number): void => its.moveTo(START.add({ minutes: Math.round(hours * 60) }));

describe("the list", () => {
  test("has every MED of the account, newest first, and none of another's", async () => {
    const newestFirst = seededMeds(START).toSorted((a, b) =>
      Temporal.Instant.compare(b.openedAt, a.openedAt),
    );
    const ids = (await list(ANA.apiKey)).map((row: { infractionId: string }) => row.infractionId);
    expect(ids).toEqual(newestFirst.map(({ infractionId }) => infractionId));
    expect(await list()).toEqual([]);
  });

  test("says of each what the documented names say, and agrees with its detail", async () => {
    const id = open();
    const [row] = await list();
    expect(row).toEqual({
      infractionId: id,
      txid: expect.stringMatching(/^[0-9a-f]{24}$/),
      amount: 100,
      frozenAmount: 94,
      status: "pending",
      analysisStatus: "pending",
      dueDate: "2026-11-18T21:00:00.000Z",
      createdAt: "2026-11-18T15:00:00.000Z",
    });
    expect(await detail(id)).toMatchObject(row);
  });

  test("can be shorter than the summary's total", async () => {
    for (let opened = 0; opened < 13; opened++) its.wallet.openMed(ANA.id, NEW);
    expect(await list(ANA.apiKey)).toHaveLength(20);
    const { body } = await its.ask("/v1/meds/summary", { key: ANA.apiKey });
    expect(body.summary.byStatus.total).toBe(21);
  });
});

describe("what is done to a MED", () => {
  test("two opened at one instant are two, and the later one comes first", async () => {
    const ids = [open(), open()];
    expect(new Set(ids).size).toBe(2);
    expect((await list()).map((row: { infractionId: string }) => row.infractionId)).toEqual(
      ids.toReversed(),
    );
  });

  test("it can contest a certain payment, and one that the service does not find", async () => {
    const id = its.wallet.openMed(BRUNO.id, { ...NEW, original: undefined, txid: "venda7" });
    const { body } = await its.ask(`/v1/meds/${id}`);
    expect(body.med.txid).toBe("venda7");
    expect(body).not.toHaveProperty("originalTransaction");
  });

  test("the seller's answer and the bank's decision come each at its time", async () => {
    const id = open();
    hoursOn(1);
    expect(its.wallet.answerMed(BRUNO.id, id, ANSWER)).toBe("done");
    expect(await detail(id)).toMatchObject({
      status: "disagreed",
      analysisStatus: "pending",
      analysisDate: "2026-11-18T16:00:00.000Z",
      analysisDescription: ANSWER.text,
      resolvedAt: null,
    });
    hoursOn(48);
    expect(its.wallet.decideMed(BRUNO.id, id, "rejected")).toBe("done");
    expect(await detail(id)).toMatchObject({
      status: "disagreed",
      analysisStatus: "rejected",
      resolvedAt: "2026-11-20T15:00:00.000Z",
    });
  });

  test("what is answered, decided or cancelled already is refused, and changes nothing", async () => {
    const [answered, decided, cancelled] = [open(), open(), open()];
    its.wallet.answerMed(BRUNO.id, answered, { status: "agreed", text: "De acordo." });
    its.wallet.decideMed(BRUNO.id, decided, "accepted");
    its.wallet.cancelMed(BRUNO.id, cancelled);
    const before = its.wallet.meds(BRUNO.id);
    for (const id of [answered, decided, cancelled, "none"])
      expect(its.wallet.answerMed(BRUNO.id, id, ANSWER)).toBe("refused");
    for (const id of [decided, cancelled, "none"]) {
      expect(its.wallet.decideMed(BRUNO.id, id, "rejected")).toBe("refused");
      expect(its.wallet.cancelMed(BRUNO.id, id)).toBe("refused");
    }
    expect(its.wallet.meds(BRUNO.id)).toEqual(before);
  });

  test("somebody without an account has none", () => {
    expect(() => its.wallet.openMed(CARLA.id, NEW)).toThrow(RangeError);
  });

  test("everybody who listens is told of each step", () => {
    let told = 0;
    its.wallet.onChange(() => (told += 1));
    const id = open();
    its.wallet.answerMed(BRUNO.id, id, ANSWER);
    its.wallet.decideMed(BRUNO.id, id, "rejected");
    its.wallet.cancelMed(BRUNO.id, id);
    expect(told).toBe(3);
  });
});

describe("the balance", () => {
  const available = async () => (await its.ask("/v1/balance")).body.balance.available;
  const frozen = async () =>
    (await its.ask("/v1/meds/summary")).body.summary.amounts.currentlyFrozen;

  test("lacks the net of an open MED, and gets it back when the bank rejects it", async () => {
    const id = open();
    expect([await available(), await frozen()]).toEqual([1070.9, 94]);
    its.wallet.decideMed(BRUNO.id, id, "rejected");
    expect([await available(), await frozen()]).toEqual([1164.9, 0]);
  });

  test("gets it back from a cancelled one, and not from an accepted one", async () => {
    const [one, other] = [open(), open()];
    its.wallet.cancelMed(BRUNO.id, one);
    its.wallet.decideMed(BRUNO.id, other, "accepted");
    expect([await available(), await frozen()]).toEqual([1070.9, 0]);
  });
});

describe("one that nobody answers", () => {
  test("stays pending for good", async () => {
    const id = open();
    hoursOn(24 * 365);
    expect(await detail(id)).toMatchObject({ status: "pending", analysisStatus: "pending" });
  });

  test("is answered late, too", async () => {
    const id = open();
    hoursOn(7);
    expect(its.wallet.answerMed(BRUNO.id, id, ANSWER)).toBe("done");
    expect(await detail(id)).toMatchObject({ status: "disagreed", analysisStatus: "pending" });
  });

  test("changes next at its deadline, then never", () => {
    open();
    const next = () =>
      its.wallet.nextMedChange(BRUNO.id)?.toString({ smallestUnit: "millisecond" });
    expect(next()).toBe("2026-11-18T21:00:00.000Z");
    hoursOn(6);
    expect(next()).toBeUndefined();
  });
});
