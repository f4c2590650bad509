import { deleteCommand, listCommands, postCommand, putCommands } from "./application-commands.ts";
import type { Handle } from "./call.ts";
import { postCallback } from "./callbacks.ts";
import {
  getMessage,
  listMessages,
  patchMessage,
  postMessage,
  removeMessage,
} from "./channel-messages.ts";
import { getChannel, openDirectChannel } from "./channels.ts";
import { getGateway, getGatewayBot } from "./gateway-addresses.ts";
import { getApplication, getGuild, getGuilds, getMe, getMember, getUser } from "./identity.ts";
import { deleteAnswer, getAnswer, patchAnswer, postFollowup } from "./webhooks.ts";

export interface Route {
  readonly method: string;
  /** Without `/api/v10`; names in braces stand for one part each. */
  readonly path: string;
  /** `bot`: needs the bot's token and counts against its requests a second; `token`: the path carries its own. */
  readonly access: "bot" | "token" | "open";
  readonly handle: Handle;
}

const route = (
  method: string,
  path: string,
  handle: Handle,
  access: Route["access"] = "bot",
): Route => ({ method, path, access, handle });

const ANSWER = "/webhooks/{id}/{token}";

/** Every route of Discord's API that the local one serves. */
export const ROUTES: readonly Route[] = [
  route("GET", "/gateway", getGateway, "open"),
  route("GET", "/gateway/bot", getGatewayBot),
  route("GET", "/users/@me", getMe),
  route("GET", "/users/{id}", getUser),
  route("GET", "/users/@me/guilds", getGuilds),
  route("POST", "/users/@me/channels", openDirectChannel),
  route("GET", "/guilds/{id}", getGuild),
  route("GET", "/guilds/{id}/members/{user}", getMember),
  route("GET", "/applications/@me", getApplication),
  route("GET", "/oauth2/applications/@me", getApplication),
  route("GET", "/applications/{id}/commands", listCommands),
  route("PUT", "/applications/{id}/commands", putCommands),
  route("POST", "/applications/{id}/commands", postCommand),
  route("DELETE", "/applications/{id}/commands/{command}", deleteCommand),
  route("GET", "/channels/{id}", getChannel),
  route("GET", "/channels/{id}/messages", listMessages),
  route("POST", "/channels/{id}/messages", postMessage),
  route("GET", "/channels/{id}/messages/{message}", getMessage),
  route("PATCH", "/channels/{id}/messages/{message}", patchMessage),
  route("DELETE", "/channels/{id}/messages/{message}", removeMessage),
  route("POST", "/interactions/{id}/{token}/callback", postCallback, "token"),
  route("POST", ANSWER, postFollowup, "token"),
  route("GET", `${ANSWER}/messages/@original`, getAnswer, "token"),
  route("PATCH", `${ANSWER}/messages/@original`, patchAnswer, "token"),
  route("DELETE", `${ANSWER}/messages/@original`, deleteAnswer, "token"),
  route("GET", `${ANSWER}/messages/{message}`, getAnswer, "token"),
  route("PATCH", `${ANSWER}/messages/{message}`, patchAnswer, "token"),
  route("DELETE", `${ANSWER}/messages/{message}`, deleteAnswer, "token"),
];
