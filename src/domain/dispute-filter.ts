import type { DisputeState } from "./dispute-state.ts";

const shown = {
  all: undefined,
  answer: ["needs_answer", "overdue"],
  bank: ["defended", "conceded"],
  won: ["won"],
  lost: ["lost"],
  cancelled: ["cancelled"],
} as const satisfies Readonly<Record<string, readonly DisputeState[] | undefined>>;

/** What the list of disputes can be narrowed to. */
export type DisputeFilter = keyof typeof shown;

export const disputeFilters = Object.keys(shown) as readonly DisputeFilter[];

/** A dispute that could not be read may await an answer, so it is shown with those that do. */
export const isShownDispute = (state: DisputeState | undefined, filter: DisputeFilter): boolean => {
  const states: readonly DisputeState[] | undefined = shown[filter];
  if (states === undefined) return true;
  return state === undefined || state === "other" ? filter === "answer" : states.includes(state);
};
