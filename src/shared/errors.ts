import type { Cents } from "./money.ts";
import type { ChannelPermission } from "./permissions.ts";

/** Why a person's request was refused. Each kind has its own sentence in the texts of `ui/`. */
export type UserErrorReason =
  | { readonly kind: "invalid_date" | "future_date" | "invalid_period"; readonly given: string }
  /** More days than the longest month has. */
  | { readonly kind: "period_too_long"; readonly given: string }
  | { readonly kind: "invalid_time" | "invalid_time_zone"; readonly given: string }
  | { readonly kind: "malformed_api_key" | "api_key_refused" | "api_key_of_another_account" }
  /** _Só trocar a chave_, which leaves all else as it is, with a key of another wallet account. */
  | { readonly kind: "key_of_other_wallet" }
  /** The account's last key that works stays while a withdrawal is under way. `opId` is set only for the person who began it. */
  | { readonly kind: "withdrawal_unfinished"; readonly opId: string | undefined }
  /** More keys in an hour than one person may try. */
  | { readonly kind: "too_many_keys"; readonly waitMs: number }
  /** The `membro` option of `/conta conectar` names a bot. */
  | { readonly kind: "member_is_bot" }
  /** It names a user whom Discord does not show in the server. */
  | { readonly kind: "member_not_found" }
  | { readonly kind: "member_has_key" | "member_not_connected" }
  /** The offer was answered, replaced, or expired, or was made to another person. */
  | { readonly kind: "key_offer_gone" }
  | { readonly kind: "same_key_offered" }
  /** `/conta conectar` was used in a direct message. */
  | { readonly kind: "connect_in_server" }
  | { readonly kind: "not_connected" }
  /** A key that the master key ring no longer opens. */
  | { readonly kind: "key_unreadable" }
  /** `/conta desconectar` from a person without a key in the server. */
  | { readonly kind: "nothing_to_disconnect" }
  /** The person has no connected key in any server. */
  | { readonly kind: "nothing_connected" }
  /** Direct message from a person with keys in several servers. `again` is the custom id of the menu of servers. */
  | {
      readonly kind: "several_accounts" | "several_servers";
      readonly again?: string | undefined;
      readonly servers: readonly {
        readonly guildId: string;
        readonly name?: string | undefined;
        /** Of the wallet account in question. */
        readonly keyLast4?: string;
      }[];
    }
  | { readonly kind: "report_not_configured" | "channel_required" }
  /** The guild has no channel for dispute alerts. */
  | { readonly kind: "alerts_not_configured" }
  /** The guild has no channel for sale notices. */
  | { readonly kind: "sales_not_configured" }
  /** The minimum of `/config vendas` is no amount. */
  | { readonly kind: "minimum_unreadable"; readonly given: string }
  /** Discord's `@everyone` role cannot be pinged. */
  | { readonly kind: "role_is_everyone" }
  | {
      readonly kind: "missing_channel_permissions";
      readonly channelId: string;
      readonly missing: readonly ChannelPermission[];
    }
  | { readonly kind: "manage_server_required" }
  | { readonly kind: "not_your_button" }
  /** A dispute's button in a channel, clicked by a person who does not own the account. */
  | { readonly kind: "not_your_dispute"; readonly ownerId: string }
  /** A button, select or form of an older version of the bot. */
  | { readonly kind: "outdated_component" }
  /** A command of an older version that Discord still shows. */
  | { readonly kind: "outdated_command" }
  /** A server command used in a direct message. */
  | { readonly kind: "guild_only" }
  | { readonly kind: "webhook_not_set_up" }
  /** The person or the guild sent too many commands. The bot did not begin this one. */
  | { readonly kind: "too_many_commands"; readonly waitMs: number }
  /** A person asked for more posts that Discord did not take than five in ten minutes. The bot did not send this one. */
  | { readonly kind: "too_many_failed_posts"; readonly waitMs: number }
  /** Discord's token ran out before the answer came. The work may still finish. */
  | { readonly kind: "took_too_long" }
  /** Discord may not have taken our first response to a click that moves money, so the bot did not begin. */
  | { readonly kind: "not_begun" }
  /** The database does not answer. The bot sent no request that moves money. */
  | { readonly kind: "database_away" }
  /** The same, when withdrawals were to be locked: count them as open. */
  | { readonly kind: "lock_not_kept" }
  /** The service knows no dispute of this person with that id. */
  | { readonly kind: "dispute_not_found" }
  /** The text cannot be an id, so the bot did not ask the service. */
  | { readonly kind: "dispute_id_unreadable"; readonly given: string }
  /** The message has no text and no attachments. */
  | { readonly kind: "proof_empty" }
  /** The message waited too long for its txid, or belongs to another person. */
  | { readonly kind: "proof_gone" }
  | { readonly kind: "proof_not_found" | "proofs_full" }
  /** The service shows no such transaction to this key. */
  | { readonly kind: "transaction_not_found" }
  | { readonly kind: "txid_unreadable"; readonly given: string }
  /** The list of transactions proves no sum of a day of Brasília. */
  | {
      readonly kind:
        | "brasilia_day_unread"
        /** More pages than may be read. */
        | "brasilia_day_long"
        /** The pages that may be read end after it. */
        | "brasilia_day_old"
        | "brasilia_day_undated"
        /** Its sales are not those of the sales report. */
        | "brasilia_day_differs";
    }
  /** The charge has ended, or is another person's. */
  | { readonly kind: "charge_gone" }
  /** The person may not write in the channel in which the card would be posted. */
  | { readonly kind: "may_not_write_here" }
  | { readonly kind: "charge_amount_unreadable" | "goal_unreadable"; readonly given: string }
  /** Less than a cent. */
  | { readonly kind: "charge_amount_too_small" | "goal_too_small"; readonly given: string }
  | { readonly kind: "charge_description_empty" }
  /** The seller has no goal to change. */
  | { readonly kind: "goal_missing" }
  | { readonly kind: "charge_description_long"; readonly given: string }
  | MoneyErrorReason;

/** Why money does not move. Except for `money_uncertain`, the bot sent no request that moves money. */
export type MoneyErrorReason =
  /** The operator has not enabled the undocumented requests: `POST /v1/withdraw` and its cancellation. */
  | { readonly kind: "withdrawals_disabled" }
  /** The operator has not enabled the undocumented `POST /v1/refund`. */
  | { readonly kind: "refunds_disabled" }
  /** Another refund of the same payment is open; `why` where it waits for the asker's decision. */
  | { readonly kind: "refund_busy"; readonly opId: string | undefined; readonly why?: "manual" }
  /** The service knows no transaction of this account with that txid. */
  | { readonly kind: "payment_not_found" }
  /** The txid is a withdrawal's. */
  | { readonly kind: "not_a_payment" }
  | { readonly kind: "payment_refunded" }
  | { readonly kind: "payment_not_approved"; readonly status: string }
  /** A dispute may still return the payment (`open`), or has returned it. */
  | {
      readonly kind: "payment_disputed";
      readonly why: "open" | "returned";
      readonly infractionId: string;
    }
  /** The bot could not read whether a dispute is open, so it sends no refund. */
  | { readonly kind: "disputes_unreadable" }
  | {
      readonly kind: "refund_after_restore";
      readonly noticedAt: Temporal.Instant;
      readonly until: Temporal.Instant;
    }
  /** The owner locked all withdrawals; `until` is set once the owner asked for the unlock. */
  | { readonly kind: "money_locked"; readonly until: Temporal.Instant | undefined }
  | { readonly kind: "money_not_locked" }
  /** The service answers no read, and the bot reads before it moves money. */
  | { readonly kind: "service_down" }
  /** Another operation of the wallet account is open. */
  | {
      readonly kind: "account_busy";
      readonly opId: string | undefined;
      readonly why: "in_progress" | "unknown" | "manual";
    }
  /** The same, where the asker may decide it: its owner has removed every key of the account. */
  | {
      readonly kind: "left_undecided";
      readonly opId: string;
      readonly amount: Cents | undefined;
      readonly sentAt: Temporal.Instant | undefined;
    }
  /**
   * The service made an earlier withdrawal that it had refused, or that its owner declared as not made. Who asks must
   * read that first; `opId` is set only for the person who began it.
   */
  | { readonly kind: "earlier_was_made"; readonly opId: string | undefined }
  /** The database may be an older copy, so the owner must check the last withdrawals first. */
  | {
      readonly kind: "restored_database";
      readonly why: "newer" | "short" | "unreadable";
      /** Listed by the service, unknown to the journal. */
      readonly withdrawals: readonly {
        readonly txid: string;
        readonly requestedAt: Temporal.Instant | undefined;
        readonly amount: Cents | undefined;
        readonly status: string | undefined;
      }[];
      /** Names the question in the custom id of the button that answers it. */
      readonly answerId: string;
    }
  /** The question was answered, or newer withdrawals replaced it. */
  | { readonly kind: "restore_question_gone" }
  /** Three or more decimals after a comma. */
  | { readonly kind: "amount_too_fine"; readonly given: string }
  | { readonly kind: "amount_unreadable" | "amount_too_large"; readonly given: string }
  | { readonly kind: "cap_unreadable"; readonly given: string }
  | { readonly kind: "cap_below_minimum"; readonly amount: Cents; readonly minimum: Cents }
  | { readonly kind: "amount_below_minimum"; readonly amount: Cents; readonly minimum: Cents }
  /** No amount can be withdrawn yet. */
  | { readonly kind: "balance_below_minimum"; readonly available: Cents; readonly minimum: Cents }
  | {
      readonly kind: "amount_above_balance";
      readonly amount: Cents;
      readonly available: Cents;
      /** Draft of the same withdrawal over the whole balance; `redo` prepares it. */
      readonly wholeOpId: string;
    }
  | { readonly kind: "pix_key_unusable" }
  /** The service does not know the key. */
  | { readonly kind: "pix_key_refused"; readonly ofSplit: boolean }
  /** The key was erased or is not saved any longer. */
  | { readonly kind: "pix_key_gone" }
  | { readonly kind: "recipient_is_self" }
  | { readonly kind: "recipient_is_bot" }
  | { readonly kind: "recipient_invalid" }
  | {
      readonly kind: "daily_cap_exceeded";
      readonly amount: Cents;
      readonly cap: Cents;
      readonly left: Cents;
      /** Why asking for less is no way out: too little is left, or a refund is always the whole sale. */
      readonly noLess: "below_minimum" | "refund" | undefined;
    }
  /** The amount of a split withdrawal is unknown beforehand, so the cap cannot be checked. */
  | { readonly kind: "split_under_cap"; readonly cap: Cents }
  | {
      readonly kind: "new_key_waits";
      readonly pixKeyMasked: string;
      readonly until: Temporal.Instant;
    }
  /** The confirmation expired, was used or abandoned, or never existed. */
  | { readonly kind: "confirmation_gone" }
  /** The question appeared just before the click. It can still be answered. */
  | { readonly kind: "clicked_too_soon" }
  | { readonly kind: "pin_required" }
  | { readonly kind: "pin_malformed" }
  | { readonly kind: "pin_too_easy" }
  | { readonly kind: "pin_wrong"; readonly triesLeft: number }
  | { readonly kind: "pin_locked"; readonly until: Temporal.Instant }
  /** The bot is checking too many PINs at once. It did not check this one, and does not count it as a try. */
  | { readonly kind: "pin_busy" }
  | { readonly kind: "withdrawal_not_found" }
  | { readonly kind: "not_cancellable" }
  /** The service shows no detail of the person's own withdrawal. */
  | { readonly kind: "not_cancellable_here" }
  /** Another cancellation of the same withdrawal is open. */
  | { readonly kind: "cancel_busy" }
  | { readonly kind: "wrong_op_code" }
  /** The service could not be read just before a withdrawal would have counted as not made. */
  | { readonly kind: "outcome_unread" }
  /** The service says that a withdrawal is scheduled or processing which its owner declares as not made. */
  | { readonly kind: "still_under_way" }
  /** The bot failed while money may have been moving. The person must check before a second try. */
  | { readonly kind: "money_uncertain" };

/** A mistake or a limit that the person can act on. The texts of `ui/` have the sentence that the person reads. */
export class UserError extends Error {
  override readonly name = "UserError";
  readonly reason: UserErrorReason;

  constructor(reason: UserErrorReason, failedRead?: WalletError) {
    super(`Refused: ${reason.kind}`, failedRead && { cause: failedRead });
    this.reason = reason;
  }
}

/** The code of an error of a library or the system. */
export const errorCode = (error: unknown): string | undefined => {
  const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
  return typeof code === "string" ? code : undefined;
};

/**
 * The database cannot be reached, is starting or stopping, or is read-only; a later try may succeed. A commit under way
 * may or may not have been made.
 */
export class DatabaseAwayError extends Error {
  override readonly name = "DatabaseAwayError";
  /** PostgreSQL's or the system's error code. */
  readonly code: string | undefined;

  constructor(cause?: unknown) {
    super("The database does not answer", { cause });
    this.code = errorCode(cause);
  }
}

/** The port of the health pages cannot be listened on. The message is for the operator. */
export class PortError extends Error {
  override readonly name = "PortError";
}

/** Why a read from the wallet service failed. A call that moves money ends in a `MoneyAnswer` instead. */
export type WalletErrorKind =
  | "unauthorized"
  | "forbidden"
  | "not_found"
  | "conflict"
  /** The service answered 429 without processing the request, or our own pacing held the request back. */
  | "rate_limited"
  /** Any other 4xx: the service found our request invalid. */
  | "invalid_request"
  /** `success: false` outside 4xx and 5xx. */
  | "refused"
  /** 5xx, or a connection that broke after the request had begun. */
  | "unavailable"
  | "timeout"
  /** No connection (DNS, refused, TLS, timeout): not one byte of the request left. */
  | "unreachable"
  /** HTML, truncated JSON, a redirect, or fields that differ from the document. */
  | "malformed";

const UNANSWERED: ReadonlySet<WalletErrorKind> = new Set(["unavailable", "timeout", "unreachable"]);

/** Whether the service failed to answer. Such an error does not concern the account. */
export const isUnanswered = (kind: WalletErrorKind): boolean => UNANSWERED.has(kind);

/** Whether the same request may be answered in a while. */
export const mayAnswerLater = (kind: WalletErrorKind): boolean =>
  isUnanswered(kind) || kind === "rate_limited";

/** Whether the service answers this account, and only this request's answer is of no use. */
export const concernsRequestAlone = ({ kind }: Pick<WalletError, "kind">): boolean =>
  !mayAnswerLater(kind) && kind !== "unauthorized";

/** Whether the service was not reached, by all signs: no answer, or a proxy's in its place. */
export const isUnreached = (error: Pick<WalletError, "kind" | "isForeign">): boolean =>
  error.isForeign || isUnanswered(error.kind);

export interface WalletErrorFacts {
  readonly kind: WalletErrorKind;
  /** The answer was not the service's JSON but a proxy's page, a redirect or other text. */
  readonly isForeign?: boolean | undefined;
  readonly method: "GET" | "POST";
  /** Path with parameter names, so that logs contain no identifier of a person. */
  readonly route: string;
  readonly status?: number | undefined;
  /** `X-Request-ID` of the answer, for the service's support. */
  readonly requestId?: string | undefined;
  /** Reference of our log line for the call, where the answer had no `X-Request-ID`. */
  readonly reference?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/** The only error that the wallet client throws. */
export class WalletError extends Error {
  override readonly name = "WalletError";
  readonly kind: WalletErrorKind;
  readonly isForeign: boolean;
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
    this.isForeign = facts.isForeign ?? false;
    this.method = facts.method;
    this.route = facts.route;
    this.status = facts.status;
    this.requestId = facts.requestId;
    this.reference = facts.reference;
    this.retryAfterMs = facts.retryAfterMs;
  }
}

/**
 * The person's own mistake behind a failed read of one thing by its id, where it is one; else the error. An id that was
 * not even sent is `unreadable`.
 */
export const orMistake = (
  error: WalletError,
  unreadable: UserErrorReason,
  missing: UserErrorReason,
): UserError | WalletError => {
  const isInvalid = error.kind === "invalid_request";
  if (isInvalid && error.status === undefined) return new UserError(unreadable);
  return isInvalid || error.kind === "not_found" ? new UserError(missing) : error;
};

/** The service refused the key itself (401). */
export const isRefusedKey = (
  error: unknown,
): error is WalletError & { readonly kind: "unauthorized" } =>
  error instanceof WalletError && error.kind === "unauthorized";

/** Exit codes for the supervisor. 75 and 78 are EX_TEMPFAIL and EX_CONFIG of sysexits. */
export const exitCodes = {
  done: 0,
  failed: 1,
  /** The supervisor restarts the process after a while. */
  tryLater: 75,
  /** A restart is useless until the operator changes a setting. */
  configuration: 78,
} as const;

/** `errorCode` of a request that our own pacing held back. */
export const PACED = "PACED";
