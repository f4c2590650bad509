import { cents, type Cents } from "../shared/money.ts";
import type { Locale } from "../shared/locale.ts";
import { type DeliveryPayload, type NewDelivery, notice } from "../delivery/delivery.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../shared/time.ts";

/** Amount and text of a charge. */
export interface ChargeRequest {
  readonly amount: Cents;
  /** One line without hidden characters, at most `LONGEST_DESCRIPTION` code points. */
  readonly description: string;
}

/** Why an answer holds no payable code. */
type CodeProblem = "no_code" | "broken_code" | "several_codes" | "other_amount";

/** `unclear`: several payments of the service, one already paid, or one that cannot be read, may be the charge. */
export type ChargeProblem = CodeProblem | "unclear";

/** A created charge, with the fields that could be read of the answer. */
export interface CreatedCharge {
  readonly txid: string | undefined;
  /** BR Code with a valid CRC. */
  readonly code: string | undefined;
  readonly fee: Cents | undefined;
  readonly net: Cents | undefined;
  readonly expiresAt: Temporal.Instant | undefined;
  readonly problem: CodeProblem | undefined;
}

/** Answer of the quick look at a charge: a hint, never a proof. */
export interface ChargeStatus {
  /** In lower case. */
  readonly status: string | undefined;
  readonly expiresAt: Temporal.Instant | undefined;
  readonly code: string | undefined;
}

/**
 * - `creating`: committed before the request; after a crash the request may have arrived.
 * - `unknown`: the request may have arrived; the bot looks for the charge.
 * - `missing`: it was looked for and not found; the seller decides.
 * - `open`: awaits its payer.
 * - `paid`, `refunded`, `expired`: ends; an expired charge may still be paid within a day.
 * - `unfollowed`: unpaid or unreadable for three days, or paid with another amount; the bot no longer looks.
 * - `rejected`, `not_sent`: there is no charge.
 */
export const chargeStates = [
  "creating",
  "unknown",
  "missing",
  "open",
  "paid",
  "refunded",
  "expired",
  "unfollowed",
  "rejected",
  "not_sent",
] as const;

export type ChargeState = (typeof chargeStates)[number];

/** A charge that a seller asked for. It never holds a payer. */
export interface Charge extends ChargeRequest {
  readonly id: string;
  /** Rises with each change: a change of an older version is refused. */
  readonly version: number;
  readonly ownerId: string;
  /** Connection whose key created it, or the one that took over when that was removed. */
  readonly accountId: string;
  readonly guildId: string;
  /** Channel of the command, where the card is posted. */
  readonly channelId: string;
  readonly locale: Locale;
  /** Of the card, which all in the channel read. */
  readonly cardLocale: Locale;
  readonly state: ChargeState;
  readonly txid: string | undefined;
  readonly code: string | undefined;
  readonly problem: ChargeProblem | undefined;
  /** As the service told them; undefined when it did not. */
  readonly fee: Cents | undefined;
  readonly net: Cents | undefined;
  /** The amount that arrived, where it is another. */
  readonly received?: Cents | undefined;
  readonly expiresAt: Temporal.Instant | undefined;
  readonly createdAt: Temporal.Instant;
  readonly endedAt: Temporal.Instant | undefined;
  /** Looks at the service since the last change of state. */
  readonly checks: number;
  /** Undefined: never again. */
  readonly nextCheckAt: Temporal.Instant | undefined;
  readonly card: { readonly channelId: string; readonly messageId: string } | undefined;
}

/** Fields that a person or a job changes. */
export type ChargeChange = Partial<
  Pick<
    Charge,
    | "state"
    | "txid"
    | "code"
    | "problem"
    | "fee"
    | "net"
    | "received"
    | "expiresAt"
    | "endedAt"
    | "checks"
    | "nextCheckAt"
  >
>;

export const LONGEST_DESCRIPTION = 140;

/** Per cent of a payment. Source: service.md 1. */
const FEE_PERCENT = 6;

export const expectedFee = (amount: Cents): Cents =>
  cents(Math.round((amount * FEE_PERCENT) / 100));

/** Whether a fee differs by more than rounding, which is not shown: by a centavo or more for each payment of the sum. */
export const isOtherFee = (amount: Cents, fee: Cents, payments = 1): boolean =>
  Math.abs(fee * 100 - amount * FEE_PERCENT) >= Math.max(payments, 1) * 100;

export const isEnded = ({ state }: Pick<Charge, "state">): boolean =>
  state === "paid" || state === "refunded" || state === "expired";

export const isPayable = <Some extends Pick<Charge, "state" | "code">>(
  charge: Some,
): charge is Some & { readonly code: string } =>
  charge.state === "open" && charge.code !== undefined;

/** Name under which the private reply is edited: another one where its seller may not publish the card. */
export const chargeLiveName = ({ id }: Pick<Charge, "id">, mayPublish = true): string =>
  mayPublish ? `charge:${id}` : `charge:${id}:unpublished`;

/** Its facts in the private reply: the code may come later. */
export const chargeLiveState = ({ state, code }: Pick<Charge, "state" | "code">): string =>
  `${state} ${code ?? ""}`;

/** The charge that a live reply of this name shows, if it shows one. */
export const chargeIdOf = (liveName: string): string | undefined =>
  /^charge:([^:]+)/.exec(liveName)?.[1];

/** Keys of a charge's deliveries: their spelling never changes. */
export const cardKey = ({ id }: Pick<Charge, "id">): string => `charge|${id}`;
export const chargeNoticeKey = (
  { id }: Pick<Charge, "id">,
  about: "end" | "late" | "found" | "unposted",
): string => `notice|charge_${about}|${id}`;

/**
 * A direct message to the charge's seller. It is not of the account: a seller who has disconnected is owed it all the
 * same.
 */
export const toSeller = (
  { ownerId, guildId }: Charge,
  dedupeKey: string,
  notBefore: Temporal.Instant,
  payloadOf: (reference: string) => DeliveryPayload,
): NewDelivery => notice(ownerId, { dedupeKey, guildId, accountId: null, notBefore }, payloadOf);

/** Looks after an open charge: seconds at first, then ever longer pauses. */
const SHORTEST_PAUSE_MS = 10 * SECOND;
/**
 * Longest pauses, before the end of a charge and after it. A time further ahead was set before the clock was set back, and
 * is due.
 */
export const LONGEST_OPEN_PAUSE_MS = HOUR;
export const LONGEST_LATE_PAUSE_MS = 17 * HOUR;
/** A charge without an end is left after it. */
export const FOLLOWED_MS = 3 * DAY;
/** The payer's bank and the service may take a moment at the very end. */
const AFTER_EXPIRY_MS = MINUTE;

/** The service's clock may be behind ours: its word that a charge waits counts this much longer. */
const STILL_WAITING_MS = 15 * MINUTE;

/** Whether the time of the code is over, with a minute to spare, or more while the service says that it waits. */
export const isPastExpiry = (
  { expiresAt }: Pick<Charge, "expiresAt">,
  now: Temporal.Instant,
  isWaiting = false,
): boolean =>
  expiresAt !== undefined &&
  now.epochMilliseconds >=
    expiresAt.epochMilliseconds + (isWaiting ? STILL_WAITING_MS : AFTER_EXPIRY_MS);

/** The time of a charge's code, unless it ends before the charge was made: then the service's clock is behind ours. */
export const expiryOf = (
  { createdAt }: Pick<Charge, "createdAt">,
  expiresAt: Temporal.Instant | undefined,
): Temporal.Instant | undefined =>
  expiresAt !== undefined && Temporal.Instant.compare(expiresAt, createdAt) > 0
    ? expiresAt
    : undefined;

/** Time of the next look at an open charge; undefined after three days. */
export const nextOpenCheck = (
  { createdAt, expiresAt }: Pick<Charge, "createdAt" | "expiresAt">,
  now: Temporal.Instant,
): Temporal.Instant | undefined => {
  const ageMs = now.epochMilliseconds - createdAt.epochMilliseconds;
  if (ageMs >= FOLLOWED_MS) return undefined;
  const mostMs = ageMs > DAY ? LONGEST_OPEN_PAUSE_MS : ageMs > 2 * HOUR ? 15 * MINUTE : 5 * MINUTE;
  const next = now.add({
    // To either side: after the clock was set back by a day, a pause of seconds would last that day.
    milliseconds: Math.round(Math.min(Math.max(Math.abs(ageMs) / 4, SHORTEST_PAUSE_MS), mostMs)),
  });
  const last = expiresAt?.add({ milliseconds: AFTER_EXPIRY_MS });
  const endsSooner =
    last !== undefined &&
    Temporal.Instant.compare(last, now) > 0 &&
    Temporal.Instant.compare(last, next) < 0;
  return endsSooner ? last : next;
};

/** Time of the next look after so many `checks`; undefined after the last pause. */
const lookAfter =
  (pausesMs: readonly number[]) =>
  (checks: number, now: Temporal.Instant): Temporal.Instant | undefined => {
    const pauseMs = pausesMs[checks];
    return pauseMs === undefined ? undefined : now.add({ milliseconds: pauseMs });
  };

/** Time of the next look at an expired charge, whose payment may arrive late: within an hour, and then within a day. */
export const nextLateCheck = lookAfter([MINUTE, 5 * MINUTE, HOUR, 6 * HOUR, LONGEST_LATE_PAUSE_MS]);

/** A list shows a new charge by then. */
const LISTED_MS = 20 * MINUTE;

/** Whether the list may be yet to show the charge. */
export const isNew = ({ createdAt }: Pick<Charge, "createdAt">, now: Temporal.Instant): boolean =>
  now.epochMilliseconds - createdAt.epochMilliseconds <= LISTED_MS;

/** The detail of a new payment is there by then. */
const SHOWN_MS = 2 * MINUTE;

/** Whether the service may be yet to show the detail of the charge. */
export const isFresh = ({ createdAt }: Pick<Charge, "createdAt">, now: Temporal.Instant): boolean =>
  now.epochMilliseconds - createdAt.epochMilliseconds < SHOWN_MS;

/** Time of the next look for a charge after a lost answer; after the last pause it counts as missing. */
export const nextLook = lookAfter([5, 15, 60, 180, 600].map((each) => each * SECOND));

/** How far the service's clock may be behind ours where that was not measured, and how exact a measurement is. */
const UNMEASURED_MS = 5 * MINUTE;
const MEASURED_MS = 3 * SECOND;
/** The time until which a busy service has made the charge, and its clock ahead of ours. */
const AFTER_MS = 15 * MINUTE;

/**
 * Whether a payment of the service may be the charge: same amount and description, made within the window.
 * @param skewMs how far the service's clock is ahead of ours, where it was measured
 */
export const mayBe = (
  { amount, description, createdAt }: Pick<Charge, "amount" | "description" | "createdAt">,
  seen: {
    readonly amount: Cents | undefined;
    readonly description: string | undefined;
    readonly createdAt: Temporal.Instant | undefined;
    readonly type: string | undefined;
  },
  skewMs?: number,
): boolean => {
  if (seen.type !== undefined && seen.type !== "payment") return false;
  if (seen.amount !== undefined && seen.amount !== amount) return false;
  if (seen.description !== undefined && seen.description.trim() !== description) return false;
  if (seen.createdAt === undefined) return true;
  const apartMs = seen.createdAt.epochMilliseconds - createdAt.epochMilliseconds - (skewMs ?? 0);
  return apartMs >= -(skewMs === undefined ? UNMEASURED_MS : MEASURED_MS) && apartMs <= AFTER_MS;
};
