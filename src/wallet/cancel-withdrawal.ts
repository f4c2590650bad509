import { isWireId } from "../domain/wire-id.ts";
import type { AcceptedForm, MoneyOperation } from "./money-operation.ts";

/** Nothing is known of the answer but that success is `success: true`. */
const accepted: AcceptedForm<undefined> = {
  read: () => ({ valid: true, value: undefined }),
  essence: () => undefined,
};

/**
 * The cancellation of a scheduled withdrawal. Not sent for what cannot be an id.
 *
 * AN ASSUMPTION: the document names this operation and shows neither its request nor its answer (service.md 3.1, 4.7).
 * The request names the withdrawal as every other operation does, by `txid`.
 */
export const withdrawalCancellation = (txid: string): MoneyOperation<undefined> => ({
  route: "/v1/withdraw/cancel",
  body: isWireId(txid) ? JSON.stringify({ txid }) : undefined,
  accepted,
});
