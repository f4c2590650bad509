import { APPLICATION, CARLA, GUILD } from "../../world.ts";
import { type Call, type Handle, param } from "./call.ts";
import {
  missingAccess,
  refuseProblems,
  unknownGuild,
  unknownMember,
  unknownUser,
} from "../api-errors.ts";
import { extraGuildIds, renderGuild } from "../guilds.ts";
import { BOT_INVITED } from "../permissions.ts";
import { gatewayUrl } from "../state.ts";
import { botUser, renderGuildMember, renderUser } from "../api-objects.ts";
import { compareIds } from "../snowflake.ts";
import { type CommandDefinition, renderCommand } from "../command-registry.ts";
import { checkCommand, checkCommands } from "../limits/commands.ts";

export const getMe: Handle = () => ({
  status: 200,
  body: { ...botUser, bio: "", mfa_enabled: false, verified: true, locale: "pt-BR", email: null },
});

/** `GET /users/{id}`. */
export const getUser: Handle = (call, { state }) => {
  const id = param(call, "id");
  const person = state.people.get(id)?.person;
  if (person === undefined && id !== APPLICATION.id) throw unknownUser();
  return { status: 200, body: person === undefined ? botUser : renderUser(person) };
};

export const getApplication: Handle = (_call, { gateway }) => ({
  status: 200,
  body: {
    id: APPLICATION.id,
    name: APPLICATION.name,
    icon: null,
    description: "",
    summary: "",
    type: null,
    bot: botUser,
    bot_public: true,
    bot_require_code_grant: false,
    verify_key: "0".repeat(64),
    flags: 0,
    flags_new: "0",
    team: null,
    owner: renderUser(CARLA),
    approximate_guild_count: gateway.guildCount,
    approximate_user_install_count: 0,
    approximate_user_authorization_count: 0,
    explicit_content_filter: 0,
    eligible_oauth2_scopes: [],
    role_connections_verification_url: null,
    integration_types_config: { 0: {} },
    interactions_endpoint_url: null,
    redirect_uris: [],
  },
});

const MOST_GUILDS = 200;

/** `GET /users/@me/guilds`: sorted by id, at most `limit` (200), `after` or `before` an id. */
export const getGuilds: Handle = ({ query }, { gateway }) => {
  const ids = [GUILD.id, ...extraGuildIds(gateway.guildCount)];
  const after = query.get("after");
  const before = query.get("before");
  const limit = Math.min(Number(query.get("limit") ?? MOST_GUILDS), MOST_GUILDS);
  const page = ids
    .sort(compareIds)
    .filter((id) => after === null || compareIds(id, after) > 0)
    .filter((id) => before === null || compareIds(id, before) < 0);
  return {
    status: 200,
    body: (before === null ? page.slice(0, limit) : page.slice(-limit)).map((id) => ({
      id,
      name: id === GUILD.id ? GUILD.name : `Guild ${id}`,
      icon: null,
      banner: null,
      owner: false,
      permissions: String(BOT_INVITED),
      features: [],
    })),
  };
};

/** @throws ApiError 10004 for another guild than the main one. */
const requireGuild = (call: Call): void => {
  if (param(call, "id") !== GUILD.id) throw unknownGuild();
};

/** `GET /guilds/{id}`: only the main guild. */
export const getGuild: Handle = (call) => {
  requireGuild(call);
  return { status: 200, body: renderGuild() };
};

/** `GET /guilds/{id}/members/{user}`: requires no intent. */
export const getMember: Handle = (call, { state }) => {
  requireGuild(call);
  const found = state.people.get(param(call, "user"));
  if (found === undefined) throw unknownUser();
  if (!found.guildIds.has(GUILD.id)) throw unknownMember();
  return { status: 200, body: renderGuildMember(renderUser(found.person)) };
};

/** `GET /gateway`: the gateway's address. */
export const getGateway: Handle = (_call, { state }) => ({
  status: 200,
  body: { url: gatewayUrl(state) },
});

/** `GET /gateway/bot`: the gateway's address, the recommended shards and the remaining session starts. */
export const getGatewayBot: Handle = (_call, { state, gateway }) => ({
  status: 200,
  body: {
    url: gatewayUrl(state),
    shards: gateway.recommendedShards,
    session_start_limit: gateway.starts.limit(),
  },
});

const requireOwn = (call: Call): void => {
  if (param(call, "id") !== APPLICATION.id) throw missingAccess();
};

export const listCommands: Handle = (call, { state }) => {
  requireOwn(call);
  const localized = call.query.get("with_localizations") === "true";
  const commands = [...state.commands.values()];
  return { status: 200, body: commands.map((command) => renderCommand(command, localized)) };
};

export const putCommands: Handle = (call, { registry }) => {
  requireOwn(call);
  refuseProblems((problems) => checkCommands(call.body, problems));
  return { status: 200, body: registry.replaceAll(call.body as CommandDefinition[]) };
};

export const postCommand: Handle = (call, { registry }) => {
  requireOwn(call);
  refuseProblems((problems) => checkCommand(call.body, [], problems));
  const { command, created } = registry.put(call.body as CommandDefinition);
  return { status: created ? 201 : 200, body: command };
};

export const deleteCommand: Handle = (call, { registry }) => {
  requireOwn(call);
  registry.remove(param(call, "command"));
  return { status: 204 };
};
