import type { Withdrawal } from "../../domain/withdrawal.ts";
import type { WithdrawChange } from "../../domain/withdraw-journal.ts";
import type { WithdrawOp } from "../../domain/withdraw-op.ts";
import { nextUnknownCheck } from "../../domain/check-schedule.ts";
import type { WalletErrorKind } from "../../shared/errors.ts";
import { DAY, HOUR } from "../../shared/time.ts";
import type { MoneyNeeds } from "./money-needs.ts";
import { currentOf, takeStep } from "./withdraw-step.ts";

/** For whom something is read: a person who waits, or the job that follows operations. */
export type Reader = "person" | "job";

/** An operation after it was looked at, with what the service said. */
export interface Look {
  readonly op: WithdrawOp;
  readonly withdrawal: Withdrawal | undefined;
  readonly problem: WalletErrorKind | undefined;
  /** What leads the support to it. */
  readonly supportCodes?: readonly string[] | undefined;
}

/** How long the service's own word on a `manual` operation is still asked for. */
const MANUAL_READ_FOR_MS = 30 * DAY;
const KEYLESS_FOR_MS = DAY;

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
  return (await takeStep(needs, op, { to: "manual", change, reason, withdrawal, tell: true })).op;
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

/** Nobody's key reads the account now: hourly, in case it is connected again, for a day. */
export const lookWithoutKey = async (
  needs: MoneyNeeds,
  op: WithdrawOp,
  reader: Reader,
): Promise<Look> => {
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
