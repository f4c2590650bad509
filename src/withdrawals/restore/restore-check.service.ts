import type { Account } from "../../accounts/account.ts";
import { type NewDelivery, notice } from "../../delivery/delivery.ts";
import { guardDelivery } from "../../money-guards/money-guards.service.ts";
import {
  answerIdOf,
  type HoldQuestion,
  compareWithJournal,
  type JournalComparison,
  type RestoreHold,
} from "./restore-hold.ts";
import type { ListedWithdrawal, WithdrawalPage } from "../withdrawal.ts";
import { amongIds, inSmall } from "../../shared/ids.ts";
import { MINUTE } from "../../shared/time.ts";
import { UserError } from "../../shared/errors.ts";
import { type Result, settled } from "../../shared/settled.ts";
import { type Connection, entitledConnections } from "../../accounts/asker.service.ts";
import { type NotifiedOwner, ownersOf } from "../withdraw-account.service.ts";
import type { Actor, MoneyNeeds } from "../money-services.service.ts";
import { SETTLED_MS, UNMEASURED_SKEW_MS } from "../reconcile.ts";
import { externalNoticeKey } from "../withdraw-op.ts";
import type { QuestionNotice } from "./restore-holds.store.ts";
import type { Transaction } from "../../transactions/transaction.ts";

/** A shorter outage of the service sends no direct message. */
const OUTAGE_MS = 15 * MINUTE;

/**
 * Compares the service's list with the journal, for an account whose database may be an older copy.
 * @returns undefined when money may move, and while an open operation locks the account anyway
 */
export const questionOf = async (
  needs: MoneyNeeds,
  account: Pick<Account, "accountFp" | "connectedAt">,
  readList: () => Promise<Result<WithdrawalPage>>,
): Promise<HoldQuestion | undefined> => {
  const { accountFp, connectedAt } = account;
  const hold = await needs.holds.find(accountFp, connectedAt);
  if (hold === undefined || (await needs.journal.lockOf(accountFp)) !== undefined) return undefined;
  const read = await readList();
  const verdict = read.ok
    ? await compared(needs, hold, read.value)
    : ({ kind: "held", why: "unreadable", withdrawals: [] } as const);
  if (verdict.kind === "clear") {
    const messages = await guardMessages(needs, hold);
    if (!(await needs.holds.clear(hold, needs.clock.now(), messages))) {
      return await standingQuestion(needs, account, read);
    }
    if (messages.length > 0) needs.wake();
    needs.log.info({ restore: hold.number }, "an account was compared after a restore");
    return undefined;
  }
  const { why } = verdict;
  const withdrawals = asAsked(hold, verdict.withdrawals);
  const txids = withdrawals.map(({ txid }) => txid);
  const answerId = answerIdOf(hold, why, txids);
  const question = { cause: hold.cause, why, withdrawals, answerId };
  await askOwners(needs, hold, question);
  return question;
};

/** With the txids as the question has them: the list may write one in another case since, and the buttons stay good. */
const asAsked = (
  { asked }: RestoreHold,
  listed: readonly ListedWithdrawal[],
): readonly ListedWithdrawal[] => {
  const known = new Map(asked?.txids.map((txid) => [inSmall(txid), txid]));
  return listed.map((row) => ({ ...row, txid: known.get(inSmall(row.txid)) ?? row.txid }));
};

const compared = async (
  needs: MoneyNeeds,
  { accountFp, since }: RestoreHold,
  page: WithdrawalPage,
): Promise<JournalComparison> => {
  const listed = page.items.map(({ txid }) => txid);
  const unseen = new Set((await needs.externalWithdrawals.unseen(accountFp, listed)) ?? listed);
  const claimed = new Set(await needs.journal.heldTxids(accountFp));
  const seen = new Set(listed.filter((txid) => !unseen.has(txid)));
  return compareWithJournal(page, since, { claimed, seen });
};

/**
 * Txids that the question will list once the account is unlocked. Before the account's baseline only those that are dated
 * after the connection: it cannot be told whether older ones came before.
 */
export const toBeAsked = async (
  needs: MoneyNeeds,
  { connectedAt }: Pick<Account, "connectedAt">,
  hold: RestoreHold,
  page: WithdrawalPage,
): Promise<readonly string[]> => {
  const verdict = await compared(needs, hold, page);
  if (verdict.kind === "clear") return [];
  const hasBaseline = (await needs.externalWithdrawals.unseen(hold.accountFp, [])) !== undefined;
  return verdict.withdrawals
    .filter(({ requestedAt: at }) => hasBaseline || (at && isSurelyAfter(connectedAt, at)))
    .map(({ txid }) => txid);
};

/** The question that a newer reading of the list has stored meanwhile. */
const standingQuestion = async (
  needs: MoneyNeeds,
  { accountFp, connectedAt }: Pick<Account, "accountFp" | "connectedAt">,
  read: Result<WithdrawalPage>,
): Promise<HoldQuestion | undefined> => {
  const hold = await needs.holds.find(accountFp, connectedAt);
  if (hold?.asked === undefined) return undefined;
  const { cause, asked } = hold;
  const listed = read.ok ? read.value.items : [];
  const isAsked = amongIds(asked.txids);
  return {
    cause,
    why: asked.why,
    withdrawals: asAsked(hold, listed).filter(({ txid }) => isAsked(txid)),
    answerId: asked.answerId,
  };
};

/** Call before money moves. @throws UserError restored_database */
export const requireCompared = async (
  needs: MoneyNeeds,
  { account, key }: Connection,
): Promise<void> => {
  const question = await questionOf(needs, account, () =>
    settled(needs.wallet.withdrawals(key, "interactive")),
  );
  if (question !== undefined) throw new UserError({ kind: "restored_database", ...question });
};

/**
 * Until when a payment must not be refunded after a restore: the lost part of the journal may hold a refund of it that
 * the service has yet to carry out. Undefined: it may be refunded.
 */
export const refundWaitsUntil = async (
  { holds, clock }: Pick<MoneyNeeds, "holds" | "clock">,
  payment: Pick<Transaction, "createdAt">,
): Promise<
  { readonly noticedAt: Temporal.Instant; readonly until: Temporal.Instant } | undefined
> => {
  const noticedAt = (await holds.latestRestore())?.noticedAt;
  if (noticedAt === undefined) return undefined;
  const until = noticedAt.add({ milliseconds: SETTLED_MS });
  if (Temporal.Instant.compare(clock.now(), until) >= 0) return undefined;
  return isSurelyAfter(noticedAt, payment.createdAt) ? undefined : { noticedAt, until };
};

/**
 * Whether an operation that the service dates then came after `at`, by any clock. After a restore was noticed, it cannot
 * stand in the part of the journal that was lost.
 */
export const isSurelyAfter = (at: Temporal.Instant, dated: Temporal.Instant): boolean =>
  dated.epochMilliseconds > at.epochMilliseconds + UNMEASURED_SKEW_MS;

/**
 * Records that the owner looked at the listed withdrawals: money of the account moves again. Audited. `answerId` must
 * belong to the question that stands, for an account of this entitled owner.
 * @throws UserError restore_question_gone
 */
export const acknowledgeRestore = async (
  needs: MoneyNeeds,
  actor: Pick<Actor, "userId">,
  answerId: string,
): Promise<void> => {
  const { userId } = actor;
  const hold = await needs.holds.findAsked(answerId);
  if (hold === undefined) throw new UserError({ kind: "restore_question_gone" });
  const { accountFp } = hold;
  const owners = await entitledConnections(needs, accountFp);
  // Who answers has read the question; the other owners know of its withdrawals by message alone.
  const owed = (txid: string): readonly string[] =>
    owners
      .filter(({ ownerId }) => ownerId !== userId)
      .map(({ ownerId }) => externalNoticeKey(accountFp, txid, ownerId));
  const isOwner = owners.some(({ ownerId }) => ownerId === userId);
  const messages = isOwner ? await guardMessages(needs, hold) : [];
  const now = needs.clock.now();
  if (!isOwner || !(await needs.holds.acknowledge(hold, userId, now, owed, messages)))
    throw new UserError({ kind: "restore_question_gone" });
  if (messages.length > 0) needs.wake();
  needs.log.info({ restore: hold.number }, "an owner acknowledged what a restore may have lost");
};

/** Two messages of one restore to an owner differ: the one that lists withdrawals may follow the one that cannot. */
const noticeKeyOf = (
  hold: RestoreHold,
  why: HoldQuestion["why"],
  { account }: NotifiedOwner,
): string => {
  const { accountFp, noticedAt, renewedAt } = hold;
  const occasion = why === "newer" ? renewedAt.toString() : `${noticedAt.toString()}|unlisted`;
  return `restored|${accountFp}|${occasion}|${account.ownerId}`;
};

/**
 * Messages that the guards may be as they were in the copy, once for each owner and restore: to the entitled owners to
 * whom no question has said so.
 */
const guardMessages = async (
  needs: MoneyNeeds,
  hold: RestoreHold,
): Promise<readonly NewDelivery[]> => {
  const restore = hold.cause === "restored" ? await needs.holds.latestRestore() : undefined;
  if (restore === undefined) return [];
  const subject = `restored|${restore.noticedAt.toString()}`;
  const owners = await ownersOf(needs, hold.accountFp);
  // In one order for all accounts: two that share their owners and are cleared at once could deadlock.
  const sorted = owners.toSorted((one, other) =>
    one.account.ownerId < other.account.ownerId ? -1 : 1,
  );
  const untold = sorted.filter((owner) =>
    (["newer", "short"] as const).every((why) => !hold.told.has(noticeKeyOf(hold, why, owner))),
  );
  return untold.map(({ account: { id, guildId, ownerId: userId }, locale }) => ({
    ...guardDelivery(
      needs,
      { guildId, userId, locale },
      { change: "restored", from: undefined },
      subject,
    ),
    // Of the account: a message without one goes out before others, and those of all sellers would hold up alerts.
    accountId: id,
  }));
};

const restoreNotice = (
  needs: MoneyNeeds,
  hold: RestoreHold,
  question: HoldQuestion,
  owner: NotifiedOwner,
): QuestionNotice => {
  const { account, locale } = owner;
  const { ownerId, guildId, accountFp } = account;
  const dedupeKey = noticeKeyOf(hold, question.why, owner);
  const noticedAt = needs.clock.now();
  const facts = { ownerId, guildId, locale, noticedAt, question };
  // Not of the account: the removal would cancel the message, and the withdrawals may be of no connection here.
  const post = { dedupeKey, guildId, accountId: null, notBefore: noticedAt };
  return {
    delivery: notice(ownerId, post, (reference) => needs.notices.restored({ ...facts, reference })),
    covers: question.withdrawals.map(({ txid }) => externalNoticeKey(accountFp, txid, ownerId)),
  };
};

/**
 * Stores the question and enqueues a message for every entitled owner of the account: once for each restore or gap
 * while withdrawals are missing, since a later one may have lost more and the button of an earlier message is
 * dead; once for all of them while the list cannot tell, and not after a message that listed withdrawals.
 */
const askOwners = async (
  needs: MoneyNeeds,
  hold: RestoreHold,
  question: HoldQuestion,
): Promise<void> => {
  const now = needs.clock.now();
  const { why, answerId } = question;
  const txids = question.withdrawals.map(({ txid }) => txid);
  const heldMs = now.epochMilliseconds - hold.noticedAt.epochMilliseconds;
  const isNotified = why === "newer" || (hold.cause === "restored" && heldMs >= OUTAGE_MS);
  const owners = isNotified ? await ownersOf(needs, hold.accountFp) : [];
  const notices = owners
    .filter((owner) => why === "newer" || !hold.told.has(noticeKeyOf(hold, "newer", owner)))
    .map((owner) => restoreNotice(needs, hold, question, owner));
  await needs.holds.ask(hold, { why, txids, answerId }, now, notices);
  if (notices.length > 0) needs.wake();
};
