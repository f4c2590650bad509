import { describe, expect, test } from "vitest";
import { getTransactions } from "#src/wallet/transactions.ts";
import {
  PAGE_SIZE,
  pageShapes,
  servePages,
  testListShapes,
  testListTurns,
} from "./undocumented-lists.ts";
import { connectTo, fixture, plain, walletKey } from "./wallet-setup.ts";

const page = async (body: unknown) => {
  const { client } = await connectTo({ body: JSON.stringify(body) });
  return client.transactions(walletKey(), undefined, "interactive");
};

const NAMES = { list: "transactions", other: "payments", foreign: "vendas", id: "txid" };

const ONE = { txid: "a41f07c98e2d" };
const OTHER = { txid: "w7e20b8d5f31" };
const ROWS = [ONE, OTHER];

describe("the list of transactions", () => {
  testListShapes(NAMES, page, ({ txid }) => txid);
  testListTurns(NAMES, (send) => getTransactions(send, undefined));

  test("has no further page, when it is empty", async () => {
    expect((await page([])).next).toBeUndefined();
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

/** The row under the documented names, apart from its description, which has several. */
const ROW = {
  txid: "a41f07c98e2d",
  amount: 249,
  netAmount: 234.06,
  type: "payment",
  status: "approved",
  createdAt: AT,
  updatedAt: PAID,
};
const { description } = WHOLE;

describe("a row of the list", () => {
  test.each([
    ["first", [AT, PAID]],
    ["last", [PAID, AT]],
  ])(
    "that is listed twice counts once, by its last change, with the older one %s",
    async (_, at) => {
      const rows = at.map((updatedAt) => ({
        ...ROW,
        status: updatedAt === PAID ? "approved" : "pending",
        updatedAt,
      }));
      expect((await page({ transactions: rows })).items.map(({ status }) => status)).toEqual([
        "approved",
      ]);
    },
  );

  test.each([
    ["approved", ["pending", "approved"]],
    ["refunded", ["refunded", "approved"]],
    ["refunded", ["pending", "approved", "refunded"]],
    ["completed", ["processing", "completed"]],
    ["failed", ["failed", "processing"]],
    ["cancelled", ["cancelled", "scheduled"]],
  ])("that is listed under one time in several states is %s", async (last, states) => {
    const rows = states.map((status) => ({ ...ROW, status, updatedAt: AT }));
    expect((await page({ transactions: rows })).items.map(({ status }) => status)).toEqual([last]);
  });

  test.each([
    ["the documented names", { ...ROW, metadata: { description } }],
    [
      "snake case",
      {
        transaction_id: ROW.txid,
        total_amount: 249,
        net_amount: 234.06,
        transaction_type: "payment",
        status: "approved",
        product_name: description,
        created_at: AT,
        paid_at: PAID,
      },
    ],
    [
      "other usual names",
      {
        id: ROW.txid,
        value: 249,
        net: 234.06,
        type: "payment",
        state: "approved",
        product: { name: description },
        date: AT,
        approvedAt: PAID,
      },
    ],
    [
      "numbers as text",
      { ...ROW, amount: "249.00", netAmount: "234,06", title: ` ${description} ` },
    ],
    [
      "times as milliseconds, and fields that it has besides",
      {
        ...ROW,
        description,
        createdAt: Date.parse(AT),
        updatedAt: Date.parse(PAID),
        payer: { name: "x" },
        tags: [{}],
      },
    ],
    [
      "known words in capitals and between spaces",
      { ...ROW, description, type: "PAYMENT", status: " Approved " },
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

/** Walks all pages. */
const walked = async (count: number, pageOf: Parameters<typeof servePages>[1]) => {
  const { client, asked, ids: all } = await servePages(count, pageOf);
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const read = await client.transactions(walletKey(), cursor, "background");
    found.push(...read.items.map(({ txid }) => txid));
    cursor = read.next;
    expect(read.isCut).toBeUndefined();
  } while (cursor !== undefined && asked.length < 9);
  return { asked, found, all };
};

describe("the pages of the list", () => {
  test.each(pageShapes(NAMES, "/v1/transactions"))(
    "are followed by %s, and end with the last one",
    async (_shape, pageOf) => {
      for (const rows of [25, 30]) {
        const { asked, found, all } = await walked(rows, pageOf);
        expect(found).toEqual(all);
        expect(asked).toHaveLength(3);
      }
    },
  );

  test.each([
    ["names no further page", {}],
    ["says that no page is next", { next: null, total: 137 }],
    ["is the only one", { page: 1, totalPages: 1 }],
    ["is the last one", { page: 3, totalPages: 3 }],
    ["says that there is no more", { page: 1, totalPages: 3, hasMore: false }],
  ])("end with a page that %s", async (_fault, parts) => {
    const { next, isCut } = await page({ transactions: ROWS, ...parts });
    expect(next).toBeUndefined();
    expect(isCut).toBeUndefined();
  });

  // The list of disputes has every way of saying so.
  test("are cut where an answer says that there is more, without the way to it", async () => {
    const { next, isCut } = await page({ transactions: ROWS, hasMore: true });
    expect([next, isCut]).toEqual([undefined, true]);
  });

  test("end where a service leads back to the page that was asked", async () => {
    const { asked } = await walked(25, (_, ids) => ({
      transactions: ids.slice(0, PAGE_SIZE).map((txid) => ({ txid })),
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
    const { client } = await connectTo({ body: told });
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
