import { sql } from "kysely";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { DatabaseAwayError } from "#src/shared/errors.ts";
import type { Logger } from "#src/shared/log.ts";
import { startFailure } from "#src/program.ts";
import type { OpenDatabase } from "#src/database/database.ts";
import { openTestDatabase, quietLog, standingClock } from "../support/databases.ts";
import { connected, type RunningPostgres, startPostgres } from "../support/start-postgres.ts";

/** A server for this file alone, because the tests kill it and change its settings. */
let server: RunningPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

const open = (log: Logger = quietLog, url = `${server.url}/postgres`): Promise<OpenDatabase> =>
  openTestDatabase(url, standingClock("2026-11-19T12:00:00Z"), { log });

const asOperator = (statement: string) =>
  connected(`${server.url}/postgres`, (client) => client.query(statement));

/** Applies the setting to every new connection. */
const setOnServer = async (name: string, value: "on" | "off"): Promise<void> => {
  await asOperator(`alter system set ${name} = ${value}`);
  await asOperator("select pg_reload_conf()");
  const inForce = async (): Promise<unknown> =>
    (await asOperator(`select current_setting('${name}') as value`)).rows[0]?.value;
  while ((await inForce()) !== value);
};

test.each(["fsync", "full_page_writes"])(
  "S5: a server that may forget commits because %s is off is refused, in one sentence",
  async (name) => {
    await setOnServer(name, "off");
    onTestFinished(() => setOnServer(name, "on"));
    await expect(open()).rejects.toMatchObject({
      kind: "unsafe_database",
      message: expect.stringContaining(`${name} = off`),
    });
  },
);

/** A database whose migrations meet the statement before they make the table `goal`. @returns its address */
const migratedWith = async (name: string, statement: string): Promise<string> => {
  const url = await server.create(name);
  await connected(url, (client) =>
    client.query(`
      create function meet() returns event_trigger language plpgsql as $$ begin
        if current_query() like 'create table "goal"%' then ${statement}; end if;
      end $$;
      create event trigger meet on ddl_command_start execute function meet()`),
  );
  return url;
};

const failedStartAt = async (url: string) =>
  startFailure(await open(quietLog, url).catch((error: unknown) => error));

test("S4: a server that stops in the middle of the migrations is tried again later", async () => {
  const url = await migratedWith("stopped", "perform pg_terminate_backend(pg_backend_pid())");
  expect(await failedStartAt(url)).toEqual({
    code: 75,
    advice:
      "The database (DATABASE_URL) does not answer now (the connection was lost or silent): try again later.",
  });
});

test("S16: a server whose disk is full in the middle of the migrations is told as such", async () => {
  const url = await migratedWith("filled", "raise exception using errcode = '53100'");
  expect(await failedStartAt(url)).toEqual({
    code: 75,
    advice:
      "The database (DATABASE_URL) cannot be written (53100): the disk of its server is full or broken.",
  });
});

test.each([
  ["may make no tables", "guest", "select 1", "permission denied for schema public"],
  ["finds no schema to make them in", "lost", "drop schema public", "no schema has been selected"],
])("S5: a role that %s is told what it needs", async (_, name, statement, why) => {
  const url = await server.create(name);
  await connected(url, (client) => client.query(statement));
  await asOperator(`create role ${name} login password '${name}'`);
  const { code, advice } = await failedStartAt(
    Object.assign(new URL(url), { username: name, password: name }).href,
  );
  expect(advice).toMatch(/^DATABASE_URL is refused: .* \(let its role own the database/);
  expect(advice).toContain(why);
  expect(code).toBe(78);
});

test("a server without a free connection at the start is told in its own words", async () => {
  await asOperator("create role many login password 'many' connection limit 0");
  const url = Object.assign(new URL(`${server.url}/postgres`), {
    username: "many",
    password: "many",
  });
  expect(await failedStartAt(url.href)).toEqual({
    code: 75,
    advice:
      'The database (DATABASE_URL) does not answer now (53300: too many connections for role "many"): try again later.',
  });
});

test("a server that ends long transactions lets the migrations end", async () => {
  const url = await migratedWith("hasty", "perform pg_sleep(0.5)");
  await asOperator("alter database hasty set transaction_timeout = '200ms'");
  await (await open(quietLog, url)).close();
});

/** Also records the log lines about the database, and when it answers again. */
const openNoted = async (url = `${server.url}/postgres`) => {
  const lines: string[] = [];
  const reasons: unknown[] = [];
  const note = (facts: unknown, text?: string): void => {
    lines.push(text ?? String(facts));
    const reason: unknown = text === undefined ? undefined : Reflect.get(facts as object, "reason");
    if (reason !== undefined) reasons.push(reason);
  };
  const database = await open({ ...quietLog, warn: note, error: note }, url);
  onTestFinished(database.close);
  const answersAgain = new Promise<void>((resolve) => database.onReturn(resolve));
  return { database, lines, reasons, answersAgain };
};

const restoresOf = ({ db }: OpenDatabase) =>
  db.selectFrom("database_restore").select("cause").execute();

test("S4: a server that is killed and comes back is lost and found again with one line each", async () => {
  const { database, lines, answersAgain } = await openNoted();
  const uncaught: unknown[] = [];
  const noteUncaught = (error: unknown): void => void uncaught.push(error);
  process.on("uncaughtException", noteUncaught);

  const held = database.db.transaction().execute(async (trx) => {
    await sql`select 1`.execute(trx);
    await server.kill();
    await sql`select 1`.execute(trx);
  });
  await expect(held).rejects.toThrow(DatabaseAwayError);
  for (let tries = 0; tries < 20; tries++)
    await expect(database.probeWrite()).rejects.toThrow(DatabaseAwayError);
  await server.start();
  await answersAgain;
  await database.probeWrite();
  await database.storage.stillAlive();
  expect(await restoresOf(database)).toEqual([]);

  process.off("uncaughtException", noteUncaught);
  expect(uncaught).toEqual([]);
  expect(lines).toEqual(["the database is away", "the database answers again"]);
});

test("S5: a server that only reads under a running bot, as after a fail-over, is lost and found again", async () => {
  const { database, lines, answersAgain } = await openNoted();
  const failure = () => database.probeWrite().catch((error: unknown) => error);
  expect(await failure()).toBeUndefined();
  await setOnServer("default_transaction_read_only", "on");
  await expect.poll(failure).toBeInstanceOf(DatabaseAwayError);
  await expect.poll(() => lines).toEqual(["the database is away"]);
  await setOnServer("default_transaction_read_only", "off");
  await answersAgain;
  expect(await failure()).toBeUndefined();
  expect(lines).toEqual(["the database is away", "the database answers again"]);
});

test("S5: a password that is changed under a running bot is told once, and found again when it is put back", async () => {
  await asOperator("create role keeper superuser login password 'first'");
  const url = Object.assign(new URL(`${server.url}/postgres`), {
    username: "keeper",
    password: "first",
  });
  const { database, lines, reasons, answersAgain } = await openNoted(url.href);
  const failure = () => database.probeWrite().catch((error: unknown) => error);
  await database.db.transaction().execute(async (trx) => {
    await sql`select 1`.execute(trx);
    await asOperator("alter role keeper password 'second'");
    expect(await failure()).toBeInstanceOf(DatabaseAwayError);
    await expect.poll(() => lines).toEqual(["the database is away"]);
  });
  for (let tries = 0; tries < 20; tries++)
    expect(await failure()).toBeInstanceOf(DatabaseAwayError);
  await asOperator("alter role keeper password 'first'");
  await answersAgain;
  expect(await failure()).toBeUndefined();
  expect(lines).toEqual(["the database is away", "the database answers again"]);
  expect(reasons).toEqual([
    'DATABASE_URL is refused: password authentication failed for user "keeper"',
  ]);
});

test("S5: a standby, which only reads, is tried again later; S3: one that is promoted counts as an older copy from the first query on", async () => {
  const { database, answersAgain } = await openNoted();
  expect(await restoresOf(database)).toEqual([]);
  await server.kill();
  await expect(database.probeWrite()).rejects.toThrow(DatabaseAwayError);
  await server.start("standby");
  await expect(open()).rejects.toMatchObject({
    kind: "database_unavailable",
    message: expect.stringContaining("try again later"),
  });
  await asOperator("select pg_promote()");
  await answersAgain;
  expect(await restoresOf(database)).toEqual([{ cause: "restored" }]);
});
