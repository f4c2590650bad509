import type { APIEmbedField } from "discord-api-types/v10";
import type { Texts } from "../texts/texts.ts";
import { line } from "./embed.ts";
import { safe } from "./safe.ts";

const CODE_LENGTH = 128;
const MOST_CODES = 3;

/** The codes by which the support, of the service or of the bot, finds what could not be read; none without codes. */
export const supportCodeFields = (
  codes: readonly string[] | undefined,
  { errorLabels }: Texts,
): readonly APIEmbedField[] => {
  const shown = [...new Set(codes)].slice(0, MOST_CODES).map((code) => safe(code, CODE_LENGTH));
  return shown.length === 0 ? [] : [line(errorLabels.supportCode, shown.join("\n"))];
};
