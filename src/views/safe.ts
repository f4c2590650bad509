import { plainLine } from "./plain-line.ts";

const NOTHING = "—";

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
