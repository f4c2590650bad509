import type { Logger } from "#src/shared/log.ts";
import type { Random } from "#src/shared/random.ts";

export interface LogLine {
  readonly level: "debug" | "info" | "warn" | "error";
  readonly fields: Readonly<Record<string, unknown>>;
  readonly text: string;
}

export const recordingLog = (): { readonly log: Logger; readonly lines: readonly LogLine[] } => {
  const lines: LogLine[] = [];
  const at =
    (level: LogLine["level"]) =>
    (first: unknown, text = ""): void => {
      if (typeof first === "string") lines.push({ level, fields: {}, text: first });
      else lines.push({ level, fields: first as LogLine["fields"], text });
    };
  const log = { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
  return { log, lines };
};

/** Always the same bytes and the same fraction. */
export const steadyRandom: Random = {
  bytes: (size) => new Uint8Array(size),
  fraction: () => 0,
};

export const NOW = Temporal.Instant.from("2026-11-20T21:05:00Z");

/** A clock that changes only by `set`. */
export const standingClock = (now = NOW) => {
  let current = now;
  return {
    now: () => current,
    set: (instant: Temporal.Instant) => {
      current = instant;
    },
  };
};
