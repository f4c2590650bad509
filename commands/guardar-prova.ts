import { defineMessageCommand, messageHandler, type TargetMessage } from "#src/discord/command.ts";
import type { KeptMessage } from "#src/services/defence/proofs.ts";
import { proofModal } from "#src/views/defence/proofs.ts";
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

/** In the menu of any message. The form that it opens belongs to `/provas`. */
export const guardarProva = defineMessageCommand({
  definition: messageCommand(({ guardarProva }) => guardarProva.name),
  onMessage: messageHandler({
    // A form cannot wait for a deferral: all before it are one read and one write of our own database.
    kind: "modal",
    parse: keptMessage,
    run: async (message, invocation, { proofs }) =>
      proofModal(await proofs.hold(invocation, message), invocation.locale),
  }),
});
