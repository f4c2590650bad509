import { setImmediate } from "node:timers/promises";
import type { Database } from "../schema.ts";

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

/** One commit's work, at most: SQLite's answers leave no turn to the event loop until they are all there. */
const MOST_TOGETHER = 32;

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
  if (db.getExecutor().adapter.supportsMultipleConnections) return alone;
  const waiting: Waiting[] = [];
  let busy = false;

  const commit = async (group: readonly Waiting[]): Promise<void> => {
    try {
      const results = await alone(async (trx) => {
        const done: unknown[] = [];
        for (const { work } of group) done.push(await work(trx));
        return done;
      });
      for (const [index, { result }] of group.entries()) result.resolve(results[index]);
    } catch (error) {
      if (group.length === 1) group[0]?.result.reject(error);
      else for (const each of group) await commit([each]);
    }
  };

  const commitAll = async (): Promise<void> => {
    busy = true;
    while (waiting.length > 0) {
      const group = waiting.splice(0, MOST_TOGETHER);
      await commit(group);
      if (waiting.length > 0 && group.length === MOST_TOGETHER) await setImmediate();
      else if (group.some(({ kind }) => kind !== "poll"))
        await gap?.(group.some(({ kind }) => kind === "awaited"));
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
    return result.promise as Promise<Result>;
  };
};
