import { randomBytes } from "node:crypto";
import { accessSync, constants, statSync } from "node:fs";
import { resolve } from "node:path";
import { type Config, ConfigError, parseConfig } from "./config.ts";
import { DatabaseAwayError, errorCode, exitCodes, PortError } from "./shared/errors.ts";
import { createLogger, type Logger } from "./shared/log.ts";
import { createSecretScrubber } from "./shared/secret.ts";
import { DiscordApiError, isPassing, TOKEN_REFUSED } from "./discord/discord-api.ts";
import { NoAnswerError } from "./discord/discord-http.ts";
import {
  isDatabaseAway,
  storageProblem,
  StoreError,
  type StoreErrorKind,
} from "./shared/store-errors.ts";

export const say = (
  lines: readonly string[],
  stream: NodeJS.WritableStream = process.stderr,
): void => void stream.write(`${lines.join("\n")}\n`);

const EVERYBODY = 0o007;

const isReadable = (path: string): boolean => {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
};

/**
 * Warns of a file with secrets that every user of the machine can read, or that this one cannot: Node says of such an
 * `.env` that it is not found. No error, because a supervisor may have read it.
 */
export const warningsOf = (path: string): readonly string[] => {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode;
  if (mode === undefined) return [];
  if (!isReadable(path))
    return [
      `${path}: this user cannot read it, so Node takes no settings from it; run this as its owner, or chown ${path}`,
    ];
  return (mode & EVERYBODY) === 0
    ? []
    : [`${path}: every user of this machine can read its secrets; chmod 600 ${path}`];
};

/** Configuration of a serving process. With problems, prints them all and exits. */
export const readStartConfig = (): Config => {
  for (const warning of warningsOf(".env")) say([warning]);
  try {
    return parseConfig(process.env, "start");
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    say([
      ...problemLines(error),
      "Each variable is explained in .env.example. To try the bot without any account: npm run demo",
    ]);
    return process.exit(exitCodes.configuration);
  }
};

const problemLines = ({ message, problems }: ConfigError): readonly string[] => [
  `${message}:`,
  ...problems.map((problem) => `  - ${problem}`),
];

export const createStartLog = (config: Config): Logger => {
  const scrubber = createSecretScrubber();
  scrubber.hide(config.discordToken.reveal());
  for (const line of config.masterKey.reveal().split(/\s+/))
    scrubber.hide(line.slice(line.indexOf(":") + 1));
  return createLogger(config.logLevel, scrubber);
};

/**
 * Whole path of the file that an operator names, from the folder in which npm or Node was called (npm itself changes to
 * the bot's).
 * @throws ConfigError without one; an option such as `--help` is none
 */
export const fileArgument = (program: "backup" | "restore"): string => {
  const [file] = process.argv.slice(2);
  if (file !== undefined && !file.startsWith("-"))
    return resolve(process.env["INIT_CWD"] ?? "", file);
  throw new ConfigError([`FILE: is required: npm run ${program} -- FILE`]);
};

/** Clock and chance of a real process. */
export const host = {
  random: { bytes: (size: number) => randomBytes(size), fraction: Math.random },
  clock: { now: () => Temporal.Now.instant() },
};

const failureOf = (
  error: unknown,
): { readonly lines: readonly string[]; readonly code: number } => {
  if (error instanceof ConfigError)
    return { lines: problemLines(error), code: exitCodes.configuration };
  const { code, advice } = startFailure(error);
  if (advice === undefined) throw error;
  return { lines: [advice], code };
};

/** Runs a program of the operator, prints its result and sets the exit code. */
export const runProgram = async (
  work: () => Promise<{ readonly lines: readonly string[]; readonly code?: number }>,
): Promise<void> => {
  for (const warning of warningsOf(".env")) say([warning]);
  const { lines, code = exitCodes.done } = await work().catch(failureOf);
  say(lines, process.stdout);
  process.exitCode = code;
};

interface StartFailure {
  readonly code: (typeof exitCodes)[keyof typeof exitCodes];
  /** Sentence for the operator; undefined when only the log can help. */
  readonly advice: string | undefined;
}

const UNAUTHORIZED = 401;
const PASSING_STORE: ReadonlySet<StoreErrorKind> = new Set([
  "database_in_use",
  "database_unavailable",
  "disk_unwritable",
]);

/**
 * Exit code and advice for a program that could not start. A temporary problem must not get the code of a wrong
 * setting, after which supervisors never restart.
 */
export const startFailure = (error: unknown): StartFailure => {
  if (error instanceof DatabaseAwayError && error.cause instanceof StoreError)
    return startFailure(error.cause);
  const problem = storageProblem(error);
  if (problem !== undefined) {
    const code = PASSING_STORE.has(problem.kind) ? exitCodes.tryLater : exitCodes.configuration;
    return { code, advice: `${problem.message}.` };
  }
  if (isDatabaseAway(error)) {
    const advice = "The database (DATABASE_URL) does not answer now: try again later.";
    return { code: exitCodes.tryLater, advice };
  }
  if (error instanceof PortError) {
    const isForbidden = errorCode(error.cause) === "EACCES";
    const code = isForbidden ? exitCodes.configuration : exitCodes.tryLater;
    return { code, advice: `${error.message}.` };
  }
  if (error instanceof NoAnswerError)
    return { code: exitCodes.tryLater, advice: "Discord did not answer: try again later." };
  if (!(error instanceof DiscordApiError)) return { code: exitCodes.failed, advice: undefined };
  if (error.status === UNAUTHORIZED) {
    return { code: exitCodes.configuration, advice: TOKEN_REFUSED };
  }
  return isPassing(error)
    ? {
        code: exitCodes.tryLater,
        advice: `Discord does not serve us now (${error.message}): try again later.`,
      }
    : { code: exitCodes.failed, advice: `${error.message}.` };
};
