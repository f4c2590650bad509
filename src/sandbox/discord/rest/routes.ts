import {
  getApplication,
  getGateway,
  getGatewayBot,
  getGuild,
  getMe,
  getMember,
  listCommands,
  putCommands,
} from "./application.ts";
import type { Handle } from "./call.ts";
import { postCallback } from "./interaction-responses.ts";
import {
  getChannel,
  listMessages,
  openDirectChannel,
  patchMessage,
  postMessage,
} from "./channels.ts";
import { getAnswer, patchAnswer, postFollowup } from "./webhooks.ts";
import { notFound, notServed } from "../api-errors.ts";

interface Route {
  readonly method: string;
  /** Without `/api/v10`. Each name in braces stands for one path segment. */
  readonly path: string;
  /** `bot`: requires the bot's token and counts against its rate limit; `token`: the path contains a token. */
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

const ROUTES: readonly Route[] = [
  route("GET", "/gateway", getGateway, "open"),
  route("GET", "/gateway/bot", getGatewayBot),
  route("GET", "/users/@me", getMe),
  route("POST", "/users/@me/channels", openDirectChannel),
  route("GET", "/guilds/{id}", getGuild),
  route("GET", "/guilds/{id}/members/{user}", getMember),
  route("GET", "/applications/@me", getApplication),
  route("GET", "/applications/{id}/commands", listCommands),
  route("PUT", "/applications/{id}/commands", putCommands),
  route("GET", "/channels/{id}", getChannel),
  route("GET", "/channels/{id}/messages", listMessages),
  route("POST", "/channels/{id}/messages", postMessage),
  route("PATCH", "/channels/{id}/messages/{message}", patchMessage),
  route("POST", "/interactions/{id}/{token}/callback", postCallback, "token"),
  route("POST", ANSWER, postFollowup, "token"),
  route("GET", `${ANSWER}/messages/@original`, getAnswer, "token"),
  route("PATCH", `${ANSWER}/messages/@original`, patchAnswer, "token"),
];

export interface FoundRoute {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

const parts = (path: string): readonly string[] => path.split("/").slice(1);

const match = (
  pattern: readonly string[],
  given: readonly string[],
): Readonly<Record<string, string>> | undefined => {
  if (pattern.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const value = given[index] ?? "";
    if (part.startsWith("{")) params[part.slice(1, -1)] = value;
    else if (part !== value) return undefined;
  }
  return params;
};

/**
 * The route of a request; `path` excludes the query.
 * @throws ApiError 404 for a route that is not served, also where Discord has one: then its message and a line on the
 * console say so.
 */
export const findRoute = (method: string, path: string): FoundRoute => {
  const bare = /^\/api(?:\/v10)?(\/.*)$/.exec(path)?.[1];
  if (bare === undefined) throw notFound();
  const given = parts(bare).map((part) => part.replaceAll("%40", "@"));
  for (const route of ROUTES) {
    const params = route.method === method ? match(parts(route.path), given) : undefined;
    if (params !== undefined) return { route, params };
  }
  const refusal = notServed(method, bare);
  console.error(refusal.message);
  throw refusal;
};
