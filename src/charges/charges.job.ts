import type { AccountsStore } from "../accounts/accounts.store.ts";
import { type WalletKey, walletKeyOf } from "../accounts/wallet-key.ts";
import type { OutboxStore } from "../delivery/outbox.store.ts";
import { createClaims, createWorkers } from "../shared/concurrency.ts";
import { concernsRequestAlone, isRefusedKey, WalletError } from "../shared/errors.ts";
import { amongIds } from "../shared/ids.ts";
import type { Logger } from "../shared/log.ts";
import { settled } from "../shared/settled.ts";
import { type Clock, MINUTE } from "../shared/time.ts";
import { goesBackTo } from "../transactions/brasilia-day.ts";
import type { Reply } from "../ui/reply.ts";
import type { ListedTransaction, Transaction } from "../transactions/transaction.ts";
import type { WalletClient } from "../wallet/client.ts";
import {
  type Charge,
  type ChargeChange,
  type ChargeStatus,
  isEnded,
  isNew,
  mayBe,
  nextLateCheck,
  nextLook,
  nextOpenCheck,
  chargeNoticeKey,
  toSeller,
} from "./charge.ts";
import type { Charges } from "./charges.store.ts";
import {
  endIn,
  isUnprovenYet,
  learntOf,
  type Matches,
  nextOf,
  onlyUnpaid,
  signsOf,
  UNREAD_MS,
} from "./charge-check.ts";
import { createEditCards, type EditCardsNeeds } from "./charge-cards.job.ts";
import { chargeNotice, liveChargeViews } from "./charge.view.ts";
import { qrOf } from "./qr-code.ts";

interface FollowChargesNeeds extends Pick<EditCardsNeeds, "edit"> {
  readonly clock: Clock;
  readonly log: Logger;
  readonly charges: Charges;
  readonly accounts: Pick<AccountsStore, "findById" | "ofWatch" | "apiKey">;
  readonly wallet: Pick<WalletClient, "chargeStatus" | "transaction" | "transactions">;
  /** Edits a private reply. True only when Discord surely took it. */
  readonly show: (name: string, reply: Reply) => Promise<boolean>;
  readonly outbox: Pick<OutboxStore, "cancelUnsent">;
  /** Called after a message was enqueued. */
  readonly onOwed: () => void;
}

/** Sellers at the same time. */
const CONCURRENCY = 16;
const CLAIMED = 32;
/** Longer than the reads of one look with their waits. */
const HOLD_MS = 3 * MINUTE;
const AGAIN_MS = MINUTE;
/** Pages of one look for a lost charge. Fewer may stand newest first by chance. */
const LEAST_PAGES = 3;
const MOST_PAGES = 20;
const MOST_DETAILS = 5;

/** An answer of the service itself that a later reading would get again. */
const isLasting = (error: WalletError): boolean => concernsRequestAlone(error) && !error.isForeign;

/** Shows the charge in its private reply. True only when Discord surely took it. */
export const showCharge = async (
  show: FollowChargesNeeds["show"],
  charge: Charge,
): Promise<boolean> => {
  const views = liveChargeViews({ charge, qr: await qrOf(charge) }, charge.locale);
  for (const view of views) if (await show(view.live?.name ?? "", view)) return true;
  return false;
};

/**
 * Looks at the charges that are due, and shows their ends on their cards. Overlapping runs share their workers. A run gives
 * the instant of the next look.
 */
export const createFollowCharges = (needs: FollowChargesNeeds) => {
  const { clock, log, charges, accounts, wallet, show, outbox, onOwed } = needs;
  const workers = createWorkers(CONCURRENCY);
  const editCards = createEditCards(needs);

  /** Undefined when it cannot be read now. @throws WalletError unauthorized */
  const tried = async <Value>(
    read: Promise<Value>,
    isMissing = ({ kind }: WalletError): boolean => kind === "not_found",
  ): Promise<Value | "missing" | undefined> => {
    try {
      return await read;
    } catch (error) {
      if (!(error instanceof WalletError) || isRefusedKey(error)) throw error;
      return isMissing(error) ? "missing" : undefined;
    }
  };

  /**
   * Changes the charge; its seller is told by direct message, and in the private reply while that lives: there also of a
   * code that came after its answer.
   */
  const settle = async (
    charge: Charge,
    change: ChargeChange,
    about: "end" | "late" | "found" | undefined,
  ): Promise<void> => {
    const now = clock.now();
    const told = (about: "end" | "late" | "found") =>
      toSeller(charge, chargeNoticeKey(charge, about), now, (reference) =>
        chargeNotice({ ...charge, ...change }, reference),
      );
    const after = await charges.change(charge, change, about ? [told(about)] : [], now);
    const isCodeNew = charge.code === undefined && change.code !== undefined;
    if (after === undefined || (about === undefined && !isCodeNew)) return;
    log.info({ charge: after.id, state: after.state }, "charge");
    const isShown = await showCharge(show, after);
    // An end is told in any case; what became of a lost answer only where the reply can no longer say it.
    if (isShown && about === "found") await outbox.cancelUnsent(chargeNoticeKey(after, about), now);
    if (about !== undefined) onOwed();
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
   * Payments of the list that may be the charge, nearest in time first. Undefined when the list proves no absence, or
   * shows the charge's own txid: another payment is not the charge then. "unread" when a page cannot be read now.
   */
  const candidatesFor = async (charge: Charge, key: WalletKey) => {
    const apartMs = new Map<string, number>();
    const rows = new Map<string, ListedTransaction>();
    let query: string | undefined;
    let skewMs: number | undefined;
    let unnamed = 0;
    for (let pages = 1; ; pages++) {
      const page = await tried(wallet.transactions(key, query, "background"), isLasting);
      if (page === undefined) return "unread";
      if (page === "missing") return undefined;
      if (page.items.some(({ txid }) => txid === charge.txid)) return undefined;
      skewMs ??= page.skewMs;
      const others = page.unnamedRows?.filter((row) => !mayBe(charge, row, skewMs)) ?? [];
      unnamed += page.unnamed - others.length;
      for (const item of page.items.filter((each) => mayBe(charge, each, skewMs))) {
        const atMs = item.createdAt?.epochMilliseconds ?? 0;
        apartMs.set(item.txid, Math.abs(atMs - charge.createdAt.epochMilliseconds));
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
    const nearest = [...apartMs].toSorted(([, one], [, other]) => one - other);
    return { txids: nearest.map(([txid]) => txid), unnamed, skewMs };
  };

  /** As above; "unread" also when a detail cannot be read now. */
  const matches = async (
    charge: Charge,
    key: WalletKey,
  ): Promise<Matches | "unread" | undefined> => {
    const candidates = await candidatesFor(charge, key);
    if (candidates === undefined || candidates === "unread") return candidates;
    const { txids, unnamed, skewMs } = candidates;
    const taken = await charges.claimed(charge.accountId, txids);
    const isOwn = amongIds([charge.txid ?? ""]);
    const free = txids.filter((txid) => !taken.has(txid) || isOwn(txid));
    const payments: Transaction[] = [];
    // A row without a txid or a detail, or one too many to be asked for, may be the charge.
    let isUnproven = unnamed > 0 || free.length > MOST_DETAILS;
    for (const txid of free.slice(0, MOST_DETAILS)) {
      const detail = await tried(wallet.transaction(key, txid, "background"), isLasting);
      if (detail === undefined) return "unread";
      if (detail === "missing") {
        isUnproven = true;
        continue;
      }
      const isSame = detail.description?.trim() === charge.description;
      if (isSame && mayBe(charge, detail, skewMs)) payments.push(detail);
    }
    return { payments, isProven: payments.length > 0 || !isUnproven };
  };

  const claim = async (charge: Charge, key: WalletKey, detail: Transaction): Promise<void> => {
    const { txid, fee, net } = detail;
    const hint = await hintOf(charge, key, txid);
    const { expiresAt, code } = learntOf(charge, hint);
    const now = clock.now();
    const open: ChargeChange = {
      state: "open",
      txid,
      code,
      problem: code === undefined ? "no_code" : undefined,
      fee,
      net,
      expiresAt,
      checks: 0,
      // One that was found at the last look is looked at once more.
      nextCheckAt:
        nextOpenCheck({ ...charge, expiresAt }, now) ?? now.add({ milliseconds: UNREAD_MS }),
    };
    // Its time may have passed while it was looked for: a code that cannot be paid is not told as found.
    const signs = signsOf({ ...charge, expiresAt }, hint, now);
    const next = nextOf({ ...charge, ...open }, { ...signs, detail, found: undefined }, now);
    if (next !== undefined && "change" in next)
      return await settle(charge, { ...open, ...next.change }, next.about);
    await settle(charge, open, charge.state === "open" ? undefined : "found");
  };

  /** Without a txid, or with one that may be another id of the answer, the charge is looked for in the list. */
  const check = async (charge: Charge, key: WalletKey): Promise<void> => {
    const { txid } = charge;
    const hint = txid === undefined ? undefined : await hintOf(charge, key, txid);
    const now = clock.now();
    const learnt = learntOf(charge, hint);
    const { isOver, isLast, needsDetail } = signsOf({ ...charge, ...learnt }, hint, now);
    const read = async (id: string) => await tried(wallet.transaction(key, id, "background"));
    const detail = txid === undefined ? "missing" : needsDetail ? await read(txid) : undefined;
    const isLookedFor = detail === "missing" && (isOver || isLast || isNew(charge, now));
    const found = isLookedFor ? await matches(charge, key) : undefined;
    const next = nextOf(charge, { isOver, isLast, detail, found }, now);
    if (next === undefined) await putOff(charge, learnt);
    else if ("claim" in next) await claim({ ...charge, ...learnt }, key, next.claim);
    else await settle(charge, { ...learnt, ...next.change }, next.about);
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
    const isUnread = !read.ok && !isLasting(read.error);
    const again = isUnread ? now.add({ milliseconds: UNREAD_MS }) : undefined;
    const nextCheckAt = nextLateCheck(checks, now) ?? again;
    await settle(charge, { checks, nextCheckAt }, undefined);
  };

  /** Looks for a lost charge. */
  const look = async (charge: Charge, key: WalletKey): Promise<void> => {
    const found = await matches(charge, key);
    const now = clock.now();
    if (found === undefined || found === "unread" || isUnprovenYet(charge, found, now)) {
      // The last look is repeated through an outage.
      const again = found === "unread" ? now.add({ milliseconds: UNREAD_MS }) : undefined;
      const growing = nextOpenCheck({ ...charge, expiresAt: undefined }, now) ?? again;
      if (growing === undefined) return await putOff(charge);
      const soonest = now.add({ milliseconds: AGAIN_MS });
      const nextCheckAt = Temporal.Instant.compare(growing, soonest) > 0 ? growing : soonest;
      return await settle(charge, { state: "unknown", nextCheckAt }, undefined);
    }
    const only = onlyUnpaid(charge, found, now);
    if (only !== undefined) return await claim(charge, key, only);
    const checks = charge.checks + 1;
    const nextCheckAt = nextLook(checks, now);
    if (nextCheckAt !== undefined)
      return await settle(charge, { state: "unknown", checks, nextCheckAt }, undefined);
    const problem = found.payments.length === 0 && found.isProven ? undefined : "unclear";
    await settle(charge, { state: "missing", problem, checks, nextCheckAt }, "found");
  };

  const follow = async (charge: Charge): Promise<void> => {
    try {
      const own = await accounts.findById(charge.accountId);
      const reader =
        own?.pausedAt === undefined ? own : (await accounts.ofWatch(own.watchId))?.reader;
      const apiKey = reader && (await accounts.apiKey(reader.id));
      // The account was erased since the claim.
      if (reader === undefined || apiKey === undefined) return;
      const key = walletKeyOf(reader, apiKey);
      const { state, txid } = charge;
      const isOld = nextOpenCheck(charge, clock.now()) === undefined;
      if (reader.pausedAt !== undefined && !isEnded(charge) && isOld) await putOff(charge);
      else if (state === "open") await check(charge, key);
      else if (txid === undefined) await look(charge, key);
      else await checkLate(charge, key, txid);
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

  return async (stopping: AbortSignal): Promise<Temporal.Instant | undefined> => {
    await workers(dueCharges(stopping), (due) => followInTurn(due, stopping), stopping);
    await editCards(stopping);
    const next = await charges.nextCheckAt([...busy]);
    const isOverdue = next !== undefined && Temporal.Instant.compare(next, clock.now()) <= 0;
    // The first worker that is free claims it; until then runs would follow each other without one.
    return isOverdue && working === CONCURRENCY ? undefined : next;
  };
};
