import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { DAY, MINUTE } from "#src/shared/duration.ts";
import { guardsStore } from "#src/store/guards.ts";
import { databases, openTestDatabase, standingClock } from "../support/databases.ts";
import { ANA, later, NOON, noticeTo } from "./builders.ts";
import { writeOldDatabase } from "./old-database.ts";

const OLD_VERSION = 3;
const clock = standingClock(NOON.toString());

describe.each(databases)(
  "S9: a PIN that was locked before locks grew, on $name",
  ({ createEmpty }) => {
    test("stays locked, and its next lock is the first in a row", async () => {
      const database = await createEmpty();
      await writeOldDatabase(database.url, OLD_VERSION, async (db) => {
        await sql`
        insert into money_guard (owner_id, pin_hash, pin_salt, pin_wrong_tries, pin_locked_until, new_key_wait)
        values (${ANA}, 'hash', 'salt', 5, '2026-11-20T12:15:00.000Z', 0)
      `.execute(db);
      });
      const { db, close } = await openTestDatabase(database.url, clock);
      const guards = guardsStore(db);
      const lockedUntil = Temporal.Instant.from("2026-11-20T12:15:00Z");
      expect((await guards.find(ANA))?.pin).toMatchObject({ wrongTries: 5, lockedUntil });

      const rule = { tries: 1, waitsMs: [MINUTE, DAY] };
      const attempt = (at: Temporal.Instant) =>
        guards.reservePinTry(ANA, rule, at, () => noticeTo(ANA, `guard|${at.toString()}`));
      expect(await attempt(lockedUntil.subtract({ seconds: 1 }))).toMatchObject({ kind: "locked" });
      expect(await attempt(later(DAY))).toMatchObject({ lockedUntil: later(DAY + MINUTE) });
      await close();
      await database.drop();
    });
  },
);
