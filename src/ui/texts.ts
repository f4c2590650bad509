import { byLocale } from "../shared/locale.ts";
import * as en from "./errors.en-US.ts";
import { common as enCommon, format as enFormat } from "./format.en-US.ts";
import * as pt from "./errors.pt-BR.ts";
import { common as ptCommon, format as ptFormat } from "./format.pt-BR.ts";

const uiTexts = byLocale(
  { ...pt, common: ptCommon, format: ptFormat },
  { ...en, common: enCommon, format: enFormat },
);

/** Errors, forms of dates and amounts, and words that every capability uses. */
export type UiTexts = ReturnType<typeof uiTexts>;

/** A capability's texts beside those that every capability uses. */
export const withUiTexts = <T extends object>(portuguese: T, english: NoInfer<T>) =>
  byLocale({ ...uiTexts("pt-BR"), ...portuguese }, { ...uiTexts("en-US"), ...english });
