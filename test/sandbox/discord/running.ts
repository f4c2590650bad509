import { request } from "undici";
import { onTestFinished } from "vitest";
import { createVirtualClock } from "#src/sandbox/clock.ts";
import type { VirtualClock } from "#src/sandbox/clock.ts";
import { startLocalDiscord } from "#src/sandbox/discord/local-discord.ts";
import type { LocalDiscord, LocalDiscordOptions } from "#src/sandbox/discord/local-discord.ts";
import { createFaults } from "#src/sandbox/faults.ts";
import type { Faults } from "#src/sandbox/faults.ts";
import { APPLICATION } from "#src/sandbox/world.ts";

/** The fields of Discord's answers that tests read. */
export interface Json {
  readonly id: string;
  readonly code: number;
  readonly content: string;
  readonly nonce: string;
  readonly [field: string]: unknown;
}

export interface RestAnswer<Body = Json> {
  readonly status: number;
  readonly body: Body;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface Running {
  readonly discord: LocalDiscord;
  readonly clock: VirtualClock;
  readonly faults: Faults;
  readonly rest: <Body = Json>(
    method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
    path: string,
    body?: unknown,
    token?: string,
  ) => Promise<RestAnswer<Body>>;
}

/** A local Discord that stops with the test; rate limits are off by default. */
export const startDiscord = async (
  options: Partial<LocalDiscordOptions> = {},
): Promise<Running> => {
  const clock = options.clock ?? createVirtualClock();
  const faults = options.faults ?? createFaults();
  const discord = await startLocalDiscord({
    requestsPerSecond: Infinity,
    postsPerChannel: Infinity,
    ...options,
    clock,
    faults,
  });
  onTestFinished(discord.stop);
  return {
    discord,
    clock,
    faults,
    rest: async (method, path, body, token = APPLICATION.token) => {
      const response = await request(`${discord.apiUrl}/v10${path}`, {
        method,
        headers: {
          authorization: `Bot ${token}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        body: body === undefined ? null : JSON.stringify(body),
      });
      const text = await response.body.text();
      return {
        status: response.statusCode,
        headers: response.headers,
        body: (text === "" ? {} : JSON.parse(text)) as never,
      };
    },
  };
};
