import type { IdentifyBudgetStore } from "./gateway-records.store.ts";
import { setTimeout as pause } from "node:timers/promises";
import type { APIGatewayBotInfo } from "discord-api-types/v10";
import type { Logger } from "../shared/log.ts";
import { type DiscordApi, DiscordApiError } from "./discord-api.ts";
import { isShieldPage } from "./discord-http.ts";
import { fieldsOf, numberOf, textOf } from "./json.ts";
import { type Clock, MINUTE, SECOND } from "../shared/time.ts";

/**
 * Asks until Discord names its gateway. Undefined when Discord refuses the token; rejects only when the signal aborts.
 */
export const askForGateway = async (parts: {
  readonly api: Pick<DiscordApi, "json">;
  readonly log: Logger;
  readonly wait: Wait;
  readonly signal: AbortSignal;
}): Promise<APIGatewayBotInfo | undefined> => {
  const { api, log, wait, signal } = parts;
  for (let failures = 1; ; failures++) {
    let failure: Parameters<typeof askAgainDelayMs>[0] = {};
    try {
      const information = await fetchGateway(api);
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

/** `GET /gateway/bot`; undefined when the answer has no address. @throws DiscordApiError, NoAnswerError */
const fetchGateway = async (
  api: Pick<DiscordApi, "json">,
): Promise<APIGatewayBotInfo | undefined> => {
  const fields = fieldsOf(await api.json("GET", "/gateway/bot"));
  const limit = fieldsOf(fields["session_start_limit"]);
  const url = textOf(fields["url"]);
  if (url === undefined || !URL.canParse(url)) return undefined;
  return {
    url,
    shards: numberOf(fields["shards"]) ?? 1,
    session_start_limit: {
      total: numberOf(limit["total"]) ?? 0,
      // A missing number must not stop the bot for a day.
      remaining: numberOf(limit["remaining"]) ?? Number.POSITIVE_INFINITY,
      reset_after: numberOf(limit["reset_after"]) ?? 0,
      max_concurrency: Math.max(1, numberOf(limit["max_concurrency"]) ?? 1),
    },
  };
};

/** Window in which starts are counted. */
export const START_WINDOW_MS = 10 * MINUTE;
const FREE_STARTS = 5;
const LONGEST_RESTART_DELAY_MS = 600 * SECOND;
const SPARE_STARTS = 100;
const SPARE_STARTS_PER_SHARD = 10;
const LONGEST_ASK_DELAY_MS = MINUTE;
const BLOCKED_DELAY_MS = 10 * MINUTE;

/** Waits; rejects when the signal aborts. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

export const realWait: Wait = async (ms, signal) => {
  await pause(ms, undefined, { signal });
};

interface StartFacts {
  /** Session starts left today, and the time until Discord resets them. */
  readonly remaining: number;
  readonly resetAfterMs: number;
  readonly shardCount: number;
  /** Number of shards of this process. */
  readonly ownShards: number;
  /** IDENTIFYs of these shards in the last ten minutes, by this process and earlier ones. */
  readonly recentStarts: number;
}

/**
 * Wait before an IDENTIFY. Discord allows 1,000 a day and resets the token of a bot that sends more, for example in a
 * crash loop. Five starts of each shard in ten minutes are free.
 */
export const startDelayMs = (facts: StartFacts): number => {
  const { remaining, resetAfterMs, shardCount, ownShards, recentStarts } = facts;
  const few = remaining < SPARE_STARTS && remaining < SPARE_STARTS_PER_SHARD * shardCount;
  const starts = Math.floor(recentStarts / Math.max(1, ownShards));
  const restartDelayMs =
    starts > FREE_STARTS ? Math.min(2 ** starts * SECOND, LONGEST_RESTART_DELAY_MS) : 0;
  return Math.max(few ? resetAfterMs : 0, restartDelayMs);
};

/** Wait before the same question is asked again; undefined when Discord refuses the token. */
export const askAgainDelayMs = (
  failure: Partial<Pick<DiscordApiError, "status" | "code" | "retryAfterMs">>,
  failures: number,
): number | undefined => {
  if (failure.status === 401) return undefined;
  if (isShieldPage(failure)) return BLOCKED_DELAY_MS;
  const delayMs = Math.min(2 ** (failures - 1) * SECOND, LONGEST_ASK_DELAY_MS);
  return Math.min(Math.max(delayMs, failure.retryAfterMs ?? 0), BLOCKED_DELAY_MS);
};

const INFORMATION_AGE_MS = MINUTE;
/** Discord takes one IDENTIFY of each `shard id % max_concurrency` in five seconds. */
const SLOT_MS = 5.1 * SECOND;
/** How often a shard asks whether those of other processes have had their turn. */
const ASK_OTHERS_MS = 0.5 * SECOND;

/** Waits of several shards that end less apart than this are told as one. */
const SAME_WAIT_MS = MINUTE;

/** Sentence for the operator of a running bot that cannot answer all commands yet. */
const heldBack = (
  { remaining, recentStarts }: StartFacts,
  until: Temporal.Instant,
  delayMs: number,
): string =>
  `Discord is asked for no new session until ${until.toString({ smallestUnit: "second" })} (in ${Math.ceil(delayMs / SECOND)} s): ` +
  `${recentStarts} were begun in the last ten minutes and ${remaining} are left of the day's, and Discord resets the token ` +
  "of a bot that begins too many. Until then shards without a session answer no command; the bot goes on by itself.";

export type IdentifyLimiter = ReturnType<typeof createIdentifyLimiter>;

/** Delays each IDENTIFY. Both functions reject only when their signal aborts. */
export const createIdentifyLimiter = (parts: {
  readonly api: Pick<DiscordApi, "json">;
  readonly identifyBudget: IdentifyBudgetStore;
  readonly information: APIGatewayBotInfo;
  readonly shardCount: number;
  readonly ownShards: readonly number[];
  readonly clock: Clock;
  readonly log: Logger;
  readonly say?: ((sentence: string) => void) | undefined;
  readonly wait: Wait;
}) => {
  const { api, identifyBudget, shardCount, ownShards, clock, log, say, wait } = parts;
  let { information } = parts;
  let informedAt = performance.now();
  let spent = 0;
  let saidUntilMs = Number.NEGATIVE_INFINITY;
  /** Times of the IDENTIFYs that were sent or wait, by key, earliest first. */
  const slots = new Map<number, readonly number[]>();

  const takeSlot = (key: number, now: number): number => {
    const taken = (slots.get(key) ?? []).filter((each) => each > now - SLOT_MS);
    let at = now;
    for (const each of taken) if (Math.abs(each - at) < SLOT_MS) at = each + SLOT_MS;
    slots.set(
      key,
      [...taken, at].sort((one, other) => one - other),
    );
    return at;
  };

  /** Without this, the connections that a bad network closes while they wait would hold all shards up for minutes. */
  const giveBack = (key: number, at: number): void => {
    slots.set(
      key,
      (slots.get(key) ?? []).filter((each) => each !== at),
    );
  };

  const refresh = async (): Promise<void> => {
    if (performance.now() - informedAt < INFORMATION_AGE_MS) return;
    try {
      const fresh = await fetchGateway(api);
      if (fresh === undefined) return;
      information = fresh;
      informedAt = performance.now();
      spent = 0;
    } catch (error) {
      // The earlier answer, less the starts since then, still holds.
      log.warn({ err: error }, "Discord did not say how many session starts are left");
    }
  };

  const startsWithin = async (milliseconds: number, shards: readonly number[]): Promise<number> => {
    try {
      const now = clock.now();
      // Later ones are of before the clock was set back.
      return await identifyBudget.startsSince(
        now.subtract({ milliseconds }),
        now.add({ milliseconds }),
        shards,
      );
    } catch (error) {
      // An unreadable count must not keep the bot offline; the database reports its own failure.
      log.error({ err: error }, "recent session starts could not be read");
      return 0;
    }
  };

  /** A process begins once the one before is ready, sooner than Discord takes the next IDENTIFY. At most five seconds. */
  const awaitOthers = async (others: readonly number[], signal: AbortSignal): Promise<void> => {
    for (let ms = 0; ms < SLOT_MS && (await startsWithin(SLOT_MS, others)) > 0; ms += ASK_OTHERS_MS)
      await wait(ASK_OTHERS_MS, signal);
  };

  return {
    /** Waits while few session starts are left, before the connection is opened. */
    budget: async (shardId: number, signal: AbortSignal): Promise<void> => {
      await refresh();
      const { remaining, reset_after: resetAfterMs } = information.session_start_limit;
      const facts = {
        remaining: remaining - spent,
        resetAfterMs,
        shardCount,
        ownShards: ownShards.length,
        recentStarts: await startsWithin(START_WINDOW_MS, ownShards),
      };
      const delayMs = startDelayMs(facts);
      if (delayMs === 0) return;
      const until = clock.now().add({ milliseconds: delayMs });
      log.warn(
        { shard: shardId, ...facts, delayMs, until: until.toString() },
        "session starts are scarce: waiting before the next one",
      );
      if (Math.abs(until.epochMilliseconds - saidUntilMs) >= SAME_WAIT_MS) {
        saidUntilMs = until.epochMilliseconds;
        say?.(heldBack(facts, until, delayMs));
      }
      await wait(delayMs, signal);
    },

    /** Waits for the shard's turn, on the open connection, and records the start. */
    turn: async (shardId: number, signal: AbortSignal): Promise<void> => {
      const { max_concurrency: keys } = information.session_start_limit;
      const key = shardId % keys;
      const others = Array.from({ length: shardCount }, (_, id) => id).filter(
        (id) => id % keys === key && !ownShards.includes(id),
      );
      if (others.length > 0) await awaitOthers(others, signal);
      const now = performance.now();
      const at = takeSlot(key, now);
      try {
        if (at > now) await wait(at - now, signal);
      } catch (error) {
        giveBack(key, at);
        throw error;
      }
      spent++;
      try {
        await identifyBudget.recordStart(shardId, clock.now());
      } catch (error) {
        log.error({ err: error }, "a session start could not be recorded");
      }
    },
  };
};
