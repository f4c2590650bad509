import { byLocale } from "../shared/locale.ts";
import * as en from "./texts.en-US.ts";
import * as pt from "./texts.pt-BR.ts";

/** Descriptions of the commands, and the help. */
export const commandTexts = byLocale(pt, en);
