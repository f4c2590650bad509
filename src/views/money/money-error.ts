import type { APIEmbedField } from "discord-api-types/v10";
import type { UserErrorReason } from "../../shared/errors.ts";
import type { Texts } from "../../texts/texts.ts";
import { buttonRow, type Row } from "../components.ts";
import { inline, line } from "../embed.ts";
import { safe } from "../safe.ts";
import { fullAndRelative } from "../timestamp.ts";
import { questionRow } from "./restore-question.ts";
import { withdrawIds } from "./withdraw-ids.ts";

const OP_CODE_LENGTH = 20;

/** The other operation that it is about. */
const operationIn = (reason: UserErrorReason): string | undefined =>
  reason.kind === "account_busy" || reason.kind === "earlier_was_made" ? reason.opId : undefined;

/** The figures and instants behind a refusal of money; none for a mistake that has none. */
export const moneyErrorFields = (
  reason: UserErrorReason,
  { errorLabels: labels, format }: Texts,
): readonly APIEmbedField[] => {
  const fields: APIEmbedField[] = [];
  if ("amount" in reason) fields.push(inline(labels.amount, format.reais(reason.amount)));
  if ("minimum" in reason) fields.push(inline(labels.minimum, format.reais(reason.minimum)));
  if ("available" in reason) fields.push(inline(labels.available, format.reais(reason.available)));
  if ("cap" in reason) fields.push(inline(labels.dailyCap, format.reais(reason.cap)));
  if ("left" in reason) fields.push(inline(labels.capLeft, format.reais(reason.left)));
  if ("triesLeft" in reason) fields.push(inline(labels.triesLeft, String(reason.triesLeft)));
  if ("until" in reason && reason.until !== undefined) {
    const label = reason.kind === "money_locked" ? labels.unlocksAt : labels.until;
    fields.push(line(label, fullAndRelative(reason.until)));
  }
  const opId = operationIn(reason);
  if (opId !== undefined) fields.push(inline(labels.opCode, safe(opId, OP_CODE_LENGTH)));
  return fields;
};

/** The way to the operation that stands in the way, or to end what keeps the account's money. */
export const moneyErrorRows = (reason: UserErrorReason, texts: Texts): readonly Row[] => {
  if (reason.kind === "restored_database") return [questionRow(reason, texts)];
  if (reason.kind === "amount_above_balance" && reason.wholeOpId !== undefined) {
    const label = texts.withdraw.withdrawAll(texts.format.reais(reason.available));
    return [buttonRow({ id: withdrawIds.redo(reason.wholeOpId), label, style: "primary" })];
  }
  const opId = operationIn(reason);
  if (opId === undefined) return [];
  const { status: label } = texts.withdraw;
  return [buttonRow({ id: withdrawIds.status(opId), label, style: "secondary" })];
};
