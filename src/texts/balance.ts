import * as en from "./en-US/balance.ts";
import * as pt from "./pt-BR/balance.ts";
import { withUiTexts } from "../ui/texts.ts";

export const balanceTexts = withUiTexts(pt, en);

export type BalanceTexts = ReturnType<typeof balanceTexts>;
