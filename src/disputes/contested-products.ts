import type { Dispute } from "./dispute.ts";
import type { DisputeRef } from "./dispute-list.ts";

/** Product or description of the contested sale: text of a stranger. */
export const productOf = ({ sale }: Pick<Dispute, "sale">): string | undefined =>
  sale?.productName ?? sale?.description;

/** About 3 MB of the longest names. */
const MOST_PRODUCTS = 5_000;
const KEPT_LENGTH = 200;

/**
 * Products of contested sales by the last readings in full, for texts that are made without a request. In memory alone,
 * because the watch keeps no text of strangers.
 */
export const createContestedProducts = () => {
  const products = new Map<string, string>();
  const nameOf = ({ watchId, infractionId }: DisputeRef): string => `${watchId}|${infractionId}`;
  return {
    note: (watchId: string, dispute: Dispute): void => {
      const name = nameOf({ watchId, infractionId: dispute.infractionId });
      const product = productOf(dispute);
      products.delete(name);
      // A copy: the slice of a long text keeps all of it in memory.
      if (product !== undefined)
        products.set(name, Buffer.from(product.slice(0, KEPT_LENGTH)).toString());
      const [oldest] = products.keys();
      if (products.size > MOST_PRODUCTS && oldest !== undefined) products.delete(oldest);
    },
    of: (ref: DisputeRef): string | undefined => products.get(nameOf(ref)),
  };
};

export type ContestedProducts = ReturnType<typeof createContestedProducts>;
