import type { DisputeWatch } from "./dispute-watch.store.ts";
import type { Account } from "../accounts/account.ts";
import type { AccountsStore } from "../accounts/accounts.store.ts";
import type { Connection } from "../accounts/asker.service.ts";
import type { Priority } from "../accounts/wallet-key.ts";
import { amongIds, inSmall } from "../shared/ids.ts";
import { requireAuthorized, type Result, settled } from "../shared/settled.ts";
import type { Clock } from "../shared/time.ts";
import type { WalletClient } from "../wallet/client.ts";
import { type Dispute, disputeState, isOpenDispute, paymentTxids, refundLock } from "./dispute.ts";
import type { ContestedTxids } from "./contested-sales.ts";
import type { WatchedDispute } from "./dispute-alert.ts";
import { followedDispute, isProven, keptFacts } from "./dispute-watch.ts";
import { type DisputePage, isClosed, type ListedDispute } from "./dispute-list.ts";

interface RefundLockNeeds extends Pick<AccountsStore, "connectionsOf"> {
  readonly wallet: Pick<WalletClient, "disputes" | "dispute">;
  readonly disputeWatch: Pick<DisputeWatch, "of" | "keep" | "step">;
  readonly contestedTxids: ContestedTxids;
  readonly clock: Clock;
}

/** `unreadable`: a dispute about the payment may exist and could not be read. */
type RefundLockReading = ReturnType<typeof refundLock> | ReturnType<typeof unreadable>;

const unreadable = (...reads: readonly Result<unknown>[]) => {
  const failed = reads.find((read) => !read.ok);
  return { refused: "unreadable", error: failed?.error } as const;
};

/** More reads would use up the account's quota: the next try reads on, as the payments of these are noted. */
const MOST_READ = 10;

/** The listed disputes; undefined where the list is not surely whole. */
const itemsOf = (list: Result<DisputePage>): readonly ListedDispute[] | undefined =>
  list.ok && list.value.isWhole && list.value.unnamed === 0 ? list.value.items : undefined;

/** New disputes are left to the watch, whose alerts have yet to tell them; without alerts, only the open ones. */
const keepRead = async (
  { disputeWatch, connectionsOf, clock }: RefundLockNeeds,
  { watchId, accountFp }: Account,
  watched: readonly WatchedDispute[],
  disputes: readonly Dispute[],
): Promise<void> => {
  const now = clock.now();
  const connections = await connectionsOf(accountFp);
  const isTold = connections.some((each) => each.watchId === watchId && each.alerts !== "off");
  for (const dispute of disputes) {
    const isThis = amongIds([dispute.infractionId]);
    const before = watched.find(({ infractionId }) => isThis(infractionId));
    const { txid, saleTxid } = keptFacts(dispute);
    if (before !== undefined && !isProven(before))
      await disputeWatch.step(before, { txid, saleTxid }, [], now);
    else if (before === undefined && !isTold && !isOpenDispute(disputeState(dispute, now)))
      await disputeWatch.keep(followedDispute(watchId, dispute, now), [], now);
  }
};

/**
 * Reads at the service whether a dispute forbids the refund of a payment. Every dispute is read in full, unless
 * earlier readings in full, by the watch or for a refund, showed by its txid, and its sale's where one had it, that it
 * is about another payment, or the list says that it is closed: the list's own txid is undocumented, and so proves no
 * other payment. A list that may be incomplete is unreadable. A dispute that the list leaves out and the watch never
 * saw stays unnoticed. With priority `money` the readings are not shared with earlier ones, and the list is read again
 * after details.
 * @throws WalletError unauthorized
 */
export const readRefundLock = async (
  needs: RefundLockNeeds,
  { account, key }: Connection,
  txid: string,
  priority: Priority,
): Promise<RefundLockReading> => {
  const { wallet, disputeWatch, contestedTxids, clock } = needs;
  const { watchId } = account;
  const [list, watched] = await Promise.all([
    settled(wallet.disputes(key, priority)),
    disputeWatch.of(watchId),
  ]);
  requireAuthorized(list);
  const items = itemsOf(list);
  if (items === undefined) return unreadable(list);
  const known = new Map<string, readonly string[]>();
  const knownOf = ({ infractionId }: { readonly infractionId: string }) =>
    known.get(inSmall(infractionId));
  for (const each of [...watched, ...items]) {
    const proven = "watchId" in each && isProven(each) ? paymentTxids(each) : [];
    const noted = contestedTxids.of({ watchId, infractionId: each.infractionId }) ?? [];
    const txids = [...proven, ...noted];
    if (txids.length > 0)
      known.set(inSmall(each.infractionId), [...(knownOf(each) ?? []), ...txids]);
  }
  const isContested = amongIds([txid]);
  const ofPayment = new Set(
    [...watched, ...items]
      .filter((each) => (knownOf(each) ?? [each.txid]).some(isContested))
      .map(({ infractionId }) => infractionId),
  );
  const isUntold = (each: ListedDispute | WatchedDispute): boolean =>
    knownOf(each) === undefined && !isClosed(each);
  const isListed = amongIds(items.map(({ infractionId }) => infractionId));
  // The bank may have accepted a cancelled dispute since the watch's reading.
  const leftOut = watched.filter(
    (each) =>
      knownOf(each) === undefined &&
      !isListed(each.infractionId) &&
      each.analysisStatus !== "rejected",
  );
  const untold = [...leftOut, ...[...watched, ...items].filter(isUntold)];
  const ids = [...ofPayment.union(new Set(untold.map(({ infractionId }) => infractionId)))];
  const read = async (infractionId: string): Promise<Result<Dispute>> =>
    await settled(wallet.dispute(key, infractionId, priority));
  const details = await Promise.all(ids.slice(0, MOST_READ).map(read));
  const disputes = details.flatMap((detail) => (detail.ok ? [detail.value] : []));
  for (const dispute of disputes) contestedTxids.note(watchId, dispute);
  if (ids.length > MOST_READ) await keepRead(needs, account, watched, disputes);
  const isOfPayment = amongIds(ofPayment);
  const contesting = disputes.filter(
    (dispute) => isOfPayment(dispute.infractionId) || paymentTxids(dispute).some(isContested),
  );
  const lock = refundLock(contesting, clock.now());
  // The disputes that were read suffice for a refusal.
  if (lock.refused) return lock;
  requireAuthorized(...details);
  if (disputes.length < ids.length) return unreadable(...details);
  if (priority === "money" && ids.length > 0) {
    // The details had to wait for their turns: a dispute may have been opened meanwhile.
    const again = await settled(wallet.disputes(key, priority));
    requireAuthorized(again);
    const now = itemsOf(again);
    if (now === undefined || now.some((each) => isUntold(each) && !ids.includes(each.infractionId)))
      return unreadable(again);
  }
  return lock;
};
