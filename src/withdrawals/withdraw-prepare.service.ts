import { isDiscordId } from "../shared/ids.ts";
import { asCpf, asPhone, maskPixKey, type PixKey } from "./pix-key.ts";
import type { MoneyGuards } from "../money-guards/money-guards.ts";
import { isTurbo, subjectOf, type WithdrawKind, type WithdrawOp } from "./withdraw-op.ts";
import { isReturned } from "./withdrawal.ts";
import { UserError } from "../shared/errors.ts";
import type { Cents } from "../shared/money.ts";
import { guardsOf } from "../money-guards/money-guards.service.ts";
import type {
  CancelConfirmation,
  Confirmation,
  KeyQuestion,
  RefundConfirmation,
  WithdrawStatus,
} from "./withdraw-facts.ts";
import type { Actor, MoneyNeeds, WithdrawOrder } from "./money-services.service.ts";
import { requireCompared } from "./restore/restore-check.service.ts";
import { type Connection, connectionOfAsker, resumeJobs } from "../accounts/asker.service.ts";
import { connectionOfOp, keyOfOp, keyOfOrder, originOf } from "./withdraw-account.service.ts";
import {
  isUnreachedRead,
  noteKey,
  requireAmount,
  requireEnabled,
  requireFree,
  requireUnderCap,
} from "./withdraw-rules.service.ts";
import {
  abandon,
  askedTwice,
  confirmationGone,
  confirmationOf,
  draftOfToken,
  isLive,
  isQuestion,
  newDraft,
  NO_KEY,
  ranOut,
  requireOwnButton,
} from "./withdraw-draft.service.ts";
import { findEarlierMade, watchExternalWithdrawals } from "./external-withdrawals.service.ts";
import { claim, earlierWasMade } from "./withdraw-reconcile.service.ts";
import { requireAuthorized, settled, valueOf } from "../shared/settled.ts";
import { answerAgain, askOnce, type ConfirmNeeds } from "./withdraw-confirm.service.ts";
import { prepareCancel } from "./withdraw-cancel.service.ts";
import { prepareRefund } from "./refunds/withdraw-refund.service.ts";
import { statusOf } from "./withdraw-transition.service.ts";

/**
 * Reads balance, list and key holder, and stores a draft with a token of 120 s. Moves no money.
 * @throws UserError withdrawals_disabled, not_connected, money_locked, account_busy, left_undecided, restored_database,
 *   earlier_was_made, amount_*, balance_below_minimum, pix_key_*, recipient_*, daily_cap_exceeded, split_under_cap,
 *   new_key_waits, service_down
 * @throws WalletError
 */
export const prepareWithdrawal = async (
  needs: MoneyNeeds,
  order: WithdrawOrder,
): Promise<Confirmation | KeyQuestion> => {
  const read = await keyOfOrder(needs, order.actor.userId, order.pixKey);
  if (read.kind === "key") return await prepareTo(needs, order, read.key);
  const { connection } = await admit(needs, order);
  return await askKeyType(needs, { ...order, pixKey: read.cpf.value }, connection);
};

/** Continues an order with the person's answer to the key question. @throws UserError confirmation_gone; like `prepareWithdrawal` */
export const chooseKeyType = async (
  needs: ConfirmNeeds,
  actor: Actor,
  token: string,
  type: "cpf" | "phone",
): Promise<Confirmation | WithdrawStatus> => {
  const { journal, clock, memory } = needs;
  const tokenHash = needs.hashToken(token);
  const question = await draftOfToken(needs, actor, token);
  if (!isQuestion(question)) throw confirmationGone();
  if (ranOut(question)) return await statusOf(needs, question);
  const isOpen = question.state === "draft";
  if (isOpen && !isLive(question, clock.now()))
    return await statusOf(needs, await abandon(needs, question));
  const ask = async (): Promise<Confirmation> => {
    const digits = await journal.pixKeyOf(question.id);
    if (digits === undefined) throw new UserError({ kind: "pix_key_gone" });
    const order = await orderOf(needs, question, actor, digits);
    const key = type === "cpf" ? asCpf(digits) : asPhone(digits);
    const confirmation = await prepareTo(needs, order, key);
    await abandon(needs, question, `key_is_${type}`);
    return confirmation;
  };
  const next = isOpen
    ? askOnce(needs, tokenHash, question, ask)
    : memory.recentConfirmations.get(tokenHash)?.next;
  const asked = await next;
  if (asked?.pixKey.type !== type) throw confirmationGone();
  return await answerAgain(needs, actor, await journal.find(asked.op.id), next);
};

/** Prepares an abandoned order again. @throws UserError confirmation_gone, not_your_button; like `prepareWithdrawal` */
export const redoOrder = async (
  needs: MoneyNeeds,
  presser: Actor,
  opId: string,
): Promise<Confirmation | KeyQuestion | CancelConfirmation | RefundConfirmation> => {
  const op = await needs.journal.find(opId);
  if (op?.state !== "abandoned") throw confirmationGone();
  requireOwnButton(op, presser);
  // Asked in a direct message, it is of the account in whichever server its owner has that now.
  const own = presser.guildId === "" ? await connectionOfOp(needs, op, "person") : undefined;
  const actor = { ...presser, guildId: own?.account.guildId ?? op.guildId };
  const subject = subjectOf(op);
  switch (subject) {
    case "own":
    case "split": {
      if (isQuestion(op)) {
        const digits = (await needs.journal.pixKeyOf(opId)) ?? "";
        return await prepareWithdrawal(needs, await orderOf(needs, op, actor, digits));
      }
      const key = await keyOfOp(needs, op);
      if (key === undefined) throw new UserError({ kind: "pix_key_gone" });
      return await prepareTo(needs, await orderOf(needs, op, actor, key.value), key);
    }
    case "cancel":
      return await prepareCancel(needs, actor, op.id);
    case "refund":
      return await prepareRefund(needs, actor, op.targetTxid ?? "");
    default:
      return subject satisfies never;
  }
};

/** Gives a draft up. @throws UserError confirmation_gone, not_your_button */
export const abandonDraft = async (
  needs: MoneyNeeds,
  actor: Actor,
  token: string,
): Promise<WithdrawOp> => {
  const draft = await draftOfToken(needs, actor, token);
  return draft.state === "draft" ? await abandon(needs, draft, "given_up") : draft;
};

/** Prepares an order whose key is understood. @throws like `prepareWithdrawal` */
const prepareTo = async (
  needs: MoneyNeeds,
  order: WithdrawOrder,
  key: PixKey,
): Promise<Confirmation> => {
  const { connection, guards } = await admit(needs, order);
  const { available, page, holder } = await preflight(needs, order, connection, key);
  const earlier = await findEarlierMade(needs, connection.key, page, "interactive");
  for (const { op, withdrawal } of earlier.denied) {
    await claim(needs, op, withdrawal);
    if (!isReturned(withdrawal.status)) throw earlierWasMade(op, order.actor.userId);
  }
  const { declared } = earlier;
  if (declared !== undefined) {
    await watchExternalWithdrawals(needs, connection.account, connection.key.apiKey);
    throw earlierWasMade(declared, order.actor.userId);
  }
  const hash = needs.hashPixKey(key.value);
  const masked = maskPixKey(key);
  const to = { pixKey: key.value, pixKeyHash: hash, pixKeyMasked: masked };
  const fields = { ...fieldsOf(order, connection), ...to };
  const amount = amountOf(order, available);
  if (amount !== undefined && available !== undefined && amount > available) {
    // For the button that orders the whole balance by `redoOrder`.
    const { op } = await newDraft(needs, { ...NO_KEY, ...fields, amount: undefined });
    await abandon(needs, op, "above_balance");
    throw new UserError({ kind: "amount_above_balance", amount, available, wholeOpId: op.id });
  }
  await requireUnderCap(needs, guards, { amount });
  const noted = { hash, type: key.type, masked };
  const seen = await noteKey(needs, order.actor, guards, noted, amount);
  const reasons = askedTwice({ kind: fields.kind, key, seen, listRead: page !== undefined });
  const draft = await newDraft(
    needs,
    {
      ...fields,
      amount,
      confirmationsLeft: reasons.length > 0 ? 2 : 1,
      preTxids: page?.items.map(({ txid }) => txid),
      preBalance: available,
      skewMs: page?.skewMs,
    },
    isForAll(order) ? ASKED_ALL : undefined,
  );
  const hasPin = guards.pin !== undefined;
  const shown = { ...draft, key, seen, holder, hasPin, page, sentMeanwhile: false };
  return await confirmationOf(needs, shown);
};

const isForAll = ({ what }: WithdrawOrder): boolean => what.kind === "own" && what.amount === "all";

const kindOfOrder = ({ what, turbo }: WithdrawOrder): WithdrawKind => {
  if (what.kind === "split") return turbo ? "split_turbo" : "split_normal";
  return turbo ? "turbo" : "normal";
};

/** @throws UserError recipient_is_self, recipient_invalid */
const requireRecipient = ({ what, actor }: WithdrawOrder): void => {
  if (what.kind !== "split") return;
  if (what.recipientId === actor.userId) throw new UserError({ kind: "recipient_is_self" });
  if (!isDiscordId(what.recipientId)) throw new UserError({ kind: "recipient_invalid" });
};

/** Checks an order before the service is asked. @throws UserError like `prepareWithdrawal` */
const admit = async (
  needs: MoneyNeeds,
  order: WithdrawOrder,
): Promise<{ readonly connection: Connection; readonly guards: MoneyGuards }> => {
  const kind = kindOfOrder(order);
  requireRecipient(order);
  const connection = await connectionOfAsker(needs, order.actor);
  const { fingerprint } = connection.key;
  if ((order.accountFp ?? fingerprint) !== fingerprint) throw confirmationGone();
  const guards = await guardsOf(needs, order.actor.userId);
  await requireFree(needs, guards, { accountFp: fingerprint, kind });
  await requireCompared(needs, connection);
  // Only now: it sends people to the service, where a withdrawal might repeat one in doubt.
  requireEnabled(needs, kind);
  if (order.what.kind === "own" && order.what.amount !== "all") {
    requireAmount(order.what.amount, undefined);
    await requireUnderCap(needs, guards, { amount: order.what.amount });
  }
  return { connection, guards };
};

const fieldsOf = (order: WithdrawOrder, connection: Connection) => ({
  ...originOf(order.actor, connection),
  kind: kindOfOrder(order),
  recipientId: order.what.kind === "split" ? order.what.recipientId : undefined,
  targetTxid: undefined,
});

/** Reason of the first event of an order for the whole balance. */
const ASKED_ALL = "asked_all";

/** The order of a draft. One for the whole balance has the amount of its moment, if any. */
const orderOf = async (
  { journal }: Pick<MoneyNeeds, "journal">,
  op: WithdrawOp,
  actor: Actor,
  digits: string,
): Promise<WithdrawOrder> => {
  const [asked] = await journal.events(op.id);
  const amount = asked?.reason === ASKED_ALL ? "all" : (op.amount ?? "all");
  return {
    actor,
    what:
      op.recipientId === undefined
        ? { kind: "own", amount }
        : { kind: "split", recipientId: op.recipientId },
    pixKey: digits,
    turbo: isTurbo(op.kind),
    accountFp: op.accountFp,
  };
};

/** Stores the order with the digits of its key, until the person says whether they are a CPF or a phone number. */
const askKeyType = async (
  needs: MoneyNeeds,
  order: WithdrawOrder,
  connection: Connection,
): Promise<KeyQuestion> => {
  const { what } = order;
  const draft = await newDraft(needs, {
    ...NO_KEY,
    ...fieldsOf(order, connection),
    amount: what.kind === "own" && what.amount !== "all" ? what.amount : undefined,
    pixKey: order.pixKey,
  });
  return { kind: "key_question", ...draft };
};

const amountOf = (order: WithdrawOrder, available: Cents | undefined): Cents | undefined => {
  if (order.what.kind === "split") return undefined;
  const amount = order.what.amount === "all" ? available : order.what.amount;
  if (amount !== undefined) requireAmount(amount, available);
  return amount;
};

/** Reads the facts of the confirmation in parallel. @throws WalletError; UserError pix_key_refused, service_down */
const preflight = async (
  needs: MoneyNeeds,
  order: WithdrawOrder,
  { account, key }: Connection,
  to: PixKey,
) => {
  const { wallet } = needs;
  const [balance, list, check] = await Promise.all([
    settled(wallet.balance(key, "interactive")),
    settled(wallet.withdrawals(key, "interactive")),
    settled(wallet.checkPixKey(key, to.value, "interactive")),
  ]);
  requireAuthorized(balance, list, check);
  await resumeJobs(needs, account, [balance, list, check]);
  if (isUnreachedRead(balance) && isUnreachedRead(list))
    throw new UserError({ kind: "service_down" }, balance.error);
  if (isForAll(order) && !balance.ok) throw balance.error;
  const holder = valueOf(check);
  if (holder?.valid === false)
    throw new UserError({ kind: "pix_key_refused", ofSplit: order.what.kind === "split" });
  return { available: valueOf(balance)?.available, page: valueOf(list), holder };
};
