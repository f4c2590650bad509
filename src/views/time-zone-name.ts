import type { TimeZoneChoice } from "../domain/time-zone.ts";
import { cut, limits } from "./limits.ts";

/** A zone in a list of suggestions: where it is kept, then its IANA name. */
export const timeZoneName = ({ zone, places }: TimeZoneChoice): string =>
  cut(places === undefined ? zone : `${places} · ${zone}`, limits.choiceName);
