import { isEndStatus, isOpenStatus, type Withdrawal } from "./withdrawal.ts";
import type { ReadFacts } from "./withdraw-facts.ts";
import type { WithdrawChange } from "./withdraw-journal.ts";
import { mayBecome, type WithdrawOp, type WithdrawState } from "./withdraw-op.ts";
import {
  isOverdue,
  LONGEST_UNKNOWN_WAIT_MS,
  LONGEST_WAIT_MS,
  nextAcceptedCheck,
  nextManualCheck,
  nextUnknownCheck,
  unknownSince,
} from "./check-schedule.ts";
import { countAbsence } from "./reconcile.ts";
import type { Priority, WalletKey } from "../accounts/wallet-key.ts";
import { DAY } from "../shared/time.ts";
import { concernsRequestAlone, mayAnswerLater, type WalletErrorKind } from "../shared/errors.ts";
import { amongIds } from "../shared/ids.ts";
import type { MoneyNeeds } from "./money-services.service.ts";
import { problemOf, settled, supportCodesOf, valueOf } from "../shared/settled.ts";
import { currentOf, quietly, takeStep } from "./withdraw-transition.service.ts";

/** A waiting person, or the job that follows operations. */
export type Reader = "person" | "job";

/** An operation after a check, with the service's answer. */
export interface CheckResult extends ReadFacts {
  readonly op: WithdrawOp;
  /** Its transaction's status, where the detail cannot be read. */
  readonly status?: string | undefined;
}

/** Reads the state of a withdrawal that the service accepted. */
export const checkAccepted = async (
  needs: MoneyNeeds,
  op: WithdrawOp & { readonly txid: string },
  key: WalletKey,
  reader: Reader,
): Promise<CheckResult> => {
  const read = await settled(needs.wallet.withdrawal(key, op.txid, priorityOf(reader)));
  if (read.ok) {
    const withdrawal = read.value;
    const moved = await applyStatus(needs, op, withdrawal.status, withdrawal);
    const now = moved ?? (await keepState(needs, op, withdrawal));
    // The step comes first: reading the list may wait for the account's quota.
    await learnOpenListing(needs, op, key, withdrawal, reader);
    return { op: now, withdrawal };
  }
  const told = concernsRequestAlone(read.error)
    ? await statusOfTransaction(needs, key, op.txid, priorityOf(reader))
    : {};
  const { status } = told;
  const isAwaited = told.problem !== undefined && mayAnswerLater(told.problem);
  const problem = isAwaited ? told.problem : problemOf(read.error);
  const isTelling = status === "completed" || isOpenStatus(status);
  const moved = isTelling ? await applyStatus(needs, op, status) : undefined;
  const now = moved ?? (await keepState(needs, op, undefined, problem));
  return { op: now, status, problem, supportCodes: supportCodesOf([read]) };
};

/** Applies the service's status, and its detail where it could be read. @returns undefined when the state stays the same */
export const applyStatus = async (
  needs: MoneyNeeds,
  op: WithdrawOp,
  status: string,
  withdrawal?: Withdrawal,
): Promise<WithdrawOp | undefined> => {
  const facts = withdrawal === undefined ? {} : detailFacts(op, withdrawal);
  const now = needs.clock.now();
  const to = stateOf({ ...op, ...facts }, status, now);
  if (to === undefined) return undefined;
  const ends = isEndStatus(to);
  const nextCheckAt = ends ? undefined : nextAcceptedCheck({ ...op, ...facts, state: to }, now);
  const reason = ends && withdrawal === undefined ? "read_approved" : `read_${to}`;
  // An end is told by message, and that a question to the owner became needless.
  const notify = ends || op.state === "manual";
  const change = { ...facts, nextCheckAt };
  return (await takeStep(needs, op, { to, change, reason, withdrawal, notify })).op;
};

/**
 * For an account without a connection: retries for a day, in case it is connected again, then hands over to the
 * owner.
 */
export const checkWithoutKey = async (
  needs: MoneyNeeds,
  op: WithdrawOp,
  reader: Reader,
): Promise<CheckResult> => {
  const withoutKey = true;
  if (reader === "person") return { op, withoutKey };
  if (op.state === "manual") return { op: await checkLater(needs, op), withoutKey };
  const now = needs.clock.now();
  const sinceMs = now.epochMilliseconds - (op.sentAt ?? op.updatedAt).epochMilliseconds;
  if (sinceMs >= KEYLESS_FOR_MS)
    return { op: await giveUpReading(needs, op, "no_key", undefined), withoutKey };
  const waitMs = op.state === "unknown" ? LONGEST_UNKNOWN_WAIT_MS : LONGEST_WAIT_MS;
  return { op: await readAgain(needs, op, now.add({ milliseconds: waitMs })), withoutKey };
};

/** Stores a read without a result, and the time of the next read. A concurrent change by another process wins. */
const readAgain = async (
  needs: MoneyNeeds,
  op: WithdrawOp,
  nextCheckAt: Temporal.Instant | undefined,
  facts: WithdrawChange = {},
): Promise<WithdrawOp> => {
  const change = { ...facts, checks: op.checks + 1, nextCheckAt };
  const amended = await needs.journal.amend(op, change, needs.clock.now());
  return amended ?? (await currentOf(needs, op));
};

/** Hands an operation over to its owner's decision; the service is still read hourly. */
export const giveUpReading = async (
  needs: MoneyNeeds,
  op: WithdrawOp,
  reason: string,
  withdrawal: Withdrawal | undefined,
  facts: WithdrawChange = {},
): Promise<WithdrawOp> => {
  const change = {
    ...facts,
    nextCheckAt: needs.clock.now().add({ milliseconds: LONGEST_WAIT_MS }),
  };
  const withoutKey = reason === "no_key";
  const step = { to: "manual", change, reason, withdrawal, withoutKey, notify: true } as const;
  return (await takeStep(needs, op, step)).op;
};

/** Schedules the next read after a read without a verdict. `problem`: why it failed, if it did. */
export const checkLater = async (
  needs: MoneyNeeds,
  op: WithdrawOp,
  facts: WithdrawChange = {},
  problem?: WalletErrorKind,
): Promise<WithdrawOp> =>
  op.state === "manual"
    ? await readAgain(needs, op, nextManualCheck(op, needs.clock.now()), facts)
    : await stillUnclear(needs, op, facts, problem);

/** Counts a reading that proved absence; `skewMs` is the service's clock minus ours then. The second one ends it. */
export const countAbsent = async (
  needs: MoneyNeeds,
  op: WithdrawOp,
  readAt: Temporal.Instant,
  skewMs: number | undefined,
  reason: "absent_twice" | "still_approved",
): Promise<WithdrawOp> => {
  const { concluded, ...change } = countAbsence(op, readAt, skewMs);
  if (!concluded || !mayBecome(op.state, "not_executed")) {
    return await checkLater(needs, op, change);
  }
  return (await takeStep(needs, op, { to: "not_executed", change, reason, notify: true })).op;
};

/** Schedules the next read of an unknown outcome; after 45 minutes hands over to the owner. */
const stillUnclear = async (
  needs: MoneyNeeds,
  op: WithdrawOp,
  facts: WithdrawChange,
  problem: WalletErrorKind | undefined,
): Promise<WithdrawOp> => {
  const now = needs.clock.now();
  const next = nextUnknownCheck(op, now);
  if (next === undefined) return await giveUpReading(needs, op, "time_over", undefined, facts);
  const since = unknownSince(op, now);
  const isSetBack = op.sentAt !== undefined && Temporal.Instant.compare(since, op.sentAt) < 0;
  const wait =
    problem === "unauthorized" ? now.add({ milliseconds: LONGEST_UNKNOWN_WAIT_MS }) : next;
  return await readAgain(needs, op, wait, { ...facts, ...(isSetBack && { setBackAt: since }) });
};

export const priorityOf = (reader: Reader): "interactive" | "background" =>
  reader === "person" ? "interactive" : "background";

/** Number of checks in which the list is read beside the detail, for a kind not yet seen open in the list. */
const LEARNING_CHECKS = 2;

const KEYLESS_FOR_MS = DAY;

/** Facts of the service's detail that the journal keeps. */
export const detailFacts = (op: WithdrawOp, withdrawal: Withdrawal): WithdrawChange => ({
  amount: op.amount ?? withdrawal.amount,
  fee: withdrawal.fee,
  net: withdrawal.net,
  ...(withdrawal.scheduledFor !== undefined && { scheduledFor: withdrawal.scheduledFor }),
});

/**
 * The state that the service names, if the operation may take it now. A withdrawal under way takes the decision back
 * from its owner; a decision that was made stays, and the look at the list tells of one that was wrong.
 */
const stateOf = (
  op: WithdrawOp,
  status: string,
  now: Temporal.Instant,
): WithdrawState | undefined => {
  if (op.state === "resolved_manual") return undefined;
  const isUnderWay = isOpenStatus(status);
  if (op.state === "manual" && isUnderWay) return isOverdue(op, now) ? undefined : "accepted";
  const isNamed = isUnderWay || isEndStatus(status);
  return isNamed && mayBecome(op.state, status) ? status : undefined;
};

/**
 * State of a withdrawal without a readable detail, from its transaction: service.md 4.3 documents no detail for
 * splits. A transaction never says that a withdrawal failed. Without a status when the transaction does not tell.
 */
export const statusOfTransaction = async (
  { wallet }: Pick<MoneyNeeds, "wallet">,
  key: WalletKey,
  txid: string,
  priority: Priority,
): Promise<Pick<CheckResult, "status" | "problem">> => {
  const read = await settled(wallet.transaction(key, txid, priority));
  if (!read.ok) return { problem: problemOf(read.error) };
  if (read.value.type !== "withdrawal") return {};
  return { status: read.value.status === "approved" ? "completed" : read.value.status };
};

/** Handles an unchanged state: schedules the next read or, when the withdrawal is long overdue, asks the owner. */
export const keepState = async (
  needs: MoneyNeeds,
  op: WithdrawOp,
  withdrawal: Withdrawal | undefined,
  problem?: WalletErrorKind,
): Promise<WithdrawOp> => {
  const facts = withdrawal === undefined ? {} : detailFacts(op, withdrawal);
  if (op.state === "manual") return await checkLater(needs, op, facts);
  const now = needs.clock.now();
  const after = { ...op, ...facts };
  if (isOverdue(after, now)) return await giveUpReading(needs, op, "overdue", withdrawal);
  const next =
    problem === "unauthorized"
      ? now.add({ milliseconds: LONGEST_WAIT_MS })
      : nextAcceptedCheck(after, now);
  return await readAgain(needs, op, next, facts);
};

/**
 * Notes, once for each kind, that the service lists open withdrawals: only then does absence from the list prove
 * anything. Only the first checks look, while the withdrawal is the newest in the list.
 */
const learnOpenListing = async (
  needs: MoneyNeeds,
  op: WithdrawOp & { readonly txid: string },
  key: WalletKey,
  { status }: Withdrawal,
  reader: Reader,
): Promise<void> => {
  if (!isOpenStatus(status) || op.checks > LEARNING_CHECKS) return;
  if (await needs.openListings.isKnown(op.accountFp, op.kind)) return;
  const page = valueOf(await settled(needs.wallet.withdrawals(key, priorityOf(reader))));
  const isThis = amongIds([op.txid]);
  const row = page?.items.find(({ txid }) => isThis(txid));
  if (row === undefined) return;
  // A row without a status is read in detail: the withdrawal may have ended since.
  const listed =
    row.status ??
    valueOf(await settled(needs.wallet.withdrawal(key, op.txid, priorityOf(reader))))?.status;
  if (!isOpenStatus(listed)) return;
  await quietly(needs, op, needs.openListings.note(op.accountFp, op.kind));
};
