import type { ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { ShardingManager } from "discord.js";
import { SECOND } from "./shared/time.ts";
import { exitCodes } from "./shared/errors.ts";
import type { Logger } from "./shared/log.ts";

const ENTRY = fileURLToPath(new URL("start.js", import.meta.url));
const LONGEST_DELAY_MS = 60 * SECOND;

interface ShardProcesses {
  readonly token: string;
  readonly parts: readonly (readonly number[])[];
  /** All shards of the bot, in every process and machine. */
  readonly shardCount: number;
  /** Extra variables for the process with this index. */
  readonly environmentOf: (index: number) => Readonly<Record<string, string>>;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/**
 * Runs the bot in several processes and restarts those that die. Each starts after the one before is ready. Resolves
 * with the exit code once all have ended, by `signal` or because of a wrong setting.
 */
export const superviseShards = async (options: ShardProcesses): Promise<number> => {
  const { token, parts, shardCount, environmentOf, log, signal } = options;
  const manager = new ShardingManager(ENTRY, {
    totalShards: parts.length,
    token,
    // The manager's own respawn restarts at once, after every exit code.
    respawn: false,
    execArgv: process.execArgv,
  });
  const living = new Set<ChildProcess>();
  const restarts = new Set<NodeJS.Timeout>();
  const ended = Promise.withResolvers<number>();
  let code: number | undefined;

  const endIfNoneIsLeft = (): void => {
    if (living.size + restarts.size === 0) ended.resolve(code ?? exitCodes.done);
  };
  const stop = (exitCode: number): void => {
    code ??= exitCode;
    for (const timer of restarts) clearTimeout(timer);
    restarts.clear();
    for (const child of living) child.kill("SIGTERM");
    endIfNoneIsLeft();
  };

  /** Resolves when the process is ready, after any number of starts. */
  const begin = async (shards: readonly number[], index: number): Promise<void> => {
    const ready = Promise.withResolvers<void>();
    const shard = manager.createShard(index);
    Object.assign(shard.env as NodeJS.ProcessEnv, {
      ...environmentOf(index),
      SHARDS: shards.join(","),
      SHARD_COUNT: String(shardCount),
    });
    let failures = 0;
    // Without a timeout: Discord's session limits decide how long a start takes.
    const start = async (): Promise<void> => {
      const child = await shard.spawn(-1);
      living.add(child);
      log.info({ shards, pid: child.pid }, "a process has begun");
    };
    const restart = (): void => {
      const delayMs = Math.min(2 ** failures++ * SECOND, LONGEST_DELAY_MS);
      log.warn({ shards, delayMs }, "a process of the bot is started again");
      const timer = setTimeout(() => {
        restarts.delete(timer);
        void start();
      }, delayMs);
      restarts.add(timer);
    };
    shard.on("ready", () => {
      failures = 0;
      ready.resolve();
    });
    shard.on("death", (process) => {
      const child = process as ChildProcess;
      living.delete(child);
      log.info({ shards, code: child.exitCode, signal: child.signalCode }, "a process has ended");
      if (child.exitCode === exitCodes.configuration) stop(exitCodes.configuration);
      else if (code === undefined && child.exitCode !== exitCodes.done) restart();
      endIfNoneIsLeft();
    });
    await start();
    await ready.promise;
  };

  signal.addEventListener("abort", () => stop(exitCodes.done));
  // A listener is not called for a signal of before.
  if (signal.aborted) stop(exitCodes.done);
  for (const [index, shards] of parts.entries()) {
    if (code === undefined) await Promise.race([begin(shards, index), ended.promise]);
  }
  return await ended.promise;
};

/** Splits the shards into consecutive parts of nearly equal size, at most one for each process. */
export const shareShards = (
  shards: readonly number[],
  processes: number,
): readonly (readonly number[])[] => {
  const parts = Math.min(processes, shards.length);
  const beginOf = (part: number): number => Math.floor((part * shards.length) / parts);
  return Array.from({ length: parts }, (_, part) => shards.slice(beginOf(part), beginOf(part + 1)));
};
