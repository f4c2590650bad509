import * as en from "./en-US/defence.ts";
import * as pt from "./pt-BR/defence.ts";
import { withUiTexts } from "../ui/texts.ts";

export const defenceTexts = withUiTexts(pt, en);

export type DefenceTexts = ReturnType<typeof defenceTexts>;
