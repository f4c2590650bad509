import type { WithdrawOp } from "../../domain/withdraw-op.ts";

/** What an operation is about, for the words that are chosen for it. */
export const subjectOf = ({ kind }: Pick<WithdrawOp, "kind">): "own" | "split" | "cancel" => {
  if (kind === "cancel") return "cancel";
  return kind === "normal" || kind === "turbo" ? "own" : "split";
};
