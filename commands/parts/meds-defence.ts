import type { Invocation } from "#src/discord/command.ts";
import type { DisputeRef } from "#src/domain/dispute-list.ts";
import type { Services } from "#src/services/services.ts";
import { makeDossier } from "#src/views/defence/dossier.ts";
import { dossierReply } from "#src/views/defence/dossier-reply.ts";
import type { Reply } from "#src/views/reply.ts";

/** The defence of one dispute as files and as a text to paste. @throws UserError dispute_not_found, not_your_dispute */
export const defenceReply = async (
  ref: DisputeRef,
  invocation: Invocation,
  { defence }: Services,
): Promise<Reply> => {
  const { locale } = invocation;
  const facts = await defence.gather(invocation, ref);
  const dossier = makeDossier(facts, locale);
  return dossierReply(facts, dossier, await defence.print(dossier), locale);
};
