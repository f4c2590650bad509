import { DiscordAPIError, HTTPError, RateLimitError, REST, type RouteLike } from "discord.js";
import { commands } from "../commands/index.ts";
import { parseConfig } from "./config.ts";
import { DiscordApiError, fetchApplication } from "./discord/discord-api.ts";
import { NoAnswerError } from "./discord/discord-http.ts";
import { registerCommands } from "./discord/register-commands.ts";
import { runProgram } from "./program.ts";
import { abortAfter, MINUTE } from "./shared/time.ts";

const TOO_MANY_REQUESTS = 429;
/** Of one call with its repetitions: the library's own limit ends with the headers of an answer. */
const LONGEST_CALL_MS = 2 * MINUTE;

await runProgram(async () => {
  const config = parseConfig(process.env, "register");
  const rest = new REST({
    api: config.discordApiUrl,
    // Without an end the library waits, in silence: after a day's 200 creations for hours.
    rejectOnRateLimit: ({ retryAfter }) => retryAfter > MINUTE,
  }).setToken(config.discordToken.reveal());
  const api: Parameters<typeof fetchApplication>[0] = {
    json: (method, path, body) => {
      const route = path as RouteLike;
      const { signal, end } = abortAfter(LONGEST_CALL_MS);
      const answer =
        method === "GET" ? rest.get(route, { signal }) : rest.put(route, { body, signal });
      return answer.finally(end).catch((error: unknown) => {
        if (error instanceof RateLimitError)
          throw new DiscordApiError(method, path, TOO_MANY_REQUESTS, undefined);
        if (!(error instanceof DiscordAPIError || error instanceof HTTPError))
          throw new NoAnswerError(false, error);
        const code = "code" in error && typeof error.code === "number" ? error.code : undefined;
        throw new DiscordApiError(method, path, error.status, code);
      });
    },
  };
  const { applicationId } = await fetchApplication(api);
  const definitions = commands.map(({ definition }) => definition);
  const { published } = await registerCommands({ api, applicationId, definitions });
  const line = published
    ? `Published ${definitions.length} commands.`
    : `Discord holds these ${definitions.length} commands already: nothing was written.`;
  return { lines: [line] };
});
