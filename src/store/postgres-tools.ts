import { spawn } from "node:child_process";
import { StoreError } from "./errors.ts";

/** Where a tool is found, by PATH, and what it reads its settings from. */
export type Environment = Readonly<Record<string, string | undefined>>;

const LONGEST_COMPLAINT = 500;

/** The address without its password, which would stand in the list of processes, and the password. */
const apart = (url: string): { readonly address: string; readonly password: string } => {
  const address = new URL(url);
  const password = decodeURIComponent(address.password);
  address.password = "";
  return { address: address.href, password };
};

type Tool = "pg_dump" | "pg_restore";

/** Gives what the tool wrote. @throws StoreError backup_refused */
const run = async (tool: Tool, options: readonly string[], env: Environment): Promise<string> => {
  const child = spawn(tool, options, { env, stdio: ["ignore", "pipe", "pipe"] });
  let written = "";
  let complaint = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (written += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (complaint += text));
  const code = await new Promise<number | null>((done, fail) => {
    child.once("error", (error) =>
      fail(
        new StoreError(
          "backup_refused",
          `${tool} cannot be run: install PostgreSQL's client tools, of the server's version or newer`,
          error,
        ),
      ),
    );
    child.once("close", done);
  });
  if (code === 0) return written;
  const why = complaint.trim().slice(-LONGEST_COMPLAINT);
  throw new StoreError("backup_refused", `${tool} ended with ${code}: ${why}`);
};

/**
 * Runs one of PostgreSQL's own tools on a database.
 * @throws StoreError backup_refused when it is not installed, or says why it could not do it
 */
export const runPostgresTool = async (
  tool: Tool,
  url: string,
  options: readonly string[],
  environment: Environment,
): Promise<void> => {
  const { address, password } = apart(url);
  const env = { ...environment, ...(password !== "" && { PGPASSWORD: password }) };
  await run(tool, [...options, `--dbname=${address}`], env);
};

/** Rows of a table in a dump as COPY writes them; empty when it has no such table. @throws StoreError backup_refused */
export const rowsInDump = (
  file: string,
  table: string,
  environment: Environment,
): Promise<string> =>
  run("pg_restore", ["--data-only", `--table=${table}`, "--file=-", file], environment);
