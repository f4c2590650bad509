import { setImmediate } from "node:timers/promises";
import type { ParseResult } from "./operation.ts";
import { optionalOrIgnored, wireTime } from "./wire.ts";
import { isRefusedKey, WalletError } from "../shared/errors.ts";
import { keepEach } from "../shared/keep-newest.ts";

/** Levels that are searched for arrays: the root, and the named objects in it. */
const LEVELS = 2;

/** The start of PIX. An earlier time is a zero, or seconds taken for milliseconds, and would make a page look old. */
const EARLIEST = Temporal.Instant.from("2020-11-01T00:00:00Z");

/** A time of an item, ignored when it is impossible. */
export const listedTime = optionalOrIgnored(
  wireTime.refine((instant) => Temporal.Instant.compare(instant, EARLIEST) >= 0),
);

/** Names of amounts in the order of their trust, the documented name first. */
export const amountNames = {
  amount: ["amount", "value", "totalAmount"],
  net: ["netAmount", "net", "netValue"],
} as const;

const SNAKE = /_+([a-zA-Z0-9])/g;
/** Names that this bot looks for are far shorter; the search in one of underscores takes time by the square of its length. */
const LONGEST_NAME = 64;
/** The service's objects have a few dozen fields; 100,000 would hold the process for half a second. */
const MOST_FIELDS = 1_000;

/**
 * An object with its names as the document writes them: `due_date` counts as `dueDate`, unless `dueDate` is there
 * too. Any other value, and an object of more than 1,000 fields, is returned unchanged.
 */
export const camelKeys = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const fields: readonly [string, unknown][] = Object.entries(value);
  if (fields.length > MOST_FIELDS) return value;
  const entries = fields.map(([name, each]) => {
    if (name.length > LONGEST_NAME) return [name, each] as const;
    const camel = name.slice(1).replace(SNAKE, (_, letter: string) => letter.toUpperCase());
    return [name.slice(0, 1) + camel, each] as const;
  });
  return { ...Object.fromEntries(entries), ...value };
};

const arraysBelow = (
  holder: object,
  names: readonly string[],
  levels: number,
): readonly (readonly unknown[])[] =>
  Object.entries(holder).flatMap(([name, value]: [string, unknown]) => {
    if (!names.includes(name) || typeof value !== "object" || value === null) return [];
    if (Array.isArray(value)) return [value];
    return levels > 1 ? arraysBelow(value, names, levels - 1) : [];
  });

/**
 * The arrays that may be the list of an answer whose shape is not documented: the root, or the arrays under the
 * names.
 */
export const arraysOf = (
  answer: object,
  names: readonly string[],
): readonly (readonly unknown[])[] =>
  Array.isArray(answer) ? [answer] : arraysBelow(answer, names, LEVELS);

/** Rows of one turn of the event loop, at most 5 ms: a service without pages may answer thousands. */
const ROWS_A_TURN = 50;

/** Reads each row, with turns of the event loop between. */
export const readInTurns = async <Item>(
  rows: readonly unknown[],
  itemOf: (row: unknown) => Item,
): Promise<readonly Item[]> => {
  const items: Item[] = [];
  for (let start = 0; start < rows.length; start += ROWS_A_TURN) {
    if (start > 0) await setImmediate();
    items.push(...rows.slice(start, start + ROWS_A_TURN).map(itemOf));
  }
  return items;
};

/** The rows of a list that could be read, each once. */
interface ListedRows<Item> {
  readonly items: readonly Item[];
  /** Rows without an id. */
  readonly unnamed: number;
  /** Rows of the answer, read or not. */
  readonly shown: number;
}

/**
 * The rows of an answer whose shape is not documented, at the root or in arrays under the names. A row counts when
 * `itemOf` finds its id. A list in which no row has one is unreadable: an empty list would say that there is nothing.
 * @param isLater of two rows of one id; by default the first stays
 */
export const listedRows = async <
  IdName extends string,
  Item extends Readonly<Record<IdName, string>>,
>(
  answer: object,
  names: readonly string[],
  itemOf: (row: unknown) => Item | undefined,
  idName: IdName,
  isLater: (item: Item, before: Item) => boolean = () => false,
): Promise<ParseResult<ListedRows<Item>>> => {
  const arrays = arraysOf(answer, names);
  if (arrays.length === 0) return { ok: false, problems: ["no array where a list was expected"] };
  const rows = arrays.flat();
  const named = (await readInTurns(rows, itemOf)).filter((item) => item !== undefined);
  if (named.length === 0 && rows.length > 0)
    return { ok: false, problems: [`${idName} in no item`] };
  const byId = keepEach(new Map<string, Item>(), named, idName, isLater);
  const unnamed = rows.length - named.length;
  return { ok: true, value: { items: [...byId.values()], unnamed, shown: rows.length } };
};

export type Fields = Readonly<Record<string, unknown>>;

/** How to ask for further pages; `at` gives the query of the page that is `place` places after this one. */
type Paging =
  /** The answer names its next page only. */
  | { readonly kind: "next"; readonly query: string }
  /** The answer says that there is more, and not how to ask for it. */
  | { readonly kind: "unreachable" }
  | {
      readonly kind: "numbered";
      readonly pages: number;
      readonly at: (place: number) => string;
      /** The answer's own number; undefined for a page told by its offset. */
      readonly number: number | undefined;
      /** How many pages stand before this one, where the first page has the number `base`. */
      readonly before: (base: number) => number;
    };

/** One page, with its directions to further pages. */
export interface Paged<Item> {
  readonly items: readonly Item[];
  readonly paging: Paging | undefined;
}

/** Pages read after the first: all reads of an account share one quota. */
const MOST_FURTHER_PAGES = 5;
/** Names under which an answer may describe its pages, besides those of its arrays, up to two levels below the root. */
const PLACES = ["pagination", "paging", "meta", "pageInfo", "page", "links", "_links"];
const NEXT = ["next", "nextPage", "nextPageUrl", "nextUrl", "nextCursor", "nextPageToken"];
const MORE = ["hasMore", "hasNext", "hasNextPage"];
const PAGE = ["page", "currentPage", "pageNumber"];
const PAGES = ["totalPages", "pages", "pageCount", "lastPage"];
const SIZE = ["limit", "perPage", "pageSize", "size"];
const TOTAL = ["total", "totalCount", "totalItems"];
const OFFSET = ["offset", "skip"];

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const placesBelow = (holder: Fields, names: readonly string[]): readonly Fields[] =>
  names.map((name) => camelKeys(holder[name])).filter(isFields);

const query = (fields: Readonly<Record<string, string | number>>): string =>
  new URLSearchParams(
    Object.entries(fields).map(([name, value]) => [name, String(value)]),
  ).toString();

const DIGITS = /^\d{1,9}$/;

const countOf = (value: unknown): number | undefined => {
  const count = typeof value === "string" && DIGITS.test(value) ? Number(value) : value;
  return typeof count === "number" && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
};

/** The first of the names that has a usable value in any of the places, with that value. */
export const firstOf = <T>(
  places: readonly Fields[],
  names: readonly string[],
  as: (value: unknown) => T | undefined,
): { readonly name: string; readonly value: T } | undefined => {
  for (const place of places) {
    for (const name of names) {
      const value = Object.hasOwn(place, name) ? as(place[name]) : undefined;
      if (value !== undefined) return { name, value };
    }
  }
  return undefined;
};

/** A count that names its rows comes first, wherever it stands: `count` may be of the page alone. */
const totalOf = (places: readonly Fields[]): number | undefined =>
  (firstOf(places, TOTAL, countOf) ?? firstOf(places, ["count"], countOf))?.value;

/** The parameter that takes the value back, under each name that tells a cursor from a page's number. */
const CURSORS: Readonly<Record<string, string>> = {
  cursor: "cursor",
  nextCursor: "cursor",
  nextPageToken: "pageToken",
};

/** Only the query of an address is used: no answer leads to another host or operation. */
const queryOfNext = (name: string, value: unknown, route: string): string | undefined => {
  if (isFields(value)) {
    const { href, url, page, cursor } = value;
    const address = href ?? url ?? countOf(page);
    return address === undefined
      ? queryOfNext("cursor", cursor, route)
      : queryOfNext(name, address, route);
  }
  if (typeof value === "number" && countOf(value) !== undefined)
    return query({ [CURSORS[name] ?? "page"]: value });
  if (typeof value !== "string" || value === "") return undefined;
  if (name === "nextPage" && DIGITS.test(value)) return query({ page: value });
  if (!/[/?]/.test(value)) return query({ [CURSORS[name] ?? "cursor"]: value });
  const address = URL.parse(value, `http://wallet${route}`);
  if (address === null || !address.pathname.endsWith(route) || address.search === "")
    return undefined;
  return address.search.slice(1);
};

/** Also in the spellings of services that write all values as texts, or a yes as 1. */
const isTrue = (value: unknown): true | undefined =>
  value === true || value === 1 || value === "true" ? true : undefined;

const isFalse = (value: unknown): true | undefined =>
  value === false || value === 0 || value === "false" ? true : undefined;

const nextOf = (places: readonly Fields[], route: string): Paging | undefined => {
  for (const name of NEXT) {
    const found = firstOf(places, [name], (value) => queryOfNext(name, value, route));
    if (found !== undefined) return { kind: "next", query: found.value };
  }
  const cursor = firstOf(places, ["cursor"], (value) => queryOfNext("cursor", value, route));
  const more = firstOf(places, MORE, isTrue);
  return cursor !== undefined && more !== undefined
    ? { kind: "next", query: cursor.value }
    : undefined;
};

const numberedOf = (
  places: readonly Fields[],
  shown: number,
  asked: string,
): Paging | undefined => {
  const size = firstOf(places, SIZE, countOf);
  const total = totalOf(places);
  const step = size === undefined || size.value === 0 ? shown : size.value;
  const bySize = total === undefined || step === 0 ? undefined : Math.ceil(total / step);
  // A count may be of this page alone: where there is more, it is not the last one. Whether numbers begin at 0 or 1 is
  // not known here: one page too many is taken for short, which costs one reading.
  const isShort = (pages: number | undefined, place: number): boolean =>
    firstOf(places, MORE, isTrue) !== undefined && (pages ?? 0) < place + 2;
  const page = firstOf(places, PAGE, countOf);
  if (page !== undefined) {
    const { name, value: first } = page;
    const counted = firstOf(places, PAGES, countOf)?.value ?? bySize;
    const pages = isShort(counted, first) ? Infinity : counted;
    const named = name === "currentPage" ? "page" : name;
    const at = (place: number): string => query({ [named]: first + place });
    const before = (base: number): number => Math.max(0, first - base);
    return pages === undefined ? undefined : { kind: "numbered", pages, at, number: first, before };
  }
  const offset = firstOf(places, OFFSET, countOf);
  if (bySize === undefined || (offset === undefined && size === undefined)) return undefined;
  const sized = size === undefined ? {} : { [size.name]: step };
  const name = offset?.name ?? "offset";
  const first = offset?.value ?? countOf(new URLSearchParams(asked).get(name)) ?? 0;
  const at = (place: number): string => query({ [name]: first + place * step, ...sized });
  const before = (): number => Math.floor(first / step);
  const pages = isShort(bySize, before()) ? Infinity : bySize;
  return { kind: "numbered", pages, at, number: undefined, before };
};

const isNull = (value: unknown): true | undefined => (value === null ? true : undefined);

/** Whether a value names a further page, readably or not; an object of nulls does not. */
const isNextPage = (value: unknown): true | undefined => {
  const names = isFields(value)
    ? Object.values(value).some((each) => each !== null)
    : value === true ||
      (typeof value === "string" && value !== "") ||
      (typeof value === "number" && value > 0);
  return names || undefined;
};

/** Whether an answer says that rows are missing. A total counts all pages, so only the first can be short of it. */
const saysMore = (places: readonly Fields[], shown: number, asked: string): boolean => {
  if (firstOf(places, MORE, isTrue) !== undefined) return true;
  if (shown > 0 && firstOf(places, NEXT, isNextPage) !== undefined) return true;
  if (asked !== "" || firstOf(places, NEXT, isNull) !== undefined) return false;
  return (firstOf(places, PAGES, countOf)?.value ?? 0) > 1 || (totalOf(places) ?? 0) > shown;
};

/**
 * The directions of an answer to its further pages, where the document shows no paging: a `next` address or cursor, a
 * page number, or an offset. Undefined for a last page and for an answer that does not tell of further ones.
 * @param names those of its arrays, beside which it may describe its pages
 * @param shown number of rows on this page
 * @param asked query that this page answers; it tells the offset where the answer does not
 */
export const pagingOf = (
  answer: object,
  names: readonly string[],
  route: string,
  shown: number,
  asked: string,
): Paging | undefined => {
  const root = camelKeys(answer);
  // An empty page further on is the end.
  if (!isFields(root) || (shown === 0 && asked !== "")) return undefined;
  const all = [...PLACES, ...names];
  const below = placesBelow(root, all);
  const places = [root, ...below, ...below.flatMap((place) => placesBelow(place, all))];
  const ended = firstOf(places, MORE, isFalse);
  if (ended !== undefined) return undefined;
  const found =
    shown === 0 ? undefined : (nextOf(places, route) ?? numberedOf(places, shown, asked));
  // One page, counted by its own rows, leads to no other.
  if (found?.kind === "next" || (found?.kind === "numbered" && found.pages > 1)) return found;
  return saysMore(places, shown, asked) ? { kind: "unreachable" } : undefined;
};

/** Alternates between both ends when only a part can be read: either end may hold the newest items. */
const placesToRead = (pages: number): readonly number[] => {
  const count = Math.max(0, Math.min(pages - 1, MOST_FURTHER_PAGES));
  const isCut = Number.isFinite(pages) && pages - 1 > MOST_FURTHER_PAGES;
  return Array.from({ length: count }, (_, index) => {
    if (!isCut) return index + 1;
    return index % 2 === 0 ? pages - 1 - index / 2 : (index + 1) / 2;
  });
};

/** Whether a page that should be the last one by its number says that there is more. */
const goesOn = (paging: Paging | undefined): boolean =>
  paging?.kind === "numbered" ? !Number.isFinite(paging.pages) : paging !== undefined;

/** Whether a query asks for a page by its place in the list, also where the service itself names it. */
const isNumbered = (asked: string): boolean => {
  const given = new URLSearchParams(asked);
  return [...PAGE, ...OFFSET].some((name) => countOf(given.get(name)) !== undefined);
};

/**
 * The items of the first page and of at most five more, each once. An unreadable page, or a page without new items,
 * ends the search: a service that ignores the query is asked once. `isWhole` tells whether every page was read, and no
 * row moved between them.
 * @param isLater as for `listedRows`
 * @throws WalletError unauthorized
 */
export const withFurtherPages = async <
  IdName extends string,
  Item extends Readonly<Record<IdName, string>>,
>(
  first: Paged<Item>,
  idName: IdName,
  read: (query: string) => Promise<Paged<Item>>,
  isLater: (item: Item, before: Item) => boolean = () => false,
): Promise<{ readonly items: readonly Item[]; readonly isWhole: boolean }> => {
  let isWhole = true;
  const found = new Map<string, Item>(first.items.map((item) => [item[idName], item]));

  /** Undefined ends the search. */
  const add = async (asked: string): Promise<Paged<Item> | undefined> => {
    try {
      const page = await read(asked);
      const newItems = page.items.filter((item) => !found.has(item[idName]));
      const isRepeated = newItems.length < page.items.length;
      keepEach(found, page.items, idName, isLater);
      // A list that moves, or is sorted otherwise, between two of its numbered pages has others on neither.
      if (isRepeated && (isNumbered(asked) || newItems.length === 0)) isWhole = false;
      return newItems.length === 0 ? undefined : page;
    } catch (error) {
      if (!(error instanceof WalletError) || isRefusedKey(error)) throw error;
      isWhole = false;
      return undefined;
    }
  };

  let { paging } = first;
  if (paging?.kind === "numbered") {
    const { pages, at } = paging;
    const isCounted = Number.isFinite(pages);
    let isEnded = isCounted && pages - 1 <= MOST_FURTHER_PAGES;
    for (const place of placesToRead(pages)) {
      const page = await add(at(place));
      if (!isCounted) isEnded = page?.paging === undefined;
      else if (page === undefined ? place < pages - 1 : place === pages - 1 && goesOn(page.paging))
        isEnded = false;
      if (page === undefined || (!isCounted && isEnded)) break;
    }
    isWhole &&= isEnded;
  } else {
    for (let pages = 0; paging?.kind === "next" && pages < MOST_FURTHER_PAGES; pages++)
      paging = (await add(paging.query))?.paging;
    isWhole &&= paging === undefined;
  }
  return { items: [...found.values()], isWhole };
};
