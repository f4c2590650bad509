import * as en from "./texts.en-US.ts";
import * as pt from "./texts.pt-BR.ts";
import { withUiTexts } from "../ui/texts.ts";

export const accountingTexts = withUiTexts(pt, en);

export type AccountingTexts = ReturnType<typeof accountingTexts>;
