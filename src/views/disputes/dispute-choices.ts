import type { DisputeRow } from "../../domain/dispute-list.ts";
import { isPlainId } from "../../domain/wire-id.ts";
import type { Locale } from "../../texts/locale.ts";
import { textsFor } from "../../texts/texts.ts";
import { disputeChoice } from "./dispute-words.ts";
import { limits } from "../limits.ts";

/** Disputes as suggestions while an option is being typed. */
export const disputeChoices = (
  rows: readonly DisputeRow[],
  locale: Locale,
): readonly { readonly name: string; readonly value: string }[] =>
  rows
    .filter(({ infractionId }) => isPlainId(infractionId))
    .slice(0, limits.selectOptions)
    .map((row) => ({ name: disputeChoice(row, textsFor(locale)), value: row.infractionId }));
