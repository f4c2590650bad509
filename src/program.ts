import { randomBytes } from "node:crypto";
import { ConfigError } from "./config.ts";
import { exitCodes } from "./shared/errors.ts";
import { startFailure } from "./start-failure.ts";

/** What an operator's program is given by its process. */
export const host = {
  random: { bytes: (size: number) => randomBytes(size), fraction: Math.random },
  clock: { now: () => Temporal.Now.instant() },
};

const say = (lines: readonly string[]): void => void process.stdout.write(`${lines.join("\n")}\n`);

/** What to tell the operator, and the code to end with. */
const failureOf = (
  error: unknown,
): { readonly lines: readonly string[]; readonly code: number } => {
  if (error instanceof ConfigError)
    return { lines: [`${error.message}:`, ...error.problems], code: exitCodes.configuration };
  const { code, advice } = startFailure(error);
  if (advice === undefined) throw error;
  return { lines: [advice], code };
};

/** Runs a program of the operator, says what it came to and sets the exit code. */
export const runProgram = async (
  work: () => Promise<{ readonly lines: readonly string[]; readonly code?: number }>,
): Promise<void> => {
  const { lines, code = exitCodes.done } = await work().catch(failureOf);
  say(lines);
  process.exitCode = code;
};
