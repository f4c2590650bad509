import type { AccountsStore } from "./accounts.store.ts";
import { type Account, isLastKey } from "./account.ts";
import { type NewDelivery, notice } from "../delivery/delivery.ts";
import type { KeyOffers } from "./key-offers.store.ts";
import { offerEnd, offerEndDelivery, offerQuestionKey } from "./wallet-key.ts";
import type { WalletError } from "../shared/errors.ts";
import type { Locale } from "../shared/locale.ts";
import type { Logger } from "../shared/log.ts";
import type { Clock } from "../shared/time.ts";
import type { SettlementHooks } from "../delivery/deliver.job.ts";
import type { OutboxStore } from "../delivery/outbox.store.ts";
import {
  keyOfferEndNotice,
  keyRefusedNotice,
  leftServerNotice,
  sharedAccountNotice,
} from "./notices.view.ts";

interface PausingNeeds {
  readonly clock: Clock;
  readonly log: Logger;
  readonly accounts: Pick<AccountsStore, "ofOwner" | "pause" | "stayedIn">;
  readonly onOwed: () => void;
}

/**
 * Pauses the jobs of a key that the service refuses (401), and notifies its owner at once: in `guildLocale` where the
 * owner's own language is not known.
 */
export const pauseRefusedKey = async (
  { clock, log, accounts, onOwed }: PausingNeeds,
  account: Account,
  guildLocale: Locale | undefined,
  error?: WalletError,
): Promise<void> => {
  const now = clock.now();
  const dedupeKey = `notice|key_refused|${account.id}|${now.toString()}`;
  const { id, ownerId, keyLast4, keyFingerprint } = account;
  const owned = await accounts.ofOwner(ownerId);
  const isLast = isLastKey(account, owned);
  // In a server that its owner left no key can be connected.
  const stayed = await accounts.stayedIn(ownerId);
  const paused = owned.filter(
    (each) => each.keyFingerprint === keyFingerprint && stayed.has(each.id),
  );
  const { guildId } = paused.find((each) => each.id === id) ?? paused[0] ?? account;
  const elsewhere = paused.filter((each) => each.guildId !== guildId).length;
  const locale = account.locale ?? guildLocale ?? "pt-BR";
  const { requestId } = error ?? {};
  const facts = { guildId, locale, keyLast4, isLast, elsewhere, noticedAt: now, requestId };
  const refused = notice(
    ownerId,
    { dedupeKey, guildId, accountId: id, notBefore: now },
    (reference) => keyRefusedNotice({ ...facts, reference }),
  );
  if (!(await accounts.pause(id, now, refused, keyFingerprint))) return;
  onOwed();
  log.warn({ account: id, err: error }, "a key is refused; its jobs wait");
};

/** Where the alerts of a wallet account go after its owner left the server of `id`; undefined: another server decides. */
const alertsAfterLeaving = (
  { id, watchId }: Account,
  owned: readonly Account[],
): "direct" | "off" | undefined => {
  const sharing = owned.filter((each) => each.watchId === watchId);
  if (sharing.every(({ alerts }) => alerts === "off")) return "off";
  return sharing.some((each) => each.id !== id && each.alerts === "channel") ? undefined : "direct";
};

/**
 * Tells an owner who has left a server that the key is still connected there.
 * @param owned the owner's connections in every server
 */
export const leftServer = (
  account: Account,
  owned: readonly Account[],
  facts: Omit<
    Parameters<typeof leftServerNotice>[0],
    "alerts" | "guildId" | "keyLast4" | "noticedAt" | "reference"
  >,
  now: Temporal.Instant,
): NewDelivery => {
  const { id, guildId, ownerId, keyLast4 } = account;
  const dedupeKey = `notice|left_server|${id}|${now.toString()}`;
  const alerts = alertsAfterLeaving(account, owned);
  const own = { guildId, keyLast4, alerts, noticedAt: now };
  return notice(ownerId, { dedupeKey, guildId, accountId: id, notBefore: now }, (reference) =>
    leftServerNotice({ ...facts, ...own, reference }),
  );
};

/** Erases offered keys that expired unanswered, and tells the admins who offered them. */
export const expireKeyOffers = async (
  {
    keyOffers,
    outbox,
  }: {
    readonly keyOffers: Pick<KeyOffers, "expired" | "end">;
    readonly outbox: Pick<OutboxStore, "cancelUnsent">;
  },
  now: Temporal.Instant,
): Promise<void> => {
  for (const offer of await keyOffers.expired(now)) {
    const isUnasked = await outbox.cancelUnsent(offerQuestionKey(offer.id), now);
    const how = isUnasked ? "unreached" : "expired";
    const end = offerEndDelivery(offer, how, keyOfferEndNotice, now);
    await keyOffers.end(offer, how, end, now);
  }
};

/** Ends a key offer that Discord did not deliver to the member, and tells the admin. */
export const offerSettlement = ({
  clock,
  keyOffers,
}: {
  readonly clock: Clock;
  readonly keyOffers: Pick<KeyOffers, "end" | "find">;
}): SettlementHooks => ({
  // The buttons of an expired question would be dead.
  payloadOf: ({ offerId, enqueuedAt, payload }) => {
    const end = offerEnd({ askedAt: enqueuedAt });
    const isOver = offerId !== undefined && Temporal.Instant.compare(end, clock.now()) <= 0;
    return isOver ? undefined : payload;
  },
  onSettling: async ({ offerId, enqueuedAt }, { state }) => {
    if (offerId === undefined || (state !== "dead" && state !== "obsolete")) return;
    const now = clock.now();
    // Also an expired offer: the upkeep erases it within the hour.
    const offer = await keyOffers.find(offerId, enqueuedAt);
    if (offer === undefined) return;
    const end = offerEndDelivery(offer, "unreached", keyOfferEndNotice, now);
    await keyOffers.end(offer, "unreached", end, now);
  },
});

/** To another owner of the wallet account. */
export const noticeToOther = (account: Account, other: Account): NewDelivery => {
  const { guildId, ownerId, locale = "pt-BR" } = other;
  // The key too: after a message about an earlier one, it may have been revoked, and this one made.
  const dedupeKey = `notice|shared_account|${account.id}|${account.keyFingerprint}|${ownerId}`;
  // Not of the connection: its removal would cancel the notice, which is raised once.
  const post = { dedupeKey, guildId, accountId: null, notBefore: account.connectedAt };
  return notice(ownerId, post, (reference) =>
    sharedAccountNotice({ account, guildId, locale, reference }),
  );
};

/** Resumes a key with which its owner reads. */
export const resumeKeyOf =
  (accounts: Pick<AccountsStore, "resume">, clock: Clock) =>
  (accountId: string): Promise<void> =>
    accounts.resume(accountId, { at: clock.now(), sharedNotice: noticeToOther });
