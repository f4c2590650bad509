import {
  BALANCE_FELL,
  compareBalance,
  distanceMs,
  hasFrozenSince,
  isBeforeRequest,
  isMatch,
  mayBeOurs,
  newTxids,
  provesAbsence,
} from "./reconcile.ts";
import {
  deniedStates,
  isDenied,
  isSplit,
  isUncertain,
  splitKinds,
  uncertainStates,
  type WithdrawOp,
  type WithdrawState,
} from "./withdraw-op.ts";
import { nextAcceptedCheck } from "./check-schedule.ts";
import { isEndStatus, type Withdrawal, type WithdrawalPage } from "./withdrawal.ts";
import type { Priority, WalletKey } from "../accounts/wallet-key.ts";
import { mayAnswerLater, UserError, type WalletErrorKind } from "../shared/errors.ts";
import { amongIds } from "../shared/ids.ts";
import type { Cents } from "../shared/money.ts";
import type { MoneyNeeds } from "./money-services.service.ts";
import { problemOf, settled, valueOf } from "../shared/settled.ts";
import {
  checkLater,
  countAbsent,
  detailFacts,
  applyStatus,
  giveUpReading,
  priorityOf,
  type CheckResult,
  type Reader,
} from "./withdraw-follow.service.ts";
import { ownerIdsOf } from "./withdraw-account.service.ts";
import { noteKeyUsed, takeStep } from "./withdraw-transition.service.ts";
import { keyWritings } from "./pix-key.ts";
import { DAY, MINUTE } from "../shared/time.ts";

/**
 * The service takes three withdrawals a minute, so more new withdrawals than this are unlikely for a single operation.
 */
const MOST_CANDIDATES = 25;

/** Result of a read of the list, for an operation without a known outcome. */
type Evidence =
  | { readonly kind: "found"; readonly withdrawal: Withdrawal }
  | { readonly kind: "ambiguous" }
  | {
      readonly kind: "absent";
      /** When the list was requested, not when the last detail arrived. */
      readonly readAt: Temporal.Instant;
      readonly skewMs: number | undefined;
    }
  /** The list lacks the withdrawal, but the balance fell by its amount. */
  | { readonly kind: "contradictory" }
  | { readonly kind: "none"; readonly problem?: WalletErrorKind | undefined };

const NO_EVIDENCE: Evidence = { kind: "none" };

/** Finds the outcome of an unclear request by reading alone. Source: decisions 1.3. */
export const reconcile = async (
  needs: MoneyNeeds,
  op: WithdrawOp,
  key: WalletKey,
  reader: Reader,
): Promise<CheckResult> => {
  const evidence = await gather(needs, op, key, reader);
  if (evidence.kind === "found") return await claim(needs, op, evidence.withdrawal);
  if (evidence.kind === "absent") {
    const { readAt, skewMs } = evidence;
    return { op: await countAbsent(needs, op, readAt, skewMs, "absent_twice") };
  }
  if (evidence.kind === "ambiguous" || evidence.kind === "contradictory") {
    const fell = evidence.kind === "contradictory";
    const facts = fell ? { errorCode: BALANCE_FELL, firstAbsentAt: undefined } : {};
    if (op.state === "manual") return { op: await checkLater(needs, op, facts) };
    const reason = fell ? BALANCE_FELL : "ambiguous";
    return { op: await giveUpReading(needs, op, reason, undefined, facts) };
  }
  const { problem } = evidence;
  return { op: await checkLater(needs, op, {}, problem), problem };
};

/** Reads the list, the balance and the details of new withdrawals, and weighs them as evidence. */
export const gather = async (
  needs: MoneyNeeds,
  op: WithdrawOp,
  key: WalletKey,
  reader: Reader,
): Promise<Evidence> => {
  const priority = priorityOf(reader);
  const pixKey = await needs.journal.pixKeyOf(op.id);
  const readAt = needs.clock.now();
  const [read, balance] = await Promise.all([
    settled(needs.wallet.withdrawals(key, priority)),
    isSplit(op.kind) ? undefined : settled(needs.wallet.balance(key, priority)),
  ]);
  if (!read.ok) return { kind: "none", problem: problemOf(read.error) };
  if (pixKey === undefined) return NO_EVIDENCE;
  const candidates = newTxids(read.value, op, await needs.journal.heldTxids(op.accountFp));
  const details = await Promise.all(
    candidates
      .slice(0, MOST_CANDIDATES)
      .map((txid) => settled(needs.wallet.withdrawal(key, txid, priority))),
  );
  const readable = details.map(valueOf).filter((detail) => detail !== undefined);
  const matches = readable.filter((detail) => isMatch(op, pixKey, detail));
  const [match] = matches;
  if (matches.length > 1) return { kind: "ambiguous" };
  // An unreadable withdrawal may be ours, which disproves both absence and a single match.
  if (readable.length < candidates.length) {
    const problems = details.flatMap((detail) => (detail.ok ? [] : problemOf(detail.error)));
    return { kind: "none", problem: problems.find(mayAnswerLater) };
  }
  if (match !== undefined) {
    // Without the list or the service's clock from before the request, an older withdrawal may match.
    if (op.preTxids === undefined) return { kind: "ambiguous" };
    const ops = await deniedOps(needs, op.accountFp, await ownerIdsOf(needs, op.accountFp));
    const denied = await fittingPairs(needs, ops.filter(isDenied), [match]);
    return denied.length > 0 ? { kind: "ambiguous" } : { kind: "found", withdrawal: match };
  }
  if (readable.some((detail) => mayBeOurs(op, pixKey, detail))) return NO_EVIDENCE;
  const available = balance && valueOf(balance)?.available;
  const frozen = (): Promise<number> => frozenSince(needs, op, key, priority);
  return await weighAbsence(needs, op, read.value, available, readable, readAt, frozen);
};

/** Assumed longest time from the contest at the bank, which the list tells, to the freeze; the document does not say. */
const FROZEN_WITHIN_MS = DAY;

/** The sum that disputes opened since the request have frozen, as far as they can be read. */
const frozenSince = async (
  { wallet }: MoneyNeeds,
  op: WithdrawOp,
  key: WalletKey,
  priority: Priority,
): Promise<number> => {
  const list = valueOf(await settled(wallet.disputes(key, priority)));
  const earliestMs = (op.sentAt ?? op.createdAt).epochMilliseconds - FROZEN_WITHIN_MS;
  const recent = (list?.items ?? []).filter(
    ({ contestedAt }) => (contestedAt?.epochMilliseconds ?? Infinity) >= earliestMs,
  );
  const details = await Promise.all(
    recent
      .slice(0, MOST_DETAILS)
      .map(({ infractionId }) => settled(wallet.dispute(key, infractionId, priority))),
  );
  const read = details.map(valueOf).filter((detail) => detail !== undefined);
  const froze = read.filter((detail) => hasFrozenSince(op, detail));
  return froze.reduce((sum, { frozen }) => sum + frozen, 0);
};

/**
 * Weighs absence: no withdrawal in the list can belong to the operation.
 * @param frozen reads the sum that disputes froze since; asked only when the balance fell
 */
const weighAbsence = async (
  needs: MoneyNeeds,
  op: WithdrawOp,
  page: WithdrawalPage,
  balance: Cents | undefined,
  others: readonly Withdrawal[],
  readAt: Temporal.Instant,
  frozen: () => Promise<number>,
): Promise<Evidence> => {
  const split = isSplit(op.kind);
  const withdrawn = others.reduce((sum, { amount }) => sum + amount, 0);
  // A refund lowers the balance too, by an amount that the document does not tell: at most the gross.
  const refunded = await needs.journal.refundedSince(op.accountFp, op.sentAt ?? op.createdAt);
  const explained = withdrawn + refunded;
  const word = compareBalance(op, balance, explained, readAt);
  if (word === "fell") {
    const isFreeze =
      op.errorCode !== BALANCE_FELL &&
      compareBalance(op, balance, explained + (await frozen()), readAt) !== word;
    return isFreeze ? NO_EVIDENCE : { kind: "contradictory" };
  }
  if (word !== "stayed" && !split) return NO_EVIDENCE;
  if (!(await needs.openListings.isKnown(op.accountFp, op.kind))) return NO_EVIDENCE;
  const splits = split ? await needs.journal.heldTxids(op.accountFp, splitKinds) : [];
  const { skewMs } = page;
  return provesAbsence(page, op, splits) ? { kind: "absent", readAt, skewMs } : NO_EVIDENCE;
};

/** Assigns the single matching withdrawal to the operation, whether it is open or has ended. */
export const claim = async (
  needs: MoneyNeeds,
  op: WithdrawOp,
  withdrawal: Withdrawal,
): Promise<CheckResult> => {
  const now = needs.clock.now();
  const facts = { ...detailFacts(op, withdrawal), txid: withdrawal.txid };
  const completed = withdrawal.status === "completed";
  const to = completed ? "completed" : "accepted";
  const nextCheckAt = completed
    ? undefined
    : nextAcceptedCheck({ ...op, ...facts, state: to }, now);
  const change = { ...facts, nextCheckAt };
  // `applyStatus` below sends the message about a failed or cancelled withdrawal.
  const notify = completed || !isEndStatus(withdrawal.status);
  const step = { to, change, reason: `found_${to}`, withdrawal, notify } as const;
  const stepped = await takeStep(needs, op, step);
  if (stepped.kind === "txid_taken") return { op: await checkLater(needs, op) };
  if (stepped.kind !== "moved") return { op: stepped.op, withdrawal };
  await noteKeyUsed(needs, stepped.op);
  const followed = await applyStatus(needs, stepped.op, withdrawal.status, withdrawal);
  return { op: followed ?? stepped.op, withdrawal };
};

/**
 * An operation that was denied (refused, or absent from the list), and the withdrawal which proves that it happened.
 */
export interface DeniedMade {
  readonly op: WithdrawOp;
  readonly withdrawal: Withdrawal;
}

/** Those of the withdrawals that can be read, by the given spelling of their txids. */
export const detailsOf = async (
  { wallet }: Pick<MoneyNeeds, "wallet">,
  key: WalletKey,
  txids: readonly string[],
  priority: Priority,
): Promise<ReadonlyMap<string, Withdrawal>> => {
  const read = await Promise.all(
    txids.map(
      async (txid) =>
        [txid, valueOf(await settled(wallet.withdrawal(key, txid, priority)))] as const,
    ),
  );
  return new Map(
    read.flatMap(([txid, detail]) => (detail ? [[txid, { ...detail, txid }] as const] : [])),
  );
};

export const earlierWasMade = (op: WithdrawOp, askerId: string): UserError =>
  new UserError({
    kind: "earlier_was_made",
    opId: op.ownerId === askerId ? op.id : undefined,
  });

const MOST_DETAILS = 10;
const RECENT_MS = 7 * DAY;
/**
 * A refused request can only have made a withdrawal while it ran; a later withdrawal was made elsewhere by the owner.
 */
const REFUSED_WITHIN_MS = MINUTE;

/** Without a known outcome. A withdrawal that fits such an operation may be its own, so no other operation takes it. */
const isUndecided = ({ state }: WithdrawOp): boolean => state === "sending" || isUncertain(state);

/**
 * Recent operations of the wallet account that were denied, by the service or by its list, together with undecided and
 * hand-decided operations without a txid. Empty when there is no denial, which is nearly always.
 */
export const deniedOps = async (
  { journal, clock }: Pick<MoneyNeeds, "journal" | "clock">,
  accountFp: string,
  ownerIds: readonly string[],
): Promise<readonly WithdrawOp[]> => {
  const since = clock.now().subtract({ milliseconds: RECENT_MS });
  const sent = (states: readonly WithdrawState[]): Promise<readonly WithdrawOp[]> =>
    journal.withoutTxid({ accountFp, ownerIds, states, since });
  const denied = await sent(deniedStates);
  if (denied.length === 0) return [];
  return [...denied, ...(await sent(["sending", ...uncertainStates, "resolved_manual"]))];
};

/** The account's withdrawals without a txid that a person decided by hand. */
export const handDecided = async (
  { journal }: Pick<MoneyNeeds, "journal">,
  accountFp: string,
  ownerIds: readonly string[],
  resolution: "happened" | "did_not_happen",
): Promise<readonly WithdrawOp[]> => {
  const since = Temporal.Instant.fromEpochMilliseconds(0);
  if (resolution === "happened")
    return await journal.withoutTxid({ accountFp, ownerIds, states: ["resolved_manual"], since });
  const declared = await journal.declaredNotMade(accountFp);
  return declared.filter(
    ({ txid, ownerId, resolvedBy = ownerId }) =>
      txid === undefined && [ownerId, resolvedBy].some((id) => ownerIds.includes(id)),
  );
};

/**
 * Finds the withdrawals that denied operations must have made. An operation makes at most one withdrawal, so pairs are
 * taken in order: withdrawals dated after the request first, operations decided by hand before denied operations, then
 * the nearest in time. A withdrawal that fits an undecided operation is left out.
 */
export const deniedAmong = async (
  needs: Pick<MoneyNeeds, "journal" | "hashPixKey">,
  ops: readonly WithdrawOp[],
  details: ReadonlyMap<string, Withdrawal>,
): Promise<readonly DeniedMade[]> => {
  const pairs = (await fittingPairs(needs, ops, [...details.values()])).toSorted(
    (a, b) =>
      Number(isBeforeRequest(a.op, a.withdrawal)) - Number(isBeforeRequest(b.op, b.withdrawal)) ||
      Number(isDenied(a.op)) - Number(isDenied(b.op)) ||
      distanceMs(a.op, a.withdrawal) - distanceMs(b.op, b.withdrawal),
  );
  const open = pairs.filter(({ op }) => isUndecided(op));
  const placed = new Set(open.flatMap(({ op, withdrawal }) => [op.id, withdrawal.txid]));
  return pairs.filter(({ op, withdrawal }) => {
    if (placed.has(op.id) || placed.has(withdrawal.txid)) return false;
    placed.add(op.id).add(withdrawal.txid);
    return isDenied(op);
  });
};

/** All pairs of an operation and a withdrawal that it may have made. */
export const fittingPairs = async (
  { journal, hashPixKey }: Pick<MoneyNeeds, "journal" | "hashPixKey">,
  ops: readonly WithdrawOp[],
  withdrawals: readonly Withdrawal[],
): Promise<readonly DeniedMade[]> => {
  const made: DeniedMade[] = [];
  for (const op of withdrawals.length === 0 ? [] : ops) {
    const wasListed = amongIds(op.preTxids ?? []);
    const kept = await journal.pixKeyOf(op.id);
    const latestMs = op.state === "rejected" ? REFUSED_WITHIN_MS : undefined;
    for (const withdrawal of withdrawals) {
      // The clear key is erased when its owner disconnects; its hash still recognises an unmasked key.
      const pixKey =
        kept ?? keyWritings(withdrawal.pixKey).find((value) => hashPixKey(value) === op.pixKeyHash);
      if (pixKey === undefined) continue;
      const isNew = !wasListed(withdrawal.txid);
      if (isNew && isMatch(op, pixKey, withdrawal, latestMs)) made.push({ op, withdrawal });
    }
  }
  return made;
};
