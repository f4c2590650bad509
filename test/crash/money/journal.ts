import type { WithdrawState } from "#src/withdrawals/withdraw-op.ts";
import type { CrashDatabase } from "./database.ts";
import type { ChargeState } from "#src/charges/charge.ts";
import type { ChargeRow } from "./sales-verdict.ts";
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

const CHARGES =
  "select owner_id, amount_cents, charge.state as state, problem, txid, outbox.state as card, last_error, " +
  "attempts, outbox.created_at as due_at, first_attempt_at, settled_at from charge " +
  "left join outbox on outbox.dedupe_key = 'charge|' || charge.id";

/** Every charge in the database. */
export const readCharges = async ({ query }: CrashDatabase): Promise<readonly ChargeRow[]> =>
  (await query(CHARGES)).map((row) => ({
    ownerId: String(row["owner_id"]),
    amountCents: Number(row["amount_cents"]),
    state: row["state"] as ChargeState,
    isUnclear: row["problem"] === "unclear",
    txid: row["txid"] === null ? undefined : String(row["txid"]),
    card: row["card"] === null ? undefined : String(row["card"]),
    delivery: ["last_error", "attempts", "due_at", "first_attempt_at", "settled_at"]
      .map((name) => `${name} ${String(row[name])}`)
      .join(", "),
  }));

/** Deliveries and seen sales that a verdict's findings may be about. */
export const readRest = async ({ query }: CrashDatabase): Promise<readonly string[]> =>
  [
    ...(await query(
      "select dedupe_key, outbox.state, last_error, attempts, created_at, not_before from outbox " +
        "where state not in ('sent', 'obsolete') order by created_at",
    )),
    ...(await query(
      "select account_fp, state, count(*) as n from sale_seen group by account_fp, state",
    )),
  ].map((row) => JSON.stringify(row));
