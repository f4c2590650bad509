import { methodNotAllowed, notFound } from "./errors.ts";
import type { Route } from "./routes.ts";
import { ROUTES } from "./routes.ts";

export interface FoundRoute {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

const parts = (path: string): readonly string[] => path.split("/").slice(1);

/** Routes by how many parts their path has, those with fewer names first, so that `@original` wins over a name. */
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
 * The route of a request. `path` is without its query.
 * @throws ApiError 404 for a path that is not served, 405 for a method that it does not take.
 */
export const findRoute = (method: string, path: string): FoundRoute => {
  const bare = /^\/api(?:\/v10)?(\/.*)$/.exec(path)?.[1];
  if (bare === undefined) throw notFound();
  const given = parts(bare).map((part) => part.replaceAll("%40", "@"));
  let known = false;
  for (const { route, parts: pattern } of byLength.get(given.length) ?? []) {
    const params = match(pattern, given);
    if (params === undefined) continue;
    known = true;
    if (route.method === method) return { route, params };
  }
  throw known ? methodNotAllowed() : notFound();
};
