import type { BotName } from "./bench-world.ts";

/** Orders from the bench to the load server. */
export type LoadOrder =
  /** Guilds in the next READY; a bot with the Guilds intent gets each in full. */
  | { readonly kind: "guilds"; readonly count: number }
  /** Delay of Discord's answers to callbacks and edits, in milliseconds. */
  | { readonly kind: "round_trip"; readonly ms: number }
  /** Resolves when this bot has a session and was sent all its guilds. */
  | { readonly kind: "ready"; readonly bot: BotName }
  /** Resolves with the time of the bot's first acknowledgement after this order. */
  | { readonly kind: "first_ack"; readonly bot: BotName; readonly user: number }
  /** Closed loop: a fixed number of interactions in flight, until `total` are answered or the time is over. */
  | {
      readonly kind: "closed";
      readonly bot: BotName;
      readonly inFlight: number;
      readonly seconds: number;
      readonly total?: number;
      readonly firstUser: number;
      /** Number of users to cycle through. */
      readonly users: number;
    }
  /** Open loop: a fixed rate, independent of the answers. */
  | {
      readonly kind: "open";
      readonly bot: BotName;
      readonly perSecond: number;
      readonly seconds: number;
      readonly firstUser: number;
      readonly users: number;
    }
  /** Posts to channels since the last order with `reset`. */
  | { readonly kind: "posts"; readonly reset: boolean }
  /** Background calls to the wallet since the last order with `reset`. */
  | { readonly kind: "looks"; readonly reset: boolean };

export interface LoadResult {
  readonly sent: number;
  readonly finished: number;
  /** Interactions unacknowledged or unfinished ten seconds after the run, or answered without sales. */
  readonly lost: number;
  readonly seconds: number;
  readonly ackMs: Percentiles;
  readonly finalMs: Percentiles;
}

export interface Percentiles {
  readonly p50: number;
  readonly p99: number;
  readonly most: number;
}

export interface PostsResult {
  readonly posted: number;
  /** Posts with a file. */
  readonly pictures: number;
  /** Requests of any kind answered with 429. */
  readonly refused: number;
  /** From the first post to the last. */
  readonly seconds: number;
  /** Of the last post, in milliseconds since the epoch. */
  readonly lastAt: number;
}

export interface LooksResult {
  readonly perTenSeconds: readonly number[];
}

export interface FirstAck {
  /** Milliseconds since the epoch, with fractions. */
  readonly at: number;
}

export interface LoadAnswers {
  readonly guilds: null;
  readonly round_trip: null;
  readonly ready: null;
  readonly first_ack: FirstAck;
  readonly closed: LoadResult;
  readonly open: LoadResult;
  readonly posts: PostsResult;
  readonly looks: LooksResult;
}

export interface NumberedOrder {
  readonly id: number;
  readonly order: LoadOrder;
}

export type FromLoad =
  | { readonly kind: "listening"; readonly apiUrl: string; readonly walletUrl: string }
  | { readonly kind: "done"; readonly id: number; readonly result: LoadAnswers[LoadOrder["kind"]] }
  | { readonly kind: "failed"; readonly id: number; readonly message: string };
