import { pathToFileURL } from "node:url";
import { vi } from "vitest";

let runs = 0;

/**
 * Runs a program of the operator in this process, where its modules are loaded already; `env` adds variables.
 * @returns its exit code and all that it printed
 */
export const runHere = async (
  program: "backup" | "register" | "restore" | "rotate-keys",
  env: Readonly<Record<string, string>>,
  ...words: readonly string[]
): Promise<{ readonly code: number; readonly said: string }> => {
  let said = "";
  const write = (text: unknown): boolean => {
    said += String(text);
    return true;
  };
  const spies = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, "write").mockImplementation(write),
  );
  const { argv } = process;
  process.argv = [process.execPath, program, ...words];
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  try {
    // A name of its own, so that the program runs each time.
    await import(`${pathToFileURL(`src/${program}.ts`).href}?${(runs += 1)}`);
    return { code: Number(process.exitCode), said };
  } finally {
    process.exitCode = undefined;
    process.argv = argv;
    vi.unstubAllEnvs();
    for (const spy of spies) spy.mockRestore();
  }
};
