import { integer, snowflake } from "./limits/checks.ts";
import type { Problems } from "./limits/problems.ts";
import type { StoredMessage } from "./shown.ts";
import { compareIds } from "./snowflake.ts";

const DEFAULT_LIMIT = 50;
const MOST = 100;

/** Of the ids beyond `id`, the nearest come first in what is kept; the page itself is always newest first. */
const select = (
  newestFirst: readonly StoredMessage[],
  kind: string,
  id: string,
  limit: number,
): readonly StoredMessage[] => {
  const older = newestFirst.filter((message) => compareIds(message.id, id) < 0);
  const newer = newestFirst.filter((message) => compareIds(message.id, id) > 0);
  if (kind === "before") return older.slice(0, limit);
  if (kind === "after") return newer.slice(-limit);
  const half = Math.floor(limit / 2);
  const middle = newestFirst.filter((message) => message.id === id);
  const before = half === 0 ? [] : newer.slice(-half);
  return [...before, ...middle, ...older.slice(0, half)].slice(0, limit);
};

/** The page of a channel's messages that the query asks for: `before`, `after` or `around`, and `limit` (50; 1 to 100). */
export const pageOf = (
  messages: readonly StoredMessage[],
  query: URLSearchParams,
  problems: Problems,
): readonly StoredMessage[] => {
  const given = query.get("limit");
  const limit = given === null ? DEFAULT_LIMIT : Number(given);
  integer(1, MOST)(limit, ["limit"], problems);
  const newestFirst = [...messages].sort((a, b) => compareIds(b.id, a.id));
  for (const kind of ["around", "before", "after"]) {
    const id = query.get(kind);
    if (id === null) continue;
    snowflake(id, [kind], problems);
    return select(newestFirst, kind, id, limit);
  }
  return newestFirst.slice(0, limit);
};
