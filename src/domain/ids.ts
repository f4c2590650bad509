/** Discord's limit for the options of a menu, and for suggestions. */
export const MOST_OPTIONS = 25;

const DISCORD_ID = /^\d{17,20}$/;

/** Whether the text has the form of an id of Discord's, such as a user's. */
export const isDiscordId = (text: string): boolean => DISCORD_ID.test(text);

/** Custom ids and values of menus, which name disputes and withdrawals, hold no more. */
const LONGEST_WIRE_ID = 64;
const PRINTABLE = /^[^\s\p{C}]+$/u;
/** Slashes and dots that something on the way may decode a second time. */
const PLAIN = /^[\w.:~+=@|-]+$/;
const ENCODED_STEP = /%(?:2e|2f|5c)/i;
const STEPS: ReadonlySet<string> = new Set(["", ".", ".."]);

/** What a server would make of an identifier in a path if it took encoded slashes for slashes. */
export const pathSegments = (identifier: string): readonly string[] => identifier.split(/[/\\]/);

/**
 * Whether the service may be asked about it. The document shows no shape of ids (service.md 2), so that any printable
 * text without spaces passes, up to 64 characters; only what could lead to another path does not.
 */
export const isWireId = (text: string): boolean =>
  text.length <= LONGEST_WIRE_ID &&
  PRINTABLE.test(text) &&
  !ENCODED_STEP.test(text) &&
  pathSegments(text).every((segment) => !STEPS.has(segment));

/** Whether such an id may also stand in a custom id and in a value of a menu, which are made of nothing hostile. */
export const isPlainId = (text: string): boolean => isWireId(text) && PLAIN.test(text);
