import type { AlertRoute, AlertStep } from "#src/disputes/dispute-alert.ts";
import { DAY, HOUR, MINUTE } from "#src/shared/time.ts";
import type { Standing } from "./truth.ts";

/** A second implementation of the alert rules, independent of the code that it judges. */

/** Reminder, when it begins before the deadline, and when the next one replaces it. */
export const LADDER: readonly (readonly [AlertStep, number, number])[] = [
  ["72h", 72 * HOUR, 48 * HOUR],
  ["48h", 48 * HOUR, 24 * HOUR],
  ["24h", 24 * HOUR, 6 * HOUR],
  ["6h", 6 * HOUR, HOUR],
  ["1h", HOUR, 0],
];

export const isReminder = (step: AlertStep): boolean => LADDER.some(([name]) => name === step);

/** When a reminder becomes due; undefined for other steps. */
export const beginsMs = (step: AlertStep, dueMs: number): number | undefined => {
  const rung = LADDER.find(([name]) => name === step);
  return rung && dueMs - rung[1];
};

const isUnanswered = ({ status, analysis }: Standing): boolean =>
  status === "pending" && analysis === "pending";

/** Whether an alert is true of a dispute in this state, regardless of earlier alerts. */
export const holds = (step: AlertStep, standing: Standing, nowMs: number): boolean => {
  const { status, analysis, dueMs } = standing;
  const leftMs = dueMs - nowMs;
  const isUndecided = analysis === "pending" && status !== "canceled";
  switch (step) {
    case "new":
      return (isUnanswered(standing) && leftMs > 0) || (isUndecided && status === "in_review");
    case "overdue":
      return isUnanswered(standing) && leftMs <= 0;
    case "answered":
      return isUndecided && (status === "agreed" || status === "disagreed");
    case "won":
      return status !== "canceled" && analysis === "rejected";
    case "lost":
      return analysis === "accepted";
    case "cancelled":
      return status === "canceled" && analysis !== "accepted";
    case "72h":
    case "48h":
    case "24h":
    case "6h":
    case "1h":
      break;
  }
  const [, fromMs = 0, toMs = 0] = LADDER.find(([name]) => name === step) ?? [];
  return isUnanswered(standing) && leftMs <= fromMs && leftMs > toMs;
};

/** Whether the dispute is due for reminders: unanswered, before its deadline. */
export const isPending = (standing: Standing, nowMs: number): boolean =>
  isUnanswered(standing) && nowMs < standing.dueMs;

/** The step that describes the state best; while pending, the current reminder, if any. */
export const stepNow = (standing: Standing, nowMs: number): AlertStep | undefined => {
  const states = ["cancelled", "lost", "won", "answered", "overdue"] as const;
  const steps = [...states, ...LADDER.map(([name]) => name), "new" as const];
  return steps.find((step) => holds(step, standing, nowMs));
};

/** Zones of the simulation, all without summer time. */
export const ZONES = {
  "America/Sao_Paulo": -3 * HOUR,
  "America/Manaus": -4 * HOUR,
  "America/Noronha": -2 * HOUR,
} as const satisfies Record<string, number>;

const minutesOf = ({ hour, minute }: Temporal.PlainTime): number => hour * 60 + minute;

/** Whether a guild's quiet hours apply at that time. An inactive route has none. */
export const isQuiet = (
  route: Pick<AlertRoute, "active" | "quiet" | "timeZone"> | undefined,
  nowMs: number,
): boolean => {
  if (route?.active !== true || route.quiet === undefined) return false;
  const shiftMs = ZONES[route.timeZone as keyof typeof ZONES];
  const minute = Math.floor(((((nowMs + shiftMs) % DAY) + DAY) % DAY) / MINUTE);
  const [from, to] = [minutesOf(route.quiet.from), minutesOf(route.quiet.to)];
  return from > to ? minute >= from || minute < to : minute >= from && minute < to;
};

/** Alerts that ignore quiet hours. */
export const isUrgent = (step: AlertStep, dueMs: number, toldMs: number): boolean =>
  step === "6h" || step === "1h" || (step === "new" && dueMs - toldMs <= DAY);
