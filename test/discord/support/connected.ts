import { connectGateway, type GatewayParts } from "#src/discord/gateway.ts";
import { Secret } from "#src/shared/secret.ts";
import { startFakeGateway, type FakeGateway } from "./fake-gateway.ts";
import { NOW, recordingLog, steadyRandom } from "./parts.ts";

export type Connected = Awaited<ReturnType<typeof connect>>;

const limitOf = (limit: object) => ({
  session_start_limit: {
    total: 1000,
    remaining: 1000,
    reset_after: 0,
    max_concurrency: 1,
    ...limit,
  },
});

/** A gateway connection that skips its waits and whose watchdog the test drives. */
export const connect = async (
  options: {
    readonly parts?: Partial<GatewayParts>;
    readonly limit?: object;
    readonly recentStarts?: number;
    readonly server?: FakeGateway;
  } = {},
) => {
  const server = options.server ?? (await startFakeGateway());
  const { log, lines } = recordingLog();
  const interactions: unknown[] = [];
  /** Whole seconds that the gateway was made to wait, in order; the waits themselves are skipped. */
  const waits: number[] = [];
  const starts: Temporal.Instant[] = [];
  const exited = Promise.withResolvers<number>();
  let sample = (_elapsedMs: number): void => {};
  const gateway = connectGateway({
    token: new Secret("bot-token"),
    api: { json: async () => ({ url: server.url, shards: 1, ...limitOf(options.limit ?? {}) }) },
    onInteraction: async (raw) => void interactions.push(raw),
    identifyBudget: {
      recordStart: async (_, at) => void starts.push(at),
      startsSince: async () => options.recentStarts ?? 0,
    },
    clock: { now: () => NOW },
    random: steadyRandom,
    log,
    exit: (code) => exited.resolve(code),
    wait: async (ms, signal) => {
      signal.throwIfAborted();
      waits.push(Math.round(ms / 1_000));
    },
    every: (given) => {
      sample = given;
      return () => {};
    },
    ...options.parts,
  });
  return {
    server,
    gateway,
    interactions,
    lines,
    waits,
    starts,
    exited: exited.promise,
    sample: (elapsedMs = 15_000) => sample(elapsedMs),
    stop: async (): Promise<void> => {
      await gateway.stop();
      await server.stop();
    },
  };
};
