import type { DisputeDetail } from "../../domain/dispute-list.ts";
import { followedDispute } from "../../domain/dispute-watch.ts";
import { disputeState } from "../../domain/dispute.ts";
import { UserError, type WalletError } from "../../shared/errors.ts";
import type { DisputeConnection, DisputeReadingNeeds } from "./dispute-needs.ts";
import { reading } from "../wallet-reading.ts";

const NONE = new Set(["not_found", "invalid_request"]);

/** Why a dispute was not read, in the person's terms where there are any. */
const failureOf = (error: WalletError, given: string): UserError | WalletError => {
  const wasAsked = error.status !== undefined;
  if (error.kind === "invalid_request" && !wasAsked)
    return new UserError({ kind: "dispute_id_unreadable", given });
  return NONE.has(error.kind) ? new UserError({ kind: "dispute_not_found" }) : error;
};

/**
 * Reads one dispute and begins to follow it, wherever its id came from: the list may be unreadable, or not whole.
 * @throws UserError dispute_not_found, dispute_id_unreadable
 * @throws WalletError
 */
export const disputeDetail = async (
  needs: Pick<DisputeReadingNeeds, "wallet" | "clock" | "watched">,
  { account, key }: DisputeConnection,
  infractionId: string,
): Promise<DisputeDetail> => {
  const { wallet, clock, watched } = needs;
  const read = await reading(wallet.dispute(key, infractionId, "interactive"));
  if (!read.ok) throw failureOf(read.error, infractionId);
  const dispute = read.value;
  const now = clock.now();
  const before = await watched.find(account.watchId, dispute.infractionId);
  const kept =
    before ?? (await watched.keep(followedDispute(account.watchId, dispute, now), [], now));
  return {
    accountId: account.watchId,
    dispute,
    state: disputeState(dispute, now),
    watched: kept ?? (await watched.find(account.watchId, dispute.infractionId)),
    readAt: now,
  };
};
