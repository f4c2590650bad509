import type { Clock } from "#src/shared/time.ts";

/** What happens in a simulation, in words that depend on the seed alone, and the rules that it breaks. */
export interface Trace {
  readonly trace: readonly string[];
  readonly violations: readonly string[];
  readonly note: (text: string) => void;
  readonly violate: (rule: string, why: string) => void;
  /** Counts an error that nothing expected as a broken rule. */
  readonly onBroken: (error: unknown) => void;
}

export const createTrace = (clock: Clock): Trace => {
  const trace: string[] = [];
  const violations: string[] = [];
  const note = (text: string): void => {
    trace.push(`${clock.now().toString()} ${text}`);
  };
  const violate = (rule: string, why: string): void => {
    note(`${rule} BROKEN: ${why}`);
    violations.push(`${rule}: ${why}`);
  };
  return {
    trace,
    violations,
    note,
    violate,
    onBroken: (error) =>
      violate("X", error instanceof Error ? (error.stack ?? error.message) : String(error)),
  };
};
