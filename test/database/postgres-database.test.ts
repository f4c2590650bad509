import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { Kysely, sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startFailure } from "#src/program.ts";
import { DatabaseAwayError } from "#src/shared/errors.ts";
import {
  openPostgres,
  POSTGRES_LIMITS,
  type PostgresLimits,
} from "#src/database/postgres-database.ts";
import {
  databases,
  openTestDatabase,
  quietLog,
  standingClock,
  type TestDatabase,
  testRandom,
} from "../support/databases.ts";
import { connected } from "../support/start-postgres.ts";
import { startTcpLink } from "../support/tcp-link.ts";

const clock = standingClock("2026-11-19T12:00:00Z");

describe("PostgreSQL", () => {
  const { createEmpty } = databases.find(({ name }) => name === "PostgreSQL")!;
  let empty: TestDatabase;
  let db: Kysely<unknown> | undefined;
  beforeAll(async () => {
    empty = await createEmpty();
  });
  afterEach(async () => {
    await db?.destroy();
    db = undefined;
  });
  afterAll(() => empty.drop());
  /** For a test that changes more than roles: dropped once its connections are closed. */
  const ownDatabase = async (): Promise<string> => {
    const { url, drop } = await createEmpty();
    onTestFinished(drop);
    return url;
  };
  const openAt = async (url: string, limits: Partial<PostgresLimits> = {}, log = quietLog) => {
    const parts = { log, random: testRandom };
    const { dialect } = await openPostgres(url, parts, { ...POSTGRES_LIMITS, ...limits });
    db = new Kysely({ dialect });
    return db;
  };
  const setting = async (name: string): Promise<unknown> => {
    const { rows } = await sql<{ value: string }>`select current_setting(${name}) as value`.execute(
      db!,
    );
    return rows[0]?.value;
  };

  /** @returns the address of a database with that setting */
  const databaseWith = async (change: string): Promise<string> => {
    const url = await ownDatabase();
    const name = new URL(url).pathname.slice(1);
    await connected(url, (client) => client.query(`alter database ${name} set ${change}`));
    return url;
  };

  const failedStartAt = async (url: string) =>
    startFailure(await openTestDatabase(url, clock).catch((error: unknown) => error));

  test("is asked to bound every wait", async () => {
    await openAt(empty.url);
    expect(await setting("statement_timeout")).toBe("10s");
    expect(await setting("lock_timeout")).toBe("5s");
    expect(await setting("idle_in_transaction_session_timeout")).toBe("10s");
    expect(await setting("application_name")).toBe("balcao");
  });

  test("S5: waits for the disk at each commit, whatever server, database, role and address say", async () => {
    const url = await databaseWith("synchronous_commit = off");
    await openAt(`${url}?options=${encodeURIComponent("-c synchronous_commit=local")}`);
    expect(await setting("synchronous_commit")).toBe("on");
    expect(await setting("fsync")).toBe("on");
    expect(await setting("full_page_writes")).toBe("on");
  });

  test("reads what was committed before each statement, whatever database and address say", async () => {
    const own = await databaseWith("default_transaction_isolation = serializable");
    const level = encodeURIComponent("-c default_transaction_isolation=repeatable\\ read");
    for (const url of [own, `${own}?options=${level}`]) {
      await openAt(url);
      expect(await setting("transaction_isolation")).toBe("read committed");
      await db?.destroy();
    }
    db = undefined;
  });

  test("S5: leaves a server that promises more than the disk at its promise", async () => {
    await openAt(
      `${empty.url}?options=${encodeURIComponent("-c synchronous_commit=remote_apply")}`,
    );
    expect(await setting("synchronous_commit")).toBe("remote_apply");
  });

  test("S4: that ends a connection in use fails its transaction and nothing else", async () => {
    const uncaught: unknown[] = [];
    const note = (error: unknown): void => void uncaught.push(error);
    process.on("uncaughtException", note);
    const opened = await openAt(empty.url);
    const held = opened.transaction().execute(async (trx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
      await sql`select pg_terminate_backend(${rows[0]!.pid}), pg_sleep(0)`.execute(opened);
      // The lost connection is reported before this later query on another connection is answered.
      await sql`select 1`.execute(opened);
      await sql`select 1`.execute(trx);
    });
    await expect(held).rejects.toThrow(DatabaseAwayError);
    expect((await sql`select 1 as one`.execute(opened)).rows).toEqual([{ one: 1 }]);
    process.off("uncaughtException", note);
    expect(uncaught).toEqual([]);
  });

  test.each(["prefer", "require", "verify-ca"])(
    "S20: asked by sslmode=%s is asked by TLS, and nothing recommends less",
    async (mode) => {
      const warnings: string[] = [];
      const note = ({ message }: Error): void => void warnings.push(message);
      process.on("warning", note);
      onTestFinished(() => void process.off("warning", note));
      const opened = await openAt(`${empty.url}?sslmode=${mode}`);
      await expect(sql`select 1`.execute(opened)).rejects.toMatchObject({
        cause: { message: expect.stringContaining("does not support SSL") },
      });
      expect(warnings).toEqual([]);
    },
  );

  test.each([
    ["a wrong password", { password: "hidden-words" }, "password authentication failed"],
    ["a user that is not there", { username: "nobody" }, "authentication failed"],
    ["a database that is not there", { pathname: "/nowhere" }, 'database "nowhere" does not exist'],
    ["no word of TLS", { search: "?sslmode=verify-full" }, "does not support SSL"],
  ])(
    "S5: that refuses %s is told as such in one sentence, without the password",
    async (_, changes, why) => {
      const url = Object.assign(new URL(empty.url), changes);
      const { code, advice } = await failedStartAt(url.href);
      expect(advice).toMatch(/^DATABASE_URL is refused: .*\.$/);
      expect(advice).toContain(why);
      expect(advice).not.toContain(url.password);
      expect(code).toBe(78);
    },
  );

  test.each([
    [
      "a file that is not there",
      "/nowhere/ca.crt",
      "no such file or directory, open '/nowhere/ca.crt'",
    ],
    ["a folder", "/", "illegal operation on a directory"],
  ])(
    "S5: by an address that names %s as its authority is a wrong setting",
    async (_, path, why) => {
      const { code, advice } = await failedStartAt(
        `${empty.url}?sslmode=verify-full&sslrootcert=${path}`,
      );
      expect(advice).toMatch(/^DATABASE_URL is refused: .*\.$/);
      expect(advice).toContain(why);
      expect(code).toBe(78);
    },
  );

  test.each([
    [
      "is a pooler in its place is told as refused, in the pooler's words",
      ["C08P01", "Munsupported startup parameter: statement_timeout"],
      /^DATABASE_URL is refused: unsupported startup parameter: statement_timeout\.$/,
    ],
    [
      "finds its own files damaged is not told as refused",
      ["CXX001", "Minvalid page in block 0"],
      /^The database \(DATABASE_URL\) .*damaged \(XX001\)/,
    ],
  ])("that %s", async (_, words, sentence) => {
    const body = Buffer.from(`${["SFATAL", ...words].join("\0")}\0\0`);
    const head = Buffer.from("E----");
    head.writeInt32BE(body.length + 4, 1);
    const pooler = createServer((socket) =>
      socket.on("error", () => {}).once("data", () => socket.end(Buffer.concat([head, body]))),
    );
    await once(pooler.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => void pooler.close());
    const { port } = pooler.address() as AddressInfo;
    const { code, advice } = await failedStartAt(`postgres://a:b@127.0.0.1:${port}/c`);
    expect(code).toBe(78);
    expect(advice).toMatch(sentence);
  });

  test("S5: in an encoding that lacks signs of posts is told how to be made", async () => {
    const admin = await openAt(empty.url);
    await sql`create database latin template template0 encoding 'LATIN1' lc_collate 'C' lc_ctype 'C'`.execute(
      admin,
    );
    const url = Object.assign(new URL(empty.url), { pathname: "/latin" });
    const { code, advice } = await failedStartAt(url.href);
    expect(advice).toMatch(/encoding LATIN1.*create one with encoding 'UTF8'/);
    expect(code).toBe(78);
    await sql`drop database latin`.execute(admin);
  });

  test("in an encoding of plain bytes keeps every text", async () => {
    const admin = await openAt(empty.url);
    await sql`create database bytes template template0 encoding 'SQL_ASCII' lc_collate 'C' lc_ctype 'C'`.execute(
      admin,
    );
    const bytes = await openAt(Object.assign(new URL(empty.url), { pathname: "/bytes" }).href);
    const { rows } = await sql`select ${"Ação ✅"}::text as kept`.execute(bytes);
    expect(rows).toEqual([{ kept: "Ação ✅" }]);
    await bytes.destroy();
    await sql`drop database bytes`.execute(admin);
  });

  test("stops a statement that takes too long", async () => {
    const slow = sql`select pg_sleep(30)`.execute(await openAt(empty.url, { statementMs: 1_000 }));
    await expect(slow).rejects.toThrow(/statement timeout/);
  });

  test("behind a link that fell silent fails in time, and the connection is not used again", async () => {
    const link = await startTcpLink(empty.url);
    // Long enough for the first query on a busy machine.
    const slow = await openAt(link.url, { queryMs: 1_000 });
    const process = sql<{ pid: number }>`select pg_backend_pid() as pid`;
    const before = (await process.execute(slow)).rows;
    link.fallSilent();
    await expect(process.execute(slow)).rejects.toThrow(DatabaseAwayError);
    link.recover();
    const after = (await process.execute(slow)).rows;
    expect(after).toHaveLength(1);
    expect(after).not.toEqual(before);
    await slow.destroy();
    db = undefined;
    link.stop();
  });

  test("that closes an idle connection costs a warning, and the next query works", async () => {
    const warned = new Promise<string>((resolve) => {
      const log = { ...quietLog, warn: (_: unknown, text?: string) => resolve(text ?? "") };
      void openAt(empty.url, {}, log)
        .then((opened) => sql`select 1`.execute(opened))
        .then(async () => {
          const statement = `
            select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid()`;
          await connected(empty.url, (client) => client.query(statement));
        });
    });
    expect(await warned).toBe("a database connection was lost, and others can be made");
    expect((await sql`select 1 as one`.execute(db!)).rows).toEqual([{ one: 1 }]);
  });

  test("keeps a connection whose statement the server refused", async () => {
    const link = await startTcpLink(empty.url);
    const opened = await openAt(link.url);
    for (let round = 0; round < 3; round += 1) {
      await expect(sql`select nothing`.execute(opened)).rejects.toThrow(/does not exist/);
    }
    expect(link.connections()).toBe(1);
    await opened.destroy();
    db = undefined;
    link.stop();
  });

  /** A database whose server gives the bot few connections. */
  const openCrowded = async (limit: 1 | 2) => {
    const admin = await openAt(empty.url);
    const few = sql.lit(limit);
    await sql`create role crowded login password 'crowded' connection limit ${few}`.execute(admin);
    const url = new URL(empty.url);
    [url.username, url.password] = ["crowded", "crowded"];
    const told: unknown[] = [];
    const tell = (facts: unknown, text = facts): void => void told.push(text);
    const opened = await openAt(url.href, {}, { ...quietLog, warn: tell, error: tell });
    const close = async () => {
      await opened.destroy();
      await sql`drop role crowded`.execute(admin);
      await admin.destroy();
      db = undefined;
    };
    return { admin, opened, told, close };
  };

  test("S4: without a free connection is away for what needs one, and serves through those it gave", async () => {
    const { admin, opened, told, close } = await openCrowded(1);
    await opened.transaction().execute(async (trx) => {
      await sql`select 1`.execute(trx);
      for (let tries = 0; tries < 3; tries++)
        await expect(sql`select 1`.execute(opened)).rejects.toThrow(DatabaseAwayError);
      await sql`select 1`.execute(trx);
      expect(told).toEqual(["a database connection could not be made"]);
      // Each refused connection counts until its process at the server is gone.
      await sql`alter role crowded connection limit 5`.execute(admin);
      expect((await sql`select 1 as one`.execute(opened)).rows).toEqual([{ one: 1 }]);
    });
    expect(told.slice(1)).toEqual(["a database connection can be made again"]);
    await close();
  });

  test("S4: that gives a lost connection's place to another program serves through those that are left", async () => {
    const { admin, opened, told, close } = await openCrowded(2);
    const pidOf = async (on: Kysely<unknown>) =>
      (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(on)).rows[0]?.pid;
    let left: number | undefined;
    await opened.transaction().execute(async (trx) => {
      left = await pidOf(trx);
      const lost = await pidOf(opened);
      await sql`alter role crowded connection limit 1`.execute(admin);
      await sql`select pg_terminate_backend(${lost}, 5000)`.execute(admin);
      await expect.poll(() => told).toEqual(["a database connection could not be made"]);
    });
    expect(await pidOf(opened)).toBe(left);
    expect(told).toHaveLength(1);
    await close();
  });

  test("S4: whose connections are all busy is told as such, once until one is free", async () => {
    const told: unknown[] = [];
    const tell = (facts: unknown, text = facts): void => void told.push(text);
    const log = { ...quietLog, warn: tell, error: tell };
    const opened = await openAt(empty.url, { connectMs: 1_000 }, log);
    const free = Promise.withResolvers<void>();
    const holding = Array.from({ length: 10 }, () => Promise.withResolvers<void>());
    const held = holding.map(({ resolve }) =>
      opened.transaction().execute(async (trx) => {
        await sql`select 1`.execute(trx);
        resolve();
        await free.promise;
      }),
    );
    await Promise.all(holding.map(({ promise }) => promise));
    const inVain = [1, 2, 3].map(() => sql`select 1`.execute(opened));
    for (const each of inVain) await expect(each).rejects.toThrow(DatabaseAwayError);
    free.resolve();
    await Promise.all(held);
    expect(told).toEqual(["no database connection was free in time"]);
  });

  test("S5: whose tables another program locks ends a start as one that is away does", async () => {
    const url = await ownDatabase();
    await (await openTestDatabase(url, clock)).close();
    const refusal = await connected(url, async (client) => {
      await client.query("begin; lock table storage_state");
      const postgres = { ...POSTGRES_LIMITS, lockMs: 50 };
      return await openTestDatabase(url, clock, { postgres }).catch(startFailure);
    });
    expect(refusal).toEqual(startFailure(new DatabaseAwayError()));
  });

  test("brought up to date by several processes at once has its tables once", async () => {
    const url = await ownDatabase();
    const opened = await Promise.all([1, 2, 3, 4].map(() => openTestDatabase(url, clock)));
    await Promise.all(opened.map(({ probeWrite }) => probeWrite()));
    for (const database of opened) await database.close();
  });

  test("gets its tables beside a schema in which another program uses Kysely, and opens again", async () => {
    const url = await ownDatabase();
    const other = await openAt(url);
    await sql`create schema other`.execute(other);
    for (const table of ["kysely_migration", "kysely_migration_lock"])
      await sql`create table ${sql.table(`other.${table}`)} (name text)`.execute(other);
    for (let starts = 0; starts < 2; starts++) {
      const opened = await openTestDatabase(url, clock);
      await opened.probeWrite();
      await opened.close();
      // First in the search path from then on.
      await sql`create schema if not exists authorization current_user`.execute(other);
    }
    const { rows } = await sql`
      select schemaname from pg_tables where tablename in ('kysely_migration', 'meta') order by tablename, schemaname
    `.execute(other);
    expect(rows.map((row) => Object.values(row as object)[0])).toEqual([
      "other",
      "public",
      "public",
    ]);
  });

  test("is brought up to date where one statement of that takes longer than any later one may", async () => {
    const url = await ownDatabase();
    const admin = await openAt(url);
    await sql`create function wait_once() returns event_trigger language plpgsql as $$ begin
      if current_query() like 'create table "goal"%' then perform pg_sleep(3); end if;
    end $$`.execute(admin);
    await sql`create event trigger slow on ddl_command_start execute function wait_once()`.execute(
      admin,
    );
    await admin.destroy();
    const postgres = { ...POSTGRES_LIMITS, statementMs: 2_000, queryMs: 2_500 };
    const opened = await openTestDatabase(url, clock, { postgres });
    await opened.probeWrite();
    const { rows } = await sql`select current_setting('statement_timeout') as longest`.execute(
      opened.db,
    );
    expect(rows).toEqual([{ longest: "2s" }]);
    await opened.close();
    db = undefined;
  });

  test("gives no integer that a number cannot hold", async () => {
    const opened = await openAt(empty.url);
    await expect(sql`select 9007199254740993::bigint as n`.execute(opened)).rejects.toThrow(
      RangeError,
    );
  });
});
