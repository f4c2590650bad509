import { action, defineCommand, handler, type Invocation } from "#src/discord/command.ts";
import type { Services } from "#src/services.ts";
import { transactionChoices } from "#src/transactions/transactions.view.ts";
import type { Reply } from "#src/ui/reply.ts";
import { refundConfirmationView } from "#src/withdrawals/refunds/refund.view.ts";
import { typedBy, wireIdOf } from "./component-input.ts";
import { command, LONGEST_TYPED_ID, suggested } from "./definition.ts";

const askReply = async (
  txid: string,
  invocation: Invocation,
  { withdrawals }: Services,
): Promise<Reply> => {
  const asked = await withdrawals.prepareRefund(invocation, txid);
  return refundConfirmationView(asked, invocation.locale);
};

/** The buttons of the confirmation are actions of `/saque`, whose token names the operation. */
export const estornar = defineCommand({
  inDirectMessages: "as_owner",
  definition: command("estornar", ({ estornar }) => estornar.self, [
    { ...suggested("txid", ({ estornar }) => estornar.txid, LONGEST_TYPED_ID), required: true },
  ]),
  handlers: handler({
    kind: "write",
    parse: (options) => options.string("txid") ?? "",
    run: askReply,
  }),
  actions: {
    pedir: action({
      kind: "write",
      answers: "new",
      parse: ({ argument }) => wireIdOf(argument),
      run: askReply,
    }),
  },
  autocomplete: async ({ text }, invocation, services) =>
    transactionChoices(
      await services.transactions.suggest(await typedBy(invocation, services), text, "refundable"),
      invocation.locale,
    ),
});
