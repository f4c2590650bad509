import { createServer, connect, type Server, type Socket } from "node:net";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { Kysely, sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  openPostgres,
  POSTGRES_LIMITS,
  type PostgresLimits,
} from "#src/store/postgres-database.ts";
import {
  databases,
  openTestDatabase,
  quietLog,
  standingClock,
  type TestDatabase,
} from "../support/databases.ts";

/** A link to the server that can fall silent without being closed. */
interface Link {
  readonly url: string;
  readonly fallSilent: () => void;
  readonly recover: () => void;
  readonly connections: () => number;
  readonly stop: () => void;
}

const startLink = async (url: string): Promise<Link> => {
  const target = new URL(url);
  const { hostname } = target;
  const port = Number(target.port);
  const pairs: (readonly [Socket, Socket])[] = [];
  let silent = false;
  const server: Server = createServer((near) => {
    const far = connect(port, hostname);
    pairs.push([near, far]);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on("data", (bytes) => silent || to.write(bytes));
      from.on("error", () => to.destroy());
      from.on("close", () => silent || to.destroy());
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  target.port = String((server.address() as AddressInfo).port);
  return {
    url: target.href,
    fallSilent: () => void (silent = true),
    recover: () => void (silent = false),
    connections: () => pairs.length,
    stop: () => {
      server.close();
      for (const socket of pairs.flat()) socket.destroy();
    },
  };
};

describe("PostgreSQL", () => {
  const { create } = databases.find(({ name }) => name === "PostgreSQL")!;
  let empty: TestDatabase;
  let db: Kysely<unknown> | undefined;
  beforeEach(async () => {
    empty = await create();
  });
  afterEach(async () => {
    await db?.destroy();
    db = undefined;
    await empty.drop();
  });
  const openAt = async (url: string, limits: Partial<PostgresLimits> = {}, log = quietLog) => {
    db = new Kysely({ dialect: await openPostgres(url, log, { ...POSTGRES_LIMITS, ...limits }) });
    return db;
  };
  const setting = async (name: string): Promise<unknown> => {
    const { rows } = await sql<{ value: string }>`select current_setting(${name}) as value`.execute(
      db!,
    );
    return rows[0]?.value;
  };

  test("is asked to bound every wait", async () => {
    await openAt(empty.url);
    expect(await setting("statement_timeout")).toBe("10s");
    expect(await setting("lock_timeout")).toBe("5s");
    expect(await setting("idle_in_transaction_session_timeout")).toBe("10s");
    expect(await setting("application_name")).toBe("balcao");
  });

  test("stops a statement that takes too long", async () => {
    const slow = sql`select pg_sleep(30)`.execute(await openAt(empty.url, { statementMs: 50 }));
    await expect(slow).rejects.toThrow(/statement timeout/);
  });

  test("behind a link that fell silent fails in time, and the connection is not used again", async () => {
    const link = await startLink(empty.url);
    const slow = await openAt(link.url, { queryMs: 200 });
    await sql`select 1`.execute(slow);
    link.fallSilent();
    await expect(sql`select 1`.execute(slow)).rejects.toThrow(/timeout/);
    link.recover();
    expect((await sql`select 1 as one`.execute(slow)).rows).toEqual([{ one: 1 }]);
    expect(link.connections()).toBe(2);
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
          const other = await openTestDatabase(empty.url, standingClock("2026-11-19T12:00:00Z"));
          await sql`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()
        `.execute(other.db);
          await other.close();
        });
    });
    expect(await warned).toBe("an idle database connection was lost");
    expect((await sql`select 1 as one`.execute(db!)).rows).toEqual([{ one: 1 }]);
  });

  test("keeps a connection whose statement the server refused", async () => {
    const link = await startLink(empty.url);
    const opened = await openAt(link.url);
    for (let round = 0; round < 3; round += 1) {
      await expect(sql`select nothing`.execute(opened)).rejects.toThrow(/does not exist/);
    }
    expect(link.connections()).toBe(1);
    await opened.destroy();
    db = undefined;
    link.stop();
  });

  test("brought up to date by several processes at once has its tables once", async () => {
    const clock = standingClock("2026-11-19T12:00:00Z");
    const opened = await Promise.all([1, 2, 3, 4].map(() => openTestDatabase(empty.url, clock)));
    await Promise.all(opened.map(({ probeWrite }) => probeWrite()));
    for (const database of opened) await database.close();
  });

  test("gives no integer that a number cannot hold", async () => {
    const opened = await openAt(empty.url);
    await expect(sql`select 9007199254740993::bigint as n`.execute(opened)).rejects.toThrow(
      RangeError,
    );
  });
});
