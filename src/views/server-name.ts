import { safe } from "./safe.ts";

const NAME_LENGTH = 60;
const SHOWN_DIGITS = 4;

/** The last digits of an id of Discord's, which tell a few of them apart in menus: names there are a stranger's text. */
export const idEnd = (id: string): string => id.slice(-SHOWN_DIGITS);

/** A server by its name, which strangers chose, or by the end of its id. */
export const serverName = (guildId: string, name: string | undefined): string =>
  safe(name ?? `…${idEnd(guildId)}`, NAME_LENGTH);
