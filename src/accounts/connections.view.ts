import type { APIEmbedField } from "discord-api-types/v10";
import { type Account, type ConnectionLosses, reportChoice } from "./account.ts";
import { isRouteOpen } from "../delivery/delivery.ts";
import type { ReportRoute } from "../reports/report-route.ts";
import type { Locale } from "../shared/locale.ts";
import { type AccountTexts, accountTexts } from "./texts.ts";
import {
  type ButtonParts,
  buttonRow,
  customIdOf,
  pageButtons,
  reply,
  type Reply,
  type Row,
  selectRow,
} from "../ui/reply.ts";
import { firstLines, inline, limits, line } from "../ui/embed.ts";
import { held, routeInWords } from "./account.view.ts";
import { type DisconnectFacts, disconnectQuestion, lossFields } from "./disconnect.view.ts";
import {
  channel,
  fullAndRelative,
  fullTime,
  idEnd,
  keyEnd,
  menuName,
  person,
  serverName,
} from "../ui/format.ts";
import { type KeyOffer, offerEnd } from "./wallet-key.ts";

/** Custom ids by server or member; `commands/conta.ts` and `commands/config.ts` handle them. */
const ids = {
  /** A menu; the values are servers. */
  choose: customIdOf("conta", "qual")(""),
  disconnect: customIdOf("conta", "apagar-de"),
  keep: customIdOf("conta", "todas")(""),
  stop: customIdOf("conta", "parar-tudo-em"),
  /** A menu; the values are members. */
  chooseMember: customIdOf("config", "remover")(""),
  members: (page: number): string => customIdOf("config", "membros")(String(page)),
  remove: customIdOf("config", "desligar"),
} as const;

/** The option of a menu for the server at this place: its name where that is plain, or else the end of its id. */
export const serverOption = (
  guildId: string,
  name: string | undefined,
  place: number,
  { people }: AccountTexts,
) => ({
  value: guildId,
  label: menuName(name, place) ?? people.choice(place, idEnd(guildId)),
  chosen: false,
});

/** A connection, listed for its owner outside the server. */
export interface ConnectionFacts {
  readonly account: Account;
  /** Undefined when Discord does not tell it. */
  readonly guildName: string | undefined;
  /** Whether the owner has left the server, by Discord's last answer. */
  readonly hasLeft: boolean;
  /** Whether the key ring no longer opens the key. */
  readonly isUnreadable?: boolean;
}

const stateOf = (
  { account, hasLeft, isUnreadable = false }: ConnectionFacts,
  { people, userErrors }: AccountTexts,
): string => {
  if (hasLeft) return people.left;
  if (isUnreadable) return `${userErrors.key_unreadable.title}.`;
  if (account.pausedAt !== undefined) return people.refused;
  return people.report[reportChoice(account)];
};

const rowOf = (facts: ConnectionFacts, place: number, texts: AccountTexts): APIEmbedField => {
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

/** A person's connections, with a menu to disconnect one; `more` connections are not shown. */
export const connectionsView = (
  shown: readonly ConnectionFacts[],
  more: number,
  locale: Locale,
): Reply => {
  const texts = accountTexts(locale);
  const { people } = texts;
  const first = shown.slice(0, limits.selectOptions);
  return reply(
    {
      title: people.listTitle,
      description: [
        people.listText,
        ...(more > 0 ? [people.more(more)] : []),
        ...(shown.every(({ hasLeft }) => hasLeft) ? [people.leftAll] : []),
      ].join("\n\n"),
      fields: first.map((facts, index) => rowOf(facts, index + 1, texts)),
    },
    selectRow({
      id: ids.choose,
      placeholder: people.choose,
      options: first.map(({ account: { guildId }, guildName }, index) =>
        serverOption(guildId, guildName, index + 1, texts),
      ),
    }),
  );
};

/** Asks before the key of one server is deleted. Offers to stop only the reports if the owner has any. */
export const disconnectFromQuestion = (
  facts: DisconnectFacts,
  guildName: string | undefined,
): Reply => {
  const { people } = accountTexts(facts.locale);
  const { guildId } = facts.account;
  const stop = {
    id: ids.stop(guildId),
    label: people.stopOnly,
    style: "secondary",
  } as const;
  const disconnect = ids.disconnect(`${guildId}.${facts.questionId}`);
  return disconnectQuestion(
    facts,
    people.questionText(serverName(guildId, guildName)),
    { disconnect, keep: ids.keep },
    reportChoice(facts.account) === "off" ? [] : [stop],
  );
};

export const disconnectedFromView = (
  guildId: string,
  guildName: string | undefined,
  directGoesOn: boolean,
  locale: Locale,
): Reply => {
  const { account, people } = accountTexts(locale);
  const description = people.disconnectedText(serverName(guildId, guildName), directGoesOn);
  return reply({ title: account.disconnected, description });
};

/**
 * Confirms that the owner allowed the reports of one server from outside it. Names the present channel, as the question
 * may have named another, and says if that server posts no report of the owner now.
 */
export const reportAgreedView = (
  { account: key, guildName, hasLeft }: ConnectionFacts,
  route: ReportRoute | undefined,
  locale: Locale,
): Reply => {
  const texts = accountTexts(locale);
  const { account, people } = texts;
  const server = serverName(key.guildId, guildName);
  const isPosted = isRouteOpen(route) && !hasLeft;
  const where = hasLeft ? people.left : routeInWords(true, route, texts);
  const description =
    isPosted && key.pausedAt === undefined
      ? people.reportAnswers.agreed(server, channel(route.channelId))
      : `**${server}**\n${held(isPosted, account.onHold, `${account.consentGiven} ${where}`)}`;
  return reply({ title: people.agreed, description });
};

/**
 * Confirms that the owner stopped the reports of one server from outside it. `stoppedHere`: another server still sends
 * the report by direct message; `directStays`: this one does.
 */
export const reportStoppedView = (
  answer: "stopped" | "stoppedHere" | "directStays",
  guildId: string,
  guildName: string | undefined,
  locale: Locale,
): Reply => {
  const { people } = accountTexts(locale);
  const description = people.reportAnswers[answer](serverName(guildId, guildName));
  const title = people[answer === "stopped" ? answer : "stoppedHere"];
  return reply({ title, description });
};

/** One page of a server's connected members, without their keys or figures. */
export interface MembersFacts {
  readonly owners: readonly string[];
  /** Place of the page's first owner, counted from 1. */
  readonly firstPlace: number;
  /** Counted from 0. */
  readonly page: number;
  readonly pages: number;
  readonly offers: readonly KeyOffer[];
}

/** The members' connections for an admin, with the server's settings. */
export const membersFields = (facts: MembersFacts, locale: Locale): readonly APIEmbedField[] => {
  const { owners, firstPlace, page, pages, offers } = facts;
  const { people } = accountTexts(locale);
  const lines = owners.map((ownerId, index) => `${firstPlace + index}. ${person(ownerId)}`);
  if (pages > 1) lines.push(people.page(page + 1, pages));
  const waiting = offers.map((offer) =>
    people.offer(person(offer.ownerId), person(offer.askedBy), fullTime(offerEnd(offer))),
  );
  return [
    ...(owners.length > 0 ? [line(people.connected, lines.join("\n"))] : []),
    ...(waiting.length > 0 ? [line(people.offers, firstLines(waiting, people.more))] : []),
  ];
};

/** A menu to disconnect a member of the page, and buttons to the other pages. */
export const membersRows = (facts: MembersFacts, locale: Locale): readonly Row[] => {
  const { people } = accountTexts(locale);
  const { owners, firstPlace, page, pages } = facts;
  if (owners.length === 0) return [];
  const turns = pageButtons(page, pages, ids.members, people);
  const menu = selectRow({
    id: ids.chooseMember,
    placeholder: people.remove,
    options: owners.map((ownerId, index) => ({
      value: ownerId,
      label: people.member(firstPlace + index, idEnd(ownerId)),
      chosen: false,
    })),
  });
  return turns.length === 0 ? [menu] : [menu, buttonRow(...turns)];
};

/** Asks an admin before a member's key is deleted. `isAnew`: an earlier answer was to a question about another key. */
export const removeMemberQuestion = (
  ownerId: string,
  questionId: string,
  isAnew: boolean,
  locale: Locale,
): Reply => {
  const { people } = accountTexts(locale);
  const asked = people.removeText(person(ownerId));
  const description = isAnew ? `${people.removeAnew}\n\n${asked}` : asked;
  const remove = ids.remove(`${ownerId}.${questionId}`);
  const buttons: readonly ButtonParts[] = [
    { id: remove, label: people.removeButton, style: "danger" },
    { id: ids.members(0), label: people.back, style: "secondary" },
  ];
  return reply(
    { tone: "warning", title: people.removeTitle, description },
    // A second tap in the place of an earlier question's button keeps the key.
    buttonRow(...(isAnew ? buttons.toReversed() : buttons)),
  );
};

export const memberRemovedView = (ownerId: string, locale: Locale): Reply => {
  const { people } = accountTexts(locale);
  return reply({ title: people.removed, description: people.removedText(person(ownerId)) });
};

/** Tells the admin that the key waits for the member's answer. */
export const memberAskedView = (offer: KeyOffer, locale: Locale): Reply => {
  const { people } = accountTexts(locale);
  const until = fullAndRelative(offerEnd(offer));
  return reply({
    title: people.askedTitle,
    description: people.askedText(person(offer.ownerId), until),
    fields: [inline(people.newKey, keyEnd(offer.keyLast4))],
  });
};

/** `lost`: with the present key, by one of another wallet account. */
export const offerAcceptedView = (lost: ConnectionLosses | undefined, locale: Locale): Reply => {
  const texts = accountTexts(locale);
  const { people, account } = texts;
  if (lost === undefined)
    return reply({ title: people.acceptedTitle, description: people.acceptedText });
  return reply({
    tone: "warning",
    title: people.acceptedTitle,
    description: `${people.acceptedText}\n\n${account.ofOtherWallet}`,
    fields: lossFields(people.removedLost, lost, texts),
  });
};

export const offerRefusedView = (locale: Locale): Reply => {
  const { people } = accountTexts(locale);
  return reply({ title: people.refusedTitle, description: people.refusedText });
};

/** Tells the admin who connected a member's key that it is connected, without further details. */
export const connectedForView = (account: Account, locale: Locale): Reply => {
  const { account: words, common } = accountTexts(locale);
  return reply({
    title: words.connected,
    description: words.connectedFor(person(account.ownerId)),
    fields: [inline(common.key, keyEnd(account.keyLast4))],
  });
};
