import type { BotName } from "./bench-world.ts";

/** What the bench asks of the load server. */
export type LoadOrder =
  /** Guilds that the next READY lists; bots with the Guilds intent get each in full. */
  | { readonly kind: "guilds"; readonly count: number }
  /** How long an answer of Discord to an interaction's callback or edit is on its way, in milliseconds. */
  | { readonly kind: "round_trip"; readonly ms: number }
  /** Resolves when this bot has a session and all its guilds were written. */
  | { readonly kind: "ready"; readonly bot: BotName }
  /** Resolves with the instant of the bot's first acknowledgement after it was asked for. */
  | { readonly kind: "first_ack"; readonly bot: BotName }
  /** Interactions with so many in flight, until so many were sent and answered or the time is over. */
  | {
      readonly kind: "closed";
      readonly bot: BotName;
      readonly inFlight: number;
      readonly seconds: number;
      readonly total?: number;
      readonly firstUser: number;
      /** Users are taken in turn from this many. */
      readonly users: number;
    }
  /** So many a second, whatever becomes of them. */
  | {
      readonly kind: "open";
      readonly bot: BotName;
      readonly perSecond: number;
      readonly seconds: number;
      readonly firstUser: number;
      readonly users: number;
    }
  /** What was posted to channels since the last time that this was asked with `reset`. */
  | { readonly kind: "posts"; readonly reset: boolean }
  /** What jobs asked the wallet since the last time that this was asked with `reset`. */
  | { readonly kind: "looks"; readonly reset: boolean };

export interface LoadResult {
  readonly sent: number;
  readonly finished: number;
  /** Neither acknowledged nor finished while the run lasted and ten seconds after. */
  readonly lost: number;
  readonly seconds: number;
  readonly ackMs: Percentiles;
  readonly finalMs: Percentiles;
}

export interface Percentiles {
  readonly p50: number;
  readonly p99: number;
}

export interface PostsResult {
  readonly posted: number;
  /** Requests of any kind that were answered with 429. */
  readonly refused: number;
  /** From the first post to the last. */
  readonly seconds: number;
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
