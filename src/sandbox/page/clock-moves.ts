import { z } from "zod";
import type { VirtualClock } from "../clock.ts";
import { runClock } from "../pass-time.ts";

/** Zone in which the page speaks of time. */
const ZONE = "America/Sao_Paulo";
/** When the daily report is usually due. */
const REPORT_TIME = Temporal.PlainTime.from("21:05");

export const ClockMove = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("by"),
    minutes: z
      .number()
      .int()
      .positive()
      .max(60 * 24 * 366),
  }),
  z.object({ kind: z.literal("next_report") }),
  /** `2026-11-21T21:05`, in Brasília. */
  z.object({ kind: z.literal("to"), local: z.iso.datetime({ local: true, offset: false }) }),
]);
export type ClockMove = z.infer<typeof ClockMove>;

/**
 * Moves the clock forward, with the bot keeping pace; false, and nothing moved, for an instant that is not ahead of it.
 * A move waits for the one before: two of an hour are two hours, two to 21:05 are one.
 */
export const createClockMoves = (clock: VirtualClock): ((move: ClockMove) => Promise<boolean>) => {
  let last: Promise<void> = Promise.resolve();
  return async (move) => {
    const asked = clock.now();
    if (Temporal.Instant.compare(targetOf(asked, move), asked) <= 0) return false;
    last = last.then(() =>
      runClock(clock, targetOf(move.kind === "by" ? clock.now() : asked, move)),
    );
    await last;
    return true;
  };
};

const targetOf = (now: Temporal.Instant, move: ClockMove): Temporal.Instant => {
  switch (move.kind) {
    case "by":
      return now.add({ minutes: move.minutes });
    case "next_report":
      return nextReport(now.toZonedDateTimeISO(ZONE)).toInstant();
    case "to":
      break;
  }
  return Temporal.PlainDateTime.from(move.local).toZonedDateTime(ZONE).toInstant();
};

/** Not simply tomorrow's: passing over today's would bring two reports at once, one of them late. */
const nextReport = (now: Temporal.ZonedDateTime): Temporal.ZonedDateTime => {
  const today = now.withPlainTime(REPORT_TIME);
  return Temporal.ZonedDateTime.compare(today, now) > 0 ? today : today.add({ days: 1 });
};
