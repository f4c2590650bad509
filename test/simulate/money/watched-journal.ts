import type { NewDelivery } from "#src/delivery/delivery.ts";
import type { WithdrawJournal } from "#src/withdrawals/withdraw-journal.store.ts";
import { LEASE_MS } from "#src/withdrawals/withdraw-journal.ts";
import { isHeld, type WithdrawOp, type WithdrawState } from "#src/withdrawals/withdraw-op.ts";
import type { Judge, Known } from "./judge.ts";

export interface WatchedJournal {
  /** The journal for the processes, below the simulated crashes: every commit is observed here. */
  readonly journal: WithdrawJournal;
  readonly known: ReadonlyMap<string, Known>;
}

interface WatchNeeds {
  readonly journal: WithdrawJournal;
  readonly judge: Judge;
  readonly nowMs: () => number;
  readonly aheadMs: () => number;
  readonly accountOf: (fingerprint: string) => string;
  readonly onChange: (known: Known) => void;
  readonly onStep: (known: Known, from: WithdrawState) => void;
  readonly onNotices: (notices: readonly NewDelivery[]) => void;
}

export const watchJournal = (needs: WatchNeeds): WatchedJournal => {
  const { journal, judge } = needs;
  const known = new Map<string, Known>();

  const note = (op: WithdrawOp): void => {
    const entry = known.get(op.id);
    if (entry === undefined) return;
    entry.op = op;
    judge.onChange(entry);
    needs.onChange(entry);
  };
  const stepped = (op: WithdrawOp, notices: readonly NewDelivery[]) => {
    const entry = known.get(op.id);
    if (entry === undefined) throw new Error(`Nobody drafted ${op.id}`);
    const from = entry.op.state;
    entry.leaseUntilMs = isHeld(op.state) ? needs.nowMs() + LEASE_MS : undefined;
    if (op.state === "sending")
      Object.assign(entry, { sentMs: needs.nowMs(), aheadMs: needs.aheadMs() });
    note(op);
    needs.onNotices(notices);
    judge.onStep(entry, from, notices, [...known.values()]);
    needs.onStep(entry, from);
  };

  return {
    known,
    journal: {
      ...journal,
      draft: async (draft, at) => {
        const op = await journal.draft(draft, at);
        const account = needs.accountOf(draft.accountFp);
        const fresh = {
          leaseUntilMs: undefined,
          sentMs: undefined,
          aheadMs: 0,
          posts: 0,
          cancelled: 0,
          falselyRefused: false,
          adopted: false,
        };
        known.set(op.id, { op, pixKey: draft.pixKey, account, ...fresh });
        note(op);
        return op;
      },
      move: async (op, step, at) => {
        const result = await journal.move(op, step, at);
        if (result.kind === "moved") stepped(result.op, step.notices ?? []);
        return result;
      },
      amend: async (...given) => {
        const op = await journal.amend(...given);
        if (op !== undefined) note(op);
        return op;
      },
      sweep: async (everything, at, noticesFor) => {
        const owed = new Map<string, readonly NewDelivery[]>();
        const swept = await journal.sweep(everything, at, (op) => {
          const notices = noticesFor(op);
          owed.set(op.id, notices);
          return notices;
        });
        for (const op of swept) stepped(op, owed.get(op.id) ?? []);
        return swept;
      },
      abandonExpired: async (at) => {
        const expired = await journal.abandonExpired(at);
        for (const op of expired) stepped(op, []);
        return expired;
      },
      claimDue: async (...given) => {
        const due = await journal.claimDue(...given);
        for (const op of due) note(op);
        return due;
      },
    },
  };
};
