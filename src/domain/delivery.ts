import { createHash } from "node:crypto";
import type {
  APIActionRowComponent,
  APIComponentInMessageActionRow,
  APIEmbed,
} from "discord-api-types/v10";

/** How one attempt to post to Discord ended. Source: reliability of Discord's REST API, error codes of its reference. */
export type PostOutcome =
  | { readonly kind: "posted"; readonly messageId: string }
  /** 10008 on create with a nonce: it was posted, and somebody deleted it since. */
  | { readonly kind: "posted_then_deleted" }
  /** 10003, 10004, 50001, 50013: the channel or the guild is gone, or the bot may not post there. */
  | { readonly kind: "lost_channel"; readonly code: number }
  /** 50007, 50278: this person takes no direct messages from the bot. */
  | { readonly kind: "unreachable_person"; readonly code: number }
  /** Discord will never take this body: our mistake. */
  | { readonly kind: "rejected"; readonly status: number; readonly code: number | undefined }
  | { readonly kind: "throttled"; readonly retryAfterMs: number }
  /** 5xx, timeouts, resets, answers without an id: it may or may not have been posted. */
  | { readonly kind: "unclear"; readonly reason: string };

/** What reading back a channel's history says about one post. */
export type HistorySearch =
  | { readonly kind: "found"; readonly messageId: string }
  /** The whole span was read and the post is not there. */
  | { readonly kind: "absent" }
  /** Not readable, or not to its end: proves nothing. */
  | { readonly kind: "unreadable" };

/** Where a delivery goes. The channel of a person's direct messages is opened when it is posted. */
export type DeliveryTarget =
  | { readonly kind: "channel"; readonly channelId: string }
  | { readonly kind: "person"; readonly userId: string };

/** What a delivery shows, in Discord's own shape. Frozen when enqueued: a nonce stands for one text only. */
export interface DeliveryPayload {
  readonly content?: string;
  readonly embeds?: readonly APIEmbed[];
  readonly components?: readonly APIActionRowComponent<APIComponentInMessageActionRow>[];
}

/** One post that is owed to Discord. */
export interface NewDelivery {
  /** Names the fact that is told, so that it is told once; never reused for another text. */
  readonly dedupeKey: string;
  readonly kind: "sales_report" | "notice" | "test";
  readonly target: DeliveryTarget;
  readonly guildId: string | null;
  /** Account whose figures it shows: removed with it while undelivered. */
  readonly accountId: string | null;
  readonly payload: DeliveryPayload;
  readonly notBefore: Temporal.Instant;
}

/** A delivery that this process alone may post until its lease ends. */
export interface ClaimedDelivery extends NewDelivery {
  readonly nonce: string;
  /** This one included. */
  readonly attempts: number;
  readonly firstAttemptAt: Temporal.Instant;
  readonly claimedAt: Temporal.Instant;
  readonly owner: string;
  /** Fencing number: rises with each claim. */
  readonly token: number;
  /** The channel had been lost; this attempt probes whether it came back. */
  readonly wasBlocked: boolean;
}

export type DeliveryState =
  | "due"
  | "sending"
  | "sent"
  | "blocked"
  | "unknown"
  | "obsolete"
  | "dead";

/** How a claim ends. `error` is a short code for the operator, never text of a person or of the service. */
export type Settlement =
  | { readonly state: "sent"; readonly messageId: string | null }
  | {
      readonly state: "due" | "blocked";
      readonly notBefore: Temporal.Instant;
      readonly error: string;
    }
  | { readonly state: "unknown" | "dead" | "obsolete"; readonly error: string };

const NONCE_LENGTH = 25;
const REFERENCE_LENGTH = 8;

/** Discord's `nonce` of a delivery: the same in every attempt and after every restart. At most 25 characters. */
export const nonceOf = (dedupeKey: string): string =>
  createHash("sha256").update(`v1|${dedupeKey}`).digest("base64url").slice(0, NONCE_LENGTH);

/** The mark by which a delivery is recognised when a channel's history is read back. */
export const referenceOf = (dedupeKey: string): string =>
  `ref ${createHash("sha256").update(`ref|${dedupeKey}`).digest("hex").slice(0, REFERENCE_LENGTH)}`;
