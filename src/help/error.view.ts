import type { APIEmbedField } from "discord-api-types/v10";
import { UserError, type UserErrorReason, WalletError } from "../shared/errors.ts";
import type { Locale } from "../shared/locale.ts";
import { codesOfErrors } from "../shared/settled.ts";
import { type AccountTexts, accountTexts } from "../accounts/texts.ts";
import { type WithdrawalTexts, withdrawalTexts } from "../withdrawals/texts.ts";
import { connectButton } from "../accounts/account.view.ts";
import { serverOption } from "../accounts/connections.view.ts";
import { buttonRow, reply, type Reply, type Row, selectRow } from "../ui/reply.ts";
import { firstLines, inline, limits, line, supportCodeFields } from "../ui/embed.ts";
import { channel, CODE_LENGTH, fullAndRelative, person, safe, serverName } from "../ui/format.ts";
import { questionFields, questionRow } from "../withdrawals/restore/restore-question.view.ts";
import {
  decisionButtons,
  otherKeyButton,
  withdrawIds,
} from "../withdrawals/withdraw-buttons.view.ts";

/** Enough of a typed text to copy it again. */
const GIVEN_LENGTH = 300;

type ErrorTexts = AccountTexts & WithdrawalTexts;

/** An error that people read. Unexpected errors show only a reference. */
export type PresentableError = UserError | WalletError | { readonly reference: string };

/**
 * The failure, whether money moved, the next step, and a code for support: the service's own, or `reference`, which our
 * logs carry. A key is connected in a server, so that a direct message offers no button for it.
 */
export const errorReply = (
  error: PresentableError,
  locale: Locale,
  reference: string,
  isDirect = false,
): Reply => {
  const texts = { ...accountTexts(locale), ...withdrawalTexts(locale) };
  if (error instanceof UserError) return userErrorReply(error, texts, reference, isDirect);
  if (error instanceof WalletError) return walletErrorReply(error, reference, texts, isDirect);
  const { unexpected, errorLabels } = texts;
  const fields = [line(errorLabels.reference, safe(error.reference, CODE_LENGTH))];
  return reply({ tone: "warning", title: unexpected.title, description: unexpected.next, fields });
};

const explanationOf = (reason: UserErrorReason, texts: ErrorTexts) => {
  if (reason.kind === "account_busy") {
    const { busyAccount, busyByAnother } = texts.errorLabels;
    return reason.opId === undefined && reason.why !== "in_progress"
      ? busyByAnother[reason.why]
      : busyAccount[reason.why];
  }
  if (reason.kind === "earlier_was_made" && reason.opId === undefined)
    return texts.errorLabels.earlierOfAnother;
  if (reason.kind === "refund_busy" && reason.opId === undefined)
    return texts.errorLabels.refundOfAnother;
  if (reason.kind === "refund_busy" && reason.why === "manual")
    return texts.errorLabels.refundUndecided;
  if (reason.kind === "withdrawal_unfinished" && reason.opId === undefined)
    return texts.errorLabels.unfinishedOfAnother;
  if (reason.kind === "restored_database") return texts.restored.questions[reason.why];
  if (reason.kind === "payment_disputed" && reason.why === "returned")
    return texts.errorLabels.disputeReturned;
  if (reason.kind === "daily_cap_exceeded" && reason.noLess !== undefined)
    return texts.errorLabels.capWithoutLess[reason.noLess];
  return texts.userErrors[reason.kind];
};

const lacksKey = ({ kind }: UserErrorReason): boolean =>
  kind === "not_connected" || kind === "key_unreadable";

const userErrorReply = (
  { reason, cause }: UserError,
  texts: ErrorTexts,
  reference: string,
  isDirect: boolean,
): Reply => {
  const { title, next } = explanationOf(reason, texts);
  const codes = codesOfErrors(cause instanceof WalletError ? [cause] : []);
  const fields = [...fieldsOf(reason, texts, reference), ...supportCodeFields(codes, texts)];
  if (lacksKey(reason) && isDirect) {
    const description = texts.userErrors.connect_in_server.next;
    return reply({ tone: "warning", title, description, fields });
  }
  const description = [...leadOf(reason, texts), next].join("\n");
  return reply({ tone: "warning", title, description, fields }, ...rowsOf(reason, texts));
};

const rowsOf = (reason: UserErrorReason, texts: ErrorTexts): readonly Row[] => {
  if (lacksKey(reason)) return [buttonRow(connectButton(texts))];
  if (!("servers" in reason)) return moneyErrorRows(reason, texts);
  if (reason.again === undefined) return [];
  const options = reason.servers.map(({ guildId, name, keyLast4 }, index) => ({
    ...serverOption(guildId, name, index + 1, texts),
    ...(keyLast4 !== undefined && { description: texts.people.key(`…${keyLast4}`) }),
  }));
  const placeholder = texts.errorLabels.chooseServer;
  return [selectRow({ id: reason.again, placeholder, options })];
};

const leadOf = (
  reason: UserErrorReason,
  { errorLabels, format }: ErrorTexts,
): readonly string[] => {
  if (reason.kind === "not_your_dispute") return [errorLabels.ownedBy(person(reason.ownerId))];
  return "waitMs" in reason ? [errorLabels.tryAgainIn(format.wait(reason.waitMs))] : [];
};

const fieldsOf = (
  reason: UserErrorReason,
  texts: ErrorTexts,
  reference: string,
): readonly APIEmbedField[] => {
  const { common, errorLabels, format, people } = texts;
  if ("given" in reason) return [line(errorLabels.given, safe(reason.given, GIVEN_LENGTH))];
  if (reason.kind === "money_uncertain")
    return [line(errorLabels.reference, safe(reference, CODE_LENGTH))];
  if ("servers" in reason) {
    const names = reason.servers.map(
      ({ guildId, name }, index) => `${index + 1}. ${serverName(guildId, name)}`,
    );
    return [line(errorLabels.servers, firstLines(names, people.more, limits.selectOptions))];
  }
  if (reason.kind === "restored_database") return questionFields(reason, texts);
  if (reason.kind !== "missing_channel_permissions") return moneyErrorFields(reason, texts);
  const missing = reason.missing.map((permission) => `**${errorLabels.permissions[permission]}**`);
  return [
    line(common.channel, channel(reason.channelId)),
    line(errorLabels.missing, format.list(missing)),
  ];
};

const walletErrorReply = (
  error: WalletError,
  reference: string,
  texts: ErrorTexts,
  isDirect: boolean,
): Reply => {
  const { walletErrors, errorLabels } = texts;
  const isRefused = error.kind === "unauthorized";
  const { title, next } = walletErrors[error.kind];
  // A POST that throws looks up a PIX key: calls that move money answer instead.
  const money = error.method === "GET" ? errorLabels.nothingMoved : errorLabels.notDone;
  const wait = error.kind === "rate_limited" ? error.retryAfterMs : undefined;
  const advice = wait === undefined ? next : errorLabels.waitFor(texts.format.wait(wait));
  const [label, code] =
    error.requestId === undefined
      ? [errorLabels.reference, reference]
      : [errorLabels.supportCode, error.requestId];
  return reply(
    {
      tone: "warning",
      title,
      description: [money, advice].join("\n"),
      fields: [line(label, safe(code, CODE_LENGTH))],
    },
    ...(isRefused && !isDirect ? [buttonRow(connectButton(texts))] : []),
  );
};

const OP_CODE_LENGTH = 20;

/** Code of the other operation that caused the refusal. */
const operationIn = (reason: UserErrorReason): string | undefined =>
  reason.kind === "account_busy" ||
  reason.kind === "left_undecided" ||
  reason.kind === "refund_busy" ||
  reason.kind === "earlier_was_made"
    ? reason.opId
    : undefined;

const moneyErrorFields = (
  reason: UserErrorReason,
  { errorLabels: labels, withdraw, withdrawOutcomes, format }: ErrorTexts,
): readonly APIEmbedField[] => {
  const fields: APIEmbedField[] = [];
  if (reason.kind === "left_undecided" && reason.sentAt !== undefined)
    fields.push(line(withdrawOutcomes.sentAt, fullAndRelative(reason.sentAt)));
  if ("amount" in reason && reason.amount !== undefined)
    fields.push(inline(labels.amount, format.reais(reason.amount)));
  if ("minimum" in reason) fields.push(inline(labels.minimum, format.reais(reason.minimum)));
  if ("available" in reason) fields.push(inline(labels.available, format.reais(reason.available)));
  if ("cap" in reason) fields.push(inline(labels.dailyCap, format.reais(reason.cap)));
  if ("left" in reason) fields.push(inline(labels.capLeft, format.reais(reason.left)));
  if ("triesLeft" in reason) fields.push(inline(labels.triesLeft, String(reason.triesLeft)));
  if (reason.kind === "new_key_waits")
    fields.push(line(withdraw.key, safe(reason.pixKeyMasked, CODE_LENGTH)));
  if ("until" in reason && reason.until !== undefined) {
    const label = reason.kind === "money_locked" ? labels.unlocksAt : labels.until;
    fields.push(line(label, fullAndRelative(reason.until)));
  }
  const opId = operationIn(reason);
  if (opId !== undefined) fields.push(inline(labels.opCode, safe(opId, OP_CODE_LENGTH)));
  return fields;
};

/** Buttons that open the blocking operation or lift the block. */
const moneyErrorRows = (reason: UserErrorReason, texts: ErrorTexts): readonly Row[] => {
  if (reason.kind === "restored_database") return [questionRow(reason, texts)];
  if (reason.kind === "amount_above_balance") {
    const label = texts.withdraw.withdrawAll(texts.format.reais(reason.available));
    return [buttonRow({ id: withdrawIds.redo(reason.wholeOpId), label, style: "primary" })];
  }
  if (reason.kind === "left_undecided")
    return [buttonRow(...decisionButtons({ id: reason.opId, kind: "normal" }, texts))];
  // The form asks for a withdrawal of one's own.
  if (reason.kind === "pix_key_refused")
    return reason.ofSplit ? [] : [buttonRow(otherKeyButton(texts.withdraw))];
  const opId = operationIn(reason);
  if (opId === undefined) return [];
  const label = texts.withdrawals.openThis(opId);
  return [buttonRow({ id: withdrawIds.status(opId), label, style: "secondary" })];
};
