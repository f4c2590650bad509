import type { ActionInput, Invocation, TargetMessage } from "#src/discord/command.ts";
import type { KeptMessage } from "#src/services/defence/proofs.ts";
import type { Services } from "#src/services/services.ts";
import { UserError } from "#src/shared/errors.ts";
import { proofDetailView, proofListView } from "#src/views/defence/proofs.ts";
import type { Reply } from "#src/views/reply.ts";

const PROOF_ID = /^[A-Za-z0-9_-]{1,64}$/;
const PAGE = /^\d{1,3}$/;

/** Discord signs the addresses of attachments anew every day: what follows the path says nothing that stays true. */
const lasting = (link: string): string => {
  const { origin, pathname } = new URL(link);
  return `${origin}${pathname}`;
};

export const keptMessage = (message: TargetMessage): KeptMessage => ({
  messageId: message.id,
  channelId: message.channelId,
  authorId: message.authorId,
  authorName: message.authorName,
  writtenAt: message.writtenAt,
  editedAt: message.editedAt,
  text: message.content,
  links: message.attachments.map(lasting),
});

/** @throws UserError outdated_component */
export const proofIdOf = (id: string | undefined): string => {
  if (id === undefined || !PROOF_ID.test(id)) throw new UserError({ kind: "outdated_component" });
  return id;
};

/** @throws UserError outdated_component */
export const pageOf = ({ argument }: ActionInput): number => {
  if (!PAGE.test(argument)) throw new UserError({ kind: "outdated_component" });
  return Number(argument);
};

export const pageReply = async (
  page: number,
  invocation: Invocation,
  { proofs }: Services,
  removed = false,
): Promise<Reply> =>
  proofListView({ ...(await proofs.page(invocation, page)), removed }, invocation.locale);

/** @throws UserError proof_not_found */
export const proofReply = async (
  id: string,
  invocation: Invocation,
  { proofs }: Services,
): Promise<Reply> => proofDetailView(await proofs.read(invocation, id), invocation.locale);
