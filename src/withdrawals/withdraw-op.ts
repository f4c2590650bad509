import type { Locale } from "../shared/locale.ts";
import { type Cents, cents } from "../shared/money.ts";
import type { Random } from "../shared/random.ts";
import { rejectReasons } from "./withdrawal.ts";

/**
 * Kind of operation. `cancel` asks the service to cancel a scheduled withdrawal and moves no money out; `refund` gives
 * a payment back to its payer.
 */
export type WithdrawKind =
  | "normal"
  | "turbo"
  | "split_normal"
  | "split_turbo"
  | "cancel"
  | "refund";

interface KindRules {
  /** Selects readings and texts. A `split` pays out the whole split balance of a recipient. */
  readonly subject: "own" | "split" | "cancel" | "refund";
  /** Whether it withdraws. The other kinds name an earlier transaction as their target, and have no PIX key. */
  readonly isWithdrawal: boolean;
  readonly isTurbo: boolean;
  /** The same withdrawal at the other speed. */
  readonly otherSpeed: WithdrawKind | undefined;
}

const kindRules: Readonly<Record<WithdrawKind, KindRules>> = {
  normal: { subject: "own", isWithdrawal: true, isTurbo: false, otherSpeed: "turbo" },
  turbo: { subject: "own", isWithdrawal: true, isTurbo: true, otherSpeed: "normal" },
  split_normal: { subject: "split", isWithdrawal: true, isTurbo: false, otherSpeed: "split_turbo" },
  split_turbo: { subject: "split", isWithdrawal: true, isTurbo: true, otherSpeed: "split_normal" },
  cancel: { subject: "cancel", isWithdrawal: false, isTurbo: false, otherSpeed: undefined },
  refund: { subject: "refund", isWithdrawal: false, isTurbo: false, otherSpeed: undefined },
};

export const withdrawKinds = Object.keys(kindRules) as readonly WithdrawKind[];

export const subjectOf = ({ kind }: Pick<WithdrawOp, "kind">): KindRules["subject"] =>
  kindRules[kind].subject;

/** The subject of the texts that own and split withdrawals share. */
export const wordedAs = (op: Pick<WithdrawOp, "kind">): Exclude<KindRules["subject"], "split"> => {
  const subject = subjectOf(op);
  return subject === "split" ? "own" : subject;
};

export const isWithdrawal = (kind: WithdrawKind): boolean => kindRules[kind].isWithdrawal;

export const isSplit = (kind: WithdrawKind): boolean => kindRules[kind].subject === "split";

export const splitKinds = withdrawKinds.filter(isSplit);

export const isTurbo = (kind: WithdrawKind): boolean => kindRules[kind].isTurbo;

export const otherSpeed = (kind: WithdrawKind): WithdrawKind | undefined =>
  kindRules[kind].otherSpeed;

/**
 * State of an operation. `sending` is committed before its single POST. An uncertain outcome is `unknown` until
 * readings resolve it. Source: decisions 1.1.
 */
export type WithdrawState =
  | "draft"
  | "confirmed"
  | "sending"
  | "accepted"
  | "scheduled"
  | "processing"
  | "unknown"
  /** Readings cannot tell: the owner decides. */
  | "manual"
  | "completed"
  | "failed"
  | "cancelled"
  | "abandoned"
  | "refused_local"
  | "rejected"
  | "not_sent"
  | "not_executed"
  | "resolved_manual";

const NEXT: Readonly<Record<WithdrawState, readonly WithdrawState[]>> = {
  draft: ["confirmed", "abandoned"],
  // `unknown` only after a restore: the request may have left after the copy was made.
  confirmed: ["sending", "refused_local", "unknown"],
  sending: ["accepted", "rejected", "not_sent", "unknown"],
  unknown: ["accepted", "completed", "not_executed", "manual"],
  accepted: ["scheduled", "processing", "completed", "failed", "cancelled", "manual"],
  scheduled: ["processing", "completed", "failed", "cancelled", "manual"],
  processing: ["completed", "failed", "cancelled", "manual"],
  manual: ["accepted", "completed", "failed", "cancelled", "not_executed", "resolved_manual"],
  completed: [],
  failed: [],
  cancelled: [],
  abandoned: [],
  refused_local: [],
  // The withdrawal may later be found at the service.
  rejected: ["accepted", "completed"],
  not_sent: [],
  not_executed: ["accepted", "completed"],
  // A refund that its owner declared as not made may be found made.
  resolved_manual: ["completed"],
};

export const withdrawStates = Object.keys(NEXT) as readonly WithdrawState[];

export const mayBecome = (from: WithdrawState, to: WithdrawState): boolean =>
  NEXT[from].includes(to);

/** States in which one process holds the operation. */
export const heldStates = ["confirmed", "sending"] as const satisfies readonly WithdrawState[];

/** The service accepted it and has not named its end. */
const underWayStates = ["accepted", "scheduled", "processing"] as const;

/** States after a request whose outcome is uncertain: readings go on, or the owner decides. */
export const uncertainStates = ["unknown", "manual"] as const satisfies readonly WithdrawState[];

/** States resolved by readings. */
export const checkedStates = [...underWayStates, ...uncertainStates] as const;

/** States that need a send, a reading or a decision. */
export const openStates = [...heldStates, ...checkedStates] as const;

/** States of unknown outcome. `manual` without a txid is another; see `isLocking`. */
export const lockingStates = [...heldStates, "unknown"] as const satisfies readonly WithdrawState[];

export const isUncertain = (
  state: WithdrawState | undefined,
): state is (typeof uncertainStates)[number] => state === "unknown" || state === "manual";

const isOneOf = (states: readonly WithdrawState[], state: WithdrawState): boolean =>
  states.includes(state);

export const isHeld = (state: WithdrawState): boolean => isOneOf(heldStates, state);

export const isChecked = (state: WithdrawState): boolean => isOneOf(checkedStates, state);

export const isOpen = (state: WithdrawState): boolean => isOneOf(openStates, state);

/** States in which the service accepted or may have accepted, and the money has not come back. */
export const sentStates = ["sending", ...checkedStates, "completed"] as const;

/**
 * Whether the outcome is unknown, so that another withdrawal of the wallet account might pay twice. An accepted
 * withdrawal does not lock, even if its end cannot be read: the service decides about further ones. A cancellation
 * moves no money out, and a refund locks its payment alone. Source: service.md 8.
 */
export const isLocking = ({
  kind,
  state,
  txid,
}: Pick<WithdrawOp, "kind" | "state" | "txid">): boolean =>
  isWithdrawal(kind) &&
  (isOneOf(lockingStates, state) || (state === "manual" && txid === undefined));

/** The service's status for a pending withdrawal or a duplicate operation. */
const CONFLICT_STATUS = 409;

export const isConflict = ({ state, httpStatus }: WithdrawOp): boolean =>
  state === "unknown" && httpStatus === CONFLICT_STATUS;

export const isUnderWay = (state: WithdrawState): boolean => isOneOf(underWayStates, state);

/** Whether the service answered the request with success; an operation that waits for its owner keeps only the answer. */
export const wasAccepted = ({
  httpStatus,
  errorCode,
}: Pick<WithdrawOp, "httpStatus" | "errorCode">): boolean =>
  httpStatus !== undefined && errorCode === undefined;

/** Whether the service accepted it and the money has not come back. */
export const wasTaken = (state: WithdrawState): boolean =>
  isUnderWay(state) || state === "completed";

/** States in which it was denied: by the service, or by readings. */
export const deniedStates = [
  "rejected",
  "not_executed",
] as const satisfies readonly WithdrawState[];

export const isDenied = ({ state }: Pick<WithdrawOp, "state">): boolean =>
  isOneOf(deniedStates, state);

/** Whether the service refused it and made it all the same. */
export const isDespiteRefusal = ({
  state,
  errorCode,
}: Pick<WithdrawOp, "state" | "errorCode">): boolean =>
  state !== "rejected" && rejectReasons.some((reason) => reason === errorCode);

/**
 * The gross amount that the service took: its fee and net, once it told them. It need not be the confirmed amount, as
 * the request is undocumented. Source: service.md 1, 4.7.
 */
export const takenAmount = ({
  amount,
  fee,
  net,
}: Pick<WithdrawOp, "amount" | "fee" | "net">): Cents | undefined =>
  fee === undefined || net === undefined ? amount : cents(fee + net);

/** The amount that the service took, where its owner confirmed another. A split confirms none. */
export const otherAmount = (op: WithdrawOp): Cents | undefined => {
  const taken = takenAmount(op);
  return isOneOf(sentStates, op.state) && !isSplit(op.kind) && taken !== op.amount
    ? taken
    : undefined;
};

/** Whether another person of the account decided it in its owner's stead. */
export const isDecidedByAnother = ({
  ownerId,
  resolvedBy,
}: Pick<WithdrawOp, "ownerId" | "resolvedBy">): boolean =>
  resolvedBy !== undefined && resolvedBy !== ownerId;

/** Whether the service, or the owner, says that a refund was made. */
export const wasMade = ({ state, resolution }: Pick<WithdrawOp, "state" | "resolution">): boolean =>
  state === "completed" || resolution === "happened";

/** Whether it has ended. A denied withdrawal may still be found at the service later. */
export const isFinal = (state: WithdrawState): boolean => state !== "draft" && !isOpen(state);

/** One confirmed intent: at most one POST, ever. */
export interface WithdrawOp {
  /** `W-` and five characters, shown to people and typed by them. */
  readonly id: string;
  /** The wallet account (`Account.accountFp`): scope of the lock. */
  readonly accountFp: string;
  readonly accountId: string;
  readonly guildId: string;
  readonly channelId: string;
  /** Discord user who asked and owns the key. */
  readonly ownerId: string;
  /** Language of the owner's messages. */
  readonly locale: Locale;
  readonly kind: WithdrawKind;
  /** Confirmed gross amount; of a split withdrawal the service's, undefined until it accepts. See `takenAmount`. */
  readonly amount: Cents | undefined;
  /** From the service's answer; undefined before it. */
  readonly fee: Cents | undefined;
  readonly net: Cents | undefined;
  /** Masked for display; empty for `cancel` and `refund`. */
  readonly pixKeyMasked: string;
  /** Keyed hash of the normalised key; empty for `cancel` and `refund`. */
  readonly pixKeyHash: string;
  readonly recipientId: string | undefined;
  /** For `cancel`: the withdrawal to cancel. For `refund`: the payment to give back. */
  readonly targetTxid: string | undefined;
  readonly state: WithdrawState;
  readonly version: number;
  /** Confirmations still needed: 0 once confirmed. */
  readonly confirmationsLeft: number;
  readonly confirmExpiresAt: Temporal.Instant | undefined;
  readonly confirmedAt: Temporal.Instant | undefined;
  readonly sentAt: Temporal.Instant | undefined;
  /** Txids of the account's withdrawals just before the POST; undefined when the list was unreadable. */
  readonly preTxids: readonly string[] | undefined;
  readonly preBalance: Cents | undefined;
  /** The service's clock minus ours at the snapshot. */
  readonly skewMs: number | undefined;
  readonly httpStatus: number | undefined;
  /** Short code for the operator; contains no text of the service. */
  readonly errorCode: string | undefined;
  /** `X-Request-ID` of the answer. */
  readonly requestId: string | undefined;
  readonly txid: string | undefined;
  /** The service's planned time; normal withdrawals only. */
  readonly scheduledFor: Temporal.Instant | undefined;
  /** Readings so far that proved its absence; `firstAbsentAt` is the first. */
  readonly absences: number;
  readonly firstAbsentAt: Temporal.Instant | undefined;
  readonly checks: number;
  /** When a reading first found that the clock was set back to before the request. */
  readonly setBackAt: Temporal.Instant | undefined;
  readonly nextCheckAt: Temporal.Instant | undefined;
  /** Discord user who resolved a `manual` operation. */
  readonly resolvedBy: string | undefined;
  readonly resolution: "happened" | "did_not_happen" | undefined;
  readonly createdAt: Temporal.Instant;
  readonly updatedAt: Temporal.Instant;
}

/** A draft before it is stored. */
export interface NewWithdrawOp extends Pick<
  WithdrawOp,
  | "accountFp"
  | "accountId"
  | "guildId"
  | "channelId"
  | "ownerId"
  | "locale"
  | "kind"
  | "amount"
  | "pixKeyMasked"
  | "pixKeyHash"
  | "recipientId"
  | "targetTxid"
  | "confirmationsLeft"
  | "preTxids"
  | "preBalance"
  | "skewMs"
> {
  /** Normalised key in plain text, to be encrypted; empty for `cancel` and `refund`. */
  readonly pixKey: string;
  readonly confirmTokenHash: string;
  readonly confirmExpiresAt: Temporal.Instant;
}

/** Crockford's base 32: it has no look-alike characters. */
const OP_CODE_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const OP_CODE_LENGTH = 5;
const TYPED_OP_CODE = new RegExp(`^(?:W-?)?([${OP_CODE_ALPHABET}]{${OP_CODE_LENGTH}})$`);

/** Random code of an operation, such as `W-7K2Q9`. */
export const newOpCode = (random: Random): string =>
  `W-${Array.from(random.bytes(OP_CODE_LENGTH), (byte) => OP_CODE_ALPHABET.charAt(byte % OP_CODE_ALPHABET.length)).join("")}`;

/** Parses a typed code. Lower case, a missing `W-` and look-alikes (O, I, L) are accepted. */
export const readOpCode = (text: string): string | undefined => {
  const plain = text.toUpperCase().replace(/\s/g, "").replaceAll("O", "0").replace(/[IL]/g, "1");
  const code = TYPED_OP_CODE.exec(plain)?.[1];
  return code === undefined ? undefined : `W-${code}`;
};

/** Why a confirmed operation of any kind was not sent: the short code in the journal, which selects the sentence. */
export const lateRefusals = [
  "earlier_was_made",
  "sent_meanwhile",
  "money_locked",
  "daily_cap",
  "not_cancellable",
] as const;

export type LateRefusal = (typeof lateRefusals)[number];

/** Why a confirmed refund was not sent: the short code in the journal, which selects the sentence. */
export const refundRefusals = [
  "dispute_open",
  "dispute_returned",
  "disputes_unreadable",
  "payment_refunded",
  "payment_unreadable",
  "key_refused",
  "payment_changed",
  "refund_after_restore",
] as const;

export type RefundRefusal = (typeof refundRefusals)[number];

/**
 * Key of the message about a state of an operation: the message is enqueued once, and can be cancelled. An owner who was
 * asked whether it was made is asked anew when one that was found or accepted has no end, also after a time without a key.
 */
export const noticeKey = (op: WithdrawOp, withoutKey = false): string => {
  const [key] = noticeKeys(op);
  if (op.state !== "manual" || (op.txid === undefined && !wasAccepted(op))) return key;
  return `${key}|${withoutKey ? "no_key" : "taken"}`;
};

/** Keys of all messages about the state. */
export const noticeKeys = ({
  id,
  state,
}: Pick<WithdrawOp, "id" | "state">): readonly [string, ...string[]] => {
  const key = `withdrawal|${id}|${state}`;
  return state === "manual" ? [key, `${key}|taken`, `${key}|no_key`] : [key];
};

/** Key of the message to an owner about a withdrawal that no operation made. */
export const externalNoticeKey = (accountFp: string, txid: string, ownerId: string): string =>
  `ghost|${accountFp}|${txid}|${ownerId}`;
