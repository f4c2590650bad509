import * as en from "./en-US/accounts.ts";
import * as pt from "./pt-BR/accounts.ts";
import { withUiTexts } from "../ui/texts.ts";

export const accountTexts = withUiTexts(pt, en);

export type AccountTexts = ReturnType<typeof accountTexts>;
