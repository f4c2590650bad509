import { sql } from "kysely";
import type { DeliveryHour } from "../domain/due-instant.ts";
import { storedTime } from "./columns.ts";

/** A route's hour of delivery as one of `hourTexts`. */
export const routeHour = sql<string>`report_route.time || ' ' || report_route.time_zone`;

/** Never empty, as the right side of an `in`. */
export const hourTexts = (hours: readonly DeliveryHour[]): readonly string[] =>
  hours.length === 0 ? [""] : hours.map(({ time, timeZone }) => `${storedTime(time)} ${timeZone}`);
