import type { APIEmbedField } from "discord-api-types/v10";
import type { Account } from "../domain/account.ts";
import type { Locale } from "../shared/locale.ts";
import { type Texts, textsFor } from "../texts/texts.ts";
import { type ButtonParts, buttonRow, reply, type Reply, type Row, selectRow } from "./reply.ts";
import { inline, limits, line } from "./embed.ts";
import { type DisconnectFacts, disconnectQuestion } from "./account.ts";
import { fullAndRelative, fullTime, idEnd, keyEnd, person, serverName } from "./format.ts";
import { type KeyOffer, offerEnd } from "../domain/wallet-key.ts";

/** A connection as its owner sees it from outside of its server. */
interface ConnectionFacts {
  readonly account: Account;
  /** Undefined where Discord does not tell it. */
  readonly guildName: string | undefined;
  /** Whether Discord said last that the owner is gone from there. */
  readonly hasLeft: boolean;
}

const stateOf = ({ account, hasLeft }: ConnectionFacts, { people }: Texts): string => {
  if (hasLeft) return people.left;
  if (account.pausedAt !== undefined) return people.refused;
  return account.reportConsent ? people.reportOn : people.reportOff;
};

const rowOf = (facts: ConnectionFacts, place: number, texts: Texts): APIEmbedField => {
  const { account, guildName } = facts;
  const { people } = texts;
  const since = people.since(fullTime(account.connectedAt));
  return line(
    people.server(place),
    [
      `**${serverName(account.guildId, guildName)}**`,
      `${people.key(keyEnd(account.keyLast4))}, ${since}`,
      stateOf(facts, texts),
    ].join("\n"),
  );
};

/** All connections of a person, with a menu to disconnect one; `more` of them are not among `shown`. */
export const connectionsView = (
  shown: readonly ConnectionFacts[],
  more: number,
  chooseId: string,
  locale: Locale,
): Reply => {
  const texts = textsFor(locale);
  const { people } = texts;
  const first = shown.slice(0, limits.selectOptions);
  return reply(
    {
      title: people.listTitle,
      description: [people.listText, ...(more > 0 ? [people.more(more)] : [])].join("\n\n"),
      fields: first.map((facts, index) => rowOf(facts, index + 1, texts)),
    },
    selectRow({
      id: chooseId,
      placeholder: people.choose,
      options: first.map(({ account: { guildId } }, index) => ({
        value: guildId,
        label: people.choice(index + 1, idEnd(guildId)),
        chosen: false,
      })),
    }),
  );
};

/** Asks before the key of one server is deleted. Who agreed to the report may stop that alone. */
export const disconnectFromQuestion = (
  facts: DisconnectFacts,
  guildName: string | undefined,
  ids: { readonly disconnect: string; readonly stop: string; readonly keep: string },
): Reply => {
  const { people } = textsFor(facts.locale);
  const { guildId, reportConsent } = facts.account;
  const stop = { id: ids.stop, label: people.stopOnly, style: "secondary" } as const;
  const question = people.questionText(serverName(guildId, guildName));
  return disconnectQuestion(facts, question, ids, reportConsent ? [stop] : []);
};

export const disconnectedFromView = (
  guildId: string,
  guildName: string | undefined,
  locale: Locale,
): Reply => {
  const { account, people } = textsFor(locale);
  const description = people.disconnectedText(serverName(guildId, guildName));
  return reply({ title: account.disconnected, description });
};

/** After the owner let reports of one server be posted, or stopped them, from outside of it. */
export const reportConsentView = (
  consent: boolean,
  guildId: string,
  guildName: string | undefined,
  locale: Locale,
): Reply => {
  const { people } = textsFor(locale);
  const text = consent ? people.agreedText : people.stoppedText;
  return reply({
    title: consent ? people.agreed : people.stopped,
    description: text(serverName(guildId, guildName)),
  });
};

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
