import type { PixKey } from "../../domain/pix-key.ts";
import type { WithdrawOp } from "../../domain/withdraw-op.ts";
import { UserError } from "../../shared/errors.ts";
import type { Secret } from "../../shared/secret.ts";
import type { JustUsed } from "./just-used.ts";
import type { MoneyNeeds } from "./money-needs.ts";
import type { Actor, Confirmation, WithdrawStatus } from "./money-services.ts";
import type { Pins } from "./pin.ts";
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
  wasSentMeanwhile,
} from "./withdraw-rules.ts";
import { confirmationOf } from "./withdraw-confirmation.ts";
import { keyOfOp } from "./withdraw-key.ts";
import { requireAnswering } from "./withdraw-preflight.ts";
import type { Unrecorded } from "./withdraw-record.ts";
import { LEASE_MS, sendOnce, stepBeforeSending, whileUnsent } from "./withdraw-send.ts";
import { statusOf } from "./withdraw-status.ts";
import { isQuestion, newToken, requireLive, requireOwnButton } from "./withdraw-token.ts";

/** What lives as long as the process. */
export interface ConfirmMemory {
  readonly justUsed: JustUsed;
  readonly unrecorded: Unrecorded;
  readonly pins: Pins;
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

/** The wallet account that the draft was made for, still connected: perhaps by another of its keys. */
const connectionOfDraft = async (needs: MoneyNeeds, op: WithdrawOp): Promise<Connection> => {
  const connection = await connectionOfActor(needs, { guildId: op.guildId, userId: op.ownerId });
  if (connection.key.fingerprint !== op.accountFp) throw gone();
  return connection;
};

/** All that held when it was prepared must hold still. A cancellation only brings money back: the PIN alone guards it. */
const checkGuards = async (needs: MoneyNeeds, op: WithdrawOp, key: PixKey | undefined) => {
  const guards = await guardsOf(needs, op.ownerId);
  requireEnabled(needs, op.kind);
  if (op.kind === "cancel") return { guards, seen: undefined };
  await requireFree(needs, guards, op);
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

/** Shows the withdrawal as it is now, with a token in the place of the one that was used. */
const askAgain = async (
  needs: MoneyNeeds,
  op: WithdrawOp,
  { key }: Connection,
  { guards, seen }: Checked,
  ask: Pick<Confirmation, "confirmationsLeft" | "sentMeanwhile">,
): Promise<Confirmation> => {
  if (seen === undefined) throw gone();
  const [check, list] = await Promise.all([
    reading(needs.wallet.checkPixKey(key, seen.key.value, "interactive")),
    reading(needs.wallet.withdrawals(key, "interactive")),
  ]);
  const now = needs.clock.now();
  const { token, hash, expiresAt } = newToken(needs, now);
  const change = {
    confirmationsLeft: ask.confirmationsLeft,
    confirmTokenHash: hash,
    confirmExpiresAt: expiresAt,
  };
  const rotated = await needs.journal.amend(op, change, now);
  if (rotated === undefined) throw gone();
  const holder = valueOf(check);
  const facts = {
    token,
    expiresAt,
    holder,
    hasPin: guards.pin !== undefined,
    page: valueOf(list),
    sentMeanwhile: ask.sentMeanwhile,
  };
  return await confirmationOf(needs, { ...seen, ...facts, op: rotated });
};

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
  const checked = await checkGuards(needs, op, key);
  const shownAt = op.updatedAt;
  const sentMeanwhile = await wasSentMeanwhile(needs, op, shownAt);
  if (op.confirmationsLeft > 1 || sentMeanwhile) {
    const confirmationsLeft = Math.max(op.confirmationsLeft - 1, 1);
    const ask = { confirmationsLeft, sentMeanwhile };
    const next = await askAgain(needs, op, connection, checked, ask);
    memory.justUsed.note(tokenHash, { opId: op.id, next });
    return next;
  }
  await memory.pins.check(actor, checked.guards, pin);
  await requireAnswering(needs, op, connection.key);
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
  return await afterSending(needs, sent, connection);
};
