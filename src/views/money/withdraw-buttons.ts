import type { WithdrawOp, WithdrawState } from "../../domain/withdraw-op.ts";
import type { Confirmation } from "../../domain/withdraw-facts.ts";
import type { Texts } from "../../texts/texts.ts";
import { buttonRow, type ButtonParts, type Row } from "../components.ts";
import { withdrawIds } from "./withdraw-ids.ts";

type Words = Texts["withdraw"];

const confirmLabel = ({ op, askedTwice }: Confirmation, withdraw: Words): string => {
  if (op.kind === "cancel") return withdraw.confirmCancel;
  return askedTwice.length > 0 ? withdraw.confirmAgain : withdraw.confirm;
};

const confirmButton = (confirmation: Confirmation, withdraw: Words): ButtonParts => {
  const { op, token, pinRequired, confirmationsLeft } = confirmation;
  const style = op.kind === "cancel" ? "danger" : "success";
  if (confirmationsLeft > 1)
    return { id: withdrawIds.confirm(token), label: withdraw.confirm, style };
  return pinRequired
    ? { id: withdrawIds.pin(token), label: withdraw.confirmWithPin, style }
    : { id: withdrawIds.confirm(token), label: confirmLabel(confirmation, withdraw), style };
};

/** Under a confirmation: go on, with the PIN where one is set, or give it up. */
export const confirmationButtons = (confirmation: Confirmation, withdraw: Words): Row => {
  const { op, token } = confirmation;
  return buttonRow(confirmButton(confirmation, withdraw), {
    id: withdrawIds.abandon(token),
    label: op.kind === "cancel" ? withdraw.keepWithdrawal : withdraw.giveUp,
    style: "secondary",
  });
};

const decisionButtons = ({ id, kind }: WithdrawOp, withdraw: Words): readonly ButtonParts[] => {
  const labels = withdraw.decisions[kind === "cancel" ? "cancel" : "own"];
  return [
    { id: withdrawIds.happened(id), label: labels.happened, style: "primary" },
    { id: withdrawIds.didNotHappen(id), label: labels.didNotHappen, style: "danger" },
  ];
};

/** What reading again can still change. */
const CHECKABLE: ReadonlySet<WithdrawState> = new Set([
  "confirmed",
  "sending",
  "unknown",
  "accepted",
  "scheduled",
  "processing",
]);
const ENDED_AT_SERVICE: ReadonlySet<WithdrawState> = new Set(["completed", "failed", "cancelled"]);

/** What can be done about an operation from where it stands; none once it ended without the service. */
export const outcomeButtons = (
  op: WithdrawOp,
  keySavable: boolean,
  withdraw: Words,
): readonly Row[] => {
  const { id, state } = op;
  const checkable = CHECKABLE.has(state);
  const check: ButtonParts = { id: withdrawIds.check(id), label: withdraw.check, style: "primary" };
  const buttons: readonly ButtonParts[] = [
    ...(checkable ? [check] : []),
    ...(state === "manual"
      ? [...decisionButtons(op, withdraw), { ...check, style: "secondary" as const }]
      : []),
    ...(checkable || ENDED_AT_SERVICE.has(state)
      ? [{ id: withdrawIds.status(id), label: withdraw.status, style: "secondary" as const }]
      : []),
    ...(keySavable
      ? [{ id: withdrawIds.saveKey(id), label: withdraw.saveKey, style: "secondary" as const }]
      : []),
  ];
  return buttons.length === 0 ? [] : [buttonRow(...buttons)];
};
