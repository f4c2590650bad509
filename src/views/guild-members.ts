import type { APIEmbedField } from "discord-api-types/v10";
import { type KeyOffer, offerEnd } from "../domain/key-offer.ts";
import type { Locale } from "../texts/locale.ts";
import { textsFor, type Texts } from "../texts/texts.ts";
import { buttonRow, type ButtonParts, type Row, selectRow } from "./components.ts";
import { inline, line } from "./embed.ts";
import { keyEnd } from "./key-end.ts";
import { person } from "./mention.ts";
import { reply, type Reply } from "./reply.ts";
import { idEnd } from "./server-name.ts";
import { fullAndRelative, fullTime } from "./timestamp.ts";

/** One page of who connected a key in a server. Of the members' keys and figures it tells nothing. */
export interface MembersFacts {
  readonly owners: readonly string[];
  /** Of the first owner among all, from 1 on. */
  readonly firstPlace: number;
  /** From 0 on. */
  readonly page: number;
  readonly pages: number;
  readonly offers: readonly KeyOffer[];
  readonly ids: {
    /** Menu that chooses whom to disconnect. */
    readonly choose: string;
    readonly page: (page: number) => string;
  };
}

/** The most that are listed of those who have not answered; a field holds no more. */
const MOST_OFFERS = 10;

/** What who manages the server reads of its members' connections, beside its settings. */
export const membersFields = (facts: MembersFacts, texts: Texts): readonly APIEmbedField[] => {
  const { owners, firstPlace, page, pages, offers } = facts;
  const { people } = texts;
  const lines = owners.map((ownerId, index) => `${firstPlace + index}. ${person(ownerId)}`);
  if (pages > 1) lines.push(people.page(page + 1, pages));
  const waiting = offers
    .slice(0, MOST_OFFERS)
    .map((offer) =>
      people.offer(person(offer.ownerId), person(offer.askedBy), fullTime(offerEnd(offer))),
    );
  return [
    ...(owners.length > 0 ? [line(people.connected, lines.join("\n"))] : []),
    ...(waiting.length > 0 ? [line(people.offers, waiting.join("\n"))] : []),
  ];
};

/** The menu to disconnect one of the page, and the way to the others. */
export const membersRows = (facts: MembersFacts, { people }: Texts): readonly Row[] => {
  const { owners, firstPlace, page, pages, ids } = facts;
  if (owners.length === 0) return [];
  const turns: readonly ButtonParts[] = [
    { wanted: page - 1, label: people.previous },
    { wanted: page + 1, label: people.next },
  ].flatMap(({ wanted, label }) =>
    wanted < 0 || wanted >= pages
      ? []
      : [{ id: ids.page(wanted), label, style: "secondary" as const }],
  );
  const menu = selectRow({
    id: ids.choose,
    placeholder: people.remove,
    options: owners.map((ownerId, index) => ({
      value: ownerId,
      label: people.member(firstPlace + index, idEnd(ownerId)),
      chosen: false,
    })),
  });
  return turns.length === 0 ? [menu] : [menu, buttonRow(...turns)];
};

/** Asks an admin before a member's key is deleted. */
export const removeMemberQuestion = (
  ownerId: string,
  ids: { readonly remove: string; readonly back: string },
  locale: Locale,
): Reply => {
  const { people } = textsFor(locale);
  return reply(
    { tone: "warning", title: people.removeTitle, description: people.removeText(person(ownerId)) },
    buttonRow(
      { id: ids.remove, label: people.removeButton, style: "danger" },
      { id: ids.back, label: people.back, style: "secondary" },
    ),
  );
};

export const memberRemovedView = (ownerId: string, locale: Locale): Reply => {
  const { people } = textsFor(locale);
  return reply({ title: people.removed, description: people.removedText(person(ownerId)) });
};

/** For the admin whose key waits for a member's word. */
export const memberAskedView = (offer: KeyOffer, locale: Locale): Reply => {
  const { people } = textsFor(locale);
  const until = fullAndRelative(offerEnd(offer));
  return reply({
    title: people.askedTitle,
    description: people.askedText(person(offer.ownerId), until),
    fields: [inline(people.newKey, keyEnd(offer.keyLast4))],
  });
};

/** For the member who answered. */
export const offerAnsweredView = (end: "accepted" | "refused", locale: Locale): Reply => {
  const { people } = textsFor(locale);
  return end === "accepted"
    ? reply({ title: people.acceptedTitle, description: people.acceptedText })
    : reply({ title: people.refusedTitle, description: people.refusedText });
};
