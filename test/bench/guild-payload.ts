const MARK = "@@@@@@";
const CHANNELS = 32;
const ROLES = 22;
const EMOJIS = 21;

/** Guild n has ids of its own, because caches are keyed by them. */
const id = (kind: number, index: number): string =>
  `11${MARK}${String(kind).padStart(2, "0")}${String(index).padStart(9, "0")}`;

export const guildId = (index: number): string =>
  id(1, 0).replace(MARK, String(index).padStart(MARK.length, "0"));

/** GUILD_CREATE data of about 26 KB: channels, roles, emojis and the bot's own member, like an ordinary guild. */
export const guildWriter = (botUserId: string): ((index: number) => string) => {
  const pieces = JSON.stringify(guild(botUserId)).split(MARK);
  return (index) => pieces.join(String(index).padStart(MARK.length, "0"));
};

const guild = (botUserId: string) => ({
  id: id(1, 0),
  name: "Loja de conteúdo digital",
  icon: null,
  splash: null,
  banner: null,
  description: null,
  owner_id: id(2, 0),
  region: "brazil",
  afk_channel_id: null,
  afk_timeout: 300,
  widget_enabled: false,
  widget_channel_id: null,
  verification_level: 2,
  default_message_notifications: 1,
  explicit_content_filter: 2,
  features: ["COMMUNITY", "NEWS", "WELCOME_SCREEN_ENABLED"],
  mfa_level: 0,
  application_id: null,
  system_channel_id: id(3, 0),
  system_channel_flags: 0,
  rules_channel_id: id(3, 1),
  public_updates_channel_id: id(3, 2),
  safety_alerts_channel_id: null,
  max_presences: null,
  max_members: 500_000,
  max_video_channel_users: 25,
  max_stage_video_channel_users: 50,
  vanity_url_code: null,
  premium_tier: 1,
  premium_subscription_count: 3,
  premium_progress_bar_enabled: false,
  preferred_locale: "pt-BR",
  nsfw: false,
  nsfw_level: 0,
  hub_type: null,
  joined_at: "2025-03-01T12:00:00.000000+00:00",
  large: false,
  unavailable: false,
  member_count: 240,
  voice_states: [],
  presences: [],
  threads: [],
  stage_instances: [],
  guild_scheduled_events: [],
  soundboard_sounds: [],
  stickers: [],
  members: [
    {
      user: { id: botUserId, username: "balcao", discriminator: "0000", avatar: null, bot: true },
      roles: [id(4, 1)],
      joined_at: "2025-03-01T12:00:00.000000+00:00",
      nick: null,
      avatar: null,
      deaf: false,
      mute: false,
      flags: 0,
      pending: false,
      communication_disabled_until: null,
      premium_since: null,
    },
  ],
  roles: Array.from({ length: ROLES }, (_, index) => role(index)),
  emojis: Array.from({ length: EMOJIS }, (_, index) => ({
    id: id(5, index),
    name: `emoji_da_loja_${index}`,
    roles: [],
    require_colons: true,
    managed: false,
    animated: index % 3 === 0,
    available: true,
  })),
  channels: Array.from({ length: CHANNELS }, (_, index) => channel(index)),
});

const role = (index: number) => ({
  id: index === 0 ? id(1, 0) : id(4, index),
  name: index === 0 ? "@everyone" : `Cargo número ${index}`,
  description: null,
  permissions: "2248473465835073",
  position: index,
  color: 3_447_003,
  colors: { primary_color: 3_447_003, secondary_color: null, tertiary_color: null },
  hoist: index % 2 === 0,
  managed: false,
  mentionable: index % 3 === 0,
  icon: null,
  unicode_emoji: null,
  flags: 0,
});

const channel = (index: number) => ({
  id: id(3, index),
  type: index % 8 === 7 ? 2 : 0,
  name: `canal-da-loja-${index}`,
  topic:
    index % 4 === 0 ? "Assuntos da loja, dúvidas e avisos de quem vende e de quem compra" : null,
  position: index,
  parent_id: null,
  last_message_id: id(6, index),
  last_pin_timestamp: null,
  nsfw: false,
  flags: 0,
  rate_limit_per_user: 0,
  permission_overwrites: Array.from({ length: 3 }, (_, role) => ({
    id: role === 0 ? id(1, 0) : id(4, role),
    type: 0,
    allow: "1024",
    deny: "2048",
  })),
});
