import { pause } from "../shared/time.ts";
import type { Database } from "./schema.ts";

/**
 * Runs the work of one transaction. It may run twice: what it did the first time is undone then. Nobody waits after a
 * commit of looks alone: most of them find nothing.
 */
export type GroupCommit = <Result>(
  work: (trx: Database) => Promise<Result>,
  kind?: "poll" | "write",
) => Promise<Result>;

interface Waiting {
  readonly kind: "poll" | "write";
  readonly work: (trx: Database) => Promise<unknown>;
  readonly result: PromiseWithResolvers<unknown>;
}

/**
 * Commits what comes within `gapMs` after a commit together: in SQLite each commit waits for the disk, and everybody
 * for it. Where one work fails, each of them gets a transaction of its own. PostgreSQL takes them as they come.
 */
export const createGroupCommit = (db: Database, gapMs = 0): GroupCommit => {
  const alone: GroupCommit = (work) => db.transaction().execute(work);
  if (db.getExecutor().adapter.supportsMultipleConnections) return alone;
  let waiting: Waiting[] = [];
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
      const group = waiting;
      waiting = [];
      await commit(group);
      if (gapMs > 0 && group.some(({ kind }) => kind === "write")) await pause(gapMs);
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
