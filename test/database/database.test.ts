import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { openSqliteFile } from "#src/database/sqlite.ts";
import type { OpenDatabase } from "#src/database/database.ts";
import { migrations } from "#src/database/migrations/index.ts";
import { outboxStore } from "#src/delivery/outbox.store.ts";
import {
  databases,
  openTestDatabase,
  standingClock,
  temporaryFolder,
  type TestDatabase,
} from "../support/databases.ts";
import { connected } from "../support/start-postgres.ts";
import { delivery, later, NOON } from "./builders.ts";

const clock = standingClock(NOON.toString());
const open = (url: string) => openTestDatabase(url, clock);
const execute = async (url: string, statement: string): Promise<void> => {
  if (url.startsWith("sqlite:")) {
    const database = openSqliteFile(url.slice("sqlite:".length));
    database.exec(statement);
    database.close();
    return;
  }
  await connected(url, (client) => client.query(statement));
};
const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe.each(databases)("a database on $name", ({ create, createEmpty, name }) => {
  let made: TestDatabase;
  beforeEach(async () => {
    made = await create();
  });
  afterEach(() => made.drop());
  const emptyUrl = async (): Promise<string> => {
    const { url, drop } = await createEmpty();
    onTestFinished(drop);
    return url;
  };

  const using = async <Result>(
    use: (database: OpenDatabase) => Promise<Result>,
    url = made.url,
  ): Promise<Result> => {
    const database = await open(url);
    try {
      return await use(database);
    } finally {
      await database.close();
    }
  };

  test("keeps what was written when it is opened again", async () => {
    await using(async ({ db, leaseNow }) => {
      await outboxStore(db, leaseNow).enqueue(delivery("a"), NOON);
    });
    await using(async ({ db, leaseNow }) => {
      expect(await outboxStore(db, leaseNow).state("a")).toBe("due");
    });
  });

  test("gets its tables as a whole or not at all, by every migration, each once", async () => {
    const url = await emptyUrl();
    await execute(url, "create table identify_start (x integer)");
    await expect(open(url)).rejects.toMatchObject({ kind: "migration_failed" });
    await expect(open(url)).rejects.toThrow(/identify_start.*exists/);
    await execute(url, "drop table identify_start");
    const named = async ({ db }: OpenDatabase) => {
      const { rows } = await sql<{
        name: string;
      }>`select name from kysely_migration order by name`.execute(db);
      return rows.map((row) => row.name);
    };
    expect(await using(named, url)).toEqual(Object.keys(migrations));
    expect(await using(named, url)).toEqual(Object.keys(migrations));
    expect(Object.keys(migrations)).toEqual(Object.keys(migrations).toSorted());
  });

  test("written by a newer version is refused, not called damaged, and the way on is told", async () => {
    await using(({ db }) =>
      sql`insert into kysely_migration (name, timestamp) values ('9999-later', '2030')`.execute(db),
    );
    await expect(open(made.url)).rejects.toMatchObject({ kind: "migration_failed" });
    await expect(open(made.url)).rejects.toThrow(/written by a newer version\?.*9999-later/);
    await expect(open(made.url)).rejects.toThrow(
      /this version has no 9999-later: start the version that wrote it/,
    );
    await expect(open(made.url)).rejects.not.toThrow(/corrupt/);
  });

  test("rolls a failed transaction back as a whole", async () => {
    await using(async ({ db }) => {
      const failing = db.transaction().execute(async (trx) => {
        await trx.insertInto("meta").values({ name: "a", value: "1" }).execute();
        await trx.insertInto("meta").values({ name: "a", value: "2" }).execute();
      });
      await expect(failing).rejects.toThrow(/unique|UNIQUE/);
      expect(await db.selectFrom("meta").selectAll().execute()).toEqual([]);
    });
  });

  test("refuses progress of an account that is not there", async () => {
    await using(async ({ db }) => {
      const orphan = db
        .insertInto("report_progress")
        .values({ account_id: "x", last_day: "2026-11-18" });
      await expect(orphan.execute()).rejects.toThrow(/foreign key|FOREIGN KEY/);
    });
  });

  test("shows its health by writing one row, however often", async () => {
    await using(async ({ db, probeWrite }) => {
      await probeWrite();
      await probeWrite();
      expect(await db.selectFrom("meta").selectAll().execute()).toEqual([
        { name: "health_probe", value: "2026-11-19T12:00:00.000Z" },
      ]);
    });
    const closed = await open(made.url);
    await closed.close();
    await expect(closed.probeWrite()).rejects.toThrow();
  });

  test("takes leases by the clock that it is given", async () => {
    const leaseClock = standingClock(later(5).toString());
    const database = await openTestDatabase(made.url, clock, { leaseClock });
    expect((await database.leaseNow()).equals(later(5))).toBe(true);
    await database.close();
  });

  test("without one takes leases by the clock that all its processes share", async () => {
    const database = await openTestDatabase(made.url, clock, { leaseClock: undefined });
    const [first, second] = [await database.leaseNow(), await database.leaseNow()];
    await database.close();
    expect(Temporal.Instant.compare(first, second)).toBeLessThanOrEqual(0);
    expect(first.equals(NOON)).toBe(name === "SQLite");
  });
});

describe("a SQLite file", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  test("opens with the settings that its safety rests on", async () => {
    const database = await open(`sqlite:${join(folder.path, "a.db")}`);
    const pragma = async (name: string): Promise<unknown> => {
      const { rows } = await sql
        .raw<Record<string, unknown>>(`pragma ${name}`)
        .execute(database.db);
      return Object.values(rows[0] ?? {})[0];
    };
    expect(await pragma("journal_mode")).toBe("wal");
    expect(await pragma("synchronous")).toBe(2);
    expect(await pragma("busy_timeout")).toBe(5_000);
    expect(await pragma("foreign_keys")).toBe(1);
    expect(await pragma("trusted_schema")).toBe(0);
    expect(await pragma("wal_autocheckpoint")).toBe(1_000);
    await database.close();
  });

  test("overwrites deleted rows in its file", async () => {
    const path = join(folder.path, "a.db");
    const { db, close } = await open(`sqlite:${path}`);
    await sql`create table note (text text) strict`.execute(db);
    await sql`insert into note values ('Pedido de Maria')`.execute(db);
    await sql`pragma wal_checkpoint(truncate)`.execute(db);
    expect(readFileSync(path, "latin1")).toContain("Pedido de Maria");

    await sql`delete from note`.execute(db);
    await close();
    expect(readFileSync(path, "latin1")).not.toContain("Pedido de Maria");
  });

  test("binds no limit, for which SQLite would plan the statement anew each time", async () => {
    const database = await open("sqlite::memory:");
    const query = database.db.selectFrom("meta").selectAll().where("name", "=", "mark").limit(5);
    expect(query.compile()).toMatchObject({
      sql: expect.stringMatching(/limit 5$/) as string,
      parameters: ["mark"],
    });
    await database.close();
  });

  test("takes the write lock when a transaction begins", async () => {
    const path = join(folder.path, "a.db");
    const database = await open(`sqlite:${path}`);
    const tool = openSqliteFile(path, { timeout: 0 });
    await database.db.transaction().execute(async () => {
      expect(() => tool.exec("begin immediate")).toThrow(/locked/);
    });
    tool.exec("begin immediate; rollback");
    tool.close();
    await database.close();
  });

  test("comes with its folder, for its user alone", async () => {
    const path = join(folder.path, "new", "deep", "balcao.db");
    const database = await open(`sqlite:${path}`);
    await database.probeWrite();
    expect(modeOf(join(folder.path, "new"))).toBe(0o700);
    for (const end of ["", "-wal", "-shm", ".lock"]) expect(modeOf(`${path}${end}`)).toBe(0o600);
    await database.close();
  });

  test("that others could read is closed to them", async () => {
    const path = join(folder.path, "a.db");
    writeFileSync(path, "");
    chmodSync(path, 0o644);
    await (await open(`sqlite:${path}`)).close();
    expect(modeOf(path)).toBe(0o600);
  });

  test("that is no database is refused and left as it is", async () => {
    const path = join(folder.path, "a.db");
    writeFileSync(path, "not a database, but somebody's letter ".repeat(100));
    await expect(open(`sqlite:${path}`)).rejects.toMatchObject({ kind: "corrupt_database" });
    expect(statSync(path).size).toBe(3_800);
  });

  test("in memory leaves nothing on the disk", async () => {
    const database = await open("sqlite::memory:");
    await database.probeWrite();
    expect(existsSync(":memory:")).toBe(false);
    await database.close();
  });
});
