import type { APIApplicationCommandBasicOption } from "discord-api-types/v10";
import {
  type ActionInput,
  type Autocomplete,
  type ChosenUser,
  type Invocation,
  type OptionReader,
} from "#src/discord/command.ts";
import { isDiscordId, isOwnId } from "#src/shared/ids.ts";
import { UserError } from "#src/shared/errors.ts";
import { type Cents, LONGEST_AMOUNT, parseAmount, typedCents } from "#src/shared/money.ts";
import { named } from "#src/texts.ts";
import type { WithdrawOrder } from "#src/withdrawals/money-services.service.ts";
import type { Services } from "#src/services.ts";
import type {
  CancelConfirmation,
  Confirmation,
  KeyQuestion,
  RefundConfirmation,
  WithdrawStatus,
} from "#src/withdrawals/withdraw-facts.ts";
import type { Locale } from "#src/shared/locale.ts";
import { limits } from "#src/ui/embed.ts";
import type { Reply } from "#src/ui/reply.ts";
import {
  cancelConfirmationView,
  confirmationView,
  keyQuestionView,
  WITHDRAW_FIELDS,
} from "#src/withdrawals/withdraw-confirmation.view.ts";
import { refundConfirmationView } from "#src/withdrawals/refunds/refund.view.ts";
import { withdrawStatusView } from "#src/withdrawals/withdraw-status.view.ts";
import { option, suggested } from "./definition.ts";

/** Longest PIX key, and Discord's longest value of a suggestion. */
const LONGEST_KEY = 100;

const speed = (value: "normal" | "turbo") => ({
  ...named(({ commands }) => commands.saque[value]),
  value,
});

export const amountOption: APIApplicationCommandBasicOption = {
  ...option("string", "valor", ({ saque }) => saque.valor),
  required: true,
  max_length: LONGEST_AMOUNT,
};

export const recipientOption: APIApplicationCommandBasicOption = {
  ...option("user", "recebedor", ({ splitSaque }) => splitSaque.recebedor),
  required: true,
};

export const keyAndSpeed: readonly APIApplicationCommandBasicOption[] = [
  { ...suggested("chave", ({ saque }) => saque.chave, LONGEST_KEY), required: true },
  {
    ...option("string", "modalidade", ({ saque }) => saque.modalidade),
    choices: [speed("normal"), speed("turbo")],
  },
];

/** @throws UserError amount_unreadable, amount_too_fine, amount_too_large */
export const typedAmount = (options: Pick<OptionReader, "string">): Cents | "all" => {
  const given = options.string("valor") ?? "";
  return parseAmount(given).kind === "all" ? "all" : typedCents(given, "amount_unreadable");
};

/** Another person, and no bot: the wallet service never learns of refused ids. @throws UserError recipient_* */
export const chosenRecipient = (
  chosen: ChosenUser | undefined,
  { userId }: Pick<Invocation, "userId">,
): string => {
  if (chosen === undefined || !isDiscordId(chosen.id))
    throw new UserError({ kind: "recipient_invalid" });
  if (chosen.id === userId) throw new UserError({ kind: "recipient_is_self" });
  if (chosen.bot) throw new UserError({ kind: "recipient_is_bot" });
  return chosen.id;
};

/** Normal by default, because it costs less. */
export const typedKeyAndSpeed = (options: Pick<OptionReader, "string">) => ({
  pixKey: options.string("chave") ?? "",
  turbo: options.string("modalidade") === "turbo",
});

/** An order from the form, read as `/saque` reads its options. A typed key precedes a chosen one. @throws UserError */
export const orderInForm = ({ fields }: ActionInput) => {
  const { savedKey, key } = WITHDRAW_FIELDS;
  const typed = (fields.get(key) ?? "").trim();
  const string = (name: string): string | undefined =>
    name === key && typed === "" ? fields.get(savedKey) : fields.get(name);
  return {
    what: { kind: "own" as const, amount: typedAmount({ string }) },
    ...typedKeyAndSpeed({ string }),
  };
};

export const suggestKeys: Autocomplete = async (
  { option, text },
  { userId, locale },
  { withdrawals },
) =>
  option === "chave"
    ? (await withdrawals.savedKeys({ userId, locale }, text)).slice(0, limits.selectOptions)
    : [];

/** Question about the key, confirmation, or status of the operation. */
export const withdrawReply = (
  outcome: Confirmation | CancelConfirmation | RefundConfirmation | KeyQuestion | WithdrawStatus,
  locale: Locale,
): Reply => {
  if (outcome.kind === "cancel") return cancelConfirmationView(outcome, locale);
  if (outcome.kind === "refund") return refundConfirmationView(outcome, locale);
  if (outcome.kind === "confirmation") return confirmationView(outcome, locale);
  return outcome.kind === "status"
    ? withdrawStatusView(outcome, locale)
    : keyQuestionView(outcome, locale);
};

export const prepareReply = async (
  order: Omit<WithdrawOrder, "actor">,
  invocation: Invocation,
  { withdrawals }: Services,
): Promise<Reply> =>
  withdrawReply(await withdrawals.prepare({ actor: invocation, ...order }), invocation.locale);

/** The token of a button. @throws UserError confirmation_gone when it is malformed */
export const tokenOf = ({ argument }: ActionInput): string => {
  if (!isOwnId(argument)) throw new UserError({ kind: "confirmation_gone" });
  return argument;
};
