import { hash } from "node:crypto";

/** Discord's limit for the options of a menu, and for suggestions. */
export const MOST_OPTIONS = 25;

const DISCORD_ID = /^\d{17,20}$/;

/** Whether the text looks like a Discord id. */
export const isDiscordId = (text: string): boolean => DISCORD_ID.test(text);

/** Discord's epoch, the start of 2015. Source: Discord's reference, "Snowflakes". */
const DISCORD_EPOCH_MS = 1_420_070_400_000;
const TIME_SHIFT = 22n;
const SNOWFLAKE = /^\d{1,20}$/;

/** Creation time of an id, in milliseconds since 1970 by Discord's clock; undefined for other text. */
export const snowflakeMs = (id: string): number | undefined =>
  SNOWFLAKE.test(id) ? Number(BigInt(id) >> TIME_SHIFT) + DISCORD_EPOCH_MS : undefined;

/** The smallest id of this instant: everything made later has a larger one. */
export const snowflakeAt = (instant: Temporal.Instant): string =>
  String(BigInt(Math.max(0, instant.epochMilliseconds - DISCORD_EPOCH_MS)) << TIME_SHIFT);

const OWN_ID = /^[\w-]{22}$/;

/** Whether the text looks like an id of ours: 16 random bytes in base64url. */
export const isOwnId = (text: string): boolean => OWN_ID.test(text);

const QUESTION_ID_LENGTH = 10;
const QUESTION_ID = /^[0-9a-f]{10}$/;

/** Id of a question about these facts, so that a press answers only the question of its own message. */
export const questionIdOf = (about: readonly string[]): string =>
  hash("sha256", about.join("|"), "hex").slice(0, QUESTION_ID_LENGTH);

export const isQuestionId = (text: string): boolean => QUESTION_ID.test(text);

/** Ids of the service are compared in this form: its lists may write one in another case than its answers. */
export const inSmall = (id: string): string => id.toLowerCase();

/** The ids as databases write them small: SQLite leaves letters outside of ASCII as they are. */
export const smallForms = (ids: readonly string[]): readonly string[] => [
  ...new Set(ids.flatMap((id) => [inSmall(id), id.replaceAll(/[A-Z]+/g, inSmall)])),
];

export const amongIds = (known: Iterable<string>) => {
  const ids = new Set([...known].map(inSmall));
  return (id: string | undefined): boolean => id !== undefined && ids.has(inSmall(id));
};

/** Custom ids and menu values contain these ids, so they cannot be longer. */
const LONGEST_WIRE_ID = 64;
const PRINTABLE = /^[^\s\p{C}]+$/u;
/** Encoded slashes and dots, which a server may decode a second time. */
const PLAIN = /^[\w.:~+=@|-]+$/;
const ENCODED_STEP = /%(?:2e|2f|5c)/i;
const STEPS: ReadonlySet<string> = new Set(["", ".", ".."]);

/** Path segments that a server would see after decoding slashes. */
export const pathSegments = (identifier: string): readonly string[] => identifier.split(/[/\\]/);

/**
 * Whether the id is safe in a request path. The document shows no id format (service.md 2), so any printable text
 * without spaces is accepted, up to 64 characters, unless it could change the path.
 */
export const isWireId = (text: string): boolean =>
  text.length <= LONGEST_WIRE_ID &&
  PRINTABLE.test(text) &&
  !ENCODED_STEP.test(text) &&
  pathSegments(text).every((segment) => !STEPS.has(segment));

/** Whether the id is also safe in custom ids and menu values: letters, digits and a few signs only. */
export const isPlainId = (text: string): boolean => isWireId(text) && PLAIN.test(text);
