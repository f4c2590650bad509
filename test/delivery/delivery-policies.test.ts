import { expect, test } from "vitest";
import { deliveryPolicies, kindsWhere } from "#src/delivery/delivery-policies.ts";
import { DAY, HOUR, MINUTE } from "#src/shared/time.ts";

const search = { attempts: 40, ms: HOUR };
const account = { isReport: false, search, sender: "account", enqueuedAgain: [] };

test("each kind of delivery has its rules; alerts and cards of charges alone are enqueued again", () => {
  expect(deliveryPolicies).toEqual({
    sales_report: {
      ...account,
      isReport: true,
      obsoleteAfterMs: 7 * DAY,
      longestWaitMs: 3 * HOUR,
      line: "target",
      lostChannel: "wait",
      ownerLeft: "cancel",
      lostByRestore: "closed_days",
      lostInCrowd: "unclear",
    },
    close: {
      ...account,
      isReport: true,
      obsoleteAfterMs: 7 * DAY,
      longestWaitMs: HOUR,
      line: "target",
      lostChannel: "wait",
      ownerLeft: "post",
      lostByRestore: "closed_days",
      lostInCrowd: "unclear",
    },
    notice: {
      ...account,
      obsoleteAfterMs: 7 * DAY,
      longestWaitMs: HOUR,
      line: "target",
      lostChannel: "cancel",
      ownerLeft: "post",
      lostByRestore: "recent",
      lostInCrowd: "post",
    },
    test: {
      ...account,
      obsoleteAfterMs: 15 * MINUTE,
      longestWaitMs: HOUR,
      line: "own",
      lostChannel: "cancel",
      ownerLeft: "post",
      lostByRestore: "none",
      lostInCrowd: "unclear",
    },
    charge: {
      ...account,
      enqueuedAgain: ["obsolete", "dead"],
      obsoleteAfterMs: HOUR,
      longestWaitMs: HOUR,
      line: "own",
      lostChannel: "cancel",
      ownerLeft: "cancel",
      lostByRestore: "recent",
      lostInCrowd: "unclear",
    },
    sale_notice: {
      ...account,
      obsoleteAfterMs: 7 * DAY,
      longestWaitMs: HOUR,
      line: "target",
      lostChannel: "cancel",
      ownerLeft: "cancel",
      lostByRestore: "recent",
      lostInCrowd: "post",
    },
    dispute_alert: {
      isReport: false,
      obsoleteAfterMs: 7 * DAY,
      longestWaitMs: DAY + HOUR,
      search: { attempts: 10, ms: 5 * MINUTE },
      line: "own",
      lostChannel: "redirect",
      ownerLeft: "redirect",
      sender: "watch",
      enqueuedAgain: ["obsolete", "unknown"],
      lostByRestore: "recent",
      lostInCrowd: "unclear",
    },
  });
});

test("kinds are found by their rules", () => {
  expect(kindsWhere(({ lostChannel }) => lostChannel === "cancel")).toEqual([
    "notice",
    "test",
    "sale_notice",
    "charge",
  ]);
  expect(kindsWhere(({ sender }) => sender === "watch")).toEqual(["dispute_alert"]);
  expect(kindsWhere(() => false)).toEqual([]);
});
