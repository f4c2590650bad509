import { request } from "undici";
import { onTestFinished } from "vitest";
import { createVirtualClock } from "#src/sandbox/clock.ts";
import { type LocalDiscordOptions, startLocalDiscord } from "#src/sandbox/discord/local-discord.ts";
import { createFaults } from "#src/sandbox/faults.ts";
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

export type Running = Awaited<ReturnType<typeof startDiscord>>;

/** A local Discord that stops with the test; rate limits are off by default. */
export const startDiscord = async (options: Partial<LocalDiscordOptions> = {}) => {
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
    rest: async <Body = Json>(
      method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
      path: string,
      body?: unknown,
      token: string = APPLICATION.token,
    ): Promise<RestAnswer<Body>> => {
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
        body: (text === "" ? {} : JSON.parse(text)) as Body,
      };
    },
  };
};
