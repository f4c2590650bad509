import { type Action, action } from "#src/discord/command.ts";
import type { ConnectRequest, Services } from "#src/services/services.ts";
import { UserError } from "#src/shared/errors.ts";
import { connectedForView } from "#src/views/account.ts";
import { memberAskedView, offerAnsweredView } from "#src/views/connections.ts";
import type { Reply } from "#src/views/reply.ts";

/** Ids of offers are 16 bytes in base64url. */
const OFFER_ID = /^[\w-]{22}$/;

/** A member's first key is connected by an admin; a further one waits for the member's word. */
export const connectMemberReply = async (
  request: ConnectRequest,
  { accounts, keyOffers }: Services,
): Promise<Reply> => {
  const offer = await keyOffers.offer(request);
  return offer === undefined
    ? connectedForView(await accounts.connect(request), request.locale)
    : memberAskedView(offer, request.locale);
};

/** The member's answer, by a button of the direct message that asked. Whose it is to give, the offer itself says. */
const answer = (end: "accepted" | "refused"): Action =>
  action({
    kind: "write",
    answers: "update",
    inDirectMessages: true,
    parse: ({ argument }) => {
      if (!OFFER_ID.test(argument)) throw new UserError({ kind: "outdated_component" });
      return argument;
    },
    run: async (offerId, { userId, locale }, { keyOffers }) => {
      if (end === "accepted") await keyOffers.accept(offerId, userId, locale);
      else await keyOffers.refuse(offerId, userId);
      return offerAnsweredView(end, locale);
    },
  });

export const offerAnswers = { trocar: answer("accepted"), negar: answer("refused") } as const;
