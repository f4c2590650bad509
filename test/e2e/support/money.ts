import { READING_MS } from "#src/withdrawals/withdraw-draft.service.ts";
import type { ActionResult, StoredMessage } from "#src/sandbox/discord/state.ts";
import { ANA } from "#src/sandbox/world.ts";
import { formOf, isAlert, messageOf, type Stage, type } from "./stage.ts";

export const ANAS_KEY = "ana.loja@example.com";

export const customIdsOf = (message: StoredMessage): readonly string[] =>
  message.components.flatMap((row) =>
    "components" in row
      ? row.components.flatMap((part) => ("custom_id" in part ? [part.custom_id] : []))
      : [],
  );

export const partWith = (message: StoredMessage, prefix: string): string => {
  const found = customIdsOf(message).find((id) => id.startsWith(prefix));
  if (found === undefined)
    throw new Error(
      `No ${prefix} among ${customIdsOf(message).join(", ")}: ${JSON.stringify(message.embeds)}`,
    );
  return found;
};

export const has = (message: StoredMessage, prefix: string): boolean =>
  customIdsOf(message).some((id) => id.startsWith(prefix));

/** Drives the money commands, as Ana by default. */
export const createMoneyDriver = (stage: Pick<Stage, "sandbox">, userId: string = ANA.id) => {
  const person = stage.sandbox.discord.person(userId);
  const command = (typed: string, options: Readonly<Record<string, string>> = {}) =>
    type(person, typed, options);
  const ask = async (options: Readonly<Record<string, string>>): Promise<StoredMessage> =>
    messageOf(await command("saque", { valor: "50", chave: ANAS_KEY, ...options }));
  /** Reads it first: what is asked is not answered at once. */
  const press = (message: StoredMessage, prefix: string): Promise<ActionResult> => {
    stage.sandbox.clock.moveBy(READING_MS);
    return person.click(message.id, partWith(message, prefix));
  };

  /** Presses a button that opens a form, and fills it in. */
  const fill = async (
    message: StoredMessage,
    prefix: string,
    fields: Readonly<Record<string, string>>,
  ): Promise<ActionResult> =>
    await person.submitModal(formOf(await press(message, prefix)), fields);

  /** Confirms until no question is left; gives the last message. */
  const confirm = async (message: StoredMessage): Promise<StoredMessage> => {
    let shown = message;
    for (let times = 0; times < 3 && has(shown, "saque:confirmar:"); times++)
      shown = messageOf(await press(shown, "saque:confirmar:"));
    return shown;
  };

  return {
    person,
    command,
    press,
    fill,
    confirm,
    ask,
    withdraw: async (options: Readonly<Record<string, string>> = {}) =>
      await confirm(await ask(options)),
    directMessages: () =>
      stage.sandbox.discord.directMessages(userId).filter((message) => !isAlert(message)),
    /** The message in its current form, after edits. */
    again: (message: StoredMessage): StoredMessage => {
      const { channels, directMessages } = stage.sandbox.discord.visibleTo(userId);
      const found = [...channels, ...(directMessages === undefined ? [] : [directMessages])]
        .flatMap(({ messages }) => messages)
        .find(({ id }) => id === message.id);
      if (found === undefined) throw new Error("The message is gone");
      return found;
    },
  };
};

export type MoneyDriver = ReturnType<typeof createMoneyDriver>;
