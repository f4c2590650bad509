import type { DisputeWatch } from "./dispute-watch.store.ts";
import type { AlertRoutes } from "./alert-routes.store.ts";
import {
  alertLocale,
  alertTarget,
  isEntitledAmong,
  type ToldAccount,
} from "../accounts/account.ts";
import {
  type DeliveryPayload,
  type DeliveryTarget,
  type NewDelivery,
  referenceOf,
} from "../delivery/delivery.ts";
import {
  mayBeAnswered,
  type Dispute,
  disputeState,
  type DisputeState,
  type DisputeSummary,
  isOpenDispute,
} from "./dispute.ts";
import {
  afterFailedAcknowledgement,
  alertKey,
  type AlertRoute,
  alertSubject,
  beginOf,
  isReminder,
  isUndecided,
  type AlertStep,
  owedAgainKey,
  withStep,
  reachedSteps,
  type WatchedDispute,
  type DisputeChange,
} from "./dispute-alert.ts";
import { countUnlisted, type ListedDispute, nextUnlisted } from "./dispute-list.ts";
import {
  followedDispute,
  type FollowedFacts,
  keptFacts,
  notBeforeOf,
  dueStep,
  acknowledgementFails,
  leavesEnd,
  turnedStep,
} from "./dispute-watch.ts";
import type { Clock } from "../shared/time.ts";
import type { AccountsStore } from "../accounts/accounts.store.ts";
import { type AlertFacts, disputeAlert, unlistedAlert } from "./dispute-alert.view.ts";

export interface DisputeNotifierNeeds {
  readonly clock: Clock;
  readonly accounts: Pick<AccountsStore, "connectionsOf" | "ofWatch">;
  readonly watch: Pick<
    DisputeWatch,
    | "find"
    | "keep"
    | "step"
    | "isPosted"
    | "isWaiting"
    | "isTurnUntold"
    | "of"
    | "unlisted"
    | "saveUnlisted"
  >;
  readonly routes: Pick<AlertRoutes, "find">;
  /** Page where sellers answer disputes; undefined if the operator has set no page. */
  readonly answerUrl?: string | undefined;
  /** Called after an alert was enqueued. */
  readonly onOwed: () => void;
}

export type DisputeNotifier = ReturnType<typeof createDisputeNotifier>;

/**
 * The connection by which a watch's alerts go out, from the one that receives them. Undefined: alerts are off, or the
 * owner's keys are all refused while another owner's key of the wallet account works.
 */
export const toldOf = async (
  accounts: Pick<AccountsStore, "connectionsOf">,
  told: ToldAccount | undefined,
): Promise<ToldAccount | undefined> => {
  if (told === undefined || told.alerts === "off") return undefined;
  if (told.pausedAt === undefined) return told;
  const all = await accounts.connectionsOf(told.accountFp);
  return isEntitledAmong(all, told.ownerId) ? told : undefined;
};

/** Other processes change the same dispute now and then, never so often in a row. */
const MOST_TRIES = 5;

const factsOf = (
  before: WatchedDispute,
  dispute: Dispute,
  now: Temporal.Instant,
): DisputeChange => {
  const { answeredByOwnerAt } = before;
  const kept = keptFacts(dispute);
  const { dueAt } = kept;
  const state = disputeState(dispute, now);
  const fails = acknowledgementFails({ answeredByOwnerAt, dueAt }, state, now);
  // The owner's report is about one answer: a MED that awaits another later has its reminders again.
  const isAnswered = !mayBeAnswered(state);
  const turned = turnedStep(before, state, now);
  const doneSteps = reachedSteps({ ...before, dueAt }, now).filter((step) => step !== turned);
  return {
    ...kept,
    // A later reading may lack the sale, whose payment must not be refunded all the same.
    saleTxid: kept.saleTxid || (before.saleTxid ?? ""),
    answeredByOwnerAt: fails || isAnswered ? undefined : answeredByOwnerAt,
    doneSteps: fails ? afterFailedAcknowledgement({ doneSteps, dueAt }, now) : doneSteps,
  };
};

/** The facts that changed. Writing an unchanged acknowledgement would count as a new one. */
const newsIn = (before: WatchedDispute, facts: DisputeChange): DisputeChange => {
  const names = Object.keys(facts) as (keyof DisputeChange)[];
  const changed = names.filter((name) => String(before[name]) !== String(facts[name]));
  return Object.fromEntries(changed.map((name) => [name, facts[name]]));
};

/** Stores the state of disputes and enqueues their alerts, both in one transaction. */
export const createDisputeNotifier = (needs: DisputeNotifierNeeds) => {
  const { clock, accounts, watch, routes, answerUrl, onOwed } = needs;

  /**
   * The reminder of six hours is posted once more where a report made under it proved wrong, as the person was told, and an
   * answer or an end where the dispute has turned to it again. So is any reminder, or the word of a passed deadline, that
   * was posted before its time, by a clock that was ahead.
   * `reportedAt`: when the owner reported an answer, if that proved wrong just now.
   */
  const keyOf = async (
    dispute: Omit<WatchedDispute, "version">,
    step: AlertStep,
    now: Temporal.Instant,
    reportedAt: Temporal.Instant | undefined,
  ): Promise<string> => {
    const key = alertKey(dispute, step);
    const subject = alertSubject(dispute, step);
    const againAt = step === "6h" ? reportedAt : isUndecided(step) ? undefined : now;
    if (againAt !== undefined)
      return (await watch.isPosted(subject)) ? owedAgainKey(key, againAt) : key;
    const begin = beginOf(step, dispute.dueAt);
    const wasEarly = begin && (await watch.isPosted(subject, begin.subtract({ minutes: 1 })));
    return wasEarly ? owedAgainKey(key, now) : key;
  };

  const deliveriesOf = async (
    account: ToldAccount,
    step: AlertStep | undefined,
    dispute: Omit<WatchedDispute, "version">,
    now: Temporal.Instant,
    key?: string,
  ): Promise<readonly NewDelivery[]> => {
    if (step === undefined) return [];
    const route = await routes.find(account.guildId);
    return [alertDelivery(account, route, step, dispute, answerUrl, now, key)];
  };

  const handedOver = (
    kept: WatchedDispute | undefined,
    deliveries: readonly NewDelivery[],
  ): WatchedDispute | undefined => {
    if (kept !== undefined && deliveries.length > 0) onOwed();
    return kept;
  };

  const begin = async (account: ToldAccount, dispute: Dispute, isHistory: boolean) => {
    const now = clock.now();
    const state = disputeState(dispute, now);
    const followed = followedDispute(account.watchId, dispute, now);
    if (isHistory && !mayBeAnswered(state)) {
      return await watch.keep(followed, [], now);
    }
    const found = { ...followed, doneSteps: [], closedAt: undefined };
    const step = dueStep(found, state, now);
    const deliveries = await deliveriesOf(account, step, found, now);
    const doneSteps = step === undefined ? [] : withStep(found, step, now);
    return handedOver(await watch.keep({ ...followed, doneSteps }, deliveries, now), deliveries);
  };

  const advance = async (
    account: ToldAccount,
    before: WatchedDispute,
    facts: DisputeChange,
    state: DisputeState,
    now: Temporal.Instant,
  ) => {
    const isLeft = leavesEnd(before, state, now);
    const after = { ...before, ...facts, ...(isLeft && { closedAt: undefined }) };
    const step = dueStep(after, state, now);
    const closes = after.closedAt === undefined && !isOpenDispute(state);
    const news = newsIn(before, facts);
    if (step === undefined && !closes && Object.keys(news).length === 0) return before;
    const change: DisputeChange = {
      ...news,
      ...(step !== undefined && { doneSteps: withStep(after, step, now) }),
      ...((closes || isLeft) && { closedAt: closes ? now : undefined }),
    };
    const reportedAt = after.answeredByOwnerAt === undefined ? before.answeredByOwnerAt : undefined;
    const key = step && (await keyOf(after, step, now, reportedAt));
    // A first alert that still waits will name the time that is left then, and is its reminder too.
    const isCovered =
      step !== undefined && isReminder(step) && (await watch.isWaiting(alertSubject(after, "new")));
    const told = isCovered ? undefined : step;
    const deliveries = await deliveriesOf(account, told, after, now, key);
    return handedOver(await watch.step(before, change, deliveries, now), deliveries);
  };

  /** Retries with the new state if another process changed the dispute first. */
  const tried = async (
    watchId: string,
    act: (account: ToldAccount) => Promise<WatchedDispute | undefined>,
  ): Promise<void> => {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const account = await toldOf(accounts, (await accounts.ofWatch(watchId))?.told);
      if (account === undefined) return;
      if ((await act(account)) !== undefined) return;
    }
  };

  return {
    /**
     * Records a dispute that was just read. `isHistory`: it is older than the watch, so it is alerted only if it awaits
     * an answer or its state is unknown.
     */
    observe: (watchId: string, dispute: Dispute, isHistory: boolean) =>
      tried(watchId, async (account) => {
        const before = await watch.find(watchId, dispute.infractionId);
        if (before === undefined) return await begin(account, dispute, isHistory);
        const now = clock.now();
        const facts = factsOf(before, dispute, now);
        return await advance(account, before, facts, disputeState(dispute, now), now);
      }),
    /** Records a listed dispute that was over, or with the bank, before the watch began. Sends no alert. */
    remember: async (watchId: string, facts: FollowedFacts) => {
      const now = clock.now();
      await watch.keep(followedDispute(watchId, facts, now), [], now);
    },
    /**
     * Alerts the owner once for each rise in the number of pending disputes that the summary counts beyond the followed and
     * `listed` ones. `listed`: without those that could not be read in full. False: the next poll has to confirm the rise.
     */
    notifyUnlisted: async (
      watchId: string,
      summary: DisputeSummary,
      listed: readonly ListedDispute[],
    ): Promise<boolean> => {
      const account = await toldOf(accounts, (await accounts.ofWatch(watchId))?.told);
      if (account === undefined) return true;
      const before = await watch.unlisted(watchId);
      const count = countUnlisted(summary, await watch.of(watchId), listed);
      const { after, notify } = nextUnlisted(before, count);
      if (after.count === before.count && after.notified === before.notified) return true;
      const now = clock.now();
      const { pending } = summary.byStatus;
      const route = notify ? await routes.find(account.guildId) : undefined;
      const deliveries = notify
        ? [unlistedDelivery(account, route, { pending, ...after }, answerUrl, now)]
        : [];
      const kept = await watch.saveUnlisted(watchId, before, after, deliveries, now);
      if (kept && notify) onOwed();
      return count <= before.count;
    },
    /** Enqueues the reminder that is due, from the stored state alone. */
    remind: ({ watchId, infractionId }: WatchedDispute) =>
      tried(watchId, async (account) => {
        const before = await watch.find(watchId, infractionId);
        if (before === undefined) return undefined;
        const now = clock.now();
        return await advance(account, before, {}, disputeState(before, now), now);
      }),
  };
};

/**
 * Mentions, key, language and mark of an alert. Mentioned are the owner, who chose the channel, and the route's role for the
 * step; nobody in direct messages. `step`: undefined for the alert about unlisted disputes, which pings no role.
 */
export const alertMarks = (
  account: ToldAccount,
  target: DeliveryTarget,
  route: AlertRoute | undefined,
  step: AlertStep | undefined,
  dedupeKey: string,
): Pick<AlertFacts, "directKey" | "hasOthers" | "pings" | "locale" | "reference"> => {
  const isPinging = step !== undefined && route?.pingSteps.includes(step) === true;
  const roleId = isPinging ? route.roleId : undefined;
  const pings = { userId: account.ownerId, ...(roleId !== undefined && { roleId }) };
  return {
    ...(target.kind === "channel"
      ? { pings }
      : { pings: undefined, directKey: account.keyLast4, hasOthers: account.hasOthers }),
    locale: alertLocale(target.kind, account, route),
    reference: referenceOf(dedupeKey),
  };
};

/** An alert to the owner's present target. `step`: undefined for the alert about unlisted disputes. */
const alertTo = (
  account: ToldAccount,
  route: AlertRoute | undefined,
  step: AlertStep | undefined,
  dedupeKey: string,
  notBefore: Temporal.Instant,
  payloadOf: (marks: ReturnType<typeof alertMarks>) => DeliveryPayload,
): NewDelivery => {
  const target = alertTarget(account, route);
  return {
    dedupeKey,
    kind: "dispute_alert",
    target,
    guildId: account.guildId,
    accountId: account.id,
    payload: payloadOf(alertMarks(account, target, route, step, dedupeKey)),
    notBefore,
  };
};

/** The alert of one step. */
export const alertDelivery = (
  account: ToldAccount,
  route: AlertRoute | undefined,
  step: AlertStep,
  dispute: Omit<WatchedDispute, "version">,
  answerUrl: string | undefined,
  now: Temporal.Instant,
  dedupeKey = alertKey(dispute, step),
): NewDelivery => {
  const at = notBeforeOf(step, dispute.dueAt, route, now);
  const delivery = alertTo(account, route, step, dedupeKey, at, (marks) =>
    disputeAlert({ ...marks, step, dispute, answerUrl, at }),
  );
  return { ...delivery, alert: alertSubject(dispute, step) };
};

/** The alert that the service counts more pending disputes than can be read. */
export const unlistedDelivery = (
  account: ToldAccount,
  route: AlertRoute | undefined,
  { pending, count }: { readonly pending: number; readonly count: number },
  answerUrl: string | undefined,
  now: Temporal.Instant,
): NewDelivery => {
  const dedupeKey = `med_unlisted|${account.watchId}|${count}|${now.toString()}`;
  return alertTo(account, route, undefined, dedupeKey, now, (marks) =>
    unlistedAlert({ ...marks, pending, unlisted: count, answerUrl }),
  );
};
