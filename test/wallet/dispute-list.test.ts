import { describe, expect, test } from "vitest";

import { startAnsweringServer } from "./answering-server.ts";
import { connectClient, fixture, plain, walletErrorOf, walletKey } from "./wallet-setup.ts";

const page = async (body: unknown) => {
  const server = await startAnsweringServer({ body: JSON.stringify(body) });
  const { client } = connectClient(server.baseUrl);
  return client.disputes(walletKey(), "interactive");
};

const idsOf = async (body: unknown): Promise<readonly string[]> =>
  (await page(body)).items.map(({ infractionId }) => infractionId);

const ONE = { infractionId: "b3c5e0f2-66d1" };
const OTHER = { infractionId: "0e8a7d14-92bf" };
const ROWS = [ONE, OTHER];
const IDS = ["b3c5e0f2-66d1", "0e8a7d14-92bf"];

describe("the list of disputes", () => {
  test.each([
    ["the root", ROWS],
    ["meds", { success: true, meds: ROWS }],
    ["infractions", { infractions: ROWS }],
    ["data", { success: true, data: ROWS }],
    ["items", { items: ROWS, total: 2 }],
    ["results", { results: ROWS, next: null }],
    ["data.meds", { success: true, data: { meds: ROWS, page: 1 } }],
    ["meds.items", { meds: { items: ROWS } }],
    ["two places together", { meds: [ONE], data: [OTHER] }],
    ["two places, once each", { meds: ROWS, data: { items: [OTHER, ONE] } }],
    ["meds, beside arrays of other things", { meds: ROWS, links: ["a"], errors: [{}] }],
  ])("is found at %s", async (_place, body) => {
    expect(await idsOf(body)).toEqual(IDS);
  });

  test.each([[[]], [{ success: true, meds: [] }], [{ data: { items: [] } }]])(
    "may be empty, as in %j",
    async (body) => {
      expect(await page(body)).toEqual({ items: [], unnamed: 0 });
    },
  );

  test("counts the items that have no id of use, and keeps the others", async () => {
    const { items, unnamed } = await page([
      ONE,
      {},
      null,
      "0e8a7d14-92bf",
      { infractionId: 7 },
      { infractionId: "../balance" },
      { infractionId: "x" },
      { infraction_id: "0e8a7d14-92bf" },
    ]);

    expect(items.map(({ infractionId }) => infractionId)).toEqual(["b3c5e0f2-66d1"]);
    expect(unnamed).toBe(7);
  });

  test.each([
    ["no array", { success: true }],
    ["an object where the array should be", { meds: { 0: ONE } }],
    ["an array too deep", { data: { data: { items: ROWS } } }],
    ["an array under another name", { success: true, disputas: ROWS }],
    ["items of which none has an id", { meds: [{ id: "b3c5e0f2-66d1" }] }],
    ["success that is no boolean", { success: "yes", meds: ROWS }],
  ])("with %s is unreadable, never empty", async (_fault, body) => {
    expect((await walletErrorOf(page(body))).kind).toBe("malformed");
  });

  test("that is refused is a refusal, whatever stands beside it", async () => {
    const refused = page({ success: false, message: "Não.", meds: ROWS });
    expect((await walletErrorOf(refused)).kind).toBe("refused");
  });

  test("says of an item what can be read of it, and nothing of the rest", async () => {
    const { items } = await page([
      { ...ONE, amount: "38.45", dueDate: 1_741_957_522_418, status: "novo", analysisStatus: 3 },
      { ...OTHER, amount: 10.005, dueDate: 1_741_957_522, infractionDate: "ontem", txid: "" },
    ]);

    expect(plain(items)).toEqual([
      { ...ONE, amount: 3_845, dueAt: "2025-03-14T13:05:22.418Z", status: "novo" },
      OTHER,
    ]);
  });
});

describe("one dispute", () => {
  test.each(["a|b", "../balance", "x", "", "a".repeat(65), "a\u202eb", 7])(
    "under the id %j, by which it could not be asked for again, is unreadable",
    async (infractionId) => {
      const body = JSON.parse(fixture("med.api.pending")) as { med: object };
      const told = JSON.stringify({ ...body, med: { ...body.med, infractionId } });
      const { client } = connectClient((await startAnsweringServer({ body: told })).baseUrl);
      const read = client.dispute(walletKey(), ONE.infractionId, "interactive");
      expect((await walletErrorOf(read)).kind).toBe("malformed");
    },
  );
});

describe("when a dispute was opened", () => {
  const [earlier, later] = ["2026-11-18T09:12:30Z", "2026-11-18T09:15:02Z"];
  const contestedAt = async (item: object) =>
    (await page([{ ...ONE, ...item }])).items[0]?.contestedAt?.toString();

  test.each([
    [{ infractionDate: earlier, createdAt: later }, earlier],
    [{ createdAt: later }, later],
    [{ infractionDate: null, createdAt: later }, later],
    [{ infractionDate: "ontem", createdAt: later }, later],
    [{ createdAt: 0 }, undefined],
    [{}, undefined],
  ])("is, by %j, %s", async (item, at) => {
    expect(await contestedAt(item)).toBe(at);
  });
});

describe("the refund of a dispute", () => {
  const refundOf = async (refund: unknown) => {
    const body = JSON.parse(fixture("med.api.pending")) as { med: object };
    const told = JSON.stringify({ ...body, med: { ...body.med, refund } });
    const server = await startAnsweringServer({ body: told });
    const { client } = connectClient(server.baseUrl);
    return (await client.dispute(walletKey(), ONE.infractionId, "interactive")).refund;
  };

  test.each([
    [null, undefined],
    [undefined, undefined],
    [{}, []],
    [[{ status: "done" }], []],
    ["completed", [{ name: "", value: "completed" }]],
    [true, [{ name: "", value: "true" }]],
    [
      { status: "PARTIAL", amount: 12.5, done: false, at: null, steps: ["a"] },
      [
        { name: "status", value: "PARTIAL" },
        { name: "amount", value: "12.5" },
        { name: "done", value: "false" },
      ],
    ],
    [{ bank: { code: "001", more: { x: 1 } } }, [{ name: "bank.code", value: "001" }]],
  ] as const)("given as %j is kept as it came", async (refund, facts) => {
    expect(await refundOf(refund)).toEqual(facts);
  });

  test("is cut where it becomes a story", async () => {
    const long = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`f${n}`, n]));
    expect(await refundOf(long)).toHaveLength(8);
  });
});
