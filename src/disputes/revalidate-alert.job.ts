import type { AlertRoutes } from "./alert-routes.store.ts";
import { type Account, alertLocale, alertTarget, type ToldAccount } from "../accounts/account.ts";
import {
  type ClaimedDelivery,
  type DeliveryPayload,
  loggedDelivery,
  type NewDelivery,
  referenceOf,
} from "../delivery/delivery.ts";
import {
  type AlertRoute,
  type AlertSubject,
  isUndecided,
  repeatKey,
  type WatchedDispute,
  withoutStep,
} from "./dispute-alert.ts";
import { revalidateAlert, notBeforeOf } from "./dispute-watch.ts";
import type { WalletClient } from "../wallet/client.ts";
import { walletKeyOf } from "../accounts/wallet-key.ts";
import { type Clock, HOUR, SECOND } from "../shared/time.ts";
import { WalletError } from "../shared/errors.ts";
import type { Locale } from "../shared/locale.ts";
import type { Logger } from "../shared/log.ts";
import type { AccountsStore } from "../accounts/accounts.store.ts";
import type { OutboxStore } from "../delivery/outbox.store.ts";
import {
  alertChannelLostNotice,
  disputeAlert,
  repeatedAlert,
  replacedAlert,
  unlistedAlert,
} from "./dispute-alert.view.ts";
import { suspendLostRoute } from "../delivery/lost-channel.job.ts";
import type { Revalidate, SettlementHooks, Verdict } from "../delivery/deliver.job.ts";
import type { ReplacedBody } from "../delivery/replaced-posts.job.ts";
import {
  alertMarks,
  createDisputeNotifier,
  type DisputeNotifierNeeds,
  toldOf,
} from "./dispute-notifier.job.ts";

interface RevalidateAlertNeeds extends DisputeNotifierNeeds {
  readonly log: Logger;
  readonly accounts: Pick<AccountsStore, "apiKey" | "connectionsOf" | "ofWatch">;
  readonly wallet: Pick<WalletClient, "dispute">;
}

/**
 * Where an alert goes instead, by the present settings. A direct message reaches only its owner, so that it may go out
 * even if the owner has chosen a channel since.
 */
const movedTo = (
  account: Account,
  route: AlertRoute | undefined,
  claim: ClaimedDelivery,
): Verdict | undefined => {
  if (claim.target.kind === "person") return undefined;
  const target = alertTarget(account, route);
  const isThere = target.kind === "channel" && target.channelId === claim.target.channelId;
  if (isThere) return undefined;
  const via = { accountId: account.id, guildId: account.guildId };
  return { kind: "moved", target, ...(target.kind === "channel" && { via }) };
};

/** How often, and how long each time, an alert waits for its account's rate limit, or for our own database. */
const MOST_TURNS_AWAITED = 8;
const TURN_MS = 15 * SECOND;

const hasNoTurn = (error: unknown): boolean =>
  error instanceof WalletError && error.kind === "rate_limited";

const GONE: Verdict = { kind: "untrue", unsent: undefined };

/** Whether the dispute was overdue when first seen: no alert exists of the steps before its answer. */
const isFirstNotice = (
  { step, dueAt }: AlertSubject,
  { firstSeenAt }: Pick<WatchedDispute, "firstSeenAt">,
): boolean =>
  step === "overdue" && dueAt !== undefined && Temporal.Instant.compare(dueAt, firstSeenAt) <= 0;

/** Not true now: the step is owed again. */
const takenBack = (alert: AlertSubject, watched: WatchedDispute): Verdict => {
  const { watchId, infractionId, version } = watched;
  const doneSteps = isFirstNotice(alert, watched)
    ? watched.doneSteps.filter((step) => !isUndecided(step))
    : withoutStep(watched.doneSteps, alert.step);
  return { kind: "untrue", unsent: { watchId, infractionId, version, doneSteps } };
};

/** An alert in the words of now; a repeat is marked as one again. */
const worded = (
  payload: DeliveryPayload,
  { repeatOf }: ClaimedDelivery,
  { reference, locale }: ReturnType<typeof alertMarks>,
): DeliveryPayload =>
  repeatOf === undefined ? payload : repeatedAlert(payload, reference, locale);

/**
 * Reads an alert's dispute again and decides whether the alert is still true. Other deliveries are always sent; so are
 * alerts of a dispute that cannot be read.
 */
export const createRevalidateAlert = (needs: RevalidateAlertNeeds): Revalidate => {
  const { clock, log, accounts, watch, routes, wallet, answerUrl } = needs;
  const notifier = createDisputeNotifier(needs);

  /** Waits for a turn, and takes the verdict once that was too often. */
  const afterTurns = ({ attempts }: ClaimedDelivery, verdict: Verdict): Verdict =>
    attempts > MOST_TURNS_AWAITED
      ? verdict
      : { kind: "waits", until: clock.now().add({ milliseconds: TURN_MS }) };

  /**
   * Reads with interactive priority, because a background read may wait longer than a claim lasts. If the read fails,
   * the stored state decides: a missed deadline costs more than a stale alert. `no_turn` when only the account's rate
   * limit prevented the read: many alerts at once use it up, and it frees up soon.
   */
  const readAgain = async (
    account: Account,
    infractionId: string,
  ): Promise<"read" | "unread" | "no_turn"> => {
    try {
      const apiKey = await accounts.apiKey(account.id);
      if (apiKey === undefined) return "unread";
      const key = walletKeyOf(account, apiKey);
      const dispute = await wallet.dispute(key, infractionId, "interactive");
      await notifier.observe(account.watchId, dispute, false);
      return "read";
    } catch (error) {
      log.warn({ account: account.id, err: error }, "an alert is judged unread");
      return hasNoTurn(error) ? "no_turn" : "unread";
    }
  };

  /**
   * Applies the present settings: quiet hours may have begun or changed since the alert was enqueued, and the owner or
   * an admin may have changed its channel, or who is pinged there. An alert that holds is told in the words of now, with the
   * time that is left. Discord returns the post of an earlier attempt by its nonce, so that other words ping no one anew.
   */
  const asWanted = async (
    account: ToldAccount,
    { step }: AlertSubject,
    dispute: WatchedDispute,
    claim: ClaimedDelivery,
    isUnread: boolean,
  ): Promise<Verdict> => {
    const route = await routes.find(account.guildId);
    const moved = movedTo(account, route, claim);
    if (moved !== undefined) return moved;
    const at = clock.now();
    const until = notBeforeOf(step, dispute.dueAt, route, at);
    if (Temporal.Instant.compare(at, until) < 0) return { kind: "waits", until };
    const marks = alertMarks(account, claim.target, route, step, claim.dedupeKey);
    const payload = disputeAlert({ ...marks, step, dispute, at, answerUrl, isUnread });
    return { kind: "holds", payload: worded(payload, claim, marks) };
  };

  /**
   * While alerts are off, none is told. While the owner's keys are refused, reminders are owed again, and what is never due
   * anew waits. `alert`: undefined for one about unlisted disputes.
   */
  const held = (
    told: Account | undefined,
    alert?: AlertSubject,
    watched?: WatchedDispute,
  ): Verdict => {
    if (told === undefined || told.alerts === "off") return GONE;
    if (alert !== undefined && watched !== undefined && isUndecided(alert.step))
      return takenBack(alert, watched);
    return { kind: "waits", until: clock.now().add({ milliseconds: HOUR }), isUncounted: true };
  };

  /** Whether an answer or an end that was told is owed again only for a turn of which nobody was told. */
  const isNoNews = async (alert: AlertSubject, { repeatOf }: ClaimedDelivery): Promise<boolean> =>
    repeatOf === undefined && !isUndecided(alert.step) && (await watch.isTurnUntold(alert));

  const decide = async (alert: AlertSubject, claim: ClaimedDelivery): Promise<Verdict> => {
    const { watchId, infractionId } = alert;
    const before = await accounts.ofWatch(watchId);
    const stored = await watch.find(watchId, infractionId);
    if (before === undefined || stored === undefined) return GONE;
    if ((await toldOf(accounts, before.told)) === undefined)
      return held(before.told, alert, stored);
    const reading = await readAgain(before.reader, infractionId);
    // Loaded again: the owner may have changed settings during the read.
    const watched = await watch.find(watchId, infractionId);
    const told = (await accounts.ofWatch(watchId))?.told;
    const account = await toldOf(accounts, told);
    if (watched === undefined) return GONE;
    if (account === undefined) return held(told, alert, watched);
    const verdict = revalidateAlert(alert, watched, clock.now());
    if (verdict.kind === "untrue") return takenBack(alert, watched);
    if (await isNoNews(alert, claim)) return GONE;
    const wanted =
      verdict.kind === "holds"
        ? await asWanted(account, alert, watched, claim, reading !== "read")
        : verdict;
    return wanted.kind !== "holds" || reading !== "no_turn" ? wanted : afterTurns(claim, wanted);
  };

  /** About disputes that are counted and not listed, or not readable. They are over once the count told is lowered to 0. */
  const decideUnlisted = async (accountId: string, claim: ClaimedDelivery): Promise<Verdict> => {
    const told = (await accounts.ofWatch(accountId))?.told;
    const account = await toldOf(accounts, told);
    if (account === undefined) return held(told);
    const { notified } = await watch.unlisted(account.watchId);
    if (notified === 0) return GONE;
    const route = await routes.find(account.guildId);
    const moved = movedTo(account, route, claim);
    if (moved !== undefined) return moved;
    const { unlisted } = claim.payload;
    if (unlisted === undefined) return { kind: "holds" };
    const marks = alertMarks(account, claim.target, route, undefined, claim.dedupeKey);
    return {
      kind: "holds",
      payload: worded(unlistedAlert({ ...marks, ...unlisted, answerUrl }), claim, marks),
    };
  };

  const judged: Revalidate = async (claim) => {
    const { alert, kind, accountId } = claim;
    if (alert !== undefined) return await decide(alert, claim);
    if (kind !== "dispute_alert" || accountId === null) return { kind: "holds" };
    return await decideUnlisted(accountId, claim);
  };

  return async (claim) => {
    try {
      return await judged(claim);
    } catch (error) {
      log.error({ ...loggedDelivery(claim), err: error }, "an alert could not be judged");
      return afterTurns(claim, { kind: "holds" });
    }
  };
};

/** The body of an alert that a newer one of the same dispute replaces; undefined once its account is removed. */
export const createReplacedAlert =
  (needs: {
    readonly accounts: Pick<AccountsStore, "findById">;
    readonly routes: Pick<AlertRoutes, "find">;
  }): ReplacedBody =>
  async ({ target, guildId, accountId, payload, isBelow }) => {
    const account = accountId === null ? undefined : await needs.accounts.findById(accountId);
    if (account === undefined) return undefined;
    const route = guildId === null ? undefined : await needs.routes.find(guildId);
    return replacedAlert(payload, isBelow, alertLocale(target.kind, account, route));
  };

interface AlertSettlementNeeds {
  readonly clock: Clock;
  readonly accounts: Pick<AccountsStore, "findById" | "ofWatch">;
  readonly outbox: Pick<OutboxStore, "enqueue">;
  readonly alertRoutes: Pick<AlertRoutes, "find" | "suspend" | "owners">;
}

/** Repeats unclear alerts, and redirects the alerts of a lost channel to their owners. */
export const alertSettlement = (needs: AlertSettlementNeeds): SettlementHooks => {
  const { clock, accounts, outbox, alertRoutes } = needs;
  return {
    /** Posts an alert again, marked as a repeat: a missed deadline costs more than an alert read twice. */
    onSettling: async (claim, { state }) => {
      if (state !== "unknown" || claim.repeatOf !== undefined) return;
      const now = clock.now();
      const { guildId, accountId, alert } = claim;
      if (accountId === null) return;
      const route = guildId === null ? undefined : await alertRoutes.find(guildId);
      // While the channel was searched, the owner may have removed the connection: another one has its alerts then.
      const account =
        (await accounts.findById(accountId)) ??
        (await accounts.ofWatch(alert?.watchId ?? accountId))?.told;
      if (account === undefined) return;
      const locale = alertLocale(claim.target.kind, account, route);
      await outbox.enqueue(alertRepeat({ ...claim, accountId: account.id }, locale, now), now);
    },
    /** Also runs for a channel known to be lost: the alerts that wait for it go to their owners. */
    onSettled: async (claim, { state }) => {
      if (state !== "blocked") return;
      await suspendLostRoute(
        claim,
        clock,
        alertRoutes,
        "alert_channel_lost",
        alertChannelLostNotice,
      );
    },
  };
};

/** The marked repeat of an alert that may or may not have been posted. */
const alertRepeat = (
  { dedupeKey: repeatOf, kind, target, guildId, accountId, alert, payload }: ClaimedDelivery,
  locale: Locale,
  now: Temporal.Instant,
): NewDelivery => {
  const dedupeKey = repeatKey(repeatOf);
  const marked = repeatedAlert(payload, referenceOf(dedupeKey), locale);
  const post = { dedupeKey, kind, target, guildId, accountId, payload: marked, notBefore: now };
  return { ...post, alert, repeatOf };
};
