import type { Cents } from "../shared/money.ts";
import type { Random } from "../shared/random.ts";

/** What a person confirmed. `cancel` asks the service to cancel a scheduled withdrawal; it moves no money out. */
export type WithdrawKind = "normal" | "turbo" | "split_normal" | "split_turbo" | "cancel";

/** Whether it pays out the whole split balance of a recipient. */
export const isSplit = (kind: WithdrawKind): boolean => splitKinds.some((split) => split === kind);

export const splitKinds = [
  "split_normal",
  "split_turbo",
] as const satisfies readonly WithdrawKind[];

export const isTurbo = (kind: WithdrawKind): boolean => kind === "turbo" || kind === "split_turbo";

const OTHER_SPEED: Readonly<Partial<Record<WithdrawKind, WithdrawKind>>> = {
  normal: "turbo",
  turbo: "normal",
  split_normal: "split_turbo",
  split_turbo: "split_normal",
};

/** The same withdrawal by the other speed; a cancellation has none. */
export const otherSpeed = (kind: WithdrawKind): WithdrawKind | undefined => OTHER_SPEED[kind];

/**
 * Where an operation stands. `sending` is committed before its one POST; whatever is not provably refused or unsent is
 * `unknown`, and is resolved by reading. Source: decisions 1.1.
 */
export type WithdrawState =
  | "draft"
  | "confirmed"
  | "sending"
  | "accepted"
  | "scheduled"
  | "processing"
  | "unknown"
  /** Reading could not tell: the owner decides. */
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
  // To unknown only by a restore: the request may have left after the copy was made.
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
  // It was found at the service after all.
  rejected: ["accepted", "completed"],
  not_sent: [],
  not_executed: ["accepted", "completed"],
  resolved_manual: [],
};

export const withdrawStates = Object.keys(NEXT) as readonly WithdrawState[];

export const mayBecome = (from: WithdrawState, to: WithdrawState): boolean =>
  NEXT[from].includes(to);

/** States in which one process holds an operation. */
export const heldStates = ["confirmed", "sending"] as const satisfies readonly WithdrawState[];

/** States whose end is found out by reading. */
export const checkedStates = [
  "accepted",
  "scheduled",
  "processing",
  "unknown",
  "manual",
] as const satisfies readonly WithdrawState[];

/** States that are not over: someone still sends, reads or decides. */
export const openStates = [...heldStates, ...checkedStates] as const;

/** States of an outcome that is not known; `manual` is another one while there is no txid. See `isLocking`. */
export const lockingStates = [...heldStates, "unknown"] as const satisfies readonly WithdrawState[];

const isOneOf = (states: readonly WithdrawState[], state: WithdrawState): boolean =>
  states.includes(state);

export const isHeld = (state: WithdrawState): boolean => isOneOf(heldStates, state);

export const isChecked = (state: WithdrawState): boolean => isOneOf(checkedStates, state);

export const isOpen = (state: WithdrawState): boolean => isOneOf(openStates, state);

/** States in which the service said yes, or may have done so unheard, and the money has not come back. */
export const sentStates = [
  "sending",
  "unknown",
  "accepted",
  "scheduled",
  "processing",
  "manual",
  "completed",
] as const satisfies readonly WithdrawState[];

/**
 * Whether its outcome is not known, so that another withdrawal of the wallet account might pay the same twice. One that
 * the service accepted does not lock, even where its end cannot be read: whether another may follow is the service's to
 * decide. Source: service.md 8; a cancellation moves no money out.
 */
export const isLocking = ({
  kind,
  state,
  txid,
}: Pick<WithdrawOp, "kind" | "state" | "txid">): boolean =>
  kind !== "cancel" &&
  (isOneOf(lockingStates, state) || (state === "manual" && txid === undefined));

/** Whether the service took it, and it has not come back. */
export const wasTaken = (state: WithdrawState): boolean =>
  isOneOf(["accepted", "scheduled", "processing", "completed"], state);

/** Whether it waits for nothing any more. Even so a withdrawal that was denied may still be found at the service. */
export const isFinal = (state: WithdrawState): boolean => state !== "draft" && !isOpen(state);

/** One confirmed intent: at most one POST, ever. */
export interface WithdrawOp {
  /** `W-` and five characters, also what the person sees and types. */
  readonly id: string;
  /** The wallet account (`Account.accountFp`): the scope of the lock. */
  readonly accountFp: string;
  readonly accountId: string;
  readonly guildId: string;
  readonly channelId: string;
  /** Discord user who asked, the owner of the key. */
  readonly ownerId: string;
  readonly interactionId: string;
  /** Language in which the owner reads what becomes of it. */
  readonly locale: "pt-BR" | "en-US";
  readonly kind: WithdrawKind;
  /** Gross. Of a split withdrawal undefined until the service accepted it. */
  readonly amount: Cents | undefined;
  /** What the service said: undefined until then. */
  readonly fee: Cents | undefined;
  readonly net: Cents | undefined;
  /** As it is shown; empty for `cancel`. */
  readonly pixKeyMasked: string;
  /** Keyed hash of the normalised key; empty for `cancel`. */
  readonly pixKeyHash: string;
  /** Recipient of a split withdrawal. */
  readonly recipientId: string | undefined;
  /** Of `cancel`: the withdrawal to be cancelled. */
  readonly targetTxid: string | undefined;
  readonly state: WithdrawState;
  readonly version: number;
  /** Confirmations still to be given: 0 once it is confirmed. */
  readonly confirmationsLeft: number;
  readonly confirmExpiresAt: Temporal.Instant | undefined;
  readonly confirmedAt: Temporal.Instant | undefined;
  readonly sentAt: Temporal.Instant | undefined;
  /** The account's withdrawals just before the POST; undefined when the list could not be read. */
  readonly preTxids: readonly string[] | undefined;
  readonly preBalance: Cents | undefined;
  /** The service's clock less ours, when the snapshot was taken. */
  readonly skewMs: number | undefined;
  readonly httpStatus: number | undefined;
  /** Short code for the operator: never text of the service. */
  readonly errorCode: string | undefined;
  /** `X-Request-ID` of the answer. */
  readonly requestId: string | undefined;
  readonly txid: string | undefined;
  /** A plan of the service; normal withdrawals only. */
  readonly scheduledFor: Temporal.Instant | undefined;
  /** Readings that proved its absence so far, and the first of them. */
  readonly absences: number;
  readonly firstAbsentAt: Temporal.Instant | undefined;
  readonly checks: number;
  readonly nextCheckAt: Temporal.Instant | undefined;
  /** Discord user who decided a `manual` one, and how. */
  readonly resolvedBy: string | undefined;
  readonly resolution: "happened" | "did_not_happen" | undefined;
  readonly createdAt: Temporal.Instant;
  readonly updatedAt: Temporal.Instant;
}

/** A draft before it is kept. */
export interface NewWithdrawOp extends Pick<
  WithdrawOp,
  | "accountFp"
  | "accountId"
  | "guildId"
  | "channelId"
  | "ownerId"
  | "interactionId"
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
  /** Normalised key in clear text, to be sealed; empty for `cancel`. */
  readonly pixKey: string;
  readonly confirmTokenHash: string;
  readonly confirmExpiresAt: Temporal.Instant;
}

/** Crockford's base 32: nothing in it looks like anything else. */
const OP_CODE_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const OP_CODE_LENGTH = 5;
const TYPED_OP_CODE = new RegExp(`^(?:W-?)?([${OP_CODE_ALPHABET}]{${OP_CODE_LENGTH}})$`);

/** Code of an operation: what the person sees and types, `W-7K2Q9`. */
export const newOpCode = (random: Random): string =>
  `W-${Array.from(random.bytes(OP_CODE_LENGTH), (byte) => OP_CODE_ALPHABET.charAt(byte % OP_CODE_ALPHABET.length)).join("")}`;

/** The code in what a person typed: small letters, a missing `W-`, and look-alikes (O, I, L) are forgiven. */
export const readOpCode = (text: string): string | undefined => {
  const plain = text.toUpperCase().replace(/\s/g, "").replaceAll("O", "0").replace(/[IL]/g, "1");
  const code = TYPED_OP_CODE.exec(plain)?.[1];
  return code === undefined ? undefined : `W-${code}`;
};
