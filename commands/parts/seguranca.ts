import { type Action, action, type ActionInput, type Invocation } from "#src/discord/command.ts";
import type { MoneyGuards } from "#src/domain/money-guards.ts";
import type { Services } from "#src/services/services.ts";
import type { Locale } from "#src/texts/locale.ts";
import { guardsView } from "#src/views/money/guards.ts";
import type { Modal, Reply } from "#src/views/reply.ts";
import { ownButton } from "./key-owner.ts";

/** The panel, with the guards as they were just set, or as they are in force. */
export const panelReply = async (
  { userId, locale }: Invocation,
  { guards, withdrawals }: Services,
  set?: MoneyGuards,
): Promise<Reply> => {
  const inForce = set ?? (await guards.find(userId));
  return guardsView({
    guards: inForce,
    savedKeys: await withdrawals.savedKeys({ userId }, ""),
    locale,
  });
};

/** A button that opens a form for the panel's owner. */
export const opens = (form: (ownerId: string, locale: Locale) => Modal): Action =>
  action({
    kind: "modal",
    answers: "new",
    parse: ownButton,
    run: (_, { userId, locale }) => form(userId, locale),
  });

/** A click or a form by which the panel's owner sets a guard; the panel then shows it. */
export const sets = <Input>(
  read: (input: ActionInput) => Input,
  set: (input: Input, invocation: Invocation, services: Services) => Promise<MoneyGuards>,
): Action =>
  action({
    kind: "write",
    answers: "update",
    parse: (input, invocation) => {
      ownButton(input, invocation);
      return read(input);
    },
    run: async (input, invocation, services) =>
      await panelReply(invocation, services, await set(input, invocation, services)),
  });
