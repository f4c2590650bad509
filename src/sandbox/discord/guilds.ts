import { APPLICATION, GUILD, ROLES } from "../world.ts";
import { BOT_INVITED, EVERYONE } from "./permissions.ts";
import { botUser, JOINED_AT, renderChannel, renderGuildMember, renderUser } from "./api-objects.ts";
import type { DiscordState } from "./state.ts";

/** Extra guilds have consecutive ids from here on, which spread them evenly over shards. */
const FIRST_EXTRA_ID = 1_190_000_000_000_000_000n;
const ID_STEP = 1n << 22n;

/** Ids of the guilds beyond the main guild. They exist only to test shards and load. */
export const extraGuildIds = (guildCount: number): string[] =>
  Array.from({ length: Math.max(0, guildCount - 1) }, (_, index) =>
    String(FIRST_EXTRA_ID + BigInt(index) * ID_STEP),
  );

const nameOf = (id: string): string => (id === GUILD.id ? GUILD.name : `Guild ${id}`);

/** The shard that receives a guild's events. Source: Discord's reference, "Sharding". */
export const shardOf = (guildId: string, shardCount: number): number =>
  Number((BigInt(guildId) >> 22n) % BigInt(shardCount));

const role = (
  id: string,
  name: string,
  position: number,
  permissions: bigint,
  mentionable = false,
) => ({
  id,
  name,
  position,
  permissions: String(permissions),
  color: 0,
  colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
  hoist: false,
  icon: null,
  unicode_emoji: null,
  managed: false,
  mentionable,
  flags: 0,
});

const guildFields = (id: string, name: string) => ({
  id,
  name,
  icon: null,
  splash: null,
  discovery_splash: null,
  banner: null,
  description: null,
  owner_id: id,
  afk_channel_id: null,
  afk_timeout: 300,
  application_id: null,
  default_message_notifications: 1,
  explicit_content_filter: 0,
  emojis: [],
  features: GUILD.features,
  mfa_level: 0,
  nsfw: false,
  nsfw_level: 0,
  preferred_locale: GUILD.locale,
  premium_subscription_count: 0,
  premium_tier: 0,
  premium_progress_bar_enabled: false,
  public_updates_channel_id: null,
  rules_channel_id: null,
  safety_alerts_channel_id: null,
  system_channel_flags: 0,
  system_channel_id: null,
  vanity_url_code: null,
  verification_level: 1,
  joined_at: JOINED_AT,
  large: false,
  unavailable: false,
  stickers: [],
  stage_instances: [],
  guild_scheduled_events: [],
  soundboard_sounds: [],
  threads: [],
  presences: [],
  voice_states: [],
});

const innerId = (id: string, index: number): string => String(BigInt(id) + BigInt(index + 1));

const ROLES_OF_EXTRA = 25;

export const rolesOf = (id: string) => [
  role(id, "@everyone", 0, EVERYONE),
  ...(id === GUILD.id
    ? Object.values(ROLES).map((each, index) => role(each.id, each.name, index + 1, 0n, true))
    : Array.from({ length: ROLES_OF_EXTRA }, (_, index) =>
        role(innerId(id, index), `Role ${index}`, index + 1, EVERYONE),
      )),
];

/** A guild, as REST shows it. */
export const renderGuild = (id: string): object => {
  const { joined_at: _joined, large: _large, ...fields } = guildFields(id, nameOf(id));
  return { ...fields, roles: rolesOf(id) };
};

const channelsOf = (state: DiscordState, id: string): readonly object[] =>
  [...state.channels.values()]
    .filter(({ recipientId, guildId }) => recipientId === undefined && guildId === id)
    .map((channel) => renderChannel(state, channel));

/** GUILD_CREATE of the main guild. */
export const mainGuild = (state: DiscordState): object => {
  const people = [...state.people.values()].filter(({ guildIds }) => guildIds.has(GUILD.id));
  const users = [botUser, ...people.map(({ person }) => renderUser(person))];
  const members = users.map((user) => renderGuildMember(user));
  return {
    ...guildFields(GUILD.id, GUILD.name),
    roles: rolesOf(GUILD.id),
    channels: channelsOf(state, GUILD.id),
    members,
    member_count: members.length,
  };
};

const CHANNELS_OF_EXTRA = 60;

/** GUILD_CREATE of an extra guild: about 26 KB, the size of an average real guild, without added channels. */
export const extraGuild = (state: DiscordState, id: string): object => ({
  ...guildFields(id, nameOf(id)),
  roles: rolesOf(id),
  channels: [
    ...Array.from({ length: CHANNELS_OF_EXTRA }, (_, index) => ({
      id: innerId(id, 1_000 + index),
      type: 0,
      guild_id: id,
      name: `channel-${index}`,
      topic: `What people speak of in channel ${index}`,
      position: index,
      permission_overwrites: [
        { id: APPLICATION.id, type: 1, allow: String(BOT_INVITED), deny: "0" },
      ],
      nsfw: false,
      parent_id: null,
      rate_limit_per_user: 0,
      last_message_id: null,
      flags: 0,
    })),
    ...channelsOf(state, id),
  ],
  members: [renderGuildMember(botUser)],
  member_count: 250,
});
