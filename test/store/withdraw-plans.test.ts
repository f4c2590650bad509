import { type CompiledQuery, Kysely } from "kysely";
import { join } from "node:path";
import type { SQLInputValue } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { DAY, MINUTE } from "#src/shared/duration.ts";
import { openSqliteFile } from "#src/store/sqlite.ts";
import type { Schema } from "#src/store/schema.ts";
import { sqliteDialect } from "#src/store/sqlite-dialect.ts";
import { openVault } from "#src/store/vault.ts";
import { withdrawJournal } from "#src/store/withdraw-journal.ts";
import {
  openTestDatabase,
  standingClock,
  temporaryFolder,
  testRandom,
} from "../support/databases.ts";
import { ANA, later, NOON } from "./builders.ts";
import { testRing, WALLET } from "./use-store.ts";
import { ACCOUNT, newOp, stepTo } from "./withdraw-builders.ts";

/** A step through every row of a table, and not only through those of a partial index. */
const READS_ALL = /^(?:SCAN|SEARCH) withdraw_\w+(?: USING INDEX sqlite_autoindex_\w+)?$/;

/** SQLite answers on the thread that everybody waits for, and the journal keeps years of operations. */
test("No question to the journal, and no step of it, reads all operations or all events", async () => {
  const clock = standingClock(NOON.toString());
  const folder = temporaryFolder();
  const path = join(folder.path, "test.db");
  const open = await openTestDatabase(`sqlite:${path}`, clock);
  const file = openSqliteFile(path);
  const asked: CompiledQuery[] = [];
  const db = new Kysely<Schema>({
    dialect: sqliteDialect(file),
    log: ({ query }) => void asked.push(query),
  });
  onTestFinished(async () => {
    await db.destroy();
    await open.close();
    folder.remove();
  });
  const vault = await openVault(db, testRing, WALLET, testRandom);
  const journal = withdrawJournal(db, vault, testRandom, open.leaseNow);
  const draft = await journal.draft(newOp(), NOON);
  await journal.move(draft, stepTo("confirmed"), NOON);

  const before = later(-DAY);
  await journal.claimDue(NOON, 8, MINUTE);
  await journal.nextDueAt();
  await journal.sweep(false, NOON, () => []);
  await journal.sweep(true, NOON, () => []);
  await journal.abandonExpired(NOON);
  await journal.forgetEnded(before);
  await journal.find(draft.id);
  await journal.findByToken("token");
  await journal.openOf(ACCOUNT);
  await journal.lockOf(ACCOUNT);
  await journal.findByTxid(ACCOUNT, "TX1");
  await journal.claimedTxids(ACCOUNT);
  await journal.list({ ownerId: ANA, states: ["unknown"], limit: 25 });
  await journal.spentSince(ANA, before);
  await journal.lastSentAt(ACCOUNT);
  await journal.events(draft.id);
  await journal.census();

  const plans = asked
    .filter(({ sql }) => /"withdraw_(?:op|event)"/.test(sql) && !sql.startsWith("insert"))
    .map(({ sql, parameters }) => {
      const steps = file
        .prepare(`explain query plan ${sql}`)
        .all(...(parameters as SQLInputValue[]));
      return { sql, steps: steps.map((step) => (step as { detail: string }).detail) };
    });
  expect(plans.length).toBeGreaterThan(15);
  expect(plans.filter(({ steps }) => steps.some((step) => READS_ALL.test(step)))).toEqual([]);
});
