import type { EmptyReportChoice, ReportRoute } from "./report-route.ts";

/** One seller's daily report in one guild, as far as its schedule goes. */
export interface ReportSubscription {
  readonly accountId: string;
  readonly guildId: string;
  readonly ownerId: string;
  readonly channelId: string;
  /** Hour of delivery in `timeZone`, to the minute. */
  readonly time: Temporal.PlainTime;
  /** IANA name. */
  readonly timeZone: string;
  readonly locale: ReportRoute["locale"];
  readonly emptyChoice: EmptyReportChoice;
  /** Later of the route's activation and the owner's consent: nothing that fell due before it is owed. */
  readonly since: Temporal.Instant;
  /** Newest day already materialised. */
  readonly lastDay: Temporal.PlainDate | undefined;
}
