import type { Locale } from "../shared/locale.ts";
import type { ChannelPermission } from "../shared/errors.ts";
import type { DeliveryState } from "./delivery.ts";

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
  readonly locale: Locale;
  /** Deliveries begin after this instant; moved when the route is switched on. */
  readonly activeSince: Temporal.Instant;
  /** Set while the channel cannot be posted to (gone, or access withdrawn). */
  readonly suspendedAt: Temporal.Instant | undefined;
  /** Admin who set it last. */
  readonly updatedBy: string;
}

const ADMINISTRATOR = 1n << 3n;
const MANAGE_SERVER = 1n << 5n;

/** What the bot needs where it posts reports; the last one lets it find a post of which no answer came. */
const NEEDED_PERMISSIONS: readonly (readonly [ChannelPermission, bigint])[] = [
  ["view_channel", 1n << 10n],
  ["send_messages", 1n << 11n],
  ["embed_links", 1n << 14n],
  ["read_message_history", 1n << 16n],
];

const hasPermission = (permissions: bigint, permission: bigint): boolean =>
  (permissions & (permission | ADMINISTRATOR)) !== 0n;

/** What is missing among the permissions that the bot has in a channel. */
export const missingPermissions = (permissions: bigint): readonly ChannelPermission[] =>
  NEEDED_PERMISSIONS.filter(([, bit]) => !hasPermission(permissions, bit)).map(([name]) => name);

/** Whether a member may set up the bot for the guild. */
export const managesServer = (memberPermissions: bigint): boolean =>
  hasPermission(memberPermissions, MANAGE_SERVER);

/** What the admin who asked for a test is told. */
export type TestPostResult =
  | "posted"
  | "lost_channel"
  /** Not taken yet, and still tried. */
  | "waiting"
  /** It may or may not be there. */
  | "unclear";

/** What the state of a test's delivery means, after it was attempted. */
export const testPostResult = (state: DeliveryState | undefined): TestPostResult => {
  if (state === "sent") return "posted";
  if (state === "blocked" || state === "obsolete") return "lost_channel";
  return state === "due" ? "waiting" : "unclear";
};
