import { type Action, action } from "#src/discord/command.ts";
import { withdrawStatusView } from "#src/views/money/withdraw-status.ts";
import { CODE_FIELD, decisionModal } from "#src/views/money/withdrawal-detail.ts";
import { opCodeOf } from "./saques.ts";

/** Opens the form that asks for the code before a person's word is taken. */
export const askDecision = (happened: boolean): Action =>
  action({
    kind: "modal",
    answers: "new",
    inDirectMessages: true,
    parse: opCodeOf,
    run: (opId, { locale }) => decisionModal(opId, happened, locale),
  });

/** Takes the owner's word on an operation that reading could not settle. */
export const decide = (happened: boolean): Action =>
  action({
    kind: "write",
    answers: "update",
    inDirectMessages: true,
    parse: (input) => ({ opId: opCodeOf(input), typedCode: input.fields.get(CODE_FIELD) ?? "" }),
    run: async (typed, invocation, { withdrawals }) => {
      const status = await withdrawals.decide({ ...typed, actor: invocation, happened });
      return withdrawStatusView(status, invocation.locale);
    },
  });
