import type { DeliveryPayload } from "../delivery/delivery.ts";
import { replacedPost } from "../ui/reply.ts";
import { withdrawalTexts } from "./texts.ts";
import { wordedAs, type WithdrawOp } from "./withdraw-op.ts";

/** A message that a newer one of the same operation replaces: it says so in place of its text, and has no buttons. */
export const replacedNotice = (
  payload: DeliveryPayload,
  op: Pick<WithdrawOp, "kind" | "locale">,
): DeliveryPayload => {
  const { withdrawOutcomes, refundOutcomes } = withdrawalTexts(op.locale);
  const words = { ...withdrawOutcomes.replaced, refund: refundOutcomes.replaced };
  return replacedPost(payload, words[wordedAs(op)]);
};
