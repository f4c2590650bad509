import type { Handle } from "./call.ts";
import { visibleChannel } from "./channel-access.ts";
import { invalidForm, invalidRecipient } from "./errors.ts";
import { shape, snowflake } from "./limits/checks.ts";
import { collectProblems } from "./limits/problems.ts";
import { BOT_INVITED } from "./permissions.ts";
import { renderChannel } from "./rendered.ts";
import { newChannel } from "./state.ts";

export const getChannel: Handle = (call, discord) => ({
  status: 200,
  body: renderChannel(discord.state, visibleChannel(call, discord)),
});

const recipient = shape({ recipient_id: snowflake }, ["recipient_id"]);

/** `POST /users/@me/channels`: the direct channel with a person, the same one each time. */
export const openDirectChannel: Handle = (call, { state }) => {
  const problems = collectProblems();
  recipient(call.body, [], problems);
  if (problems.count() > 0) throw invalidForm(problems.nested());
  const { recipient_id: personId } = call.body as { readonly recipient_id: string };
  const person = state.people.get(personId);
  if (person === undefined) throw invalidRecipient();
  person.directChannelId ??= state.newId();
  const existing = state.channels.get(person.directChannelId);
  const channel =
    existing ?? newChannel(person.directChannelId, "Balcão", "", BOT_INVITED, personId);
  state.channels.set(channel.id, channel);
  return { status: 200, body: renderChannel(state, channel) };
};
