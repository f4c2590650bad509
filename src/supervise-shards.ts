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
  /** Shards of each process. */
  readonly parts: readonly (readonly number[])[];
  /** All shards of the bot, of every process and machine. */
  readonly shardCount: number;
  /** Variables of the process with this index, beside those of this one. */
  readonly environmentOf: (index: number) => Readonly<Record<string, string>>;
  readonly log: Logger;
  /** Ends all of them. */
  readonly signal: AbortSignal;
}

/**
 * Runs the bot in several processes, each started once the one before is ready, and brings back those that die. Gives
 * the code to exit with when all have ended: because they were told to, or because one has a wrong setting.
 */
export const superviseShards = async (options: ShardProcesses): Promise<number> => {
  const { token, parts, shardCount, environmentOf, log, signal } = options;
  const manager = new ShardingManager(ENTRY, {
    totalShards: parts.length,
    token,
    // By itself it would bring back at once whatever ends, for whatever reason.
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

  /** Resolves when the process is ready, however often it had to be started. */
  const begin = async (shards: readonly number[], index: number): Promise<void> => {
    const ready = Promise.withResolvers<void>();
    const shard = manager.createShard(index);
    Object.assign(shard.env as NodeJS.ProcessEnv, {
      ...environmentOf(index),
      SHARDS: shards.join(","),
      SHARD_COUNT: String(shardCount),
    });
    let failures = 0;
    // Waits for nothing: how long a start takes is Discord's to say.
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
  for (const [index, shards] of parts.entries()) {
    if (code === undefined) await Promise.race([begin(shards, index), ended.promise]);
  }
  return await ended.promise;
};

/** Consecutive parts of nearly the same size, one for each process; none is empty. */
export const shareShards = (
  shards: readonly number[],
  processes: number,
): readonly (readonly number[])[] => {
  const parts = Math.min(processes, shards.length);
  const beginOf = (part: number): number => Math.floor((part * shards.length) / parts);
  return Array.from({ length: parts }, (_, part) => shards.slice(beginOf(part), beginOf(part + 1)));
};
