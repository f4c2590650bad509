import type { Withdrawal } from "../../domain/withdrawal.ts";
import type { WithdrawChange } from "../../domain/withdraw-journal.ts";
import { mayBecome, type WithdrawOp, type WithdrawState } from "../../domain/withdraw-op.ts";
import { isOverdue, nextFollowCheck, nextUnknownCheck } from "../../domain/check-schedule.ts";
import type { WalletKey } from "../../domain/wallet-key.ts";
import { DAY, HOUR } from "../../shared/time.ts";
import type { WalletError, WalletErrorKind } from "../../shared/errors.ts";
import type { MoneyNeeds } from "./money-services.ts";
import { settled, supportCodesOf, valueOf } from "../wallet-reading.ts";
import { currentOf, quietly, takeStep } from "./withdraw-transition.ts";

/** For whom something is read: a person who waits, or the job that follows operations. */
export type Reader = "person" | "job";

/** An operation after it was looked at, with what the service said. */
export interface CheckResult {
  readonly op: WithdrawOp;
  readonly withdrawal: Withdrawal | undefined;
  readonly problem: WalletErrorKind | undefined;
  /** What leads the support to it. */
  readonly supportCodes?: readonly string[] | undefined;
}

/** Reads what the service says of a withdrawal that it took. */
export const follow = async (
  needs: MoneyNeeds,
  op: WithdrawOp & { readonly txid: string },
  key: WalletKey,
  reader: Reader,
): Promise<CheckResult> => {
  const read = await settled(needs.wallet.withdrawal(key, op.txid, priorityOf(reader)));
  if (read.ok) {
    const withdrawal = read.value;
    const moved = await followDetail(needs, op, withdrawal);
    const now = moved ?? (await stays(needs, op, withdrawal, undefined));
    // People who wait for the step do not wait for the list, which may have to wait for the account's turn.
    await learnOpenListing(needs, op, key, withdrawal, reader);
    return { op: now, withdrawal, problem: undefined };
  }
  const { error } = read;
  const supportCodes = supportCodesOf([read]);
  const nothing = { withdrawal: undefined, problem: error.kind, supportCodes };
  const status = await statusElsewhere(needs, key, op.txid, reader, error);
  const now = needs.clock.now();
  const known = status !== undefined && TOLD_BY_TRANSACTIONS.has(status);
  const to = known ? stateOf(op, status, now) : undefined;
  if (to === undefined) return { op: await stays(needs, op, undefined, error), ...nothing };
  const ends = ENDS.has(to);
  const nextCheckAt = ends ? undefined : nextFollowCheck({ ...op, state: to }, now);
  const change = { checks: op.checks + 1, nextCheckAt };
  const reason = ends ? "read_approved" : `read_${to}`;
  const step = { to, change, reason, notify: ends };
  const stepped = await takeStep(needs, op, { ...step, withdrawal: undefined });
  return { op: stepped.op, ...nothing };
};

/** Moves an operation on by what its detail says. @returns undefined when that changes no state. */
export const followDetail = async (
  needs: MoneyNeeds,
  op: WithdrawOp,
  withdrawal: Withdrawal,
): Promise<WithdrawOp | undefined> => {
  const facts = detailFacts(op, withdrawal);
  const to = stateOf({ ...op, ...facts }, withdrawal.status, needs.clock.now());
  if (to === undefined) return undefined;
  const isEnd = ENDS.has(to);
  // What the owner was asked to decide needs no decision any more: that is told too.
  const notify = isEnd || op.state === "manual";
  const after = { ...op, ...facts, state: to };
  const change = {
    ...facts,
    checks: op.checks + 1,
    nextCheckAt: isEnd ? undefined : nextFollowCheck(after, needs.clock.now()),
  };
  const step = { to, change, reason: `read_${to}`, withdrawal, notify };
  return (await takeStep(needs, op, step)).op;
};

/** Nobody's key reads the account now: hourly, in case it is connected again, for a day. */
export const checkWithoutKey = async (
  needs: MoneyNeeds,
  op: WithdrawOp,
  reader: Reader,
): Promise<CheckResult> => {
  const nothing = { withdrawal: undefined, problem: undefined };
  if (reader === "person") return { op, ...nothing };
  const now = needs.clock.now();
  if (op.state === "manual") {
    return { op: await readAgain(needs, op, nextManualCheck(op, now)), ...nothing };
  }
  const sinceMs = now.epochMilliseconds - (op.sentAt ?? op.updatedAt).epochMilliseconds;
  if (sinceMs >= KEYLESS_FOR_MS) {
    return { op: await giveUpReading(needs, op, "no_key", undefined), ...nothing };
  }
  return { op: await readAgain(needs, op, now.add({ milliseconds: HOUR })), ...nothing };
};

/** Notes a reading that ended nothing, and when to read again. Lost to somebody quicker: theirs stands. */
export const readAgain = async (
  needs: MoneyNeeds,
  op: WithdrawOp,
  nextCheckAt: Temporal.Instant | undefined,
  facts: WithdrawChange = {},
): Promise<WithdrawOp> => {
  const change = { ...facts, checks: op.checks + 1, nextCheckAt };
  const amended = await needs.journal.amend(op, change, needs.clock.now());
  return amended ?? (await currentOf(needs, op));
};

/** Hands an operation over to its owner's decision. The service is still asked, hourly. */
export const giveUpReading = async (
  needs: MoneyNeeds,
  op: WithdrawOp,
  reason: string,
  withdrawal: Withdrawal | undefined,
  facts: WithdrawChange = {},
): Promise<WithdrawOp> => {
  const nextCheckAt = needs.clock.now().add({ milliseconds: HOUR });
  const change = { ...facts, checks: op.checks + 1, nextCheckAt };
  return (await takeStep(needs, op, { to: "manual", change, reason, withdrawal, notify: true })).op;
};

/** An outcome stays unclear: it is read again on schedule, or, when its 45 minutes are over, its owner decides. */
export const stillUnclear = async (
  needs: MoneyNeeds,
  op: WithdrawOp,
  keyRefused: boolean,
  facts: WithdrawChange = {},
): Promise<WithdrawOp> => {
  const now = needs.clock.now();
  const next = nextUnknownCheck(op, now);
  if (next === undefined) return await giveUpReading(needs, op, "time_over", undefined, facts);
  return await readAgain(needs, op, keyRefused ? now.add({ milliseconds: HOUR }) : next, facts);
};

/** When a `manual` operation is read again; undefined: never. */
export const nextManualCheck = (
  op: WithdrawOp,
  now: Temporal.Instant,
): Temporal.Instant | undefined => {
  const sinceMs = now.epochMilliseconds - (op.sentAt ?? op.createdAt).epochMilliseconds;
  return sinceMs < MANUAL_READ_FOR_MS ? now.add({ milliseconds: HOUR }) : undefined;
};

export const priorityOf = (reader: Reader): (typeof PRIORITY_OF_READER)[Reader] =>
  PRIORITY_OF_READER[reader];

/** How often the list is read beside the detail of an open withdrawal of a kind that was never seen in it. */
const LEARNING_CHECKS = 2;

const PRIORITY_OF_READER = { person: "interactive", job: "background" } as const;

const STATE_OF_STATUS: Readonly<Record<string, WithdrawState>> = {
  scheduled: "scheduled",
  processing: "processing",
  completed: "completed",
  failed: "failed",
  cancelled: "cancelled",
};

const ENDS: ReadonlySet<WithdrawState> = new Set(["completed", "failed", "cancelled"]);

const TOLD_BY_TRANSACTIONS: ReadonlySet<string> = new Set(["completed", "scheduled", "processing"]);

const OPEN: ReadonlySet<string> = new Set(["scheduled", "processing"]);

/** How long the service's own word on a `manual` operation is still asked for. */
const MANUAL_READ_FOR_MS = 30 * DAY;
const KEYLESS_FOR_MS = DAY;

/** What the service's detail adds to the journal. */
export const detailFacts = (op: WithdrawOp, withdrawal: Withdrawal): WithdrawChange => ({
  amount: op.amount ?? withdrawal.amount,
  fee: withdrawal.fee,
  net: withdrawal.net,
  ...(withdrawal.scheduledFor !== undefined && { scheduledFor: withdrawal.scheduledFor }),
});

/** The state that the service names, if the operation may take it now. What is on its way needs no decision any more. */
const stateOf = (
  op: WithdrawOp,
  status: string,
  now: Temporal.Instant,
): WithdrawState | undefined => {
  const named = STATE_OF_STATUS[status];
  const underWay = named !== undefined && !ENDS.has(named);
  if (op.state === "manual" && underWay) return isOverdue(op, now) ? undefined : "accepted";
  return named !== undefined && mayBecome(op.state, named) ? named : undefined;
};

/**
 * Not every withdrawal is said to have a detail (service.md 4.3 names no split); its transaction says at least how far it
 * is, though never that it failed. Undefined: nothing of that.
 */
const statusElsewhere = async (
  needs: MoneyNeeds,
  key: WalletKey,
  txid: string,
  reader: Reader,
  error: WalletError,
): Promise<string | undefined> => {
  const passing = ["unauthorized", "rate_limited", "unavailable", "timeout", "unreachable"];
  if (passing.includes(error.kind)) return undefined;
  const read = await settled(needs.wallet.transaction(key, txid, priorityOf(reader)));
  if (!read.ok || read.value.type !== "withdrawal") return undefined;
  return read.value.status === "approved" ? "completed" : read.value.status;
};

/** Nothing changed: it is read again, or, when it is very late, its owner decides. */
const stays = async (
  needs: MoneyNeeds,
  op: WithdrawOp,
  withdrawal: Withdrawal | undefined,
  error: WalletError | undefined,
): Promise<WithdrawOp> => {
  const now = needs.clock.now();
  const facts = withdrawal === undefined ? {} : detailFacts(op, withdrawal);
  if (op.state === "manual") return await readAgain(needs, op, nextManualCheck(op, now), facts);
  const after = { ...op, ...facts };
  if (isOverdue(after, now)) return await giveUpReading(needs, op, "overdue", withdrawal);
  const refused = error?.kind === "unauthorized";
  const next = refused ? now.add({ milliseconds: HOUR }) : nextFollowCheck(after, now);
  return await readAgain(needs, op, next, facts);
};

/**
 * Notes, once for each kind, that the list holds a withdrawal of ours that is not over: only then does a list without
 * another one say anything. It is looked for at the first readings, while the withdrawal is the newest of all.
 */
const learnOpenListing = async (
  needs: MoneyNeeds,
  op: WithdrawOp & { readonly txid: string },
  key: WalletKey,
  { status }: Withdrawal,
  reader: Reader,
): Promise<void> => {
  if (!OPEN.has(status) || op.checks > LEARNING_CHECKS) return;
  if (await needs.openListings.isKnown(op.accountFp, op.kind)) return;
  const page = valueOf(await settled(needs.wallet.withdrawals(key, priorityOf(reader))));
  const row = page?.items.find(({ txid }) => txid === op.txid);
  if (row === undefined) return;
  // It may be over since its detail was read: then the list shows nothing that is open.
  const listed =
    row.status ??
    valueOf(await settled(needs.wallet.withdrawal(key, op.txid, priorityOf(reader))))?.status;
  if (listed === undefined || !OPEN.has(listed)) return;
  await quietly(needs, op, needs.openListings.note(op.accountFp, op.kind));
};
