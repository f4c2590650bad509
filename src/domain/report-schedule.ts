import type { EmptyReportChoice } from "./report-route.ts";

/** One seller's daily report in one channel, as far as it was delivered. */
export interface ReportSubscription {
  readonly accountId: string;
  readonly guildId: string;
  readonly ownerId: string;
  readonly channelId: string;
  /** Hour of delivery in `timeZone`, to the minute. */
  readonly time: Temporal.PlainTime;
  /** IANA name. */
  readonly timeZone: string;
  /** Language of the channel posts. */
  readonly locale: "pt-BR" | "en-US";
  readonly emptyChoice: EmptyReportChoice;
  /** Deliveries begin after it: the later of the route's `activeSince` and the owner's consent. */
  readonly since: Temporal.Instant;
  /** Last UTC day that was handed to the outbox, or skipped because it was empty. */
  readonly lastDay: Temporal.PlainDate | undefined;
}
