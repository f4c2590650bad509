import type { WithdrawEvent } from "../../domain/withdraw-journal.ts";
import type { WithdrawOp } from "../../domain/withdraw-op.ts";
import type { Texts } from "../../texts/texts.ts";
import { limits } from "../limits.ts";
import { toTheSecond } from "../timestamp.ts";
import { stateInWords } from "./withdrawal-words.ts";

const MORE = "…";

const stepInWords = ({ from, to }: WithdrawEvent, op: WithdrawOp, texts: Texts): string => {
  const { withdrawals } = texts;
  if (to === "accepted" && from !== "sending") return withdrawals.foundStep;
  if (to === "resolved_manual") return stateInWords(op, texts);
  const cancelling = op.kind === "cancel" && to === "completed";
  return withdrawals.steps[cancelling ? "cancelled" : to];
};

/** What happened to an operation, oldest first; of a long story the end, within one field. */
export const journalInWords = (
  events: readonly WithdrawEvent[],
  op: WithdrawOp,
  texts: Texts,
): string => {
  const kept: string[] = [];
  let left = limits.fieldValue - MORE.length;
  for (const event of events.toReversed()) {
    const step = `${toTheSecond(event.at)} ${stepInWords(event, op, texts)}`;
    left -= step.length + 1;
    if (left < 0) return [MORE, ...kept].join("\n");
    kept.unshift(step);
  }
  return kept.join("\n");
};
