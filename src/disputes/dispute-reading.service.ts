import type { DisputeWatch } from "./dispute-watch.store.ts";
import {
  byUrgency,
  countDisputes,
  countUnlisted,
  type DisputeDetail,
  type DisputeFilter,
  type DisputeOverview,
  type DisputeRate,
  disputeRate,
  type DisputeRef,
  type DisputeRow,
  isShownDispute,
  type ListedDispute,
  mayAwaitAnswer,
  rateDays,
  merged,
} from "./dispute-list.ts";
import type { AccountsStore } from "../accounts/accounts.store.ts";
import type { WalletClient } from "../wallet/client.ts";
import {
  type Asker,
  type Connection,
  connectionOfAsker,
  resumeJobs,
  type ResumeNeeds,
} from "../accounts/asker.service.ts";
import { connectionsOfRef } from "./dispute-ref.service.ts";
import { amongIds, inSmall, MOST_OPTIONS } from "../shared/ids.ts";
import { pageOf } from "../shared/page.ts";
import { orMistake, UserError, WalletError } from "../shared/errors.ts";
import { awaitsAnswer, type Dispute, disputeState } from "./dispute.ts";
import {
  problemsOf,
  settled,
  requireAuthorized,
  supportCodesOf,
  valueOf,
} from "../shared/settled.ts";
import { type ContestedProducts, createContestedProducts, productOf } from "./contested-sales.ts";
import type { WatchedDispute } from "./dispute-alert.ts";
import { type Clock, MINUTE, msBetween } from "../shared/time.ts";
import { UNDELIVERED_FOR_MS } from "../delivery/delivery-policies.ts";
import { followedDispute } from "./dispute-watch.ts";

/** Reads of the wallet service for disputes. All throw WalletError. */
export type DisputeWallet = Pick<
  WalletClient,
  "dispute" | "disputes" | "disputeSummary" | "salesReport"
>;

export interface DisputeReadingNeeds
  extends
    ResumeNeeds,
    Pick<AccountsStore, "apiKey" | "find" | "findWithKey" | "ofOwner" | "ofWatch"> {
  readonly clock: Clock;
  readonly wallet: DisputeWallet;
  readonly watched: Pick<DisputeWatch, "find" | "of" | "keep" | "undelivered" | "unlisted">;
  /** Products of the person's recent sales, by txid, for suggestions. Never rejects. */
  readonly products: (actor: Asker) => Promise<ReadonlyMap<string, string>>;
}

export type DisputeReading = ReturnType<typeof createDisputeReading>;

/** Reads of disputes, with the asker's key. */
export const createDisputeReading = (given: DisputeReadingNeeds) => {
  const needs = { ...given, contested: createContestedProducts() };
  return {
    overview: disputeOverview.bind(undefined, needs),
    /**
     * A dispute by its id, which may be typed by hand; the bot watches it from then on.
     * @throws UserError not_connected, dispute_not_found, dispute_id_unreadable
     * @throws WalletError
     */
    detail: async (actor: Asker, infractionId: string): Promise<DisputeDetail> =>
      await disputeDetail(needs, await connectionOfAsker(needs, actor), infractionId),
    /**
     * The same for a button, which also works in direct messages.
     * @throws UserError not_your_dispute, dispute_not_found
     * @throws WalletError
     */
    open: async (actor: Asker, ref: DisputeRef): Promise<DisputeDetail> => {
      let refusal: WalletError | undefined;
      for (const connection of await connectionsOfRef(needs, actor, ref)) {
        try {
          return await disputeDetail(needs, connection, ref.infractionId);
        } catch (error) {
          if (error instanceof WalletError && error.kind === "unauthorized") refusal = error;
          else if (!(error instanceof UserError && error.reason.kind === "dispute_not_found"))
            throw error;
        }
      }
      throw refusal ?? new UserError({ kind: "dispute_not_found" });
    },
    /** Watched disputes of the person's account in this guild, with their products, most urgent first. */
    suggest: async (actor: Asker, typed: string): Promise<readonly DisputeRow[]> => {
      const { guildId, userId } = actor;
      const account = await needs.find(guildId, userId);
      if (account === undefined) return [];
      const now = needs.clock.now();
      const wanted = typed.trim().toLowerCase();
      const kept = await needs.watched.of(account.watchId);
      // No request of the service's for people without disputes.
      const products = kept.length === 0 ? undefined : await needs.products(actor);
      const rows = kept
        .map((each) => ({
          ...rowOf(listedOf(each), now),
          product: products?.get(each.txid) ?? needs.contested.of(each),
        }))
        .filter(({ infractionId, txid, product = "" }) =>
          `${infractionId} ${txid} ${product}`.toLowerCase().includes(wanted),
        );
      return byUrgency(rows).slice(0, MOST_OPTIONS);
    },
    undelivered: undeliveredAlerts.bind(undefined, needs),
    /** Number of pending disputes that the service counted and that were not listed, or not readable, at the last poll. */
    unlisted: async (watchId: string): Promise<number> =>
      (await needs.watched.unlisted(watchId)).count,
    rate: readDisputeRate.bind(undefined, needs),
  } as const;
};

type Needs = DisputeReadingNeeds & { readonly contested: ContestedProducts };

const PAGE = 10;

/**
 * Counts and a page of the list. When the service's list is unreadable, watched disputes are read singly.
 * @throws UserError not_connected
 * @throws WalletError when every read failed, and for a refused key
 */
const disputeOverview = async (
  needs: Needs,
  actor: Asker,
  filter: DisputeFilter,
  wantedPage: number,
): Promise<DisputeOverview> => {
  const { wallet, clock } = needs;
  const connection = await connectionOfAsker(needs, actor);
  const { account, key } = connection;
  const watched = await needs.watched.of(account.watchId);
  const [summary, list, products] = await Promise.all([
    settled(wallet.disputeSummary(key, "interactive")),
    settled(wallet.disputes(key, "interactive")),
    // No request of the service's for people without disputes.
    watched.length === 0 ? undefined : needs.products(actor),
  ]);
  requireAuthorized(summary, list);
  if (!summary.ok && !list.ok && watched.length === 0) throw summary.error;
  const now = clock.now();
  const items = valueOf(list)?.items ?? [];
  const sold = (row: ListedDispute): string | undefined =>
    products?.get(row.txid ?? "") ??
    needs.contested.of({ watchId: account.watchId, infractionId: row.infractionId });
  const { rows, failures } = await readRows(needs, connection, items, watched, sold, now);
  await resumeJobs(needs, account, [summary, list]);
  const found = byUrgency(rows.filter(({ state }) => isShownDispute(state, filter)));
  const total = valueOf(summary)?.byStatus.total;
  return {
    watchId: account.watchId,
    summary: valueOf(summary),
    ...pageOf(found, wantedPage, PAGE),
    filter,
    alerts: (await needs.ofWatch(account.watchId))?.told.alerts ?? account.alerts,
    undelivered: await undeliveredAlerts(needs, account.id),
    awaiting: rows.filter(({ state }) => state !== undefined && awaitsAnswer(state)).length,
    mayAwait: rows.filter(({ state }) => mayAwaitAnswer(state)).length,
    counts: countDisputes(rows),
    listProblem: list.ok ? undefined : list.error.kind,
    unlisted: total === undefined ? undefined : Math.max(0, total - rows.length),
    unlistedPending: summary.ok ? countUnlisted(summary.value, rows, []) : undefined,
    problems: problemsOf([summary, list, ...failures]),
    supportCodes: supportCodesOf([summary, list, ...failures]),
    readAt: now,
  };
};

/** Fits the burst of an account's quota, together with the summary, the list and the sales. */
const MOST_ROWS_READ = 5;
/** Leaves turns for the person's next step. */
const MOST_NAMES_READ = 2;

/** A dispute with its state, as far as known. The deadline matters only until an answer or a decision. */
const rowOf = (listed: ListedDispute, now: Temporal.Instant): DisputeRow => {
  const { status, analysisStatus, dueAt } = listed;
  if (status === undefined || analysisStatus === undefined) return { ...listed, state: undefined };
  const undecided = status === "pending" && analysisStatus === "pending";
  if (undecided && dueAt === undefined) return { ...listed, state: undefined };
  return { ...listed, state: disputeState({ status, analysisStatus, dueAt: dueAt ?? now }, now) };
};

/** A stored or detailed dispute in the form of the list. */
const listedOf = (kept: Dispute | WatchedDispute): ListedDispute => ({
  infractionId: kept.infractionId,
  txid: kept.txid,
  amount: kept.amount,
  frozen: kept.frozen,
  status: kept.status,
  analysisStatus: kept.analysisStatus,
  contestedAt: "contestedAt" in kept ? kept.contestedAt : undefined,
  dueAt: kept.dueAt,
});

const isWhole = ({ amount, status, analysisStatus, dueAt }: ListedDispute): boolean =>
  [amount, status, analysisStatus, dueAt].every((fact) => fact !== undefined);

/**
 * Whether the row of the list says otherwise than the watch's last reading in full, after which alerts go: the list may
 * lag. The deadline counts until an answer or a decision.
 */
const isContradicted = (
  { status, analysisStatus, dueAt }: ListedDispute,
  kept: WatchedDispute | undefined,
): boolean => {
  if (kept === undefined || kept.txid === "") return false;
  if ((status ?? kept.status) !== kept.status) return true;
  if ((analysisStatus ?? kept.analysisStatus) !== kept.analysisStatus) return true;
  const isUndecided = kept.status === "pending" && kept.analysisStatus === "pending";
  return isUndecided && dueAt !== undefined && msBetween(dueAt, kept.dueAt) >= MINUTE;
};

/** A row of the list with what it lacks from the last reading; the more urgent of the two where they contradict. */
const knownOf = (
  listed: ListedDispute,
  kept: WatchedDispute | undefined,
  now: Temporal.Instant,
): ListedDispute => {
  const row = merged(listed, kept);
  if (kept === undefined || !isContradicted(listed, kept)) return row;
  const { infractionId, contestedAt } = row;
  const last = { ...listedOf(kept), infractionId, contestedAt };
  const [first = row] = byUrgency([rowOf(row, now), rowOf(last, now)]);
  return first;
};

/** Whether it awaits an answer and would be shown by its code. */
const isUnnamed = (row: DisputeRow, sold: (row: ListedDispute) => string | undefined): boolean =>
  row.state !== undefined && awaitsAnswer(row.state) && sold(row) === undefined;

/**
 * A row for each dispute that the service lists or the bot watches. Gaps of the list, products among them, and rows
 * that contradict the last reading are filled by reading the most urgent disputes; the others show the last reading.
 * @throws WalletError unauthorized
 */
const readRows = async (
  { wallet, contested }: Needs,
  { account, key }: Connection,
  listed: readonly ListedDispute[],
  watched: readonly WatchedDispute[],
  sold: (row: ListedDispute) => string | undefined,
  now: Temporal.Instant,
) => {
  const kept = new Map(watched.map((each) => [inSmall(each.infractionId), each]));
  const keptOf = ({ infractionId }: ListedDispute) => kept.get(inSmall(infractionId));
  const isListed = amongIds(listed.map(({ infractionId }) => infractionId));
  const beside = watched.filter(({ infractionId }) => !isListed(infractionId));
  const known = [
    ...listed.map((each) => knownOf(each, keptOf(each), now)),
    ...beside.map(listedOf),
  ];
  const stale = new Set([
    ...listed
      .filter((each) => !isWhole(each) || isContradicted(each, keptOf(each)))
      .map(({ infractionId }) => infractionId),
    ...beside.filter(({ closedAt }) => closedAt === undefined).map((each) => each.infractionId),
  ]);
  const urgent = byUrgency(known.map((each) => rowOf(each, now)));
  const unnamed = urgent.filter((row) => !stale.has(row.infractionId) && isUnnamed(row, sold));
  const toRead = [
    ...urgent.filter(({ infractionId }) => stale.has(infractionId)),
    ...unnamed.slice(0, MOST_NAMES_READ),
  ].slice(0, MOST_ROWS_READ);
  const reads = await Promise.all(
    toRead.map(({ infractionId }) => settled(wallet.dispute(key, infractionId, "interactive"))),
  );
  requireAuthorized(...reads);
  for (const read of reads) if (read.ok) contested.note(account.watchId, read.value);
  const fresh = new Map(
    reads.flatMap((read, index) => {
      const id = toRead[index]?.infractionId;
      return read.ok && id !== undefined ? [[id, read.value] as const] : [];
    }),
  );
  return {
    rows: known.map((each): DisputeRow => {
      const dispute = fresh.get(each.infractionId);
      return {
        ...rowOf(dispute === undefined ? each : listedOf(dispute), now),
        infractionId: each.infractionId,
        product: (dispute && productOf(dispute)) ?? sold(each),
      };
    }),
    failures: reads.filter(({ ok }) => !ok),
  };
};

/** Number of the account's alerts in the last seven days that were not delivered. */
const undeliveredAlerts = (
  { clock, watched }: Pick<DisputeReadingNeeds, "clock" | "watched">,
  accountId: string,
): Promise<number> =>
  watched.undelivered(accountId, clock.now().subtract({ milliseconds: UNDELIVERED_FOR_MS }));

/**
 * Reads a dispute and begins to watch it, even when the list does not show it.
 * @throws UserError dispute_not_found, dispute_id_unreadable
 * @throws WalletError
 */
const disputeDetail = async (
  needs: Needs,
  { account, key }: Connection,
  infractionId: string,
): Promise<DisputeDetail> => {
  const { wallet, clock, watched } = needs;
  const read = await settled(wallet.dispute(key, infractionId, "interactive"));
  const unreadable = { kind: "dispute_id_unreadable", given: infractionId } as const;
  if (!read.ok) throw orMistake(read.error, unreadable, { kind: "dispute_not_found" });
  await resumeJobs(needs, account);
  const dispute = read.value;
  needs.contested.note(account.watchId, dispute);
  const now = clock.now();
  const before = await watched.find(account.watchId, dispute.infractionId);
  const kept =
    before ?? (await watched.keep(followedDispute(account.watchId, dispute, now), [], now));
  return {
    watchId: account.watchId,
    dispute,
    state: disputeState(dispute, now),
    watched: kept ?? (await watched.find(account.watchId, dispute.infractionId)),
    readAt: now,
  };
};

/** More reads would use up the account's quota. */
const MOST_LISTED_READ = 30;

const lacks = ({ contestedAt, status }: ListedDispute): boolean =>
  contestedAt === undefined || status === undefined;

/**
 * All disputes of the account; undefined when the list may be incomplete. Gaps of the list are filled by reading the
 * disputes, unless there are more than 30.
 */
const wholeList = async (
  wallet: DisputeWallet,
  { key }: Connection,
): Promise<readonly ListedDispute[] | undefined> => {
  const [summary, list] = await Promise.all([
    settled(wallet.disputeSummary(key, "interactive")),
    settled(wallet.disputes(key, "interactive")),
  ]);
  requireAuthorized(summary, list);
  if (!summary.ok || !list.ok || list.value.unnamed > 0) return undefined;
  const { items } = list.value;
  if (items.length < summary.value.byStatus.total) return undefined;
  if (items.filter(lacks).length > MOST_LISTED_READ) return items;
  return await Promise.all(
    items.map(async (item) => {
      if (!lacks(item)) return item;
      const read = valueOf(await settled(wallet.dispute(key, item.infractionId, "background")));
      return read === undefined ? item : listedOf(read);
    }),
  );
};

/**
 * Disputes against approved sales of the last 30 whole days. Reads 30 reports, which takes half a minute.
 * @throws UserError not_connected
 * @throws WalletError for a refused key
 */
export const readDisputeRate = async (
  needs: Pick<DisputeReadingNeeds, "clock" | "findWithKey" | "wallet">,
  actor: Asker,
): Promise<DisputeRate> => {
  const { wallet, clock } = needs;
  const connection = await connectionOfAsker(needs, actor);
  const days = rateDays(clock.now());
  const disputes = await wholeList(wallet, connection);
  // Thirty reports would delay other reads of the account, for no result.
  if (disputes === undefined) return { known: false, why: "list" };
  const reports = await Promise.all(
    days.map((day) => settled(wallet.salesReport(connection.key, day, "background"))),
  );
  requireAuthorized(...reports);
  const sales = reports.map((report) => {
    if (!report.ok) return undefined;
    const { api, esales } = report.value.byOrigin;
    return api.count + esales.count;
  });
  return disputeRate(days, sales, disputes);
};
