import {
  type Invocation,
  type MessageCommand,
  messageHandler,
  type TargetMessage,
} from "#src/discord/command.ts";
import type { KeptMessage } from "#src/defence/proofs.service.ts";
import { proofModal, type SaleChoices } from "#src/defence/proofs.view.ts";
import { disputedSaleChoices } from "#src/disputes/dispute-list.view.ts";
import type { Services } from "#src/services.ts";
import { transactionOptions } from "#src/transactions/transactions.view.ts";
import { messageCommand } from "./definition.ts";

const keptMessage = (message: TargetMessage): KeptMessage => ({
  messageId: message.id,
  channelId: message.channelId,
  authorId: message.authorId,
  authorName: message.authorName,
  writtenAt: message.writtenAt,
  editedAt: message.editedAt,
  text: message.content,
  attachments: message.attachments,
  forwarded: message.forwarded,
});

const choicesOf = async (
  invocation: Invocation,
  { disputes, transactions }: Services,
): Promise<SaleChoices> => {
  const [disputed, recent] = await Promise.all([
    disputes.suggest(invocation, ""),
    transactions.suggest(invocation, "", "paid"),
  ]);
  return {
    disputed: disputedSaleChoices(disputed, invocation.locale),
    recent: transactionOptions(recent, invocation.locale),
    chosen: transactions.chosen(invocation),
  };
};

/** Command in the menu of any message. Its form is an action of `/provas`. */
export const guardarProva: MessageCommand = {
  definition: messageCommand(({ guardarProva }) => guardarProva.name),
  onMessage: messageHandler({
    // A form must be the first response, without a deferral: before it there are reads and one write of our database,
    // and suggestions that wait little more than a second for the wallet service.
    kind: "modal",
    parse: keptMessage,
    run: async (message, invocation, services) => {
      const pendingId = await services.proofs.hold(invocation, message);
      return proofModal(pendingId, await choicesOf(invocation, services), invocation.locale);
    },
  }),
};
