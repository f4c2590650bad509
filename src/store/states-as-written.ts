import { type RawBuilder, sql } from "kysely";
import { lockingStates, type WithdrawState } from "../domain/withdraw-op.ts";

/**
 * The condition of a partial index, word for word: SQLite never takes such an index for states that are parameters, and
 * would read every operation there ever was instead, while everybody waits.
 */
export const statesAsWritten = (states: readonly WithdrawState[]): RawBuilder<boolean> =>
  sql<boolean>`state in (${sql.join(states.map((state) => sql.lit(state)))})`;

/** The condition of the index `one_lock_per_account`, word for word, beside `kind <> 'cancel'`: see `isLocking`. */
export const lockAsWritten = sql<boolean>`(${statesAsWritten(lockingStates)}
  or (state = 'manual' and txid is null))`;
export const isWithdrawalAsWritten = sql<boolean>`kind <> 'cancel'`;
