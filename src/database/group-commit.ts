import { setImmediate } from "node:timers/promises";
import type { Database } from "../schema.ts";
import { isPostgres } from "./queries.ts";

type PieceKind = "poll" | "write" | "awaited";

/**
 * Runs work in a transaction. The work may run a second time after a rollback. No gap follows a commit of polls alone,
 * because most polls find no work, and a short one follows a write that thousands of others wait behind.
 */
type GroupCommit = <Result>(
  work: (trx: Database) => Promise<Result>,
  kind?: PieceKind,
) => Promise<Result>;

interface Waiting {
  readonly kind: PieceKind;
  readonly work: (trx: Database) => Promise<unknown>;
  readonly result: PromiseWithResolvers<unknown>;
}

/** Work for one commit, at most: SQLite's answers leave no turn to the event loop until they are all there. */
const TURN_MS = 10;

/**
 * Commits work that arrives in the gap after a commit in one transaction: in SQLite each commit waits for the disk, and
 * blocks the process. When one piece of work fails, each gets a transaction of its own. On PostgreSQL each
 * piece of work commits at once.
 */
export const createGroupCommit = (
  db: Database,
  gap?: (isAwaited: boolean) => Promise<void>,
): GroupCommit => {
  const alone: GroupCommit = (work) => db.transaction().execute(work);
  if (isPostgres(db)) return alone;
  const waiting: Waiting[] = [];
  let busy = false;
  let hurry: (() => void) | undefined;

  /** Commits a piece with those that wait behind it, as many as a turn holds, and gives the group. */
  const commit = async (first: Waiting): Promise<readonly Waiting[]> => {
    const group = [first];
    try {
      const results = await alone(async (trx) => {
        const endMs = performance.now() + TURN_MS;
        const done = [await first.work(trx)];
        while (performance.now() < endMs) {
          const next = waiting.shift();
          if (next === undefined) break;
          group.push(next);
          done.push(await next.work(trx));
        }
        return done;
      });
      for (const [index, { result }] of group.entries()) result.resolve(results[index]);
    } catch (error) {
      if (group.length === 1) first.result.reject(error);
      else
        for (const { work, result } of group) {
          await alone(work).then(result.resolve, result.reject);
          await setImmediate();
        }
    }
    return group;
  };

  /** The gap after a commit; awaited work ends a long one. */
  const rest = async (kinds: readonly PieceKind[]): Promise<void> => {
    if (kinds.includes("awaited")) return await gap?.(true);
    if (kinds.every((kind) => kind === "poll")) return;
    const hurried = Promise.withResolvers<void>();
    hurry = hurried.resolve;
    await Promise.race([gap?.(false), hurried.promise]);
    hurry = undefined;
  };

  const commitAll = async (): Promise<void> => {
    busy = true;
    for (let first = waiting.shift(); first !== undefined; first = waiting.shift()) {
      const kinds = (await commit(first)).map(({ kind }) => kind);
      if (waiting.length > 0) await setImmediate();
      else await rest(kinds);
    }
    busy = false;
  };

  return <Result>(
    work: (trx: Database) => Promise<Result>,
    kind: Waiting["kind"] = "write",
  ): Promise<Result> => {
    const result = Promise.withResolvers<unknown>();
    waiting.push({ kind, work, result });
    if (!busy) void commitAll();
    else if (kind === "awaited") hurry?.();
    return result.promise as Promise<Result>;
  };
};
