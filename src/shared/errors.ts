import type { Cents } from "./money.ts";

/** What a person did that cannot be done as asked. Each kind has its own sentence in `texts`. */
export type UserErrorReason =
  | { readonly kind: "invalid_date"; readonly given: string }
  | { readonly kind: "future_date"; readonly given: string }
  | { readonly kind: "invalid_time"; readonly given: string }
  | { readonly kind: "invalid_time_zone"; readonly given: string }
  | { readonly kind: "malformed_api_key" }
  | { readonly kind: "api_key_refused" }
  | { readonly kind: "api_key_of_another_account" }
  /** The last key of a wallet account, a withdrawal of which is under way; its code only for whoever began it. */
  | { readonly kind: "withdrawal_unfinished"; readonly opId: string | undefined }
  /** More keys in an hour than one person may try. */
  | { readonly kind: "too_many_keys"; readonly waitMs: number }
  /** `membro` of `/conta conectar` is a bot. */
  | { readonly kind: "member_is_bot" }
  | { readonly kind: "member_has_key" }
  | { readonly kind: "member_not_connected" }
  /** Answered, replaced by a later one, expired, or never this person's. */
  | { readonly kind: "key_offer_gone" }
  /** `/conta conectar` in a direct message. */
  | { readonly kind: "connect_in_server" }
  | { readonly kind: "not_connected" }
  /** `/conta desconectar` of who has no key in the server. */
  | { readonly kind: "nothing_to_disconnect" }
  /** In no server at all. */
  | { readonly kind: "nothing_connected" }
  /** Asked for in a direct message: `again` is the custom id of the menu of servers, where it can be run from one. */
  | {
      readonly kind: "several_accounts";
      readonly again?: string | undefined;
      readonly servers: readonly { readonly guildId: string; readonly name: string | undefined }[];
    }
  | { readonly kind: "report_not_configured" }
  | { readonly kind: "channel_required" }
  /** The guild has no channel for alerts of disputes. */
  | { readonly kind: "alerts_not_configured" }
  /** The role that everybody has cannot be pinged. */
  | { readonly kind: "role_is_everyone" }
  | {
      readonly kind: "missing_channel_permissions";
      readonly channelId: string;
      readonly missing: readonly ChannelPermission[];
    }
  | { readonly kind: "manage_server_required" }
  | { readonly kind: "not_your_button" }
  /** A button of a dispute, which stands in channels too, of somebody else's account. */
  | { readonly kind: "not_your_dispute"; readonly ownerId: string }
  /** A button, select or form that this version of the bot no longer knows. */
  | { readonly kind: "outdated_component" }
  /** A command that Discord still shows and this version of the bot no longer knows. */
  | { readonly kind: "outdated_command" }
  /** Typed in a direct message. */
  | { readonly kind: "guild_only" }
  /** The person, or everybody of the guild together, asked for more than the bot serves: nothing was begun. */
  | { readonly kind: "too_many_commands"; readonly waitMs: number }
  /** The answer did not come before Discord's token ran out; what was begun may still finish. */
  | { readonly kind: "took_too_long" }
  /** Discord did not surely take our first response to a click that moves money: nothing was begun. */
  | { readonly kind: "not_begun" }
  /** The database does not answer. The request at hand sent nothing to the wallet service that moves money. */
  | { readonly kind: "database_away" }
  /** The service says that no dispute of this person's has that id. */
  | { readonly kind: "dispute_not_found" }
  /** No id at all: the service was not asked. */
  | { readonly kind: "dispute_id_unreadable"; readonly given: string }
  /** A message with neither text nor attachments. */
  | { readonly kind: "proof_empty" }
  /** It waited for its txid for too long, or is another's. */
  | { readonly kind: "proof_gone" }
  | { readonly kind: "proof_not_found" }
  | { readonly kind: "proofs_full" }
  | { readonly kind: "txid_unreadable"; readonly given: string }
  | MoneyErrorReason;

/** Why money does not move. In each of them nothing was sent. */
export type MoneyErrorReason =
  /** The operator has not switched on what the service does not document. */
  | { readonly kind: "withdrawals_disabled" }
  /** The owner locked all withdrawals; `until` once the unlock was asked for. */
  | { readonly kind: "money_locked"; readonly until: Temporal.Instant | undefined }
  | { readonly kind: "money_not_locked" }
  /** The service answers none of the reads that come before a request that moves money. */
  | { readonly kind: "service_down" }
  /** Another operation of the wallet account is open. */
  | {
      readonly kind: "account_busy";
      readonly opId: string | undefined;
      readonly why: "in_progress" | "unknown" | "manual";
    }
  /** A withdrawal that the service had refused was made all the same: its owner reads that first. */
  | { readonly kind: "earlier_was_made"; readonly opId: string }
  /** The database may be an older copy: the owner has to look at the last withdrawals first. */
  | {
      readonly kind: "restored_database";
      readonly why: "newer" | "short" | "unreadable";
      /** Those of the service's list that the journal does not know. */
      readonly withdrawals: readonly {
        readonly txid: string;
        readonly requestedAt: Temporal.Instant | undefined;
        readonly amount: Cents | undefined;
        readonly status: string | undefined;
      }[];
      /** Names the question in the button that answers it. */
      readonly answerId: string;
    }
  /** It was answered already, or there is more to look at since. */
  | { readonly kind: "restore_question_gone" }
  | { readonly kind: "amount_unreadable"; readonly given: string }
  /** Three decimals after a comma. */
  | { readonly kind: "amount_too_fine"; readonly given: string }
  | { readonly kind: "cap_unreadable"; readonly given: string }
  | { readonly kind: "cap_below_minimum"; readonly amount: Cents; readonly minimum: Cents }
  | { readonly kind: "amount_below_minimum"; readonly amount: Cents; readonly minimum: Cents }
  | {
      readonly kind: "amount_above_balance";
      readonly amount: Cents;
      readonly available: Cents;
      /** The same order over the whole balance, where that may be withdrawn: `redo` prepares it. */
      readonly wholeOpId?: string;
    }
  | { readonly kind: "pix_key_unusable" }
  /** The service says that there is no such key. */
  | { readonly kind: "pix_key_refused" }
  /** It was erased, or is not among the saved ones any more. */
  | { readonly kind: "pix_key_gone" }
  | { readonly kind: "recipient_is_self" }
  | { readonly kind: "recipient_is_bot" }
  | { readonly kind: "recipient_invalid" }
  | { readonly kind: "daily_cap_exceeded"; readonly cap: Cents; readonly left: Cents }
  /** A split withdrawal has no amount that a cap could be held against. */
  | { readonly kind: "split_under_cap"; readonly cap: Cents }
  | { readonly kind: "new_key_waits"; readonly until: Temporal.Instant }
  /** Expired, used, given up, or never ours. */
  | { readonly kind: "confirmation_gone" }
  /** The question had just appeared under the finger; it still stands. */
  | { readonly kind: "clicked_too_soon" }
  | { readonly kind: "pin_required" }
  | { readonly kind: "pin_malformed" }
  | { readonly kind: "pin_wrong"; readonly triesLeft: number }
  | { readonly kind: "pin_locked"; readonly until: Temporal.Instant }
  /** Too many PINs are being looked at already: this one was not, and counts as no try. */
  | { readonly kind: "pin_busy" }
  | { readonly kind: "withdrawal_not_found" }
  | { readonly kind: "not_cancellable" }
  | { readonly kind: "wrong_op_code" }
  /** Something broke on our side while money may have been moving: look before repeating. */
  | { readonly kind: "money_uncertain" };

/** A permission that the bot needs in a channel to post a report there. */
export type ChannelPermission =
  | "view_channel"
  | "send_messages"
  | "embed_links"
  | "read_message_history";

/** A mistake or a limit that the person can act on; its text is shown as it is. */
export class UserError extends Error {
  override readonly name = "UserError";
  readonly reason: UserErrorReason;

  constructor(reason: UserErrorReason) {
    super(`Refused: ${reason.kind}`);
    this.reason = reason;
  }
}

/**
 * The database did not do what it was asked because it cannot be reached, stops, starts, or only reads: the same may go
 * well a minute later. Whether a commit that was under way was made is not known.
 */
export class DatabaseAwayError extends Error {
  override readonly name = "DatabaseAwayError";
  /** PostgreSQL's or the system's code, where there is one. */
  readonly code: string | undefined;

  constructor(cause?: unknown) {
    super("The database does not answer", { cause });
    const code: unknown = cause instanceof Error ? Reflect.get(cause, "code") : undefined;
    this.code = typeof code === "string" ? code : undefined;
  }
}

/**
 * Why a call to the wallet service did not give what was asked. Each kind also says what became of a call that moves
 * money: `unreachable` was never sent; `unavailable`, `timeout` and `malformed` may have been carried out; the others
 * are refusals.
 */
export type WalletErrorKind =
  | "unauthorized"
  | "forbidden"
  | "not_found"
  | "conflict"
  /** 429, or our own pacing: the request was not sent, or not looked at. */
  | "rate_limited"
  /** A 4xx that none of the others names: our request was not acceptable. */
  | "invalid_request"
  /** `success: false` outside 4xx and 5xx. */
  | "refused"
  /** 5xx, or a connection that broke after the request had begun. */
  | "unavailable"
  | "timeout"
  /** No connection (name, refusal, TLS, no connection in time): not one byte of the request left. */
  | "unreachable"
  /** HTML, truncated JSON, a redirect, or fields that are not what the document says. */
  | "malformed";

const UNANSWERED: ReadonlySet<WalletErrorKind> = new Set(["unavailable", "timeout", "unreachable"]);

/** Whether the service gave no answer of its own, which says nothing of the account that asked. */
export const isUnanswered = (kind: WalletErrorKind): boolean => UNANSWERED.has(kind);

export interface WalletErrorFacts {
  readonly kind: WalletErrorKind;
  readonly method: "GET" | "POST";
  /** Path with its parameters left as names: no identifier of a person ends up in a log. */
  readonly route: string;
  readonly status?: number | undefined;
  /** `X-Request-ID` of the answer, for the service's support. */
  readonly requestId?: string | undefined;
  /** Of the line of our log that tells of the call, where the answer had no `X-Request-ID`. */
  readonly reference?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/** The only error that the wallet client throws. */
export class WalletError extends Error {
  override readonly name = "WalletError";
  readonly kind: WalletErrorKind;
  readonly method: "GET" | "POST";
  readonly route: string;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  readonly reference: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(facts: WalletErrorFacts) {
    const outcome =
      facts.status === undefined ? facts.kind : `answered ${facts.status} (${facts.kind})`;
    super(`${facts.method} ${facts.route} ${outcome}`, { cause: facts.cause });
    this.kind = facts.kind;
    this.method = facts.method;
    this.route = facts.route;
    this.status = facts.status;
    this.requestId = facts.requestId;
    this.reference = facts.reference;
    this.retryAfterMs = facts.retryAfterMs;
  }
}

/** How the process ends, for its supervisor. 75 and 78 are EX_TEMPFAIL and EX_CONFIG of sysexits. */
export const exitCodes = {
  done: 0,
  failed: 1,
  /** Restart it after a while. */
  tryLater: 75,
  /** Do not restart it: somebody has to change a setting first. */
  configuration: 78,
} as const;
