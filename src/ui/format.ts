import type { Proof } from "../defence/proof.ts";
import type { UiTexts } from "./texts.ts";
import { inBrasilia } from "../shared/local-time.ts";
import { DAY, HOUR, MINUTE, msBetween, type ReadingTimes, SECOND } from "../shared/time.ts";
import { seenText, UNSEEN } from "../shared/typed-text.ts";

const NOTHING = "—";

/** Code points shown of an id, a code or a request id of the service. */
export const CODE_LENGTH = 100;
/** Code points shown of a txid that shares its line with other facts. */
export const TXID_LENGTH = 64;
/** Code points shown of a person's or a bank's name. */
export const NAME_LENGTH = 80;
/** Code points shown of a text that a buyer, a payer or the seller wrote: of two units each, they fit into a field. */
export const STORY_LENGTH = 500;
/** Code points of such a text in a file: also in long words of the widest letters, they fit on one page of a PDF. */
export const FILE_STORY_LENGTH = 1_000;

/**
 * A stranger's text as inline code, in which Discord renders no mention, link, markdown or hidden character. At most
 * `max` code points plus two back-ticks and a space. For field values only: titles and footers show the back-ticks, and
 * links and labels are read differently.
 */
export const safe = (text: string, max: number): string => {
  const shown = plainLine(text, max) || NOTHING;
  // A code span with a leading slash would become a mention of our command: see `mentionCommands`.
  return shown.startsWith("/") ? `\` ${shown}\`` : `\`${shown}\``;
};

export const ELLIPSIS = "…";

/** The first `max` code points; a cut text ends in an ellipsis. */
const cutCodePoints = (text: string, max: number): string => {
  if (text.length <= max) return text;
  const points = Array.from(text);
  return points.length <= max ? text : points.slice(0, max - 1).join("") + ELLIPSIS;
};

/**
 * A stranger's text as one line of visible characters without back-ticks, at most `max` code points. For files and
 * other places without markup; in messages use `safe`.
 */
export const plainLine = (text: string, max: number): string =>
  // U+1FEF composes to a back-tick.
  cutCodePoints(seenText(text).replaceAll("`", "'"), max);

const LINE_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/;
const TAB = " ".repeat(4);

/** The lines of a stranger's text in visible characters, with its spaces and back-ticks. For files alone. */
export const plainLines = (text: string): readonly string[] =>
  text
    .split(LINE_BREAK)
    .map((each) => each.replaceAll("\t", TAB).replace(UNSEEN, "").normalize("NFC"));

/** Our word for a value of the service; undefined for an unknown value. */
export const knownWord = (
  words: Readonly<Record<string, string>>,
  value: string,
): string | undefined => (Object.hasOwn(words, value) ? words[value] : undefined);

const WORD_LENGTH = 60;

/** Our word for a value of the service, or the value as one plain line. For files; in messages use `safe`. */
export const plainWord = (words: Readonly<Record<string, string>>, value: string): string =>
  knownWord(words, value) ?? plainLine(value, WORD_LENGTH);

const SEPARATOR = " · ";

/** Joins the facts of one line; omits undefined and empty facts. */
export const together = (...facts: readonly (string | undefined)[]): string =>
  facts.filter((fact) => fact !== undefined && fact !== "").join(SEPARATOR);

const UNSAFE_IN_FILE_NAME = /[^A-Za-z0-9_-]/g;

/** An id of the service as part of a file name, at most `max` characters. */
export const inFileName = (id: string, max: number): string =>
  id.replace(UNSAFE_IN_FILE_NAME, "_").slice(0, max);

const SECOND_MS = 1000;

const seconds = (at: Temporal.Instant): number => Math.floor(at.epochMilliseconds / SECOND_MS);

/** Timestamps, which Discord renders in each reader's zone and language. For descriptions and field values only. */
export const fullTime = (at: Temporal.Instant): string =>
  `<t:${seconds(at)}:d> <t:${seconds(at)}:t>`;
export const hourOnly = (at: Temporal.Instant): string => `<t:${seconds(at)}:t>`;
/** For steps that follow each other within seconds. */
export const toTheSecond = (at: Temporal.Instant): string =>
  `<t:${seconds(at)}:d> <t:${seconds(at)}:T>`;
export const relativeTime = (at: Temporal.Instant): string => `<t:${seconds(at)}:R>`;

/** Absolute and relative time, so that a message read later still tells the time. */
export const fullAndRelative = (at: Temporal.Instant): string =>
  `${fullTime(at)} (${relativeTime(at)})`;

/** Undefined for figures that were read within a day. */
export const oldestRead = (
  { readAt, oldestAt }: ReadingTimes,
  { common }: Pick<UiTexts, "common">,
): string | undefined =>
  msBetween(oldestAt, readAt) > DAY ? common.oldestRead(inBrasilia(oldestAt)) : undefined;

type TimeWords = Readonly<Record<"second" | "minute" | "hour" | "day", string>>;

/** Both languages write several with an `s`. */
const counted = (count: number, word: string): string =>
  `${count} ${word}${count === 1 ? "" : "s"}`;

/** Time until a deadline, rounded down; hours get a margin of five minutes, days of an hour. */
export const leftOf = (ms: number, words: TimeWords): string => {
  const hours = Math.floor((ms + 5 * MINUTE) / HOUR);
  if (hours >= 48) return counted(Math.floor((hours + 1) / 24), words.day);
  if (hours >= 1) return counted(hours, words.hour);
  return counted(Math.max(1, Math.floor(ms / MINUTE)), words.minute);
};

/** Time to wait, rounded up. */
export const waitOf = (ms: number, words: TimeWords): string => {
  const seconds = Math.max(1, Math.ceil(ms / SECOND));
  if (seconds <= 90) return counted(seconds, words.second);
  return counted(Math.ceil(seconds / 60), words.minute);
};

/** A person or a channel by id, rendered as a name. Notifies only if the message allows it. */
export const person = (userId: string): string => `<@${userId}>`;
export const channel = (channelId: string): string => `<#${channelId}>`;
/** Notifies only if the message allows exactly this role. */
export const role = (roleId: string): string => `<@&${roleId}>`;

const SERVER_NAME_LENGTH = 60;
const SHOWN_DIGITS = 4;

/** The last digits of a Discord id: tell menu options apart without strangers' names. */
export const idEnd = (id: string): string => id.slice(-SHOWN_DIGITS);

/** A menu shows text unescaped, so other characters could pass for our own words. */
const PLAIN = /^[\p{L}\p{N} .,'&+-]+$/u;

const NOT_IN_MENUS = /[^\p{L}\p{N} .,'&+()-]+/gu;

/** A stranger's text in quotes for a menu, by its plain characters alone; undefined when none is left. */
export const quotedInMenu = (text: string | undefined, max: number): string | undefined => {
  const shown = plainLine((text ?? "").replace(NOT_IN_MENUS, " "), max);
  return shown === "" ? undefined : `“${shown}”`;
};

/** A server's name for places without markup; undefined unless it is plain. */
export const plainServerName = (name: string | undefined): string | undefined => {
  const whole = plainLine(name ?? "", Infinity);
  return PLAIN.test(whole) ? cutCodePoints(whole, SERVER_NAME_LENGTH) : undefined;
};

/** A server's numbered name for a menu; undefined unless the name is plain. */
export const menuName = (name: string | undefined, place: number): string | undefined => {
  const shown = plainServerName(name);
  return shown === undefined ? undefined : `${place}. ${shown}`;
};

/** A server by its name, which strangers chose, or by the end of its id. */
export const serverName = (guildId: string, name: string | undefined): string =>
  safe(name ?? `…${idEnd(guildId)}`, SERVER_NAME_LENGTH);

/** A link to a server, for direct messages, which do not show the server that they are about. */
export const serverLink = (guildId: string, { common }: UiTexts): string =>
  `[${common.openServer}](https://discord.com/channels/${guildId})`;

/** A link to the server that a message is about; empty for an act in a direct message. */
export const toServer = (guildId: string, texts: UiTexts): readonly string[] =>
  guildId === "" ? [] : [serverLink(guildId, texts)];

const DIGITS = /^\d{1,20}$/;

/** Link to a kept message, from ids alone: no stranger's text becomes part of an address. */
export const messageLink = ({ guildId, content: { channelId, messageId } }: Proof): string =>
  [guildId, channelId, messageId].every((id) => DIGITS.test(id))
    ? `https://discord.com/channels/${guildId}/${channelId}/${messageId}`
    : "—";

const SHOWN_CHARACTERS = 4;

/** The end of an API key; no view shows more of it. */
export const keyEnd = (last4: string): string =>
  safe(`…${last4.slice(-SHOWN_CHARACTERS)}`, SHOWN_CHARACTERS + 1);

/**
 * A post's sentence; to its reader alone, who has others, it names its key first: the other wallet accounts have sentences
 * like it.
 */
export const ofKey = (
  sentence: string,
  { directKey, hasOthers }: { directKey?: string | undefined; hasOthers?: boolean | undefined },
  { common }: UiTexts,
): string => {
  if (hasOthers !== true) return sentence;
  const end = directKey?.slice(-SHOWN_CHARACTERS).replace(UNSAFE_IN_FILE_NAME, "");
  return together(end && common.keyEnding(end), sentence);
};
