import type { APIGatewayBotInfo } from "discord-api-types/v10";
import { type Clock, MINUTE, SECOND } from "../shared/time.ts";
import type { Logger } from "../shared/log.ts";
import { START_WINDOW_MS, startDelayMs, type StartFacts, type Wait } from "./connect-plan.ts";
import { parseGatewayInformation } from "./gateway-information.ts";
import type { DiscordApi } from "./discord-api.ts";

const INFORMATION_AGE_MS = MINUTE;
/** Discord takes one IDENTIFY of each `shard id % max_concurrency` in five seconds. */
const SLOT_MS = 5.1 * SECOND;

/** Session starts, counted where a restart does not forget them. */
export interface IdentifyBudget {
  readonly recordStart: (shard: number, at: Temporal.Instant) => Promise<void>;
  /** Of these shards, at that instant or later. */
  readonly startsSince: (at: Temporal.Instant, shards: readonly number[]) => Promise<number>;
}

/** For the operator, who sees a bot that is up and answers no command. */
const heldBack = (
  { remaining, recentStarts }: StartFacts,
  until: Temporal.Instant,
  delayMs: number,
): string =>
  `Discord is asked for no new session until ${until.toString({ smallestUnit: "second" })} (in ${Math.ceil(delayMs / SECOND)} s): ` +
  `${recentStarts} were begun in the last ten minutes and ${remaining} are left of the day's, and Discord resets the token ` +
  "of a bot that begins too many. Until then no command is answered; the bot goes on by itself.";

/** What stands between a shard and its IDENTIFY. Both reject only when their signal aborts. */
export interface StartGate {
  /** Before a connection is opened that will IDENTIFY. */
  readonly budget: (signal: AbortSignal) => Promise<void>;
  /** On the connection: its turn among the shards. Records the start. */
  readonly turn: (shardId: number, signal: AbortSignal) => Promise<void>;
}

export const createStartGate = (parts: {
  readonly api: Pick<DiscordApi, "json">;
  readonly identifyBudget: IdentifyBudget;
  readonly information: APIGatewayBotInfo;
  readonly shardCount: number;
  /** Ids of the shards of this process. */
  readonly ownShards: readonly number[];
  readonly clock: Clock;
  readonly log: Logger;
  /** Shows a sentence to the operator, whatever the level of the log. */
  readonly say?: ((sentence: string) => void) | undefined;
  readonly wait: Wait;
}): StartGate => {
  const { api, identifyBudget, shardCount, ownShards, clock, log, say, wait } = parts;
  let { information } = parts;
  let informedAt = performance.now();
  let spent = 0;
  const slotFreeAt = new Map<number, number>();

  const refresh = async (): Promise<void> => {
    if (performance.now() - informedAt < INFORMATION_AGE_MS) return;
    try {
      const fresh = parseGatewayInformation(await api.json("GET", "/gateway/bot"));
      if (fresh === undefined) return;
      information = fresh;
      informedAt = performance.now();
      spent = 0;
    } catch (error) {
      // What was known before, less what was spent since, is the best there is.
      log.warn({ err: error }, "Discord did not say how many session starts are left");
    }
  };

  const recentStarts = async (): Promise<number> => {
    try {
      return await identifyBudget.startsSince(
        clock.now().subtract({ milliseconds: START_WINDOW_MS }),
        ownShards,
      );
    } catch (error) {
      // A database that fails has its own alarm; the bot still may come back to its people.
      log.error({ err: error }, "recent session starts could not be read");
      return 0;
    }
  };

  return {
    budget: async (signal) => {
      await refresh();
      const { remaining, reset_after: resetAfterMs } = information.session_start_limit;
      const facts = {
        remaining: remaining - spent,
        resetAfterMs,
        shardCount,
        ownShards: ownShards.length,
        recentStarts: await recentStarts(),
      };
      const delayMs = startDelayMs(facts);
      if (delayMs === 0) return;
      const until = clock.now().add({ milliseconds: delayMs });
      log.warn(
        { ...facts, delayMs, until: until.toString() },
        "session starts are scarce: waiting before the next one",
      );
      say?.(heldBack(facts, until, delayMs));
      await wait(delayMs, signal);
    },

    turn: async (shardId, signal) => {
      const key = shardId % information.session_start_limit.max_concurrency;
      const now = performance.now();
      const at = Math.max(now, slotFreeAt.get(key) ?? 0);
      slotFreeAt.set(key, at + SLOT_MS);
      if (at > now) await wait(at - now, signal);
      spent++;
      try {
        await identifyBudget.recordStart(shardId, clock.now());
      } catch (error) {
        log.error({ err: error }, "a session start could not be recorded");
      }
    },
  };
};
