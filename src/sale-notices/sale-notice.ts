import { createHash } from "node:crypto";
import type { DestinationChoice } from "../accounts/account.ts";
import type { DeliveryTarget, PostingRoute } from "../delivery/delivery.ts";
import type { Locale } from "../shared/locale.ts";
import { type Cents, cents } from "../shared/money.ts";
import { MINUTE } from "../shared/time.ts";

/** The owner's choice for one connection, and its present effect. */
export interface SaleNoticeState {
  readonly choice: DestinationChoice;
  /** The server's channel, where it is open. */
  readonly channelId: string | undefined;
  /** That channel's minimum. */
  readonly minimum?: Cents | undefined;
  /** Whether the list of sales cannot be read, and the sales report stands in for it. */
  readonly isByReport: boolean;
  /** Whether the notices wait for the connection's key, which the service refuses. */
  readonly isOnHold: boolean;
}

/** A server's channel for notices of sales. */
export interface SaleRoute extends PostingRoute {
  /** Smaller sales and refunds are not told in the channel. */
  readonly minimum: Cents;
}

/** A connection whose owner agreed to notices, and where they go now. */
export interface SaleDestination {
  readonly accountId: string;
  readonly ownerId: string;
  readonly guildId: string;
  readonly target: DeliveryTarget;
  readonly minimum: Cents;
  readonly since: Temporal.Instant;
  readonly locale: Locale;
  /** End of the key, for direct messages to an owner of several wallet accounts. */
  readonly directKey?: string | undefined;
}

/** The facts of a sale that its notice tells. */
export interface SaleFacts {
  /** Keyed hash of the txid. */
  readonly key: string;
  readonly amount: Cents;
  readonly net: Cents | undefined;
  /** Text of a stranger. */
  readonly product: string | undefined;
}

/** A sale or a refund that is told once. */
export interface SaleEvent extends SaleFacts {
  readonly kind: "sale" | "refund";
  readonly at: Temporal.Instant | undefined;
  /** When the sale was created. */
  readonly createdAt: Temporal.Instant | undefined;
}

/** Sales, or refunds, told in one line. */
export interface SaleGroup {
  readonly of: SaleEvent["kind"];
  readonly count: number;
  /** Undefined where it is not known. */
  readonly total: Cents | undefined;
  /**
   * `minute`: within one minute. `late`: told long after. `report`: told by their number alone; with times where the
   * report was not read for long. `doubtful`: may have
   * been told before, as the database is an older copy.
   */
  readonly why: "minute" | "late" | "report" | "doubtful";
  readonly from: Temporal.Instant | undefined;
  readonly until: Temporal.Instant | undefined;
}

/** A stretch of time of which sales are not told: the list does not show them, or was first read long after the consent. */
export interface ListGap {
  readonly from: Temporal.Instant;
  readonly until: Temporal.Instant;
}

/** One message. */
export type SaleNotice =
  | { readonly kind: "single"; readonly event: SaleEvent; readonly isLate: boolean }
  | { readonly kind: "group"; readonly group: SaleGroup; readonly keys: readonly string[] }
  | { readonly kind: "gap"; readonly gap: ListGap };

/** More sales than this within a minute are told in one line. */
const MOST_SINGLE = 5;
/** Largest assumed difference between our clock and the service's. */
export const TOLERANCE_MS = 15 * MINUTE;
/** News that is older says when it was. */
export const LATE_MS = 10 * MINUTE;

const msOf = ({ at }: SaleEvent, now: Temporal.Instant): number => (at ?? now).epochMilliseconds;

const groupOf = (events: readonly SaleEvent[], why: SaleGroup["why"]): SaleNotice => {
  const [first, last] = [events[0], events.at(-1)];
  const group = {
    of: first?.kind ?? ("sale" as const),
    count: events.length,
    total: cents(events.reduce((sum, { amount }) => sum + amount, 0)),
    why,
    from: first?.at,
    until: last?.at,
  };
  return { kind: "group", group, keys: events.map(({ key, kind }) => `${key}|${kind}`) };
};

/** `sorted`: events of one kind, oldest first. `told`: times of the same kind told before. */
const noticesOfKind = (
  sorted: readonly SaleEvent[],
  told: readonly Temporal.Instant[],
  now: Temporal.Instant,
): readonly SaleNotice[] => {
  const isLate = (event: SaleEvent): boolean => now.epochMilliseconds - msOf(event, now) > LATE_MS;
  const late = sorted.filter(isLate);
  const single = (event: SaleEvent): SaleNotice => ({
    kind: "single",
    event,
    isLate: isLate(event),
  });
  const notices = late.length > MOST_SINGLE ? [groupOf(late, "late")] : late.map(single);
  let rest = sorted.slice(late.length);
  for (let [first] = rest; first !== undefined; [first] = rest) {
    const fromMs = msOf(first, now);
    const within = rest.filter((event) => msOf(event, now) < fromMs + MINUTE);
    const before = told.filter(
      ({ epochMilliseconds: ms }) => ms > fromMs - MINUTE && ms < fromMs + MINUTE,
    ).length;
    const many = within.length > 1 && within.length + before > MOST_SINGLE;
    notices.push(...(many ? [groupOf(within, "minute")] : within.map(single)));
    rest = rest.slice(within.length);
  }
  return notices;
};

/**
 * The messages that tell the events, oldest first, sales before refunds. `doubtfulUntil`: an older copy of the
 * database was put back then; events before it, and those without a time, are told in one line that says so.
 */
export const noticesOf = (
  events: readonly SaleEvent[],
  told: readonly Temporal.Instant[],
  now: Temporal.Instant,
  doubtfulUntil?: Temporal.Instant,
): readonly SaleNotice[] =>
  (["sale", "refund"] as const).flatMap((kind) => {
    // The list has them newest first.
    const all = events
      .filter((event) => event.kind === kind)
      .toReversed()
      .toSorted((one, other) => msOf(one, now) - msOf(other, now));
    const isDoubtful = (event: SaleEvent): boolean =>
      doubtfulUntil !== undefined &&
      (event.at === undefined || event.at.epochMilliseconds <= doubtfulUntil.epochMilliseconds);
    const doubtful = all.filter(isDoubtful);
    const sure = all.filter((event) => !isDoubtful(event));
    return [
      ...(doubtful.length === 0 ? [] : [groupOf(doubtful, "doubtful")]),
      ...noticesOfKind(sure, kind === "sale" ? told : [], now),
    ];
  });

const targetName = (target: DeliveryTarget): string =>
  target.kind === "channel" ? `c${target.channelId}` : `p${target.userId}`;

/** The same for the same events to the same destination. `nonce` tells apart what has no keys of its own. */
export const saleNoticeKey = (
  target: DeliveryTarget,
  notice: SaleNotice,
  nonce: string,
): string => {
  if (notice.kind === "single")
    return `sale|${targetName(target)}|${notice.event.key}|${notice.event.kind}`;
  const keys = notice.kind === "group" ? notice.keys : [];
  const what = notice.kind === "group" ? notice.group.of : notice.kind;
  const digest = createHash("sha256")
    .update(JSON.stringify(keys.length === 0 ? [what, nonce] : keys))
    .digest("base64url");
  return `sales|${targetName(target)}|${digest}`;
};

/**
 * Connections of one target, each with the first consent among them, whose owner comes first. Groups of different events
 * would have different keys, and tell some events twice.
 */
export const sharedDestinations = (
  destinations: readonly SaleDestination[],
): readonly SaleDestination[] => {
  const sorted = destinations.toSorted((one, other) =>
    Temporal.Instant.compare(one.since, other.since),
  );
  const byTarget = Map.groupBy(sorted, ({ target }) => targetName(target));
  return [...byTarget.values()].flatMap((sharing) =>
    sharing.map((each) => ({ ...each, since: sharing[0]?.since ?? each.since })),
  );
};

/** Whether the destination is told of an event: agreed before it, and the amount is large enough. */
export const isWanted = (
  { amount, at }: SaleEvent,
  { minimum, since }: SaleDestination,
  baselineAt: Temporal.Instant | undefined,
): boolean => {
  if (amount < minimum) return false;
  // The first reading of the list has told apart what is news for who agreed before it.
  const agreedFirst = baselineAt === undefined || Temporal.Instant.compare(since, baselineAt) <= 0;
  return (
    agreedFirst ||
    at === undefined ||
    at.epochMilliseconds >= since.epochMilliseconds - TOLERANCE_MS
  );
};

/** Several sales known by their sum alone may each be below a minimum. */
export const isGroupWanted = (
  { count, total }: Pick<SaleGroup, "count" | "total">,
  { minimum }: SaleDestination,
): boolean => minimum === 0 || (count === 1 && total !== undefined && total >= minimum);

/** Whether the destination agreed before the end of the gap. A sale in it may be as large as any minimum. */
export const isGapWanted = ({ until }: ListGap, { since }: SaleDestination): boolean =>
  Temporal.Instant.compare(since, until) <= 0;
