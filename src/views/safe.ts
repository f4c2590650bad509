import { plainLine } from "./plain-line.ts";

const NOTHING = "—";

/**
 * A stranger's text as inline code, which Discord shows as it is: no mention, link, markdown or hidden character. At most
 * `max` code points and the two back-ticks. For field values only: titles and footers show back-ticks, and links and
 * labels are read differently.
 */
export const safe = (text: string, max: number): string => `\`${plainLine(text, max) || NOTHING}\``;
