import type { APIGatewayBotInfo } from "discord-api-types/v10";
import type { Logger } from "../shared/log.ts";
import { askAgainDelayMs, type Wait } from "./connect-plan.ts";
import { DiscordApiError, type DiscordApi } from "./discord-api.ts";
import { fieldsOf, numberOf, textOf } from "./wire.ts";

/** `GET /gateway/bot` as we need it; undefined when it names no address. */
export const parseGatewayInformation = (body: unknown): APIGatewayBotInfo | undefined => {
  const fields = fieldsOf(body);
  const limit = fieldsOf(fields["session_start_limit"]);
  const url = textOf(fields["url"]);
  if (url === undefined || !URL.canParse(url)) return undefined;
  return {
    url,
    shards: numberOf(fields["shards"]) ?? 1,
    session_start_limit: {
      total: numberOf(limit["total"]) ?? 0,
      // What Discord does not say must not keep the bot away for a day.
      remaining: numberOf(limit["remaining"]) ?? Number.POSITIVE_INFINITY,
      reset_after: numberOf(limit["reset_after"]) ?? 0,
      max_concurrency: Math.max(1, numberOf(limit["max_concurrency"]) ?? 1),
    },
  };
};

/**
 * Asks until Discord says where its gateway is. Undefined when it does not accept the token; rejects only when the
 * signal aborts.
 */
export const askForGateway = async (parts: {
  readonly api: Pick<DiscordApi, "json">;
  readonly log: Logger;
  readonly wait: Wait;
  readonly signal: AbortSignal;
}): Promise<APIGatewayBotInfo | undefined> => {
  const { api, log, wait, signal } = parts;
  for (let failures = 1; ; failures++) {
    let failure: { readonly status?: number; readonly code?: number | undefined } = {};
    try {
      const information = parseGatewayInformation(await api.json("GET", "/gateway/bot"));
      if (information !== undefined) return information;
      log.warn("Discord's answer names no gateway");
    } catch (error) {
      log.warn({ err: error }, "Discord does not say where its gateway is");
      if (error instanceof DiscordApiError) failure = error;
    }
    const delayMs = askAgainDelayMs(failure, failures);
    if (delayMs === undefined) return undefined;
    await wait(delayMs, signal);
  }
};
