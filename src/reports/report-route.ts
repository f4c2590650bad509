import { type ChannelPermission, missingOf } from "../shared/permissions.ts";
import type { DeliveryState, PostingRoute } from "../delivery/delivery.ts";
import type { DeliveryHour } from "./report-schedule.ts";

/** Post for a day without sales. */
export type EmptyReportChoice = "send" | "line" | "skip";

/** Sellers of a guild and their reports. */
export interface ReportAudience {
  readonly connected: number;
  readonly consenting: number;
  /** Newest day settled for every seller with a report: posted, under way, or skipped as empty. */
  readonly settledDay: Temporal.PlainDate | undefined;
  /** Newest consent of a seller with a key that works; reports due before it are not owed to that one. */
  readonly agreedAt?: Temporal.Instant | undefined;
  /** Of the sellers with consent, each is known to have left the server, or the service refuses the key of each who has not. */
  readonly onHold: "left" | "refused" | undefined;
}

/** Channel and time of a guild's daily sales reports. One per guild. */
export interface ReportRoute extends PostingRoute, DeliveryHour {
  readonly emptyChoice: EmptyReportChoice;
  /** Deliveries begin after this instant, which moves when the route is switched on. */
  readonly activeSince: Temporal.Instant;
}

/** Permissions that the bot lacks in a channel of posts. Reading the history lets it find a post after a lost answer. */
export const missingPermissions = (permissions: bigint): readonly ChannelPermission[] =>
  missingOf(permissions, ["view_channel", "send_messages", "embed_links", "read_message_history"]);

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
  if (state === "blocked" || state === "obsolete" || state === "dead") return "lost_channel";
  return state === "due" || state === "sending" ? "waiting" : "unclear";
};
