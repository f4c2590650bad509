import type { WithdrawState } from "#src/withdrawals/withdraw-op.ts";

/** Written out here once more: a judge that asked the code's own table would find every step legal. */
const LEGAL_STEPS: Readonly<Record<WithdrawState, readonly WithdrawState[]>> = {
  draft: ["confirmed", "abandoned"],
  confirmed: ["sending", "refused_local", "unknown"],
  sending: ["accepted", "rejected", "not_sent", "unknown"],
  unknown: ["accepted", "completed", "not_executed", "manual"],
  accepted: ["scheduled", "processing", "completed", "failed", "cancelled", "manual"],
  scheduled: ["processing", "completed", "failed", "cancelled", "manual"],
  processing: ["completed", "failed", "cancelled", "manual"],
  manual: ["accepted", "completed", "failed", "cancelled", "not_executed", "resolved_manual"],
  completed: [],
  failed: [],
  cancelled: [],
  abandoned: [],
  refused_local: [],
  rejected: ["accepted", "completed"],
  not_sent: [],
  not_executed: ["accepted", "completed"],
  resolved_manual: ["completed"],
};

/** Whether an operation may go from one state to another. Source: decisions 1.1. */
export const isLegalStep = (from: WithdrawState, to: WithdrawState): boolean =>
  LEGAL_STEPS[from].includes(to);
