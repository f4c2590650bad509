import { expect, test } from "vitest";
import {
  alertKinds,
  deliveryPolicies,
  kindsWhere,
  reportKinds,
} from "#src/delivery/delivery-policies.ts";

test("an alert goes to its owner, whether the channel is lost or its owner has left the server", () => {
  expect(alertKinds).toEqual(["dispute_alert"]);
  expect(kindsWhere(({ ownerLeft }) => ownerLeft === "redirect")).toEqual(alertKinds);
});

test("a report waits in the line of its channel, which brings it on once the channel is back", () => {
  expect(reportKinds).toEqual(["sales_report", "close"]);
  for (const kind of reportKinds) expect(deliveryPolicies[kind].line).toBe("target");
});

test("alerts and cards of charges alone are enqueued again, and no other post waits for them", () => {
  const again = kindsWhere(({ enqueuedAgain }) => enqueuedAgain.length > 0);
  expect(again).toEqual(["dispute_alert", "charge"]);
  for (const kind of again) expect(deliveryPolicies[kind].line).toBe("own");
});

test("notices alone are told rather twice than not at all, once they were searched for", () => {
  expect(kindsWhere(({ lostRun }) => lostRun === "told")).toEqual(["notice", "sale_notice"]);
});

test("all but a test post is searched for after a restore", () => {
  expect(kindsWhere(({ lostRun }) => lostRun === "unsought")).toEqual(["test"]);
});
