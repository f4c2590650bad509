import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { NONE_UNLISTED } from "#src/domain/dispute-unlisted.ts";
import { accountsStore } from "#src/store/accounts.ts";
import { disputeWatch } from "#src/store/dispute-watch.ts";
import { outboxStore } from "#src/store/outbox.ts";
import { pixKeyBook } from "#src/store/pix-key-book.ts";
import { openVault } from "#src/store/vault.ts";
import { databases, openTestDatabase, standingClock, testRandom } from "../support/databases.ts";
import { ANA, GUILD, later, NOON } from "./builders.ts";
import { alertTo, newDispute } from "./dispute-builders.ts";
import { OLD_ACCOUNT, oldReport, writeOldDatabase } from "./old-database.ts";
import { testRing, WALLET } from "./use-store.ts";
import { PIX_KEY } from "./withdraw-builders.ts";

const clock = standingClock(NOON.toString());

describe.each(databases)("a database of the second version on $name", ({ createEmpty }) => {
  test("keeps what it has, and its accounts are asked for disputes, which go to their owners", async () => {
    const database = await createEmpty();
    const pixKey = { hash: "h", value: PIX_KEY, type: "cpf", masked: "***" } as const;
    await writeOldDatabase(database.url, 2, (db, vault) =>
      pixKeyBook(db, vault).save(ANA, pixKey, NOON),
    );
    const open = await openTestDatabase(database.url, clock);
    const { db, leaseNow } = open;
    const vault = await openVault(db, testRing, WALLET, testRandom);
    const accounts = accountsStore(db, vault);
    const account = await accounts.find(GUILD, ANA);
    expect(account).toMatchObject({ id: OLD_ACCOUNT, alerts: "direct", reportConsent: true });
    expect(await pixKeyBook(db, vault).saved(ANA)).toHaveLength(1);
    const outbox = outboxStore(db, leaseNow);
    expect(await outbox.state(oldReport.dedupeKey)).toBe("due");
    const watch = disputeWatch(db);
    expect(await watch.duePolls(NOON, 10, 1000)).toMatchObject([{ account }]);
    const alert = alertTo(ANA, OLD_ACCOUNT, "new");
    expect(await watch.keep(newDispute(OLD_ACCOUNT), [alert], NOON)).toMatchObject({ version: 1 });
    expect(await outbox.state(alert.dedupeKey)).toBe("due");
    await accounts.remove(GUILD, ANA, ANA, later(1));
    expect(await watch.of(OLD_ACCOUNT)).toEqual([]);
    await open.close();
    await database.drop();
  });
});

describe.each(databases)("a database of the third version on $name", ({ createEmpty }) => {
  test("S12: keeps its polls, and knows of no dispute that is counted and not listed", async () => {
    const database = await createEmpty();
    await writeOldDatabase(database.url, 3, async (db) => {
      await sql`
        insert into dispute_poll (account_id, next_poll_at, baseline_at)
        values (${OLD_ACCOUNT}, ${NOON.toString()}, ${NOON.toString()})
      `.execute(db);
    });
    const open = await openTestDatabase(database.url, clock);
    const watch = disputeWatch(open.db);
    expect(await watch.pollState(OLD_ACCOUNT)).toMatchObject({ baselineAt: NOON });
    expect(await watch.unlisted(OLD_ACCOUNT)).toEqual(NONE_UNLISTED);
    const after = { count: 2, told: 1 };
    expect(await watch.saveUnlisted(OLD_ACCOUNT, NONE_UNLISTED, after, [], NOON)).toBe(true);
    expect(await watch.unlisted(OLD_ACCOUNT)).toEqual(after);
    await open.close();
    await database.drop();
  });
});
