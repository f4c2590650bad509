/** What the channel gets for a day without sales. */
export type EmptyReportChoice = "send" | "line" | "skip";

/** Sellers of a guild, as far as its report goes. */
export interface ReportAudience {
  readonly connected: number;
  readonly consenting: number;
  /** Newest day that is settled for each of them who gets the report: posted, on its way, or empty and skipped. */
  readonly settledDay: Temporal.PlainDate | undefined;
}

/** Where and when a guild gets its daily sales reports. One per guild. */
export interface ReportRoute {
  readonly guildId: string;
  readonly channelId: string;
  /** Hour of delivery in `timeZone`, to the minute. */
  readonly time: Temporal.PlainTime;
  /** IANA name. */
  readonly timeZone: string;
  readonly active: boolean;
  readonly emptyChoice: EmptyReportChoice;
  /** Language of the channel posts. */
  readonly locale: "pt-BR" | "en-US";
  /** Deliveries begin after this instant; moved when the route is switched on. */
  readonly activeSince: Temporal.Instant;
  /** Set while the channel cannot be posted to (gone, or access withdrawn). */
  readonly suspendedAt: Temporal.Instant | undefined;
  /** Admin who set it last. */
  readonly updatedBy: string;
}
