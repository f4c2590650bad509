import { mayBecome } from "#src/domain/withdraw-op.ts";
import type { Database } from "#src/store/schema.ts";
import type { Known } from "./judge.ts";

/** Compares what the database keeps with every step and every promise that was seen to be committed. */
export const checkRecords = async (
  db: Database,
  known: ReadonlyMap<string, Known>,
  promised: ReadonlySet<string>,
  violate: (rule: string, why: string) => void,
): Promise<void> => {
  const ops = await db.selectFrom("withdraw_op").select(["id", "state", "version"]).execute();
  if (ops.length !== known.size) violate("M6", `${ops.length} operations kept of ${known.size}`);
  const events = await db.selectFrom("withdraw_event").selectAll().orderBy("seq").execute();
  const byOp = Map.groupBy(events, ({ op_id }) => op_id);
  for (const { id, state } of ops) {
    const seen = known.get(id)?.op.state;
    if (seen !== state) violate("M6", `${id} is ${state}, and was seen to be ${seen ?? "nothing"}`);
    let last: string | null = null;
    for (const { from_state, to_state } of byOp.get(id) ?? []) {
      const legal = from_state === null || mayBecome(from_state, to_state);
      if (from_state !== last || !legal) violate("M6", `${id} has an event out of line`);
      last = to_state;
    }
    if (last !== state)
      violate("M6", `${id} is ${state}, and its events end with ${last ?? "none"}`);
  }
  const kept = await db.selectFrom("outbox").select("dedupe_key").execute();
  const keys = new Set(kept.map(({ dedupe_key }) => dedupe_key));
  for (const key of promised) {
    if (!keys.has(key)) violate("M7", `${key} was promised and is not kept`);
  }
};
