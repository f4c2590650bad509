import type { APIEmbedField } from "discord-api-types/v10";
import type { Account } from "../domain/account.ts";
import type { Locale } from "../texts/locale.ts";
import { textsFor, type Texts } from "../texts/texts.ts";
import { selectRow } from "./components.ts";
import { line } from "./embed.ts";
import { type DisconnectFacts, disconnectQuestion } from "./disconnect.ts";
import { keyEnd } from "./key-end.ts";
import { limits } from "./limits.ts";
import { reply, type Reply } from "./reply.ts";
import { idEnd, serverName } from "./server-name.ts";
import { fullTime } from "./timestamp.ts";

/** A connection as its owner sees it from outside of its server. */
export interface ConnectionFacts {
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
