/** How an exchange can end without a whole answer. */
export type FailureKind = "unreachable" | "unavailable" | "timeout" | "malformed";

const TIMEOUTS = new Set(["DEADLINE", "UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"]);

const TOO_LARGE = new Set(["UND_ERR_HEADERS_OVERFLOW", "UND_ERR_RES_EXCEEDED_MAX_SIZE"]);

/**
 * What the error code of an exchange stands for once the request had begun to leave. An unknown code counts as a
 * broken connection: the kind that promises least.
 */
export const failureKind = (code: string | undefined): FailureKind => {
  if (code === undefined) return "unavailable";
  if (TIMEOUTS.has(code)) return "timeout";
  // HPE_: the parser's codes for an answer that is no HTTP.
  return TOO_LARGE.has(code) || code.startsWith("HPE_") ? "malformed" : "unavailable";
};
