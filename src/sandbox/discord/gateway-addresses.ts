import type { Handle } from "./call.ts";

const addressOf = (origin: string): string => `${origin.replace("http", "ws")}/gateway`;

/** `GET /gateway`: where to connect. */
export const getGateway: Handle = (_call, { state }) => ({
  status: 200,
  body: { url: addressOf(state.origin) },
});

/** `GET /gateway/bot`: where to connect, with how many shards, and how many sessions may still be started. */
export const getGatewayBot: Handle = (_call, { state, gateway }) => ({
  status: 200,
  body: {
    url: addressOf(state.origin),
    shards: gateway.recommendedShards,
    session_start_limit: gateway.starts.limit(),
  },
});
