import { byLocale } from "../shared/locale.ts";
import * as en from "./en-US/commands.ts";
import * as pt from "./pt-BR/commands.ts";

/** Descriptions of the commands, and the help. */
export const commandTexts = byLocale(pt, en);
