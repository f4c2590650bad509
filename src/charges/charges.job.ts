import type { AccountsStore } from "../accounts/accounts.store.ts";
import { type WalletKey, walletKeyOf } from "../accounts/wallet-key.ts";
import { type NewDelivery, notice } from "../delivery/delivery.ts";
import type { OutboxStore } from "../delivery/outbox.store.ts";
import { createClaims, createWorkers } from "../shared/concurrency.ts";
import { concernsRequestAlone, isRefusedKey, WalletError } from "../shared/errors.ts";
import type { Logger } from "../shared/log.ts";
import { settled } from "../shared/settled.ts";
import { type Clock, earlierInstant, MINUTE } from "../shared/time.ts";
import { goesBackTo } from "../transactions/brasilia-day.ts";
import type { Reply } from "../ui/reply.ts";
import type { ListedTransaction, Transaction } from "../transactions/transaction.ts";
import type { WalletClient } from "../wallet/client.ts";
import {
  type Charge,
  type ChargeChange,
  type Charges,
  type ChargeStatus,
  isFresh,
  isNew,
  isPastExpiry,
  LONGEST_OPEN_PAUSE_MS,
  mayBe,
  nextLateCheck,
  nextLook,
  nextOpenCheck,
  chargeNoticeKey,
} from "./charge.ts";
import { createEditCards, type EditCardsNeeds } from "./charge-cards.job.ts";
import { chargeNotice, liveChargeViews } from "./charge.view.ts";
import { qrOf } from "./qr-code.ts";

interface FollowChargesNeeds extends Pick<EditCardsNeeds, "edit"> {
  readonly clock: Clock;
  readonly log: Logger;
  readonly charges: Charges;
  readonly accounts: Pick<AccountsStore, "findById" | "apiKey">;
  readonly wallet: Pick<WalletClient, "chargeStatus" | "transaction" | "transactions">;
  /** Shows the charge in its private reply. True only when Discord surely took it. */
  readonly show: (name: string, reply: Reply) => Promise<boolean>;
  readonly outbox: Pick<OutboxStore, "cancelUnsent">;
  /** Called after a message was enqueued. */
  readonly onOwed: () => void;
}

/**
 * Looks at the charges that are due, and shows their ends on their cards. Overlapping runs share their workers.
 * @returns when the next look is due
 */
type FollowCharges = (stopping: AbortSignal) => Promise<Temporal.Instant | undefined>;

/** Sellers at the same time. */
const CONCURRENCY = 16;
const CLAIMED = 32;
/** Longer than the reads of one look with their waits. */
const HOLD_MS = 3 * MINUTE;
const AGAIN_MS = MINUTE;
/** Pause of an old or expired charge whose detail cannot be read. */
const UNREAD_MS = LONGEST_OPEN_PAUSE_MS;
/** Pages of one look for a lost charge. Fewer may stand newest first by chance. */
const LEAST_PAGES = 3;
const MOST_PAGES = 20;
const MOST_DETAILS = 5;
/** The hint may be wrong: the documented detail is read at every fourth look all the same. */
const DETAIL_EVERY = 4;

interface Matches {
  readonly payments: readonly Transaction[];
  /** False when none was found and a row that cannot be read in full may be the charge. */
  readonly isProven: boolean;
}

/** The detail of a new payment may be yet to show. */
const isUnprovenYet = (charge: Charge, { isProven }: Matches, now: Temporal.Instant): boolean =>
  !isProven && isNew(charge, now);

/** The charge's own detail may be yet to show as well. */
const isTooSoon = (charge: Charge, found: Matches, now: Temporal.Instant): boolean =>
  isUnprovenYet(charge, found, now) || (found.payments.length > 0 && isFresh(charge, now));

/** Words of the quick look that leave a charge open, and words that say its time is over. Both only hint. */
const WAITING = new Set(["pending", "waiting", "waiting_payment", "active", "created", "open"]);
const OVER = new Set(["expired", "cancelled", "canceled"]);

export const createFollowCharges = (needs: FollowChargesNeeds): FollowCharges => {
  const { clock, log, charges, accounts, wallet, show, outbox, onOwed } = needs;
  const workers = createWorkers(CONCURRENCY);
  const editCards = createEditCards(needs);

  /** Undefined when it cannot be read now. @throws WalletError unauthorized */
  const tried = async <Value>(read: Promise<Value>): Promise<Value | "missing" | undefined> => {
    try {
      return await read;
    } catch (error) {
      if (!(error instanceof WalletError) || isRefusedKey(error)) throw error;
      return error.kind === "not_found" ? "missing" : undefined;
    }
  };

  const deliveryOf = (
    after: Charge,
    about: "end" | "late" | "found",
    now: Temporal.Instant,
  ): NewDelivery => {
    const { ownerId, guildId } = after;
    const dedupeKey = chargeNoticeKey(after, about);
    // Not of the account: a seller who has disconnected is owed the end of the charge all the same.
    const post = { dedupeKey, guildId, accountId: null, notBefore: now };
    return notice(ownerId, post, (reference) => chargeNotice(after, reference));
  };

  /** Changes the charge; its seller is told by direct message, and in the private reply while that lives. */
  const settle = async (
    charge: Charge,
    change: ChargeChange,
    about: "end" | "late" | "found" | undefined,
  ): Promise<void> => {
    const now = clock.now();
    const told = about === undefined ? [] : [deliveryOf({ ...charge, ...change }, about, now)];
    const after = await charges.change(charge, change, told, now);
    if (after === undefined || about === undefined) return;
    log.info({ charge: after.id, state: after.state }, "charge");
    const views = liveChargeViews({ charge: after, qr: await qrOf(after) }, after.locale);
    let isShown = false;
    for (const view of views) isShown ||= await show(view.live ?? "", view);
    // An end is told in any case; the rest only where the reply can no longer say it.
    if (isShown && about === "found") await outbox.cancelUnsent(chargeNoticeKey(after, about), now);
    onOwed();
  };

  const putOff = async (charge: Charge, change: ChargeChange = {}): Promise<void> => {
    const now = clock.now();
    const checks = charge.checks + 1;
    const nextCheckAt = nextOpenCheck({ ...charge, ...change }, now);
    if (nextCheckAt !== undefined)
      return await settle(charge, { ...change, checks, nextCheckAt }, undefined);
    const state = "unfollowed";
    await settle(charge, { ...change, state, checks, nextCheckAt, endedAt: now }, "end");
  };

  /** The end that the documented detail proves; undefined for none. A payment of another amount is not the charge's. */
  const endIn = (
    charge: Charge,
    { type, amount, status, fee, net, updatedAt }: Transaction,
    now: Temporal.Instant,
  ): ChargeChange | undefined => {
    if (type !== "payment" || (status !== "approved" && status !== "refunded")) return undefined;
    // A time ahead of ours would read as a payment to come.
    const endedAt = earlierInstant(now, updatedAt);
    const end = { fee, net, endedAt, nextCheckAt: undefined };
    return amount === charge.amount
      ? { ...end, state: status === "approved" ? "paid" : "refunded" }
      : { ...end, state: "unfollowed", received: amount };
  };

  const hintOf = async (
    { amount, description }: Charge,
    key: WalletKey,
    txid: string,
  ): Promise<ChargeStatus | undefined> => {
    const wanted = { amount, description };
    const seen = await tried(wallet.chargeStatus(key, txid, wanted, "background"));
    return seen === "missing" ? undefined : seen;
  };

  /**
   * The payments that the list and their documented details show as the charge, nearest in time first; undefined when
   * any of it cannot be read, or the list shows the charge's own txid: another payment is not the charge then.
   */
  const matches = async (charge: Charge, key: WalletKey): Promise<Matches | undefined> => {
    const found = new Map<string, number>();
    const rows = new Map<string, ListedTransaction>();
    let query: string | undefined;
    let skewMs: number | undefined;
    let unnamed = 0;
    for (let pages = 1; ; pages++) {
      const page = await tried(wallet.transactions(key, query, "background"));
      if (page === undefined || page === "missing") return undefined;
      if (page.items.some(({ txid }) => txid === charge.txid)) return undefined;
      skewMs ??= page.skewMs;
      const others = page.unnamedRows?.filter((row) => !mayBe(charge, row, skewMs)) ?? [];
      unnamed += page.unnamed - others.length;
      for (const item of page.items.filter((each) => mayBe(charge, each, skewMs))) {
        const atMs = item.createdAt?.epochMilliseconds ?? 0;
        found.set(item.txid, Math.abs(atMs - charge.createdAt.epochMilliseconds));
      }
      query = page.next;
      const isLast = query === undefined;
      if (isLast && page.isCut !== true) break;
      for (const item of page.items) if (!rows.has(item.txid)) rows.set(item.txid, item);
      // In a list that is not newest first, newer rows may follow an older page.
      const isEnough = isLast || pages >= LEAST_PAGES;
      if (isEnough && goesBackTo([...rows.values()], charge.createdAt)) break;
      // An unread rest proves no absence.
      if (isLast || pages >= MOST_PAGES) return undefined;
    }
    const taken = await charges.claimed(charge.accountId, [...found.keys()]);
    const free = [...found]
      .filter(([txid]) => !taken.has(txid))
      .toSorted(([, one], [, other]) => one - other);
    const details: Transaction[] = [];
    // A row without a txid or a detail, or one too many to be asked for, may be the charge.
    let isUnproven = unnamed > 0 || free.length > MOST_DETAILS;
    for (const [txid] of free.slice(0, MOST_DETAILS)) {
      const detail = await tried(wallet.transaction(key, txid, "background"));
      if (detail === undefined) return undefined;
      if (detail === "missing") {
        isUnproven = true;
        continue;
      }
      const isSame = detail.description?.trim() === charge.description;
      if (isSame && mayBe(charge, detail, skewMs)) details.push(detail);
    }
    return { payments: details, isProven: details.length > 0 || !isUnproven };
  };

  /** Only one payment, still unpaid, can be the charge: another may be somebody's own sale of the same thing. */
  const onlyPending = (found: readonly Transaction[]): Transaction | undefined =>
    found.length === 1 && found[0]?.status === "pending" ? found[0] : undefined;

  const claim = async (
    charge: Charge,
    key: WalletKey,
    { txid, fee, net }: Transaction,
    wasLost: boolean,
  ): Promise<void> => {
    const hint = await hintOf(charge, key, txid);
    const expiresAt = charge.expiresAt ?? hint?.expiresAt;
    const code = charge.code ?? hint?.code;
    const open: ChargeChange = {
      state: "open",
      txid,
      code,
      problem: code === undefined ? "no_code" : undefined,
      fee,
      net,
      expiresAt,
      checks: 0,
      nextCheckAt: nextOpenCheck({ ...charge, expiresAt }, clock.now()),
    };
    await settle(charge, open, wasLost ? "found" : undefined);
  };

  /** A txid without a payment may be another id of the answer: the charge is looked for in the list as well. */
  const check = async (charge: Charge, key: WalletKey, txid: string): Promise<void> => {
    const hint = await hintOf(charge, key, txid);
    const code = charge.code ?? hint?.code;
    const expiresAt = charge.expiresAt ?? hint?.expiresAt;
    const learnt = {
      code,
      expiresAt,
      problem: code === undefined ? charge.problem : undefined,
    } satisfies ChargeChange;
    const now = clock.now();
    const isHinted = hint?.status !== undefined && WAITING.has(hint.status);
    const isPast = isPastExpiry({ expiresAt }, now, isHinted);
    const isLast = nextOpenCheck({ ...charge, expiresAt }, now) === undefined;
    if (isHinted && !isPast && !isLast && charge.checks % DETAIL_EVERY !== DETAIL_EVERY - 1)
      return await putOff(charge, learnt);
    const detail = await tried(wallet.transaction(key, txid, "background"));
    if (detail === undefined && isLast) {
      // Only the detail ends a charge: it may have been paid while the service could not be read.
      const nextCheckAt = now.add({ milliseconds: UNREAD_MS });
      return await settle(charge, { ...learnt, checks: charge.checks + 1, nextCheckAt }, undefined);
    }
    if (detail === undefined) return await putOff(charge, learnt);
    const end = detail === "missing" ? undefined : endIn(charge, detail, now);
    if (end !== undefined) return await settle(charge, { ...learnt, ...end }, "end");
    const isOver = isPast || (hint?.status !== undefined && OVER.has(hint.status));
    if (detail === "missing" && (isOver || isNew(charge, now))) {
      const found = await matches(charge, key);
      if (found === undefined || isTooSoon(charge, found, now)) return await putOff(charge, learnt);
      const only = onlyPending(found.payments);
      if (only !== undefined) return await claim({ ...charge, ...learnt }, key, only, false);
      if (isOver && found.payments.length > 0) {
        const unclear = { state: "missing", txid: undefined, problem: "unclear" } as const;
        return await settle(charge, { ...learnt, ...unclear, nextCheckAt: undefined }, "found");
      }
    }
    const isUnpaid = detail === "missing" || detail.status === "pending" || OVER.has(detail.status);
    if (!isOver || !isUnpaid) return await putOff(charge, learnt);
    const nextCheckAt = nextLateCheck(0, now);
    const expired = { state: "expired", endedAt: now, checks: 0, nextCheckAt } as const;
    await settle(charge, { ...learnt, ...expired }, "end");
  };

  /** A payment at the last moment may show only after the charge was told as expired. */
  const checkLate = async (charge: Charge, key: WalletKey, txid: string): Promise<void> => {
    const read = await settled(wallet.transaction(key, txid, "background"));
    if (!read.ok && isRefusedKey(read.error)) throw read.error;
    const now = clock.now();
    const end = read.ok ? endIn(charge, read.value, now) : undefined;
    if (end !== undefined) return await settle(charge, end, "late");
    const checks = charge.checks + 1;
    // The last look is repeated through an outage.
    const isUnread = !read.ok && !concernsRequestAlone(read.error);
    const again = isUnread ? now.add({ milliseconds: UNREAD_MS }) : undefined;
    const nextCheckAt = nextLateCheck(checks, now) ?? again;
    await settle(charge, { checks, nextCheckAt }, undefined);
  };

  /** Looks for a charge whose txid is not known. */
  const look = async (charge: Charge, key: WalletKey): Promise<void> => {
    const wasLost = charge.state !== "open";
    const found = await matches(charge, key);
    const now = clock.now();
    if (found === undefined || isUnprovenYet(charge, found, now)) {
      const growing = nextOpenCheck({ ...charge, expiresAt: undefined }, now);
      if (growing === undefined) return await putOff(charge);
      const state = wasLost ? "unknown" : charge.state;
      const soonest = now.add({ milliseconds: AGAIN_MS });
      const nextCheckAt = Temporal.Instant.compare(growing, soonest) > 0 ? growing : soonest;
      return await settle(charge, { state, nextCheckAt }, undefined);
    }
    const only = onlyPending(found.payments);
    if (only !== undefined) return await claim(charge, key, only, wasLost);
    const checks = charge.checks + 1;
    const nextCheckAt = nextLook(checks, now);
    if (nextCheckAt !== undefined) {
      const state = wasLost ? "unknown" : charge.state;
      return await settle(charge, { state, checks, nextCheckAt }, undefined);
    }
    if (!wasLost) return await settle(charge, { checks, nextCheckAt }, undefined);
    const problem = found.payments.length === 0 && found.isProven ? undefined : "unclear";
    await settle(charge, { state: "missing", problem, checks, nextCheckAt }, "found");
  };

  const follow = async (charge: Charge): Promise<void> => {
    try {
      const account = await accounts.findById(charge.accountId);
      const apiKey = await accounts.apiKey(charge.accountId);
      // The account was erased since the claim.
      if (account === undefined || apiKey === undefined) return;
      const key = walletKeyOf(account, apiKey);
      const { state, txid } = charge;
      if (txid === undefined) await look(charge, key);
      else if (state === "expired") await checkLate(charge, key, txid);
      else await check(charge, key, txid);
    } catch (error) {
      // The claim ends by itself, and the next look repeats this one.
      log.warn({ charge: charge.id, err: error }, "a charge cannot be looked at now");
    }
  };

  /** Connections whose charges were claimed, and are looked at or about to be. */
  const busy = new Set<string>();
  let working = 0;

  /** Due charges, by seller. A claim that one seller fills is followed by a claim of the others'. */
  const dueCharges = createClaims(async (): Promise<(readonly Charge[])[]> => {
    const bySeller = new Map<string, readonly Charge[]>();
    for (let found = CLAIMED; found === CLAIMED && bySeller.size < CONCURRENCY;) {
      const except = [...busy, ...bySeller.keys()];
      const due = await charges.claimDue(clock.now(), CLAIMED, HOLD_MS, except);
      for (const [accountId, its] of Map.groupBy(due, (charge) => charge.accountId))
        bySeller.set(accountId, its);
      found = due.length;
    }
    for (const accountId of bySeller.keys()) busy.add(accountId);
    return [...bySeller.values()];
  });

  /** One by one: many charges of a seller, or a service that hangs for one seller, hold up no other seller's. */
  const followInTurn = async (due: readonly Charge[], stopping: AbortSignal): Promise<void> => {
    working++;
    for (const charge of due) {
      const { nextCheckAt: heldUntil = clock.now() } = charge;
      // The claim of the rest has ended: it is due again.
      const isOver = Temporal.Instant.compare(clock.now(), heldUntil) >= 0;
      if (isOver || stopping.aborted) break;
      await follow(charge);
    }
    for (const { accountId } of due) busy.delete(accountId);
    working--;
  };

  return async (stopping) => {
    await workers(dueCharges(stopping), (due) => followInTurn(due, stopping), stopping);
    await editCards(stopping);
    const next = await charges.nextCheckAt([...busy]);
    const isOverdue = next !== undefined && Temporal.Instant.compare(next, clock.now()) <= 0;
    // The first worker that is free claims it; until then runs would follow each other without one.
    return isOverdue && working === CONCURRENCY ? undefined : next;
  };
};
