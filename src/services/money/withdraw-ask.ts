import type { PixKey } from "../../domain/pix-key.ts";
import { otherSpeed, type WithdrawOp } from "../../domain/withdraw-op.ts";
import type { WithdrawChange } from "../../domain/withdraw-journal.ts";
import { UserError } from "../../shared/errors.ts";
import { reading, valueOf } from "../wallet-reading.ts";
import type { JustUsed } from "./just-used.ts";
import type { MoneyNeeds } from "./money-needs.ts";
import type { Actor, Confirmation, WithdrawStatus } from "./money-services.ts";
import { requireCompared } from "./restore-check.ts";
import { type Connection, connectionOfActor } from "./withdraw-account.ts";
import { confirmationOf } from "./withdraw-confirmation.ts";
import { keyOfOp } from "./withdraw-key.ts";
import {
  guardsOf,
  keyWaitsUntil,
  requireEnabled,
  requireFree,
  requireUnderCap,
  wasSentMeanwhile,
} from "./withdraw-rules.ts";
import { statusOf } from "./withdraw-status.ts";
import {
  expired,
  gone,
  isLive,
  isQuestion,
  newToken,
  ranOut,
  requireOwnButton,
} from "./withdraw-token.ts";

/** A second click is told what the first one did. @throws UserError confirmation_gone, not_your_button */
export const answerAgain = async (
  needs: MoneyNeeds,
  actor: Actor,
  op: WithdrawOp | undefined,
  next: Confirmation | undefined,
): Promise<Confirmation | WithdrawStatus> => {
  if (op === undefined) throw gone();
  requireOwnButton(op, actor);
  if (op.state === "abandoned" && !ranOut(op)) throw gone();
  if (op.state !== "draft") return await statusOf(needs, op);
  if (next?.op.version !== op.version) throw gone();
  return isLive(op, needs.clock.now()) ? next : await statusOf(needs, await expired(needs, op));
};

/**
 * The draft that waits for this token, or what a click on it is answered with.
 * @throws UserError confirmation_gone, not_your_button
 */
export const draftOrAnswer = async (
  needs: MoneyNeeds,
  justUsed: JustUsed,
  actor: Actor,
  tokenHash: string,
): Promise<
  { readonly kind: "draft"; readonly draft: WithdrawOp } | Confirmation | WithdrawStatus
> => {
  const used = justUsed.find(tokenHash);
  const op = await needs.journal.findByToken(tokenHash);
  if (op === undefined || op.state !== "draft") {
    const before = op ?? (used && (await needs.journal.find(used.opId)));
    return await answerAgain(needs, actor, before, used?.next);
  }
  requireOwnButton(op, actor);
  if (!isLive(op, needs.clock.now())) return await statusOf(needs, await expired(needs, op));
  if (isQuestion(op)) throw gone();
  return { kind: "draft", draft: op };
};

/** The wallet account that the draft was made for, still connected: perhaps by another of its keys. */
export const connectionOfDraft = async (needs: MoneyNeeds, op: WithdrawOp): Promise<Connection> => {
  const connection = await connectionOfActor(needs, { guildId: op.guildId, userId: op.ownerId });
  if (connection.key.fingerprint !== op.accountFp) throw gone();
  return connection;
};

/** All that held when it was prepared must hold still. A cancellation only brings money back: the PIN alone guards it. */
export const checkGuards = async (
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

/** Shows the withdrawal as it is now, with a token in the place of the one that was used. */
export const askAgain = async (
  needs: MoneyNeeds,
  op: WithdrawOp,
  { key }: Connection,
  { guards, seen }: Checked,
  ask: Pick<Confirmation, "confirmationsLeft" | "sentMeanwhile"> & Pick<WithdrawChange, "kind">,
): Promise<Confirmation> => {
  if (seen === undefined) throw gone();
  const [check, list] = await Promise.all([
    reading(needs.wallet.checkPixKey(key, seen.key.value, "interactive")),
    reading(needs.wallet.withdrawals(key, "interactive")),
  ]);
  const now = needs.clock.now();
  const { token, hash, expiresAt } = newToken(needs, now);
  const change = {
    ...(ask.kind && { kind: ask.kind }),
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

/** See `WithdrawalsService.switchSpeed`. */
export const switchSpeed = async (
  needs: MoneyNeeds,
  justUsed: JustUsed,
  actor: Actor,
  token: string,
): Promise<Confirmation | WithdrawStatus> => {
  const tokenHash = needs.hashToken(token);
  const found = await draftOrAnswer(needs, justUsed, actor, tokenHash);
  if (found.kind !== "draft") return found;
  const { draft } = found;
  const kind = otherSpeed(draft.kind);
  if (kind === undefined) throw gone();
  const connection = await connectionOfDraft(needs, draft);
  const key = await keyOfOp(needs, draft);
  const checked = await checkGuards(needs, draft, connection, key);
  const sentMeanwhile = await wasSentMeanwhile(needs, draft, draft.updatedAt);
  const { confirmationsLeft } = draft;
  const ask = { kind, confirmationsLeft, sentMeanwhile };
  const next = await askAgain(needs, draft, connection, checked, ask);
  justUsed.note(tokenHash, { opId: draft.id, next });
  return next;
};
