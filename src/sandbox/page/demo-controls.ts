import { z } from "zod";
import type { VirtualClock } from "../clock.ts";
import { runClock } from "../pass-time.ts";
import type { BotState, BotSwitch } from "../start-bot-process.ts";
import type { ClockOutcome, PageSandbox } from "./page-view.ts";

const ZONE = "America/Sao_Paulo";
/** Usual time of the daily report. */
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
  /** `2026-11-21T21:05` in Brasília. */
  z.object({ kind: z.literal("to"), local: z.iso.datetime({ local: true, offset: false }) }),
]);
export type ClockMove = z.infer<typeof ClockMove>;

/** A longer move would take steps of more than an hour, after which the bot calls a report late. */
const MOST_DAYS = 30;

/**
 * Moves the clock forward at a pace that the bot can follow. Moves run one after another: two moves by an hour make two
 * hours, two moves to 21:05 count once.
 */
export const createClockMoves = (
  clock: VirtualClock,
): ((move: ClockMove) => Promise<ClockOutcome>) => {
  let last: Promise<unknown> = Promise.resolve();
  return async (move) => {
    const asked = clock.now();
    const target = targetOf(asked, move);
    if (Temporal.Instant.compare(target, asked) <= 0) return "past";
    if (target.since(asked).total("hours") > 24 * MOST_DAYS) return "too_far";
    const moved = last.then(() =>
      runClock(clock, targetOf(move.kind === "by" ? clock.now() : asked, move)),
    );
    // A failed move ends alone.
    last = moved.catch(() => {});
    await moved;
    return "moved";
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

/** Today's report if it is still due: skipping it would post two reports at once, the first too late. */
const nextReport = (now: Temporal.ZonedDateTime): Temporal.ZonedDateTime => {
  const today = now.withPlainTime(REPORT_TIME);
  return Temporal.ZonedDateTime.compare(today, now) > 0 ? today : today.add({ days: 1 });
};

/** Takes the bot or a service down, or brings it back. */
export const OutageAct = z.object({
  what: z.enum(["bot", "wallet", "discord"]),
  up: z.boolean(),
});
export type OutageAct = z.infer<typeof OutageAct>;

export type PageBot = Pick<BotSwitch, "state" | "kill" | "start" | "onChange">;

/** State of the bot and of the two services. */
export type PageOutages = ReturnType<ReturnType<typeof createOutages>["view"]>;

/** Without `bot`, the page cannot switch the bot. */
export const createOutages = ({ discord, faults }: PageSandbox, bot?: PageBot) => {
  const up = { wallet: true, discord: true };
  const serviceOf = (route: string): keyof typeof up =>
    / \/v1\//.test(route) ? "wallet" : "discord";

  const stateOf = (service: keyof typeof up): BotState => (up[service] ? "on" : "off");

  const setService = (service: keyof typeof up, isUp: boolean): void => {
    up[service] = isUp;
    faults.setPlan({
      seed: 1,
      share: 1,
      faults: [{ kind: "reset", at: "before" }],
      appliesTo: (route) => !up[serviceOf(route)],
    });
    if (service === "wallet") return;
    discord.gateway.misbehave({ ignoreLogins: !isUp });
    discord.gateway.drop();
  };

  return {
    /** Rejects if the bot does not get ready, e.g. because a service is down. */
    perform: async ({ what, up: isUp }: OutageAct): Promise<void> => {
      if (what !== "bot") setService(what, isUp);
      else await (isUp ? bot?.start() : bot?.kill());
    },
    view: () => ({
      bot: bot?.state() ?? null,
      wallet: stateOf("wallet"),
      discord: stateOf("discord"),
    }),
  };
};
