import { HOUR } from "../shared/duration.ts";
import type { AlertStep, WatchedDispute } from "./dispute-alert.ts";

/** Reminders, by how long before the deadline they are owed. */
const LADDER: readonly (readonly [AlertStep, number])[] = [
  ["72h", 72 * HOUR],
  ["48h", 48 * HOUR],
  ["24h", 24 * HOUR],
  ["6h", 6 * HOUR],
  ["1h", HOUR],
];

type Steps = Pick<WatchedDispute, "doneSteps" | "dueAt">;

/** Reminders whose time has come, the newest last. */
export const passedReminders = (
  dueAt: Temporal.Instant,
  now: Temporal.Instant,
): readonly AlertStep[] => {
  const leftMs = dueAt.epochMilliseconds - now.epochMilliseconds;
  return LADDER.flatMap(([step, beforeMs]) => (leftMs <= beforeMs ? [step] : []));
};

/** Whether it tells that a deadline comes nearer. */
export const isReminder = (step: AlertStep): boolean => LADDER.some(([each]) => each === step);

/** Whether nothing more is told of a dispute after it. */
export const isDecision = (step: AlertStep): boolean =>
  step === "won" || step === "lost" || step === "cancelled";

/** The done steps whose time has come: those that the deadline moved away from are owed again when it does. */
export const reachedSteps = (
  { doneSteps, dueAt }: Steps,
  now: Temporal.Instant,
): readonly AlertStep[] => {
  const passed = passedReminders(dueAt, now);
  return doneSteps.filter((step) =>
    step === "overdue"
      ? Temporal.Instant.compare(now, dueAt) >= 0
      : !isReminder(step) || passed.includes(step),
  );
};

const madeNeedless = (step: Exclude<AlertStep, "new">): readonly AlertStep[] => {
  const reminders = LADDER.map(([each]) => each);
  if (step === "overdue") return ["new", ...reminders];
  if (isReminder(step)) return ["new", ...reminders.slice(0, reminders.indexOf(step))];
  return ["new", "answered"];
};

/** The done steps once `step` is told: the older ones that it makes needless are among them. */
export const collapse = (
  { doneSteps, dueAt }: Steps,
  step: AlertStep,
  now: Temporal.Instant,
): readonly AlertStep[] => {
  const needless = step === "new" ? passedReminders(dueAt, now) : madeNeedless(step);
  return [...new Set([...doneSteps, ...needless, step])];
};

/** The done steps once `step`, which was owed, turned out not to be told: others may have made it needless. */
export const withoutStep = (
  doneSteps: readonly AlertStep[],
  step: AlertStep,
): readonly AlertStep[] => {
  const others = doneSteps.filter((each) => each !== step);
  const isNeedless = others.some(
    (each) => each !== "new" && !isReminder(each) && madeNeedless(each).includes(step),
  );
  return isNeedless ? doneSteps : others;
};

/**
 * The done steps once the owner's word has failed: the reminder of that hour is owed again, perhaps because it was kept
 * back for the word's sake. One that was posted before is not posted again.
 */
export const afterFailedWord = (
  { doneSteps, dueAt }: Steps,
  now: Temporal.Instant,
): readonly AlertStep[] => {
  const newest = passedReminders(dueAt, now).at(-1);
  return doneSteps.filter((step) => step !== newest);
};
