import { readFileSync, statSync } from "node:fs";
import { z } from "zod";
import { Secret } from "./shared/secret.ts";
import { StoreError } from "./shared/store-errors.ts";
import { parseKeyRing } from "./database/encryption.ts";
import { asPgReads } from "./database/postgres-tools.ts";

const LONGEST_PAGE_URL = 300;

const isLoopback = (hostname: string): boolean =>
  hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);

const baseUrl = z.string().transform((text, check) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || /[?#]/.test(text) || url.username) {
    check.addIssue("must be an address such as https://example.com");
    return z.NEVER;
  }
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    check.addIssue("must be https (http only on loopback)");
    return z.NEVER;
  }
  return url.href.replace(/\/+$/, "");
});

/** Address of the wallet service, without `/v1` and without a slash at its end. */
const walletBaseUrl = baseUrl.refine(
  (url) => !url.endsWith("/v1"),
  "must not end in /v1: the bot adds it",
);
/** Address of Discord's REST API, without version and without a slash at its end. */
const discordApiUrl = baseUrl.refine(
  (url) => !/\/v\d+$/.test(url),
  "must not end in a version: the bot adds it",
);

/** Address of a web page, in the form that messages show: https only. */
const pageUrl = z.string().transform((text, check) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isShown = url !== undefined && url.href.length <= LONGEST_PAGE_URL && !url.username;
  if (isShown && url.protocol === "https:" && !/[<>()`]/.test(url.href)) return url.href;
  check.addIssue("must be an address such as https://example.com/med");
  return z.NEVER;
});

/** Host name of a public address; undefined on loopback, where no stranger comes by it. */
export const publicHostOf = (url: string): string | undefined => {
  const { hostname } = new URL(url);
  return isLoopback(hostname) ? undefined : hostname;
};

/** Without a slash at its end, and short enough for a message. */
const publicUrl = baseUrl
  .refine(
    (url) => url.length <= LONGEST_PAGE_URL && !/[`\s]/.test(url),
    "must be a shorter address",
  )
  .refine((url) => !url.endsWith("/ganchos"), "must not end in /ganchos: the bot adds it");

/** Values of `sslmode` that `pg` 8 knows; `prefer`, `require` and `verify-ca` verify like `verify-full`. */
const SSL_MODES = new Set([
  "disable",
  "no-verify",
  "prefer",
  "require",
  "verify-ca",
  "verify-full",
]);

/** The last value of a repeated parameter, as in `pg`. */
const parameterOf = (url: URL, name: string): string | undefined =>
  url.searchParams.getAll(name).at(-1);

const hostOf = (url: URL): string =>
  parameterOf(url, "host") || decodeURIComponent(url.hostname) || "localhost";

/** Connections to a loopback address or a socket stay on this machine. */
const staysOnMachine = (host: string): boolean =>
  host === "::1" || host.startsWith("/") || isLoopback(host);

/** Adds the host, because `pg` would take a missing one from the environment. */
const withHost = (text: string, url: URL): string =>
  parameterOf(url, "host") || url.hostname
    ? text
    : `${text}${url.search === "" ? "?" : "&"}host=localhost`;

/**
 * Whether a sign of the password ended the host too early, which can be read where the part before it is a port, or ended
 * the line, from which a name and a port are left.
 */
const isCutShort = (url: URL): boolean => {
  const { username, port, pathname, search, searchParams, hash } = url;
  const rest = username === "" ? [pathname, ...searchParams.keys(), hash] : [hash];
  const endsAtPort = port !== "" && username + pathname + search === "";
  return rest.some((part) => part.includes("@")) || (endsAtPort && !staysOnMachine(hostOf(url)));
};

/** Whether the percent signs of the name, the password and the host encode letters. */
const isDecodable = ({ username, password, hostname }: URL): boolean => {
  try {
    decodeURIComponent(username + password + hostname);
    return true;
  } catch {
    return false;
  }
};

/** SQLite file, memory, or PostgreSQL; a PostgreSQL server on another machine needs an explicit `sslmode`. */
const databaseUrl = z.string().transform((text, check) => {
  if (/^sqlite:.+/.test(text)) return text;
  const isPostgres = /^postgres(ql)?:\/\//.test(text);
  const address = asPgReads(text);
  const url = isPostgres && URL.canParse(address) ? new URL(address) : undefined;
  const mode = url && parameterOf(url, "sslmode");
  if (!isPostgres) {
    check.addIssue("must be sqlite:PATH, sqlite::memory: or postgres://…");
  } else if (url === undefined || isCutShort(url) || !isDecodable(url)) {
    // Node cuts a value without quotes at its first `#`.
    check.addIssue(
      "must be postgres://USER:PASSWORD@HOST:PORT/DATABASE: in the password write # as %23, / as %2F, ? as %3F and % as %25",
    );
  } else if (url.searchParams.has("uselibpqcompat")) {
    // With it `pg` checks no certificate by `prefer` and `require`; PostgreSQL's tools refuse the word.
    check.addIssue(
      "must not contain uselibpqcompat, by which a server's certificate goes unchecked: write sslmode=verify-full alone",
    );
  } else if (mode === undefined ? !staysOnMachine(hostOf(url)) : !SSL_MODES.has(mode)) {
    check.addIssue(
      "must say whether a server on another machine is reached over TLS: add ?sslmode=verify-full (or sslmode=disable where the network itself is safe)",
    );
  } else return withHost(text, url);
  return z.NEVER;
});

const wholeNumber = (smallest: number, largest: number) => {
  const problem = `must be a whole number from ${smallest} to ${largest}`;
  return z
    .string()
    .regex(/^\d{1,6}$/, problem)
    .transform(Number)
    .refine((value) => value >= smallest && value <= largest, problem);
};

/** Shards of one process: `0-3` or `0,1`. */
const shards = z.string().transform((text, check) => {
  const range = /^(\d{1,5})-(\d{1,5})$/.exec(text);
  if (range) {
    const [first, last] = [Number(range[1]), Number(range[2])];
    if (first <= last && last - first < 1_000)
      return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  }
  if (/^\d{1,5}(,\d{1,5})*$/.test(text)) return [...new Set(text.split(",").map(Number))];
  check.addIssue("must be like 0-3 or 0,1");
  return z.NEVER;
});

const flag = z
  .enum(["true", "false"], { error: "must be true or false" })
  .transform((text) => text === "true");

/** Program that reads the configuration; each requires only the variables that it uses. */
export type Program = "start" | "register" | "rotate-keys" | "backup" | "restore";

export type Config = ReturnType<typeof parseConfig>;

const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

/** Lists every problem of the configuration. Supervisors must not restart the process (exit 78). */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(
      `The configuration has ${problems.length === 1 ? "a problem" : `${problems.length} problems`}`,
    );
    this.problems = problems;
  }
}

/** Text and permission bits of a secret file; undefined when the file cannot be read. */
type ReadSecretFile = (
  path: string,
) => { readonly text: string; readonly mode: number } | undefined;

const DISCORD_API_URL = "https://discord.com/api";
const REQUIRED: Readonly<Record<Program, readonly string[]>> = {
  start: ["DISCORD_TOKEN", "WALLET_BASE_URL", "MASTER_KEY"],
  register: ["DISCORD_TOKEN"],
  "rotate-keys": ["WALLET_BASE_URL", "MASTER_KEY"],
  backup: [],
  restore: ["WALLET_BASE_URL", "MASTER_KEY"],
};

const Environment = z.object({
  DISCORD_TOKEN: z
    .string()
    .regex(/^[!-~]{20,200}$/, "does not look like a bot token")
    .optional(),
  DISCORD_API_URL: discordApiUrl.default(DISCORD_API_URL),
  WALLET_BASE_URL: walletBaseUrl.optional(),
  DATABASE_URL: databaseUrl.default("sqlite:./data/balcao.db"),
  WITHDRAW_ENABLED: flag.default(false),
  REFUND_ENABLED: flag.default(false),
  MED_ANSWER_URL: pageUrl.optional(),
  MASTER_KEY: z.string().optional(),
  MASTER_KEY_FILE: z.string().optional(),
  COMMANDS_PER_PERSON: wholeNumber(1, 100_000).default(10),
  COMMANDS_PER_SERVER: wholeNumber(1, 100_000).default(60),
  SHARDS: shards.optional(),
  SHARD_COUNT: wholeNumber(1, 10_000).optional(),
  SHARD_PROCESSES: wholeNumber(1, 1_000).default(2),
  HTTP_PORT: wholeNumber(1, 65_535).optional(),
  HTTP_HOST: z
    .string()
    .regex(/^[\w.:-]+$/, "must be an address to listen on")
    .default("127.0.0.1"),
  PUBLIC_URL: publicUrl.optional(),
  LOG_LEVEL: z
    .enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(", ")}` })
    .default("info"),
});

/** Variables that the bot reads; a test compares them with `.env.example`. */
export const variableNames: readonly string[] = Object.keys(Environment.shape);

const shardProblems = (given: Readonly<Record<string, string | undefined>>): readonly string[] => {
  if ((given["SHARDS"] === undefined) !== (given["SHARD_COUNT"] === undefined)) {
    return ["SHARDS, SHARD_COUNT: go together; set both or none"];
  }
  const own = Environment.shape.SHARDS.safeParse(given["SHARDS"]).data ?? [];
  const total = Environment.shape.SHARD_COUNT.safeParse(given["SHARD_COUNT"]).data ?? Infinity;
  return own.some((shard) => shard >= total)
    ? [`SHARDS: must be below SHARD_COUNT (${total})`]
    : [];
};

/** Part of the bot's shards that is this process's, and so of Discord's limits for the bot and its address. */
export const shareOf = ({ shards, shardCount }: Pick<Config, "shards" | "shardCount">): number =>
  shards === undefined || shardCount === undefined ? 1 : shards.length / shardCount;

const GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;

/**
 * Whether numbered work that the processes share is this one's. The numbers go over the shards in steps of the golden
 * ratio, so that no long run of them waits for a process that is away.
 */
export const ownTurns =
  ({ shards, shardCount }: Pick<Config, "shards" | "shardCount">) =>
  (turn: number): boolean =>
    shards === undefined ||
    shardCount === undefined ||
    shards.includes(Math.floor(((turn * GOLDEN_RATIO) % 1) * shardCount));

/** Place of this process's shards among all, from 0 to less than 1. */
export const placeOf = ({ shards = [], shardCount = 1 }: Pick<Config, "shards" | "shardCount">) =>
  (shards[0] ?? 0) / shardCount;

const readSecretFile: ReadSecretFile = (path) => {
  try {
    return { text: readFileSync(path, "utf8"), mode: statSync(path).mode & 0o777 };
  } catch {
    // The problem tells the operator that the file cannot be read; `ls -l` tells why.
    return undefined;
  }
};

const masterKeyOf = (
  env: { MASTER_KEY?: string | undefined; MASTER_KEY_FILE?: string | undefined },
  readFile: ReadSecretFile,
  problems: string[],
): string | undefined => {
  if (env.MASTER_KEY !== undefined && env.MASTER_KEY_FILE !== undefined) {
    problems.push("MASTER_KEY and MASTER_KEY_FILE: set exactly one of the two");
    return undefined;
  }
  if (env.MASTER_KEY_FILE === undefined) return env.MASTER_KEY;
  const file = readFile(env.MASTER_KEY_FILE);
  if (file === undefined) problems.push("MASTER_KEY_FILE: the file cannot be read");
  else if ((file.mode & 0o007) !== 0)
    problems.push("MASTER_KEY_FILE: everybody can read the file; chmod 600 it");
  return file?.text;
};

const keyRingProblems = (text: string | undefined): readonly string[] => {
  try {
    if (text !== undefined) parseKeyRing(text);
    return [];
  } catch (error) {
    if (error instanceof StoreError) return [`MASTER_KEY: ${error.message}`];
    throw error;
  }
};

/**
 * The configuration of one program, from its environment. Empty variables count as unset.
 * @throws ConfigError with every problem, and without values of secrets.
 */
export const parseConfig = (
  env: Readonly<Record<string, string | undefined>>,
  program: Program,
  readFile: ReadSecretFile = readSecretFile,
) => {
  const given = Object.fromEntries(
    variableNames.map((name) => [name, env[name]?.trim() || undefined]),
  );
  // The mark with which some editors begin a file.
  const marked = variableNames.filter((name) => env[`\uFEFF${name}`] !== undefined);
  const problems = REQUIRED[program]
    .filter((name) => !given[name] && !(name === "MASTER_KEY" && given["MASTER_KEY_FILE"]))
    .filter((name) => !marked.includes(name))
    .map((name) => `${name}: is required${name === "MASTER_KEY" ? " (or MASTER_KEY_FILE)" : ""}`);
  for (const name of marked)
    problems.push(
      `${name}: the file begins with a byte order mark, which Node takes for a part of this name: save it as UTF-8 without BOM`,
    );
  const parsed = Environment.safeParse(given);
  for (const issue of parsed.error?.issues ?? [])
    problems.push(`${issue.path.join(".")}: ${issue.message}`);
  problems.push(...shardProblems(given));
  if (given["PUBLIC_URL"] !== undefined && given["HTTP_PORT"] === undefined)
    problems.push("PUBLIC_URL: needs HTTP_PORT, the port that it leads to");
  if (env["NODE_TLS_REJECT_UNAUTHORIZED"] === "0")
    problems.push(
      "NODE_TLS_REJECT_UNAUTHORIZED: must not be 0: anybody between here and the wallet service could read keys and move money; unset it, and name a certificate of your own in NODE_EXTRA_CA_CERTS, which Node reads from the process's own environment and not from .env",
    );
  const needsKey = REQUIRED[program].includes("MASTER_KEY");
  const masterKey = needsKey ? masterKeyOf(given, readFile, problems) : undefined;
  problems.push(...keyRingProblems(masterKey));
  if (parsed.data === undefined || problems.length > 0) throw new ConfigError(problems);
  const read = parsed.data;
  return Object.freeze({
    discordToken: new Secret(read.DISCORD_TOKEN ?? ""),
    discordApiUrl: read.DISCORD_API_URL,
    walletBaseUrl: read.WALLET_BASE_URL ?? "",
    databaseUrl: read.DATABASE_URL,
    /** Allows the two requests that the wallet service names but does not describe: they move or cancel money. */
    withdrawEnabled: read.WITHDRAW_ENABLED,
    /** Allows `POST /v1/refund`, which the wallet service names but does not describe: it gives a payment back. */
    refundEnabled: read.REFUND_ENABLED,
    /** Page on which sellers answer a dispute; undefined when it is not set. */
    medAnswerUrl: read.MED_ANSWER_URL,
    /** Text of a valid key ring: lines `kid:base64`; the first key is the current one. */
    masterKey: new Secret(masterKey ?? ""),
    /** Commands, clicks and forms: of one person in 30 seconds, and of one guild in a minute. */
    commandLimits: { perUser: read.COMMANDS_PER_PERSON, perGuild: read.COMMANDS_PER_SERVER },
    /** Gateway shards of this process; undefined for all shards. */
    shards: read.SHARDS,
    shardCount: read.SHARD_COUNT,
    /** Number of processes of `npm run start:shards`. */
    shardProcesses: read.SHARD_PROCESSES,
    http: read.HTTP_PORT === undefined ? undefined : { host: read.HTTP_HOST, port: read.HTTP_PORT },
    /** Address under which the HTTP port is reached from outside. */
    publicUrl: read.PUBLIC_URL,
    logLevel: read.LOG_LEVEL,
  });
};
