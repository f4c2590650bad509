import type { WithdrawJournal } from "../domain/withdraw-journal.ts";
import type { Random } from "../shared/random.ts";
import type { Database } from "./schema.ts";
import type { SendingMark } from "./storage-state.ts";
import type { Vault } from "./vault.ts";
import { keepDraft } from "./withdraw-draft.ts";
import { withdrawQueries } from "./withdraw-queries.ts";
import { amendOp, moveOp } from "./withdraw-steps.ts";
import { abandonExpired, claimDueOps, forgetEnded, sweepOps } from "./withdraw-sweep.ts";

/**
 * The journal of withdrawals. `leaseNow` is the clock of leases: one for all processes of the database; `sending` is told
 * of each request before it leaves.
 */
export const withdrawJournal = (
  db: Database,
  vault: Vault,
  random: Random,
  leaseNow: () => Promise<Temporal.Instant>,
  sending?: SendingMark,
): WithdrawJournal => ({
  ...withdrawQueries(db, vault),
  draft: (op, at) => keepDraft(db, vault, random, op, at),
  move: (op, step, at) => moveOp(db, leaseNow, op, step, at, sending),
  amend: (op, change, at) => amendOp(db, op, change, at),
  sweep: async (...how) => sweepOps(db, await leaseNow(), ...how),
  abandonExpired: (at) => abandonExpired(db, at),
  claimDue: (...how) => claimDueOps(db, ...how),
  forgetEnded: (before) => forgetEnded(db, before),
});
