import { expect, it } from "vitest";
import { countAbsence } from "#src/domain/reconcile.ts";

const SENT = Temporal.Instant.from("2026-11-20T12:00:00Z");

/** A reading so long after the request by our clock, with the service's clock ahead of it by so much then and now. */
const counts = (passed: string, skewBefore?: number, skewNow?: number): boolean => {
  const op = { sentAt: SENT, skewMs: skewBefore, absences: 0, firstAbsentAt: undefined };
  return countAbsence(op, SENT.add(passed), skewNow).absences === 1;
};

it.each<[string, boolean, ...Parameters<typeof counts>]>([
  ["counts when both clocks say that three days passed", true, "PT72H", 0, 0],
  ["counts within what the header can tell", true, "PT72H", 2_000, -3_000],
  ["does not count beyond that", false, "PT72H", 2_000, -3_001],
  ["does not count when our clock went ahead", false, "PT72H5M", 0, -10 * 60_000],
  ["does not count by a process that is ahead", false, "PT72H", 20_000, -280_000],
  ["does not count when the service's clock went ahead", false, "PT71H55M", 0, 10 * 60_000],
  ["counts by our clock alone when the other was not read before", true, "PT72H", undefined, 0],
  ["counts by our clock alone when the other is not read now", true, "PT72H", 0],
])("an absence %s", (_, expected, ...reading) => {
  expect(counts(...reading)).toBe(expected);
});
