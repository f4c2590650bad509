import {
  deleteCommand,
  getApplication,
  getGateway,
  getGatewayBot,
  getGuild,
  getGuilds,
  getMe,
  getMember,
  getUser,
  listCommands,
  postCommand,
  putCommands,
} from "./application.ts";
import type { Handle } from "./call.ts";
import { postCallback } from "./interaction-responses.ts";
import {
  getChannel,
  getMessage,
  listMessages,
  openDirectChannel,
  patchMessage,
  postMessage,
  removeMessage,
} from "./channels.ts";
import { deleteAnswer, getAnswer, patchAnswer, postFollowup } from "./webhooks.ts";
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

export interface FoundRoute {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

const parts = (path: string): readonly string[] => path.split("/").slice(1);

/** Routes by number of path segments. Fewer placeholders sort first, so that `@original` wins over `{message}`. */
const byLength = new Map<number, { readonly route: Route; readonly parts: readonly string[] }[]>();
const named = (path: string): number => path.split("{").length;
for (const route of [...ROUTES].sort((a, b) => named(a.path) - named(b.path))) {
  const split = parts(route.path);
  const same = byLength.get(split.length) ?? [];
  same.push({ route, parts: split });
  byLength.set(split.length, same);
}

const match = (
  pattern: readonly string[],
  given: readonly string[],
): Readonly<Record<string, string>> | undefined => {
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
  for (const { route, parts: pattern } of byLength.get(given.length) ?? []) {
    const params = match(pattern, given);
    if (params !== undefined && route.method === method) return { route, params };
  }
  const refusal = notServed(method, bare);
  console.error(refusal.message);
  throw refusal;
};
