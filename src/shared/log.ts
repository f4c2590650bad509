import { type DestinationStream, type Logger as PinoLogger, pino } from "pino";
import { WalletError } from "./errors.ts";
import type { SecretScrubber } from "./secret.ts";

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

/**
 * The loggable part of any thrown value. Foreign error messages are left out: they carry addresses, tokens and the text
 * of private replies.
 */
export const safeError = (error: unknown): Readonly<Record<string, unknown>> => {
  if (!(error instanceof Error)) return { name: typeof error };
  return {
    name: error.name,
    code: named(error, "code"),
    status: named(error, "status"),
    ...(error instanceof WalletError && {
      kind: error.kind,
      route: error.route,
      requestId: error.requestId,
    }),
    at: framesOf(error),
    ...(error.cause instanceof Error && {
      cause: { name: error.cause.name, code: named(error.cause, "code") },
    }),
  };
};

/**
 * A logger that scrubs each line before it leaves the process. Pass errors as `err`: the log shows only their
 * `safeError`. The destination is synchronous, so a killed process keeps its last lines.
 */
export const createLogger = (
  level: string,
  scrubber: SecretScrubber,
  destination: DestinationStream = pino.destination({ fd: 2, sync: true }),
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
