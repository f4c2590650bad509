import { spawn } from "node:child_process";
import { once } from "node:events";
import { PROGRAM_ENVIRONMENT } from "../../support/program-environment.ts";

/** Starts one of our programs as an operator would. `options` are Node's. */
export const startProgram = (
  entry: string,
  env: Readonly<Record<string, string>>,
  options: readonly string[] = [],
) => {
  const child = spawn(process.execPath, [...options, entry], {
    env: { ...PROGRAM_ENVIRONMENT, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (data) => (output += String(data)));
  const exited = once(child, "exit").then(([code]) => code as number | null);
  return {
    child,
    exited,
    output: () => output,
    /** Resolves when the program has written this text `times` times; rejects when it ends first. */
    written: (text: string, times = 1) => {
      const waiting = Promise.withResolvers<void>();
      const look = () => output.split(text).length > times && waiting.resolve();
      child.stderr.on("data", look);
      child.once("exit", () => waiting.reject(new Error(output)));
      look();
      return waiting.promise;
    },
    kill: () => child.kill("SIGKILL") && exited,
  };
};
