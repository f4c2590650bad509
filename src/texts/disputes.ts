import * as en from "./en-US/disputes.ts";
import * as pt from "./pt-BR/disputes.ts";
import { withUiTexts } from "../ui/texts.ts";

export const disputeTexts = withUiTexts(pt, en);

export type DisputeTexts = ReturnType<typeof disputeTexts>;
