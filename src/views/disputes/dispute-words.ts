import { inBrasilia } from "../../domain/brasilia.ts";
import { awaitsAnswer, type DisputeState } from "../../domain/dispute-state.ts";
import type { DisputeRow } from "../../domain/dispute-list.ts";
import type { Texts } from "../../texts/texts.ts";
import { cut, limits } from "../limits.ts";
import { plainLine } from "../plain-line.ts";
import { safe } from "../safe.ts";

const VALUE_LENGTH = 60;
const CODE_LENGTH = 64;
const SEPARATOR = " · ";

/** The word of ours for a value of the service, or the value as it came. */
export const disputeWord = (words: Readonly<Record<string, string>>, value: string): string =>
  (Object.hasOwn(words, value) ? words[value] : undefined) ?? safe(value, VALUE_LENGTH);

/** Where a dispute stands, in our own words alone. */
export const disputeStateInWords = (state: DisputeState | undefined, { disputes }: Texts): string =>
  state === undefined ? disputes.unread : disputes.states[state];

/** A deadline says nothing where nobody waits for an answer, and would cut the id. */
const isDue = (state: DisputeState | undefined): boolean =>
  state === undefined || state === "other" || awaitsAnswer(state);

/** A dispute in a menu or a suggestion, which show neither markdown nor timestamps. */
export const disputeChoice = (row: DisputeRow, texts: Texts): string => {
  const { amount, dueAt, state, infractionId } = row;
  const words = [
    amount === undefined ? undefined : texts.format.reais(amount),
    disputeStateInWords(state, texts),
    dueAt === undefined || !isDue(state)
      ? undefined
      : texts.disputes.due(texts.format.moment(inBrasilia(dueAt))),
    plainLine(infractionId, CODE_LENGTH),
  ].filter((part) => part !== undefined);
  return cut(words.join(SEPARATOR), limits.choiceName);
};
