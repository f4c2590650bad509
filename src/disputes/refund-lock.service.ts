import type { Connection } from "../accounts/asker.service.ts";
import type { Priority } from "../accounts/wallet-key.ts";
import { type Result, settled } from "../shared/settled.ts";
import type { Clock } from "../shared/time.ts";
import type { WalletClient } from "../wallet/client.ts";
import { type Dispute, refundLock } from "./dispute.ts";
import type { ListedDispute } from "./dispute-list.ts";
import type { DisputeWatch } from "./dispute-stores.ts";

export interface RefundLockNeeds {
  readonly wallet: Pick<WalletClient, "disputes" | "dispute">;
  readonly disputeWatch: Pick<DisputeWatch, "of">;
  readonly clock: Clock;
}

/** `unreadable`: a dispute about the payment may exist and could not be read. */
export type RefundLockReading = ReturnType<typeof refundLock> | { readonly refused: "unreadable" };

const UNREADABLE = { refused: "unreadable" } as const;

/** More reads would use up the account's quota. */
const MOST_READ = 10;

/** Whether the list itself says that the dispute ended without giving the payment back. */
const isClosed = ({ status, analysisStatus }: ListedDispute): boolean =>
  status === "canceled" || analysisStatus === "rejected";

/**
 * Reads at the service whether a dispute forbids the refund of a payment. The disputes of the payment, by the list or
 * by the bot's watch, are read in full; so are rows that do not tell their payment, unless they are closed. A dispute
 * that the list leaves out and the watch never saw stays unnoticed. With priority `money` the readings are not shared
 * with earlier ones.
 */
export const readRefundLock = async (
  { wallet, disputeWatch, clock }: RefundLockNeeds,
  { account, key }: Connection,
  txid: string,
  priority: Priority,
): Promise<RefundLockReading> => {
  const [list, watched] = await Promise.all([
    settled(wallet.disputes(key, priority)),
    disputeWatch.of(account.watchId),
  ]);
  if (!list.ok) return UNREADABLE;
  const kept = new Map(watched.map((each) => [each.infractionId, each.txid]));
  const listed = list.value.items.map((each) => ({
    ...each,
    txid: each.txid ?? kept.get(each.infractionId),
  }));
  const ofPayment = new Set([
    ...listed.filter((each) => each.txid === txid).map(({ infractionId }) => infractionId),
    ...watched.filter((each) => each.txid === txid).map(({ infractionId }) => infractionId),
  ]);
  const untold = listed
    .filter((each) => each.txid === undefined && !isClosed(each))
    .map(({ infractionId }) => infractionId);
  if (ofPayment.size + untold.length > MOST_READ) return UNREADABLE;
  const read = async (infractionId: string): Promise<Result<Dispute>> =>
    await settled(wallet.dispute(key, infractionId, priority));
  const details = await Promise.all([...ofPayment, ...untold].map(read));
  const disputes = details.flatMap((detail) => (detail.ok ? [detail.value] : []));
  if (disputes.length < details.length) return UNREADABLE;
  const contesting = disputes.filter(
    (dispute) => ofPayment.has(dispute.infractionId) || dispute.txid === txid,
  );
  return refundLock(contesting, clock.now());
};
