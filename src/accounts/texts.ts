import * as en from "./texts.en-US.ts";
import * as pt from "./texts.pt-BR.ts";
import { withUiTexts } from "../ui/texts.ts";

export const accountTexts = withUiTexts(pt, en);

export type AccountTexts = ReturnType<typeof accountTexts>;
