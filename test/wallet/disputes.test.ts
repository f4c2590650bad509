import { describe, expect, test } from "vitest";
import type { Dispute } from "#src/disputes/dispute.ts";
import { getDisputes } from "#src/wallet/disputes.ts";

import {
  nestedLists,
  numberIn,
  PAGE_SIZE,
  pageShapes,
  servePages,
  testListShapes,
  testListTurns,
  unreachablePages,
} from "./undocumented-lists.ts";
import { connectTo, fixture, plain, walletErrorOf, walletKey } from "./wallet-setup.ts";

const page = async (body: unknown) => {
  const { client } = await connectTo({ body: JSON.stringify(body) });
  return client.disputes(walletKey(), "interactive");
};

/** The dispute of a documented answer, changed in its parts. */
const detail = async (
  changes: Readonly<Record<string, object>>,
  name = "med.api.pending",
): Promise<Dispute> => {
  const body = JSON.parse(fixture(name)) as Readonly<Record<string, object>>;
  const changed = Object.entries(changes).map(([part, fields]) => [
    part,
    { ...body[part], ...fields },
  ]);
  const told = JSON.stringify({ ...body, ...Object.fromEntries(changed) });
  const { client } = await connectTo({ body: told });
  return client.dispute(walletKey(), ONE.infractionId, "interactive");
};

const NAMES = { list: "meds", other: "infractions", foreign: "disputas", id: "infractionId" };

const ONE = { infractionId: "b3c5e0f2-66d1" };
const OTHER = { infractionId: "0e8a7d14-92bf" };

describe("the list of disputes", () => {
  testListShapes(NAMES, page, ({ infractionId }) => infractionId);
  testListTurns(NAMES, getDisputes);

  test("is whole, when it is empty", async () => {
    expect(await page([])).toEqual({ items: [], unnamed: 0, isWhole: true });
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

  test.each([
    ["rejected", { status: "disagreed", analysisStatus: "rejected" }],
    ["cancelled", { status: "canceled", analysisStatus: "pending" }],
  ])("has one that is listed twice as it stands beside its %s row", async (_, over) => {
    const open = { ...ONE, status: "canceled", analysisStatus: "accepted" };
    const rows = [{ ...ONE, ...over }, open];
    expect((await page(rows)).items).toEqual([open]);
    expect((await page(rows.toReversed())).items).toEqual([open]);
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

test("words of a listed dispute are read in capitals too, and others stay as they came", async () => {
  const said = [
    ["PENDING", "Rejected"],
    [" Canceled ", "ACCEPTED"],
    ["Em análise", "IN_REVIEW"],
  ];
  const { items } = await page(
    said.map(([status, analysisStatus], index) => ({
      infractionId: `d${index}`,
      status,
      analysisStatus,
    })),
  );
  expect(items.map(({ status, analysisStatus }) => [status, analysisStatus])).toEqual([
    ["pending", "rejected"],
    ["canceled", "accepted"],
    ["Em análise", "IN_REVIEW"],
  ]);
});

const paged = async (count: number, pageOf: Parameters<typeof servePages>[1]) => {
  const { client, asked } = await servePages(count, pageOf);
  // Of a person: six readings of a job would be spread over seconds.
  const { items, isWhole } = await client.disputes(walletKey(), "interactive");
  return { asked, isWhole, ids: items.map(({ infractionId }) => infractionId) };
};

const rowsFrom = (ids: readonly string[], from: number) =>
  ids.slice(from, from + PAGE_SIZE).map((infractionId) => ({ infractionId }));

describe("S12: a list in pages", () => {
  test.each(pageShapes(NAMES, "/v1/meds"))("is followed by %s", async (_shape, pageOf) => {
    const { ids, asked, isWhole } = await paged(25, pageOf);
    expect(isWhole).toBe(true);
    expect(ids.toSorted()).toEqual(
      Array.from({ length: 25 }, (_, index) => `r${index}`).toSorted(),
    );
    expect(asked).toHaveLength(3);
  });

  test("that is long is read at both ends, within a bound, and is not whole", async () => {
    const { ids, asked, isWhole } = await paged(200, (query, all) => {
      const at = numberIn(query, "page", 1);
      return { meds: rowsFrom(all, (at - 1) * PAGE_SIZE), page: at, totalPages: 20 };
    });
    expect(asked).toEqual(["", "?page=20", "?page=2", "?page=19", "?page=3", "?page=18"]);
    expect(ids).toContain("r199");
    expect(isWhole).toBe(false);
  });

  test("is not followed by a service that does not know the query, nor to another operation", async () => {
    const same = await paged(25, (_, ids) => ({ meds: rowsFrom(ids, 0), page: 1, totalPages: 3 }));
    expect(same).toMatchObject({ asked: ["", "?page=2"], isWhole: false });
    expect(same.ids).toHaveLength(PAGE_SIZE);
    const next = await paged(25, (_, ids) => ({ meds: rowsFrom(ids, 0), next: "/v1/balance?x=1" }));
    expect(next.asked).toEqual([""]);
  });

  test.each(unreachablePages("/v1/meds"))(
    "that says by %s that there is more, without the way to it, is not whole",
    async (_, more) => {
      const read = await paged(3, (_query, all) => ({ meds: rowsFrom(all, 0), ...more }));
      expect(read).toMatchObject({ asked: [""], isWhole: false });
      expect(read.ids).toHaveLength(3);
    },
  );

  test.each(nestedLists(NAMES))(
    "that says beside %s.%s that there is more is not whole",
    async (place, inner) => {
      const read = await page({ [place]: { [inner]: [ONE, OTHER], hasMore: true } });
      expect(read).toMatchObject({ items: [ONE, OTHER], isWhole: false });
    },
  );

  test.each([
    [{ total: 2 }, false],
    [{ totalPages: 2 }, false],
    [{ hasMore: true }, false],
    [{ total: 0, next: "/v1/meds?page=2" }, true],
  ])("that is empty beside %j is whole: %j", async (parts, whole) => {
    expect(await paged(0, () => ({ meds: [], ...parts }))).toMatchObject({ isWhole: whole });
  });

  test.each([
    ["says that there is no more", { hasMore: false, total: 137 }],
    ["says in words that there is no more", { hasMore: "false", nextCursor: "m2" }],
    ["says in digits that there is no more", { has_more: 0, next_cursor: "m2" }],
    ["says that there is no next page", { next: null, total: 137 }],
    ["shows all that it counts", { total: 3 }],
    ["counts one page", { totalPages: 1, limit: 3 }],
    ["counts fewer than it shows", { count: 1 }],
    ["shows a next page without anything in it", { count: 3, next: { page: null } }],
  ])("that %s is whole", async (_, parts) => {
    const read = await paged(3, (_query, all) => ({ meds: rowsFrom(all, 0), ...parts }));
    expect(read).toMatchObject({ asked: [""], isWhole: true });
  });

  test("by number is not whole where a page repeats a row: another one has moved past the reading", async () => {
    const { ids, isWhole } = await paged(20, (query, all) => {
      const at = numberIn(query, "page", 1);
      const moved = at === 1 ? all : ["new", ...all];
      const meds = rowsFrom(moved, (at - 1) * PAGE_SIZE);
      return { meds, page: at, totalPages: Math.ceil(moved.length / PAGE_SIZE) };
    });
    expect(ids).not.toContain("r19");
    expect(isWhole).toBe(false);
  });

  test.each([{ next: "/v1/meds?page=2" }, { nextPage: 2 }, { next: "/v1/meds?offset=10" }])(
    "by %j is not whole where a page repeats a row: another one has changed places with it",
    async (next) => {
      const { ids, isWhole } = await paged(20, (query, all) => {
        if (query.size === 0) return { meds: rowsFrom(all, 0), ...next };
        return { meds: rowsFrom(["r9", ...all.slice(11)], 0) };
      });
      expect(ids).not.toContain("r10");
      expect(isWhole).toBe(false);
    },
  );

  test("by cursor has one that it repeats open on a further page as it stands there", async () => {
    const closed = { ...ONE, status: "canceled", analysisStatus: "pending" };
    const lost = { ...closed, analysisStatus: "accepted" };
    const { client } = await servePages(0, (query) =>
      query.size === 0 ? { meds: [closed], nextCursor: "b" } : { meds: [OTHER, lost] },
    );
    const { items, isWhole } = await client.disputes(walletKey(), "interactive");
    expect(isWhole).toBe(true);
    expect(items).toEqual([lost, OTHER]);
  });

  test("is not whole where its last counted page says that there is more", async () => {
    const { asked, isWhole } = await paged(35, (query, all) => {
      const page = numberIn(query, "page", 1);
      const meds = rowsFrom(all, (page - 1) * PAGE_SIZE);
      return { meds, page, totalPages: 3, hasMore: page < 4 };
    });
    expect(asked).toEqual(["", "?page=2", "?page=3"]);
    expect(isWhole).toBe(false);
  });

  test("of as many pages as are read is whole", async () => {
    const { ids, isWhole } = await paged(60, (query, all) => {
      const at = numberIn(query, "page", 1);
      return { meds: rowsFrom(all, (at - 1) * PAGE_SIZE), page: at, totalPages: 6 };
    });
    expect(ids).toHaveLength(60);
    expect(isWhole).toBe(true);
  });

  test("is not whole where a counted page before its last one comes empty", async () => {
    const { asked, isWhole } = await paged(25, (query, all) => {
      const page = numberIn(query, "page", 1);
      return { meds: page === 2 ? [] : rowsFrom(all, (page - 1) * PAGE_SIZE), page, totalPages: 3 };
    });
    expect(asked).toEqual(["", "?page=2"]);
    expect(isWhole).toBe(false);
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
      expect(ids).toHaveLength(PAGE_SIZE);
      expect(asked).toHaveLength(2);
    },
  );
});

describe("one dispute", () => {
  test("is read whatever its situation says, however long that is", async () => {
    const read = await detail({ med: { situationType: "🧾FRAUDE ".repeat(100) } });
    expect(Array.from(read.situation)).toHaveLength(256);
  });

  test("tells the txid of its sale though the rest of the sale cannot be read", async () => {
    const read = await detail({ originalTransaction: { txid: "of-the-sale", fee: null } });
    expect(read).toMatchObject({ sale: undefined, saleTxid: "of-the-sale" });
  });

  test.each(["a b", "../balance", "..", "", "a".repeat(65), "a\u202eb", 7])(
    "under the id %j, by which it could not be asked for again, is unreadable",
    async (infractionId) => {
      const read = detail({ med: { infractionId } });
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

test.each([
  ["Camila Souza", "Camila Souza"],
  [
    { id: 7, name: "Camila Souza", email: "camila@example.com" },
    "Camila Souza, camila@example.com",
  ],
  [{ name: "", email: "camila@example.com" }, "camila@example.com"],
  [{ id: 7 }, undefined],
  ["", undefined],
  [["Camila"], undefined],
  [7, undefined],
])("the buyer of a contested sale, given as %j, is kept as text", async (buyer, text) => {
  const { sale } = await detail(
    { originalTransaction: { buyer } },
    "med.esales.disagreed-rejected",
  );
  expect(sale?.buyer).toBe(text);
});

describe("the refund of a dispute", () => {
  const refundOf = async (refund: unknown) => (await detail({ med: { refund } })).refund;

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
