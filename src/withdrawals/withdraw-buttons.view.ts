import {
  isOpen,
  isTurbo,
  isWithdrawal,
  subjectOf,
  wordedAs,
  type WithdrawOp,
} from "./withdraw-op.ts";
import { isPlainId } from "../shared/ids.ts";
import {
  type ButtonParts,
  buttonRow,
  customIdOf,
  type LiveSubject,
  offeredButtons,
  type Row,
} from "../ui/reply.ts";
import type { Confirmation, WithdrawalDetail, WithdrawStatus } from "./withdraw-facts.ts";
import { MINIMUM_WITHDRAWAL, quoteOf } from "./withdraw-limits.ts";
import type { WithdrawalTexts } from "./texts.ts";

/**
 * Custom ids in the form of `discord/command.ts`; `commands/` handles each. They carry a token, a code, a txid, a
 * filter or an owner, never an amount or a key.
 */
export const withdrawIds = {
  /** Opens the form that asks for a withdrawal. */
  form: customIdOf("saque", "formulario")(""),
  asked: customIdOf("saque", "pedir")(""),
  /** By token. */
  confirm: customIdOf("saque", "confirmar"),
  pin: customIdOf("saque", "pin"),
  abandon: customIdOf("saque", "desistir"),
  speed: customIdOf("saque", "modalidade"),
  cpf: customIdOf("saque", "cpf"),
  phone: customIdOf("saque", "celular"),
  /** By the operation's code. */
  redo: customIdOf("saque", "refazer"),
  saveKey: customIdOf("saque", "guardar"),
  check: customIdOf("saques", "verificar"),
  status: customIdOf("saques", "status"),
  happened: customIdOf("saques", "aconteceu"),
  didNotHappen: customIdOf("saques", "nao-aconteceu"),
} as const;

/**
 * Name under which the private reply is edited. A question has a name of its own, which its click removes, and so has a
 * status in a server of another wallet account, where other buttons are offered.
 */
export const liveName = (
  { id, state }: Pick<WithdrawOp, "id" | "state">,
  isElsewhere = false,
): string => {
  if (state === "draft" || state === "abandoned") return `${id}?`;
  return isElsewhere ? `${id}@` : id;
};

/** The same, with the state that the reply shows. */
export const liveOf = (op: Pick<WithdrawOp, "id" | "state">, isElsewhere = false): LiveSubject => ({
  name: liveName(op, isElsewhere),
  state: op.state,
});

/** The operation that a live reply of this name shows. */
export const opIdOf = (name: string): string => name.replace(/[?@]$/, "");

export const withdrawalIds = {
  list: customIdOf("saques", "lista")(""),
  /** The same on a message of its own. */
  all: customIdOf("saques", "todos")(""),
  filter: customIdOf("saques", "filtro")(""),
  open: customIdOf("saques", "ver")(""),
  /** By the operation's code or by txid. */
  details: customIdOf("saques", "detalhes"),
  receipt: customIdOf("saques", "recibo"),
  cancel: customIdOf("saques", "cancelar"),
  /** By the operation's code; forms. */
  decidedHappened: customIdOf("saques", "decidir-sim"),
  decidedDidNotHappen: customIdOf("saques", "decidir-nao"),
  /** By the question's answer id. */
  acknowledge: customIdOf("saques", "conferi"),
} as const;

type Words = WithdrawalTexts["withdraw"];

/** Whether it replaced an earlier confirmation: a repeated click on the earlier one must not send it. */
export const isAskedAgain = ({
  confirmationsLeft,
  askedTwice,
  sentMeanwhile,
}: Confirmation): boolean => confirmationsLeft === 1 && (askedTwice.length > 0 || sentMeanwhile);

/** The click that sends, with the PIN if one is set. */
const sendButton = (
  { token, pinRequired }: Pick<Confirmation, "token" | "pinRequired">,
  label: string,
  style: ButtonParts["style"],
  withdraw: Words,
): ButtonParts => ({
  id: pinRequired ? withdrawIds.pin(token) : withdrawIds.confirm(token),
  label: pinRequired ? withdraw.withPin(label) : label,
  style,
});

/** Buttons under a question that a single click answers. */
export const singleClickButtons = (
  asked: Pick<Confirmation, "token" | "pinRequired">,
  labels: { readonly send: string; readonly giveUp: string },
  withdraw: Words,
): Row =>
  buttonRow(sendButton(asked, labels.send, "danger", withdraw), {
    id: withdrawIds.abandon(asked.token),
    label: labels.giveUp,
    style: "secondary",
  });

const speedButtons = (
  { op: { kind, amount }, token }: Confirmation,
  { withdraw, format }: WithdrawalTexts,
): readonly ButtonParts[] => {
  const turbo = !isTurbo(kind);
  const { fee, net } = quoteOf(amount ?? MINIMUM_WITHDRAWAL, turbo);
  const name = turbo ? "turbo" : "normal";
  const costs =
    amount === undefined ? withdraw.feeOf(format.reais(fee)) : withdraw.arrives(format.reais(net));
  const label = withdraw.otherSpeed(withdraw.speeds[name], costs, withdraw.when[name]);
  return [{ id: withdrawIds.speed(token), label, style: "secondary" }];
};

/** Buttons under a confirmation: go on; change the speed; or give up. */
export const confirmationButtons = (confirmation: Confirmation, texts: WithdrawalTexts): Row => {
  const { withdraw, format } = texts;
  const { op, token, confirmationsLeft } = confirmation;
  const giveUp: ButtonParts = {
    id: withdrawIds.abandon(token),
    label: withdraw.giveUp,
    style: "secondary",
  };
  const label = withdraw.send(op.amount && format.reais(quoteOf(op.amount, isTurbo(op.kind)).net));
  if (isAskedAgain(confirmation))
    return buttonRow(giveUp, sendButton(confirmation, label, "danger", withdraw));
  const next: ButtonParts =
    confirmationsLeft > 1
      ? { id: withdrawIds.confirm(token), label: withdraw.goOn, style: "primary" }
      : sendButton(confirmation, label, "success", withdraw);
  return buttonRow(next, ...speedButtons(confirmation, texts), giveUp);
};

/** Under an operation that was given up or expired. */
export const redoButtons = ({ id }: Pick<WithdrawOp, "id">, withdraw: Words): Row =>
  buttonRow({ id: withdrawIds.redo(id), label: withdraw.redo, style: "secondary" });

/** Labels of the owner's decision on an operation. */
export const decisionLabels = (
  op: Pick<WithdrawOp, "kind">,
  { withdraw, refundOutcomes }: Pick<WithdrawalTexts, "withdraw" | "refundOutcomes">,
) => ({ ...withdraw.decisions, refund: refundOutcomes.decisions })[wordedAs(op)];

export const decisionButtons = (
  op: Pick<WithdrawOp, "id" | "kind">,
  texts: Pick<WithdrawalTexts, "withdraw" | "refundOutcomes">,
): readonly ButtonParts[] => {
  const { id } = op;
  const labels = decisionLabels(op, texts);
  return [
    { id: withdrawIds.happened(id), label: labels.happened, style: "primary" },
    { id: withdrawIds.didNotHappen(id), label: labels.didNotHappen, style: "danger" },
  ];
};

/** Opens the form for another withdrawal. */
export const otherKeyButton = ({ otherKey }: Words): ButtonParts => ({
  id: withdrawIds.form,
  label: otherKey,
  style: "primary",
});

/** The way to all that is known of one. */
export const detailsButton = (id: string, { withdrawals }: WithdrawalTexts): ButtonParts => ({
  id: withdrawalIds.details(id),
  label: withdrawals.details,
  style: "secondary",
});

/**
 * What can be done with an operation, or with a withdrawal made elsewhere, in its present state. `canAsk`: whether a withdrawal
 * can be asked for or cancelled there; `isElsewhere`: one that is asked for there may be of another wallet account.
 */
export const withdrawalButtons = (
  { op, withdrawal }: Pick<WithdrawalDetail, "op" | "withdrawal">,
  {
    keySavable = false,
    canAsk,
    isElsewhere = false,
  }: Partial<Pick<WithdrawStatus, "isElsewhere" | "keySavable">> & { readonly canAsk: boolean },
  texts: WithdrawalTexts,
): readonly ButtonParts[] => {
  const { withdraw, withdrawals } = texts;
  const txid = withdrawal?.txid ?? "";
  const id = op?.id ?? (isPlainId(txid) ? txid : undefined);
  const isUndecided = op?.state === "manual";
  const status = withdrawal?.status ?? op?.state;
  const isOfMoney = op === undefined || isWithdrawal(op.kind);
  const mayTryAgain = canAsk && !isElsewhere && op?.state === "failed" && subjectOf(op) === "own";
  return [
    ...(isUndecided ? decisionButtons(op, texts) : []),
    ...(mayTryAgain ? [otherKeyButton(withdraw)] : []),
    ...offeredButtons(
      [
        op !== undefined && isOpen(op.state),
        id && withdrawIds.check(id),
        withdraw.check,
        isUndecided ? "secondary" : "primary",
      ],
      [isOfMoney && status === "completed", id && withdrawalIds.receipt(id), withdrawals.receipt],
      [
        canAsk && isOfMoney && status === "scheduled",
        id && withdrawalIds.cancel(id),
        withdrawals.cancel,
        "danger",
      ],
      [keySavable, id && withdrawIds.saveKey(id), withdraw.saveKey],
    ),
  ];
};
