import { linkRow, type Row } from "../components.ts";
import type { Texts } from "../../texts/texts.ts";

/** The way to the page where sellers answer, when the operator named one. */
export const answerLink = (
  answerUrl: string | undefined,
  { disputeAlerts }: Texts,
): readonly Row[] =>
  answerUrl === undefined ? [] : [linkRow({ url: answerUrl, label: disputeAlerts.answerThere })];
