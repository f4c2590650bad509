/** Column types that mean the same in SQLite and in PostgreSQL. */

import { sql } from "kysely";
import { type Cents, cents } from "../shared/money.ts";

/** Instant as text, ISO-8601 UTC with milliseconds: sorts by time in both databases. */
export type StoredInstant = string;

/** UTC or local day as text, `YYYY-MM-DD`. */
export type StoredDay = string;

/** Hour of the day as text, `HH:MM`. */
export type StoredTime = string;

/** Yes or no as an integer. */
export type StoredFlag = 0 | 1;

const STORED_INSTANT_LENGTH = "2026-11-19T00:00:00.000Z".length;

/**
 * Truncates to milliseconds.
 * @throws RangeError outside the years 0 to 9999, whose text would not sort.
 */
export const storedInstant = (instant: Temporal.Instant): StoredInstant => {
  const text = new Date(instant.epochMilliseconds).toISOString();
  if (text.length !== STORED_INSTANT_LENGTH) throw new RangeError("The instant cannot be stored");
  return text;
};

export const instantOf = (stored: StoredInstant): Temporal.Instant => Temporal.Instant.from(stored);

export const optionalInstantOf = (stored: StoredInstant | null): Temporal.Instant | undefined =>
  stored === null ? undefined : instantOf(stored);

export const storedOptionalInstant = (
  instant: Temporal.Instant | undefined,
): StoredInstant | null => (instant === undefined ? null : storedInstant(instant));

export const optionalCentsOf = (stored: number | null): Cents | undefined =>
  stored === null ? undefined : cents(stored);

export const storedDay = (day: Temporal.PlainDate): StoredDay =>
  day.toString({ calendarName: "never" });

/** More than the days of which figures are kept. */
const DAYS_REMEMBERED = 200;
const days = new Map<StoredDay, Temporal.PlainDate>();

/** Cached, because thousands of rows name the same few days. */
export const calendarDayOf = (stored: StoredDay): Temporal.PlainDate => {
  const known = days.get(stored);
  if (known !== undefined) return known;
  const day = Temporal.PlainDate.from(stored);
  if (days.size >= DAYS_REMEMBERED) days.clear();
  days.set(stored, day);
  return day;
};

export const storedTime = (time: Temporal.PlainTime): StoredTime =>
  time.toString({ smallestUnit: "minute" });

export const storedFlag = (value: boolean): StoredFlag => (value ? 1 : 0);

export const flagOf = (stored: StoredFlag): boolean => stored === 1;

/** A row's txid in one of the forms that `smallForms` gives. */
export const smallTxid = sql<string>`lower(txid)`;

/** Whether a row is the presence of the connection's owner in its server. */
export const isOwnersPresence = sql<boolean>`(presence.guild_id = account.guild_id
  and presence.owner_id = account.owner_id)`;
