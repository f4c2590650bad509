import { type Bot, type BotHost, startBot } from "./bot.ts";
import { cronMinutes } from "./scheduler/scheduler.job.ts";
import { exitCodes } from "./shared/errors.ts";
import { SECOND } from "./shared/time.ts";
import { returnLargeBlocks } from "./scheduler/idle-memory.job.ts";
import { createStartLog, host, readStartConfig, say, startFailure } from "./program.ts";

const STOP_WITHIN_MS = 20 * SECOND;

const config = readStartConfig();
delete process.env["MASTER_KEY"];
delete process.env["DISCORD_TOKEN"];
const log = createStartLog(config);
returnLargeBlocks();
/** Whether discord.js's ShardingManager started this process (see shards.ts). */
const isSupervised = process.env["SHARDING_MANAGER"] !== undefined && process.connected;

let bot: Bot | undefined;
let leaving = false;

const leave = async (code: number): Promise<void> => {
  if (leaving) return;
  leaving = true;
  setTimeout(() => {
    log.error(`stopped after ${STOP_WITHIN_MS / SECOND} s with work under way`);
    process.exit(code === exitCodes.done ? exitCodes.failed : code);
  }, STOP_WITHIN_MS).unref();
  await bot?.stop().catch((err: unknown) => log.error({ err }, "did not stop cleanly"));
  process.exit(code);
};

/** Exits with the code for this error. An error with advice for the operator is printed without a stack. */
const giveUp = async (error: unknown, event: string): Promise<void> => {
  const { code, advice } = startFailure(error);
  if (advice === undefined) log.error({ err: error }, event);
  else say([advice]);
  await leave(code);
};

const botHost: BotHost = {
  ...host,
  everyMinute: cronMinutes(host.clock, log),
  log,
  say: (sentence) => say([sentence]),
  exit: (code, reason) => {
    if (leaving) return;
    log.error({ code, reason }, "leaving");
    say([reason]);
    void leave(code);
  },
};

const stopOnSignal = (signal: NodeJS.Signals): void => {
  // A terminal signals every process of the group, and the supervisor then signals this one again.
  if (leaving && isSupervised) return;
  if (leaving) process.exit(exitCodes.failed);
  log.info({ signal }, "stopping");
  void leave(exitCodes.done);
};
process.on("SIGTERM", stopOnSignal);
process.on("SIGINT", stopOnSignal);
// The supervisor is gone, and the next one will start its own processes for these shards.
if (isSupervised) process.on("disconnect", () => void leave(exitCodes.done));

for (const event of ["uncaughtException", "unhandledRejection"] as const) {
  process.on(event, (err: unknown) => void giveUp(err, "an error that nothing caught"));
}

try {
  bot = await startBot(config, botHost);
  await bot.ready;
  log.info("ready");
  if (isSupervised && process.connected) process.send?.({ _ready: true });
} catch (error) {
  await giveUp(error, "could not start");
}
