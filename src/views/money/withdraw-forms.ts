import type { KeyQuestion } from "../../domain/withdraw-facts.ts";
import type { WithdrawOp } from "../../domain/withdraw-op.ts";
import type { Locale } from "../../texts/locale.ts";
import { textsFor } from "../../texts/texts.ts";
import { buttonRow } from "../components.ts";
import { line } from "../embed.ts";
import { modal, reply, type Modal, type Reply } from "../reply.ts";
import { safe } from "../safe.ts";
import { hourOnly, relativeTime } from "../timestamp.ts";
import { redoButtons } from "./withdraw-buttons.ts";
import { liveName, withdrawIds } from "./withdraw-ids.ts";

const KEY_LENGTH = 100;
const LONGEST_PIN = 12;

/** Asks what eleven digits are, rather than guess where money goes. */
export const keyQuestionView = ({ op, token, expiresAt }: KeyQuestion, locale: Locale): Reply => {
  const { withdraw } = textsFor(locale);
  const until = withdraw.validUntil(hourOnly(expiresAt), relativeTime(expiresAt));
  const shown = reply(
    { title: withdraw.questionTitle, description: `${withdraw.questionText}\n${until}` },
    buttonRow(
      { id: withdrawIds.cpf(token), label: withdraw.isCpf, style: "primary" },
      { id: withdrawIds.phone(token), label: withdraw.isPhone, style: "primary" },
      { id: withdrawIds.abandon(token), label: withdraw.giveUp, style: "secondary" },
    ),
  );
  return { ...shown, live: liveName(op) };
};

/** The form that asks for the PIN; sending it confirms. `field` is fixed by who reads it. */
export const pinModal = (token: string, field: string, locale: Locale): Modal => {
  const { withdraw } = textsFor(locale);
  return modal({
    customId: withdrawIds.confirm(token),
    title: withdraw.pinTitle,
    fields: [
      {
        id: field,
        label: withdraw.pinLabel,
        placeholder: withdraw.pinPlaceholder,
        style: "short",
        maxLength: LONGEST_PIN,
        required: true,
      },
    ],
  });
};

/** After the person gave it up. */
export const abandonedView = (op: WithdrawOp, locale: Locale): Reply => {
  const { withdraw } = textsFor(locale);
  const [title, description] =
    op.kind === "cancel"
      ? [withdraw.cancelAbandoned, withdraw.cancelAbandonedText]
      : [withdraw.abandoned, withdraw.abandonedText];
  return reply({ title, description }, redoButtons(op, withdraw));
};

/** In the place of a question whose time ran out. */
export const expiredView = (op: WithdrawOp, locale: Locale): Reply => {
  const { withdraw } = textsFor(locale);
  const description = op.kind === "cancel" ? withdraw.cancelExpiredText : withdraw.expiredText;
  return reply({ title: withdraw.expired, description }, redoButtons(op, withdraw));
};

/** After a key was kept among the saved ones. */
export const keyKeptView = (masked: string, locale: Locale): Reply => {
  const { withdraw } = textsFor(locale);
  return reply({
    title: withdraw.keyKept,
    description: withdraw.keyKeptText,
    fields: [line(withdraw.key, safe(masked, KEY_LENGTH))],
  });
};
