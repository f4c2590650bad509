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
