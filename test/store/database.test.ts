import { sql } from "kysely";
import { afterEach, describe, expect, test } from "vitest";
import { databases, openTestDatabase, standingClock } from "../support/databases.ts";

const clock = standingClock("2026-11-19T12:00:00Z");

describe.each(databases)("a database on $name", ({ create }) => {
  test("opens", async () => {
    const { url, drop } = await create();
    const database = await openTestDatabase(url, clock);
    const { rows } = await sql`select count(*) as c, 1 as d from outbox`.execute(database.db);
    expect(rows).toEqual([{ c: 0, d: 1 }]);
    await database.close();
    const again = await openTestDatabase(url, clock, { leaseClock: undefined });
    console.log(String(await again.leaseNow()));
    await again.close();
    await drop();
  });
});
