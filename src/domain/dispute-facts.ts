import type { WalletErrorKind } from "../shared/errors.ts";
import type { Dispute, DisputeSummary } from "./dispute.ts";
import type { AlertChoice, WatchedDispute } from "./dispute-alert.ts";
import type { DisputeFilter } from "./dispute-filter.ts";
import type { DisputeRow } from "./dispute-list.ts";
import type { DisputeState } from "./dispute-state.ts";

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
