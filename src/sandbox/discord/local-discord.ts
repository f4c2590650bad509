import type { APIApplicationCommand } from "discord-api-types/v10";
import { MINUTE, SECOND } from "../../shared/time.ts";
import type { VirtualClock } from "../clock.ts";
import type { Faults } from "../faults.ts";
import type { RecordedRequest } from "../recorder.ts";
import type { SandboxPerson } from "../world.ts";
import { createRequestLog, startServer } from "./rest/server.ts";
import { createReplaceCommands } from "./command-registry.ts";
import { attachmentData } from "./messages.ts";
import type { Discord } from "./rest/call.ts";
import { createGateway } from "./gateway/gateway.ts";
import { createInteractions } from "./interactions.ts";
import { createGuildControls } from "./guild-controls.ts";
import { createNonces } from "./nonces.ts";
import { type PersonView, viewOf } from "./people/person-view.ts";
import { createPerson, type Person } from "./people/person.ts";
import { createRateLimits } from "./rest/rate-limits.ts";
import { createState, newPerson, type PersonState, type StoredMessage } from "./state.ts";

export interface LocalDiscordOptions {
  readonly clock: VirtualClock;
  readonly faults: Faults;
  /** Called with every REST request, refused and failed requests included. */
  readonly record?: (request: RecordedRequest) => void;
  /** Guilds that the bot is in; the first has the world's channels and people. 1 by default. */
  readonly guildCount?: number;
  /** Shards that `/gateway/bot` recommends; one for each 1,000 guilds by default. */
  readonly recommendedShards?: number;
  /** How long `enforce_nonce` finds an earlier message, by the virtual clock. 5 minutes by default. */
  readonly nonceWindowMs?: number;
  /** REST requests a second, interaction endpoints exempt. 50 by default; Infinity: no limit. */
  readonly requestsPerSecond?: number;
  /** Messages a channel accepts in 5 seconds. 5 by default; Infinity: no limit. */
  readonly postsPerChannel?: number;
  /** How long a person waits for the first answer. 3 seconds by default, as at Discord. */
  readonly answerWithinMs?: number;
}

export type LocalDiscord = Awaited<ReturnType<typeof startLocalDiscord>>;

const GUILDS_OF_SHARD = 1_000;

const createDiscord = (options: LocalDiscordOptions): Discord => {
  const { clock, guildCount = 1 } = options;
  const state = createState(clock);
  return {
    state,
    interactions: createInteractions(state, options.answerWithinMs ?? 3 * SECOND),
    gateway: createGateway(state, {
      guildCount,
      recommendedShards: options.recommendedShards ?? Math.ceil(guildCount / GUILDS_OF_SHARD),
    }),
    nonces: createNonces(clock, options.nonceWindowMs ?? 5 * MINUTE),
    replaceCommands: createReplaceCommands(state),
  };
};

/**
 * Starts Discord on this machine with the bot token and the people of `world.ts`: REST v10 and gateway v10 over real
 * sockets on 127.0.0.1.
 */
export const startLocalDiscord = async (options: LocalDiscordOptions) => {
  const discord = createDiscord(options);
  const { state, interactions, gateway } = discord;
  const log = createRequestLog();
  const limits = createRateLimits(options.requestsPerSecond ?? 50, options.postsPerChannel ?? 5);
  const { faults, record } = options;
  let stopped: Promise<void> | undefined;
  const server = await startServer({ discord, limits, faults, log, record });

  const known = (id: string): PersonState => {
    const person = state.people.get(id);
    if (person === undefined) throw new RangeError(`Nobody has the id ${id}`);
    return person;
  };
  const messages = (channelId: string): readonly StoredMessage[] => [
    ...(state.channels.get(channelId)?.messages.values() ?? []),
  ];

  return {
    ...createGuildControls(discord),
    /** `http://127.0.0.1:PORT/api`; REST v10 is under `/v10`. */
    apiUrl: `${state.origin}/api`,
    port: server.port,
    gateway: gateway.control,
    /** The person whom the caller acts as. @throws RangeError for an unknown id. */
    person: (id: string): Person => createPerson(discord, known(id)),
    addPerson: (person: SandboxPerson): Person => {
      const added = newPerson(person);
      state.people.set(person.id, added);
      return createPerson(discord, added);
    },
    visibleTo: (userId: string): PersonView => viewOf(state, known(userId), gateway.online()),
    /** Calls the listener after each change that a screen may show. Returns the unsubscribe function. */
    onChange: state.onChange,
    /** The channel's public messages, oldest first, without deleted messages. */
    messages,
    directMessages: (userId: string): readonly StoredMessage[] =>
      messages(known(userId).directChannelId ?? ""),
    /** The bytes of an attachment by its id, even after an edit removed it from its message. */
    attachmentData: (id: string): Buffer | undefined => attachmentData(state, id),
    commands: (): readonly APIApplicationCommand[] => [...state.commands.values()],
    requests: log.all,
    /** Every person who still waits for an answer sees a failure. */
    stop: (): Promise<void> => {
      interactions.stop();
      stopped ??= server.stop();
      return stopped;
    },
  };
};
