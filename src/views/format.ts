import type { Proof } from "../domain/proof.ts";
import type { Texts } from "../texts/texts.ts";

const NOTHING = "—";

/** Code points shown of an id, a code or a request id of the service. */
export const CODE_LENGTH = 100;
/** Code points shown of a txid that shares its line with other facts. */
export const TXID_LENGTH = 64;
/** Code points shown of a person's or a bank's name. */
export const NAME_LENGTH = 80;
/** Code points shown of a text that a buyer, a payer or the seller wrote. */
export const STORY_LENGTH = 600;

/**
 * A stranger's text as inline code, which Discord shows as it is: no mention, link, markdown or hidden character. At most
 * `max` code points, the two back-ticks and a space. For field values only: titles and footers show back-ticks, and links and
 * labels are read differently.
 */
export const safe = (text: string, max: number): string => {
  const shown = plainLine(text, max) || NOTHING;
  // A code span that begins with a slash is the name of a command of ours, which becomes a mention.
  return shown.startsWith("/") ? `\` ${shown}\`` : `\`${shown}\``;
};

const BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]/g;
/** Controls, bidirectional and zero-width marks, tags, variation selectors, fillers, halves of pairs. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;
export const ELLIPSIS = "…";

/** The first `max` code points, the last one an ellipsis when something was left out. */
const cutCodePoints = (text: string, max: number): string => {
  if (text.length <= max) return text;
  const points = Array.from(text);
  return points.length <= max ? text : points.slice(0, max - 1).join("") + ELLIPSIS;
};

/**
 * A stranger's text as one line of what can be seen, without back-ticks, at most `max` code points. For files and other
 * places where nothing but line breaks and hidden characters has a meaning; in messages use `safe`.
 */
export const plainLine = (text: string, max: number): string => {
  const line = text
    .replace(BREAKS, " ")
    .replace(UNSEEN, "")
    // Only now: removing a mark can join a letter and its accent, and U+1FEF composes to a back-tick.
    .normalize("NFC")
    .replaceAll("`", "'")
    .replace(/\s+/g, " ")
    .trim();
  return cutCodePoints(line, max);
};

/** Our word for a value of the service; undefined for a value that we do not know. */
export const knownWord = (
  words: Readonly<Record<string, string>>,
  value: string,
): string | undefined => (Object.hasOwn(words, value) ? words[value] : undefined);

const WORD_LENGTH = 60;

/** Our word for a value of the service, or the value as one plain line: for files. In messages use `safe`. */
export const plainWord = (words: Readonly<Record<string, string>>, value: string): string =>
  knownWord(words, value) ?? plainLine(value, WORD_LENGTH);

const SEPARATOR = " · ";

/** Joins facts of one line; leaves out those that are undefined or empty. */
export const together = (...facts: readonly (string | undefined)[]): string =>
  facts.filter((fact) => fact !== undefined && fact !== "").join(SEPARATOR);

const UNSAFE_IN_FILE_NAME = /[^A-Za-z0-9_-]/g;

/** An id of the service as part of a file name, at most `max` characters. */
export const inFileName = (id: string, max: number): string =>
  id.replace(UNSAFE_IN_FILE_NAME, "_").slice(0, max);

const SECOND_MS = 1000;

const seconds = (at: Temporal.Instant): number => Math.floor(at.epochMilliseconds / SECOND_MS);

/** Discord writes these in each reader's own zone and language; in descriptions and field values only. */
export const fullTime = (at: Temporal.Instant): string => `<t:${seconds(at)}:F>`;
export const hourOnly = (at: Temporal.Instant): string => `<t:${seconds(at)}:t>`;
export const shortTime = (at: Temporal.Instant): string => `<t:${seconds(at)}:f>`;
/** Of steps that follow each other within seconds. */
export const toTheSecond = (at: Temporal.Instant): string =>
  `<t:${seconds(at)}:d> <t:${seconds(at)}:T>`;
export const relativeTime = (at: Temporal.Instant): string => `<t:${seconds(at)}:R>`;

/** Absolute and relative together: what is read later still says when. */
export const fullAndRelative = (at: Temporal.Instant): string =>
  `${fullTime(at)} (${relativeTime(at)})`;

/** A person or a channel by id, drawn by Discord as its name. A body that does not allow it notifies nobody. */
export const person = (userId: string): string => `<@${userId}>`;
export const channel = (channelId: string): string => `<#${channelId}>`;
/** Notifies only where a body allows exactly this role. */
export const role = (roleId: string): string => `<@&${roleId}>`;

const SERVER_NAME_LENGTH = 60;
const SHOWN_DIGITS = 4;

/** The last digits of an id of Discord's, which tell a few of them apart in menus: names there are a stranger's text. */
export const idEnd = (id: string): string => id.slice(-SHOWN_DIGITS);

/** Anything else in a menu could be read as something that it is not. */
const PLAIN = /^[\p{L}\p{N} .,'&+-]+$/u;

/** A server's numbered name where it is plain enough for a menu, which shows a stranger's text as it is. */
export const menuName = (name: string | undefined, place: number): string | undefined => {
  const shown = plainLine(name ?? "", SERVER_NAME_LENGTH);
  return PLAIN.test(shown) ? `${place}. ${shown}` : undefined;
};

/** A server by its name, which strangers chose, or by the end of its id. */
export const serverName = (guildId: string, name: string | undefined): string =>
  safe(name ?? `…${idEnd(guildId)}`, SERVER_NAME_LENGTH);

/** A link to a server. A direct message does not show which server it is about, so notices end with this link. */
export const serverLink = (guildId: string, { notices }: Texts): string =>
  `[${notices.openServer}](https://discord.com/channels/${guildId})`;

const DIGITS = /^\d{1,20}$/;

/** Where a kept message stands in Discord; ids alone, so that nothing of a stranger's becomes part of an address. */
export const messageLink = ({ guildId, content: { channelId, messageId } }: Proof): string =>
  [guildId, channelId, messageId].every((id) => DIGITS.test(id))
    ? `https://discord.com/channels/${guildId}/${channelId}/${messageId}`
    : "—";

const SHOWN_CHARACTERS = 4;

/** The end of an API key, the most of it that is ever shown. */
export const keyEnd = (last4: string): string =>
  safe(`…${last4.slice(-SHOWN_CHARACTERS)}`, SHOWN_CHARACTERS + 1);
