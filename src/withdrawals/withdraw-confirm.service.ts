import { isSplit, isWithdrawal, otherSpeed, type WithdrawOp } from "./withdraw-op.ts";
import type { Secret } from "../shared/secret.ts";
import type { Confirmation, WithdrawStatus } from "./withdraw-facts.ts";
import type { Actor, MoneyNeeds } from "./money-services.service.ts";
import { guardsOf, type Pins } from "../money-guards/money-guards.service.ts";
import { type Connection, connectionOf } from "../accounts/asker.service.ts";
import { keyOfOp, ownConnectionOfOp } from "./withdraw-account.service.ts";
import {
  busyError,
  earlierRefundError,
  noteKey,
  requireAnswering,
  requireEnabled,
  requireFree,
  requireUnderCap,
  wasSentMeanwhile,
} from "./withdraw-rules.service.ts";
import {
  type Confirmed,
  sendOnce,
  stepBeforeSending,
  type Unrecorded,
  whileUnsent,
} from "./withdraw-send.service.ts";
import {
  noteKeyUsed,
  noteSplitBalance,
  type SendAnswer,
  sentFactsOf,
  statusOf,
} from "./withdraw-transition.service.ts";
import {
  abandon,
  confirmationGone,
  confirmationOf,
  isLive,
  isQuestion,
  newToken,
  ranOut,
  requireOwnButton,
  requireRead,
} from "./withdraw-draft.service.ts";
import type { DraftChange } from "./withdraw-journal.ts";
import { UserError } from "../shared/errors.ts";
import { settled, valueOf } from "../shared/settled.ts";
import { requireCompared } from "./restore/restore-check.service.ts";
import { keepNewest } from "../shared/keep-newest.ts";
import { checkOp } from "./withdraw-check.service.ts";
import { rereadDenied } from "./refunds/withdraw-refund.service.ts";
import type { WalletKey } from "../accounts/wallet-key.ts";

/** State that lives as long as the process. */
export interface ConfirmMemory {
  /**
   * Recently used tokens, so that a second click gets the answer of the first. Memory of this process only; the journal
   * alone decides whether a token is valid.
   */
  readonly recentConfirmations: Map<string, RecentConfirmation>;
  readonly unrecorded: Unrecorded;
  readonly pins: Pins;
}

export interface ConfirmNeeds extends MoneyNeeds {
  readonly memory: ConfirmMemory;
}

/**
 * A single confirmation. The last confirmation sends the only POST; from then on any outcome is a status, not an
 * error.
 * @throws UserError confirmation_gone, not_your_button, not_connected, money_locked, account_busy, cancel_busy, left_undecided,
 *   restored_database, pix_key_refused, clicked_too_soon, pin_required, pin_wrong, pin_locked, pin_busy, daily_cap_exceeded, service_down, database_away
 */
export const confirmWithdrawal = async (
  needs: ConfirmNeeds,
  actor: Actor,
  token: string,
  pin: Secret | undefined,
): Promise<Confirmation | WithdrawStatus> => {
  const prepared = await whileUnsent(() => confirmUntilSending(needs, actor, token, pin));
  if (prepared.kind !== "ready") return prepared;
  const sent = await sendOnce(needs, prepared, needs.memory.unrecorded);
  return await afterSending(needs, sent, prepared.connection.key);
};

/**
 * Shows the same withdrawal at the other speed, with a new token.
 * @throws like `prepareWithdrawal` and `confirmWithdrawal`
 */
export const switchSpeed = async (
  needs: ConfirmNeeds,
  actor: Actor,
  token: string,
): Promise<Confirmation | WithdrawStatus> => {
  const tokenHash = needs.hashToken(token);
  const found = await draftOrAnswer(needs, actor, tokenHash);
  if (found.kind !== "draft") return found;
  const { draft } = found;
  const kind = otherSpeed(draft.kind);
  if (kind === undefined) throw confirmationGone();
  const checked = await checkAgain(needs, draft);
  const ask = { kind, confirmationsLeft: draft.confirmationsLeft };
  return await askOnce(needs, tokenHash, draft, () => askAgain(needs, draft, checked, ask));
};

const confirmUntilSending = async (
  needs: ConfirmNeeds,
  actor: Actor,
  token: string,
  pin: Secret | undefined,
): Promise<Confirmation | WithdrawStatus | (Confirmed & { readonly kind: "ready" })> => {
  const { journal, clock, memory } = needs;
  const tokenHash = needs.hashToken(token);
  const found = await draftOrAnswer(needs, actor, tokenHash);
  if (found.kind !== "draft") return found;
  const op = found.draft;
  const checked = await checkAgain(needs, op);
  if (op.confirmationsLeft > 1 || checked.sentMeanwhile) {
    const ask = { confirmationsLeft: Math.max(op.confirmationsLeft - 1, 1) };
    return await askOnce(needs, tokenHash, op, () => askAgain(needs, op, checked, ask));
  }
  const { connection, key, guards } = checked;
  requireRead(needs, op);
  await memory.pins.check(actor, guards, pin);
  await requireAnswering(needs, connection.key);
  const asked = memory.recentConfirmations.get(tokenHash)?.next;
  keepNewest(memory.recentConfirmations, tokenHash, { opId: op.id, next: asked }, MOST_KEPT);
  if (!isLive(op, clock.now())) return await statusOf(needs, await abandon(needs, op));
  const step = await stepBeforeSending(needs, op, {
    to: "confirmed",
    whileConnected: true,
    reason: "confirmed",
  });
  if (step.kind === "not_connected") {
    await connectionOfDraft(needs, op);
    throw confirmationGone();
  }
  if (step.kind === "account_busy" && op.kind === "refund") {
    const earlier = await earlierRefundError(needs, op.targetTxid, op.ownerId);
    throw earlier ?? new UserError({ kind: "refund_busy", opId: undefined });
  }
  if (step.kind === "account_busy" && op.kind === "cancel")
    throw new UserError({ kind: "cancel_busy" });
  if (step.kind === "account_busy") {
    throw await busyError(needs, await journal.lockOf(op.accountFp), op.ownerId);
  }
  if (step.kind === "stopped") return await answerAgain(needs, actor, step.op, undefined);
  return { kind: "ready", op: step.op, connection, pixKey: key?.value ?? "" };
};

/**
 * The draft that waits for this token, or the answer to the click.
 * @throws UserError confirmation_gone, not_your_button
 */
const draftOrAnswer = async (
  needs: ConfirmNeeds,
  actor: Actor,
  tokenHash: string,
): Promise<
  { readonly kind: "draft"; readonly draft: WithdrawOp } | Confirmation | WithdrawStatus
> => {
  const op = await needs.journal.findByToken(tokenHash);
  const used = needs.memory.recentConfirmations.get(tokenHash);
  if (op === undefined || op.state !== "draft") {
    const before = op ?? (used && (await needs.journal.find(used.opId)));
    return await answerAgain(needs, actor, before, used?.next);
  }
  requireOwnButton(op, actor);
  if (!isLive(op, needs.clock.now())) return await statusOf(needs, await abandon(needs, op));
  if (isQuestion(op)) throw confirmationGone();
  return { kind: "draft", draft: op };
};

/** Asks once for each token: a click meanwhile gets the question of the first one, and counts for nothing. */
export const askOnce = async (
  { memory: { recentConfirmations } }: Pick<ConfirmNeeds, "memory">,
  tokenHash: string,
  { id: opId }: WithdrawOp,
  ask: () => Promise<Confirmation>,
): Promise<Confirmation> => {
  const begun = recentConfirmations.get(tokenHash)?.next;
  if (begun !== undefined) return await begun;
  const next = ask();
  keepNewest(recentConfirmations, tokenHash, { opId, next }, MOST_KEPT);
  try {
    return await next;
  } catch (error) {
    keepNewest(recentConfirmations, tokenHash, { opId, next: undefined }, MOST_KEPT);
    throw error;
  }
};

/** Answers a second click with the result of the first. @throws UserError confirmation_gone, not_your_button */
export const answerAgain = async (
  needs: MoneyNeeds,
  actor: Actor,
  op: WithdrawOp | undefined,
  asked: RecentConfirmation["next"],
): Promise<Confirmation | WithdrawStatus> => {
  if (op === undefined) throw confirmationGone();
  requireOwnButton(op, actor);
  if (op.state === "abandoned" && !ranOut(op)) throw confirmationGone();
  if (op.state !== "draft") return await statusOf(needs, op);
  const next = await asked;
  if (next?.op.version !== op.version) throw confirmationGone();
  return isLive(op, needs.clock.now()) ? next : await statusOf(needs, await abandon(needs, op));
};

/** The connection of the draft's wallet account; its API key may have changed since. */
const connectionOfDraft = async (needs: MoneyNeeds, op: WithdrawOp): Promise<Connection> => {
  // A cancellation may be asked for in another server than that of the connection.
  if (op.kind === "cancel") return await ownConnectionOfOp(needs, op);
  const found = await needs.findWithKey(op.guildId, op.ownerId);
  // Without one in its server, the account may still be connected in another.
  if (found === undefined) await ownConnectionOfOp(needs, op);
  if (found?.account.accountFp !== op.accountFp) throw confirmationGone();
  return connectionOf(found.account, found.apiKey);
};

/** Repeats the checks of the preparation. A cancellation only brings money back, so the PIN alone guards it. */
const checkAgain = async (needs: MoneyNeeds, op: WithdrawOp) => {
  const connection = await connectionOfDraft(needs, op);
  const key = await keyOfOp(needs, op);
  const guards = await guardsOf(needs, op.ownerId);
  const checked = { connection, key, guards, seen: undefined, sentMeanwhile: false };
  if (op.kind !== "cancel") {
    await requireFree(needs, guards, op);
    await requireCompared(needs, connection);
  }
  requireEnabled(needs, op.kind);
  if (op.kind === "cancel") return checked;
  await requireUnderCap(needs, guards, { amount: op.amount, isRefund: op.kind === "refund" });
  if (op.kind === "refund") return checked;
  if (key === undefined) throw confirmationGone();
  const noted = { hash: op.pixKeyHash, type: key.type, masked: op.pixKeyMasked };
  const seen = await noteKey(needs, { ...op, userId: op.ownerId }, guards, noted, op.amount);
  return { ...checked, seen, sentMeanwhile: await wasSentMeanwhile(needs, op) };
};

type Checked = Awaited<ReturnType<typeof checkAgain>>;

/** Shows the withdrawal with current facts and a new token. @throws UserError pix_key_refused, confirmation_gone */
const askAgain = async (
  needs: MoneyNeeds,
  op: WithdrawOp,
  { connection, key, guards, seen, sentMeanwhile }: Checked,
  ask: Pick<DraftChange, "kind" | "confirmationsLeft">,
): Promise<Confirmation> => {
  if (key === undefined || seen === undefined) throw confirmationGone();
  const [check, list] = await Promise.all([
    settled(needs.wallet.checkPixKey(connection.key, key.value, "interactive")),
    settled(needs.wallet.withdrawals(connection.key, "interactive")),
  ]);
  const now = needs.clock.now();
  const holder = valueOf(check);
  if (holder?.valid === false) {
    // A question with one confirmation left would send without reading the key again.
    await needs.journal.move(op, { to: "abandoned", reason: "key_refused" }, now);
    throw new UserError({ kind: "pix_key_refused", ofSplit: isSplit(op.kind) });
  }
  const { token, waits } = newToken(needs, now);
  const rotated = await needs.journal.amend(op, { ...ask, ...waits }, now);
  if (rotated === undefined) throw confirmationGone();
  const shown = { op: rotated, token, expiresAt: waits.confirmExpiresAt, key, seen, holder };
  const hasPin = guards.pin !== undefined;
  return await confirmationOf(needs, { ...shown, hasPin, page: valueOf(list), sentMeanwhile });
};

/** Records side effects of an answer, and builds the status for the person. */
const afterSending = async (
  needs: MoneyNeeds,
  { op, answer }: { readonly op: WithdrawOp; readonly answer: SendAnswer | undefined },
  key: WalletKey,
): Promise<WithdrawStatus> => {
  const isFollowed = answer !== undefined && !isWithdrawal(op.kind) && op.state === "accepted";
  // The check of one is due at once: a job woken now would read the same beside the person.
  if (!isFollowed) needs.wake();
  if (answer === undefined) return await whileUnsent(() => statusOf(needs, op));
  const sent = sentFactsOf(answer);
  await noteSplitBalance(needs, op, sent.newSplitBalance ?? sent.rejected?.shortfall?.available);
  if (answer.state === "accepted") await noteKeyUsed(needs, op);
  if (op.kind === "refund" && op.state === "rejected") {
    const reread = await rereadDenied(needs, op, key);
    return await statusOf(needs, reread.op, { sent });
  }
  if (!isFollowed) return await statusOf(needs, op, { sent });
  const result = await checkOp(needs, op, "person").finally(needs.wake);
  return await statusOf(needs, result.op, { ...result, sent });
};

interface RecentConfirmation {
  readonly opId: string;
  /** The confirmation that replaces it, if any. */
  readonly next: Promise<Confirmation> | undefined;
}

/** Enough for second clicks, which come within seconds: entries hold PIX keys and names. */
const MOST_KEPT = 20;
