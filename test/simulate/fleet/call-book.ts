import { MINUTE } from "#src/shared/time.ts";
import { type CallKind, callKinds } from "./model-service.ts";

export interface Spread {
  readonly least: number;
  readonly mean: number;
  readonly most: number;
}

export interface CallBook {
  readonly note: (kind: CallKind, key: number, atMs: number) => void;
  readonly total: (kind: CallKind) => number;
  /** Maximum calls of one key in any 60 seconds. */
  readonly mostOfKey: () => number;
  /** Calls of these kinds in each minute of the span. */
  readonly spread: (kinds: readonly CallKind[], fromMs: number, untilMs: number) => Spread;
}

export const createCallBook = (): CallBook => {
  const totals = new Map<CallKind, number>(callKinds.map((kind) => [kind, 0]));
  const perMinute = new Map<CallKind, Map<number, number>>(
    callKinds.map((kind) => [kind, new Map()]),
  );
  const recent = new Map<number, number[]>();
  let mostOfKey = 0;
  const minuteOf = (ms: number): number => Math.floor(ms / MINUTE);

  return {
    note: (kind, key, atMs) => {
      totals.set(kind, (totals.get(kind) ?? 0) + 1);
      const minutes = perMinute.get(kind);
      const minute = minuteOf(atMs);
      minutes?.set(minute, (minutes.get(minute) ?? 0) + 1);
      const times = (recent.get(key) ?? []).filter((each) => each > atMs - MINUTE);
      times.push(atMs);
      recent.set(key, times);
      mostOfKey = Math.max(mostOfKey, times.length);
    },
    total: (kind) => totals.get(kind) ?? 0,
    mostOfKey: () => mostOfKey,
    spread: (kinds, fromMs, untilMs) => {
      const first = minuteOf(fromMs);
      const minutes = Array.from({ length: minuteOf(untilMs) - first }, (_, index) =>
        kinds.reduce((sum, kind) => sum + (perMinute.get(kind)?.get(first + index) ?? 0), 0),
      );
      const sum = minutes.reduce((total, each) => total + each, 0);
      return {
        least: Math.min(...minutes),
        mean: sum / minutes.length,
        most: Math.max(...minutes),
      };
    },
  };
};
