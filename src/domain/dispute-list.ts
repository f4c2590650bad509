import type { Cents } from "../shared/money.ts";
import type { Dispute, DisputeState, DisputeSummary } from "./dispute.ts";
import type { AlertChoice, WatchedDispute } from "./dispute-alert.ts";
import type { WalletErrorKind } from "../shared/errors.ts";
import { closeOf, openingOf, openReportDay } from "./report-day.ts";

/** One row of the service's list, whose shape is not documented: only `infractionId` is sure. */
export interface ListedDispute {
  readonly infractionId: string;
  readonly txid: string | undefined;
  readonly amount: Cents | undefined;
  readonly frozen: Cents | undefined;
  /** As it came. */
  readonly status: string | undefined;
  /** As it came. */
  readonly analysisStatus: string | undefined;
  readonly contestedAt: Temporal.Instant | undefined;
  readonly dueAt: Temporal.Instant | undefined;
}

/** One page of the service's list of disputes, as long as the service made it. */
export interface DisputePage {
  readonly items: readonly ListedDispute[];
  /** Rows without a usable `infractionId`: they cannot be opened or followed. */
  readonly unnamed: number;
}

/** A row of `/meds`: what the list, the dispute itself or the last reading of the watch says of it. */
export interface DisputeRow extends ListedDispute {
  /** Undefined: nothing readable says how it stands. */
  readonly state: DisputeState | undefined;
}

/** Whether the bank decided though the seller's answer never came. */
export const isDecidedUnanswered = ({ status, state }: DisputeRow): boolean =>
  status === "pending" && (state === "lost" || state === "won");

/** In which order rows are of use: what can still be answered, what was missed, what nobody could read, and the rest. */
const RANKS: Readonly<Record<DisputeState | "unread", number>> = {
  needs_answer: 0,
  overdue: 1,
  unread: 2,
  other: 2,
  conceded: 3,
  defended: 3,
  lost: 4,
  won: 4,
  cancelled: 4,
};

const rankOf = ({ state }: DisputeRow): number => RANKS[state ?? "unread"];

const dueMs = ({ dueAt }: DisputeRow): number => dueAt?.epochMilliseconds ?? Infinity;

/** Soonest deadline first among what can be answered; what is over, the latest first. */
const compareDue = (one: DisputeRow, other: DisputeRow, rank: number): number => {
  const [a, b] = [dueMs(one), dueMs(other)];
  if (a === b) return one.infractionId < other.infractionId ? -1 : 1;
  const passed = rank === RANKS.overdue || rank === RANKS.lost;
  return passed ? b - a : a - b;
};

/** Those that await an answer before the rest, each group by deadline. */
export const byUrgency = (rows: readonly DisputeRow[]): readonly DisputeRow[] =>
  rows.toSorted((one, other) => {
    const rank = rankOf(one);
    return rank - rankOf(other) || compareDue(one, other, rank);
  });

const filterStates = {
  all: undefined,
  answer: ["needs_answer", "overdue"],
  bank: ["defended", "conceded"],
  won: ["won"],
  lost: ["lost"],
  cancelled: ["cancelled"],
} as const satisfies Readonly<Record<string, readonly DisputeState[] | undefined>>;

/** What the list of disputes can be narrowed to. */
export type DisputeFilter = keyof typeof filterStates;

export const disputeFilters = Object.keys(filterStates) as readonly DisputeFilter[];

/** A dispute that could not be read may await an answer, so it is shown with those that do. */
export const isShownDispute = (state: DisputeState | undefined, filter: DisputeFilter): boolean => {
  const states: readonly DisputeState[] | undefined = filterStates[filter];
  if (states === undefined) return true;
  return state === undefined || state === "other" ? filter === "answer" : states.includes(state);
};

/** Disputes without the seller's answer that the service counts and shows nowhere: their deadlines are not known. */
export interface UnlistedPending {
  /** As the last poll found it. */
  readonly count: number;
  /** The count that the owner was told; 0 when there was nothing to tell since. */
  readonly notified: number;
}

export const NONE_UNLISTED: UnlistedPending = { count: 0, notified: 0 };

type Known = Pick<ListedDispute | WatchedDispute, "infractionId" | "status">;

/**
 * How many more the summary counts as pending than are known. What was read of a dispute goes before what the list says
 * of it, and one of which the list says nothing may be pending. Source: service.md 2.6.
 */
export const countUnlisted = (
  { byStatus }: Pick<DisputeSummary, "byStatus">,
  read: readonly Known[],
  listed: readonly Known[],
): number => {
  const statuses = new Map([...listed, ...read].map((each) => [each.infractionId, each.status]));
  const known = [...statuses.values()].filter((status) => (status ?? "pending") === "pending");
  return Math.max(0, byStatus.pending - known.length);
};

/**
 * What a poll that found `count` makes of it. One poll proves nothing: a dispute may be opened or answered between the
 * reading of the summary and that of the list. `tell`: it rose above what was told, in two polls one after the other.
 */
export const nextUnlisted = (
  before: UnlistedPending,
  count: number,
): { readonly after: UnlistedPending; readonly notify: boolean } => {
  const sure = Math.min(before.count, count);
  const notify = sure > before.notified;
  const notified = notify ? sure : Math.min(before.notified, Math.max(before.count, count));
  return { after: { count, notified }, notify };
};

/** A dispute as buttons name it, in a guild and in direct messages alike: `<accountId>.<infractionId>`. */
export interface DisputeRef {
  readonly accountId: string;
  readonly infractionId: string;
}

/** What `/meds` shows of all disputes of one account. */
export interface DisputeOverview {
  readonly accountId: string;
  /** Undefined when it could not be read; then `problems` says why. */
  readonly summary: DisputeSummary | undefined;
  /** The rows of this page, most urgent first. */
  readonly rows: readonly DisputeRow[];
  readonly filter: DisputeFilter;
  /** From 0. */
  readonly page: number;
  /** At least 1. */
  readonly pages: number;
  /** Rows of all pages under the filter. */
  readonly found: number;
  /** Where the owner is told of deadlines. */
  readonly alerts: AlertChoice;
  /** Alerts of the last days that reached nobody. */
  readonly undelivered: number;
  /** How many of all rows the bank decided though the seller had not answered: the summary counts them as unanswered. */
  readonly decidedUnanswered: number;
  /** How many of all rows await the seller's answer, under whatever filter and page. */
  readonly awaiting: number;
  /** Why the service's list could not be read; undefined when it was. Without it `rows` are those that are watched. */
  readonly listProblem: WalletErrorKind | undefined;
  /** How many more the summary counts than could be listed; undefined when that cannot be told. */
  readonly unlisted: number | undefined;
  /** How many of those that the summary counts as pending none of all rows shows; undefined without a summary. */
  readonly unlistedPending: number | undefined;
  /** Why anything could not be read, each kind once. */
  readonly problems: readonly WalletErrorKind[];
  /** What leads the support to it: `X-Request-ID`, or the reference of our log. */
  readonly supportCodes?: readonly string[] | undefined;
  readonly readAt: Temporal.Instant;
}

/** One dispute in full, as it was read just now. */
export interface DisputeDetail {
  readonly accountId: string;
  readonly dispute: Dispute;
  readonly state: DisputeState;
  /** What the watch keeps of it; undefined when it is not followed. */
  readonly watched: WatchedDispute | undefined;
  readonly readAt: Temporal.Instant;
}

/** How many payments of the last days were contested. Only whole figures make one. */
export type DisputeRate =
  | {
      readonly known: true;
      /** First and last of the UTC days that both figures are about. */
      readonly from: Temporal.PlainDate;
      readonly to: Temporal.PlainDate;
      /** Opened in those days, without the cancelled ones. */
      readonly disputes: number;
      /** Approved sales of those days, as the service counts them now. */
      readonly sales: number;
      /** Hundredths of a per cent. */
      readonly basisPoints: number;
    }
  | { readonly known: false; readonly why: "list" | "dates" | "sales" | "no_sales" };

const RATE_DAYS = 30;
const BASIS_POINTS = 10_000;

/** The last 30 report days that are over, the first one first. */
export const rateDays = (now: Temporal.Instant): readonly Temporal.PlainDate[] => {
  const open = openReportDay(now);
  return Array.from({ length: RATE_DAYS }, (_, index) =>
    open.subtract({ days: RATE_DAYS - index }),
  );
};

interface RateFacts {
  readonly days: readonly Temporal.PlainDate[];
  /** Approved sales of each of the days; undefined for one that could not be read. */
  readonly sales: readonly (number | undefined)[];
  /** Every dispute of the account; undefined when the list is not known to be whole. */
  readonly disputes: readonly Pick<ListedDispute, "contestedAt" | "status">[] | undefined;
}

/**
 * How many of the payments of whole days were contested in them. A missing figure makes it unknown: a rate that is
 * lower than the true one would calm a seller who has reason to worry.
 */
export const disputeRate = ({ days, sales, disputes }: RateFacts): DisputeRate => {
  const [from, to] = [days[0], days.at(-1)];
  if (disputes === undefined) return { known: false, why: "list" };
  const counted = disputes.filter(({ status }) => status !== "canceled");
  const times = counted.flatMap(({ contestedAt }) => contestedAt ?? []);
  if (times.length < counted.length) return { known: false, why: "dates" };
  const figures = sales.flatMap((count) => count ?? []);
  if (from === undefined || to === undefined || figures.length < days.length) {
    return { known: false, why: "sales" };
  }
  const total = figures.reduce((sum, count) => sum + count, 0);
  if (total === 0) return { known: false, why: "no_sales" };
  const [begin, end] = [openingOf(from).epochMilliseconds, closeOf(to).epochMilliseconds];
  const within = times.filter(({ epochMilliseconds: at }) => at >= begin && at < end).length;
  const basisPoints = Math.round((within * BASIS_POINTS) / total);
  return { known: true, from, to, disputes: within, sales: total, basisPoints };
};
