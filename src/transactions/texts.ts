import * as en from "./texts.en-US.ts";
import * as pt from "./texts.pt-BR.ts";
import { withUiTexts } from "../ui/texts.ts";

export const transactionTexts = withUiTexts(pt, en);

export type TransactionTexts = ReturnType<typeof transactionTexts>;
