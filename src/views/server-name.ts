import { plainLine } from "./plain-line.ts";
import { safe } from "./safe.ts";

const NAME_LENGTH = 60;
const SHOWN_DIGITS = 4;

/** The last digits of an id of Discord's, which tell a few of them apart in menus: names there are a stranger's text. */
export const idEnd = (id: string): string => id.slice(-SHOWN_DIGITS);

/** Anything else in a menu could be read as something that it is not. */
const PLAIN = /^[\p{L}\p{N} .,'&+-]+$/u;

/** A server's numbered name where it is plain enough for a menu, which shows a stranger's text as it is. */
export const menuName = (name: string | undefined, place: number): string | undefined => {
  const shown = plainLine(name ?? "", NAME_LENGTH);
  return PLAIN.test(shown) ? `${place}. ${shown}` : undefined;
};

/** A server by its name, which strangers chose, or by the end of its id. */
export const serverName = (guildId: string, name: string | undefined): string =>
  safe(name ?? `…${idEnd(guildId)}`, NAME_LENGTH);
