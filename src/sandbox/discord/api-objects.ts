import { APPLICATION, GUILD, type SandboxPerson } from "../world.ts";
import { EVERYONE, personPermissions } from "./permissions.ts";
import type { ChannelState, DiscordState, StoredMessage } from "./state.ts";

/** Discord's JSON for the sandbox's objects. Shapes: Discord's OpenAPI description. */

/** When the bot and every person joined their guilds. */
export const JOINED_AT = "2025-01-06T12:00:00.000000+00:00";

const userFields = {
  discriminator: "0",
  avatar: null,
  public_flags: 0,
  flags: 0,
  banner: null,
  accent_color: null,
  avatar_decoration_data: null,
  collectibles: null,
  banner_color: null,
  clan: null,
  primary_guild: null,
};

export const botUser = {
  ...userFields,
  id: APPLICATION.id,
  username: APPLICATION.username,
  global_name: null,
  bot: true,
};

export const renderUser = (person: SandboxPerson) => ({
  ...userFields,
  id: person.id,
  username: person.username,
  global_name: person.displayName,
});

const memberFields = {
  avatar: null,
  banner: null,
  collectibles: null,
  communication_disabled_until: null,
  flags: 0,
  joined_at: JOINED_AT,
  nick: null,
  pending: false,
  premium_since: null,
  roles: [],
  unusual_dm_activity_until: null,
};

/** A member with permissions, as in an interaction's `resolved`. */
export const renderResolvedMember = (permissions: bigint): object => ({
  ...memberFields,
  permissions: String(permissions),
});

/** A member as REST and GUILD_CREATE show it. */
export const renderGuildMember = (user: object) => ({
  ...memberFields,
  user,
  deaf: false,
  mute: false,
});

/** The member who caused an interaction in a guild, with the permissions in its channel. */
export const renderMember = (
  person: SandboxPerson,
  { deniedToEveryone }: Pick<ChannelState, "deniedToEveryone">,
): object => ({
  ...renderGuildMember(renderUser(person)),
  permissions: String(personPermissions(person, deniedToEveryone)),
});

const overwrites = ({
  guildId,
  botPermissions,
  deniedToEveryone,
}: ChannelState): readonly object[] => [
  ...(deniedToEveryone === 0n
    ? []
    : [{ id: guildId, type: 0, allow: "0", deny: String(deniedToEveryone) }]),
  {
    id: APPLICATION.id,
    type: 1,
    allow: String(botPermissions & (~EVERYONE | deniedToEveryone)),
    deny: String(EVERYONE & ~botPermissions),
  },
];

const lastMessageId = (channel: ChannelState): string | null =>
  [...channel.messages.keys()].at(-1) ?? null;

export const renderChannel = (state: DiscordState, channel: ChannelState): object => {
  const recipient = state.people.get(channel.recipientId ?? "");
  const shared = { id: channel.id, last_message_id: lastMessageId(channel), flags: 0 };
  if (recipient !== undefined) {
    return { ...shared, type: 1, recipients: [renderUser(recipient.person)] };
  }
  return {
    ...shared,
    type: 0,
    guild_id: channel.guildId,
    name: channel.name,
    topic: channel.topic,
    position: [...state.channels.keys()].indexOf(channel.id),
    permission_overwrites: overwrites(channel),
    nsfw: false,
    parent_id: null,
    rate_limit_per_user: 0,
  };
};

const CHAT_INPUT_COMMAND = 20;

/** `withNonce`: true only in the answer to the POST that created the message. */
export const renderMessage = (
  state: DiscordState,
  message: StoredMessage,
  withNonce = false,
): object => {
  const users = message.mentionedUserIds.flatMap((id) => state.people.get(id)?.person ?? []);
  const asker = state.people.get(message.answers?.userId ?? "")?.person;
  const author = state.people.get(message.authorId)?.person;
  return {
    id: message.id,
    channel_id: message.channelId,
    type: message.answers?.commandName === undefined ? 0 : CHAT_INPUT_COMMAND,
    author: author === undefined ? botUser : renderUser(author),
    content: message.content,
    embeds: message.embeds.map((embed) => ({ type: "rich", ...embed })),
    components: message.components,
    attachments: message.attachments,
    flags: message.flags,
    timestamp: message.createdAt.toString(),
    edited_timestamp: message.editedAt?.toString() ?? null,
    mentions: users.map(renderUser),
    mention_roles: message.mentionedRoleIds,
    mention_everyone: message.mentionsEveryone,
    pinned: false,
    tts: false,
    ...(withNonce && message.nonce !== undefined ? { nonce: message.nonce } : {}),
    ...(asker === undefined
      ? {}
      : {
          application_id: APPLICATION.id,
          webhook_id: APPLICATION.id,
          interaction_metadata: {
            id: message.answers?.interactionId,
            type: message.answers?.commandName === undefined ? 3 : 2,
            user: renderUser(asker),
            authorizing_integration_owners: { 0: GUILD.id },
          },
        }),
  };
};
