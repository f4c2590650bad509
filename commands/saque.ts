import { action, defineCommand, handler } from "#src/discord/command.ts";
import {
  abandonedView,
  keyKeptView,
  pinModal,
  withdrawForm,
} from "#src/withdrawals/withdraw-confirmation.view.ts";
import { typedSecret } from "./component-input.ts";
import { command } from "./definition.ts";
import {
  amountOption,
  keyAndSpeed,
  orderInForm,
  prepareReply,
  suggestKeys,
  tokenOf,
  typedAmount,
  typedKeyAndSpeed,
  withdrawReply,
} from "./withdraw-input.ts";

const PIN_FIELD = "pin";

const chooseKeyType = (type: "cpf" | "phone") =>
  action({
    kind: "write",
    answers: "update",
    parse: tokenOf,
    run: async (token, invocation, { withdrawals }) => {
      const chosen = await withdrawals.chooseKeyType(invocation, token, type);
      return withdrawReply(chosen, invocation.locale);
    },
  });

/**
 * The actions serve `/split-saque` and cancellations too, the latter also in direct messages: the token names the
 * operation, and with it the account.
 */
export const saque = defineCommand({
  definition: command("saque", ({ saque }) => saque.self, [amountOption, ...keyAndSpeed]),
  handlers: handler({
    kind: "write",
    parse: (options) => ({
      what: { kind: "own" as const, amount: typedAmount(options) },
      ...typedKeyAndSpeed(options),
    }),
    run: prepareReply,
  }),
  actions: {
    formulario: action({
      kind: "modal",
      answers: "new",
      parse: () => undefined,
      run: async (_, { userId, locale }, { withdrawals }) =>
        withdrawForm(await withdrawals.savedKeys({ userId, locale }, ""), locale),
    }),
    pedir: action({ kind: "write", answers: "new", parse: orderInForm, run: prepareReply }),
    confirmar: action({
      kind: "money",
      inDirectMessages: true,
      answers: "update",
      parse: (input) => ({ token: tokenOf(input), pin: typedSecret(input, PIN_FIELD) }),
      run: async ({ token, pin }, invocation, { withdrawals }) => {
        const outcome = await withdrawals.confirm(invocation, token, pin);
        const shown = withdrawReply(outcome, invocation.locale);
        if (outcome.kind !== "status") return shown;
        return { ...shown, onTaken: async () => await withdrawals.answered(outcome.op) };
      },
    }),
    pin: action({
      kind: "modal",
      confirmsMoney: true,
      inDirectMessages: true,
      answers: "update",
      parse: tokenOf,
      run: (token, { locale }) => pinModal(token, PIN_FIELD, locale),
    }),
    desistir: action({
      kind: "write",
      inDirectMessages: true,
      answers: "update",
      parse: tokenOf,
      run: async (token, invocation, { withdrawals }) =>
        abandonedView(await withdrawals.abandon(invocation, token), invocation.locale),
    }),
    modalidade: action({
      kind: "write",
      answers: "update",
      parse: tokenOf,
      run: async (token, invocation, { withdrawals }) => {
        const asked = await withdrawals.switchSpeed(invocation, token);
        return withdrawReply(asked, invocation.locale);
      },
    }),
    refazer: action({
      kind: "write",
      inDirectMessages: true,
      answers: "update",
      parse: ({ argument }) => argument,
      run: async (opId, invocation, { withdrawals }) =>
        withdrawReply(await withdrawals.redo(invocation, opId), invocation.locale),
    }),
    cpf: chooseKeyType("cpf"),
    celular: chooseKeyType("phone"),
    guardar: action({
      kind: "write",
      inDirectMessages: true,
      answers: "new",
      parse: ({ argument }) => argument,
      run: async (opId, invocation, { withdrawals }) => {
        const { masked } = await withdrawals.saveKey(invocation, opId);
        return keyKeptView(masked, invocation.locale);
      },
    }),
  },
  autocomplete: suggestKeys,
});
