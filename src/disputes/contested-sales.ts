import { type Dispute, paymentTxids } from "./dispute.ts";
import { inSmall } from "../shared/ids.ts";
import { keepNewest } from "../shared/keep-newest.ts";
import type { DisputeRef } from "./dispute-list.ts";

/** Product or description of the contested sale: text of a stranger. */
export const productOf = ({ sale }: Pick<Dispute, "sale">): string | undefined =>
  sale?.productName ?? sale?.description;

/** About 3 MB of the longest names. */
const MOST_NOTES = 5_000;
const KEPT_LENGTH = 200;

/** A fact of each dispute by the last readings in full, in memory alone. */
const createNotes = <Value>(
  valueOf: (dispute: Dispute, before: Value | undefined) => Value | undefined,
) => {
  const notes = new Map<string, Value>();
  const nameOf = ({ watchId, infractionId }: DisputeRef): string =>
    `${watchId}|${inSmall(infractionId)}`;
  return {
    note: (watchId: string, dispute: Dispute): void => {
      const name = nameOf({ watchId, infractionId: dispute.infractionId });
      const value = valueOf(dispute, notes.get(name));
      if (value === undefined) notes.delete(name);
      else keepNewest(notes, name, value, MOST_NOTES);
    },
    of: (ref: DisputeRef): Value | undefined => notes.get(nameOf(ref)),
  };
};

/**
 * Products of contested sales, for texts that are made without a request. The watch does not keep them: it keeps no text
 * of strangers.
 */
export const createContestedProducts = () =>
  createNotes((dispute) => {
    const product = productOf(dispute);
    // A copy: the slice of a long text keeps all of it in memory.
    return product && Buffer.from(product.slice(0, KEPT_LENGTH)).toString();
  });

/**
 * Txids of contested sales: the payment of a dispute stays the same, while its state may change. A later reading may
 * lack the sale, so that those of earlier ones count too.
 */
export const createContestedTxids = () =>
  createNotes<readonly string[]>((dispute, before = []) => [
    ...new Set([...before, ...paymentTxids(dispute)]),
  ]);

export type ContestedTxids = ReturnType<typeof createContestedTxids>;

export type ContestedProducts = ReturnType<typeof createContestedProducts>;
