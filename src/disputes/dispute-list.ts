import type { Cents } from "../shared/money.ts";
import { type Dispute, type DisputeState, type DisputeSummary, isCancelled } from "./dispute.ts";
import type { DestinationChoice } from "../accounts/account.ts";
import type { WatchedDispute } from "./dispute-alert.ts";
import type { WalletErrorKind } from "../shared/errors.ts";
import { inSmall } from "../shared/ids.ts";
import type { Page } from "../shared/page.ts";
import { closeOf, openingOf, openReportDay } from "../shared/report-day.ts";

/** A row of the service's list. Its shape is undocumented: only `infractionId` is certain. */
export interface ListedDispute {
  readonly infractionId: string;
  readonly txid: string | undefined;
  readonly amount: Cents | undefined;
  readonly frozen: Cents | undefined;
  /** A documented word as the document spells it, another as the service sends it. */
  readonly status: string | undefined;
  /** Spelled like `status`. */
  readonly analysisStatus: string | undefined;
  readonly contestedAt: Temporal.Instant | undefined;
  readonly dueAt: Temporal.Instant | undefined;
}

/** Whether the list itself says that the dispute ended without giving the payment back. */
export const isClosed = ({
  status,
  analysisStatus,
}: Pick<ListedDispute, "status" | "analysisStatus">): boolean =>
  analysisStatus === "rejected" || (status === "canceled" && analysisStatus === "pending");

/** A page of the service's list of disputes; the service decides its length. */
export interface DisputePage {
  readonly items: readonly ListedDispute[];
  /** Number of rows without a usable `infractionId`, which cannot be opened or followed. */
  readonly unnamed: number;
  /** False when the service names further pages that could not be read, or were not. */
  readonly isWhole: boolean;
}

/** A row of `/meds`, built from the list, the dispute itself or the watch's last reading. */
export interface DisputeRow extends ListedDispute {
  /** Undefined when no source gives a readable state. */
  readonly state: DisputeState | undefined;
  /** Product or description of the contested sale, where it is known: text of a stranger. */
  readonly product?: string | undefined;
}

/** Fills gaps of the list with the last reading. */
export const merged = (listed: ListedDispute, kept: WatchedDispute | undefined): ListedDispute => ({
  infractionId: listed.infractionId,
  txid: listed.txid ?? kept?.txid,
  amount: listed.amount ?? kept?.amount,
  frozen: listed.frozen ?? kept?.frozen,
  status: listed.status ?? kept?.status,
  analysisStatus: listed.analysisStatus ?? kept?.analysisStatus,
  contestedAt: listed.contestedAt,
  dueAt: listed.dueAt ?? kept?.dueAt,
});

/** Sort order: still answerable, missed, unreadable, then the rest. */
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

/** Soonest deadline first; among overdue and decided disputes, latest first. */
const compareDue = (one: DisputeRow, other: DisputeRow, rank: number): number => {
  const [a, b] = [dueMs(one), dueMs(other)];
  if (a === b) return one.infractionId < other.infractionId ? -1 : 1;
  const passed = rank === RANKS.overdue || rank === RANKS.lost;
  return passed ? b - a : a - b;
};

/** Sorts disputes that await an answer first, then by deadline. */
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

/** Filter of the list of disputes. */
export type DisputeFilter = keyof typeof filterStates;

export const disputeFilters = Object.keys(filterStates) as readonly DisputeFilter[];

/** Unreadable and unknown states may await an answer. */
export const mayAwaitAnswer = (state: DisputeState | undefined): state is "other" | undefined =>
  state === undefined || state === "other";

/** Whether the filter shows the state: `answer` also shows those that may await one. */
export const isShownDispute = (state: DisputeState | undefined, filter: DisputeFilter): boolean => {
  const states: readonly DisputeState[] | undefined = filterStates[filter];
  if (states === undefined) return true;
  return mayAwaitAnswer(state) ? filter === "answer" : states.includes(state);
};

/** Unanswered disputes that the service counts and that are not listed, or cannot be read, so that they have no reminders. */
export interface UnlistedPending {
  /** Count at the last poll. */
  readonly count: number;
  /** Count that the owner was told of, lowered once two polls in a row are below it. */
  readonly notified: number;
}

export const NONE_UNLISTED: UnlistedPending = { count: 0, notified: 0 };

type Known = Pick<ListedDispute | WatchedDispute, "infractionId" | "status">;

/**
 * Number of pending disputes in the summary beyond the known ones. A dispute's own reading overrides its row in the
 * list; a row without a status may be pending. Source: service.md 2.6.
 */
export const countUnlisted = (
  { byStatus }: Pick<DisputeSummary, "byStatus">,
  read: readonly Known[],
  listed: readonly Known[],
): number => {
  const statuses = new Map(
    [...listed, ...read].map((each) => [inSmall(each.infractionId), each.status]),
  );
  const known = [...statuses.values()].filter((status) => (status ?? "pending") === "pending");
  return Math.max(0, byStatus.pending - known.length);
};

/**
 * State after a poll that found `count`. A dispute may open or close between the readings of summary and list, so
 * `notify` is set only when two consecutive polls exceed the count that the owner was told.
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

/** A dispute as it appears in custom ids, in guilds and direct messages: `<watchId>.<infractionId>`. */
export interface DisputeRef {
  readonly watchId: string;
  readonly infractionId: string;
}

/** Numbers of known disputes, regardless of filter and page. */
export const countDisputes = (rows: readonly Pick<DisputeRow, "state">[]) => {
  const number = (...states: readonly DisputeState[]): number =>
    rows.filter(({ state }) => state !== undefined && states.includes(state)).length;
  return {
    /** Still unanswered after the deadline; part of those that await the answer. */
    overdue: number("overdue"),
    /** Answered and undecided. */
    bank: number("defended", "conceded"),
    ended: number("won", "lost", "cancelled"),
    /** Part of those that ended. */
    won: number("won"),
  };
};

/** Contents of `/meds` for one account: the rows of a page, most urgent first. */
export interface DisputeOverview extends Page<DisputeRow> {
  readonly watchId: string;
  /** Undefined when it could not be read; `problems` says why. */
  readonly summary: DisputeSummary | undefined;
  readonly filter: DisputeFilter;
  /** Where the owner's alerts go. */
  readonly alerts: DestinationChoice;
  /** Number of recent alerts that did not reach the owner. */
  readonly undelivered: number;
  /** Disputes that await the seller's answer, regardless of filter and page. */
  readonly awaiting: number;
  /** Disputes that may await it too, as their state was not read or is unknown, regardless of filter and page. */
  readonly mayAwait: number;
  readonly counts: ReturnType<typeof countDisputes>;
  /** Why the service's list could not be read; `rows` then holds the watched disputes. Undefined when it was read. */
  readonly listProblem: WalletErrorKind | undefined;
  /** Disputes in the summary that are not listed; undefined when unknown. */
  readonly unlisted: number | undefined;
  /** Pending disputes in the summary that are not among all rows; undefined without a summary. */
  readonly unlistedPending: number | undefined;
  /** Reasons of failed readings, each kind once. */
  readonly problems: readonly WalletErrorKind[];
  /** Each failed reading's `X-Request-ID`, or the reference of our log, for the support. */
  readonly supportCodes?: readonly string[] | undefined;
  readonly readAt: Temporal.Instant;
}

/** One dispute in full, just read. */
export interface DisputeDetail {
  readonly watchId: string;
  readonly dispute: Dispute;
  readonly state: DisputeState;
  /** The watch's record; undefined when the dispute is not watched. */
  readonly watched: WatchedDispute | undefined;
  readonly readAt: Temporal.Instant;
}

const RATE_DAYS = 30;
const BASIS_POINTS = 10_000;

/** The last 30 closed report days, oldest first. */
export const rateDays = (now: Temporal.Instant): readonly Temporal.PlainDate[] => {
  const open = openReportDay(now);
  return Array.from({ length: RATE_DAYS }, (_, index) =>
    open.subtract({ days: RATE_DAYS - index }),
  );
};

type RatedDispute = Pick<ListedDispute, "contestedAt" | "status" | "analysisStatus">;

/** `list`: the list of disputes is not surely whole. */
export type DisputeRate =
  | ReturnType<typeof disputeRate>
  | { readonly known: false; readonly why: "list" };

/**
 * Share of the payments of whole days that were contested. A missing figure makes the rate unknown: a rate below the
 * true one would calm a seller who has reason to worry.
 * @param sales approved sales of each day, as the service now counts them; undefined for an unreadable day
 * @param disputes all disputes of the account; cancelled ones do not count
 */
export const disputeRate = (
  days: readonly Temporal.PlainDate[],
  sales: readonly (number | undefined)[],
  disputes: readonly RatedDispute[],
) => {
  const [from, to] = [days[0], days.at(-1)];
  const counted = disputes.filter((each) => !isCancelled(each));
  const times = counted.flatMap(({ contestedAt }) => contestedAt ?? []);
  if (times.length < counted.length) return { known: false, why: "dates" } as const;
  const figures = sales.flatMap((count) => count ?? []);
  if (from === undefined || to === undefined || figures.length < days.length) {
    return { known: false, why: "sales" } as const;
  }
  const total = figures.reduce((sum, count) => sum + count, 0);
  if (total === 0) return { known: false, why: "no_sales" } as const;
  const [begin, end] = [openingOf(from).epochMilliseconds, closeOf(to).epochMilliseconds];
  const within = times.filter(({ epochMilliseconds: at }) => at >= begin && at < end).length;
  /** Hundredths of a per cent. */
  const basisPoints = Math.round((within * BASIS_POINTS) / total);
  return { known: true, from, to, disputes: within, sales: total, basisPoints } as const;
};
