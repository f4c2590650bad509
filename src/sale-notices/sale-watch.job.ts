import type { SaleRoutes } from "./sale-routes.store.ts";
import type { DueLook, SaleWatches } from "./sale-watch.store.ts";
import { byTheService, daysOfSale } from "../reports/sales-days.ts";
import type { SalesDays } from "../reports/sales-days.store.ts";
import type { WalletClient } from "../wallet/client.ts";
import type { CallsAbout } from "../webhooks/calls.service.ts";
import type { AccountsStore } from "../accounts/accounts.store.ts";
import { type NewDelivery, referenceOf } from "../delivery/delivery.ts";
import { suspendLostRoute } from "../delivery/lost-channel.job.ts";
import type { SettlementHooks } from "../delivery/deliver.job.ts";
import {
  isGapWanted,
  isGroupWanted,
  isWanted,
  saleNoticeKey,
  sharedDestinations,
  noticesOf,
  type SaleDestination,
  type SaleEvent,
  type SaleGroup,
  type SaleNotice,
} from "./sale-notice.ts";
import {
  forgottenBefore,
  isListDue,
  isListLongAway,
  MISSED_MS,
  paceOf,
  paces,
  type SaleWatch,
  spreadLook,
} from "./sale-watch.ts";
import { type WalletKey, walletKeyOf } from "../accounts/wallet-key.ts";
import { pauseRefusedKey } from "../accounts/account-notices.job.ts";
import { createClaims, createWorkers } from "../shared/concurrency.ts";
import { openingOf, openReportDay } from "../shared/report-day.ts";
import { concernsRequestAlone, isRefusedKey, isUnanswered, WalletError } from "../shared/errors.ts";
import { type Clock, earlierInstant, earliestOf, MINUTE, SECOND } from "../shared/time.ts";
import type { Logger } from "../shared/log.ts";
import { createSaleList, type ListFindings, UnusableListError } from "./sale-list.job.ts";
import { isReportOld, nothingCounted, readReport, withoutCounted } from "./sale-report.job.ts";
import { saleChannelLostNotice, saleNoticeAt, saleNoticePost } from "./sale-notice.view.ts";

interface SaleWatchNeeds {
  readonly clock: Clock;
  readonly log: Logger;
  readonly accounts: Pick<AccountsStore, "apiKey" | "ofOwner" | "pause" | "stayedIn">;
  readonly watches: SaleWatches;
  readonly routes: Pick<SaleRoutes, "find">;
  readonly salesDays: Pick<SalesDays, "readAgain">;
  readonly wallet: Pick<WalletClient, "transaction" | "transactions" | "salesReport">;
  readonly hashTxid: (txid: string) => string;
  /** Undefined where no calls arrive. */
  readonly calls?: CallsAbout | undefined;
  /** Called after a notice was enqueued. */
  readonly onOwed: () => void;
}

const CONCURRENCY = 24;
const CLAIM_SIZE = 32;
/** Longer than a look takes. */
const HOLD_MS = 4 * MINUTE;
/** Looks due within the same two seconds are claimed together. */
const TOGETHER_MS = 2 * SECOND;
const PRIORITY = "background";
const MOST_TOLD = 6;

/** The list cannot be read, but the service answers: the report may stand in for it. */
const isListAway = (error: unknown): boolean =>
  error instanceof UnusableListError ||
  (error instanceof WalletError && concernsRequestAlone(error));

const isNotAnswered = (error: unknown): boolean =>
  error instanceof WalletError && isUnanswered(error.kind);

interface Look extends Omit<ListFindings, "isComplete" | "skewMs"> {
  readonly groups: readonly SaleGroup[];
}

export const createSaleWatch = (needs: SaleWatchNeeds) => {
  const { clock, log, accounts, watches, routes, wallet, calls, hashTxid } = needs;
  const readList = createSaleList({ clock, watches, hashTxid });
  const share = createWorkers(CONCURRENCY);
  const startedAt = clock.now();

  const lookByReport = async ({ watch, reader }: DueLook, key: WalletKey): Promise<Look> => {
    const reportOf = (day: Temporal.PlainDate) => wallet.salesReport(key, day, PRIORITY);
    const { groups, report } = await readReport(watch, reportOf, clock.now());
    const now = clock.now();
    log.debug({ account: reader.id }, "the sales report stands in for the list of sales");
    const lastSaleAt = groups.length > 0 ? now : watch.lastSaleAt;
    const after = { ...watch, report, lastSaleAt, lookedAt: now };
    const unlisted = { events: [], gap: undefined, seen: new Map(), forget: undefined, pages: 1 };
    return { ...unlisted, after, groups };
  };

  /** Has the days of refunded sales read again, once for all that were created on one day. */
  const markRefunds = async (accountFp: string, found: ListFindings): Promise<void> => {
    const created = found.events.flatMap(({ kind, createdAt }) =>
      kind === "refund" && createdAt !== undefined ? [daysOfSale(createdAt)] : [],
    );
    const days = new Map(created.map((each) => [each.from.toString(), each]));
    for (const { from, to } of days.values())
      await needs.salesDays.readAgain(accountFp, from, to, byTheService(clock.now(), found));
  };

  const lookByList = async (due: DueLook, key: WalletKey): Promise<Look> => {
    const { watch } = due;
    const found = await readList(
      watch,
      (query) => wallet.transactions(key, query, PRIORITY),
      (txid) => wallet.transaction(key, txid, PRIORITY),
    );
    // Before the look is recorded: a process that ends in between does both again.
    await markRefunds(watch.accountFp, found);
    if (watch.report === undefined) return { ...found, groups: [] };
    const isBack = watch.report.isPassed && watch.resume === undefined;
    const { events, groups, report } = withoutCounted(found.events, watch.report, isBack);
    const isWhole = found.after.resume === undefined;
    const isOver = found.isComplete || isReportOld(report, clock.now());
    const awaits = !isOver && report.toldSales + report.toldRefunds > 0;
    const after = { ...found.after, report: isWhole && !awaits ? undefined : report };
    // Sales that the list leaves out were told by their number.
    const gap = watch.report.toldSales > 0 ? undefined : found.gap;
    return { ...found, events, groups, gap, after };
  };

  /**
   * The watch, counting the day's sales from zero: its list was read before the day began and has shown no sale. Its first
   * sales with unknown statuses would count as older ones otherwise. Undefined where this does not hold.
   */
  const fromNothing = async (watch: SaleWatch): Promise<SaleWatch | undefined> => {
    const { accountFp, baselineAt, lastSaleAt, lookedAt, report, since } = watch;
    if (baselineAt === undefined || lookedAt === undefined || lastSaleAt !== undefined)
      return undefined;
    const day = openReportDay(lookedAt);
    // The report counts sales of before the first reading too, which the list may not show.
    if (Temporal.Instant.compare(openingOf(day), baselineAt) < 0) return undefined;
    const seen = await watches.toldSince(accountFp, forgottenBefore(since), 1);
    if (seen.length > 0 || report?.isPassed === false) return undefined;
    return { ...watch, report: nothingCounted(day, clock.now()) };
  };

  /** @throws WalletError */
  const read = async (due: DueLook, key: WalletKey): Promise<Look> => {
    const { watch, reader } = due;
    if (!isListDue(watch, clock.now())) return await lookByReport(due, key);
    try {
      return await lookByList(due, key);
    } catch (error) {
      if (!isListAway(error) && !(isNotAnswered(error) && isListLongAway(watch, clock.now())))
        throw error;
      log.warn({ account: reader.id, err: error }, "the list of sales cannot be read");
      const begun = error instanceof UnusableListError ? await fromNothing(due.watch) : undefined;
      const look = await lookByReport({ ...due, watch: begun ?? due.watch }, key);
      return { ...look, after: { ...look.after, listTriedAt: clock.now() } };
    }
  };

  const deliveriesOf = (
    due: DueLook,
    { events, groups, gap, after }: Look,
    told: readonly Temporal.Instant[],
    now: Temporal.Instant,
  ): readonly NewDelivery[] => {
    const { restoredAt, watch } = due;
    // Between two readings of the report since the restore no sale was told before it.
    const isDoubtful =
      restoredAt !== undefined &&
      !(
        after.report?.isPassed === false &&
        watch.report !== undefined &&
        Temporal.Instant.compare(watch.report.readAt, restoredAt) >= 0
      );
    // A choice that seems to be later than now was dated by a clock that was ahead: it counts from the last look on.
    const agreedAt = (since: Temporal.Instant): Temporal.Instant =>
      Temporal.Instant.compare(since, now) > 0 ? earlierInstant(now, watch.lookedAt) : since;
    const agreed = due.destinations.map((each) => ({ ...each, since: agreedAt(each.since) }));
    return sharedDestinations(agreed).flatMap((destination) => {
      const wanted = events.filter((event) => isWanted(event, destination, watch.baselineAt));
      const notices: readonly SaleNotice[] = [
        // Amounts are not kept: those told before may be below the minimum.
        ...noticesOf(wanted, destination.minimum === 0 ? told : [], now, restoredAt),
        ...groups
          .filter((group) => isGroupWanted(group, destination))
          .map((group) => (isDoubtful ? { ...group, why: "doubtful" as const } : group))
          .map((group) => ({ kind: "group" as const, group, keys: [] })),
        ...(gap !== undefined && isGapWanted(gap, destination)
          ? [{ kind: "gap" as const, gap }]
          : []),
      ];
      return notices.map((notice, index) => deliveryOf(due, destination, notice, index, now));
    });
  };

  const toldBefore = async ({ watch }: DueLook, events: readonly SaleEvent[]) => {
    const first = earliestOf(events.map(({ kind, at }) => (kind === "sale" ? at : undefined)));
    if (first === undefined) return [];
    const from = first.subtract({ milliseconds: MINUTE });
    return await watches.toldSince(watch.accountFp, from, MOST_TOLD);
  };

  const lookAt = async (due: DueLook): Promise<void> => {
    const { watch, reader } = due;
    const begunAt = clock.now();
    const trustedUntil = calls?.trustedUntil(watch.accountFp);
    const apiKey = await accounts.apiKey(reader.id);
    if (apiKey === undefined) return;
    const look = await read(due, walletKeyOf(reader, apiKey));
    const now = clock.now();
    const { after, seen, forget } = look;
    // A burst on many pages is followed at once; only pages that bring no sale slow the looks.
    const pages = look.events.length > 0 ? 1 : look.pages;
    // The sale that a call announced may be listed some seconds after it; the sale that a look finds may be an earlier call's.
    const { accountFp, calledAt } = watch;
    // Counted from the beginning of the look, so that a slow answer does not lengthen the round.
    const nextAt = (trusted?: Temporal.Instant): Temporal.Instant => {
      const facts = { ...after, trustedUntil: trusted, calledAt, pages };
      return begunAt.add({ milliseconds: paceOf(facts, now) });
    };
    const nextLookAt = nextAt(trustedUntil);
    const deliveries = deliveriesOf(due, look, await toldBefore(due, look.events), now);
    const done = { claimed: watch, after, nextLookAt, seen, forget, deliveries };
    if (!(await watches.record(done, now))) return;
    if (deliveries.length > 0) needs.onOwed();
    if (look.events.length + look.groups.length > 0) await calls?.foundNews(accountFp);
    // The trust ends by news without a call, and may have ended during the look.
    if (trustedUntil !== undefined && calls?.trustedUntil(accountFp) === undefined)
      await watches.bringForward(accountFp, nextAt());
  };

  const giveUpForNow = async ({ watch, reader }: DueLook, error: unknown): Promise<void> => {
    const now = clock.now();
    const paceMs = paceOf({ ...watch, failed: true }, now);
    await watches.putOff(watch, now.add({ milliseconds: paceMs }));
    if (!(error instanceof WalletError)) throw error;
    if (!isRefusedKey(error)) {
      log.debug({ account: reader.id, err: error }, "sales cannot be read now");
      return;
    }
    await pauseRefusedKey(needs, reader, (await routes.find(reader.guildId))?.locale, error);
  };

  /** Looks missed while no process ran are spread over their pace. A look late for want of time is made at once. */
  const isMissed = ({ watch }: DueLook): boolean =>
    watch.lookedAt !== undefined &&
    Temporal.Instant.compare(watch.nextLookAt, startedAt) < 0 &&
    clock.now().since(watch.nextLookAt).total("milliseconds") > MISSED_MS;

  const spread = async ({ watch }: DueLook): Promise<void> => {
    const now = clock.now();
    const ms = paceOf(watch, now);
    await watches.putOff(watch, spreadLook(watch.accountFp, Math.min(ms, paces.quietMs), now));
  };

  const lookSafely = async (due: DueLook): Promise<void> => {
    try {
      await (isMissed(due) ? spread(due) : lookAt(due)).catch((error: unknown) =>
        giveUpForNow(due, error),
      );
    } catch (error) {
      log.error({ account: due.reader.id, err: error }, "sales could not be watched");
    }
  };

  const dueLooks = createClaims(() => watches.claim(clock.now(), CLAIM_SIZE, HOLD_MS));

  const lookInTurn = async (due: DueLook, stopping: AbortSignal): Promise<void> => {
    const { watch } = due;
    const isOver =
      watch.heldUntil !== undefined && Temporal.Instant.compare(clock.now(), watch.heldUntil) >= 0;
    if (isOver) return;
    if (stopping.aborted) await watches.putOff(watch, watch.nextLookAt);
    else await lookSafely(due);
  };

  return {
    /**
     * Looks at all wallet accounts that are due, and calls `wakeAt` with the instant of the next look. Overlapping runs
     * share their workers. One account's failure never rejects it.
     */
    look: async (
      stopping: AbortSignal,
      wakeAt: (instant: Temporal.Instant) => void,
    ): Promise<void> => {
      const wake = async (): Promise<void> => {
        const next = await watches.nextDueAt(clock.now());
        if (next === undefined) return;
        const grid = Math.ceil((next.epochMilliseconds + 1) / TOGETHER_MS) * TOGETHER_MS;
        wakeAt(Temporal.Instant.fromEpochMilliseconds(grid));
      };
      // Before the looks too: one that hangs must not delay the others' next ones.
      await wake();
      await share(dueLooks(stopping), (due) => lookInTurn(due, stopping));
      await wake();
    },
    /** Makes a wallet account due at once; `look` then looks at it. False when its sales are not watched. */
    makeDue: (accountFp: string) => watches.makeDue(accountFp, clock.now()),
  };
};

const deliveryOf = (
  { watch }: DueLook,
  destination: SaleDestination,
  notice: SaleNotice,
  index: number,
  now: Temporal.Instant,
): NewDelivery => {
  const { accountId, guildId, ownerId, target, locale, directKey } = destination;
  // One look may count several days by the report.
  const nonce = `${watch.accountFp}|${now.toString()}|${index}`;
  const dedupeKey = saleNoticeKey(target, notice, nonce);
  const reference = referenceOf(dedupeKey);
  const payload = saleNoticePost({ notice, ownerId, target, now, locale, reference, directKey });
  // A direct message is not of the server, whose admins may switch its channel off.
  const guild = target.kind === "channel" ? guildId : null;
  return {
    dedupeKey,
    kind: "sale_notice",
    target,
    guildId: guild,
    accountId,
    payload,
    // The order of a look's messages: equal times would leave it to their keys.
    notBefore: now.add({ milliseconds: index }),
  };
};

/** Words a notice when it is posted. Suspends the route of a lost channel, and tells its admin and its sellers once. */
export const saleSettlement = ({
  clock,
  saleRoutes,
}: {
  readonly clock: Clock;
  readonly saleRoutes: Pick<SaleRoutes, "find" | "suspend" | "owners">;
}): SettlementHooks => ({
  payloadOf: ({ payload }) => saleNoticeAt(payload, clock.now()),
  onSettled: async (claim, settlement) => {
    if (settlement.state !== "obsolete" || settlement.isChannelLost !== true) return;
    await suspendLostRoute(claim, clock, saleRoutes, "sale_channel_lost", saleChannelLostNotice);
  },
});
