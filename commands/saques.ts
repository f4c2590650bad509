import { action, defineCommand, handler } from "#src/discord/command.ts";
import { confirmationView } from "#src/views/money/withdraw-confirmation.ts";
import { restoreAcknowledgedView } from "#src/views/money/restore-question.ts";
import { withdrawStatusView } from "#src/views/money/withdraw-status.ts";
import { withdrawalChoices } from "#src/views/money/withdrawal-list.ts";
import { command } from "./parts/definition.ts";
import { askDecision, decide } from "./parts/saques-decision.ts";
import {
  detailReply,
  filterOf,
  listReply,
  opCodeOf,
  questionNameOf,
  receiptReply,
  txidOption,
  withdrawalIdOf,
} from "./parts/saques.ts";

export const saques = defineCommand({
  inDirectMessages: "as_owner",
  definition: command("saques", ({ saques }) => saques.self, [txidOption]),
  handlers: handler({
    kind: "read",
    parse: (options) => (options.string("txid") ?? "").trim(),
    run: async (id, invocation, services) =>
      id === ""
        ? await listReply("all", invocation, services)
        : await detailReply(id, invocation, services),
  }),
  actions: {
    lista: action({
      kind: "read",
      answers: "update",
      parse: () => undefined,
      run: (_, invocation, services) => listReply("all", invocation, services),
    }),
    filtro: action({ kind: "read", answers: "update", parse: filterOf, run: listReply }),
    ver: action({
      kind: "read",
      answers: "update",
      parse: ({ values: [id] }) => withdrawalIdOf(id),
      run: detailReply,
    }),
    status: action({
      kind: "read",
      answers: "new",
      inDirectMessages: true,
      parse: opCodeOf,
      run: detailReply,
    }),
    recibo: action({
      kind: "read",
      answers: "new",
      inDirectMessages: true,
      parse: ({ argument }) => withdrawalIdOf(argument),
      run: receiptReply,
    }),
    verificar: action({
      kind: "write",
      answers: "update",
      inDirectMessages: true,
      parse: opCodeOf,
      run: async (opId, invocation, { withdrawals }) =>
        withdrawStatusView(await withdrawals.check(invocation, opId), invocation.locale),
    }),
    cancelar: action({
      kind: "write",
      answers: "new",
      parse: ({ argument }) => withdrawalIdOf(argument),
      run: async (txid, invocation, { withdrawals }) =>
        confirmationView(await withdrawals.prepareCancel(invocation, txid), invocation.locale),
    }),
    conferi: action({
      kind: "write",
      answers: "new",
      inDirectMessages: true,
      parse: questionNameOf,
      run: async (answerId, invocation, { withdrawals }) => {
        await withdrawals.acknowledgeRestore(invocation, answerId);
        return restoreAcknowledgedView(invocation.locale);
      },
    }),
    aconteceu: askDecision(true),
    "nao-aconteceu": askDecision(false),
    "decidir-sim": decide(true),
    "decidir-nao": decide(false),
  },
  autocomplete: async ({ text }, invocation, { withdrawals }) =>
    withdrawalChoices(await withdrawals.suggestWithdrawals(invocation, text), invocation.locale),
});
