import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { startAnsweringServer } from "./answering-server.ts";
import { listShapes } from "./list-shapes.ts";
import { connectClient, fixture, plain, walletErrorOf, walletKey } from "./wallet-setup.ts";

const page = async (body: unknown) => {
  const server = await startAnsweringServer({ body: JSON.stringify(body) });
  const { client } = connectClient(server.baseUrl);
  return client.transactions(walletKey(), undefined, "interactive");
};

const idsOf = async (body: unknown): Promise<readonly string[]> =>
  (await page(body)).items.map(({ txid }) => txid);

const ONE = { txid: "a41f07c98e2d" };
const OTHER = { txid: "w7e20b8d5f31" };
const ROWS = [ONE, OTHER];
const IDS = ["a41f07c98e2d", "w7e20b8d5f31"];

describe("the list of transactions", () => {
  test.each(listShapes(["transactions", "payments"], [ONE, OTHER]))(
    "is found at %s",
    async (_place, body) => {
      expect(await idsOf(body)).toEqual(IDS);
    },
  );

  test.each([[[]], [{ success: true, transactions: [] }], [{ data: { items: [] } }]])(
    "may be empty, as in %j",
    async (body) => {
      expect(await page(body)).toMatchObject({ items: [], unnamed: 0, next: undefined });
    },
  );

  test.each([
    ["no array", { success: true }],
    ["an object where the array should be", { transactions: { 0: ONE } }],
    ["an array under another name", { success: true, vendas: ROWS }],
    ["rows of which none has a txid", { transactions: [{ codigo: "a41f07c98e2d" }] }],
    ["success that is no boolean", { success: "yes", transactions: ROWS }],
  ])("with %s is unreadable, never empty", async (_fault, body) => {
    expect((await walletErrorOf(page(body))).kind).toBe("malformed");
  });

  test("that is refused is a refusal, whatever stands beside it", async () => {
    const refused = page({ success: false, message: "Não.", transactions: ROWS });
    expect((await walletErrorOf(refused)).kind).toBe("refused");
  });

  test("counts the rows that have no txid of use, and keeps the others", async () => {
    const { items, unnamed } = await page([
      ONE,
      {},
      null,
      "x",
      { txid: 7 },
      { txid: "../balance" },
    ]);
    expect(items.map(({ txid }) => txid)).toEqual([ONE.txid]);
    expect(unnamed).toBe(5);
  });
});

const AT = "2025-03-14T22:47:10Z";
const PAID = "2025-03-14T22:48:33Z";
const WHOLE = {
  txid: "a41f07c98e2d",
  amount: 24_900,
  net: 23_406,
  type: "payment",
  status: "approved",
  description: "Plano VIP mensal",
  createdAt: AT,
  updatedAt: PAID,
};

describe("a row of the list", () => {
  test.each([
    [
      "the documented names",
      {
        txid: "a41f07c98e2d",
        amount: 249,
        netAmount: 234.06,
        type: "payment",
        status: "approved",
        metadata: { description: "Plano VIP mensal" },
        createdAt: AT,
        updatedAt: PAID,
      },
    ],
    [
      "snake case",
      {
        transaction_id: "a41f07c98e2d",
        total_amount: 249,
        net_amount: 234.06,
        transaction_type: "payment",
        status: "approved",
        product_name: "Plano VIP mensal",
        created_at: AT,
        paid_at: PAID,
      },
    ],
    [
      "other usual names",
      {
        id: "a41f07c98e2d",
        value: 249,
        net: 234.06,
        type: "payment",
        state: "approved",
        product: { name: "Plano VIP mensal" },
        date: AT,
        approvedAt: PAID,
      },
    ],
    [
      "numbers as text",
      {
        txid: "a41f07c98e2d",
        amount: "249.00",
        netAmount: "234,06",
        type: "payment",
        status: "approved",
        title: " Plano VIP mensal ",
        createdAt: AT,
        updatedAt: PAID,
      },
    ],
    [
      "times as milliseconds, and fields that it has besides",
      {
        txid: "a41f07c98e2d",
        amount: 249,
        netAmount: 234.06,
        type: "payment",
        status: "approved",
        description: "Plano VIP mensal",
        createdAt: Date.parse(AT),
        updatedAt: Date.parse(PAID),
        payer: { name: "x" },
        tags: [{}],
      },
    ],
    [
      "known words in capitals and between spaces",
      {
        txid: "a41f07c98e2d",
        amount: 249,
        netAmount: 234.06,
        type: "PAYMENT",
        status: " Approved ",
        description: "Plano VIP mensal",
        createdAt: AT,
        updatedAt: PAID,
      },
    ],
  ])("is read by %s", async (_names, row) => {
    expect(plain((await page({ transactions: [row] })).items)).toEqual([WHOLE]);
  });

  test("says what can be read of it, and nothing of the rest", async () => {
    const rows = [
      { ...ONE, amount: "muito", status: 3, createdAt: "ontem", description: "" },
      { ...OTHER, amount: 1e13, type: "PIX_IN", createdAt: 1_741_957_522, status: "Paid" },
    ];
    expect(plain((await page(rows)).items)).toEqual([
      ONE,
      { ...OTHER, type: "PIX_IN", status: "Paid" },
    ]);
  });

  test("is cut where its text is longer than a row needs", async () => {
    const [item] = (await page([{ ...ONE, description: "🧾".repeat(5_000) }])).items;
    expect(Array.from(item?.description ?? "")).toHaveLength(256);
  });
});

const SIZE = 10;

/** Walks all pages of a service with the rows `t0`, `t1`, ...; `pageOf` answers a query. */
const walked = async (rows: number, pageOf: (query: URLSearchParams, ids: string[]) => object) => {
  const ids = Array.from({ length: rows }, (_, index) => `t${index}`);
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
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const read = await client.transactions(walletKey(), cursor, "background");
    found.push(...read.items.map(({ txid }) => txid));
    cursor = read.next;
  } while (cursor !== undefined && asked.length < 9);
  return { asked, found, all: ids };
};

const rowsFrom = (ids: readonly string[], from: number) =>
  ids.slice(from, from + SIZE).map((txid) => ({ txid }));
const numberIn = (query: URLSearchParams, name: string, otherwise: number): number =>
  Number(query.get(name) ?? otherwise);

describe("the pages of the list", () => {
  test.each<readonly [string, (query: URLSearchParams, ids: string[]) => object]>([
    [
      "page of totalPages",
      (query, ids) => {
        const at = numberIn(query, "page", 1);
        return { transactions: rowsFrom(ids, (at - 1) * SIZE), page: at, totalPages: 3 };
      },
    ],
    [
      "numbers as text",
      (query, ids) => {
        const at = numberIn(query, "page", 1);
        const meta = { page: String(at), totalPages: "3" };
        return { transactions: rowsFrom(ids, (at - 1) * SIZE), meta };
      },
    ],
    [
      "current_page from 0 and a total",
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
        return { items: rowsFrom(ids, offset), offset, limit: SIZE, total: ids.length };
      },
    ],
    [
      "limit and total, without saying the offset",
      (query, ids) => {
        const rows = rowsFrom(ids, numberIn(query, "offset", 0));
        return { transactions: rows, limit: SIZE, total: ids.length };
      },
    ],
    [
      "a next address",
      (query, ids) => {
        const from = numberIn(query, "from", 0);
        const next = from + SIZE < ids.length ? `/v1/transactions?from=${from + SIZE}` : null;
        return { results: rowsFrom(ids, from), next };
      },
    ],
    [
      "a cursor",
      (query, ids) => {
        const from = Number((query.get("cursor") ?? "c0").slice(1));
        const nextCursor = from + SIZE < ids.length ? `c${from + SIZE}` : undefined;
        return { transactions: { items: rowsFrom(ids, from), next_cursor: nextCursor } };
      },
    ],
    [
      "the number of the next page",
      (query, ids) => {
        const at = numberIn(query, "page", 1);
        return { payments: rowsFrom(ids, (at - 1) * SIZE), nextPage: at < 3 ? at + 1 : null };
      },
    ],
  ])("are followed by %s, and end with the last one", async (_shape, pageOf) => {
    for (const rows of [25, 30]) {
      const { asked, found, all } = await walked(rows, pageOf);
      expect(found).toEqual(all);
      expect(asked).toHaveLength(3);
    }
  });

  test.each([
    ["names no further page", {}],
    ["leads to another operation", { next: "/v1/balance?x=1" }],
    ["is the only one", { page: 1, totalPages: 1 }],
    ["is the last one", { page: 3, totalPages: 3 }],
    ["says that there is no more", { page: 1, totalPages: 3, hasMore: false }],
  ])("end with a page that %s", async (_fault, parts) => {
    const { next } = await page({ transactions: ROWS, ...parts });
    expect(next).toBeUndefined();
  });

  test("end where a service leads back to the page that was asked", async () => {
    const { asked } = await walked(25, (_, ids) => ({
      transactions: rowsFrom(ids, 0),
      next: "/v1/transactions?after=1",
    }));
    expect(asked).toEqual(["", "?after=1"]);
  });
});

describe("one transaction", () => {
  const detail = async (changes: object) => {
    const body = JSON.parse(fixture("transaction.payment.approved")) as { transaction: object };
    const told = JSON.stringify({
      ...body,
      transaction: { ...body.transaction, ...changes },
    });
    const { client } = connectClient((await startAnsweringServer({ body: told })).baseUrl);
    return client.transaction(walletKey(), "a41f07c98e2d", "interactive");
  };

  test.each([
    ["a payer without a bank", { payer: { name: "Ana" } }, { payer: { name: "Ana" } }],
    ["no payer, as an unpaid charge may have", { payer: null }, {}],
    ["a status of its own", { status: "expired" }, { status: "expired" }],
    ["words of its own", { type: "Pix_in", status: "PAID" }, { type: "Pix_in", status: "PAID" }],
    [
      "words in capitals",
      { type: "PAYMENT", status: "REFUNDED " },
      { type: "payment", status: "refunded" },
    ],
    ["metadata in another form", { metadata: [1] }, {}],
  ])("is read with %s", async (_case, changes, expected) => {
    expect(plain(await detail(changes))).toMatchObject(expected);
  });

  test("keeps the leading zeros of the bank's code", async () => {
    expect((await detail({})).payer?.bankCode).toBe("091");
  });
});
