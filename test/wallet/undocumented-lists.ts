import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import type { WalletClient } from "#src/wallet/client.ts";
import type { Send } from "#src/wallet/operation.ts";
import { listenOnLoopback } from "./answering-server.ts";
import { connectClient, walletErrorOf } from "./wallet-setup.ts";

type Row = Readonly<Record<string, string>>;

interface ListNames {
  /** The name under which the service's document puts the list, and another usual one. */
  readonly list: string;
  readonly other: string;
  /** A name under which the list is not looked for. */
  readonly foreign: string;
  readonly id: string;
}

/** The tests of the places at which a list may stand whose shape the document does not show. A row has its id alone. */
export const testListPlaces = (
  { list, other, foreign }: Omit<ListNames, "id">,
  rows: readonly [Row, Row],
  idsOf: (body: unknown) => Promise<readonly string[]>,
): void => {
  const ids = rows.flatMap((row) => Object.values(row));

  test.each<readonly [place: string, body: unknown]>([
    ["the root", rows],
    [list, { success: true, [list]: rows }],
    [other, { [other]: rows }],
    ["data", { success: true, data: rows }],
    ["items", { items: rows, total: 2 }],
    ["results", { results: rows, next: null }],
    [`data.${list}`, { success: true, data: { [list]: rows, page: 1 } }],
    [`${list}.items`, { [list]: { items: rows } }],
    [`${list}, beside arrays of other things`, { [list]: rows, links: ["a"], errors: [{}] }],
  ])("is found at %s", async (_place, body) => {
    expect(await idsOf(body)).toEqual(ids);
  });

  test.each([[[]], [{ success: true, [list]: [] }], [{ data: { items: [] } }]])(
    "may be empty, as in %j",
    async (body) => {
      expect(await idsOf(body)).toEqual([]);
    },
  );

  test.each([
    ["no array", { success: true }],
    ["an object where the array should be", { [list]: { 0: rows[0] } }],
    ["an array too deep", { data: { data: { items: rows } } }],
    ["an array under another name", { success: true, [foreign]: rows }],
    ["rows of which none has an id", { [list]: [{ codigo: ids[0] }] }],
    ["success that is no boolean", { success: "yes", [list]: rows }],
  ])("with %s is unreadable, never empty", async (_fault, body) => {
    expect((await walletErrorOf(idsOf(body))).kind).toBe("malformed");
  });

  test("that is refused is a refusal, whatever stands beside it", async () => {
    const refused = idsOf({ success: false, message: "Não.", [list]: rows });
    expect((await walletErrorOf(refused)).kind).toBe("refused");
  });
};

const LONG = 1_000;

/** A list without pages may have thousands of rows: read at once they would hold up all answers to people. */
export const testListTurns = (
  { list, id }: Pick<ListNames, "list" | "id">,
  get: (send: Send) => Promise<{ readonly items: readonly unknown[] }>,
): void => {
  test("of many rows is read with turns of the event loop between", async () => {
    const rows = Array.from({ length: LONG }, (_, index) => ({ [id]: `r${index}` }));
    let [turns, isDone] = [0, false];
    const countTurns = (): void => {
      turns++;
      if (!isDone) setImmediate(countTurns);
    };
    setImmediate(countTurns);
    const { items } = await get(async ({ read }) => {
      const page = await read({ success: true, [list]: rows }, { skewMs: undefined });
      if (!page.ok) throw new Error(page.problems.join());
      return page.value;
    });
    isDone = true;
    expect(items).toHaveLength(LONG);
    expect(turns).toBeGreaterThanOrEqual(10);
  });
};

/** The same of a list in several places, and of which single rows may be unreadable. */
export const testListShapes = <Item>(
  names: ListNames,
  page: (body: unknown) => Promise<{ readonly items: readonly Item[]; readonly unnamed: number }>,
  idOf: (item: Item) => string,
): void => {
  const { list, id } = names;
  const ids = ["a41f07c98e2d", "w7e20b8d5f31"] as const;
  const rows = [{ [id]: ids[0] }, { [id]: ids[1] }] as const;
  const idsOf = async (body: unknown): Promise<readonly string[]> => {
    const { items, unnamed } = await page(body);
    expect(unnamed).toBe(0);
    return items.map(idOf);
  };

  testListPlaces(names, rows, idsOf);

  test.each([
    ["two places together", { [list]: [rows[0]], data: [rows[1]] }],
    ["two places, once each", { [list]: rows, data: { items: rows.toReversed() } }],
  ])("is found at %s", async (_place, body) => {
    expect(await idsOf(body)).toEqual(ids);
  });

  test("counts the rows that have no id of use, and keeps the others", async () => {
    const useless = ["../balance", "a b", "..", 7].map((each) => ({ [id]: each }));
    const { items, unnamed } = await page([rows[0], {}, null, "0e8a7d14-92bf", ...useless]);
    expect(items.map(idOf)).toEqual([ids[0]]);
    expect(unnamed).toBe(7);
  });
};

/** The answer to a query of a service that has these ids. */
type PageOf = (query: URLSearchParams, ids: readonly string[]) => object;

/** A service with the rows `r0`, `r1`, ..., its client, and the queries that it was asked. */
export const servePages = async (
  count: number,
  pageOf: PageOf,
): Promise<{
  readonly client: WalletClient;
  readonly asked: string[];
  readonly ids: readonly string[];
}> => {
  const ids = Array.from({ length: count }, (_, index) => `r${index}`);
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { search, searchParams } = new URL(request.url ?? "", "http://wallet");
    asked.push(search);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(pageOf(searchParams, ids)));
  });
  const { port, stop } = await listenOnLoopback(server);
  onTestFinished(stop);
  const { client } = connectClient(`http://127.0.0.1:${port}`);
  return { client, asked, ids };
};

export const PAGE_SIZE = 10;

export const numberIn = (query: URLSearchParams, name: string, otherwise: number): number =>
  Number(query.get(name) ?? otherwise);

/** What an answer may say of further pages without the way to them. */
export const unreachablePages = (route: string): readonly (readonly [string, object])[] => [
  ["hasMore", { hasMore: true }],
  ["hasMore in words", { hasMore: "true" }],
  ["hasMore in digits", { has_more: 1 }],
  ["has_next_page below", { pagination: { has_next_page: true } }],
  ["a total", { total: 137 }],
  ["a total below", { meta: { total_count: "137" } }],
  ["a total two levels below", { data: { meta: { total: 137 } } }],
  ["a total beside a greater limit", { page: 1, limit: 200, total: 137 }],
  ["a number of pages", { totalPages: 3 }],
  ["a number of pages below", { meta: { last_page: "3" } }],
  ["a number of pages beside a limit", { pagination: { pages: 3, limit: PAGE_SIZE } }],
  ["a number of pages beside the count of its own rows", { count: 2, limit: 2, pages: 3 }],
  ["a next page that is another operation", { next: "/v1/balance?x=1" }],
  ["a next page that is only said to be there", { next: true }],
  ["a next page without a query", { _links: { next: { href: route } } }],
  ["a cursor that is too large a number to be sent back", { nextCursor: 2 ** 60 }],
  ["a next page without its number", { count: 2, pagination: { next: { limit: PAGE_SIZE } } }],
];

/** Names under which a list is looked for, with what its answer says of further pages beside it there. */
export const nestedLists = ({ list, other }: ListNames): readonly (readonly [string, string])[] => [
  [list, "items"],
  [other, "items"],
  ["data", list],
  ["items", "data"],
  ["results", list],
];

/** Lists of up to three pages, in all ways in which an answer may lead to the next page. */
export const pageShapes = (
  { list, other, id }: ListNames,
  route: string,
): readonly (readonly [shape: string, pageOf: PageOf])[] => {
  const rowsFrom = (ids: readonly string[], from: number) =>
    ids.slice(from, from + PAGE_SIZE).map((each) => ({ [id]: each }));
  const numbered =
    (base: number, shown: (rows: readonly object[], at: number, total: number) => object): PageOf =>
    (query, ids) => {
      const at = numberIn(query, "page", base);
      return shown(rowsFrom(ids, (at - base) * PAGE_SIZE), at, ids.length);
    };
  const stepped =
    (
      name: string,
      shown: (
        rows: readonly object[],
        from: number,
        next: number | undefined,
        total: number,
      ) => object,
    ): PageOf =>
    (query, ids) => {
      const from = Number(query.get(name)?.replace("c", "") ?? 0);
      const next = from + PAGE_SIZE < ids.length ? from + PAGE_SIZE : undefined;
      return shown(rowsFrom(ids, from), from, next, ids.length);
    };
  return [
    ["page of totalPages", numbered(1, (rows, page) => ({ [list]: rows, page, totalPages: 3 }))],
    [
      "numbers as text",
      numbered(1, (rows, at) => ({ [list]: rows, meta: { page: String(at), totalPages: "3" } })),
    ],
    [
      "pagination with current_page from 0 and a total",
      numbered(0, (data, at, total) => ({
        data,
        pagination: { current_page: at, per_page: PAGE_SIZE, total },
      })),
    ],
    [
      "offset, limit and total",
      stepped("offset", (items, offset, _, total) => ({ items, offset, limit: PAGE_SIZE, total })),
    ],
    [
      "limit and total, without saying the offset",
      stepped("offset", (rows, _from, _next, total) => ({ [list]: rows, limit: PAGE_SIZE, total })),
    ],
    [
      "offset and total, without saying the limit",
      stepped("offset", (items, offset, _, total) => ({ items, offset, total })),
    ],
    [
      "a next address",
      stepped("from", (results, _, next) => ({
        results,
        next: next === undefined ? null : `${route}?from=${next}`,
      })),
    ],
    [
      "a next address with another host, of which the query is taken",
      stepped("from", (items, _, next) => ({
        items,
        _links:
          next === undefined
            ? {}
            : { next: { href: `https://elsewhere.example${route}?from=${next}` } },
      })),
    ],
    [
      "a cursor",
      stepped("cursor", (rows, _, next) => ({
        [list]: rows,
        nextCursor: next === undefined ? undefined : `c${next}`,
      })),
    ],
    [
      "a cursor beside the rows",
      stepped("cursor", (items, _, next) => ({
        [list]: { items, next_cursor: next === undefined ? undefined : `c${next}` },
      })),
    ],
    [
      "the number of the next page",
      numbered(1, (rows, at) => ({ [other]: rows, nextPage: at < 3 ? at + 1 : null })),
    ],
    [
      "a cursor, beside the total of all pages",
      stepped("cursor", (rows, _, next, total) => ({
        [list]: rows,
        total,
        hasMore: next !== undefined,
        nextCursor: next === undefined ? undefined : `c${next}`,
      })),
    ],
    [
      "a cursor alone, beside the total of all pages",
      stepped("cursor", (rows, _, next, total) => ({
        [list]: rows,
        total,
        ...(next !== undefined && { nextCursor: `c${next}` }),
      })),
    ],
    [
      "hasMore beside a page",
      numbered(1, (rows, page) => ({ [list]: rows, page, hasMore: page < 3 })),
    ],
    ...[0, 1].map((base): readonly [string, PageOf] => [
      `hasMore beside a page from ${base} and the count of its own rows`,
      numbered(base, (rows, page) => ({
        [list]: rows,
        page,
        limit: PAGE_SIZE,
        count: rows.length,
        hasMore: page < base + 2,
      })),
    ]),
    [
      "hasMore beside an offset and the count of its own rows",
      stepped("offset", (items, offset, next) => ({
        items,
        offset,
        limit: PAGE_SIZE,
        count: items.length,
        hasMore: next !== undefined,
      })),
    ],
    [
      "the total below the count of its own rows",
      numbered(1, (data, page, total) => ({
        count: data.length,
        data,
        pagination: { page, limit: PAGE_SIZE, total },
      })),
    ],
    [
      "a next page with its number, beside the count of its own rows",
      numbered(1, (data, page) => ({
        count: data.length,
        data,
        pagination: page < 3 ? { next: { page: page + 1, limit: PAGE_SIZE } } : {},
      })),
    ],
    [
      "a next page with its cursor",
      stepped("cursor", (rows, _, next) => ({
        [list]: rows,
        count: rows.length,
        next: next === undefined ? null : { cursor: `c${next}` },
      })),
    ],
    [
      "a next page with its cursor, a number",
      stepped("cursor", (rows, _, next) => ({
        [list]: rows,
        next: next === undefined ? null : { cursor: next },
      })),
    ],
    [
      "a cursor that is a number",
      stepped("cursor", (rows, _, next) => ({ [list]: rows, nextCursor: next })),
    ],
    [
      "a page token that is a number",
      stepped("pageToken", (rows, _, next) => ({ [list]: rows, nextPageToken: next })),
    ],
  ];
};
