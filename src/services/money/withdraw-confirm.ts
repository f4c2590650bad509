import type { WithdrawOp } from "../../domain/withdraw-op.ts";
import type { Secret } from "../../shared/secret.ts";
import type { JustUsed } from "./just-used.ts";
import type { MoneyNeeds } from "./money-needs.ts";
import type { Actor, Confirmation, WithdrawStatus } from "./money-services.ts";
import type { Pins } from "./pin.ts";
import type { Connection } from "./withdraw-account.ts";
import { afterSending } from "./withdraw-after.ts";
import {
  answerAgain,
  askAgain,
  checkGuards,
  connectionOfDraft,
  draftOrAnswer,
} from "./withdraw-ask.ts";
import { busyError, wasSentMeanwhile } from "./withdraw-rules.ts";
import { keyOfOp } from "./withdraw-key.ts";
import { requireAnswering } from "./withdraw-preflight.ts";
import type { Unrecorded } from "./withdraw-record.ts";
import { LEASE_MS, sendOnce, stepBeforeSending, whileUnsent } from "./withdraw-send.ts";
import { statusOf } from "./withdraw-status.ts";
import { expired, isLive, requireRead } from "./withdraw-token.ts";

/** What lives as long as the process. */
export interface ConfirmMemory {
  readonly justUsed: JustUsed;
  readonly unrecorded: Unrecorded;
  readonly pins: Pins;
}

/** All that was asked and checked for the last confirmation, and the operation confirmed. */
interface Ready {
  readonly kind: "ready";
  readonly op: WithdrawOp;
  readonly connection: Connection;
  readonly pixKey: string;
  readonly shownAt: Temporal.Instant;
}

/** All of a confirmation that comes before anything is sent. */
const confirmUntilSending = async (
  needs: MoneyNeeds,
  memory: ConfirmMemory,
  actor: Actor,
  token: string,
  pin: Secret | undefined,
): Promise<Confirmation | WithdrawStatus | Ready> => {
  const { journal, clock } = needs;
  const tokenHash = needs.hashToken(token);
  const found = await draftOrAnswer(needs, memory.justUsed, actor, tokenHash);
  if (found.kind !== "draft") return found;
  const op = found.draft;
  const connection = await connectionOfDraft(needs, op);
  const key = await keyOfOp(needs, op);
  const checked = await checkGuards(needs, op, connection, key);
  const shownAt = op.updatedAt;
  const sentMeanwhile = await wasSentMeanwhile(needs, op, shownAt);
  if (op.confirmationsLeft > 1 || sentMeanwhile) {
    const confirmationsLeft = Math.max(op.confirmationsLeft - 1, 1);
    const ask = { confirmationsLeft, sentMeanwhile };
    const next = await askAgain(needs, op, connection, checked, ask);
    memory.justUsed.note(tokenHash, { opId: op.id, next });
    return next;
  }
  requireRead(needs, op);
  await memory.pins.check(actor, checked.guards, pin);
  await requireAnswering(needs, op, connection.key);
  memory.justUsed.note(tokenHash, { opId: op.id, next: undefined });
  const now = clock.now();
  if (!isLive(op, now)) return await statusOf(needs, await expired(needs, op));
  const step = await stepBeforeSending(needs, op, {
    to: "confirmed",
    change: { confirmationsLeft: 0, confirmedAt: now },
    lease: { owner: needs.owner, ms: LEASE_MS },
    reason: "confirmed",
  });
  if (step.kind === "account_busy") {
    throw busyError(await journal.lockOf(op.accountFp), op.ownerId);
  }
  if (step.kind === "stopped") return await answerAgain(needs, actor, step.op, undefined);
  return { kind: "ready", op: step.op, connection, pixKey: key?.value ?? "", shownAt };
};

/** See `WithdrawalsService.confirm`. */
export const confirmWithdrawal = async (
  needs: MoneyNeeds,
  memory: ConfirmMemory,
  actor: Actor,
  token: string,
  pin: Secret | undefined,
): Promise<Confirmation | WithdrawStatus> => {
  const came = await whileUnsent(() => confirmUntilSending(needs, memory, actor, token, pin));
  if (came.kind !== "ready") return came;
  const { op, connection, pixKey, shownAt } = came;
  const target = { key: connection.key, pixKey, shownAt };
  const sent = await sendOnce(needs, op, target, memory.unrecorded);
  return await afterSending(needs, sent);
};
