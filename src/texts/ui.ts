import { byLocale } from "../shared/locale.ts";
import * as en from "./en-US/errors.ts";
import { common as enCommon, format as enFormat } from "./en-US/format.ts";
import * as pt from "./pt-BR/errors.ts";
import { common as ptCommon, format as ptFormat } from "./pt-BR/format.ts";

const uiTexts = byLocale(
  { ...pt, common: ptCommon, format: ptFormat },
  { ...en, common: enCommon, format: enFormat },
);

/** Errors, forms of dates and amounts, and words that every capability uses. */
export type UiTexts = ReturnType<typeof uiTexts>;

/** A capability's texts beside those that every capability uses. */
export const withUiTexts = <T extends object>(portuguese: T, english: NoInfer<T>) =>
  byLocale({ ...uiTexts("pt-BR"), ...portuguese }, { ...uiTexts("en-US"), ...english });
