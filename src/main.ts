import { randomBytes } from "node:crypto";
import { type Bot, type BotHost, startBot } from "./bot.ts";
import { cronMinutes } from "./jobs/every-minute.ts";
import { ConfigError, parseConfig } from "./config.ts";
import { exitCodes } from "./shared/exit-codes.ts";
import { readSecretFile } from "./secret-file.ts";
import { SECOND } from "./shared/duration.ts";
import { createLogger } from "./shared/log.ts";
import { createSecretScrubber } from "./shared/secret-scrubber.ts";
import { startFailure } from "./start-failure.ts";

const STOP_WITHIN_MS = 20 * SECOND;

const say = (lines: readonly string[]): void => void process.stderr.write(`${lines.join("\n")}\n`);

const readConfig = () => {
  try {
    const config = parseConfig(process.env, "start", readSecretFile);
    delete process.env["MASTER_KEY"];
    delete process.env["DISCORD_TOKEN"];
    return config;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    say([
      `${error.message}:`,
      ...error.problems.map((problem) => `  - ${problem}`),
      "Each variable is explained in .env.example. To try the bot without any account: npm run demo",
    ]);
    return process.exit(exitCodes.configuration);
  }
};

const config = readConfig();
const scrubber = createSecretScrubber();
scrubber.hide(config.discordToken.reveal());
for (const line of config.masterKey.reveal().split(/\s+/))
  scrubber.hide(line.slice(line.indexOf(":") + 1));
const log = createLogger(config.logLevel, scrubber);

let bot: Bot | undefined;
let leaving = false;

const leave = async (code: number): Promise<void> => {
  if (leaving) return;
  leaving = true;
  setTimeout(
    () => process.exit(code === exitCodes.done ? exitCodes.failed : code),
    STOP_WITHIN_MS,
  ).unref();
  await bot?.stop().catch((err: unknown) => log.error({ err }, "did not stop cleanly"));
  process.exit(code);
};

/** Ends with the code that the error asks for. What has a sentence for the operator needs no stack. */
const giveUp = async (error: unknown, event: string): Promise<void> => {
  const { code, advice } = startFailure(error);
  if (advice === undefined) log.error({ err: error }, event);
  else say([advice]);
  await leave(code);
};

const host: BotHost = {
  clock: { now: () => Temporal.Now.instant() },
  everyMinute: cronMinutes(log),
  random: { bytes: (size) => randomBytes(size), fraction: Math.random },
  log,
  say: (sentence) => say([sentence]),
  exit: (code, reason) => {
    log.error({ code, reason }, "leaving");
    void leave(code);
  },
};

const stopOnSignal = (signal: NodeJS.Signals): void => {
  if (leaving) process.exit(exitCodes.failed);
  log.info({ signal }, "stopping");
  void leave(exitCodes.done);
};
process.on("SIGTERM", stopOnSignal);
process.on("SIGINT", stopOnSignal);

for (const event of ["uncaughtException", "unhandledRejection"] as const) {
  process.on(event, (err: unknown) => void giveUp(err, "an error that nothing caught"));
}

try {
  bot = await startBot(config, host);
  await bot.ready;
  log.info("ready");
} catch (error) {
  await giveUp(error, "could not start");
}
