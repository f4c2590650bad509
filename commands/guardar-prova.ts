import { defineMessageCommand, messageHandler, type TargetMessage } from "#src/discord/command.ts";
import type { KeptMessage } from "#src/defence/proofs.service.ts";
import { proofModal } from "#src/defence/proofs.view.ts";
import { messageCommand } from "./definition.ts";

/** Discord signs attachment addresses anew every day: only origin and path stay valid. */
const lasting = (link: string): string => {
  const { origin, pathname } = new URL(link);
  return `${origin}${pathname}`;
};

const keptMessage = (message: TargetMessage): KeptMessage => ({
  messageId: message.id,
  channelId: message.channelId,
  authorId: message.authorId,
  authorName: message.authorName,
  writtenAt: message.writtenAt,
  editedAt: message.editedAt,
  text: message.content,
  links: message.attachments.map(lasting),
});

/** Command in the menu of any message. Its form is an action of `/provas`. */
export const guardarProva = defineMessageCommand({
  definition: messageCommand(({ guardarProva }) => guardarProva.name),
  onMessage: messageHandler({
    // A form must be the first response, without a deferral: before it there is one read and one write of our database.
    kind: "modal",
    parse: keptMessage,
    run: async (message, invocation, { proofs }) =>
      proofModal(await proofs.hold(invocation, message), invocation.locale),
  }),
});
