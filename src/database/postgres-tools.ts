import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { getCACertificates } from "node:tls";
import { StoreError } from "../shared/store-errors.ts";

/** Environment variables: PATH finds PostgreSQL's tools, which read their settings from the others. */
export type Environment = Readonly<Record<string, string | undefined>>;

const LONGEST_COMPLAINT = 500;

/** Values of `sslmode` by which the bot's own connection verifies whose server it is, by authority and name. */
const VERIFYING: ReadonlySet<string | undefined> = new Set([
  "prefer",
  "require",
  "verify-ca",
  "verify-full",
]);

/**
 * The bot's `sslmode` in the word of PostgreSQL's tools: they do not know `no-verify`, and check the server's name by
 * `verify-full` alone.
 */
const inToolsWord = (part: string): string => {
  const mode = new URLSearchParams(part).get("sslmode") ?? undefined;
  if (mode === "no-verify") return "sslmode=require";
  return VERIFYING.has(mode) ? "sslmode=verify-full" : part;
};

/**
 * The address as `pg` reads it: beside a space, or a percent sign that encodes no byte, all others stand for themselves,
 * but before two digits.
 */
export const asPgReads = (url: string): string =>
  / |%(?![\da-f]?$|[\da-f]{2})/i.test(url) ? encodeURI(url).replaceAll(/%25(?=\d\d)/g, "%") : url;

/**
 * Separates the password from the address, which every user sees in the list of processes. Of several, the bot's own
 * connection takes the query's last one. The rest of the query stays as it is written: PostgreSQL's tools read a space
 * in `%20` alone, which `URLSearchParams` would write as `+`.
 */
const splitPassword = (url: string): { readonly address: string; readonly password: string } => {
  const address = new URL(asPgReads(url));
  const inQuery = address.searchParams.getAll("password").at(-1) ?? "";
  const password = inQuery === "" ? decodeURIComponent(address.password) : inQuery;
  address.password = "";
  address.search = address.search
    .slice(1)
    .split("&")
    .filter((part) => !new URLSearchParams(part).has("password"))
    .map(inToolsWord)
    .join("&");
  return { address: address.href, password };
};

type Tool = "pg_dump" | "pg_restore";
type Program = Tool | "psql";

/** From this version on, a restore begins by the setting `transaction_timeout`, which older servers do not know. */
const FIRST_WITH_TRANSACTION_TIMEOUT = 17;

/** @returns the tool's output. @throws StoreError backup_refused */
const runTool = async (
  tool: Program,
  options: readonly string[],
  env: Environment,
): Promise<string> => {
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
          `${tool} cannot be run: install PostgreSQL's client tools of the server's version`,
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
 * The authorities that the bot's own connection trusts, in a file for PostgreSQL's tools, which know none and would
 * refuse every server. Undefined where the operator named a file.
 */
const trustedFor = (url: string, { PGSSLROOTCERT }: Environment): string | undefined => {
  const { searchParams } = new URL(url);
  const isNamed = searchParams.has("sslrootcert") || Boolean(PGSSLROOTCERT);
  if (isNamed || !VERIFYING.has(searchParams.getAll("sslmode").at(-1))) return undefined;
  const file = join(mkdtempSync(join(tmpdir(), "balcao-")), "trusted.pem");
  writeFileSync(file, getCACertificates("default").join("\n"));
  return file;
};

/** @returns the output of a tool that is connected to the database. @throws StoreError backup_refused */
const runConnected = async (
  tool: Program,
  url: string,
  options: readonly string[],
  environment: Environment,
): Promise<string> => {
  const { address, password } = splitPassword(url);
  const trusted = trustedFor(url, environment);
  const env = {
    ...environment,
    ...(password !== "" && { PGPASSWORD: password }),
    ...(trusted !== undefined && { PGSSLROOTCERT: trusted }),
  };
  try {
    return await runTool(tool, [...options, `--dbname=${address}`], env);
  } finally {
    if (trusted !== undefined) rmSync(dirname(trusted), { recursive: true, force: true });
  }
};

/** @returns the lines of the answer to a query. @throws StoreError backup_refused */
export const askServer = async (
  url: string,
  query: string,
  environment: Environment,
): Promise<readonly string[]> => {
  const options = ["--no-psqlrc", "--tuples-only", "--no-align", `--command=${query}`];
  const answer = await runConnected("psql", url, options, environment);
  return answer.split("\n").filter((line) => line !== "");
};

/**
 * Refuses a pg_dump whose copies the server would not take back, before an operator relies on one. pg_dump itself refuses
 * newer servers, without naming the package to install.
 */
const requireFitting = async (tool: Tool, url: string, environment: Environment): Promise<void> => {
  const version = await runTool(tool, ["--version"], environment);
  const own = Number(/ (\d+)/.exec(version)?.[1]);
  const [number] = await askServer(url, "show server_version_num", environment);
  const server = Math.floor(Number(number) / 10_000);
  const isOlder = tool === "pg_dump" && own < server;
  const isRefused =
    own >= FIRST_WITH_TRANSACTION_TIMEOUT && server < FIRST_WITH_TRANSACTION_TIMEOUT;
  if (!isOlder && !isRefused) return;
  throw new StoreError(
    "backup_refused",
    `${tool} is of version ${own} and does not fit a server of version ${server}: install PostgreSQL's client tools of version ${server}`,
  );
};

/**
 * Runs a PostgreSQL tool on a database.
 * @throws StoreError backup_refused when the tool is missing, of a version that does not fit the server, or fails
 */
export const runPostgresTool = async (
  tool: Tool,
  url: string,
  options: readonly string[],
  environment: Environment,
): Promise<void> => {
  await requireFitting(tool, url, environment);
  await runConnected(tool, url, options, environment);
};

/** Rows of a dumped table in COPY's text format; none when the dump lacks the table. @throws StoreError backup_refused */
export const rowsInDump = (
  file: string,
  schema: string,
  table: string,
  environment: Environment,
): Promise<string> => {
  const options = ["--data-only", `--schema=${schema}`, `--table=${table}`, "--file=-", file];
  return runTool("pg_restore", options, environment);
};
