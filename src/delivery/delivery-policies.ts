import { DAY, HOUR, MINUTE } from "../shared/time.ts";
import type { DeliveryState } from "./delivery.ts";

/** The rules in which kinds of deliveries differ. */
interface DeliveryPolicy {
  /** Older deliveries are not posted. */
  readonly obsoleteAfterMs: number;
  /**
   * Longest time that a delivery is put off by, unless it waits for a lost channel (`LONGEST_BLOCK_MS`). One that is put off
   * for longer was so before the clock was set back, and is due.
   */
  readonly longestWaitMs: number;
  /** An unreadable history is given up once both are reached. */
  readonly search: { readonly attempts: number; readonly ms: number };
  /** `target`: posted in order with the other deliveries to its target. `own`: posted independently of all others. */
  readonly line: "target" | "own";
  /**
   * `wait`: for the channel's return, as a report of closed days (`reportKinds`). `redirect`: to the owner's direct
   * messages, as an alert (`alertKinds`). `cancel`: not posted.
   */
  readonly lostChannel: "wait" | "redirect" | "cancel";
  /** For a post in the channel of a server that its owner has left. */
  readonly ownerLeft: "cancel" | "redirect" | "post";
  /** Settled states in which its key is enqueued again. An earlier attempt that may have posted stays on record. */
  readonly enqueuedAgain: readonly DeliveryState[];
  /**
   * One that a run may have posted which the database lost. `unsought`: it is posted all the same. The others are searched
   * for after a restore: also one enqueued since, before a lost one would be obsolete, or of a day that had closed by then.
   * Among more messages than a search reads, `told`: rather twice than not at all; `unclear`: given up, which its owner is
   * told or an alert's repeat says.
   */
  readonly lostRun: "unsought" | "told" | "unclear";
}

/** How long a person is told of a post that did not arrive. The texts name this span. */
export const UNDELIVERED_FOR_MS = 7 * DAY;

/** Longest time between two probes of a lost channel. */
export const LONGEST_BLOCK_MS = DAY;

/** The rules of most kinds: each kind names those in which it differs. */
const most = {
  obsoleteAfterMs: 7 * DAY,
  longestWaitMs: HOUR,
  search: { attempts: 40, ms: HOUR },
  line: "target",
  enqueuedAgain: [],
  lostRun: "unclear",
} as const;

export const deliveryPolicies = {
  sales_report: {
    ...most,
    // After an outage of a week its days are spread over hours.
    longestWaitMs: 3 * HOUR,
    lostChannel: "wait",
    ownerLeft: "cancel",
  },
  close: { ...most, lostChannel: "wait", ownerLeft: "cancel" },
  notice: { ...most, lostChannel: "cancel", ownerLeft: "post", lostRun: "told" },
  test: {
    ...most,
    obsoleteAfterMs: 15 * MINUTE,
    line: "own",
    lostChannel: "cancel",
    ownerLeft: "post",
    lostRun: "unsought",
  },
  sale_notice: { ...most, lostChannel: "cancel", ownerLeft: "cancel", lostRun: "told" },
  // Deadlines cannot wait: an alert is posted independently of reports, and is soon repeated instead of searched for.
  dispute_alert: {
    ...most,
    // Quiet hours, on a day on which clocks go back.
    longestWaitMs: DAY + HOUR,
    search: { attempts: 10, ms: 5 * MINUTE },
    line: "own",
    lostChannel: "redirect",
    ownerLeft: "redirect",
    // The fate of an `unknown` alert is open, and its repeat was not sent.
    enqueuedAgain: ["obsolete", "unknown"],
  },
  // The code expires: a late card would show a charge that can no longer be paid.
  charge: {
    ...most,
    obsoleteAfterMs: HOUR,
    line: "own",
    lostChannel: "cancel",
    ownerLeft: "cancel",
    // Its seller asks again after a refusal; a card that may be in the channel stays the only one.
    enqueuedAgain: ["obsolete", "dead"],
  },
} as const satisfies Record<string, DeliveryPolicy>;

export type DeliveryKind = keyof typeof deliveryPolicies;

export const kindsWhere = (applies: (policy: DeliveryPolicy) => boolean): readonly DeliveryKind[] =>
  (Object.keys(deliveryPolicies) as DeliveryKind[]).filter((kind) =>
    applies(deliveryPolicies[kind]),
  );

/** Posts about days that have closed: by the channel, the hours and the consent of the daily report. */
export const reportKinds = kindsWhere(({ lostChannel }) => lostChannel === "wait");

/** Sent by the connection that receives the alerts of a wallet account, even if enqueued by another. */
export const alertKinds = kindsWhere(({ lostChannel }) => lostChannel === "redirect");
