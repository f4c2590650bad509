import { UserError, WalletError } from "../shared/errors.ts";
import type { Logger } from "../shared/log.ts";
import type { Random } from "../shared/random.ts";
import { DIRECT_MESSAGE, type Incoming } from "./interaction.ts";
import type { errorReply, PresentableError } from "../help/error.view.ts";
import { isDatabaseAway } from "../shared/store-errors.ts";
import type { Reply } from "../ui/reply.ts";

const REFERENCE_LENGTH = 8;
/** Thirty-two characters that people do not confuse when they read a code out. */
const REFERENCE_CHARACTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";

export interface Problem {
  readonly reply: Reply;
  /** For logs and metrics: one of a closed set, never text of people. */
  readonly summary: string;
  /** Whether it is a fault of ours. */
  readonly unexpected: boolean;
  readonly reference: string | undefined;
}

/**
 * Turns any error of a handler into the person's reply and the log's line. Never throws. With `mayHaveMoved`, explains
 * only mistakes of the person: the advice to try again could lead to a second payment. `stopsMoney` marks the
 * lock of withdrawals: its failure leaves them open.
 */
export type ErrorBoundary = (
  error: unknown,
  incoming: Pick<Incoming, "locale" | "invocation">,
  label: string,
  mayHaveMoved?: boolean,
  stopsMoney?: boolean,
) => Problem;

export const createErrorBoundary = (parts: {
  readonly errorReply: typeof errorReply;
  readonly random: Random;
  readonly log: Logger;
}): ErrorBoundary => {
  const { random, log } = parts;

  const newReference = (): string =>
    Array.from(random.bytes(REFERENCE_LENGTH), (byte) => REFERENCE_CHARACTERS[byte & 31]).join("");

  const present = (
    error: PresentableError,
    { locale, invocation }: Parameters<ErrorBoundary>[1],
    reference: string,
  ): Reply => {
    try {
      return parts.errorReply(error, locale, reference, invocation?.guildId === DIRECT_MESSAGE);
    } catch (fault) {
      // The person still gets the code by which the operator finds this line.
      log.error({ err: fault, reference }, "no text could be made for an error");
      return { kind: "reply", content: reference };
    }
  };

  return (error, incoming, label, mayHaveMoved = false, stopsMoney = false) => {
    const reference = newReference();
    const uncertain = mayHaveMoved ? new UserError({ kind: "money_uncertain" }) : undefined;
    if (error instanceof UserError) {
      const reply = present(error, incoming, reference);
      const summary = `user:${error.reason.kind}`;
      return { reply, summary, unexpected: false, reference: undefined };
    }
    if (error instanceof WalletError) {
      log.warn({ err: error, command: label, reference }, "the wallet service failed a command");
      const reply = present(uncertain ?? error, incoming, reference);
      return { reply, summary: `wallet:${error.kind}`, unexpected: false, reference };
    }
    if (isDatabaseAway(error)) {
      log.warn({ err: error, command: label, reference }, "the database failed a command");
      const reason =
        uncertain ?? new UserError({ kind: stopsMoney ? "lock_not_kept" : "database_away" });
      const reply = present(reason, incoming, reference);
      return { reply, summary: "database_away", unexpected: true, reference };
    }
    log.error({ err: error, command: label, reference }, "a command failed");
    const reply = present(uncertain ?? { reference }, incoming, reference);
    return { reply, summary: "unexpected", unexpected: true, reference };
  };
};
