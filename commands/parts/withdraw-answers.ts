import type { ActionInput } from "#src/discord/command.ts";
import type { Confirmation, KeyQuestion, WithdrawStatus } from "#src/domain/withdraw-facts.ts";
import { UserError } from "#src/shared/errors.ts";
import type { Locale } from "#src/texts/locale.ts";
import type { Reply } from "#src/views/reply.ts";
import { confirmationView, keyQuestionView } from "#src/views/money/withdraw-confirmation.ts";
import { withdrawStatusView } from "#src/views/money/withdraw-status.ts";

const TOKEN = /^[\w-]{22}$/;

/** What an order led to: a question, a confirmation to be given, or what became of it. */
export const withdrawReply = (
  outcome: Confirmation | KeyQuestion | WithdrawStatus,
  locale: Locale,
): Reply => {
  if (outcome.kind === "confirmation") return confirmationView(outcome, locale);
  return outcome.kind === "status"
    ? withdrawStatusView(outcome, locale)
    : keyQuestionView(outcome, locale);
};

/** The token that a button carries; one that somebody edited is none. @throws UserError confirmation_gone */
export const tokenOf = ({ argument }: ActionInput): string => {
  if (!TOKEN.test(argument)) throw new UserError({ kind: "confirmation_gone" });
  return argument;
};
