import type { DisputeSummary } from "./dispute.ts";
import type { ListedDispute } from "./dispute-list.ts";
import type { WatchedDispute } from "./dispute-alert.ts";

/** Disputes without the seller's answer that the service counts and shows nowhere: their deadlines are not known. */
export interface UnlistedPending {
  /** As the last poll found it. */
  readonly count: number;
  /** The count that the owner was told; 0 when there was nothing to tell since. */
  readonly told: number;
}

export const NONE_UNLISTED: UnlistedPending = { count: 0, told: 0 };

type Known = Pick<ListedDispute | WatchedDispute, "infractionId" | "status">;

/**
 * How many more the summary counts as pending than are known. What was read of a dispute goes before what the list says
 * of it, and one of which the list says nothing may be pending. Source: service.md 2.6.
 */
export const countUnlisted = (
  { byStatus }: Pick<DisputeSummary, "byStatus">,
  read: readonly Known[],
  listed: readonly Known[],
): number => {
  const statuses = new Map([...listed, ...read].map((each) => [each.infractionId, each.status]));
  const known = [...statuses.values()].filter((status) => (status ?? "pending") === "pending");
  return Math.max(0, byStatus.pending - known.length);
};

/**
 * What a poll that found `count` makes of it. One poll proves nothing: a dispute may be opened or answered between the
 * reading of the summary and that of the list. `tell`: it rose above what was told, in two polls one after the other.
 */
export const nextUnlisted = (
  before: UnlistedPending,
  count: number,
): { readonly after: UnlistedPending; readonly tell: boolean } => {
  const sure = Math.min(before.count, count);
  const tell = sure > before.told;
  const told = tell ? sure : Math.min(before.told, Math.max(before.count, count));
  return { after: { count, told }, tell };
};
