import { ApplicationCommandType } from "discord-api-types/v10";
import { act, asShown, failed } from "./act.ts";
import type { Discord } from "./call.ts";
import { commandData } from "./command-data.ts";
import type { CommandInput } from "./person.ts";
import type { Outcome } from "./interactions.ts";
import { INTERACTION } from "./interactions.ts";
import { mayUse, worksInDirectMessages } from "./offered.ts";
import type { Choice, Shown } from "./shown.ts";
import type { PersonState } from "./state.ts";

const send = async (
  discord: Discord,
  actor: PersonState,
  input: CommandInput,
  focused: string | undefined,
): Promise<Outcome> => {
  const { state } = discord;
  const channel = state.channels.get(input.channelId);
  const command = [...state.commands.values()].find(
    ({ name, type }) => name === input.name && type === ApplicationCommandType.ChatInput,
  );
  if (command === undefined) return failed("unknown_command", `/${input.name} is not registered`);
  if (channel === undefined) return failed("unknown_command", "there is no such channel");
  if (channel.recipientId === undefined) {
    if (!state.botInGuild || !actor.inGuild)
      return failed("unknown_command", "the bot and the person are not both in the guild");
    if (!mayUse(command, actor)) return failed("not_permitted");
  } else if (channel.recipientId !== actor.person.id || !worksInDirectMessages(command)) {
    return failed("unknown_command", `/${input.name} is not offered there`);
  }
  const built = commandData(state, {
    command,
    subcommand: input.subcommand,
    options: input.options ?? {},
    focused,
    personId: actor.person.id,
  });
  if ("refused" in built) return failed("invalid_input", built.refused);
  return await act(discord, {
    actor,
    channel,
    data: built.data,
    interaction: {
      kind: focused === undefined ? INTERACTION.COMMAND : INTERACTION.AUTOCOMPLETE,
      commandName: built.title,
      source: undefined,
      modalId: undefined,
    },
  });
};

export const actCommand = async (
  discord: Discord,
  actor: PersonState,
  input: CommandInput,
): Promise<Shown> => asShown(await send(discord, actor, input, undefined));

/** Suggestions for the option that is being typed; none when the bot is silent. */
export const actAutocomplete = async (
  discord: Discord,
  actor: PersonState,
  input: CommandInput & { readonly focused: string },
): Promise<readonly Choice[]> => {
  const outcome = await send(discord, actor, input, input.focused);
  return outcome.kind === "choices" ? outcome.choices : [];
};
