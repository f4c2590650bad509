import { randomBytes } from "node:crypto";
import { flushCompileCache } from "node:module";
import { startBot, type Adapters, type Bot } from "../bot.ts";
import { ConfigError, parseConfig } from "../config.ts";
import { exitCodes } from "../shared/errors.ts";
import { createLogger, safeError } from "../shared/log.ts";
import { createSecretScrubber } from "../shared/secret.ts";
import type { FromBot, ToBot } from "./start-bot-process.ts";
import { createVirtualClock, minutesOf, timersAheadBy } from "./clock.ts";

/**
 * Runs the real bot in this process, controlled by the parent over IPC, with a clock that follows the sandbox's.
 * `adapters` let a test put a fault between the bot and a part of it.
 */
export const runBotProcess = (adapters?: Partial<Adapters>): void => {
  let bot: Promise<Bot> | undefined;
  let stopping: Promise<void> | undefined;
  let running: Promise<unknown> = Promise.resolve();
  let nextTick: Promise<void> | undefined;
  const clock = createVirtualClock();

  const start = async (env: Readonly<Record<string, string>>): Promise<Bot> => {
    const config = parseConfig(env, "start", () => undefined);
    const scrubber = createSecretScrubber();
    const started = await startBot(
      config,
      {
        clock,
        everyMinute: minutesOf(clock),
        leaseClock: clock,
        paceTimers: timersAheadBy(clock),
        random: { bytes: (size) => randomBytes(size), fraction: Math.random },
        log: createLogger(config.logLevel, scrubber),
        exit: (code) => process.exit(code),
      },
      adapters,
    );
    await started.ready;
    // Now, because a process that is killed writes no cache.
    flushCompileCache();
    send({ kind: "ready" });
    return started;
  };
  /** Requests during a tick share the next tick, so that a clock that moves often makes no queue. */
  const tickNext = (): Promise<void> => {
    nextTick ??= running.then(async () => {
      nextTick = undefined;
      const tick = (await bot)?.tick();
      running = Promise.allSettled([tick]);
      await tick;
    });
    return nextTick;
  };
  const tick = async (id: number): Promise<void> => {
    try {
      await tickNext();
      send({ kind: "ticked", id });
    } catch (error) {
      send({ kind: "ticked", id, error: JSON.stringify(safeError(error)) });
    }
  };
  const stop = async (): Promise<void> => {
    await (await bot)?.stop();
    process.exit(0);
  };
  const stopOnce = (): void => {
    stopping ??= stop().catch(crash);
  };

  process.on("message", (message: ToBot) => {
    if (message.kind === "stop") return stopOnce();
    clock.moveBy(message.offsetMs - clock.offsetMs());
    if (message.kind === "clock") return void tick(message.id);
    bot = start(message.env);
    bot.catch(crash);
  });
  process.on("SIGTERM", stopOnce);
  // Ctrl+C reaches all processes of the terminal: the parent decides when this one stops.
  process.on("SIGINT", () => {});
  // Without its sandbox the bot has no Discord and no wallet.
  process.on("disconnect", stopOnce);
};

const send = (message: FromBot): void => {
  if (process.connected) process.send?.(message);
};

const crash = (error: unknown): void => {
  if (error instanceof ConfigError) console.error(error.problems.join("\n"));
  else console.error(error);
  process.exit(error instanceof ConfigError ? exitCodes.configuration : exitCodes.failed);
};

if (import.meta.main) runBotProcess();
