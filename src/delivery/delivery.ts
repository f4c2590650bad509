import { createHash } from "node:crypto";
import type {
  APIActionRowComponent,
  APIComponentInMessageActionRow,
  APIEmbed,
} from "discord-api-types/v10";
import type { CloseKind } from "../closes/close.ts";
import type { Locale } from "../shared/locale.ts";
import type { Cents } from "../shared/money.ts";
import type { DeliveryKind } from "./delivery-policies.ts";
import type { AlertStep, AlertSubject } from "../disputes/dispute-alert.ts";
import type { DailyReport } from "../reports/daily-report.ts";
import type { SalesChart } from "../reports/sales-chart.ts";
import type { RestoreCause } from "../withdrawals/restore/restore-hold.ts";

/** Destination of a post. The direct-message channel of a person is opened at sending. */
export type DeliveryTarget =
  | { readonly kind: "channel"; readonly channelId: string }
  | { readonly kind: "person"; readonly userId: string };

export const targetIdOf = (target: DeliveryTarget): string =>
  target.kind === "channel" ? target.channelId : target.userId;

/** Message body in Discord's shape; the poster adds the nonce and the allowed mentions. */
export interface DeliveryPayload {
  readonly content?: string;
  /** In place of `content` once the time in the first embed is long ago. */
  readonly lateContent?: string;
  /** Users and roles named before the content; used in channels only. */
  readonly pings?: { readonly userId: string; readonly roleId?: string };
  readonly embeds?: readonly APIEmbed[];
  readonly components?: readonly APIActionRowComponent<APIComponentInMessageActionRow>[];
  /** Charge of the card. Its code is drawn as a picture at posting, so that the stored row stays small. */
  readonly charge?: { readonly id: string; readonly code: string; readonly inWords?: string };
  /** Charge of the code in a message: once it has ended, or its time is over, the message is not sent. */
  readonly payable?: string;
  /** Figures of a daily report; `SettlementHooks.payloadOf` words them when they are posted. */
  readonly report?: DailyReport;
  /** Accounts of the sellers of a close. That of a server is made again once one of them has left. */
  readonly sellers?: readonly string[];
  /** Drawn at posting too, into the first embed. A picture that cannot be drawn leaves the text alone. */
  readonly chart?: PostChart;
  /** The route whose channel is lost, and the channel, of a message that tells so. */
  readonly lostChannel?: { readonly route: LostRoute; readonly channelId: string };
  /** Counts of the alert about unlisted disputes, by which each attempt words it again. */
  readonly unlisted?: { readonly pending: number; readonly unlisted: number };
}

/** A route by the beginning of the keys of the messages about its lost channel: the spelling never changes. */
export type LostRoute = "channel_lost" | "alert_channel_lost" | "sale_channel_lost";

export interface PostChart {
  readonly figures: SalesChart;
  /** The picture in words, for readers who do not see it. */
  readonly inWords: string;
}

/** A server's report without sellers who have gone; undefined when none of them is left. */
export const withoutSellers = (
  report: DailyReport,
  gone: readonly string[],
): DailyReport | undefined => {
  const stay = ({ accountId }: { readonly accountId: string }): boolean =>
    !gone.includes(accountId);
  const sellers = report.sellers.filter(stay);
  const isOver =
    sellers.length === 0 || (report.completes !== undefined && gone.includes(report.completes));
  return isOver ? undefined : { ...report, sellers, missing: report.missing.filter(stay) };
};

/** Beginning of the keys of messages that a refused key is accepted again: the spelling never changes. */
export const ACCEPTED = "notice|key_accepted|";

/** A post to be made once. Its stored payload stays; an alert is worded anew at each attempt. */
export interface NewDelivery {
  /** Subject, reader and destination: two deliveries with the same key are the same post. */
  readonly dedupeKey: string;
  readonly kind: DeliveryKind;
  readonly target: DeliveryTarget;
  readonly guildId: string | null;
  /** Account of the post; removing the account cancels its undelivered posts. Null where they are owed all the same. */
  readonly accountId: string | null;
  readonly payload: DeliveryPayload;
  readonly notBefore: Temporal.Instant;
  /** UTC day of a report; of a close its last. */
  readonly day?: Temporal.PlainDate | undefined;
  readonly closeKind?: CloseKind | undefined;
  /** Dispute and step of an alert. */
  readonly alert?: AlertSubject | undefined;
  /** Key of the delivery that this one repeats, marked as a repeat. */
  readonly repeatOf?: string | undefined;
  /** Key offer that this message asks the member about. */
  readonly offerId?: string | undefined;
  /** Operation whose state this message tells. */
  readonly opId?: string | undefined;
}

/** A delivery that this process may attempt until its lease ends. */
export interface ClaimedDelivery extends NewDelivery {
  readonly nonce: string;
  /** Includes this attempt. */
  readonly attempts: number;
  readonly enqueuedAt: Temporal.Instant;
  /** First attempt that may have posted; equal to `claimedAt` when this is the first. */
  readonly firstAttemptAt: Temporal.Instant;
  readonly claimedAt: Temporal.Instant;
  readonly owner: string;
  /** Fencing number: rises with each claim. */
  readonly token: number;
  /** Past runs, unknown to an older copy of the database, that may have posted it. */
  readonly lostLives: readonly LostLife[];
  /** The target was lost; this attempt checks whether it is back. */
  readonly wasBlocked: boolean;
}

/** A run of the bot that the database lost: its posts between `since` and `until` may be unrecorded. */
export interface LostLife {
  readonly cause: RestoreCause;
  readonly since: Temporal.Instant;
  readonly until: Temporal.Instant;
}

export type DeliveryState =
  | "due"
  | "sending"
  | "sent"
  | "blocked"
  | "unknown"
  | "obsolete"
  | "dead";

/**
 * Step of an alert that is cancelled because it no longer applies. The settling transaction marks the step as owed
 * again. If the dispute's version has changed, the change may already owe the same alert: then this delivery becomes
 * due at once, to be checked again.
 */
export interface UnsentStep {
  readonly watchId: string;
  readonly infractionId: string;
  /** Version of the dispute that the alert was checked against. */
  readonly version: number;
  /** The done steps without the cancelled step. */
  readonly doneSteps: readonly AlertStep[];
}

/** How a claim ends. `error` is a short code for the operator and contains no text of a person or of the service. */
export type Settlement =
  | { readonly state: "sent"; readonly messageId: string | null }
  | {
      readonly state: "due" | "blocked";
      readonly notBefore: Temporal.Instant;
      readonly error: string;
      /** This attempt posted no message: if it was the first one, the next attempt sets `firstAttemptAt` again. */
      readonly untouched: boolean;
      /** The attempt does not count: it brought the delivery on, and another follows at once. */
      readonly isUncounted?: true;
      /** New destination; undefined: the destination stays. */
      readonly target?: DeliveryTarget;
      /** Connection whose server's channel that is; undefined: the connection stays. */
      readonly via?: Pick<NewDelivery, "accountId" | "guildId"> | undefined;
    }
  | { readonly state: "unknown"; readonly error: string }
  | {
      readonly state: "dead";
      readonly error: string;
      /** This attempt posted no message. */
      readonly untouched?: boolean;
    }
  | {
      readonly state: "obsolete";
      readonly error: string;
      /** This attempt posted no message. */
      readonly untouched?: boolean;
      readonly unsent?: UnsentStep;
      /** The channel is gone or closed to the bot. */
      readonly isChannelLost?: true;
    };

/** How one attempt to post ended. Codes: Discord's REST reference. */
export type PostOutcome =
  | { readonly kind: "posted"; readonly messageId: string }
  /** 404 with 10008 on create with a nonce: the message was posted and has been deleted. */
  | { readonly kind: "posted_then_deleted" }
  /**
   * 10003, 10004, 50001, 50013: the channel or guild is gone, or the bot may not post there; of a direct message it passes, as
   * does 20026, the bot's quarantine.
   */
  | { readonly kind: "lost_channel"; readonly code: number }
  /** 50007, 50278: this person does not accept direct messages from the bot. */
  | { readonly kind: "unreachable_person"; readonly code: number }
  /** Discord will never accept this body: our mistake. */
  | { readonly kind: "rejected"; readonly status: number; readonly code: number | undefined }
  | { readonly kind: "throttled"; readonly retryAfterMs: number }
  /** 5xx, timeout, reset, or an answer without an id: the post may or may not exist. */
  | { readonly kind: "unclear"; readonly reason: string };

/** Result of searching a channel's history for one post. */
export type HistorySearch =
  | { readonly kind: "found"; readonly messageId: string }
  /** The whole span was read; it does not contain the post. */
  | { readonly kind: "absent" }
  /** The span holds more messages than a search reads, and the post is not among those that were read. */
  | { readonly kind: "too_long" }
  /** The history is not readable to its end, so it is no proof. `lasting`: Discord refuses access; do not retry. */
  | { readonly kind: "unreadable"; readonly lasting: boolean };

/** Discord's longest nonce. */
const NONCE_LENGTH = 25;
const REFERENCE_LENGTH = 8;

/**
 * Nonce of every attempt at one delivery, stable across restarts. Discord compares nonces by author, so the key must
 * include the channel.
 */
export const nonceOf = (dedupeKey: string): string =>
  createHash("sha256").update(`v1|${dedupeKey}`).digest("base64url").slice(0, NONCE_LENGTH);

/** Reference in the post's footer, by which the bot finds it in the channel's history. */
export const referenceOf = (dedupeKey: string): string =>
  `ref ${createHash("sha256").update(`ref|${dedupeKey}`).digest("hex").slice(0, REFERENCE_LENGTH)}`;

/**
 * A delivery in a log line, without its key, which holds ids of people and payments: the reference is in the footer of
 * its post, and the nonce in its row.
 */
export const loggedDelivery = ({
  kind,
  dedupeKey,
  nonce = nonceOf(dedupeKey),
}: Pick<NewDelivery, "dedupeKey"> & Partial<Pick<ClaimedDelivery, "kind" | "nonce">>) => ({
  kind,
  delivery: referenceOf(dedupeKey),
  nonce,
});

/** A direct message to one person. `payloadOf` receives the reference by which the message is found again. */
export const notice = (
  userId: string,
  post: Omit<NewDelivery, "kind" | "target" | "payload">,
  payloadOf: (reference: string) => DeliveryPayload,
): NewDelivery => ({
  ...post,
  kind: "notice",
  target: { kind: "person", userId },
  payload: payloadOf(referenceOf(post.dedupeKey)),
});

/** A server's channel for posts of one kind. */
export interface PostingRoute {
  readonly guildId: string;
  readonly channelId: string;
  /** False when an admin switched it off. */
  readonly active: boolean;
  /** Language of the channel's posts. */
  readonly locale: Locale;
  /** Set while the channel is lost (deleted, or access withdrawn). */
  readonly suspendedAt: Temporal.Instant | undefined;
  /** Admin of the last change. */
  readonly updatedBy: string;
}

/** The fields of a route that an admin chooses; the store derives the others. */
export type Chosen<Route extends PostingRoute> = Omit<Route, "activeSince" | "suspendedAt"> & {
  /** Whether the channel was given, even the same one, or its posts were switched on. Other changes keep a suspension. */
  readonly liftsSuspension?: boolean;
};

/** A route after a change of the route before, which a server may not have yet. @throws UserError */
export type RouteChange<Route extends PostingRoute> = (before: Route | undefined) => Chosen<Route>;

/** Whether posts go to the route's channel now. */
export const isRouteOpen = <Route extends PostingRoute>(
  route: Route | undefined,
): route is Route & { readonly active: true; readonly suspendedAt: undefined } =>
  route?.active === true && route.suspendedAt === undefined;

/** A user to notify about a route. */
export interface RouteOwner {
  readonly id: string;
  /** Undefined where it is not known: then the route's. */
  readonly locale: Locale | undefined;
}

/** The servers' channels for posts of one kind. */
export interface RouteStore<Route extends PostingRoute> {
  readonly find: (guildId: string) => Promise<Route | undefined>;
  /** `change` gets the route once it is locked, so that two changes at once do not lose one. */
  readonly save: (
    guildId: string,
    change: RouteChange<Route>,
    at: Temporal.Instant,
  ) => Promise<Route>;
  /** Suspends a lost channel. True, with `notices` enqueued, only for the first call that suspends it. */
  readonly suspend: (
    guildId: string,
    channelId: string,
    at: Temporal.Instant,
    notices: readonly NewDelivery[],
  ) => Promise<boolean>;
  /** Sellers whose posts go there, and the admin who set the route. */
  readonly owners: (guildId: string) => Promise<readonly RouteOwner[]>;
}

/** A channel that is gone or closed to the bot, as a notice tells it. */
export interface LostChannelFacts {
  readonly guildId: string;
  readonly channelId: string;
  readonly noticedAt: Temporal.Instant;
  readonly locale: Locale;
  readonly reference: string;
}

/** A server's chosen channel in which posts begin, as a notice to a seller tells it. */
export interface ChosenChannelFacts {
  readonly guildId: string;
  /** Untrusted text; undefined when Discord does not tell it. */
  readonly guildName: string | undefined;
  readonly channelId: string;
  /** Of sale notices. */
  readonly minimum?: Cents | undefined;
  readonly locale: Locale;
  readonly reference: string;
}

/**
 * Replaces a post of ours whole; its files go. A repeated edit does no harm. `gone`: the post is deleted, or takes no such
 * edit; `refused`: the bot may not edit in the channel now, or its thread stays archived; `later`: another try may
 * succeed. Never throws.
 */
export type EditPost = (
  channelId: string,
  messageId: string,
  body: DeliveryPayload,
) => Promise<"edited" | "gone" | "refused" | "later">;

/** Why a direct-message channel is not open. */
export type UnopenedChannel = Exclude<
  PostOutcome,
  { readonly kind: "posted" | "posted_then_deleted" | "unclear" }
>;

/** Requests to Discord that a delivery makes. They never throw. */
export interface Posting {
  /** Sends at most one request that may post, and none unless `isInTime` right before it. */
  readonly post: (
    channelId: string,
    body: DeliveryPayload & {
      readonly nonce: string;
      readonly enforce_nonce: true;
    },
    isInTime: () => boolean,
  ) => Promise<PostOutcome>;
  /** Opens the direct-message channel with a person, or finds the existing one: a repeat does no harm. */
  readonly openDirectMessage: (
    userId: string,
  ) => Promise<{ readonly channelId: string } | UnopenedChannel>;
  /**
   * Searches for one of our posts among the messages since `after`: all of them, oldest first, or those before `before`,
   * newest first.
   */
  readonly findPosted: (
    channelId: string,
    search: {
      readonly after: Temporal.Instant;
      readonly before?: Temporal.Instant | undefined;
      readonly nonce: string;
      readonly reference: string;
    },
  ) => Promise<HistorySearch>;
}
