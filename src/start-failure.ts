import { DiscordApiError } from "./discord/discord-api.ts";
import { NoAnswerError } from "./discord/discord-http.ts";
import { DatabaseAwayError, exitCodes } from "./shared/errors.ts";
import { storageProblem, StoreError, type StoreErrorKind } from "./store/errors.ts";

export interface StartFailure {
  readonly code: (typeof exitCodes)[keyof typeof exitCodes];
  /** For the operator; undefined when only the log can tell. */
  readonly advice: string | undefined;
}

const UNAUTHORIZED = 401;
const FORBIDDEN = 403;
/** Timeout, too early, too many requests. */
const LATER = new Set([408, 425, 429]);
const PASSING_STORE: ReadonlySet<StoreErrorKind> = new Set([
  "database_in_use",
  "database_unavailable",
  "disk_unwritable",
]);

/** 403 without one of Discord's codes is a page of its shield, which blocks an address for a while. */
const isPassing = ({ status, code }: DiscordApiError): boolean =>
  status >= 500 || LATER.has(status) || (status === FORBIDDEN && code === undefined);

/**
 * How a program that could not start ends. What passes by itself must never look like a setting that somebody has to
 * change: no supervisor would start it again.
 */
export const startFailure = (error: unknown): StartFailure => {
  if (error instanceof DatabaseAwayError) {
    if (error.cause instanceof StoreError) return startFailure(error.cause);
    const advice = "The database (DATABASE_URL) does not answer now: try again later.";
    return { code: exitCodes.tryLater, advice };
  }
  const problem = storageProblem(error);
  if (problem !== undefined) {
    const code = PASSING_STORE.has(problem.kind) ? exitCodes.tryLater : exitCodes.configuration;
    return { code, advice: `${problem.message}.` };
  }
  if (error instanceof NoAnswerError)
    return { code: exitCodes.tryLater, advice: "Discord did not answer: try again later." };
  if (!(error instanceof DiscordApiError)) return { code: exitCodes.failed, advice: undefined };
  if (error.status === UNAUTHORIZED) {
    const advice = "Discord refuses DISCORD_TOKEN: copy the bot's token again.";
    return { code: exitCodes.configuration, advice };
  }
  return isPassing(error)
    ? {
        code: exitCodes.tryLater,
        advice: `Discord does not serve us now (${error.message}): try again later.`,
      }
    : { code: exitCodes.failed, advice: `${error.message}.` };
};
