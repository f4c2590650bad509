import type { Handle } from "./call.ts";
import { visibleChannel } from "./channel-access.ts";
import { invalidForm, invalidRecipient } from "./errors.ts";
import { shape, snowflake } from "./limits/checks.ts";
import { collectProblems } from "./limits/problems.ts";
import { BOT_INVITED } from "./permissions.ts";
import { renderChannel } from "./rendered.ts";
import { type ChannelState, type DiscordState, newChannel, type PersonState } from "./state.ts";

export const getChannel: Handle = (call, discord) => ({
  status: 200,
  body: renderChannel(discord.state, visibleChannel(call, discord)),
});

/** The direct channel of the bot and a person, made when there is none. */
export const directChannelOf = (state: DiscordState, actor: PersonState): ChannelState => {
  actor.directChannelId ??= state.newId();
  const channel =
    state.channels.get(actor.directChannelId) ??
    newChannel(actor.directChannelId, "Balcão", "", BOT_INVITED, actor.person.id);
  state.channels.set(channel.id, channel);
  return channel;
};

const recipient = shape({ recipient_id: snowflake }, ["recipient_id"]);

/** `POST /users/@me/channels`: the direct channel with a person, the same one each time. */
export const openDirectChannel: Handle = (call, { state }) => {
  const problems = collectProblems();
  recipient(call.body, [], problems);
  if (problems.count() > 0) throw invalidForm(problems.nested());
  const { recipient_id: personId } = call.body as { readonly recipient_id: string };
  const person = state.people.get(personId);
  if (person === undefined) throw invalidRecipient();
  return { status: 200, body: renderChannel(state, directChannelOf(state, person)) };
};
