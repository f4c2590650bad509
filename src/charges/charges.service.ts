import type { Account } from "../accounts/account.ts";
import type { AccountsStore } from "../accounts/accounts.store.ts";
import { type Asker, connectionOfAsker } from "../accounts/asker.service.ts";
import type { OutboxStore } from "../delivery/outbox.store.ts";
import { type DeliveryState, type NewDelivery, referenceOf } from "../delivery/delivery.ts";
import { UserError } from "../shared/errors.ts";
import type { Locale } from "../shared/locale.ts";
import type { Logger } from "../shared/log.ts";
import { type Random, randomText } from "../shared/random.ts";
import type { SlidingLimit } from "../shared/sliding-limit.ts";
import { type Clock, MINUTE } from "../shared/time.ts";
import type { WalletClient } from "../wallet/client.ts";
import type { MoneyAnswer } from "../withdrawals/withdrawal.ts";
import {
  cardKey,
  type Charge,
  type ChargeChange,
  type ChargeRequest,
  chargeNoticeKey,
  type CreatedCharge,
  expiryOf,
  isPastExpiry,
  isPayable,
  nextLook,
  nextOpenCheck,
  toSeller,
} from "./charge.ts";
import type { Charges } from "./charges.store.ts";
import type { chargeNotice, chargePost, ChargeFacts } from "./charge.view.ts";
import { qrOf } from "./qr-code.ts";

/** A person who charges, with the place of the command. */
interface Charger extends Asker {
  readonly channelId: string;
  readonly interactionId: string;
  /** Language of posts in the channel. */
  readonly guildLocale: Locale;
}

interface ChargesNeeds {
  readonly clock: Clock;
  readonly log: Logger;
  readonly random: Random;
  readonly accounts: Pick<AccountsStore, "findWithKey">;
  readonly charges: Pick<Charges, "begin" | "change" | "find">;
  readonly wallet: Pick<WalletClient, "createCharge">;
  readonly outbox: Pick<OutboxStore, "cancelUnsent" | "enqueue" | "state">;
  /** Of persons: posts they asked for that Discord did not take. */
  readonly failedPosts: SlidingLimit;
  readonly cardOf: typeof chargePost;
  readonly foundNotice: typeof chargeNotice;
  /** The seller uses a button in the server: an earlier answer that the seller had left it counts no more. */
  readonly confirmPresence: (account: Account) => Promise<void>;
  /** Starts the deliveries and looks that are due, in the background. */
  readonly wake: () => void;
}

const ID_BYTES = 12;
/** Longer than the request with its waits: then its process is dead, and the charge is looked for. */
const CREATING_MS = 2 * MINUTE;
/** Longer than an answer to the command takes, with its repeats. */
const ANSWERED_MS = 2 * MINUTE;

/** Change of the charge by the answer to its one request. */
const changeBy = (
  answer: MoneyAnswer<CreatedCharge>,
  charge: Charge,
  now: Temporal.Instant,
): ChargeChange => {
  switch (answer.state) {
    case "accepted": {
      const { txid, code, problem, fee, net } = answer.value;
      const expiresAt = expiryOf(charge, answer.value.expiresAt);
      const nextCheckAt = nextOpenCheck({ ...charge, expiresAt }, now);
      return { state: "open", txid, code, problem, fee, net, expiresAt, nextCheckAt };
    }
    case "rejected":
    case "not_sent":
      return { state: answer.state, nextCheckAt: undefined, endedAt: now };
    case "unknown":
      return { state: "unknown", nextCheckAt: nextLook(0, now) };
    default:
      return answer satisfies never;
  }
};

/** A refused key is told in our words, as everywhere; of other refusals the service alone knows the reason. */
const refusalIn = (
  answer: MoneyAnswer<CreatedCharge>,
): Pick<ChargeFacts, "said" | "isKeyRefused" | "requestId"> => {
  if (answer.state === "unknown") return { requestId: answer.requestId };
  if (answer.state !== "rejected") return {};
  const { requestId } = answer;
  const isKeyRefused = answer.reason === "unauthorized";
  return isKeyRefused ? { isKeyRefused, requestId } : { said: answer.message, requestId };
};

/** Undefined for a card that was not posted for certain. */
const publishedIn = (state: DeliveryState | undefined): "sent" | "unclear" | undefined => {
  if (state === "sent") return "sent";
  return state === "unknown" ? "unclear" : undefined;
};

/** States in which the answer to the request is not known. */
const LOST: ReadonlySet<Charge["state"]> = new Set(["creating", "unknown", "missing"]);

/** The part of the answer's change that the charge still lacks; undefined for none. */
const changeLeft = (change: ChargeChange, current: Charge): ChargeChange | undefined => {
  if (LOST.has(current.state)) return change;
  if (current.state !== "open" || change.state !== "open") return undefined;
  const code = current.code ?? change.code;
  const fee = current.fee ?? change.fee;
  const isWhole = code === current.code && fee === current.fee;
  if (current.txid === undefined && change.txid !== undefined)
    return { ...change, code, fee, net: current.net ?? change.net };
  if (isWhole) return undefined;
  return { code, fee, problem: code === undefined ? current.problem : undefined };
};

export const createCharges = (needs: ChargesNeeds) => {
  const { clock, log, random, accounts, charges, wallet, outbox, failedPosts, cardOf, wake } =
    needs;

  /** In case Discord takes no answer, or the process dies before it: the code would stay unseen. */
  const noticeOf = (charge: Charge, now: Temporal.Instant): NewDelivery => {
    const notBefore = now.add({ milliseconds: ANSWERED_MS });
    return toSeller(charge, chargeNoticeKey(charge, "found"), notBefore, (reference) =>
      needs.foundNotice(charge, reference),
    );
  };

  /** Records the answer, also after a job has taken the charge for lost or has found it. */
  const record = async (charge: Charge, change: ChargeChange): Promise<Charge> => {
    const known = { ...charge, ...change };
    try {
      let own = change;
      let current: Charge | undefined = charge;
      // Each repetition follows another change of the charge, of which there are few, or another charge's txid.
      while (current !== undefined) {
        const left = changeLeft(own, current);
        if (left === undefined) return current;
        const now = clock.now();
        const after = { ...current, ...left };
        const isMade = LOST.has(current.state) && after.state === "open";
        const notices = isMade ? [noticeOf(after, now)] : [];
        const recorded = await charges.change(current, left, notices, now);
        if (recorded !== undefined) return recorded;
        const next = await charges.find(charge.id);
        // A txid that another charge has cannot be this one's too.
        if (next?.version === current.version) own = { ...own, txid: undefined };
        current = next;
      }
      // Its seller has just disconnected: no look finds its end.
      return known.endedAt === undefined ? { ...known, state: "unfollowed" } : known;
    } catch (error) {
      // The row stays `creating`: the job looks for the charge after its time.
      log.error({ charge: charge.id, err: error }, "a charge's answer could not be recorded");
      return known;
    }
  };

  return {
    /**
     * Creates a charge by one request, which is never repeated: the end of an unclear one is found by reading.
     * @throws UserError not_connected, charge_gone
     */
    create: async (charger: Charger, request: ChargeRequest): Promise<ChargeFacts> => {
      const { guildId, channelId, userId, interactionId, locale, guildLocale } = charger;
      const { account, key } = await connectionOfAsker(accounts, charger);
      const createdAt = clock.now();
      const charge: Charge = {
        ...request,
        id: randomText(random, ID_BYTES),
        version: 0,
        ownerId: userId,
        accountId: account.id,
        guildId,
        channelId,
        locale,
        cardLocale: guildLocale,
        state: "creating",
        txid: undefined,
        code: undefined,
        problem: undefined,
        fee: undefined,
        net: undefined,
        expiresAt: undefined,
        createdAt,
        endedAt: undefined,
        checks: 0,
        nextCheckAt: createdAt.add({ milliseconds: CREATING_MS }),
        card: undefined,
      };
      // Committed before the request: a crash leaves a trace to look for.
      if (!(await charges.begin(charge, interactionId))) {
        // Its removal since then is told as such.
        await connectionOfAsker(accounts, charger);
        throw new UserError({ kind: "charge_gone" });
      }
      const answer = await wallet.createCharge(key, request);
      const recorded = await record(charge, changeBy(answer, charge, clock.now()));
      wake();
      return {
        charge: recorded,
        qr: await qrOf(recorded),
        ...refusalIn(answer),
        retryAfterMs: "retryAfterMs" in answer ? answer.retryAfterMs : undefined,
      };
    },

    /** Takes back the message with the code of a charge whose answer Discord took. */
    answered: async (charge: Charge): Promise<void> => {
      // The answer about a lost one says only that it is looked for.
      if (charge.state !== "open") return;
      try {
        await outbox.cancelUnsent(chargeNoticeKey(charge, "found"), clock.now());
      } catch (error) {
        log.warn({ charge: charge.id, err: error }, "a message could not be taken back");
      }
    },

    /**
     * Posts the card in the channel of the command, once; again only after Discord surely refused it. A charge that is no
     * longer open comes back as it is.
     * @throws UserError charge_gone, not_connected, too_many_failed_posts
     */
    publish: async (
      { userId, channelId }: Pick<Charger, "channelId" | "userId">,
      id: string,
    ): Promise<ChargeFacts> => {
      const charge = await charges.find(id);
      // Who may write is known of the channel of the press alone.
      if (charge?.ownerId !== userId || charge.channelId !== channelId)
        throw new UserError({ kind: "charge_gone" });
      const qr = await qrOf(charge);
      const now = clock.now();
      // Its card would not be posted.
      if (qr === undefined) return { charge, qr };
      const dedupeKey = cardKey(charge);
      const before = await outbox.state(dedupeKey);
      if (isPastExpiry(charge, now))
        return { charge, qr, published: publishedIn(before) ?? "late" };
      const isRefused = before === "obsolete" || before === "dead";
      const waitMs = isRefused ? failedPosts.waitMs(userId) : 0;
      if (waitMs > 0) throw new UserError({ kind: "too_many_failed_posts", waitMs });
      const { guildId } = charge;
      // The charge itself may belong to the seller's connection in another server by now.
      const { account } = await connectionOfAsker(accounts, { guildId, userId });
      await needs.confirmPresence(account);
      const isNew = await outbox.enqueue(
        {
          dedupeKey,
          kind: "charge",
          target: { kind: "channel", channelId },
          guildId,
          accountId: account.id,
          payload: cardOf(charge, referenceOf(dedupeKey)),
          notBefore: now,
        },
        now,
      );
      if (isNew && isRefused) failedPosts.take(userId);
      wake();
      const posted = isNew ? undefined : publishedIn(await outbox.state(dedupeKey));
      return { charge, qr, published: posted ?? "soon" };
    },

    /** The code, for all who see the charge's button. @throws UserError charge_gone */
    code: async ({ guildId }: Pick<Charger, "guildId">, id: string): Promise<string> => {
      const charge = await charges.find(id);
      const isOpen =
        charge?.guildId === guildId && isPayable(charge) && !isPastExpiry(charge, clock.now());
      if (!isOpen) throw new UserError({ kind: "charge_gone" });
      return charge.code;
    },
  };
};
