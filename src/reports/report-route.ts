import type { ChannelPermission } from "../shared/errors.ts";
import { hasPermission } from "../shared/permissions.ts";
import type { DeliveryState, PostingRoute } from "../delivery/delivery.ts";

/** Post for a day without sales. */
export type EmptyReportChoice = "send" | "line" | "skip";

/** Sellers of a guild and their reports. */
export interface ReportAudience {
  readonly connected: number;
  readonly consenting: number;
  /** Newest day settled for every seller with a report: posted, under way, or skipped as empty. */
  readonly settledDay: Temporal.PlainDate | undefined;
}

/** Channel and time of a guild's daily sales reports. One per guild. */
export interface ReportRoute extends PostingRoute {
  /** Hour of delivery in `timeZone`, to the minute. */
  readonly time: Temporal.PlainTime;
  /** IANA name. */
  readonly timeZone: string;
  readonly emptyChoice: EmptyReportChoice;
  /** Deliveries begin after this instant, which moves when the route is switched on. */
  readonly activeSince: Temporal.Instant;
}

/** Permissions for posting reports. Reading the history lets the bot find a post after a lost answer. */
const NEEDED_PERMISSIONS: readonly (readonly [ChannelPermission, bigint])[] = [
  ["view_channel", 1n << 10n],
  ["send_messages", 1n << 11n],
  ["embed_links", 1n << 14n],
  ["read_message_history", 1n << 16n],
];

/** Permissions that the bot lacks in a channel. */
export const missingPermissions = (permissions: bigint): readonly ChannelPermission[] =>
  NEEDED_PERMISSIONS.filter(([, bit]) => !hasPermission(permissions, bit)).map(([name]) => name);

/** Result of a test post, as shown to the admin. */
export type TestPostResult =
  | "posted"
  | "lost_channel"
  /** Not posted yet; the bot keeps trying. */
  | "waiting"
  /** The post may or may not be in the channel. */
  | "unclear";

/** Result for the delivery state, after an attempt or while one is under way. */
export const testPostResult = (state: DeliveryState | undefined): TestPostResult => {
  if (state === "sent") return "posted";
  if (state === "blocked" || state === "obsolete") return "lost_channel";
  return state === "due" || state === "sending" ? "waiting" : "unclear";
};
