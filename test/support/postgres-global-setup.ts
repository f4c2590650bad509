import { createServer, type Server } from "node:http";
import type { TestProject } from "vitest/node";
import { type RunningPostgres, startPostgres } from "./start-postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Answers with the address of a running PostgreSQL, which it starts for the first that asks. */
    readonly postgresStarter: string;
  }
}

const listen = (server: Server): Promise<string> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(`http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`);
    });
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
    // A start that failed was told to every test that asked.
    const started = await running?.catch(() => undefined);
    await started?.stop();
  };
};
