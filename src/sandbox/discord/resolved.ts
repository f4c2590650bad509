import { APPLICATION, GUILD, ROLES } from "../world.ts";
import { OPTION } from "./limits/command-options.ts";
import { BOT_INVITED, EVERYONE, personPermissions } from "./permissions.ts";
import { botUser, renderResolvedMember, renderUser } from "./rendered.ts";
import type { DiscordState } from "./state.ts";

/** Users, members, channels and roles that ids in an interaction stand for. */
export type Resolved = Readonly<Record<string, Readonly<Record<string, object>>>>;

const ROLE_NAMES: ReadonlyMap<string, string> = new Map(
  Object.values(ROLES).map(({ id, name }) => [id, name]),
);

interface Draft {
  users?: Record<string, object>;
  members?: Record<string, object>;
  channels?: Record<string, object>;
  roles?: Record<string, object>;
}

const addUser = (draft: Draft, state: DiscordState, id: string): boolean => {
  const person = state.people.get(id)?.person;
  if (person === undefined && id !== APPLICATION.id) return false;
  const permissions = person === undefined ? BOT_INVITED : personPermissions(person);
  draft.users = { ...draft.users, [id]: person === undefined ? botUser : renderUser(person) };
  draft.members = { ...draft.members, [id]: renderResolvedMember(permissions) };
  return true;
};

const addChannel = (draft: Draft, state: DiscordState, id: string, personId: string): boolean => {
  const channel = state.channels.get(id);
  const person = state.people.get(personId)?.person;
  if (channel === undefined || channel.recipientId !== undefined || person === undefined)
    return false;
  draft.channels = {
    ...draft.channels,
    [id]: {
      id,
      name: channel.name,
      type: 0,
      guild_id: GUILD.id,
      parent_id: null,
      topic: channel.topic,
      nsfw: false,
      flags: 0,
      position: 0,
      rate_limit_per_user: 0,
      last_message_id: null,
      permissions: String(personPermissions(person)),
      app_permissions: String(channel.botPermissions),
    },
  };
  return true;
};

const addRole = (draft: Draft, id: string): boolean => {
  const isEverybody = id === GUILD.id;
  const name = isEverybody ? "@everyone" : ROLE_NAMES.get(id);
  if (name === undefined) return false;
  const permissions = isEverybody ? String(EVERYONE) : "0";
  const position = isEverybody ? 0 : 1;
  draft.roles = { ...draft.roles, [id]: { id, name, position, permissions, color: 0 } };
  return true;
};

/** Adds what one id stands for. False: nothing of that kind has this id. */
const add = (
  draft: Draft,
  state: DiscordState,
  type: number,
  id: string,
  personId: string,
): boolean => {
  switch (type) {
    case OPTION.USER:
      return addUser(draft, state, id);
    case OPTION.CHANNEL:
      return addChannel(draft, state, id, personId);
    case OPTION.ROLE:
      return addRole(draft, id);
    case OPTION.MENTIONABLE:
      return addUser(draft, state, id) || addRole(draft, id);
    default:
      return true;
  }
};

/** What the ids among these values stand for; refused when one stands for nothing. */
export const resolveIds = (
  state: DiscordState,
  values: readonly { readonly type: number; readonly value?: unknown }[],
  personId: string,
): { readonly resolved: Resolved } | { readonly refused: string } => {
  const draft: Draft = {};
  for (const { type, value } of values) {
    if (add(draft, state, type, String(value), personId)) continue;
    return { refused: `nothing of that kind has the id ${String(value)}` };
  }
  return { resolved: { ...draft } };
};
