import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Dialect, Kysely } from "kysely";
import type { TestProject } from "vitest/node";
import { migrate } from "#src/database/database.ts";
import { openPostgres } from "#src/database/postgres-database.ts";
import type { Schema } from "#src/schema.ts";
import { openSqlite } from "#src/database/sqlite-database.ts";
import { POSTGRES_TEMPLATE, type RunningPostgres, startPostgres } from "./start-postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    /**
     * Serves `/postgres`, the address of a running PostgreSQL with the template, and `/sqlite`, the path of a file to
     * copy. Each is created on the first request.
     */
    readonly databases: string;
  }
}

const withTables = async (dialect: Dialect): Promise<void> => {
  const db = new Kysely<Schema>({ dialect });
  try {
    await migrate(db);
  } finally {
    await db.destroy();
  }
};

const makeFile = async (folder: string): Promise<string> => {
  const path = join(folder, "with-tables.db");
  const sqlite = openSqlite(`sqlite:${path}`);
  await withTables(sqlite.dialect);
  sqlite.unlock();
  return path;
};

const startWithTemplate = async (): Promise<RunningPostgres> => {
  const postgres = await startPostgres();
  try {
    await makeTemplate(postgres);
    return postgres;
  } catch (error) {
    await postgres.stop();
    throw error;
  }
};

const makeTemplate = async (postgres: RunningPostgres): Promise<void> => {
  const url = await postgres.create(POSTGRES_TEMPLATE);
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const random = { bytes: (size: number) => randomBytes(size), fraction: () => 0.5 };
  const { dialect } = await openPostgres(url, { log, random });
  await withTables(dialect);
};

const listen = (server: Server): Promise<string> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(`http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`);
    });
  });

/** One PostgreSQL and one migrated database of each kind for the whole run. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const folder = mkdtempSync(join(tmpdir(), "balcao-databases-"));
  let file: Promise<string> | undefined;
  let postgres: Promise<RunningPostgres> | undefined;
  const server = createServer(({ url }, response) => {
    // A kept connection may be closed at the moment of a worker's second question.
    response.setHeader("connection", "close");
    const asked =
      url === "/sqlite"
        ? (file ??= makeFile(folder))
        : (postgres ??= startWithTemplate()).then((running) => running.url);
    asked.then(
      (text) => response.end(text),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  project.provide("databases", await listen(server));
  return async () => {
    server.close();
    server.closeAllConnections();
    // Every test that asked has already received the failure.
    const started = await postgres?.catch(() => undefined);
    await started?.stop();
    rmSync(folder, { recursive: true, force: true });
  };
};
