import type { WithdrawState } from "#src/withdrawals/withdraw-op.ts";
import type { CrashDatabase } from "./database.ts";
import type { JournalRow } from "./verdict.ts";

const OPERATIONS = "select id, kind, state, amount_cents, txid, target_txid from withdraw_op";
const EVENTS = "select op_id, to_state from withdraw_event order by op_id, seq";

/** Every operation in the database with its sequence of states. */
export const readJournal = async ({ query }: CrashDatabase): Promise<readonly JournalRow[]> => {
  const events = Map.groupBy(await query(EVENTS), (event) => event["op_id"]);
  return (await query(OPERATIONS)).map((row) => ({
    id: String(row["id"]),
    refundOf: row["kind"] === "refund" ? String(row["target_txid"]) : undefined,
    state: row["state"] as WithdrawState,
    amountCents: Number(row["amount_cents"]),
    txid: row["txid"] === null ? undefined : String(row["txid"]),
    path: (events.get(row["id"]) ?? []).map((event) => event["to_state"] as WithdrawState),
  }));
};
