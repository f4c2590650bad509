import { type DestinationStream, type Logger as PinoLogger, pino } from "pino";
import { WalletError } from "./errors.ts";
import type { SecretScrubber } from "./secret.ts";
import { sqliteCode, StoreError } from "./store-errors.ts";

/** Log methods that the code may use. Log lines are no record: facts about money are rows of the database. */
export type Logger = Pick<PinoLogger, "debug" | "info" | "warn" | "error">;

const STACK_FRAMES = 5;

const named = (error: object, name: string): string | number | undefined => {
  const value: unknown = Reflect.get(error, name);
  return typeof value === "string" || typeof value === "number" ? value : undefined;
};

const framesOf = (error: Error): string[] =>
  (error.stack ?? "")
    .split("\n")
    .filter((line) => /^\s+at /.test(line))
    .slice(0, STACK_FRAMES)
    .map((line) => line.trim());

/** Name, code, and what an error of the database tells the operator. */
const summaryOf = (error: Error): Readonly<Record<string, unknown>> => ({
  name: error.name,
  code: sqliteCode(error) ?? named(error, "code"),
  ...(error instanceof StoreError && { kind: error.kind, message: error.message }),
});

/**
 * The loggable part of any thrown value. Foreign error messages are left out: they carry addresses, tokens and the text
 * of private replies.
 */
export const safeError = (error: unknown): Readonly<Record<string, unknown>> => {
  if (!(error instanceof Error)) return { name: typeof error };
  return {
    ...summaryOf(error),
    status: named(error, "status"),
    ...(error instanceof WalletError && {
      kind: error.kind,
      route: error.route,
      requestId: error.requestId,
      reference: error.reference,
    }),
    at: framesOf(error),
    ...(error.cause instanceof Error && { cause: summaryOf(error.cause) }),
  };
};

/** Written at once, in characters, even within a turn. */
const MOST_TOGETHER = 16_384;
/** Kept while they cannot be written, in bytes; further lines are dropped. */
const MOST_UNWRITTEN = 16 * MOST_TOGETHER;

/**
 * Writes the lines of one turn of the event loop together: each write holds up the process. It is synchronous, so that
 * a killed process loses the lines of its last turn at most, and one that ends by itself loses none.
 */
const standardError = (): DestinationStream => {
  const destination = pino.destination({ fd: 2, sync: true, maxLength: MOST_UNWRITTEN });
  // A full disk under the log must not end the bot. The next write tries the kept lines again, also one that is dropped.
  destination.on("error", () => {});
  destination.on("drop", () => destination.write(""));
  let lines = "";
  const flush = (): void => {
    if (lines !== "") destination.write(lines);
    lines = "";
  };
  process.once("exit", flush);
  return {
    write: (line) => {
      if (lines === "") setImmediate(flush);
      lines += line;
      if (lines.length >= MOST_TOGETHER) flush();
    },
  };
};

/**
 * A logger that scrubs each line before it leaves the process. Pass errors as `err`: the log shows only their
 * `safeError`.
 */
export const createLogger = (
  level: string,
  scrubber: SecretScrubber,
  destination = standardError(),
): Logger =>
  pino(
    {
      level,
      base: null,
      serializers: { err: safeError },
      hooks: { streamWrite: scrubber.scrub },
    },
    destination,
  );
