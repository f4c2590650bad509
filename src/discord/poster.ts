import type { HistorySearch, PostOutcome } from "../domain/delivery.ts";
import type { PresenceAnswer } from "../domain/account.ts";
import { SECOND } from "../shared/time.ts";
import type { Logger } from "../shared/log.ts";
import { asCode, type MentionCommands } from "../views/command-mentions.ts";
import type { DiscordApi } from "./discord-api.ts";
import { emptySpanVerdict, readHistoryPage, unreadable } from "./history-search.ts";
import { postBody, type PostBody } from "./message-body.ts";
import {
  createPacedRest,
  type PacedAnswer,
  type PacedCall,
  type PacedTimeouts,
} from "./paced-rest.ts";
import { BLOCKED_PAUSE_MS, postOutcome, UNAUTHORIZED_PAUSE_MS } from "./post-outcome.ts";
import { snowflakeAt } from "./snowflake.ts";
import { fieldsOf, textOf } from "./wire.ts";

const PAGE = 100;
const MOST_PAGES = 30;
const RETRY_OPEN_MS = 15 * SECOND;
/** Beyond this, posts pause so that answers to people stay below Discord's 10,000 in ten minutes. */
const MOST_INVALID_REQUESTS = 1_000;

/** Posts that nobody waits for, and what is asked about their places, at Discord's pace. Nothing here throws. */
export interface Poster {
  /** At most one request that may post. The body should carry its nonce and `enforce_nonce`. */
  readonly post: (channelId: string, body: PostBody) => Promise<PostOutcome>;
  /** The direct-message channel with a person, made when there is none. */
  readonly openDirectMessage: (
    userId: string,
  ) => Promise<{ readonly channelId: string } | PostOutcome>;
  /** Looks for a post of ours among everything that came after `after`, oldest first. */
  readonly findPosted: (
    channelId: string,
    search: {
      readonly after: Temporal.Instant;
      readonly nonce: string;
      readonly reference: string;
    },
  ) => Promise<HistorySearch>;
  /** Whether somebody is a member of a guild. Discord asks for no privileged intent to answer that about one person. */
  readonly askPresence: (guildId: string, userId: string) => Promise<PresenceAnswer>;
  /** A guild's name as strangers wrote it; undefined when the bot is not there, or Discord cannot be asked now. */
  readonly guildName: (guildId: string) => Promise<string | undefined>;
  readonly close: () => void;
}

export const createPoster = (parts: {
  readonly api: DiscordApi;
  readonly botUserId: string;
  readonly log: Logger;
  readonly timeouts?: PacedTimeouts;
  readonly mentionCommands?: MentionCommands;
}): Poster => {
  const { api, botUserId, log, mentionCommands = asCode } = parts;
  const rest = createPacedRest(api, parts.timeouts);
  let pausedUntil = 0;

  const call = async (
    method: "GET" | "POST",
    path: `/${string}`,
    options?: PacedCall,
  ): Promise<PacedAnswer> => {
    const pauseMs = pausedUntil - performance.now();
    if (pauseMs > 0) return { kind: "limited", retryAfterMs: Math.ceil(pauseMs) };
    const answer = await rest.call(method, path, options);
    const restMs = globalPauseMs(answer, api.invalidRequests());
    if (restMs > 0) {
      pausedUntil = performance.now() + restMs;
      // Never the answer itself: it may hold what people wrote.
      const { status, code } = answer.kind === "error" ? answer : {};
      const facts = { answer: answer.kind, status, code, pauseMs: restMs };
      log.error(facts, "posts pause: Discord refuses us altogether");
    }
    return answer;
  };

  const readAnything = async (channelId: string): Promise<boolean> => {
    const answer = await call("GET", `/channels/${channelId}/messages`, { query: { limit: "1" } });
    return answer.kind === "ok" && Array.isArray(answer.body) && answer.body.length > 0;
  };

  /** Nothing was found in an empty answer: does that prove anything? */
  const judgeEmpty = async (channelId: string, after: string): Promise<HistorySearch> => {
    const channel = await call("GET", `/channels/${channelId}`);
    if (channel.kind !== "ok") return unreadable(channel);
    const last = fieldsOf(channel.body)["last_message_id"];
    const lastMessageId = last === null ? null : textOf(last);
    const unproven = { lastMessageId, after, somethingReadable: false };
    const verdict = emptySpanVerdict(unproven);
    if (verdict.kind !== "unreadable") return verdict;
    return emptySpanVerdict({ ...unproven, somethingReadable: await readAnything(channelId) });
  };

  return {
    post: async (channelId, given) => {
      const body = postBody(mentionCommands(given));
      return postOutcome(await call("POST", `/channels/${channelId}/messages`, { body }));
    },

    openDirectMessage: async (userId) => {
      const answer = await call("POST", "/users/@me/channels", { body: { recipient_id: userId } });
      const outcome = postOutcome(answer);
      // The channel's id stands where a message's would, and opening one twice opens one.
      if (outcome.kind === "posted") return { channelId: outcome.messageId };
      return outcome.kind === "unclear"
        ? { kind: "throttled", retryAfterMs: RETRY_OPEN_MS }
        : outcome;
    },

    findPosted: async (channelId, { after, nonce, reference }) => {
      const from = snowflakeAt(after);
      const marks = { authorId: botUserId, nonce, reference };
      let position = from;
      for (let pages = 1; pages <= MOST_PAGES; pages++) {
        const query = { after: position, limit: String(PAGE) };
        const answer = await call("GET", `/channels/${channelId}/messages`, { query });
        const page = answer.kind === "ok" ? readHistoryPage(answer.body, marks) : undefined;
        if (page === undefined) return unreadable(answer);
        if (page.foundId !== undefined) return { kind: "found", messageId: page.foundId };
        if (page.lastId === undefined && pages === 1) return await judgeEmpty(channelId, from);
        if (page.length < PAGE || page.lastId === undefined) return { kind: "absent" };
        position = page.lastId;
      }
      return { kind: "unreadable", lasting: true };
    },

    askPresence: async (guildId, userId) =>
      presenceOf(await call("GET", `/guilds/${guildId}/members/${userId}`)),

    guildName: async (guildId) => {
      const answer = await call("GET", `/guilds/${guildId}`);
      return answer.kind === "ok" ? textOf(fieldsOf(answer.body)["name"]) : undefined;
    },

    close: () => rest.close(),
  };
};

/** Unknown member, and unknown user: an account that was deleted is a member of nothing. */
const NO_MEMBER = new Set([10007, 10013]);

const presenceOf = (answer: PacedAnswer): PresenceAnswer => {
  if (answer.kind === "ok") return { kind: "here" };
  if (answer.kind === "limited") return answer;
  const left = answer.kind === "error" && NO_MEMBER.has(answer.code ?? 0);
  return { kind: left ? "left" : "unknown" };
};

/** How long to post nothing at all after this answer; 0: go on. */
export const globalPauseMs = (answer: PacedAnswer, invalidRequests: number): number => {
  if (answer.kind === "error" && answer.status === 401) return UNAUTHORIZED_PAUSE_MS;
  if (answer.kind === "error" && answer.status === 403 && answer.code === undefined)
    return BLOCKED_PAUSE_MS;
  return invalidRequests >= MOST_INVALID_REQUESTS ? UNAUTHORIZED_PAUSE_MS : 0;
};
