import { describe, expect, test } from "vitest";
import { accountsStore } from "#src/store/accounts.ts";
import { outboxStore } from "#src/store/outbox.ts";
import { openVault } from "#src/store/vault.ts";
import { databases, openTestDatabase, standingClock, testRandom } from "../support/databases.ts";
import { ANA, anaKey, GUILD, NOON } from "./builders.ts";
import { oldReport, writeOldDatabase } from "./old-database.ts";
import { testRing, WALLET } from "./use-store.ts";
import { journalOf, opIn } from "./withdraw-builders.ts";

const clock = standingClock(NOON.toString());

describe.each(databases)("a database of the first version on $name", ({ create }) => {
  test("keeps its accounts and what it owes, and takes withdrawals", async () => {
    const database = await create();
    await writeOldDatabase(database.url, 1);
    const open = await openTestDatabase(database.url, clock);
    const { db, leaseNow } = open;
    const vault = await openVault(db, testRing, WALLET, testRandom);
    const found = await accountsStore(db, vault).findWithKey(GUILD, ANA);
    expect(found?.apiKey.reveal()).toBe(anaKey.reveal());
    expect(await outboxStore(db, leaseNow).state(oldReport.dedupeKey)).toBe("due");
    const accountFp = found!.account.keyFingerprint;
    expect(await accountsStore(db, vault).connectionsOf(accountFp)).toEqual([found?.account]);
    const journal = journalOf({ db, vault, open, url: database.url });
    const op = await opIn(journal, "sending", { accountFp });
    expect(await journal.openOf(accountFp)).toEqual(op);
    await open.close();
    await database.drop();
  });
});
