import { ApplicationCommandType } from "discord-api-types/v10";
import { act, asShown, failed } from "./act.ts";
import type { Discord } from "./call.ts";
import { INTERACTION } from "./interactions.ts";
import { messageSeenBy } from "./messages.ts";
import { mayUse } from "./offered.ts";
import { renderMessage } from "./rendered.ts";
import type { Shown } from "./shown.ts";
import type { PersonState } from "./state.ts";

/** Chooses a command in the menu of a message that this person sees in a channel of the guild. */
export const actMessageCommand = async (
  discord: Discord,
  actor: PersonState,
  messageId: string,
  name: string,
): Promise<Shown> => {
  const { state } = discord;
  const message = messageSeenBy(state, actor.person.id, messageId);
  const channel = state.channels.get(message?.channelId ?? "");
  const command = [...state.commands.values()].find(
    (each) => each.name === name && each.type === ApplicationCommandType.Message,
  );
  if (message === undefined || channel === undefined || message.thinking)
    return failed("unknown_component", `no message ${messageId}`);
  if (command === undefined || channel.recipientId !== undefined || !state.botInGuild)
    return failed("unknown_command", `${name} is not offered there`);
  if (!mayUse(command, actor)) return failed("not_permitted");
  const outcome = await act(discord, {
    actor,
    channel,
    data: {
      id: command.id,
      name: command.name,
      type: ApplicationCommandType.Message,
      target_id: message.id,
      resolved: { messages: { [message.id]: renderMessage(state, message) } },
    },
    interaction: {
      kind: INTERACTION.COMMAND,
      commandName: command.name,
      source: undefined,
      modalId: undefined,
    },
  });
  return asShown(outcome);
};
