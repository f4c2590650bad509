import {
  type DeliveryPayload,
  type EditPost,
  loggedDelivery,
  referenceOf,
} from "../delivery/delivery.ts";
import { LONGEST_BLOCK_MS } from "../delivery/delivery-policies.ts";
import type { Revalidate, SettlementHooks } from "../delivery/deliver.job.ts";
import type { OutboxStore } from "../delivery/outbox.store.ts";
import { mayStand } from "../delivery/settlement.ts";
import { createWorkers } from "../shared/concurrency.ts";
import type { Logger } from "../shared/log.ts";
import { type Clock, MINUTE, msBetween } from "../shared/time.ts";
import type { ReplyFile } from "../ui/reply.ts";
import { cardKey, chargeNoticeKey, isEnded, isPastExpiry, isPayable, toSeller } from "./charge.ts";
import type { Charges } from "./charges.store.ts";
import { chargePost, qrFile, unpostedNotice } from "./charge.view.ts";
import { drawQrCode } from "./qr-code.ts";

export interface EditCardsNeeds {
  readonly clock: Clock;
  readonly charges: Pick<Charges, "staleCards" | "cardShows">;
  readonly edit: EditPost;
}

const CONCURRENCY = 16;
const MOST_CARDS = 50;
/** Longer than a beat: the next one edits the cards of other channels. */
const FIRST_PAUSE_MS = 2 * MINUTE;

/**
 * Pause of a channel in which the bot may not edit, or Discord takes no edit now; each further refusal doubles it. Without
 * one, fifty cards that Discord's limit of edits holds back would keep those of all other channels waiting.
 */
interface Pause {
  readonly since: Temporal.Instant;
  readonly ms: number;
}

/**
 * Shows the ends of charges on their posted cards, one run after the other: a card's last edit has its last state. A card
 * that the bot may not edit now goes on asking for money: its channel is tried again until the charge is erased. The
 * pauses live in memory.
 */
export const createEditCards = ({
  clock,
  charges,
  edit,
}: EditCardsNeeds): ((stopping: AbortSignal) => Promise<void>) => {
  const workers = createWorkers(CONCURRENCY);
  const pauses = new Map<string, Pause>();
  let last = Promise.resolve();

  const editStale = async (stopping: AbortSignal): Promise<void> => {
    const now = clock.now();
    const waiting: string[] = [];
    for (const [channelId, { since, ms }] of pauses) {
      // In either direction: after the clock was set back, a pause would last as much longer.
      const elapsedMs = msBetween(now, since);
      if (elapsedMs < ms) waiting.push(channelId);
      // No card is left there.
      else if (elapsedMs > 2 * LONGEST_BLOCK_MS) pauses.delete(channelId);
    }
    const tried = new Set<string>();
    const stale = await charges.staleCards(MOST_CARDS, waiting);
    await workers(
      stale,
      async (charge) => {
        const { card, state, id } = charge;
        if (card === undefined) return;
        const { channelId, messageId } = card;
        const pause = pauses.get(channelId);
        // One card is enough to learn whether the channel still refuses.
        if (pause !== undefined && tried.has(channelId)) return;
        tried.add(channelId);
        const body = chargePost(charge, referenceOf(cardKey(charge)));
        const outcome = await edit(channelId, messageId, body);
        if (outcome === "refused" || outcome === "later") {
          const isFirst = pause === undefined || outcome === "later";
          const ms = isFirst ? FIRST_PAUSE_MS : Math.min(2 * pause.ms, LONGEST_BLOCK_MS);
          pauses.set(channelId, { since: now, ms });
          return;
        }
        pauses.delete(channelId);
        await charges.cardShows(id, state);
      },
      stopping,
    );
  };

  return (stopping) => {
    last = last.catch(() => {}).then(() => editStale(stopping));
    return last;
  };
};

/**
 * Keeps the card of a charge that can no longer be paid out of its channel: it may have waited for an hour, as may a
 * message that offers its code. The code of a charge that was left may still be paid. Other deliveries, and those of a
 * charge that cannot be read, are left to `revalidate`.
 */
export const withPayableCharge =
  (
    needs: {
      readonly clock: Clock;
      readonly log: Logger;
      readonly charges: Pick<Charges, "find">;
    },
    revalidate: Revalidate,
  ): Revalidate =>
  async (claim) => {
    const isCard = claim.kind === "charge";
    const id = isCard ? claim.payload.charge?.id : claim.payload.payable;
    if (id === undefined) return await revalidate(claim);
    try {
      const charge = await needs.charges.find(id);
      const isOver =
        charge === undefined ||
        (isCard ? !isPayable(charge) : isEnded(charge) || charge.endedAt !== undefined) ||
        isPastExpiry(charge, needs.clock.now());
      if (isOver) return { kind: "untrue", unsent: undefined };
    } catch (error) {
      needs.log.error({ ...loggedDelivery(claim), err: error }, "a card's charge is not known");
    }
    return await revalidate(claim);
  };

/**
 * Notes where a card was posted, and tells the seller where it could not be, or may not have been. Both may run again
 * after a crash.
 */
export const chargeSettlement = (needs: {
  readonly clock: Clock;
  readonly charges: Pick<Charges, "cardShows" | "find" | "posted">;
  readonly outbox: Pick<OutboxStore, "enqueue">;
}): SettlementHooks => {
  const { clock, charges, outbox } = needs;
  return {
    // Without its text, the card of a connection that was removed is only searched for.
    payloadOf: ({ payload }) => (payload.embeds === undefined ? undefined : payload),
    onSettling: async (claim, settlement) => {
      const { payload, target, enqueuedAt } = claim;
      const id = payload.charge?.id;
      if (id === undefined || target.kind !== "channel") return;
      if (settlement.state === "sent" && settlement.messageId !== null)
        return await charges.posted(id, target.channelId, settlement.messageId);
      if (settlement.state === "due" || settlement.state === "blocked") return;
      const found = await charges.find(id);
      // A charge without an owner has no state left to show.
      if (found?.ownerId === "") return await charges.cardShows(id, found.state);
      const isChannelLost = settlement.state === "obsolete" && settlement.isChannelLost === true;
      const isUnclear = settlement.state === "unknown";
      // A seller who has left the server is not told.
      const isOwed = settlement.state !== "sent" && settlement.error !== "no_longer_true";
      const charge = isOwed ? found : undefined;
      if (charge === undefined || isEnded(charge)) return;
      const now = clock.now();
      // Each card that its seller asked for is told by itself.
      const dedupeKey = `${chargeNoticeKey(charge, "unposted")}|${enqueuedAt.toString()}`;
      const refusal = mayStand(claim)
        ? "refused_later"
        : isChannelLost
          ? "channel_lost"
          : "refused";
      const told = toSeller(charge, dedupeKey, now, (reference) =>
        unpostedNotice(charge, reference, isUnclear ? "unclear" : refusal),
      );
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
  charge === undefined ? [] : [qrFile(await drawQrCode(charge.code), charge.inWords)];
