import { createHash } from "node:crypto";
import type {
  APIActionRowComponent,
  APIComponentInMessageActionRow,
  APIEmbed,
} from "discord-api-types/v10";
import type { AlertStep } from "./dispute-alert.ts";
import type { RestoreCause } from "./restore-hold.ts";

/** Where a post goes. A person's direct-message channel is opened when it is sent. */
export type DeliveryTarget =
  | { readonly kind: "channel"; readonly channelId: string }
  | { readonly kind: "person"; readonly userId: string };

export type DeliveryKind = "sales_report" | "notice" | "test" | "dispute_alert";

/** What a delivery shows, in Discord's own shape; nonce and allowed mentions are added when it is sent. */
export interface DeliveryPayload {
  readonly content?: string;
  /** Whom it notifies, named before its content; for a channel alone. */
  readonly pings?: { readonly userId: string; readonly roleId?: string };
  readonly embeds?: readonly APIEmbed[];
  readonly components?: readonly APIActionRowComponent<APIComponentInMessageActionRow>[];
}

/** A post to be made once. The payload is frozen: a nonce stands for one text only. */
export interface NewDelivery {
  /** What it is about, who gets it and where: two deliveries with the same key are the same post. */
  readonly dedupeKey: string;
  readonly kind: DeliveryKind;
  readonly target: DeliveryTarget;
  readonly guildId: string | null;
  /** Account that it is about; removing the account withdraws what was not delivered. */
  readonly accountId: string | null;
  readonly payload: DeliveryPayload;
  readonly notBefore: Temporal.Instant;
}

/** A delivery that this process may attempt until its lease ends. */
export interface ClaimedDelivery extends NewDelivery {
  readonly nonce: string;
  /** This attempt included. */
  readonly attempts: number;
  readonly enqueuedAt: Temporal.Instant;
  /** First attempt that may have posted; equal to `claimedAt` when this one is the first. */
  readonly firstAttemptAt: Temporal.Instant;
  readonly claimedAt: Temporal.Instant;
  readonly owner: string;
  /** Fencing number: rises with each claim. */
  readonly token: number;
  /** By the life that an older copy of the database does not know of; undefined: no such life can have posted it. */
  readonly lostLife?: LostLife | undefined;
  /** Its target had been lost; this attempt probes whether it came back. */
  readonly wasBlocked: boolean;
}

/** Posts that the database may not know of, from `since` on. */
export interface LostLife {
  readonly cause: RestoreCause;
  readonly since: Temporal.Instant;
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
 * An alert that was judged untrue is not told: its dispute goes back to owing it, in the transaction that settles it.
 * When the dispute is not of that version any more, whatever changed it may owe the alert again: then it is due at once,
 * to be judged anew.
 */
export interface UnsentStep {
  readonly accountId: string;
  readonly infractionId: string;
  /** As it was judged. */
  readonly version: number;
  /** Its done steps without the one that is not told. */
  readonly doneSteps: readonly AlertStep[];
}

/** How a claim ends. `error` is a short code for the operator, never text of a person or of the service. */
export type Settlement =
  | { readonly state: "sent"; readonly messageId: string | null }
  | {
      readonly state: "due" | "blocked";
      readonly notBefore: Temporal.Instant;
      readonly error: string;
      /** No attempt so far can have posted: `firstAttemptAt` begins anew with the next one. */
      readonly untouched: boolean;
      /** Where it goes from now on; undefined: to where it went. */
      readonly target?: DeliveryTarget;
    }
  | { readonly state: "unknown" | "dead"; readonly error: string }
  | { readonly state: "obsolete"; readonly error: string; readonly untold?: UnsentStep };

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
  /** Not readable, or not to its end: proves nothing. `lasting`: Discord refuses it, so that asking again is no use. */
  | { readonly kind: "unreadable"; readonly lasting: boolean };

/** Discord's longest nonce. */
const NONCE_LENGTH = 25;
const REFERENCE_LENGTH = 8;

/**
 * The nonce of every attempt of one delivery, the same after a restart. Discord keeps nonces by author, so the key must
 * name the channel too.
 */
export const nonceOf = (dedupeKey: string): string =>
  createHash("sha256").update(`v1|${dedupeKey}`).digest("base64url").slice(0, NONCE_LENGTH);

/** The mark by which a post is found again in its channel's history. */
export const referenceOf = (dedupeKey: string): string =>
  `ref ${createHash("sha256").update(`ref|${dedupeKey}`).digest("hex").slice(0, REFERENCE_LENGTH)}`;

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
