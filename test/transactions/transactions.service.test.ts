import { describe, expect, test, vi } from "vitest";
import type { ListedDispute } from "#src/disputes/dispute-list.ts";
import type { WatchedDispute } from "#src/disputes/dispute-alert.ts";
import { type WalletErrorKind, WalletError } from "#src/shared/errors.ts";
import { Secret } from "#src/shared/secret.ts";
import { MINUTE, SECOND } from "#src/shared/time.ts";
import type { ListedTransaction, Transaction } from "#src/transactions/transaction.ts";
import { createTransactions } from "#src/transactions/transactions.service.ts";
import type { WantedTransactions } from "#src/transactions/transaction-list.ts";
import { followedDispute } from "#src/disputes/dispute-watch.ts";
import { hostileDispute } from "../disputes/dispute-samples.ts";
import { quietLog } from "../support/databases.ts";
import { NOW, sampleAccount } from "../support/samples.ts";
import { refusal } from "../withdrawals/money-stage.ts";
import { samplePayment, sampleRow, TXID } from "./transaction-samples.ts";

const ASKER = { guildId: "g1", userId: "u1", locale: "pt-BR" } as const;
const ALL: WantedTransactions = { filter: "all", period: undefined, page: 0 };

const failure = (kind: WalletErrorKind, status?: number): WalletError =>
  new WalletError({ kind, method: "GET", route: "/v1/test", requestId: `req_${kind}`, status });

/** Sales `s0` (newest) to `s<count - 1>`, one an hour. */
const sales = (count: number): readonly ListedTransaction[] =>
  Array.from({ length: count }, (_, n) =>
    sampleRow({ txid: `s${n}`, createdAt: NOW.subtract({ hours: n }) }),
  );

const OWN = { account: sampleAccount(), apiKey: new Secret("sk_sandbox_service") };
const open = (rows: readonly ListedTransaction[], pageSize = 20) => {
  const stage = {
    rows,
    nowMs: 0,
    reads: [] as string[],
    failing: new Map<string, WalletError>(),
    connected: true,
    isCut: false,
    disputes: [] as WatchedDispute[],
    listed: [] as ListedDispute[],
    payment: {} as Partial<Transaction>,
  };
  const service = createTransactions({
    charges: { claimed: async () => new Set() },
    clock: { now: () => NOW.add({ milliseconds: stage.nowMs }) },
    monotonicMs: () => stage.nowMs,
    log: quietLog,
    accounts: { resume: vi.fn(), findWithKey: async () => (stage.connected ? OWN : undefined) },
    watched: { of: async () => stage.disputes },
    report: () => Promise.reject(new Error("no report was asked for")),
    wallet: {
      transactions: async (_key, cursor, priority) => {
        const page = Number(cursor ?? 1);
        stage.reads.push(`${priority} ${page}`);
        const failed = stage.failing.get(String(page));
        if (failed !== undefined) throw failed;
        const items = stage.rows.slice((page - 1) * pageSize, page * pageSize);
        const isLast = page * pageSize >= stage.rows.length;
        const next = isLast ? undefined : String(page + 1);
        return { items, unnamed: 1, next, isCut: stage.isCut };
      },
      transaction: async (_key, txid) => {
        stage.reads.push(`detail ${txid}`);
        const failed = stage.failing.get("detail");
        if (failed !== undefined) throw failed;
        return samplePayment({ txid, ...stage.payment });
      },
      disputes: async (_key, priority) => {
        stage.reads.push(`${priority} disputes`);
        const failed = stage.failing.get("disputes");
        if (failed !== undefined) throw failed;
        return { items: stage.listed, unnamed: 0, isWhole: true };
      },
    },
  });
  return { stage, service };
};

const ids = (rows: readonly ListedTransaction[]): readonly string[] => rows.map(({ txid }) => txid);

describe("the list", () => {
  test("reads as far as its page needs, and no page twice while a person turns pages", async () => {
    const { stage, service } = open(sales(50));
    expect(await service.list(ASKER, ALL)).toMatchObject({ pages: 2, page: 0, more: true });
    const second = await service.list(ASKER, { ...ALL, page: 1 }, true);
    expect(ids(second.rows)).toEqual(Array.from({ length: 10 }, (_, n) => `s${n + 10}`));
    expect(second).toMatchObject({ pages: 4, found: 40, more: true });
    const last = await service.list(ASKER, { ...ALL, page: 9 }, true);
    expect(last).toMatchObject({ page: 4, pages: 5, found: 50, more: false, unnamed: 3 });
    expect(stage.reads).toEqual(["interactive 1", "interactive 2", "interactive 3"]);
  });

  test("may have more where the service says so, without the way to it", async () => {
    const { stage, service } = open(sales(5));
    stage.isCut = true;
    expect(await service.list(ASKER, ALL)).toMatchObject({ more: true, furtherPage: undefined });
  });

  test("is kept while its pages are turned, however long, whatever suggestions read", async () => {
    const { stage, service } = open(sales(400));
    for (let page = 0; page < 40; page += 1) {
      expect(await service.list(ASKER, { ...ALL, page }, page > 0)).toMatchObject({ page });
      stage.nowMs += MINUTE;
      await service.suggest(ASKER, "");
    }
    expect(stage.reads.filter((read) => read.startsWith("interactive"))).toHaveLength(20);
  });

  test("that was forgotten is read anew, and on to the page at which a person was", async () => {
    const { service } = open(sales(400));
    const wanted = { ...ALL, page: 20 };
    expect(await service.list(ASKER, wanted, true)).toMatchObject({ page: 11, furtherPage: 20 });
    expect(await service.list(ASKER, wanted, true)).toMatchObject({ page: 20 });
  });

  test("is read anew when it is asked for anew, or was not used for two minutes", async () => {
    const { stage, service } = open(sales(5));
    await service.list(ASKER, ALL);
    await service.list(ASKER, ALL);
    expect(stage.reads).toHaveLength(2);
    stage.nowMs += 2 * MINUTE;
    await service.list(ASKER, ALL, true);
    expect(stage.reads).toHaveLength(3);
  });

  test("is read anew while a failed suggestion keeps what was known before", async () => {
    const { stage, service } = open(sales(50));
    await service.list(ASKER, ALL);
    stage.nowMs += 4 * 60 * MINUTE;
    stage.failing.set("1", failure("timeout"));
    expect(await service.suggest(ASKER, "")).not.toEqual([]);
    expect(await service.list(ASKER, ALL, true)).toMatchObject({ rows: [], problem: "timeout" });
    stage.failing.clear();
    stage.rows = sales(50).map((row) => ({ ...row, status: "expired" }));
    const read = await service.list(ASKER, ALL, true);
    expect(read.more).toBe(true);
    expect(new Set(read.rows.map(({ status }) => status))).toEqual(new Set(["expired"]));
  });

  test("of a period stops at the first older row, and has no others", async () => {
    const { stage, service } = open(sales(200));
    const day = NOW.toZonedDateTimeISO("America/Sao_Paulo").toPlainDate();
    const today = { ...ALL, period: { kind: "days", from: day, to: day } } as const;
    expect(await service.list(ASKER, today)).toMatchObject({ found: 16, pages: 2, more: false });
    expect(stage.reads).toEqual(["interactive 1"]);
  });

  test("of a period in no order, or longer than what was read, may have others", async () => {
    const to = NOW.toZonedDateTimeISO("America/Sao_Paulo").toPlainDate();
    const period = { kind: "days", from: to.subtract({ days: 5 }), to } as const;
    const long = open(sales(200));
    const wanted = { ...ALL, period };
    expect(await long.service.list(ASKER, wanted)).toMatchObject({ found: 20, more: true });
    const unordered = open([...sales(200)].toSorted((a, b) => (a.txid < b.txid ? -1 : 1)));
    expect(await unordered.service.list(ASKER, wanted)).toMatchObject({ more: true });
  });

  test("that is cut to its newest rows has others, also of an older period", async () => {
    const { service } = open(sales(1_200), 1_200);
    const today = NOW.toZonedDateTimeISO("America/Sao_Paulo").toPlainDate();
    const of = (daysAgo: number) => {
      const day = today.subtract({ days: daysAgo });
      return service.list(ASKER, { ...ALL, period: { kind: "days", from: day, to: day } });
    };
    expect(await service.list(ASKER, ALL)).toMatchObject({ found: 1_000, more: true });
    expect(await of(45)).toMatchObject({ found: 0, more: true });
    expect(await of(1)).toMatchObject({ found: 24, more: false });
  });

  test("that begins with the oldest may have newer ones of a period beyond the longest reading", async () => {
    const { service } = open(sales(1_500).toReversed(), 300);
    const today = NOW.toZonedDateTimeISO("America/Sao_Paulo").toPlainDate();
    const period = { kind: "days", from: today, to: today } as const;
    const list = await service.list(ASKER, { ...ALL, period });
    expect(list).toMatchObject({ found: 0, more: true });
  });

  test("that begins with the oldest is read to its end, so that the newest are shown", async () => {
    const { stage, service } = open(sales(50).toReversed());
    expect(ids((await service.list(ASKER, ALL)).rows).slice(0, 2)).toEqual(["s0", "s1"]);
    expect(stage.reads).toHaveLength(3);
  });

  test("is read on where it ended, six pages a press, until the wanted page is there", async () => {
    const rows = sales(600).map((row, n) => ({
      ...row,
      type: n % 40 === 0 ? "withdrawal" : "payment",
    }));
    const { stage, service } = open(rows);
    const wanted = { ...ALL, filter: "withdrawals" } as const;
    expect(await service.list(ASKER, wanted)).toMatchObject({ found: 3, furtherPage: 0 });
    expect(await service.list(ASKER, wanted, true)).toMatchObject({ found: 6, furtherPage: 0 });
    expect(stage.reads).toHaveLength(12);
    await service.list(ASKER, wanted, true);
    expect(await service.list(ASKER, wanted, true)).toMatchObject({ found: 11, pages: 2 });
    const second = { ...wanted, page: 1 };
    expect(await service.list(ASKER, second, true)).toMatchObject({ found: 14, furtherPage: 1 });
    const last = await service.list(ASKER, second, true);
    expect(last).toMatchObject({ found: 15, more: false, furtherPage: undefined });
    expect(stage.reads).toHaveLength(30);
  });

  test.each([
    ["undated", sales(600).map((row, n) => ({ ...row, ...(n === 5 && { createdAt: undefined }) }))],
    ["oldest first", sales(600).toReversed()],
  ])(
    "keeps its order while pages are turned, and reads on at its last one: %s",
    async (_, rows) => {
      const { stage, service } = open(rows);
      const first = await service.list(ASKER, ALL);
      for (const page of [1, 2]) await service.list(ASKER, { ...ALL, page }, true);
      expect((await service.list(ASKER, ALL, true)).rows).toEqual(first.rows);
      expect(stage.reads).toHaveLength(6);
      expect(await service.list(ASKER, { ...ALL, page: 11 }, true)).toMatchObject({ found: 140 });
    },
  );

  test("is read no further than to a thousand rows", async () => {
    const { stage, service } = open(sales(1_200), 200);
    const wanted = { ...ALL, filter: "withdrawals" } as const;
    const told = { found: 0, more: true, furtherPage: undefined };
    expect(await service.list(ASKER, wanted)).toMatchObject(told);
    expect(await service.list(ASKER, wanted, true)).toMatchObject(told);
    expect(stage.reads).toHaveLength(5);
  });

  test("has an end: six pages, or a page that says nothing new", async () => {
    const endless = open(sales(500).toReversed());
    expect(await endless.service.list(ASKER, ALL)).toMatchObject({ more: true, found: 120 });
    expect(endless.stage.reads).toHaveLength(6);
    const oldest = sales(20).toReversed();
    const same = open([...oldest, ...oldest, ...oldest]);
    expect(await same.service.list(ASKER, ALL)).toMatchObject({ found: 20 });
    expect(same.stage.reads).toEqual(["interactive 1", "interactive 2"]);
  });

  test.each([
    ["names a further one", 40],
    ["names no further one", 20],
  ])(
    "is not told as whole where the service repeats a page in place of the next one, and %s",
    async (_, more) => {
      const oldest = sales(20).toReversed();
      const { service } = open([...oldest, ...oldest, ...oldest].slice(0, 20 + more));
      expect(await service.list(ASKER, ALL)).toMatchObject({ more: true, found: 20 });
    },
  );

  test("shows the last state of a sale whose rows stand on two pages", async () => {
    const [paid] = sales(1);
    if (paid === undefined) throw new Error("one sale");
    const { service } = open([{ ...paid, status: "pending" }, paid], 1);
    expect((await service.list(ASKER, ALL)).rows).toEqual([paid]);
  });

  test("that cannot be read says why, and one that ends early keeps what was read", async () => {
    const { stage, service } = open(sales(50).toReversed());
    stage.failing.set("1", failure("malformed"));
    const unread = await service.list(ASKER, ALL);
    expect(unread).toMatchObject({ rows: [], problem: "malformed" });
    expect(unread.supportCodes).toEqual(["req_malformed"]);
    stage.failing.clear();
    stage.failing.set("2", failure("timeout"));
    expect(await service.list(ASKER, ALL)).toMatchObject({ found: 20, problem: "timeout" });
  });

  test("is refused to people without a key, and a refused key is told as such", async () => {
    const { stage, service } = open(sales(1));
    stage.failing.set("1", failure("unauthorized"));
    await expect(service.list(ASKER, ALL)).rejects.toMatchObject({ kind: "unauthorized" });
    stage.connected = false;
    expect(await refusal(service.list(ASKER, ALL))).toMatchObject({ kind: "not_connected" });
  });
});

/** The list of disputes may write it in another case than the detail. */
const SPELLINGS = [TXID, TXID.toUpperCase()];

describe("one transaction", () => {
  test.each(SPELLINGS)(
    "comes with the dispute about %s, an open one before a closed one",
    async (txid) => {
      const { stage, service } = open([]);
      const of = (infractionId: string, closedAt?: Temporal.Instant): WatchedDispute => ({
        ...followedDispute("account-1", { ...hostileDispute("x"), infractionId, txid }, NOW),
        version: 1,
        closedAt,
      });
      expect((await service.detail(ASKER, TXID)).dispute).toBeUndefined();
      stage.disputes = [of("closed", NOW), of("open")];
      const found = { watchId: "account-1", infractionId: "open" };
      expect((await service.detail(ASKER, TXID)).dispute).toEqual(found);
      expect((await service.detail(ASKER, "another")).dispute).toBeUndefined();
    },
  );

  test.each(SPELLINGS)(
    "comes with a dispute of %s that the list alone knows, or without one when it cannot be read",
    async (known) => {
      const { stage, service } = open([]);
      const untold = {
        amount: undefined,
        frozen: undefined,
        status: undefined,
        contestedAt: undefined,
        dueAt: undefined,
      };
      const about = (infractionId: string, txid: string, analysisStatus: string) => ({
        ...untold,
        infractionId,
        txid,
        analysisStatus,
      });
      stage.listed = [
        about("other", "another", "pending"),
        about("decided", known, "rejected"),
        about("open", known, "pending"),
      ];
      const found = { watchId: "account-1", infractionId: "open" };
      expect((await service.detail(ASKER, TXID)).dispute).toEqual(found);
      stage.failing.set("disputes", failure("timeout"));
      expect(await service.detail(ASKER, TXID)).toMatchObject({ transaction: { txid: TXID } });
      expect((await service.detail(ASKER, TXID)).dispute).toBeUndefined();
    },
  );

  test.each([{ status: "pending" }, { status: "expired" }, { type: "withdrawal" }])(
    "that cannot be contested, as with %j, costs no look at the disputes",
    async (payment) => {
      const { stage, service } = open([]);
      stage.payment = payment;
      await service.detail(ASKER, TXID);
      expect(stage.reads).toEqual([`detail ${TXID}`]);
    },
  );

  test.each([
    [failure("not_found", 404), "transaction_not_found"],
    [failure("invalid_request", 400), "transaction_not_found"],
    [failure("invalid_request"), "txid_unreadable"],
  ] as const)("that fails with %s is %s", async (error, kind) => {
    const { stage, service } = open([]);
    stage.failing.set("detail", error);
    expect(await refusal(service.detail(ASKER, "a b"))).toMatchObject({ kind });
  });

  test("that the service cannot answer for is no missing one", async () => {
    const { stage, service } = open([]);
    stage.failing.set("detail", failure("timeout"));
    await expect(service.detail(ASKER, TXID)).rejects.toMatchObject({ kind: "timeout" });
  });
});

describe("suggestions", () => {
  test("of a hundred key presses cost one read of the first page, after all other reads", async () => {
    const { stage, service } = open(sales(60));
    for (let press = 0; press < 100; press += 1) {
      stage.nowMs += 200;
      await service.suggest(ASKER, "s".repeat(press % 2));
    }
    expect(stage.reads).toEqual(["background 1"]);
    stage.nowMs += 30 * SECOND;
    expect(await service.suggest(ASKER, "")).toHaveLength(20);
    expect(stage.reads).toEqual(["background 1", "background 1"]);
  });

  test("of presses at the same moment share one read", async () => {
    const { stage, service } = open(sales(3));
    await Promise.all(["", "a", "b"].map((typed) => service.suggest(ASKER, typed)));
    expect(stage.reads).toEqual(["background 1"]);
  });

  test("are at most 25, newest first, and match what was typed", async () => {
    const { service } = open(sales(60).toReversed(), 60);
    const all = ids(await service.suggest(ASKER, ""));
    expect(all).toEqual(Array.from({ length: 25 }, (_, n) => `s${n}`));
    expect(ids(await service.suggest(ASKER, " S59 "))).toEqual(["s59"]);
  });

  test("are sales, or those that can be refunded, or everything", async () => {
    const { service } = open([
      sampleRow({ txid: "sold" }),
      sampleRow({ txid: "back", status: "refunded" }),
      sampleRow({ txid: "untold", status: undefined }),
      sampleRow({ txid: "out", type: "withdrawal" }),
    ]);
    expect(ids(await service.suggest(ASKER, ""))).toEqual(["sold", "back", "untold"]);
    expect(ids(await service.suggest(ASKER, "", "refundable"))).toEqual(["sold", "untold"]);
    expect(ids(await service.suggest(ASKER, "", "all"))).toHaveLength(4);
    const unpaid = ["pending", "expired"].map((status) => sampleRow({ txid: status, status }));
    const paid = open([...unpaid, sampleRow(), sampleRow({ txid: "back", status: "refunded" })]);
    expect(ids(await paid.service.suggest(ASKER, "", "paid"))).toEqual([TXID, "back"]);
  });

  test.each(["unauthorized", "malformed", "rate_limited"] as const)(
    "are none when the list is %s, and the next key press asks nothing",
    async (kind) => {
      const { stage, service } = open(sales(3));
      stage.failing.set("1", failure(kind));
      expect(await service.suggest(ASKER, "")).toEqual([]);
      expect(await service.suggest(ASKER, "s")).toEqual([]);
      expect(stage.reads).toHaveLength(1);
    },
  );

  test("keep what was known while the service fails, and are none for people without a key", async () => {
    const { stage, service } = open(sales(3));
    await service.suggest(ASKER, "");
    stage.nowMs += MINUTE;
    stage.failing.set("1", failure("timeout"));
    expect(await service.suggest(ASKER, "")).toHaveLength(3);
    stage.connected = false;
    expect(await service.suggest(ASKER, "")).toEqual([]);
  });
});

test("the products of recent sales cost what suggestions cost, and are none when those fail", async () => {
  const { stage, service } = open([
    sampleRow(),
    sampleRow({ txid: "bare", description: undefined }),
  ]);
  await service.suggest(ASKER, "");
  expect(await service.products(ASKER)).toEqual(new Map([[TXID, "Plano VIP mensal"]]));
  expect(stage.reads).toHaveLength(1);
  stage.connected = false;
  expect(await service.products(ASKER)).toEqual(new Map());
});

test("a sale that was chosen for a proof is its person's in its guild alone, for a quarter of an hour", () => {
  const { stage, service } = open([]);
  service.choose(ASKER, "first");
  service.choose(ASKER, TXID);
  expect(service.chosen(ASKER)).toBe(TXID);
  expect(service.chosen({ ...ASKER, userId: "u2" })).toBeUndefined();
  expect(service.chosen({ ...ASKER, guildId: "g2" })).toBeUndefined();
  stage.nowMs += 15 * MINUTE;
  expect(service.chosen(ASKER)).toBeUndefined();
});
