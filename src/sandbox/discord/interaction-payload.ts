import { APPLICATION, GUILD } from "../world.ts";
import type { InteractionState } from "./interactions.ts";
import { EVERYONE } from "./permissions.ts";
import { renderChannel, renderMember, renderUser } from "./rendered.ts";
import type { ChannelState, DiscordState, PersonState } from "./state.ts";

const CONTEXT = { GUILD: 0, BOT_DM: 1 } as const;
const MOST_ATTACHMENT_BYTES = 10 * 1_024 * 1_024;

/** What only interactions in a guild carry, and what only those in direct messages do. */
const placeOf = (actor: PersonState, channel: ChannelState): object => {
  if (channel.recipientId !== undefined) {
    return {
      user: renderUser(actor.person),
      context: CONTEXT.BOT_DM,
      authorizing_integration_owners: { 0: "0" },
      app_permissions: String(EVERYONE),
    };
  }
  return {
    guild_id: channel.guildId,
    guild: { id: channel.guildId, locale: GUILD.locale, features: [] },
    guild_locale: GUILD.locale,
    member: renderMember(actor.person),
    context: CONTEXT.GUILD,
    authorizing_integration_owners: { 0: channel.guildId },
    app_permissions: String(channel.botPermissions),
  };
};

/** INTERACTION_CREATE as the gateway sends it. `message`: the one whose component was used. */
export const interactionPayload = (
  state: DiscordState,
  interaction: InteractionState,
  actor: PersonState,
  channel: ChannelState,
  data: object,
  message?: object,
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
  ...(message === undefined ? {} : { message }),
});
