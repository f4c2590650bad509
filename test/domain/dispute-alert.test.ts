import { expect, test } from "vitest";
import { alertKey, alertSteps, readAlertKey, repeatKeyOf } from "#src/domain/dispute-alert.ts";

const dispute = {
  accountId: "account_1",
  infractionId: "infraction-1",
  dueAt: Temporal.Instant.from("2026-11-24T15:00:00.123456Z"),
};
const moved = { ...dispute, dueAt: dispute.dueAt.add({ hours: 1 }) };

test.each(alertSteps)("the key of %s, and of its repeat, says what it is about", (step) => {
  const key = alertKey(dispute, step);
  const subject = readAlertKey(key);
  expect(subject).toMatchObject({ accountId: "account_1", infractionId: "infraction-1", step });
  expect(readAlertKey(repeatKeyOf(key)!)).toEqual(subject);
  expect(repeatKeyOf(repeatKeyOf(key)!)).toBeUndefined();
});

test("what names a deadline is another alert for another deadline", () => {
  const same = alertSteps.filter((step) => alertKey(dispute, step) === alertKey(moved, step));
  expect(same).toEqual(["answered", "won", "lost", "cancelled"]);
  expect(String(readAlertKey(alertKey(dispute, "24h"))?.dueAt)).toBe("2026-11-24T15:00:00.123Z");
  expect(readAlertKey(alertKey(dispute, "won"))?.dueAt).toBeUndefined();
});

test.each(["report|a|b|72h", "med|a|b|tomorrow", "med|a", "notice"])(
  "%s is the key of no alert",
  (key) => {
    expect(readAlertKey(key)).toBeUndefined();
  },
);
