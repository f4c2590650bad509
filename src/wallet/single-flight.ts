import { keepNewest } from "../shared/keep-newest.ts";
import type { Timers } from "./timers.ts";

export type SingleFlight = ReturnType<typeof createSingleFlight>;

interface Flight {
  readonly startedAt: number;
  readonly result: Promise<unknown>;
}

/** Bounds the memory: beyond it the oldest entry is dropped. */
const CAPACITY = 1_000;

/**
 * Lets identical reads that begin within `windowMs` of the first share its answer: a double click, or two channels of
 * one account, cost one call.
 */
export const createSingleFlight = (windowMs: number, timers: Timers) => {
  const flights = new Map<string, Flight>();
  let cancelSweep: (() => void) | undefined;

  const sweep = () => {
    const oldest = timers.now() - windowMs;
    for (const [name, { startedAt }] of flights) {
      // Flights are in order of their start: the first fresh flight ends the search.
      if (startedAt > oldest) break;
      flights.delete(name);
    }
    cancelSweep = flights.size === 0 ? undefined : timers.after(windowMs, sweep);
  };

  const begin = <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const flight = { startedAt: timers.now(), result: work() };
    keepNewest(flights, name, flight, CAPACITY);
    cancelSweep ??= timers.after(windowMs, sweep);
    flight.result.catch(() => {
      if (flights.get(name) === flight) flights.delete(name);
    });
    return flight.result;
  };

  return {
    /** The result of the running or just finished work of this name, else of `work`, begun now. Failures are not kept. */
    share: <T>(name: string, work: () => Promise<T>): Promise<T> => {
      const flight = flights.get(name);
      const fresh = flight !== undefined && timers.now() - flight.startedAt < windowMs;
      // The name contains account and path, so the kept answer has the type of this path.
      return fresh ? (flight.result as Promise<T>) : begin(name, work);
    },
    size: (): number => flights.size,
    close: (): void => {
      cancelSweep?.();
      flights.clear();
    },
  };
};
