import { CHANNEL_ID, COMMAND_ID, guildId, userId, type BenchBot } from "./bench-world.ts";

const DISCORD_EPOCH_MS = 1_420_070_400_000;
const ID_MARK = "@id@";
const TOKEN_MARK = "@token@";
const USER_MARK = "@user@";
const GUILD_MARK = "@guild@";
const TOKEN_PADDING = "a".repeat(160);

/** The token carries the interaction's id, so that an edit can be matched to its interaction. */
const interactionToken = (id: string): string => `${id}${TOKEN_PADDING}`;
export const idOfToken = (token: string): string =>
  token.slice(0, token.length - TOKEN_PADDING.length);

export const snowflake = (nowMs: number, sequence: number): string =>
  ((BigInt(Math.floor(nowMs) - DISCORD_EPOCH_MS) << 22n) | BigInt(sequence & 0x3fffff)).toString();

/** Builds `/vendas` events of one bot by joining prepared pieces. */
export const interactionWriter = (bot: BenchBot): ((id: string, userIndex: number) => string) => {
  const pieces = JSON.stringify(interaction(bot)).split(/(@[a-z]+@)/);
  return (id, userIndex) => {
    const values: Readonly<Record<string, string>> = {
      [ID_MARK]: id,
      [TOKEN_MARK]: interactionToken(id),
      [USER_MARK]: userId(userIndex),
      [GUILD_MARK]: guildId(userIndex),
    };
    return pieces.map((piece) => values[piece] ?? piece).join("");
  };
};

/** A slash command typed in a guild. */
const interaction = ({ applicationId }: BenchBot) => ({
  id: ID_MARK,
  token: TOKEN_MARK,
  member: {
    user: {
      id: USER_MARK,
      username: "vendedor",
      global_name: "Vendedor",
      avatar: null,
      discriminator: "0",
      public_flags: 0,
      avatar_decoration_data: null,
      primary_guild: null,
      collectibles: null,
    },
    roles: ["1190000000000000401", "1190000000000000402"],
    permissions: "2248473465835073",
    joined_at: "2025-03-01T12:00:00.000000+00:00",
    nick: null,
    avatar: null,
    banner: null,
    premium_since: null,
    communication_disabled_until: null,
    flags: 0,
    pending: false,
    deaf: false,
    mute: false,
    unusual_dm_activity_until: null,
  },
  application_id: applicationId,
  type: 2,
  version: 1,
  guild_id: GUILD_MARK,
  guild: { id: GUILD_MARK, locale: "pt-BR", features: ["COMMUNITY", "NEWS"] },
  guild_locale: "pt-BR",
  locale: "pt-BR",
  channel_id: CHANNEL_ID,
  channel: {
    id: CHANNEL_ID,
    guild_id: GUILD_MARK,
    type: 0,
    name: "vendas",
    topic: null,
    position: 3,
    parent_id: null,
    last_message_id: "1190000000000000999",
    nsfw: false,
    flags: 0,
    rate_limit_per_user: 0,
    permissions: "2248473465835073",
  },
  app_permissions: "84992",
  entitlements: [],
  entitlement_sku_ids: [],
  authorizing_integration_owners: { "0": GUILD_MARK },
  context: 0,
  attachment_size_limit: 10_485_760,
  data: { id: COMMAND_ID, name: "vendas", type: 1 },
});

/** The wallet's sales report; `date` is echoed from the query. */
export const salesReport = (date: string): string =>
  `{"success":true,"date":"${date}","userId":"${userId(0)}","summary":{"totalSales":777,"totalFees":46.62,"totalNet":730.38},"breakdown":{"api":{"count":4,"totalSales":598,"totalFees":35.88,"totalNet":562.12},"esales":{"count":2,"totalSales":179,"totalFees":10.74,"totalNet":168.26}}}`;

const NO_DISPUTES = `{"success":true,"summary":{"byStatus":{"pending":0,"agreed":0,"disagreed":0,"canceled":0,"total":0},"byAnalysis":{"pending":0,"accepted":0,"rejected":0},"amounts":{"currentlyFrozen":0,"totalLost":0}}}`;

/** Background answers for an account without news; undefined for the routes that commands use. */
export const quietAnswer = (path: string): string | undefined => {
  const route = path.replace(/\?.*/, "");
  if (route === "/v1/meds/summary") return NO_DISPUTES;
  if (route === "/v1/meds") return '{"success":true,"meds":[]}';
  return route === "/v1/withdrawals" ? '{"success":true,"withdrawals":[]}' : undefined;
};

/** The body with which Discord answers POST and PATCH of a message. */
export const message = (bot: BenchBot, id: string, channelId: string): string =>
  `{"id":"${id}","type":0,"content":"","channel_id":"${channelId}","author":{"id":"${bot.applicationId}","username":"balcao","discriminator":"0000","global_name":null,"avatar":null,"bot":true,"public_flags":0},"attachments":[],"embeds":[],"mentions":[],"mention_roles":[],"pinned":false,"mention_everyone":false,"tts":false,"timestamp":"2026-11-18T12:00:00.000000+00:00","edited_timestamp":null,"flags":64,"components":[]}`;
