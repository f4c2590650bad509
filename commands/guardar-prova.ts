import { defineMessageCommand, messageHandler } from "#src/discord/command.ts";
import { proofModal } from "#src/views/defence/proofs.ts";
import { messageCommand } from "./definition.ts";
import { keptMessage } from "./provas.ts";

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
