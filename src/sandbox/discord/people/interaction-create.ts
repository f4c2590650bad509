import { ApplicationCommandOptionType, InteractionContextType } from "discord-api-types/v10";
import type { Discord } from "../rest/call.ts";
import type { InteractionState, NewInteraction, Outcome } from "../interactions.ts";
import type {
  ChannelState,
  DiscordState,
  PersonState,
  ActionResult,
  ActionFailure,
} from "../state.ts";
import { APPLICATION, GUILD } from "../../world.ts";
import { rolesOf } from "../guilds.ts";
import { currentMessage } from "../messages.ts";
import { BOT_INVITED, EVERYONE, personPermissions } from "../permissions.ts";
import {
  botUser,
  renderChannel,
  renderMember,
  renderMessage,
  renderResolvedMember,
  renderUser,
} from "../api-objects.ts";
import { MOST_ATTACHMENT_BYTES } from "../limits/message.ts";

export const failed = (reason: ActionFailure, detail?: string): ActionResult => ({
  kind: "failed",
  reason,
  ...(detail === undefined ? {} : { detail }),
});

/** A person's action, ready to be sent to the bot. */
interface PersonAction {
  readonly actor: PersonState;
  readonly channel: ChannelState;
  readonly interaction: Omit<NewInteraction, "personId" | "channelId">;
  readonly data: object;
}

/** Sends an interaction to the bot and waits for its outcome. */
export const sendInteraction = async (discord: Discord, given: PersonAction): Promise<Outcome> => {
  const { state, interactions, gateway } = discord;
  const { actor, channel, data } = given;
  const { interaction, outcome } = interactions.open({
    ...given.interaction,
    personId: actor.person.id,
    channelId: channel.id,
  });
  const payload = interactionPayload(state, interaction, actor, channel, data);
  const guildId = channel.recipientId === undefined ? channel.guildId : undefined;
  const delivered = gateway.dispatch(guildId, 0, "INTERACTION_CREATE", payload);
  if (!delivered) interactions.settle(interaction, failed("offline"));
  return await outcome;
};

/** Narrows the outcome of an interaction that is not an autocomplete. */
export const asActionResult = (outcome: Outcome): ActionResult =>
  outcome.kind === "choices" ? failed("no_answer", "suggestions where an answer belongs") : outcome;

/** The fields that differ between interactions in a guild and in direct messages. */
const placeOf = (actor: PersonState, channel: ChannelState): object => {
  if (channel.recipientId !== undefined) {
    return {
      user: renderUser(actor.person),
      context: InteractionContextType.BotDM,
      authorizing_integration_owners: { 0: "0" },
      app_permissions: String(EVERYONE),
    };
  }
  return {
    guild_id: channel.guildId,
    guild: { id: channel.guildId, locale: GUILD.locale, features: GUILD.features },
    guild_locale: GUILD.locale,
    member: renderMember(actor.person, channel),
    context: InteractionContextType.Guild,
    authorizing_integration_owners: { 0: channel.guildId },
    app_permissions: String(channel.botPermissions),
  };
};

/** INTERACTION_CREATE as the gateway sends it. */
const interactionPayload = (
  state: DiscordState,
  interaction: InteractionState,
  actor: PersonState,
  channel: ChannelState,
  data: object,
): object => ({
  id: interaction.id,
  application_id: APPLICATION.id,
  type: interaction.kind,
  token: interaction.token,
  version: 1,
  data,
  channel_id: channel.id,
  channel: renderChannel(state, channel),
  locale: actor.locale,
  entitlements: [],
  attachment_size_limit: MOST_ATTACHMENT_BYTES,
  ...placeOf(actor, channel),
  ...(interaction.source && {
    message: renderMessage(state, currentMessage(state, interaction.source)),
  }),
});

/** Who chose the ids, in which guild. */
export interface Place {
  readonly personId: string;
  readonly guildId: string;
}

/** Users, members, channels and roles by id, as interactions carry them in `resolved`. */
interface Resolved {
  users?: Record<string, object>;
  members?: Record<string, object>;
  channels?: Record<string, object>;
  roles?: Record<string, object>;
}

const addUser = (draft: Resolved, state: DiscordState, id: string, place: Place): boolean => {
  const { person, guildIds } = state.people.get(id) ?? {};
  if (person === undefined && id !== APPLICATION.id) return false;
  const permissions = person === undefined ? BOT_INVITED : personPermissions(person);
  draft.users = { ...draft.users, [id]: person === undefined ? botUser : renderUser(person) };
  // Discord takes the id of a user outside of the guild too.
  const isMember = guildIds === undefined || guildIds.has(place.guildId);
  if (isMember) draft.members = { ...draft.members, [id]: renderResolvedMember(permissions) };
  return true;
};

const addChannel = (draft: Resolved, state: DiscordState, id: string, place: Place): boolean => {
  const channel = state.channels.get(id);
  const person = state.people.get(place.personId)?.person;
  if (channel === undefined || channel.recipientId !== undefined || person === undefined)
    return false;
  if (channel.guildId !== place.guildId) return false;
  draft.channels = {
    ...draft.channels,
    [id]: {
      id,
      name: channel.name,
      type: 0,
      guild_id: channel.guildId,
      parent_id: null,
      topic: channel.topic,
      nsfw: false,
      flags: 0,
      position: 0,
      rate_limit_per_user: 0,
      last_message_id: null,
      permissions: String(personPermissions(person, channel.deniedToEveryone)),
      app_permissions: String(channel.botPermissions),
    },
  };
  return true;
};

const addRole = (draft: Resolved, id: string, { guildId }: Place): boolean => {
  const role = rolesOf(guildId).find((each) => each.id === id);
  if (role === undefined) return false;
  draft.roles = { ...draft.roles, [id]: role };
  return true;
};

/** Adds the object with this id. Returns false for an unknown id. */
const add = (
  draft: Resolved,
  state: DiscordState,
  type: ApplicationCommandOptionType,
  id: string,
  place: Place,
): boolean => {
  if (type === ApplicationCommandOptionType.User) return addUser(draft, state, id, place);
  if (type === ApplicationCommandOptionType.Channel) return addChannel(draft, state, id, place);
  if (type === ApplicationCommandOptionType.Role) return addRole(draft, id, place);
  return true;
};

/** Looks up the objects of all ids among these values; refuses unknown ids, and channels and roles of another guild. */
export const resolveIds = (
  state: DiscordState,
  values: readonly { readonly type: ApplicationCommandOptionType; readonly value?: unknown }[],
  place: Place,
): { readonly resolved?: Resolved } | { readonly refused: string } => {
  const draft: Resolved = {};
  for (const { type, value } of values) {
    if (add(draft, state, type, String(value), place)) continue;
    return { refused: `nothing of that kind has the id ${String(value)}` };
  }
  return Object.keys(draft).length === 0 ? {} : { resolved: draft };
};
