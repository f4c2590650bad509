import { UserError } from "../shared/errors.ts";

const LAST_HOUR = 23;
const LAST_MINUTE = 59;

/**
 * An hour as a person types it: `21:05`, `9:05`, `21h05` or `21h`.
 * @throws UserError invalid_time
 */
export const parseTimeOfDay = (typed: string): Temporal.PlainTime => {
  const text = typed.trim().toLowerCase().replace(/h$/, ":00").replace("h", ":");
  const [, hour, minute] = /^(\d{1,2}):(\d{2})$/.exec(text) ?? [];
  if (Number(hour) <= LAST_HOUR && Number(minute) <= LAST_MINUTE) {
    return new Temporal.PlainTime(Number(hour), Number(minute));
  }
  throw new UserError({ kind: "invalid_time", given: typed });
};

/** `21:05`. */
export const formatTimeOfDay = (time: Temporal.PlainTime): string =>
  time.toString({ smallestUnit: "minute" });
