import { DAY, HOUR, MINUTE } from "../shared/time.ts";
import type { DeliveryState } from "./delivery.ts";

/** The rules in which kinds of deliveries differ. */
interface DeliveryPolicy {
  /** A post about days that have closed: by the channel, the hours and the consent of the daily report. */
  readonly isReport: boolean;
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
  /** `wait`: for the channel's return. `redirect`: to the owner's direct messages. `cancel`: not posted. */
  readonly lostChannel: "wait" | "redirect" | "cancel";
  /** For a post in the channel of a server that its owner has left. */
  readonly ownerLeft: "cancel" | "redirect" | "post";
  /** `watch`: sent by the connection that receives the alerts of a wallet account, even if it was enqueued by another. */
  readonly sender: "account" | "watch";
  /** Settled states in which its key is enqueued again. An earlier attempt that may have posted stays on record. */
  readonly enqueuedAgain: readonly DeliveryState[];
  /**
   * Deliveries, enqueued after a restore was noticed, that the lost run may have posted. `recent`: those enqueued
   * before the lost delivery would be obsolete. `closed_days`: reports of days that had closed by then.
   */
  readonly lostByRestore: "none" | "recent" | "closed_days";
  /**
   * One that only a lost run may have posted, among more messages than a search reads. `post`: rather told twice than not
   * at all. `unclear`: given up, which its owner is told or an alert's repeat says.
   */
  readonly lostInCrowd: "post" | "unclear";
}

/** Longest time between two probes of a lost channel. */
export const LONGEST_BLOCK_MS = DAY;

const LONG_SEARCH = { attempts: 40, ms: HOUR } as const;

export const deliveryPolicies = {
  sales_report: {
    isReport: true,
    obsoleteAfterMs: 7 * DAY,
    // After an outage of a week its days are spread over hours.
    longestWaitMs: 3 * HOUR,
    search: LONG_SEARCH,
    line: "target",
    lostChannel: "wait",
    ownerLeft: "cancel",
    sender: "account",
    enqueuedAgain: [],
    lostByRestore: "closed_days",
    lostInCrowd: "unclear",
  },
  close: {
    isReport: true,
    obsoleteAfterMs: 7 * DAY,
    longestWaitMs: HOUR,
    search: LONG_SEARCH,
    line: "target",
    lostChannel: "wait",
    // It tells of all sellers of the server together; those who have left are not among them.
    ownerLeft: "post",
    sender: "account",
    enqueuedAgain: [],
    lostByRestore: "closed_days",
    lostInCrowd: "unclear",
  },
  notice: {
    isReport: false,
    obsoleteAfterMs: 7 * DAY,
    longestWaitMs: HOUR,
    search: LONG_SEARCH,
    line: "target",
    lostChannel: "cancel",
    ownerLeft: "post",
    sender: "account",
    enqueuedAgain: [],
    lostByRestore: "recent",
    lostInCrowd: "post",
  },
  test: {
    isReport: false,
    obsoleteAfterMs: 15 * MINUTE,
    longestWaitMs: HOUR,
    search: LONG_SEARCH,
    line: "own",
    lostChannel: "cancel",
    ownerLeft: "post",
    sender: "account",
    enqueuedAgain: [],
    lostByRestore: "none",
    lostInCrowd: "unclear",
  },
  sale_notice: {
    isReport: false,
    obsoleteAfterMs: 7 * DAY,
    longestWaitMs: HOUR,
    search: LONG_SEARCH,
    line: "target",
    lostChannel: "cancel",
    ownerLeft: "cancel",
    sender: "account",
    enqueuedAgain: [],
    lostByRestore: "recent",
    lostInCrowd: "post",
  },
  // Deadlines cannot wait: an alert is posted independently of reports, and is soon repeated instead of searched for.
  dispute_alert: {
    isReport: false,
    obsoleteAfterMs: 7 * DAY,
    // Quiet hours, on a day on which clocks go back.
    longestWaitMs: DAY + HOUR,
    search: { attempts: 10, ms: 5 * MINUTE },
    line: "own",
    lostChannel: "redirect",
    ownerLeft: "redirect",
    sender: "watch",
    // The fate of an `unknown` alert is open, and its repeat was not sent.
    enqueuedAgain: ["obsolete", "unknown"],
    lostByRestore: "recent",
    lostInCrowd: "unclear",
  },
  // The code expires: a late card would show a charge that can no longer be paid.
  charge: {
    isReport: false,
    obsoleteAfterMs: HOUR,
    longestWaitMs: HOUR,
    search: LONG_SEARCH,
    line: "own",
    lostChannel: "cancel",
    ownerLeft: "cancel",
    sender: "account",
    // Its seller asks again after a refusal; a card that may be in the channel stays the only one.
    enqueuedAgain: ["obsolete", "dead"],
    lostByRestore: "recent",
    lostInCrowd: "unclear",
  },
} as const satisfies Record<string, DeliveryPolicy>;

export type DeliveryKind = keyof typeof deliveryPolicies;

export const kindsWhere = (applies: (policy: DeliveryPolicy) => boolean): readonly DeliveryKind[] =>
  (Object.keys(deliveryPolicies) as DeliveryKind[]).filter((kind) =>
    applies(deliveryPolicies[kind]),
  );

export const reportKinds = kindsWhere(({ isReport }) => isReport);
