/** How an exchange can end without a whole answer. */
export type FailureKind = "unreachable" | "unavailable" | "timeout" | "malformed";

const TIMEOUTS = new Set(["DEADLINE", "UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"]);

const NO_ANSWER_OF_OURS = new Set([
  "HTTPParserError",
  "UND_ERR_HEADERS_OVERFLOW",
  "UND_ERR_RES_EXCEEDED_MAX_SIZE",
]);

/**
 * What an error stands for once the request had begun to leave, by undici's code or name for it. An unknown one counts
 * as a broken connection: the kind that promises least.
 */
export const failureKind = (code: string): FailureKind => {
  if (TIMEOUTS.has(code)) return "timeout";
  return NO_ANSWER_OF_OURS.has(code) ? "malformed" : "unavailable";
};
