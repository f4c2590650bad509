import { expect, it } from "vitest";
import { dueInstant } from "#src/domain/report-schedule.ts";
import { HOUR, MINUTE } from "#src/shared/time.ts";
import { allTransitions, tellingTimes } from "../domain/zone-transitions.ts";

const SETTLING_MS = 5 * MINUTE;
const LONGEST_WAIT_MS = 50 * HOUR;
const DAYS_AROUND = 5;

it("keeps the days in order around every change of offset of every zone, from 1970 to 2037", () => {
  for (const transition of allTransitions("1970-01-01T00:00Z", "2038-01-01T00:00Z")) {
    const { timeZone } = transition;
    const firstClose = transition.at.toZonedDateTimeISO("UTC").startOfDay().subtract({ days: 2 });
    for (const time of tellingTimes(transition)) {
      let before = -Infinity;
      for (let days = 0; days < DAYS_AROUND; days++) {
        const close = firstClose.add({ days }).toInstant();
        const due = dueInstant(close, { time, timeZone }).epochMilliseconds;
        const waitedMs = due - close.epochMilliseconds;
        if (due < before || waitedMs < SETTLING_MS || waitedMs > LONGEST_WAIT_MS) {
          expect.fail(`${timeZone} ${time.toString()} ${close.toString()}: ${waitedMs} ms`);
        }
        before = due;
      }
    }
  }
});
