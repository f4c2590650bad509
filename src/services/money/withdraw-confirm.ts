import type { PixKey } from "../../domain/pix-key.ts";
import type { WithdrawOp } from "../../domain/withdraw-op.ts";
import { UserError } from "../../shared/errors.ts";
import type { Secret } from "../../shared/secret.ts";
import type { JustUsed } from "./just-used.ts";
import type { MoneyNeeds } from "./money-needs.ts";
import type { Actor, Confirmation, WithdrawStatus } from "./money-services.ts";
import { checkPin } from "./pin.ts";
import { requireCompared } from "./restore-check.ts";
import { reading, valueOf } from "../wallet-reading.ts";
import { type Connection, connectionOfActor } from "./withdraw-account.ts";
import { afterSending } from "./withdraw-after.ts";
import {
  busyError,
  guardsOf,
  keyWaitsUntil,
  requireEnabled,
  requireFree,
  requireUnderCap,
} from "./withdraw-rules.ts";
import { confirmationOf } from "./withdraw-confirmation.ts";
import { keyOfOp } from "./withdraw-key.ts";
import type { Unrecorded } from "./withdraw-record.ts";
import { LEASE_MS, sendOnce, stepBeforeSending } from "./withdraw-send.ts";
import { statusOf } from "./withdraw-status.ts";
import { isQuestion, newToken, requireLive, requireOwnButton } from "./withdraw-token.ts";

/** What lives as long as the process. */
export interface ConfirmMemory {
  readonly justUsed: JustUsed;
  readonly unrecorded: Unrecorded;
}

const gone = (): UserError => new UserError({ kind: "confirmation_gone" });

/** A second click is told what the first one did. @throws UserError confirmation_gone, not_your_button */
const answerAgain = async (
  needs: MoneyNeeds,
  actor: Actor,
  op: WithdrawOp | undefined,
  next: Confirmation | undefined,
): Promise<Confirmation | WithdrawStatus> => {
  if (op === undefined) throw gone();
  requireOwnButton(op, actor);
  if (op.state !== "draft" && op.state !== "abandoned") return await statusOf(needs, op);
  const stillAsked = op.state === "draft" && next?.op.version === op.version;
  if (next === undefined || !stillAsked) throw gone();
  requireLive(op, needs.clock.now());
  return next;
};

/** The account that the draft was made for, still connected by the same key. */
const connectionOfDraft = async (needs: MoneyNeeds, op: WithdrawOp): Promise<Connection> => {
  const connection = await connectionOfActor(needs, { guildId: op.guildId, userId: op.ownerId });
  if (connection.key.fingerprint !== op.accountFp) throw gone();
  return connection;
};

/** All that held when it was prepared must hold still. A cancellation only brings money back: the PIN alone guards it. */
const checkGuards = async (
  needs: MoneyNeeds,
  op: WithdrawOp,
  connection: Connection,
  key: PixKey | undefined,
) => {
  const guards = await guardsOf(needs, op.ownerId);
  requireEnabled(needs, op.kind);
  if (op.kind === "cancel") return { guards, seen: undefined };
  await requireFree(needs, guards, op);
  await requireCompared(needs, connection);
  await requireUnderCap(needs, guards, op.amount);
  if (key === undefined) throw gone();
  const now = needs.clock.now();
  const noted = { hash: op.pixKeyHash, type: key.type, masked: op.pixKeyMasked };
  const seen = await needs.pixKeys.noteSeen(op.ownerId, noted, now);
  const until = keyWaitsUntil(guards, seen, now);
  if (until !== undefined) throw new UserError({ kind: "new_key_waits", until });
  return { guards, seen: { key, seen } };
};

type Checked = Awaited<ReturnType<typeof checkGuards>>;

/** The first of two clicks: another token takes the place of this one. */
const askAgain = async (
  needs: MoneyNeeds,
  op: WithdrawOp,
  { key }: Connection,
  { guards, seen }: Checked,
): Promise<Confirmation> => {
  if (seen === undefined) throw gone();
  const check = await reading(needs.wallet.checkPixKey(key, seen.key.value, "interactive"));
  const now = needs.clock.now();
  const { token, hash, expiresAt } = newToken(needs, now);
  const change = {
    confirmationsLeft: op.confirmationsLeft - 1,
    confirmTokenHash: hash,
    confirmExpiresAt: expiresAt,
  };
  const rotated = await needs.journal.amend(op, change, now);
  if (rotated === undefined) throw gone();
  const holder = valueOf(check);
  const hasPin = guards.pin !== undefined;
  return await confirmationOf(needs, { ...seen, op: rotated, token, expiresAt, holder, hasPin });
};

/** See `WithdrawalsService.confirm`. */
export const confirmWithdrawal = async (
  needs: MoneyNeeds,
  memory: ConfirmMemory,
  actor: Actor,
  token: string,
  pin: Secret | undefined,
): Promise<Confirmation | WithdrawStatus> => {
  const { journal, clock } = needs;
  const tokenHash = needs.hashToken(token);
  const used = memory.justUsed.find(tokenHash);
  const op = await journal.findByToken(tokenHash);
  if (op === undefined || op.state !== "draft") {
    const before = op ?? (used && (await journal.find(used.opId)));
    return await answerAgain(needs, actor, before, used?.next);
  }
  requireOwnButton(op, actor);
  requireLive(op, clock.now());
  if (isQuestion(op)) throw gone();
  const connection = await connectionOfDraft(needs, op);
  const key = await keyOfOp(needs, op);
  const checked = await checkGuards(needs, op, connection, key);
  if (op.confirmationsLeft > 1) {
    const next = await askAgain(needs, op, connection, checked);
    memory.justUsed.note(tokenHash, { opId: op.id, next });
    return next;
  }
  await checkPin(needs, checked.guards, pin);
  memory.justUsed.note(tokenHash, { opId: op.id, next: undefined });
  const now = clock.now();
  requireLive(op, now);
  const step = await stepBeforeSending(needs, op, {
    to: "confirmed",
    change: { confirmationsLeft: 0, confirmedAt: now },
    lease: { owner: needs.owner, ms: LEASE_MS },
    reason: "confirmed",
  });
  if (step.kind === "account_busy") {
    throw busyError(await journal.openOf(op.accountFp), op.ownerId);
  }
  if (step.kind === "stopped") return await answerAgain(needs, actor, step.op, undefined);
  const target = { key: connection.key, pixKey: key?.value ?? "" };
  const sent = await sendOnce(needs, step.op, target, memory.unrecorded);
  return await afterSending(needs, sent, connection);
};
