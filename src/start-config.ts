import { type Config, ConfigError, parseConfig } from "./config.ts";
import { readSecretFile } from "./secret-file.ts";
import { exitCodes } from "./shared/errors.ts";
import { createLogger, type Logger } from "./shared/log.ts";
import { createSecretScrubber } from "./shared/secret.ts";

export const say = (lines: readonly string[]): void =>
  void process.stderr.write(`${lines.join("\n")}\n`);

/** Configuration of a process that serves. One with problems ends here, with all of them told. */
export const readStartConfig = (): Config => {
  try {
    return parseConfig(process.env, "start", readSecretFile);
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

/** A log that hides this configuration's secrets. */
export const createStartLog = (config: Config): Logger => {
  const scrubber = createSecretScrubber();
  scrubber.hide(config.discordToken.reveal());
  for (const line of config.masterKey.reveal().split(/\s+/))
    scrubber.hide(line.slice(line.indexOf(":") + 1));
  return createLogger(config.logLevel, scrubber);
};
