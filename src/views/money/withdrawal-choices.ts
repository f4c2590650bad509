import type { WithdrawOp } from "../../domain/withdraw-op.ts";
import type { Locale } from "../../texts/locale.ts";
import { textsFor } from "../../texts/texts.ts";
import { opChoice } from "./withdrawal-words.ts";

const MOST_CHOICES = 25;

/** Operations as suggestions while an option is being typed. */
export const withdrawalChoices = (
  ops: readonly WithdrawOp[],
  locale: Locale,
): readonly { readonly name: string; readonly value: string }[] =>
  ops.slice(0, MOST_CHOICES).map((op) => ({ name: opChoice(op, textsFor(locale)), value: op.id }));
