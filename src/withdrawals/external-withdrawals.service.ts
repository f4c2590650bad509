import type { Account } from "../accounts/account.ts";
import type { NewDelivery } from "../delivery/delivery.ts";
import {
  isEndStatus,
  isReturned,
  type ListedWithdrawal,
  type Withdrawal,
  type WithdrawalPage,
} from "./withdrawal.ts";
import { type Priority, type WalletKey, walletKeyOf } from "../accounts/wallet-key.ts";
import { amongIds } from "../shared/ids.ts";
import type { Secret } from "../shared/secret.ts";
import { allOwnersOf, ownerIdsOf, ownersOf } from "./withdraw-account.service.ts";
import type { HoldQuestion, RestoreHold } from "./restore/restore-hold.ts";
import { externalNoticeKey, isDenied, type WithdrawOp } from "./withdraw-op.ts";
import { externalAlarm, noticeKeyOf, externalAlarms } from "./external-notices.service.ts";
import type { MoneyNeeds } from "./money-services.service.ts";
import { isRefusedKey } from "../shared/errors.ts";
import { isSurelyAfter, questionOf, toBeAsked } from "./restore/restore-check.service.ts";
import { settled } from "../shared/settled.ts";
import {
  claim,
  type DeniedMade,
  deniedAmong,
  deniedOps,
  detailsOf,
  fittingPairs,
  handDecided,
} from "./withdraw-reconcile.service.ts";
import { statusOfTransaction } from "./withdraw-follow.service.ts";
import {
  distanceMs,
  isListedBeside,
  isLongBefore,
  mayBeAmountOf,
  mayBeOurs,
  newTxids,
  operationsOf,
} from "./reconcile.ts";
import type { BesideUndecided } from "./wallet-observations.store.ts";

/** Details read for a single comparison; further withdrawals are reported by txid alone. */
const MOST_DETAILS = 5;
/** Details read for the denied operations before another withdrawal. */
const MOST_DENIED_DETAILS = 10;

/**
 * Compares the service's list with the journal and sends every entitled owner of the account a single message about
 * each withdrawal that the bot did not begin. An unreadable list proves no withdrawal. A refused key is paused: the next
 * comparison takes another one.
 */
export const watchExternalWithdrawals = async (
  needs: MoneyNeeds,
  account: Account,
  apiKey: Secret,
): Promise<void> => {
  const key = walletKeyOf(account, apiKey);
  const read = await settled(needs.wallet.withdrawals(key, "background"));
  const { fingerprint } = key;
  if (!read.ok && isRefusedKey(read.error)) await needs.pauseRefusedKey(account, read.error);
  // Nearly all accounts have no restore to ask about.
  const held = await needs.holds.find(fingerprint, account.connectedAt);
  const question = held && (await questionOf(needs, account, async () => read));
  const hold = held && (await needs.holds.find(fingerprint, account.connectedAt));
  if (hold !== undefined) {
    if (question !== undefined) await tellBesideQuestion(needs, account, key, hold, question);
    else if (read.ok) await tellBeforeQuestion(needs, account, key, hold, read.value);
    if (read.ok) await tellDisowned(needs, account, key, hold, read.value);
  }
  // A question, or an operation without a known outcome, postpones the comparison: a withdrawal noted as seen now would
  // pass for older than the database copy.
  if (!read.ok || question !== undefined || hold !== undefined) return;
  const { items } = read.value;
  const listed = items.map(({ txid }) => txid);
  const unseen = await needs.externalWithdrawals.unseen(fingerprint, listed);
  // Nearly every comparison ends here: thousands of accounts are read, and few withdraw in between.
  if (unseen?.length === 0) return;
  // Before the baseline only an operation that locks the account needs them, to tell the others from its own.
  const lock = unseen === undefined ? await needs.journal.lockOf(fingerprint) : undefined;
  const toRead = unseen ?? (lock === undefined ? [] : newTxids(read.value, lock, []));
  const details = await readUnclaimed(needs, key, toRead);
  const owners = await allOwnersOf(needs, fingerprint);
  const ownerIds = owners.map(({ account }) => account.ownerId);
  const fromNow = new Set(unseen ?? listed);
  const untold = items.filter(({ txid }) => fromNow.has(txid));
  const notMade = await needs.journal.declaredNotMade(fingerprint);
  const disowned = await disownedAmong(needs, key, notMade, untold, details);
  const others = new Map([...details].filter(([txid]) => !disowned.has(txid)));
  const { denied, explained, declared } = await fitting(needs, fingerprint, ownerIds, others);
  for (const { op, withdrawal } of denied) {
    const { op: found } = await claim(needs, op, withdrawal);
    // Another operation holds the account, so the withdrawal could not be claimed; the next comparison retries.
    if (found.state === op.state) return;
  }
  for (const [txid, { op, end }] of disowned) if (end === "made") declared.set(txid, op);
  // Until its end is known it stays unseen, so that each comparison asks again. One that its owner disowns just now waits
  // for the next comparison.
  const judged = untold.filter(({ txid }) => disowned.get(txid)?.end !== "unknown");
  const beside = await besideUndecided(needs, fingerprint, details, judged, disowned);
  const rows = new Map(items.map((row) => [row.txid, row]));
  // Once another row leaves the list's page, one of before the baseline moves up to it. Beside an undecided operation the
  // baseline may be younger than the operation, and leave out rows of its time.
  const isHistory = (txid: string, baselineAt: Temporal.Instant | undefined): boolean => {
    const at = (details.get(txid) ?? rows.get(txid))?.requestedAt;
    const isOther = beside === undefined && !declared.has(txid);
    return isOther && isLongBefore(at, baselineAt, needs.clock.now());
  };
  const fresh = await needs.externalWithdrawals.observe(
    fingerprint,
    judged.map(({ txid }) => txid),
    needs.clock.now(),
    (found, baselineAt) =>
      found.flatMap((txid) =>
        explained.has(txid) || disowned.get(txid)?.end === "returned" || isHistory(txid, baselineAt)
          ? []
          : externalAlarms(needs, owners, txid, details.get(txid), declared.get(txid)),
      ),
    beside,
    declared,
  );
  if (fresh.length === 0) return;
  needs.log.warn({ account: account.id, ghosts: fresh.length }, "withdrawals begun elsewhere");
  needs.wake();
};

/**
 * The withdrawals that an operation which waits for its owner's decision cannot have made: the decision may never come.
 * A disowned one is another's by its txid. Where no detail was read, the list's own amount tells.
 */
const besideUndecided = async (
  { journal }: Pick<MoneyNeeds, "journal">,
  accountFp: string,
  details: ReadonlyMap<string, Withdrawal>,
  listed: WithdrawalPage["items"],
  disowned?: ReadonlyMap<string, Disowned>,
): Promise<BesideUndecided | undefined> => {
  const lock = await journal.lockOf(accountFp);
  if (lock?.state !== "manual") return undefined;
  const pixKey = await journal.pixKeyOf(lock.id);
  const isOther = ({ txid, amount }: ListedWithdrawal): boolean => {
    if (disowned?.has(txid) === true) return true;
    const detail = details.get(txid);
    if (detail !== undefined) return !mayBeOurs(lock, pixKey, detail);
    return !mayBeAmountOf(lock, amount);
  };
  const isOlder = (row: ListedWithdrawal): boolean =>
    isOther(row) || !isListedBeside(lock, details.get(row.txid) ?? row);
  const txidsOf = (rows: typeof listed): readonly string[] => rows.map(({ txid }) => txid);
  return {
    opId: lock.id,
    txids: txidsOf(listed.filter(isOther)),
    older: txidsOf(listed.filter(isOlder)),
  };
};

/**
 * The question after a restore covers the withdrawals that its message listed. Its owner may leave it unanswered for
 * months, so each later one is told as any other.
 */
const tellBesideQuestion = async (
  needs: MoneyNeeds,
  account: Account,
  key: WalletKey,
  hold: RestoreHold,
  { withdrawals }: Pick<HoldQuestion, "withdrawals">,
): Promise<void> => {
  if (withdrawals.length === 0) return;
  const owners = await ownersOf(needs, key.fingerprint);
  const isTold = amongIds(hold.told);
  const untold = withdrawals.flatMap(({ txid }) =>
    owners.filter((owner) => !isTold(noticeKeyOf(owner, txid))).map((owner) => ({ owner, txid })),
  );
  if (untold.length === 0) return;
  const txids = [...new Set(untold.map(({ txid }) => txid))];
  const details = await readUnclaimed(needs, key, txids);
  const messages = untold.map(({ owner, txid }) =>
    externalAlarm(needs, owner, txid, details.get(txid)),
  );
  await tellOnce(needs, account, hold, messages, txids.length);
};

/**
 * The question after a restore is put off while the account is locked, which a withdrawal that is never decided does for
 * ever. Until then a withdrawal that the question will list is told, if it cannot be that one or an earlier operation.
 * It is not noted as seen, which would take it off the question.
 */
const tellBeforeQuestion = async (
  needs: MoneyNeeds,
  account: Account,
  key: WalletKey,
  hold: RestoreHold,
  page: WithdrawalPage,
): Promise<void> => {
  const { fingerprint } = key;
  if ((await needs.journal.lockOf(fingerprint))?.state !== "manual") return;
  const owners = await allOwnersOf(needs, fingerprint);
  const isTold = amongIds(hold.told);
  const untold = (await toBeAsked(needs, account, hold, page)).filter(
    (txid) => !owners.some((owner) => isTold(noticeKeyOf(owner, txid))),
  );
  if (untold.length === 0) return;
  const details = await readUnclaimed(needs, key, untold);
  const beside = await besideUndecided(needs, fingerprint, details, page.items);
  const restored = await needs.holds.latestRestore();
  const ownerIds = owners.map(({ account }) => account.ownerId);
  const { denied, explained, declared } = await fitting(needs, fingerprint, ownerIds, details);
  const ours = new Set([...denied.map(({ withdrawal }) => withdrawal.txid), ...explained.keys()]);
  const others = [...details.values()].filter(
    ({ txid, requestedAt }) =>
      beside?.txids.includes(txid) === true &&
      !ours.has(txid) &&
      (restored === undefined || isSurelyAfter(restored.noticedAt, requestedAt)),
  );
  const messages = others.flatMap((withdrawal) =>
    externalAlarms(needs, owners, withdrawal.txid, withdrawal, declared.get(withdrawal.txid)),
  );
  await tellOnce(needs, account, hold, messages, others.length);
};

/**
 * No question lists a withdrawal that its owner declared as not made, as its txid is known. It is told while the
 * question stands or is put off, and not noted as seen, which would pass for older than the database copy.
 */
const tellDisowned = async (
  needs: MoneyNeeds,
  account: Account,
  key: WalletKey,
  hold: RestoreHold,
  page: WithdrawalPage,
): Promise<void> => {
  const { fingerprint } = key;
  const declared = await needs.journal.declaredNotMade(fingerprint);
  const isTold = amongIds(hold.told);
  const untold = page.items.filter(({ txid }) => {
    const ops = declared.filter((each) => amongIds([txid])(each.txid));
    return ops.some((op) => !isTold(externalNoticeKey(fingerprint, txid, op.ownerId)));
  });
  if (untold.length === 0) return;
  const listed = untold.map(({ txid }) => txid);
  const unseen = (await needs.externalWithdrawals.unseen(fingerprint, listed)) ?? [];
  const items = untold.filter(({ txid }) => unseen.includes(txid));
  const details = await readUnclaimed(needs, key, unseen);
  const disowned = await disownedAmong(needs, key, declared, items, details);
  const owners = await allOwnersOf(needs, fingerprint);
  const messages = [...disowned].flatMap(([txid, { op, end }]) =>
    end === "made" ? externalAlarms(needs, owners, txid, details.get(txid), op) : [],
  );
  await tellOnce(needs, account, hold, messages, messages.length);
};

const tellOnce = async (
  needs: MoneyNeeds,
  account: Account,
  hold: RestoreHold,
  messages: readonly NewDelivery[],
  ghosts: number,
): Promise<void> => {
  if (messages.length === 0) return;
  const told = await needs.holds.tellBeside(hold, messages, needs.clock.now());
  if (told === 0) return;
  needs.log.warn({ account: account.id, ghosts }, "withdrawals begun elsewhere");
  needs.wake();
};

/**
 * Reads details of new, unclaimed withdrawals before they are stored: only details tell an external withdrawal from
 * ours.
 */
const readUnclaimed = async (
  needs: MoneyNeeds,
  key: WalletKey,
  unseen: readonly string[],
): Promise<ReadonlyMap<string, Withdrawal>> => {
  const txids = await unclaimedOf(needs, key.fingerprint, unseen);
  return await detailsOf(needs, key, txids, "background");
};

const unclaimedOf = async (
  { journal }: Pick<MoneyNeeds, "journal">,
  accountFp: string,
  unseen: readonly string[],
): Promise<readonly string[]> => {
  const claimed = await journal.claimantsOf(accountFp, unseen);
  return unseen.filter((txid) => !claimed.has(txid)).slice(0, MOST_DETAILS);
};

/** A listed withdrawal of an operation that the service accepted and its owner declared as not made, and its end. */
interface Disowned {
  readonly op: WithdrawOp;
  readonly end: "made" | "returned" | "unknown";
}

/** By their txids, which the journal knows: such a withdrawal is no other operation's, though its owner disconnected. */
const disownedAmong = async (
  needs: Pick<MoneyNeeds, "wallet">,
  key: WalletKey,
  declared: readonly WithdrawOp[],
  items: WithdrawalPage["items"],
  details: ReadonlyMap<string, Withdrawal>,
  priority: Priority = "background",
): Promise<ReadonlyMap<string, Disowned>> => {
  const disowned = new Map<string, Disowned>();
  for (const { txid, status: listed } of items) {
    const isThis = amongIds([txid]);
    const op = declared.find((each) => isThis(each.txid));
    if (op === undefined) continue;
    const told = details.get(txid)?.status ?? listed;
    const isTold = details.has(txid) || isEndStatus(told);
    // A transaction never says that a withdrawal failed.
    const { status } = isTold
      ? { status: told }
      : await statusOfTransaction(needs, key, txid, priority);
    const end = status === "completed" ? "made" : isReturned(told) ? "returned" : "unknown";
    disowned.set(txid, { op, end });
  }
  return disowned;
};

/** The withdrawals that an operation must have made though it was denied, or which fit one that was decided by hand. */
const fitting = async (
  needs: Pick<MoneyNeeds, "clock" | "hashPixKey" | "journal">,
  accountFp: string,
  ownerIds: readonly string[],
  details: ReadonlyMap<string, Withdrawal>,
) => {
  const denied = await deniedAmong(needs, await deniedOps(needs, accountFp, ownerIds), details);
  const explained = await fittingWord(needs, accountFp, ownerIds, details, "happened");
  const declared = await fittingWord(needs, accountFp, ownerIds, details, "did_not_happen");
  // Of one that came back, the owner's word is true.
  for (const [txid, op] of declared) {
    if (!isReturned(details.get(txid)?.status)) continue;
    declared.delete(txid);
    explained.set(txid, op);
  }
  return { denied, explained, declared };
};

/**
 * Txids of withdrawals that fit an operation which its owner decided by hand, at most one per operation. The journal
 * has no txid for them.
 */
const fittingWord = async (
  needs: Pick<MoneyNeeds, "journal" | "hashPixKey">,
  accountFp: string,
  ownerIds: readonly string[],
  details: ReadonlyMap<string, Withdrawal>,
  resolution: "happened" | "did_not_happen",
): Promise<Map<string, WithdrawOp>> => {
  if (details.size === 0) return new Map();
  const ops = await handDecided(needs, accountFp, ownerIds, resolution);
  const pairs = (await fittingPairs(needs, ops, [...details.values()])).toSorted(
    (a, b) => distanceMs(a.op, a.withdrawal) - distanceMs(b.op, b.withdrawal),
  );
  const nearestFirst = [...Map.groupBy(pairs, ({ op }) => op)].map(
    ([op, ofOp]) => [op, ofOp.map(({ withdrawal }) => withdrawal)] as const,
  );
  const opOf = operationsOf(new Map(nearestFirst));
  return new Map([...opOf].map(([{ txid }, op]) => [txid, op]));
};

/** Listed withdrawals of earlier operations that pass for not made. */
export interface EarlierMade {
  readonly denied: readonly DeniedMade[];
  readonly declared?: WithdrawOp | undefined;
}

/**
 * Looks, before another withdrawal, for withdrawals that the service refused but made all the same, and for one that its
 * owner declared as not made, untold as yet. The list, read later, outweighs a refusal. The owner's word stands in the
 * journal: once its withdrawal was told, it holds up no order. A detail is read once for both.
 */
export const findEarlierMade = async (
  needs: MoneyNeeds,
  key: WalletKey,
  page: WithdrawalPage | undefined,
  priority: "interactive" | "money",
): Promise<EarlierMade> => {
  if (page === undefined || page.items.length === 0) return { denied: [] };
  const { fingerprint } = key;
  const ownerIds = await ownerIdsOf(needs, fingerprint);
  const ops = await deniedOps(needs, fingerprint, ownerIds);
  const notMade = await needs.journal.declaredNotMade(fingerprint);
  if (ops.length === 0 && notMade.length === 0) return { denied: [] };
  const held = await needs.journal.heldTxids(fingerprint);
  const mayBeDenied = ops.filter(isDenied).flatMap((op) => newTxids(page, op, held));
  const listed = notMade.length === 0 ? [] : page.items.map(({ txid }) => txid);
  const unseen = new Set((await needs.externalWithdrawals.unseen(fingerprint, listed)) ?? []);
  const untold = page.items.filter(({ txid }) => unseen.has(txid));
  const toRead = [
    ...[...new Set(mayBeDenied)].slice(0, MOST_DENIED_DETAILS),
    ...(await unclaimedOf(needs, fingerprint, [...unseen])),
  ];
  const details = await detailsOf(needs, key, [...new Set(toRead)], priority);
  const isHeld = amongIds(held);
  const free = new Map([...details].filter(([txid]) => !isHeld(txid)));
  const denied = await deniedAmong(needs, ops, free);
  const disowned = await disownedAmong(needs, key, notMade, untold, details, priority);
  const made = [...disowned.values()].find(({ end }) => end === "made");
  if (made !== undefined) return { denied, declared: made.op };
  const decided = await handDecided(needs, fingerprint, ownerIds, "did_not_happen");
  const others = [...free.values()].filter(({ txid }) => unseen.has(txid));
  const pairs = await fittingPairs(needs, decided, others);
  const pair = pairs.find(({ withdrawal }) => !isReturned(withdrawal.status));
  return { denied, declared: pair?.op };
};
