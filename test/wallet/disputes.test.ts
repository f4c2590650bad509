import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";

import { startAnsweringServer } from "./answering-server.ts";
import { listShapes } from "./list-shapes.ts";
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
  test.each(listShapes(["meds", "infractions"], [ONE, OTHER]))(
    "is found at %s",
    async (_place, body) => {
      expect(await idsOf(body)).toEqual(IDS);
    },
  );

  test.each([[[]], [{ success: true, meds: [] }], [{ data: { items: [] } }]])(
    "may be empty, as in %j",
    async (body) => {
      expect(await page(body)).toEqual({ items: [], unnamed: 0, isWhole: true });
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
      { infractionId: "a b" },
      { infractionId: ".." },
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
      { ...OTHER, amount: 1e13, dueDate: 1_741_957_522, infractionDate: "ontem", txid: "" },
    ]);

    expect(plain(items)).toEqual([
      { ...ONE, amount: 3_845, dueAt: "2025-03-14T13:05:22.418Z", status: "novo" },
      OTHER,
    ]);
  });
});

describe("S12: names that the document writes otherwise", () => {
  test("are read in snake case, and the document's own before them", async () => {
    const { items } = await page({
      meds: [
        { infraction_id: ONE.infractionId, frozen_amount: 8, due_date: "2026-11-20T10:00:00Z" },
        { ...OTHER, infraction_id: "another", analysis_status: "pending", created_at: "x" },
      ],
    });
    expect(plain(items)).toEqual([
      { ...ONE, frozen: 800, dueAt: "2026-11-20T10:00:00Z" },
      { ...OTHER, analysisStatus: "pending" },
    ]);
  });
});

/** A service with the rows `m0`, `m1`, ... in pages of ten; `pageOf` answers a query. */
const paged = async (rows: number, pageOf: (query: URLSearchParams, ids: string[]) => object) => {
  const ids = Array.from({ length: rows }, (_, index) => `m${index}`);
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { search, searchParams } = new URL(request.url ?? "", "http://wallet");
    asked.push(search);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(pageOf(searchParams, ids)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { client } = connectClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const { items, isWhole } = await client.disputes(walletKey(), "background");
  return { asked, isWhole, ids: items.map(({ infractionId }) => infractionId) };
};

const SIZE = 10;
const rowsFrom = (ids: readonly string[], from: number) =>
  ids.slice(from, from + SIZE).map((infractionId) => ({ infractionId }));
const numberIn = (query: URLSearchParams, name: string, otherwise: number): number =>
  Number(query.get(name) ?? otherwise);

describe("S12: a list in pages", () => {
  test.each<readonly [string, (query: URLSearchParams, ids: string[]) => object]>([
    [
      "page of totalPages",
      (query, ids) => {
        const at = numberIn(query, "page", 1);
        return { meds: rowsFrom(ids, (at - 1) * SIZE), page: at, totalPages: 3 };
      },
    ],
    [
      "pagination with current_page from 0 and a total",
      (query, ids) => {
        const at = numberIn(query, "page", 0);
        const pagination = { current_page: at, per_page: SIZE, total: ids.length };
        return { data: rowsFrom(ids, at * SIZE), pagination };
      },
    ],
    [
      "offset, limit and total",
      (query, ids) => {
        const offset = numberIn(query, "offset", 0);
        return { meds: rowsFrom(ids, offset), offset, limit: SIZE, total: ids.length };
      },
    ],
    [
      "a next address",
      (query, ids) => {
        const from = numberIn(query, "from", 0);
        const next = from + SIZE < ids.length ? `/v1/meds?from=${from + SIZE}` : null;
        return { results: rowsFrom(ids, from), next };
      },
    ],
    [
      "a next address with another host, of which the query is taken",
      (query, ids) => {
        const from = numberIn(query, "from", 0);
        const href = `https://elsewhere.example/v1/meds?from=${from + SIZE}`;
        const more = from + SIZE < ids.length ? { next: { href } } : {};
        return { items: rowsFrom(ids, from), _links: more };
      },
    ],
    [
      "a cursor",
      (query, ids) => {
        const from = Number((query.get("cursor") ?? "c0").slice(1));
        const nextCursor = from + SIZE < ids.length ? `c${from + SIZE}` : undefined;
        return { meds: rowsFrom(ids, from), nextCursor };
      },
    ],
    [
      "hasMore beside a page",
      (query, ids) => {
        const at = numberIn(query, "page", 1);
        return { meds: rowsFrom(ids, (at - 1) * SIZE), page: at, hasMore: at < 3 };
      },
    ],
  ])("is followed by %s", async (_shape, pageOf) => {
    const { ids, asked, isWhole } = await paged(25, pageOf);
    expect(isWhole).toBe(true);
    expect(ids.toSorted()).toEqual(
      Array.from({ length: 25 }, (_, index) => `m${index}`).toSorted(),
    );
    expect(asked).toHaveLength(3);
  });

  test("that is long is read at both ends, within a bound, and is not whole", async () => {
    const { ids, asked, isWhole } = await paged(200, (query, all) => {
      const at = numberIn(query, "page", 1);
      return { meds: rowsFrom(all, (at - 1) * SIZE), page: at, totalPages: 20 };
    });
    expect(asked).toEqual(["", "?page=20", "?page=2", "?page=19", "?page=3", "?page=18"]);
    expect(ids).toContain("m199");
    expect(isWhole).toBe(false);
  });

  test("is not followed by a service that does not know the query, nor to another operation", async () => {
    const same = await paged(25, (_, ids) => ({ meds: rowsFrom(ids, 0), page: 1, totalPages: 3 }));
    expect(same).toMatchObject({ asked: ["", "?page=2"], isWhole: false });
    expect(same.ids).toHaveLength(SIZE);
    const next = await paged(25, (_, ids) => ({ meds: rowsFrom(ids, 0), next: "/v1/balance?x=1" }));
    expect(next.asked).toEqual([""]);
  });

  test.each([
    ["next", { next: "/v1/meds?page=2" }],
    ["page", { page: 1, totalPages: 3 }],
  ])(
    "by %s keeps what was read when a further page cannot be, and is not whole",
    async (_, more) => {
      const { ids, asked, isWhole } = await paged(25, (query, all) =>
        query.has("page") ? { error: "x" } : { meds: rowsFrom(all, 0), ...more },
      );
      expect(isWhole).toBe(false);
      expect(ids).toHaveLength(SIZE);
      expect(asked).toHaveLength(2);
    },
  );
});

describe("one dispute", () => {
  test("is read whatever its situation says, however long that is", async () => {
    const body = JSON.parse(fixture("med.api.pending")) as { med: object };
    const situationType = "🧾FRAUDE ".repeat(100);
    const told = JSON.stringify({ ...body, med: { ...body.med, situationType } });
    const { client } = connectClient((await startAnsweringServer({ body: told })).baseUrl);
    const read = await client.dispute(walletKey(), ONE.infractionId, "interactive");
    expect(Array.from(read.situation)).toHaveLength(256);
  });

  test.each(["a b", "../balance", "..", "", "a".repeat(65), "a\u202eb", 7])(
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
