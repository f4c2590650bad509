import type { APIEmbedField } from "discord-api-types/v10";
import type { UserErrorReason } from "../shared/errors.ts";
import { formatReais } from "../shared/money.ts";
import type { Texts } from "../texts/texts.ts";
import { buttonRow, type Row } from "./components.ts";
import { inline, line } from "./embed.ts";
import { safe } from "./safe.ts";
import { fullAndRelative } from "./timestamp.ts";
import { withdrawIds } from "./withdraw-ids.ts";

const OP_CODE_LENGTH = 20;

/** The figures behind a refusal of money; none for a mistake that has no figures. */
export const moneyErrorFields = (
  reason: UserErrorReason,
  labels: Texts["errorLabels"],
): readonly APIEmbedField[] => {
  switch (reason.kind) {
    case "amount_below_minimum":
      return [
        inline(labels.amount, formatReais(reason.amount)),
        inline(labels.minimum, formatReais(reason.minimum)),
      ];
    case "amount_above_balance":
      return [
        inline(labels.amount, formatReais(reason.amount)),
        inline(labels.available, formatReais(reason.available)),
      ];
    case "daily_cap_exceeded":
      return [
        inline(labels.dailyCap, formatReais(reason.cap)),
        inline(labels.capLeft, formatReais(reason.left)),
      ];
    case "split_under_cap":
      return [inline(labels.dailyCap, formatReais(reason.cap))];
    case "pin_wrong":
      return [inline(labels.triesLeft, String(reason.triesLeft))];
    case "new_key_waits":
    case "pin_locked":
      return [line(labels.until, fullAndRelative(reason.until))];
    case "money_locked":
      return reason.until === undefined
        ? []
        : [line(labels.unlocksAt, fullAndRelative(reason.until))];
    case "account_busy":
      return reason.opId === undefined
        ? []
        : [inline(labels.opCode, safe(reason.opId, OP_CODE_LENGTH))];
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the others are words alone
    default:
      return [];
  }
};

/** The way to the operation that holds the account. */
export const busyRows = (reason: UserErrorReason, { withdraw }: Texts): readonly Row[] =>
  reason.kind === "account_busy" && reason.opId !== undefined
    ? [
        buttonRow({
          id: withdrawIds.status(reason.opId),
          label: withdraw.status,
          style: "secondary",
        }),
      ]
    : [];
