import { APPLICATION, CARLA, GUILD } from "../../world.ts";
import { type Call, type Discord, type Handle, param } from "./call.ts";
import { checked, missingAccess, unknownGuild, unknownMember, unknownUser } from "../api-errors.ts";
import { extraGuildIds, renderGuild } from "../guilds.ts";
import { gatewayUrl } from "../state.ts";
import { botUser, renderGuildMember, renderUser } from "../api-objects.ts";
import { type CommandDefinition, renderCommand } from "../command-registry.ts";
import { commandList } from "../limits/commands.ts";

export const getMe: Handle = () => ({
  ...botUser,
  bio: "",
  mfa_enabled: false,
  verified: true,
  locale: "pt-BR",
  email: null,
});

export const getApplication: Handle = (_call, { gateway }) => ({
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
});

/** The guild of the path. @throws ApiError 10004 for one that the bot is not in. */
const guildIdOf = (call: Call, { gateway }: Discord): string => {
  const id = param(call, "id");
  if (id !== GUILD.id && !extraGuildIds(gateway.guildCount).includes(id)) throw unknownGuild();
  return id;
};

/** `GET /guilds/{id}`. */
export const getGuild: Handle = (call, discord) => renderGuild(guildIdOf(call, discord));

/** `GET /guilds/{id}/members/{user}`: requires no intent. */
export const getMember: Handle = (call, discord) => {
  const guildId = guildIdOf(call, discord);
  const found = discord.state.people.get(param(call, "user"));
  if (found === undefined) throw unknownUser();
  if (!found.guildIds.has(guildId)) throw unknownMember();
  return renderGuildMember(renderUser(found.person));
};

/** `GET /gateway`: the gateway's address. */
export const getGateway: Handle = (_call, { state }) => ({ url: gatewayUrl(state) });

/** `GET /gateway/bot`: the gateway's address, the recommended shards and the remaining session starts. */
export const getGatewayBot: Handle = (_call, { state, gateway }) => ({
  url: gatewayUrl(state),
  shards: gateway.recommendedShards,
  session_start_limit: gateway.starts.limit(),
});

const requireOwn = (call: Call): void => {
  if (param(call, "id") !== APPLICATION.id) throw missingAccess();
};

export const listCommands: Handle = (call, { state }) => {
  requireOwn(call);
  const localized = call.query.get("with_localizations") === "true";
  const commands = [...state.commands.values()];
  return commands.map((command) => renderCommand(command, localized));
};

export const putCommands: Handle = (call, { replaceCommands }) => {
  requireOwn(call);
  checked(commandList, call.body);
  return replaceCommands(call.body as CommandDefinition[]);
};
