import fc from "fast-check";
import { type Kysely, sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  flagOf,
  instantOf,
  optionalInstantOf,
  storedDay,
  storedFlag,
  storedInstant,
  storedTime,
} from "#src/database/columns.ts";
import type { OpenDatabase } from "#src/database/database.ts";
import {
  databases,
  openTestDatabase,
  standingClock,
  type TestDatabase,
} from "../support/databases.ts";
import { wholeCharacter } from "../support/any-text.ts";

interface Scratch {
  readonly scratch: {
    id: number;
    text: string;
    amount: number;
    flag: number;
    maybe: string | null;
  };
}

const instant = fc
  .integer({ min: Date.UTC(2000, 0), max: Date.UTC(2100, 0) })
  .map((ms) => Temporal.Instant.fromEpochMilliseconds(ms));
const centavos = fc.oneof(
  fc.maxSafeInteger(),
  fc.constantFrom(0, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER),
);
/** Without U+0000, which PostgreSQL refuses in a text: stored values never contain it. */
const text = fc.string({ unit: wholeCharacter }).filter((value) => !value.includes("\0"));
const snowflake = fc.bigInt({ min: 10n ** 16n, max: 2n ** 64n - 1n }).map(String);

describe.each(databases)("a column on $name", ({ createEmpty }) => {
  let empty: TestDatabase;
  let open: OpenDatabase;
  let db: Kysely<Scratch>;

  beforeAll(async () => {
    empty = await createEmpty();
    open = await openTestDatabase(empty.url, standingClock("2026-11-19T12:00:00Z"));
    db = open.db as unknown as Kysely<Scratch>;
    await db.schema
      .createTable("scratch")
      .addColumn("id", "integer", (column) => column.primaryKey())
      .addColumn("text", "text", (column) => column.notNull())
      .addColumn("amount", "bigint", (column) => column.notNull())
      .addColumn("flag", "integer", (column) => column.notNull())
      .addColumn("maybe", "text")
      .execute();
  });
  afterAll(async () => {
    await open.close();
    await empty.drop();
  });

  const stored = async (row: Partial<Scratch["scratch"]>): Promise<Scratch["scratch"]> => {
    await db.deleteFrom("scratch").execute();
    const whole = { id: 1, text: "", amount: 0, flag: 0, maybe: null, ...row };
    await db.insertInto("scratch").values(whole).execute();
    return db.selectFrom("scratch").selectAll().executeTakeFirstOrThrow();
  };

  test("gives every value back as it was", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          text: fc.oneof(text, snowflake),
          amount: centavos,
          flag: fc.boolean(),
          at: fc.option(instant),
        }),
        async ({ text: given, amount, flag, at }) => {
          const row = await stored({
            text: given.toWellFormed(),
            amount,
            flag: storedFlag(flag),
            maybe: at && storedInstant(at),
          });
          expect(row.text).toBe(given.toWellFormed());
          expect(row.amount).toBe(amount === 0 ? 0 : amount);
          expect(flagOf(row.flag === 1 ? 1 : 0)).toBe(flag);
          expect(optionalInstantOf(row.maybe)?.epochMilliseconds).toBe(at?.epochMilliseconds);
        },
      ),
      { numRuns: 200 },
    );
  });

  test("sorts instants by time", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(instant, { selector: String, minLength: 2, maxLength: 6 }),
        async (instants) => {
          await db.deleteFrom("scratch").execute();
          const rows = instants.map((at, id) => ({
            id,
            text: storedInstant(at),
            amount: 0,
            flag: 0,
          }));
          await db.insertInto("scratch").values(rows).execute();
          const sorted = await db.selectFrom("scratch").select("text").orderBy("text").execute();
          expect(sorted.map((row) => instantOf(row.text).epochMilliseconds)).toEqual(
            instants.map((at) => at.epochMilliseconds).toSorted((one, other) => one - other),
          );
        },
      ),
      { numRuns: 50 },
    );
  });

  test("takes no integer that a number cannot hold", async () => {
    await expect(stored({ amount: 0.5 })).rejects.toThrow();
    await expect(stored({ amount: Number.NaN })).rejects.toThrow();
    await expect(stored({ amount: Number.POSITIVE_INFINITY })).rejects.toThrow();
  });

  test("counts in numbers", async () => {
    await stored({});
    const { rows } =
      await sql`select count(*) as counted, max(amount) as largest from scratch`.execute(db);
    expect(rows).toEqual([{ counted: 1, largest: 0 }]);
  });
});

describe("a stored value", () => {
  test("is an instant in UTC with milliseconds, later parts cut off", () => {
    const at = Temporal.Instant.from("2026-11-18T21:05:00.123999999-03:00");
    expect(storedInstant(at)).toBe("2026-11-19T00:05:00.123Z");
  });

  test("is no instant whose text would not sort", () => {
    expect(() => storedInstant(Temporal.Instant.from("+010000-01-01T00:00:00Z"))).toThrow(
      RangeError,
    );
    expect(() => storedInstant(Temporal.Instant.from("-000001-01-01T00:00:00Z"))).toThrow(
      RangeError,
    );
  });

  test("is a day without a calendar and an hour to the minute", () => {
    expect(storedDay(Temporal.PlainDate.from("2026-11-18[u-ca=buddhist]"))).toBe("2026-11-18");
    expect(storedTime(Temporal.PlainTime.from("21:05:59"))).toBe("21:05");
  });
});
