import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HOUR, MINUTE } from "#src/shared/time.ts";
import { startFailure } from "#src/program.ts";
import { backupDatabase, restoreDatabase } from "#src/database/backup.ts";
import type { OpenDatabase } from "#src/database/database.ts";
import { latestRestore } from "#src/database/storage-state.ts";
import {
  databases,
  openTestDatabase,
  standingClock,
  type TestDatabase,
  waitingStatements,
} from "../support/databases.ts";
import { later, NOON } from "./builders.ts";
import { writeOldDatabase } from "./old-database.ts";
import { openTestStores, restoring } from "./use-store.ts";
import { restoreHolds } from "#src/withdrawals/restore/restore-holds.store.ts";
import { newOp, opIn, stepTo } from "../withdrawals/withdraw-builders.ts";

const [onSqlite, onPostgres] = databases;
const restoresOf = (open: OpenDatabase) =>
  open.db.selectFrom("database_restore").selectAll().orderBy("number").execute();

describe("an older copy of a SQLite file", () => {
  let test: TestDatabase;
  let file: string;
  let clock: ReturnType<typeof standingClock>;
  const open = () => openTestDatabase(test.url, clock);
  /** One run of the bot, from start to stop. */
  const live = async (work: (open: OpenDatabase) => Promise<unknown> = async () => {}) => {
    const database = await open();
    await work(database);
    await database.close();
    return database.storage.noticed;
  };
  const send = async (database: OpenDatabase) => {
    const { journal } = await openTestStores(database);
    return await opIn(journal, "sending", { accountFp: "a" });
  };

  beforeEach(async () => {
    test = await onSqlite!.create();
    file = test.url.slice("sqlite:".length);
    clock = standingClock(NOON.toString());
  });
  afterEach(() => test.drop());

  it("S3: is noticed at the start, with what the journal last knew", async () => {
    await live();
    copyFileSync(file, `${file}.copy`);
    await live();
    copyFileSync(`${file}.copy`, file);
    expect(
      await live(async (database) => {
        expect(await restoresOf(database)).toMatchObject([
          { number: 1, cause: "restored", last_event_at: null },
        ]);
      }),
    ).toBe("restored");
    expect(await live()).toBeUndefined();
  });

  it("S3: is noticed when only one withdrawal is newer than it, in the same life", async () => {
    await live(async (database) => {
      await database.db.executeQuery(sql`pragma wal_checkpoint(truncate)`.compile(database.db));
      copyFileSync(file, `${file}.copy`);
      await send(database);
    });
    copyFileSync(`${file}.copy`, file);
    expect(await live()).toBe("restored");
  });

  it("S3: is noticed when the file is empty or missing beside its mark", async () => {
    await live();
    writeFileSync(file, "");
    expect(await live()).toBe("restored");
    rmSync(file);
    expect(await live()).toBe("restored");
  });

  it("S3: is noticed where it came without its mark, or with one that says nothing", async () => {
    await live();
    rmSync(`${file}.mark`);
    expect(await live()).toBe("restored");
    writeFileSync(`${file}.mark`, "torn");
    expect(await live()).toBe("restored");
  });

  it("S3: is noticed by the silence when its mark was put back with it", async () => {
    await live();
    for (const name of [file, `${file}.mark`]) copyFileSync(name, `${name}.copy`);
    await live(send);
    for (const name of [file, `${file}.mark`]) copyFileSync(`${name}.copy`, name);
    clock.moveBy(3 * MINUTE + 1);
    expect(await live()).toBe("gap");
  });

  it("S3: is a restore, for refunds too, once the mark that a snapshot put back with it is removed", async () => {
    await live();
    for (const name of [file, `${file}.mark`]) copyFileSync(name, `${name}.copy`);
    await live(send);
    for (const name of [file, `${file}.mark`]) copyFileSync(`${name}.copy`, name);
    clock.moveBy(HOUR);
    await live(async ({ db }) => expect(await latestRestore(db)).toBeUndefined());
    rmSync(`${file}.mark`);
    await live(async ({ db }) => expect(await latestRestore(db)).toMatchObject({ number: 2 }));
  });

  it("is told from a new database, an upgraded one and one that was merely stopped", async () => {
    expect(await live()).toBeUndefined();
    clock.moveBy(3 * MINUTE);
    expect(
      await live(async ({ storage }) => {
        clock.moveBy(10 * MINUTE);
        await storage.stillAlive();
      }),
    ).toBeUndefined();
    expect(await live()).toBeUndefined();
    const old = await onSqlite!.createEmpty();
    await writeOldDatabase(old.url, 3);
    const upgraded = await openTestDatabase(old.url, clock);
    expect(upgraded.storage.noticed).toBeUndefined();
    await upgraded.close();
    await old.drop();
  });

  it("keeps its mark readable by this user alone, and ahead of every request", async () => {
    await live(async (database) => {
      const before = JSON.parse(readFileSync(`${file}.mark`, "utf8"));
      await send(database);
      const after = JSON.parse(readFileSync(`${file}.mark`, "utf8"));
      expect(after.moneySequence).toBe(before.moneySequence + 1);
    });
    expect(statSync(`${file}.mark`).mode & 0o777).toBe(0o600);
    expect(existsSync(`${file}.mark.next`)).toBe(false);
  });

  it("S3: no request may leave when its mark cannot be written", async () => {
    await live(async (database) => {
      const { journal } = await openTestStores(database);
      const op = await opIn(journal, "confirmed", { accountFp: "a" });
      rmSync(`${file}.mark`);
      // A folder in the way simulates an unwritable disk, even for root.
      mkdirSync(`${file}.mark`);
      await expect(journal.move(op, stepTo("sending"), NOON)).rejects.toThrow();
    });
  });

  it("S3: by backup over the log that a crash left is refused unchanged, until npm run restore puts it back", async () => {
    const database = await open();
    await openTestStores(database);
    const backup = `${file}.backup`;
    await backupDatabase(test.url, backup, {});
    await database.probeWrite();
    // The power fails, then the operator copies the backup over the file by hand.
    const crashed = `${file}.crashed`;
    for (const end of ["-wal", ".mark"]) copyFileSync(`${file}${end}`, `${crashed}${end}`);
    await database.close();
    copyFileSync(backup, crashed);
    const log = readFileSync(`${crashed}-wal`);

    const url = `sqlite:${crashed}`;
    const refused: unknown = await openTestDatabase(url, clock).catch((error: unknown) => error);
    expect(startFailure(refused)).toMatchObject({
      code: 78,
      advice: expect.stringMatching(/beside the -wal file.*npm run restore -- FILE.*\.$/),
    });
    expect(readFileSync(crashed)).toEqual(readFileSync(backup));
    expect(readFileSync(`${crashed}-wal`)).toEqual(log);

    const copy = `${file}.second`;
    await expect(backupDatabase(url, copy, {})).rejects.toThrow(/beside the -wal file/);
    expect(existsSync(copy)).toBe(false);

    // The backup has no log, so that the one beside it is left out.
    for (const source of [crashed, backup]) {
      const { replaced } = await restoreDatabase(url, source, restoring);
      if (source === crashed) expect(readFileSync(`${replaced}-wal`)).toEqual(log);
      const restored = await openTestDatabase(url, clock);
      expect(restored.storage.noticed).toBe("restored");
      await restored.close();
    }
  });

  it("S3: is put back with the rows that only the -wal file beside it has, by each of its names", async () => {
    const database = await open();
    await openTestStores(database);
    const fact = (name: string) =>
      database.db.insertInto("meta").values({ name, value: "" }).execute();
    await database.db.executeQuery(sql`pragma wal_checkpoint(truncate)`.compile(database.db));
    await fact("in the log");
    const [rescued, link, backup, newer] = ["rescued", "link", "backup", "newer"].map(
      (end) => `${file}.${end}`,
    ) as [string, string, string, string];
    for (const end of ["", "-wal"]) copyFileSync(`${file}${end}`, `${rescued}${end}`);
    symlinkSync(rescued, link);
    await backupDatabase(test.url, backup, {});
    await fact("of a newer copy");
    copyFileSync(`${file}-wal`, newer);
    await database.close();
    const before = readFileSync(`${rescued}-wal`);

    for (const source of [rescued, link, backup]) {
      const place = `${source}.place`;
      // An interrupted restore left its log.
      copyFileSync(newer, `${place}.restoring-wal`);
      await restoreDatabase(`sqlite:${place}`, source, restoring);
      const restored = await openTestDatabase(`sqlite:${place}`, clock);
      const names = await restored.db.selectFrom("meta").select("name").execute();
      expect(names).toContainEqual({ name: "in the log" });
      expect(names).not.toContainEqual({ name: "of a newer copy" });
      await restored.close();
    }
    expect(readFileSync(`${rescued}-wal`)).toEqual(before);
  });

  it("starts no bot when its mark cannot be read, and advises on the user only where that is the reason", async () => {
    mkdirSync(`${file}.mark`);
    await expect(open()).rejects.toThrow(/\.mark cannot be read \(EISDIR\)$/);
  });

  it("S17: a process whose file was taken by another permits no request and gives up", async () => {
    const database = await open();
    const { journal } = await openTestStores(database);
    const op = await opIn(journal, "confirmed", { accountFp: "a" });
    await database.db.updateTable("storage_state").set({ generation: 99 }).execute();
    await expect(journal.move(op, stepTo("sending"), NOON)).rejects.toMatchObject({
      kind: "database_in_use",
    });
    expect(await journal.find(op.id)).toEqual(op);
    await expect(database.storage.stillAlive()).rejects.toMatchObject({ kind: "database_in_use" });
    await database.close();
  });
});

describe("an older copy on PostgreSQL", () => {
  let test: TestDatabase;
  const clock = standingClock(NOON.toString());
  const open = () => openTestDatabase(test.url, clock);
  beforeEach(async () => {
    test = await onPostgres!.create();
  });
  afterEach(() => test.drop());

  it("S3: is noticed when its tables were made anew, as a dump makes them", async () => {
    const first = await open();
    await sql`create table copied as select * from storage_state`.execute(first.db);
    await sql`drop table storage_state`.execute(first.db);
    await sql`alter table copied rename to storage_state`.execute(first.db);
    await sql`alter table storage_state add primary key (only_row)`.execute(first.db);
    await first.close();
    const second = await open();
    expect(second.storage.noticed).toBe("restored");
    await second.close();
    const third = await open();
    expect(third.storage.noticed).toBeUndefined();
    await third.close();
  });

  it("S3: is noticed by a process that it was put back under, and permits no request", async () => {
    const living = await open();
    const { journal } = await openTestStores(living);
    await opIn(journal, "sending", { accountFp: "a" });
    const op = await opIn(journal, "confirmed", { accountFp: "b" });
    await living.db.updateTable("storage_state").set({ money_sequence: 0 }).execute();
    await expect(journal.move(op, stepTo("sending"), NOON)).rejects.toMatchObject({
      kind: "database_rolled_back",
    });
    await living.storage.stillAlive();
    await living.storage.stillAlive();
    expect(await restoresOf(living)).toMatchObject([{ cause: "restored" }]);
    await living.close();
  });

  it("S3: permits no withdrawal after a fail-over that lost nothing this process knows, until the account was compared", async () => {
    const living = await open();
    const { journal } = await openTestStores(living);
    const op = await opIn(journal, "confirmed", { accountFp: "a" });
    // A promoted standby has the row of its primary, and a timeline of its own.
    await living.db.updateTable("storage_state").set({ place: "the old timeline" }).execute();
    await expect(journal.move(op, stepTo("sending"), NOON)).rejects.toMatchObject({
      kind: "database_rolled_back",
    });
    await living.storage.stillAlive();
    expect(await restoresOf(living)).toMatchObject([{ cause: "restored" }]);
    await expect(journal.move(op, stepTo("sending"), NOON)).rejects.toMatchObject({
      kind: "database_rolled_back",
    });
    expect(await journal.find(op.id)).toEqual(op);
    const holds = restoreHolds(living.db);
    await holds.clear((await holds.find("a"))!, NOON, []);
    expect(await journal.move(op, stepTo("sending"), NOON)).toMatchObject({ kind: "moved" });
    await living.close();
  });

  it("is shared by several processes without a word", async () => {
    const all = await Promise.all([open(), open(), open()]);
    const { journal } = await openTestStores(all[0]);
    for (const { storage } of all) await storage.stillAlive();
    await opIn(journal, "sending", { accountFp: "a" });
    for (const { storage } of all) await storage.stillAlive();
    expect(all.map(({ storage }) => storage.noticed)).toEqual([undefined, undefined, undefined]);
    expect(await restoresOf(all[0])).toEqual([]);
    for (const database of all) await database.close();
  });

  it("is not seen in a start of an ordinary role that may not ask for a part of its place", async () => {
    const empty = await onPostgres!.createEmpty();
    const admin = await openTestDatabase(empty.url, clock);
    await sql`create role lowly login password 'lowly'`.execute(admin.db);
    await sql`grant all on all tables in schema public to lowly`.execute(admin.db);
    const url = Object.assign(new URL(empty.url), { username: "lowly", password: "lowly" });
    for (const hidden of [
      "pg_control_system()",
      "pg_current_wal_lsn()",
      "pg_walfile_name(pg_lsn)",
    ]) {
      await sql`revoke execute on function ${sql.raw(hidden)} from public`.execute(admin.db);
      await sql`delete from storage_state`.execute(admin.db);
      for (let starts = 0; starts < 2; starts++) {
        const started = await openTestDatabase(url.href, clock);
        expect(started.storage.noticed, hidden).toBeUndefined();
        await started.close();
      }
      await sql`grant execute on function ${sql.raw(hidden)} to public`.execute(admin.db);
    }
    await sql`drop owned by lowly`.execute(admin.db);
    await sql`drop role lowly`.execute(admin.db);
    await admin.close();
    await empty.drop();
  });

  it("S3: is not seen in a request that another process permits during a start", async () => {
    const sender = await open();
    const { starting, sequence } = await sender.db.transaction().execute(async (trx) => {
      const raised = await sender.storage.sending.raise(trx);
      const start = open();
      while ((await waitingStatements(sender.db)) < 1);
      return { starting: [start], sequence: raised };
    });
    sender.storage.sending.keep(sequence);
    const started = await Promise.all(starting);
    await sender.storage.stillAlive();
    expect(await restoresOf(sender)).toEqual([]);
    for (const database of [sender, ...started]) await database.close();
  });
});

describe.each(databases)("what a restore finds in the journal on $name", (kind) => {
  const clock = standingClock(NOON.toString());

  it("S10: a clock ahead that dated it, and was set back, ends no question and frees nothing", async () => {
    const test = await kind.create();
    const ahead = standingClock(NOON.toString());
    await (await openTestDatabase(test.url, ahead)).close();
    ahead.moveBy(3 * HOUR);
    const open = await openTestDatabase(test.url, ahead);
    expect(open.storage.noticed).toBe("gap");
    ahead.moveBy(-3 * HOUR);
    const { journal } = await openTestStores(open);
    const draft = await journal.draft(newOp({ confirmExpiresAt: later(2 * MINUTE) }), NOON);
    const confirmed = await opIn(journal, "confirmed", { accountFp: "a" });
    expect(await journal.abandonExpired(later(MINUTE))).toEqual([]);
    expect(await journal.find(draft.id)).toEqual(draft);
    await journal.sweep(true, later(MINUTE), () => []);
    expect(await journal.find(confirmed.id)).toMatchObject({ state: "unknown" });
    expect(await journal.abandonExpired(later(2 * MINUTE))).toMatchObject([{ id: draft.id }]);
    await open.close();
    await test.drop();
  });

  it("S3: confirmed and sending become unknown, and drafts are abandoned", async () => {
    const test = await kind.create();
    const open = await openTestDatabase(test.url, clock);
    const { journal } = await openTestStores(open);
    const draft = await journal.draft(newOp({ confirmExpiresAt: later(2 * MINUTE) }), NOON);
    const confirmed = await opIn(journal, "confirmed", { accountFp: "a" });
    const sending = await opIn(journal, "sending", { accountFp: "b" });
    await open.db
      .insertInto("database_restore")
      .values({
        number: 1,
        cause: "restored",
        noticed_at: later(1).toString({ smallestUnit: "millisecond" }),
        last_event_at: null,
        alive_at: null,
      })
      .execute();
    await journal.sweep(true, later(2), () => []);
    await journal.abandonExpired(later(2));
    const found = await journal.find(confirmed.id);
    expect(found).toMatchObject({ state: "unknown" });
    expect(found?.sentAt?.equals(confirmed.confirmedAt!)).toBe(true);
    expect(await journal.find(sending.id)).toMatchObject({ state: "unknown" });
    expect(await journal.find(draft.id)).toMatchObject({ state: "abandoned" });
    const fresh = await opIn(journal, "confirmed", { accountFp: "c" });
    await open.db
      .updateTable("withdraw_op")
      .set({ updated_at: later(3).toString({ smallestUnit: "millisecond" }) })
      .where("id", "=", fresh.id)
      .execute();
    await journal.sweep(true, later(4), () => []);
    expect(await journal.find(fresh.id)).toMatchObject({ state: "refused_local" });
    await open.close();
    await test.drop();
  });
});
