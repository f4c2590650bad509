import { commands } from "../commands/index.ts";
import { ConfigError, parseConfig } from "./config.ts";
import { createDiscordApi, fetchApplication } from "./discord/discord-api.ts";
import { registerCommands } from "./discord/register-commands.ts";
import { exitCodes } from "./shared/errors.ts";
import { readSecretFile, startFailure } from "./program.ts";
import { createLogger } from "./shared/log.ts";
import { createSecretScrubber } from "./shared/secret.ts";

const say = (lines: readonly string[]): void => void process.stdout.write(`${lines.join("\n")}\n`);

const register = async (): Promise<string> => {
  const config = parseConfig(process.env, "register", readSecretFile);
  const scrubber = createSecretScrubber();
  scrubber.hide(config.discordToken.reveal());
  const api = createDiscordApi({
    apiUrl: config.discordApiUrl,
    token: config.discordToken,
    log: createLogger("warn", scrubber),
  });
  try {
    const { applicationId } = await fetchApplication(api);
    const definitions = commands.map(({ definition }) => definition);
    const { published } = await registerCommands({ api, applicationId, definitions });
    return published
      ? `Published ${definitions.length} commands.`
      : `Discord holds these ${definitions.length} commands already: nothing was written.`;
  } finally {
    await api.close();
  }
};

/** What to tell the operator, and the code to end with. */
const failureOf = (
  error: unknown,
): { readonly lines: readonly string[]; readonly code: number } => {
  if (error instanceof ConfigError)
    return {
      lines: [`${error.message}:`, ...error.problems.map((problem) => `  - ${problem}`)],
      code: exitCodes.configuration,
    };
  const { code, advice } = startFailure(error);
  if (advice === undefined) throw error;
  return { lines: [advice], code };
};

try {
  say([await register()]);
} catch (error) {
  const { lines, code } = failureOf(error);
  say(lines);
  process.exitCode = code;
}
