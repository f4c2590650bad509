import type { AccountsStore } from "./accounts.store.ts";
import { createSpacing, createWorkers } from "../shared/concurrency.ts";
import { type Account, isLastKey } from "./account.ts";
import { ACCEPTED, type NewDelivery, notice } from "../delivery/delivery.ts";
import type { KeyOffers } from "./key-offers.store.ts";
import { offerEnd, offerEndDelivery, offerQuestionKey, walletKeyOf } from "./wallet-key.ts";
import type { WalletError } from "../shared/errors.ts";
import type { Locale } from "../shared/locale.ts";
import type { Logger } from "../shared/log.ts";
import { type Clock, DAY, HOUR, MINUTE } from "../shared/time.ts";
import { settled } from "../shared/settled.ts";
import type { WalletClient } from "../wallet/client.ts";
import type { ReportRoutesStore } from "../reports/report-routes.store.ts";
import type { SettlementHooks } from "../delivery/deliver.job.ts";
import type { OutboxStore } from "../delivery/outbox.store.ts";
import {
  keyAcceptedNotice,
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

/** Refused keys are tried so long: a key that is revoked stays so. */
const TRIED_MS = 30 * DAY;
/** Minutes whose tries are made up for with those of the present one: a tenth of the keys at most, after a night's sleep too. */
const MOST_MISSED = 5;
const TRIED_TOGETHER = 16;
/** By then jobs have read with the key again: they do every ten minutes, and MEDs at least every 15. */
const ACCEPTED_AFTER_MS = 20 * MINUTE;

type RefusedKey = Awaited<ReturnType<AccountsStore["refusedAfter"]>>[number];

/**
 * Whether a key is tried in this minute: hourly for a day, since an outage is short and a MED may have a day left, then
 * daily, 53 times in all. Each key has its own minute of the hour and of the day: thousands may be refused in the same one.
 * That of the day comes five hours later each day: the process or the service may be away for the same hours of all.
 */
const isTriedIn = (minute: number, { pausedAt, keyFingerprint }: RefusedKey): boolean => {
  const age = minute - Math.floor(pausedAt.epochMilliseconds / MINUTE);
  const day = Math.trunc(age / (DAY / MINUTE));
  const round = (day === 0 ? HOUR : DAY) / MINUTE;
  const own = Buffer.from(keyFingerprint, "base64url").readUInt16BE() / 0x1_00_00;
  const place = (own + (5 * day) / 24) % 1;
  return age < TRIED_MS / MINUTE && age % round === Math.floor(place * round);
};

/**
 * Tries refused keys again: the service may have refused all of them for a while, and their owners need not notice. A key
 * is tried once for all servers, and stays paused unless it reads. One that does is used as after `/vendas`, and its owner
 * told, unless the message of the refusal waits until then, or it is refused again before the new one is.
 */
export const createKeyTries = ({
  clock,
  log,
  accounts,
  routes,
  wallet,
  onOwed,
  isOwnTurn = () => true,
}: Omit<PausingNeeds, "accounts"> & {
  readonly accounts: Pick<
    AccountsStore,
    "findById" | "findByIdWithKey" | "refusedAfter" | "resume"
  >;
  readonly routes: Pick<ReportRoutesStore, "find">;
  readonly wallet: Pick<WalletClient, "disputeSummary">;
  /** Which minutes are this process's; every one where it is the only one. */
  readonly isOwnTurn?: ((minute: number) => boolean) | undefined;
}) => {
  const minuteNow = (): number => Math.floor(clock.now().epochMilliseconds / MINUTE);
  let lastMinute = minuteNow() - 1;

  const resume = async (accountId: string): Promise<void> => {
    const account = await accounts.findById(accountId);
    if (account?.pausedAt === undefined) return;
    const { id, guildId, ownerId, keyLast4 } = account;
    const now = clock.now();
    const locale = account.locale ?? (await routes.find(guildId))?.locale ?? "pt-BR";
    const post = {
      dedupeKey: `${ACCEPTED}${id}|${now.toString()}`,
      guildId,
      accountId: id,
      notBefore: now.add({ milliseconds: ACCEPTED_AFTER_MS }),
    };
    const accepted = notice(ownerId, post, (reference) =>
      keyAcceptedNotice({ guildId, locale, keyLast4, readAt: now, reference }),
    );
    await accounts.resume(id, { at: now, sharedNotice: noticeToOther, accepted });
    log.info({ account: id }, "a refused key is accepted again");
    onOwed();
  };

  /** @param refused connections with the key */
  const tryKey = async (id: string, refused: readonly RefusedKey[]): Promise<void> => {
    try {
      const found = await accounts.findByIdWithKey(id);
      if (found?.account.pausedAt === undefined) return;
      const key = walletKeyOf(found.account, found.apiKey);
      if (!(await settled(wallet.disputeSummary(key, "background"))).ok) return;
      // Those of the same owner are resumed with the first one.
      for (const each of refused) await resume(each.id);
    } catch (error) {
      log.error({ account: id, err: error }, "a refused key could not be tried");
    }
  };

  return async (stopping: AbortSignal): Promise<void> => {
    const minute = minuteNow();
    const first = lastMinute < minute ? Math.max(lastMinute + 1, minute - MOST_MISSED) : minute;
    const minutes = Array.from({ length: minute - first + 1 }, (_, index) => first + index);
    const own = minutes.filter(isOwnTurn);
    const refused = await accounts.refusedAfter(clock.now().subtract({ milliseconds: TRIED_MS }));
    lastMinute = minute;
    const byKey = Map.groupBy(refused, (each) => each.keyFingerprint);
    // Of connections with one key, the one that was refused last decides.
    const due = [...byKey.values()].flatMap(([last]) =>
      last !== undefined && own.some((each) => isTriedIn(each, last)) ? [last] : [],
    );
    const spacing = createSpacing(clock, due.length);
    const tryInTurn = async ({ id, keyFingerprint }: RefusedKey): Promise<void> => {
      await spacing.turn(stopping);
      if (!stopping.aborted) await tryKey(id, byKey.get(keyFingerprint) ?? []);
    };
    await createWorkers(TRIED_TOGETHER)(due, tryInTurn, stopping);
  };
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
