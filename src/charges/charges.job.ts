import type { AccountsStore } from "../accounts/accounts.store.ts";
import { type WalletKey, walletKeyOf } from "../accounts/wallet-key.ts";
import {
  type DeliveryPayload,
  type EditPost,
  type NewDelivery,
  notice,
  referenceOf,
} from "../delivery/delivery.ts";
import type { SettlementHooks } from "../delivery/deliver.job.ts";
import type { OutboxStore } from "../delivery/outbox.store.ts";
import { createWorkers } from "../shared/concurrency.ts";
import { WalletError } from "../shared/errors.ts";
import type { Logger } from "../shared/log.ts";
import { type Clock, MINUTE } from "../shared/time.ts";
import type { Reply, ReplyFile } from "../ui/reply.ts";
import type { Transaction } from "../transactions/transaction.ts";
import type { WalletClient } from "../wallet/client.ts";
import {
  cardKey,
  type Charge,
  type ChargeChange,
  type Charges,
  type ChargeStatus,
  isEnded,
  isPastExpiry,
  chargeLiveName,
  mayBe,
  nextLook,
  nextOpenCheck,
  chargeNoticeKey,
} from "./charge.ts";
import { chargePost, chargeNotice, chargeView, unpostedNotice } from "./charge.view.ts";
import { drawQrCode, QR_FILE, qrOf } from "./qr-code.ts";

interface FollowChargesNeeds {
  readonly clock: Clock;
  readonly log: Logger;
  readonly charges: Charges;
  readonly accounts: Pick<AccountsStore, "findById" | "apiKey">;
  readonly wallet: Pick<WalletClient, "chargeStatus" | "transaction" | "transactions">;
  readonly edit: EditPost;
  /** Shows the charge in its private reply. True only when Discord surely took it. */
  readonly show: (name: string, reply: Reply) => Promise<boolean>;
  readonly outbox: Pick<OutboxStore, "cancelUnsent">;
  /** Called after a message was enqueued. */
  readonly onOwed: () => void;
}

/** Looks at the charges that are due, and shows their ends on their cards. @returns when the next look is due */
export type FollowCharges = (stopping: AbortSignal) => Promise<Temporal.Instant | undefined>;

const CONCURRENCY = 16;
const CLAIMED = 32;
/** Longer than the reads of one look with their waits. */
const HOLD_MS = 3 * MINUTE;
const AGAIN_MS = MINUTE;
const MOST_PAGES = 3;
const MOST_DETAILS = 5;
const MOST_CARDS = 50;
/** The hint may be wrong: the documented detail is read at every fourth look all the same. */
const DETAIL_EVERY = 4;

/** Words of the quick look that leave a charge open, and words that say its time is over. Both only hint. */
const WAITING = new Set(["pending", "waiting", "waiting_payment", "active", "created", "open"]);
const OVER = new Set(["expired", "cancelled", "canceled"]);

export const createFollowCharges = (needs: FollowChargesNeeds): FollowCharges => {
  const { clock, log, charges, accounts, wallet, edit, show, outbox, onOwed } = needs;
  const workers = createWorkers(CONCURRENCY);

  /** Undefined when it cannot be read now. @throws WalletError unauthorized */
  const tried = async <Value>(read: Promise<Value>): Promise<Value | "missing" | undefined> => {
    try {
      return await read;
    } catch (error) {
      if (!(error instanceof WalletError) || error.kind === "unauthorized") throw error;
      return error.kind === "not_found" ? "missing" : undefined;
    }
  };

  const deliveryOf = (
    after: Charge,
    about: "end" | "found",
    now: Temporal.Instant,
  ): NewDelivery => {
    const { ownerId, guildId, accountId } = after;
    const dedupeKey = chargeNoticeKey(after, about);
    return notice(ownerId, { dedupeKey, guildId, accountId, notBefore: now }, (reference) =>
      chargeNotice(after, reference),
    );
  };

  /** Changes the charge; its seller is told by direct message, and in the private reply while that lives. */
  const settle = async (
    charge: Charge,
    change: ChargeChange,
    about: "end" | "found" | undefined,
  ): Promise<void> => {
    const now = clock.now();
    const told = about === undefined ? [] : [deliveryOf({ ...charge, ...change }, about, now)];
    const after = await charges.change(charge, change, told, now);
    if (after === undefined || about === undefined) return;
    log.info({ charge: after.id, state: after.state }, "charge");
    const isShown = await show(chargeLiveName(after), await privateReply(after));
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

  /** The end that the documented detail proves; undefined for none. */
  const endIn = (
    { status, fee, net, updatedAt }: Transaction,
    now: Temporal.Instant,
  ): ChargeChange | undefined =>
    status === "approved" || status === "refunded"
      ? {
          state: status === "approved" ? "paid" : "refunded",
          fee,
          net,
          // A time ahead of ours would read as a payment to come.
          endedAt: Temporal.Instant.compare(updatedAt, now) > 0 ? now : updatedAt,
          nextCheckAt: undefined,
        }
      : undefined;

  const hintOf = async (
    { amount, description }: Charge,
    key: WalletKey,
    txid: string,
  ): Promise<ChargeStatus | undefined> => {
    const wanted = { amount, description };
    const seen = await tried(wallet.chargeStatus(key, txid, wanted, "background"));
    return seen === "missing" ? undefined : seen;
  };

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
    const isPast = isPastExpiry({ expiresAt }, now);
    const isHinted = hint?.status !== undefined && WAITING.has(hint.status);
    if (isHinted && !isPast && charge.checks % DETAIL_EVERY !== DETAIL_EVERY - 1)
      return await putOff(charge, learnt);
    const detail = await tried(wallet.transaction(key, txid, "background"));
    if (detail === undefined) return await putOff(charge, learnt);
    const end = detail === "missing" ? undefined : endIn(detail, now);
    if (end !== undefined) return await settle(charge, { ...learnt, ...end }, "end");
    const isOver = isPast || (hint?.status !== undefined && OVER.has(hint.status));
    const isUnpaid = detail === "missing" || detail.status === "pending" || OVER.has(detail.status);
    if (!isOver || !isUnpaid) return await putOff(charge, learnt);
    const expired = { state: "expired", endedAt: now, nextCheckAt: undefined } as const;
    await settle(charge, { ...learnt, ...expired }, "end");
  };

  /** Payments of the list that may be the charge, nearest in time first; undefined when the list cannot be read. */
  const candidates = async (
    charge: Charge,
    key: WalletKey,
  ): Promise<readonly string[] | undefined> => {
    const found = new Map<string, number>();
    let query: string | undefined;
    for (let pages = 0; pages < MOST_PAGES; pages++) {
      const page = await tried(wallet.transactions(key, query, "background"));
      if (page === undefined || page === "missing")
        return pages === 0 ? undefined : [...found.keys()];
      for (const item of page.items.filter((each) => mayBe(charge, each))) {
        const atMs = item.createdAt?.epochMilliseconds ?? 0;
        found.set(item.txid, Math.abs(atMs - charge.createdAt.epochMilliseconds));
      }
      query = page.next;
      if (query === undefined) break;
    }
    const taken = await charges.claimed(charge.accountId, [...found.keys()]);
    return [...found]
      .filter(([txid]) => !taken.has(txid))
      .toSorted(([, one], [, other]) => one - other)
      .slice(0, MOST_DETAILS)
      .map(([txid]) => txid);
  };

  /** Looks for a charge whose txid is not known. The documented detail confirms a payment of the list. */
  const look = async (charge: Charge, key: WalletKey): Promise<void> => {
    const wasLost = charge.state !== "open";
    const listed = await candidates(charge, key);
    const now = clock.now();
    const isOld = nextOpenCheck({ ...charge, expiresAt: undefined }, now) === undefined;
    if (listed === undefined) {
      if (isOld) return await putOff(charge);
      const state = wasLost ? "unknown" : charge.state;
      const nextCheckAt = now.add({ milliseconds: AGAIN_MS });
      return await settle(charge, { state, nextCheckAt }, undefined);
    }
    for (const txid of listed) {
      const detail = await tried(wallet.transaction(key, txid, "background"));
      if (detail === undefined || detail === "missing") continue;
      const isIt = mayBe(charge, detail) && detail.description?.trim() === charge.description;
      if (!isIt) continue;
      const hint = await hintOf(charge, key, txid);
      const expiresAt = charge.expiresAt ?? hint?.expiresAt;
      const code = charge.code ?? hint?.code;
      const { fee, net } = detail;
      const open: ChargeChange = {
        state: "open",
        txid,
        code,
        problem: code === undefined ? "no_code" : undefined,
        fee,
        net,
        expiresAt,
        checks: 0,
        nextCheckAt: nextOpenCheck({ ...charge, expiresAt }, now),
      };
      const end = endIn(detail, now);
      const about = end !== undefined ? "end" : wasLost ? "found" : undefined;
      return await settle(charge, { ...open, ...end }, about);
    }
    const checks = charge.checks + 1;
    const nextCheckAt = nextLook(checks, now);
    if (nextCheckAt !== undefined) {
      const state = wasLost ? "unknown" : charge.state;
      return await settle(charge, { state, checks, nextCheckAt }, undefined);
    }
    const state = wasLost ? "missing" : charge.state;
    await settle(charge, { state, checks, nextCheckAt }, wasLost ? "found" : undefined);
  };

  const follow = async (charge: Charge): Promise<void> => {
    try {
      const account = await accounts.findById(charge.accountId);
      const apiKey = await accounts.apiKey(charge.accountId);
      // The account was erased since the claim.
      if (account === undefined || apiKey === undefined) return;
      const key = walletKeyOf(account, apiKey);
      const { state, txid } = charge;
      await (state === "open" && txid !== undefined ? check(charge, key, txid) : look(charge, key));
    } catch (error) {
      // The claim ends by itself, and the next look repeats this one.
      log.warn({ charge: charge.id, err: error }, "a charge cannot be looked at now");
    }
  };

  const editCards = async (stopping: AbortSignal): Promise<void> => {
    const stale = await charges.staleCards(MOST_CARDS);
    await workers(
      stale,
      async (charge) => {
        const { card, state, id } = charge;
        if (card === undefined) return;
        const body = chargePost(charge, referenceOf(cardKey(charge)));
        const outcome = await edit(card.channelId, card.messageId, body);
        if (outcome !== "later") await charges.cardShows(id, state);
      },
      stopping,
    );
  };

  return async (stopping) => {
    for (;;) {
      const due = stopping.aborted ? [] : await charges.claimDue(clock.now(), CLAIMED, HOLD_MS);
      await workers(due, follow, stopping);
      if (due.length < CLAIMED) break;
    }
    await editCards(stopping);
    return await charges.nextCheckAt();
  };
};

const privateReply = async (charge: Charge): Promise<Reply> =>
  chargeView({ charge, qr: await qrOf(charge) }, charge.locale);

/** Notes where a card was posted, and tells the seller where it could not be. Both may run again after a crash. */
export const chargeSettlement = (needs: {
  readonly clock: Clock;
  readonly charges: Pick<Charges, "find" | "posted">;
  readonly outbox: Pick<OutboxStore, "enqueue">;
}): SettlementHooks => {
  const { clock, charges, outbox } = needs;
  return {
    onSettling: async ({ payload, target }, settlement) => {
      const id = payload.charge?.id;
      if (id === undefined || target.kind !== "channel") return;
      if (settlement.state === "sent" && settlement.messageId !== null)
        return await charges.posted(id, target.channelId, settlement.messageId);
      const isLost = settlement.state === "dead" || settlement.state === "obsolete";
      const charge = isLost ? await charges.find(id) : undefined;
      if (charge === undefined || isEnded(charge)) return;
      const now = clock.now();
      const { ownerId, guildId, accountId } = charge;
      const post = {
        dedupeKey: chargeNoticeKey(charge, "unposted"),
        guildId,
        accountId,
        notBefore: now,
      };
      const told = notice(ownerId, post, (reference) => unpostedNotice(charge, reference));
      await outbox.enqueue(told, now);
    },
  };
};

/** The picture of a charge's card, for its post; no files for other deliveries. @throws like `drawQrCode` */
export const cardFiles = async ({
  charge,
}: {
  readonly charge?: DeliveryPayload["charge"] | undefined;
}): Promise<readonly ReplyFile[]> =>
  charge === undefined
    ? []
    : [{ name: QR_FILE, contentType: "image/png", data: await drawQrCode(charge.code) }];
