import { type RawBuilder, sql } from "kysely";
import type { WithdrawState } from "../domain/withdraw-op.ts";

/**
 * The condition of a partial index, word for word: SQLite never takes such an index for states that are parameters, and
 * would read every operation there ever was instead, while everybody waits.
 */
export const statesAsWritten = (states: readonly WithdrawState[]): RawBuilder<boolean> =>
  sql<boolean>`state in (${sql.join(states.map((state) => sql.lit(state)))})`;
