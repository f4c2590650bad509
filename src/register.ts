import { commands } from "../commands/index.ts";
import { parseConfig } from "./config.ts";
import { createDiscordApi, fetchApplication } from "./discord/discord-api.ts";
import { registerCommands } from "./discord/register-commands.ts";
import { runProgram } from "./program.ts";
import { createLogger } from "./shared/log.ts";
import { createSecretScrubber } from "./shared/secret.ts";

await runProgram(async () => {
  const config = parseConfig(process.env, "register");
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
    const line = published
      ? `Published ${definitions.length} commands.`
      : `Discord holds these ${definitions.length} commands already: nothing was written.`;
    return { lines: [line] };
  } finally {
    await api.close();
  }
});
