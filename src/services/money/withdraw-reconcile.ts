import {
  BALANCE_FELL,
  balanceWord,
  countAbsence,
  isMatch,
  mayBeOurs,
  newTxids,
  provesAbsence,
} from "../../domain/reconcile.ts";
import { isSplit, mayBecome, type WithdrawOp } from "../../domain/withdraw-op.ts";
import { nextFollowCheck } from "../../domain/check-schedule.ts";
import type { WithdrawChange } from "../../domain/withdraw-journal.ts";
import type { Withdrawal, WithdrawalPage } from "../../domain/withdrawal.ts";
import type { WalletKey } from "../../domain/wallet-key.ts";
import type { WalletErrorKind } from "../../shared/errors.ts";
import type { Cents } from "../../shared/money.ts";
import type { MoneyNeeds } from "./money-needs.ts";
import { reading, valueOf } from "../wallet-reading.ts";
import { deniedOf } from "./withdraw-denied.ts";
import { factsOf, followDetail, laneOf } from "./withdraw-follow.ts";
import {
  giveUpReading,
  type Look,
  nextManualCheck,
  readAgain,
  type Reader,
  stillUnclear,
} from "./withdraw-look.ts";
import { noteKeyUsed } from "./withdraw-side-notes.ts";
import { takeStep } from "./withdraw-step.ts";

/** The service takes three withdrawals a minute: more new ones than this are no business of one operation. */
const MOST_CANDIDATES = 25;

/** What one reading of the list says of an operation whose outcome is not known. */
type Evidence =
  | { readonly kind: "found"; readonly withdrawal: Withdrawal }
  | { readonly kind: "ambiguous" }
  | {
      readonly kind: "absent";
      /** When the list was asked for, not when its last detail came. */
      readonly readAt: Temporal.Instant;
      readonly skewMs: number | undefined;
    }
  /** The list does not show it, and the balance is lower by its amount. */
  | { readonly kind: "contradictory" }
  | { readonly kind: "none"; readonly problem: WalletErrorKind | undefined };

const NO_EVIDENCE: Evidence = { kind: "none", problem: undefined };

const splitKinds = ["split_normal", "split_turbo"] as const satisfies readonly WithdrawOp["kind"][];

/** What follows when no withdrawal of the list can be the operation's. */
const weighAbsence = async (
  needs: MoneyNeeds,
  op: WithdrawOp,
  page: WithdrawalPage,
  balance: Cents | undefined,
  others: readonly Withdrawal[],
  readAt: Temporal.Instant,
): Promise<Evidence> => {
  const split = isSplit(op.kind);
  const explained = others.reduce((sum, { amount }) => sum + amount, 0);
  const word = balanceWord(op, balance, explained, readAt);
  if (word === "fell") return { kind: "contradictory" };
  if (word !== "stayed" && !split) return NO_EVIDENCE;
  if (!(await needs.openListings.isKnown(op.accountFp, op.kind))) return NO_EVIDENCE;
  const splits = split ? await needs.journal.claimedTxids(op.accountFp, splitKinds) : [];
  const { skewMs } = page;
  return provesAbsence(page, op, splits) ? { kind: "absent", readAt, skewMs } : NO_EVIDENCE;
};

/** Reads list, balance and what is new, and says what they show of the operation. */
export const gather = async (
  needs: MoneyNeeds,
  op: WithdrawOp,
  key: WalletKey,
  reader: Reader,
): Promise<Evidence> => {
  const lane = laneOf(reader);
  const pixKey = await needs.journal.pixKeyOf(op.id);
  const readAt = needs.clock.now();
  const [read, balance] = await Promise.all([
    reading(needs.wallet.withdrawals(key, lane)),
    isSplit(op.kind) ? undefined : reading(needs.wallet.balance(key, lane)),
  ]);
  if (!read.ok) return { kind: "none", problem: read.error.kind };
  if (pixKey === undefined) return NO_EVIDENCE;
  const candidates = newTxids(read.value, op, await needs.journal.claimedTxids(op.accountFp));
  const details = await Promise.all(
    candidates
      .slice(0, MOST_CANDIDATES)
      .map(async (txid) => valueOf(await reading(needs.wallet.withdrawal(key, txid, lane)))),
  );
  const readable = details.filter((detail) => detail !== undefined);
  const matches = readable.filter((detail) => isMatch(op, pixKey, detail));
  const [match] = matches;
  if (matches.length > 1) return { kind: "ambiguous" };
  // One that cannot be read may be ours as well: neither absence nor the only match is proven then.
  if (readable.length < candidates.length) return NO_EVIDENCE;
  if (match !== undefined) {
    // Neither the list nor, by its answer, the service's clock was known before the request: an older one may match.
    if (op.preTxids === undefined) return { kind: "ambiguous" };
    const denied = await deniedOf(needs, op.accountFp, [match]);
    return denied.length > 0 ? { kind: "ambiguous" } : { kind: "found", withdrawal: match };
  }
  if (readable.some((detail) => mayBeOurs(op, pixKey, detail))) return NO_EVIDENCE;
  const available = balance && valueOf(balance)?.available;
  return await weighAbsence(needs, op, read.value, available, readable, readAt);
};

/** The one withdrawal that matches is the operation's, whatever became of it since. */
export const claim = async (
  needs: MoneyNeeds,
  op: WithdrawOp,
  withdrawal: Withdrawal,
): Promise<Look> => {
  const now = needs.clock.now();
  const facts = { ...factsOf(op, withdrawal), txid: withdrawal.txid };
  const completed = withdrawal.status === "completed";
  const to = completed ? "completed" : "accepted";
  const ended = completed || withdrawal.status === "failed" || withdrawal.status === "cancelled";
  const nextCheckAt = completed ? undefined : nextFollowCheck({ ...op, ...facts, state: to }, now);
  const change = { ...facts, checks: op.checks + 1, nextCheckAt };
  // What ended is told as its end, by the step that follows.
  const tell = completed || !ended;
  const step = { to, change, reason: `found_${to}`, withdrawal, tell } as const;
  const stepped = await takeStep(needs, op, step);
  if (stepped.kind === "txid_taken") {
    return { op: await undecided(needs, op, undefined), withdrawal: undefined, problem: undefined };
  }
  if (stepped.kind !== "moved") return { op: stepped.op, withdrawal, problem: undefined };
  await noteKeyUsed(needs, stepped.op);
  const followed = await followDetail(needs, stepped.op, withdrawal);
  return { op: followed ?? stepped.op, withdrawal, problem: undefined };
};

/** No verdict this time. */
const undecided = async (
  needs: MoneyNeeds,
  op: WithdrawOp,
  problem: WalletErrorKind | undefined,
  facts: WithdrawChange = {},
): Promise<WithdrawOp> => {
  if (op.state === "manual") {
    return await readAgain(needs, op, nextManualCheck(op, needs.clock.now()), facts);
  }
  return await stillUnclear(needs, op, problem === "unauthorized", facts);
};

const countAbsent = async (
  needs: MoneyNeeds,
  op: WithdrawOp,
  { readAt, skewMs }: Extract<Evidence, { kind: "absent" }>,
): Promise<WithdrawOp> => {
  const { absences, firstAbsentAt, concluded } = countAbsence(op, readAt, skewMs);
  if (!concluded || !mayBecome(op.state, "not_executed")) {
    return await undecided(needs, op, undefined, { absences, firstAbsentAt });
  }
  const change = { absences, firstAbsentAt, checks: op.checks + 1, nextCheckAt: undefined };
  const step = { to: "not_executed", change, reason: "absent_twice", tell: true } as const;
  return (await takeStep(needs, op, { ...step, withdrawal: undefined })).op;
};

/** Finds out by reading alone what became of a request without a clear answer. Source: decisions 1.3. */
export const reconcile = async (
  needs: MoneyNeeds,
  op: WithdrawOp,
  key: WalletKey,
  reader: Reader,
): Promise<Look> => {
  const evidence = await gather(needs, op, key, reader);
  const nothing = { withdrawal: undefined, problem: undefined };
  if (evidence.kind === "found") return await claim(needs, op, evidence.withdrawal);
  if (evidence.kind === "absent") {
    return { op: await countAbsent(needs, op, evidence), ...nothing };
  }
  if (evidence.kind === "ambiguous" || evidence.kind === "contradictory") {
    const fell = evidence.kind === "contradictory";
    const facts = fell ? { errorCode: BALANCE_FELL, firstAbsentAt: undefined } : {};
    if (op.state === "manual") {
      return { op: await undecided(needs, op, undefined, facts), ...nothing };
    }
    const reason = fell ? BALANCE_FELL : "ambiguous";
    return { op: await giveUpReading(needs, op, reason, undefined, facts), ...nothing };
  }
  const { problem } = evidence;
  return { op: await undecided(needs, op, problem), ...nothing, problem };
};
