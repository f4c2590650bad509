import type { WithdrawOp, WithdrawState } from "../../domain/withdraw-op.ts";
import type { ListedWithdrawal } from "../../domain/withdrawal.ts";

interface Shown {
  /** Undefined: whatever the state. */
  readonly states: readonly WithdrawState[] | undefined;
  /** The same of the service's own states. */
  readonly statuses: readonly string[] | undefined;
}

const shown = {
  all: { states: undefined, statuses: undefined },
  ongoing: { states: ["confirmed", "sending", "accepted", "processing"], statuses: ["processing"] },
  scheduled: { states: ["scheduled"], statuses: ["scheduled"] },
  done: { states: ["completed", "resolved_manual"], statuses: ["completed"] },
  ended: {
    states: [
      "failed",
      "cancelled",
      "rejected",
      "not_sent",
      "not_executed",
      "refused_local",
      "resolved_manual",
    ],
    statuses: ["failed", "cancelled"],
  },
  unclear: { states: ["unknown", "manual"], statuses: [] },
} as const satisfies Readonly<Record<string, Shown>>;

/** What the list can be narrowed to. */
export type WithdrawalFilter = keyof typeof shown;

export const withdrawalFilters = Object.keys(shown) as readonly WithdrawalFilter[];

/** States to ask the journal for; undefined for all. */
export const statesOf = (filter: WithdrawalFilter): readonly WithdrawState[] | undefined =>
  shown[filter].states;

/** What the owner decided by hand counts as what was decided. */
export const isShownOp = ({ state, resolution }: WithdrawOp, filter: WithdrawalFilter): boolean => {
  const { states }: Shown = shown[filter];
  if (states === undefined) return true;
  if (state === "resolved_manual") return filter === (resolution === "happened" ? "done" : "ended");
  return states.includes(state);
};

/** A withdrawal of which the service's list says no state is shown among all of them only. */
export const isShownElsewhere = (
  { status }: ListedWithdrawal,
  filter: WithdrawalFilter,
): boolean => {
  const { statuses }: Shown = shown[filter];
  return statuses === undefined || (status !== undefined && statuses.includes(status));
};
