import * as en from "./en-US/reports.ts";
import * as pt from "./pt-BR/reports.ts";
import { withUiTexts } from "../ui/texts.ts";

export const reportTexts = withUiTexts(pt, en);

export type ReportTexts = ReturnType<typeof reportTexts>;
