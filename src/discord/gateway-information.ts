import type { APIGatewayBotInfo } from "discord-api-types/v10";
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
