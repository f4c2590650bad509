import type { AlertStep } from "#src/domain/dispute-alert.ts";
import type { Case, Told } from "./ledger.ts";
import { isReminder } from "./rules.ts";

/** Whether a moved deadline makes it another alert. */
export const keepsDeadline = (step: AlertStep): boolean => isReminder(step) || step === "overdue";

/** Nobody could find out whether it was posted before its deadline moved. */
export const isUnsure = ({ troubles, settled }: Told): boolean =>
  settled !== "sent" && (troubles.has("history_refused") || troubles.has("history_failing"));

/** What a repeat repeats; itself for any other. */
export const firstOf = (told: Told, own: Case): Told | undefined =>
  own.told.find(
    ({ isRepeat, step, dueMs }) => !isRepeat && step === told.step && dueMs === told.dueMs,
  );
