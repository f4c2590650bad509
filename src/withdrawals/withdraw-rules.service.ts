import type { SeenPixKey } from "./pix-key-book.store.ts";
import type { MoneyGuards } from "../money-guards/money-guards.ts";
import {
  isLocking,
  isOpen,
  isSplit,
  isUncertain,
  isWithdrawal,
  type LateRefusal,
  sentStates,
  wasMade,
  type WithdrawKind,
  type WithdrawOp,
} from "./withdraw-op.ts";
import { MINIMUM_WITHDRAWAL, type RecentWithdrawal, recentWithdrawal } from "./withdraw-limits.ts";
import { isReturned, type WithdrawalPage } from "./withdrawal.ts";
import { DAY, earlierInstant } from "../shared/time.ts";
import { isUnreached, UserError } from "../shared/errors.ts";
import { type Cents, cents } from "../shared/money.ts";
import { guardDelivery, guardsOf } from "../money-guards/money-guards.service.ts";
import type { MoneyNeeds } from "./money-services.service.ts";
import type { Account } from "../accounts/account.ts";
import type { WalletKey } from "../accounts/wallet-key.ts";
import { type Result, settled } from "../shared/settled.ts";

/** Operations of an owner that can be open at once, or about to be sent. */
const MOST_OPEN = 50;

/**
 * Whether the person may decide an operation in its owner's stead: it locks the account, its owner has removed every
 * key of that account, and the person has one that the service accepts.
 */
export const mayDecideFor = async (
  { connectionsOf }: Pick<MoneyNeeds, "connectionsOf">,
  op: WithdrawOp,
  userId: string,
): Promise<boolean> => {
  if (op.state !== "manual" || !isLocking(op)) return false;
  const connections = await connectionsOf(op.accountFp);
  const isGone = connections.every(({ ownerId }) => ownerId !== op.ownerId);
  return isGone && hasWorkingKey(connections, userId);
};

/** Whether the person has a key of the account that the service accepts. */
export const hasWorkingKey = (connections: readonly Account[], userId: string): boolean =>
  connections.some(({ ownerId, pausedAt }) => ownerId === userId && pausedAt === undefined);

/** The error for an account with an open withdrawal. Only who may decide about that withdrawal sees its code. */
export const busyError = async (
  needs: Pick<MoneyNeeds, "connectionsOf">,
  lock: WithdrawOp | undefined,
  userId: string,
): Promise<UserError> => {
  if (lock !== undefined && (await mayDecideFor(needs, lock, userId))) {
    const { id: opId, amount, sentAt } = lock;
    return new UserError({ kind: "left_undecided", opId, amount, sentAt });
  }
  return new UserError({
    kind: "account_busy",
    opId: lock?.ownerId === userId ? lock.id : undefined,
    why: isUncertain(lock?.state) ? lock.state : "in_progress",
  });
};

/**
 * The error for a payment with an open refund, or one that was made, of any person. Only the owner of an open
 * refund sees its code. The service may show a refunded payment as approved for a while.
 */
export const earlierRefundError = async (
  { journal }: Pick<MoneyNeeds, "journal">,
  paymentTxid: string | undefined,
  ownerId: string,
): Promise<UserError | undefined> => {
  const refunds = await journal.refundsOf(paymentTxid ?? "");
  if (refunds.some(wasMade)) return new UserError({ kind: "payment_refunded" });
  const open = refunds.find(({ state }) => isOpen(state));
  if (open === undefined) return undefined;
  const opId = open.ownerId === ownerId ? open.id : undefined;
  const isAsked = opId !== undefined && open.state === "manual";
  return new UserError({ kind: "refund_busy", opId, ...(isAsked && { why: "manual" }) });
};

/** @throws UserError withdrawals_disabled, refunds_disabled */
export const requireEnabled = (
  needs: Pick<MoneyNeeds, "withdrawEnabled" | "refundEnabled">,
  kind: WithdrawKind,
): void => {
  if (kind === "refund") {
    if (!needs.refundEnabled) throw new UserError({ kind: "refunds_disabled" });
    return;
  }
  if (!isSplit(kind) && !needs.withdrawEnabled) {
    throw new UserError({ kind: "withdrawals_disabled" });
  }
};

/**
 * A refund of unknown outcome blocks its payment alone, and a withdrawal of unknown outcome blocks no refund: the
 * payment's own status tells whether it was refunded.
 * @throws UserError money_locked, account_busy, left_undecided, refund_busy, payment_refunded, split_under_cap
 */
export const requireFree = async (
  needs: MoneyNeeds,
  guards: MoneyGuards,
  intent: Pick<WithdrawOp, "accountFp" | "kind"> & Partial<Pick<WithdrawOp, "targetTxid">>,
): Promise<void> => {
  if (guards.lockedAt !== undefined) {
    throw new UserError({ kind: "money_locked", until: guards.unlockAt });
  }
  if (intent.kind === "refund") {
    const earlier = await earlierRefundError(needs, intent.targetTxid, guards.ownerId);
    if (earlier !== undefined) throw earlier;
    return;
  }
  const lock = await needs.journal.lockOf(intent.accountFp);
  if (lock !== undefined) throw await busyError(needs, lock, guards.ownerId);
  if (isSplit(intent.kind) && guards.dailyCap !== undefined) {
    throw new UserError({ kind: "split_under_cap", cap: guards.dailyCap });
  }
};

/** @throws UserError balance_below_minimum, amount_below_minimum */
export const requireAmount = (amount: Cents, available: Cents | undefined): void => {
  const minimum = MINIMUM_WITHDRAWAL;
  // Under such a balance every amount is refused: a smaller one and the whole as well.
  if (available !== undefined && available < minimum)
    throw new UserError({ kind: "balance_below_minimum", available, minimum });
  if (amount < minimum) throw new UserError({ kind: "amount_below_minimum", amount, minimum });
};

/** The amount that the owner sent, or may have sent, in the last 24 hours. */
export const spentInADay = (
  { journal, clock }: Pick<MoneyNeeds, "journal" | "clock">,
  ownerId: string,
): Promise<Cents> => journal.spentSince(ownerId, clock.now().subtract({ milliseconds: DAY }));

/** The account's last withdrawal of the past 24 hours, by the list as it was read and the journal, which last sent one `sentAt`. */
export const recentOf = async (
  { journal }: Pick<MoneyNeeds, "journal">,
  accountFp: string,
  known: {
    readonly sentAt: Temporal.Instant | undefined;
    readonly page: WithdrawalPage | undefined;
    readonly claimed: ReadonlyMap<string, string>;
  },
  now: Temporal.Instant,
): Promise<RecentWithdrawal | undefined> => {
  const { sentAt, page, claimed } = known;
  const recent = recentWithdrawal(sentAt, page, now);
  if (recent === undefined) return undefined;
  const keptAt = await journal.lastSentAt(accountFp, sentStates);
  // Of its own operations the journal knows the end, which the list need not tell.
  const kept = page && {
    ...page,
    items: page.items.filter(({ txid, status }) => !isReturned(status) && !claimed.has(txid)),
  };
  return { ...recent, isUnpaid: recentWithdrawal(keptAt, kept, now) === undefined };
};

/** Withdrawals of the last 24 hours with an unknown outcome count too. @throws UserError daily_cap_exceeded */
export const requireUnderCap = async (
  needs: MoneyNeeds,
  guards: MoneyGuards,
  { amount, isRefund = false }: { readonly amount: Cents | undefined; readonly isRefund?: boolean },
): Promise<void> => {
  const cap = guards.dailyCap;
  if (cap === undefined || amount === undefined) return;
  const spent = await spentInADay(needs, guards.ownerId);
  if (spent + amount <= cap) return;
  const left = cents(Math.max(cap - spent, 0));
  const noLess = isRefund ? "refund" : left < MINIMUM_WITHDRAWAL ? "below_minimum" : undefined;
  throw new UserError({ kind: "daily_cap_exceeded", amount, cap, left, noLess });
};

/**
 * Whether another withdrawal of the account was sent, or found made, after this confirmation was shown: by the order
 * of the steps, which holds though the clock was set back.
 */
export const wasSentMeanwhile = async (
  { journal }: Pick<MoneyNeeds, "journal">,
  op: Pick<WithdrawOp, "kind" | "accountFp" | "id">,
): Promise<boolean> => isWithdrawal(op.kind) && (await journal.wasSentSinceShown(op));

/**
 * Last check before the request. Since the click, the owner may have locked money, or another withdrawal of the
 * account may have been sent. Two accounts of the owner may also be about to send, each within the cap; the later of
 * the two checks sees the other operation as confirmed or sent.
 * @returns why the withdrawal must not be sent, as a short code
 */
export const lateRefusal = async (
  needs: MoneyNeeds,
  op: WithdrawOp,
): Promise<LateRefusal | undefined> => {
  if (op.kind === "cancel") return undefined;
  const guards = await guardsOf(needs, op.ownerId);
  if (guards.lockedAt !== undefined) return "money_locked";
  if (await wasSentMeanwhile(needs, op)) return "sent_meanwhile";
  const cap = guards.dailyCap;
  if (cap === undefined) return undefined;
  if (isSplit(op.kind)) return "daily_cap";
  const { ownerId } = op;
  // Read first: an operation that is sent between the two reads is counted twice rather than missed.
  const about = await needs.journal.list({ ownerId, states: ["confirmed"], limit: MOST_OPEN });
  const sent = await spentInADay(needs, ownerId);
  const counted = about.filter(({ kind }) => kind !== "cancel").map(({ amount }) => amount ?? 0);
  return counted.reduce<number>((sum, amount) => sum + amount, sent) > cap
    ? "daily_cap"
    : undefined;
};

/**
 * The same for a cancellation: since its question the withdrawal may have begun, or been cancelled by another request.
 * One that cannot be read is left to the service.
 */
export const lateCancelRefusal = async (
  { wallet }: Pick<MoneyNeeds, "wallet">,
  { kind, targetTxid = "" }: WithdrawOp,
  key: WalletKey,
): Promise<LateRefusal | undefined> => {
  if (kind !== "cancel") return undefined;
  const read = await settled(wallet.withdrawal(key, targetTxid, "money"));
  return read.ok && read.value.status !== "scheduled" ? "not_cancellable" : undefined;
};

/** When an unused key may be used, by its own wait or the end of all; undefined: now. */
const keyWaitsUntil = (
  guards: MoneyGuards,
  seen: SeenPixKey,
  now: Temporal.Instant,
): Temporal.Instant | undefined => {
  if (!guards.newKeyWait || seen.lastUsedAt !== undefined) return undefined;
  const own = seen.firstSeenAt.add({ milliseconds: DAY });
  const until = earlierInstant(own, guards.newKeyWaitEndsAt);
  return Temporal.Instant.compare(now, until) < 0 ? until : undefined;
};

/** Notes the key, and sends its owner a message when its wait begins. @throws UserError not_connected, new_key_waits */
export const noteKey = async (
  needs: MoneyNeeds,
  owner: Parameters<typeof guardDelivery>[1],
  guards: MoneyGuards,
  key: Parameters<MoneyNeeds["pixKeys"]["noteSeen"]>[1],
  amount: Cents | undefined,
): Promise<SeenPixKey> => {
  const now = needs.clock.now();
  const seen = await needs.pixKeys.noteSeen(owner.userId, key, now);
  // The owner may have disconnected while the service was asked. The row of a used key was there, and went with the others.
  const isNew = seen.lastUsedAt === undefined;
  if (isNew && !(await needs.pixKeys.stay(owner.userId)))
    throw new UserError({ kind: "not_connected" });
  const until = keyWaitsUntil(guards, seen, now);
  if (until === undefined) return seen;
  const { hash, masked: pixKeyMasked } = key;
  const subject = `new_key|${hash}|${seen.firstSeenAt.toString()}`;
  const news = { change: "new_key", from: until, pixKeyMasked, amount } as const;
  await needs.enqueue(guardDelivery(needs, owner, news, subject), now);
  needs.wake();
  throw new UserError({ kind: "new_key_waits", pixKeyMasked, until });
};

export const isUnreachedRead = (
  read: Result<unknown>,
): read is Result<unknown> & { readonly ok: false } => !read.ok && isUnreached(read.error);

/**
 * Makes sure that the service answers: an unanswered request that moves money would leave its outcome in doubt. Two
 * reads without an answer of the service mean down: a proxy that keeps reads away keeps the request away as well. Any
 * error answer in JSON, such as a missing listing, means up.
 * @throws UserError service_down
 */
export const requireAnswering = async (
  { wallet }: Pick<MoneyNeeds, "wallet">,
  key: WalletKey,
): Promise<void> => {
  const balance = await settled(wallet.balance(key, "money"));
  if (!isUnreachedRead(balance)) return;
  if (isUnreachedRead(await settled(wallet.withdrawals(key, "money"))))
    throw new UserError({ kind: "service_down" }, balance.error);
};
