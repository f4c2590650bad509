import * as en from "./en-US/guards.ts";
import * as pt from "./pt-BR/guards.ts";
import { withUiTexts } from "../ui/texts.ts";

export const guardTexts = withUiTexts(pt, en);

export type GuardTexts = ReturnType<typeof guardTexts>;
