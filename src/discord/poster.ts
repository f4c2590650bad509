import type { EditPost, HistorySearch, Posting, PostOutcome } from "../delivery/delivery.ts";
import type { PresenceAnswer } from "../accounts/account.ts";
import { type Clock, HOUR, MINUTE, SECOND } from "../shared/time.ts";
import type { Logger } from "../shared/log.ts";
import { asCode, type MentionCommands } from "../ui/command-mentions.ts";
import type { DiscordApi } from "./discord-api.ts";
import {
  isBlockedRequest,
  isShieldPage,
  UNKNOWN_MESSAGE,
  UPLOADS_LIMITED,
} from "./discord-http.ts";
import { postBody, type PostBody, replacingBody, withFiles } from "./message-body.ts";
import type { ReplyFile } from "../ui/reply.ts";
import {
  createPacedRest,
  type PacedAnswer,
  type PacedCall,
  type PacedTimeouts,
} from "./paced-rest.ts";
import { snowflakeAt } from "../shared/ids.ts";
import { keepNewest } from "../shared/keep-newest.ts";
import { fieldsOf, itemsOf, textOf } from "./json.ts";

const PAGE = 100;
const MOST_PAGES = 30;
const RETRY_OPEN_MS = 15 * SECOND;
/** Beyond this, posts pause so that answers to people stay below Discord's 10,000 in ten minutes. */
const INVALID_REQUESTS_TO_STOP_POSTS = 1_000;

/** Scheduled posts, and questions about channels, members and guilds, at Discord's pace. Never throws. */
export interface Poster extends Posting {
  /** As in `Posting`. The body should carry its nonce and `enforce_nonce`. */
  readonly post: (
    channelId: string,
    body: PostBody,
    isInTime: () => boolean,
  ) => Promise<PostOutcome>;
  readonly edit: EditPost;
  /** Whether a person is a member of a guild. This question needs no privileged intent. */
  readonly askPresence: (guildId: string, userId: string) => Promise<PresenceAnswer>;
  /** Name of a guild (untrusted text); undefined when the bot is not a member or Discord cannot answer now. */
  readonly guildName: (guildId: string) => Promise<string | undefined>;
  readonly close: () => void;
}

export const createPoster = (parts: {
  readonly api: DiscordApi;
  readonly botUserId: string;
  readonly log: Logger;
  /** Draws the files of a post, before any request. */
  readonly filesOf: (post: Pick<PostBody, "charge" | "chart">) => Promise<readonly ReplyFile[]>;
  readonly timeouts?: PacedTimeouts;
  readonly mentionCommands?: MentionCommands;
}): Poster => {
  const { api, botUserId, log, mentionCommands = asCode } = parts;
  const rest = createPacedRest(api, parts.timeouts);
  let pausedUntil = 0;

  const call = async (
    method: "GET" | "POST" | "PATCH",
    path: `/${string}`,
    options?: PacedCall,
  ): Promise<PacedAnswer> => {
    const pauseMs = pausedUntil - performance.now();
    if (pauseMs > 0) return { kind: "limited", retryAfterMs: Math.ceil(pauseMs) };
    const answer = await rest.call(method, path, options);
    const restMs = globalPauseMs(answer, api.invalidRequests());
    if (restMs > 0) {
      pausedUntil = performance.now() + restMs;
      // The answer's body stays out of the log: it may hold people's text.
      const { status, code } = answer.kind === "error" ? answer : {};
      const facts = { answer: answer.kind, status, code, pauseMs: restMs };
      log.error(facts, "posts pause: Discord refuses us altogether");
    }
    return answer;
  };

  const filesOf = async (payload: PostBody) => {
    try {
      return await parts.filesOf(payload);
    } catch (error) {
      log.warn({ err: error }, "the files of a post cannot be drawn");
      return undefined;
    }
  };

  const postWith = async (
    channelId: string,
    given: PostBody,
    { files, isInTime }: Required<Pick<PacedCall, "files" | "isInTime">>,
  ) => {
    const body = withFiles(postBody(given, files), files);
    const path = `/channels/${channelId}/messages` as const;
    return postOutcome(await call("POST", path, { body, files, isInTime }));
  };

  /**
   * Result of a search whose first page was empty. A channel whose history the bot may not read looks empty too, so
   * absence needs proof: the channel's last message is older than the span, or the bot can read some message of it.
   * Source: Discord's reference, "Get Channel Messages" and the channel's `last_message_id`.
   */
  const searchEmptySpan = async (channelId: string, after: string): Promise<HistorySearch> => {
    const channel = await call("GET", `/channels/${channelId}`);
    if (channel.kind !== "ok") return unreadable(channel);
    // Null: the channel never had a message.
    const last = fieldsOf(channel.body)["last_message_id"];
    if (last === null || (typeof last === "string" && !isLater(last, after)))
      return { kind: "absent" };
    const newest = await call("GET", `/channels/${channelId}/messages`, { query: { limit: "1" } });
    if (newest.kind !== "ok" || !Array.isArray(newest.body)) return unreadable(newest);
    return itemsOf(newest.body).length > 0
      ? { kind: "absent" }
      : { kind: "unreadable", lasting: true };
  };

  return {
    post: async (channelId, given, isInTime) => {
      const files = await filesOf(given);
      if (files === undefined) return { kind: "throttled", retryAfterMs: UNSENT_PAUSE_MS };
      const body = mentionCommands(given);
      const outcome = await postWith(channelId, body, { files, isInTime });
      const mayBeFiles = "code" in outcome && FILES_REFUSED.has(outcome.code);
      // The files may be all that is refused. The text is not posted yet, and can do without.
      return mayBeFiles && given.chart !== undefined && files.length > 0
        ? await postWith(channelId, body, { files: [], isInTime })
        : outcome;
    },

    edit: async (channelId, messageId, payload) => {
      const body = replacingBody({ kind: "reply", ...mentionCommands(payload) });
      const path = `/channels/${channelId}/messages/${messageId}` as const;
      let answer = await call("PATCH", path, { body });
      if (answer.kind === "error" && answer.code === ARCHIVED_THREAD) {
        // A bot that may write in a thread may open it, unless it is locked; only new messages open it by themselves.
        answer = await call("PATCH", `/channels/${channelId}`, { body: { archived: false } });
        if (answer.kind === "ok") answer = await call("PATCH", path, { body });
      }
      const outcome = postOutcome(answer);
      if (outcome.kind === "posted") return "edited";
      if ("code" in outcome && CLOSED_TO_EDITS.has(outcome.code)) return "refused";
      return outcome.kind === "unclear" || outcome.kind === "throttled" ? "later" : "gone";
    },

    openDirectMessage: async (userId) => {
      const answer = await call("POST", "/users/@me/channels", { body: { recipient_id: userId } });
      const outcome = postOutcome(answer);
      // The answer carries the channel's id in place of a message's. Opening a channel twice gives the same channel.
      if (outcome.kind === "posted") return { channelId: outcome.messageId };
      return outcome.kind === "unclear" || outcome.kind === "posted_then_deleted"
        ? { kind: "throttled", retryAfterMs: RETRY_OPEN_MS }
        : outcome;
    },

    findPosted: async (channelId, { after, before, nonce, reference }) => {
      const from = snowflakeAt(after);
      const marks = { authorId: botUserId, nonce, reference, from };
      const isBackwards = before !== undefined;
      let position = isBackwards ? snowflakeAt(before) : from;
      for (let pages = 1; pages <= MOST_PAGES; pages++) {
        const query = { [isBackwards ? "before" : "after"]: position, limit: String(PAGE) };
        const answer = await call("GET", `/channels/${channelId}/messages`, { query });
        const page = answer.kind === "ok" ? readHistoryPage(answer.body, marks) : undefined;
        if (page === undefined) return unreadable(answer);
        if (page.foundId !== undefined) return { kind: "found", messageId: page.foundId };
        const next = isBackwards ? page.firstId : page.lastId;
        if (next === undefined && pages === 1) return await searchEmptySpan(channelId, from);
        if (page.length < PAGE || next === undefined) return { kind: "absent" };
        if (isBackwards && !isLater(next, from)) return { kind: "absent" };
        position = next;
      }
      return { kind: "too_long" };
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

/** Less than a day: the look of the hour before each daily report asks again. */
const NAME_HOLDS_MS = 20 * HOUR;
/** Names of guilds that the bot has left end with the oldest. */
const NAMES_KEPT = 10_000;

/** Names change seldom: a guild's is asked for once a day. While Discord does not tell it, the last one holds. */
export const rememberedNames = (ask: Poster["guildName"], clock: Clock): Poster["guildName"] => {
  const known = new Map<string, { readonly name: string; readonly askedMs: number }>();
  return async (guildId) => {
    const askedMs = clock.now().epochMilliseconds;
    const last = known.get(guildId);
    if (last !== undefined && Math.abs(askedMs - last.askedMs) < NAME_HOLDS_MS) return last.name;
    const name = await ask(guildId);
    if (name === undefined) return last?.name;
    keepNewest(known, guildId, { name, askedMs }, NAMES_KEPT);
    return name;
  };
};

/** Unknown member; unknown user (a deleted account). */
const NO_MEMBER = new Set([10007, 10013]);

/** Unknown guild, missing access: a question about a member needs no other permission than to be in the guild. */
const BOT_OUTSIDE = new Set([10004, 50001]);

const presenceOf = (answer: PacedAnswer): PresenceAnswer => {
  const member = answer.kind === "ok" ? fieldsOf(fieldsOf(answer.body)["user"]) : {};
  if (textOf(member["id"]) !== undefined) return { kind: "here" };
  if (answer.kind === "limited") return answer;
  const code = (answer.kind === "error" && answer.code) || 0;
  if (NO_MEMBER.has(code)) return { kind: "left" };
  return { kind: "unknown", isBotOutside: BOT_OUTSIDE.has(code) };
};

/** Milliseconds to pause all posts after this answer; 0 for no pause. */
export const globalPauseMs = (answer: PacedAnswer, invalidRequests: number): number => {
  if (answer.kind === "error" && answer.status === 401) return UNAUTHORIZED_PAUSE_MS;
  if (answer.kind === "error" && isShieldPage(answer)) return BLOCKED_PAUSE_MS;
  return invalidRequests >= INVALID_REQUESTS_TO_STOP_POSTS ? UNAUTHORIZED_PAUSE_MS : 0;
};

const MISSING_PERMISSIONS = 50013;
const FILES_REFUSED = new Set<number | undefined>([MISSING_PERMISSIONS, UPLOADS_LIMITED]);
const ARCHIVED_THREAD = 50083;
/** A quarantined bot can write only to people to whom it has written before. Source: discord-api-docs #2669. */
const QUARANTINED = 20026;
/**
 * Quarantine, missing access, missing permissions, a locked thread: the channel may open to the bot again. Discord calls
 * also a thread archived that is only locked (discord-api-docs #6884).
 */
const CLOSED_CHANNEL = new Set([QUARANTINED, 50001, MISSING_PERMISSIONS, ARCHIVED_THREAD, 160005]);
/** Also a thread that stays archived, as its server or channel has too many open ones. */
const CLOSED_TO_EDITS = new Set<number | undefined>([...CLOSED_CHANNEL, 160006, 160007]);
/** Also unknown channel, unknown guild. */
const LOST_CHANNEL = new Set([10003, 10004, ...CLOSED_CHANNEL]);
/** Unknown user, direct messages blocked, invalid recipient, no guild in common. */
const UNREACHABLE_PERSON = new Set([10013, 50007, 50033, 50278]);
/**
 * Slow mode, write limits of a channel or guild, limits of edits in announcement channels and of messages an hour old,
 * opening direct messages too fast, messages or a feature that Discord has switched off for a while, service overloaded.
 */
const THROTTLED = new Set([20016, 20022, 20028, 20029, 30046, 40003, 40004, 40006, 40062, 130000]);

/** Told by Discord's edge, in a page of HTML: another try would end no better. */
const TOO_LARGE = 413;

const UNSENT_PAUSE_MS = 15 * SECOND;
const THROTTLED_PAUSE_MS = 30 * SECOND;
/** A 401 may be temporary; the gateway finds out whether the token is invalid. */
const UNAUTHORIZED_PAUSE_MS = MINUTE;
const BLOCKED_PAUSE_MS = 10 * MINUTE;

/**
 * Outcome of an attempt to post. `throttled`: certainly not posted, and another try may succeed. `unclear`: no proof
 * either way. Source: JSON error codes of Discord's reference.
 */
export const postOutcome = (answer: PacedAnswer): PostOutcome => {
  if (answer.kind === "limited") return { kind: "throttled", retryAfterMs: answer.retryAfterMs };
  if (answer.kind === "error") return refusedPost(answer.status, answer.code);
  if (answer.kind === "no_answer")
    return answer.unsent
      ? { kind: "throttled", retryAfterMs: UNSENT_PAUSE_MS }
      : { kind: "unclear", reason: answer.reason };
  const messageId = textOf(fieldsOf(answer.body)["id"]);
  return messageId === undefined
    ? { kind: "unclear", reason: "answer_without_id" }
    : { kind: "posted", messageId };
};

const refusedPost = (status: number, code: number | undefined): PostOutcome => {
  if (code !== undefined) {
    if (code === UNKNOWN_MESSAGE && status === 404) return { kind: "posted_then_deleted" };
    if (LOST_CHANNEL.has(code)) return { kind: "lost_channel", code };
    if (UNREACHABLE_PERSON.has(code)) return { kind: "unreachable_person", code };
    if (THROTTLED.has(code)) return { kind: "throttled", retryAfterMs: THROTTLED_PAUSE_MS };
  }
  if (status === 401) return { kind: "throttled", retryAfterMs: UNAUTHORIZED_PAUSE_MS };
  // Other requests go on after a blocked one: only the shield pauses all posts.
  if (isShieldPage({ status, code }) || isBlockedRequest({ status, code }))
    return { kind: "throttled", retryAfterMs: BLOCKED_PAUSE_MS };
  if (status === 429) return { kind: "throttled", retryAfterMs: THROTTLED_PAUSE_MS };
  // Discord's refusals have a code: without one it is the page of a proxy in its place, which may be gone at the next try.
  const isPage = code === undefined && status !== TOO_LARGE;
  if (status >= 500 || status === 408 || status === 425 || isPage)
    return { kind: "unclear", reason: `status_${status}` };
  return { kind: "rejected", status, code };
};

interface PostMarks {
  readonly authorId: string;
  readonly nonce: string;
  /** In an embed's footer, or at the end of the content. */
  readonly reference: string;
  /** An id: the last page of a search backwards reaches to before the span. */
  readonly from: string;
}

interface HistoryPage {
  readonly foundId: string | undefined;
  readonly length: number;
  /** Smallest and largest id of the page: the next page ends before the one, or begins after the other. */
  readonly firstId: string | undefined;
  readonly lastId: string | undefined;
}

/** Undefined when the body is not a page of messages. */
const readHistoryPage = (body: unknown, marks: PostMarks): HistoryPage | undefined => {
  if (!Array.isArray(body)) return undefined;
  const page = itemsOf(body);
  let firstId: string | undefined;
  let lastId: string | undefined;
  let foundId: string | undefined;
  for (const message of page) {
    const id = textOf(fieldsOf(message)["id"]);
    if (id === undefined) return undefined;
    if (firstId === undefined || isLater(firstId, id)) firstId = id;
    if (lastId === undefined || isLater(id, lastId)) lastId = id;
    if (!isLater(marks.from, id) && isMarked(message, marks)) foundId = id;
  }
  return { foundId, length: page.length, firstId, lastId };
};

/** Ids are decimal numbers without leading zeros, too large for a JavaScript number. */
export const isLater = (id: string, than: string): boolean =>
  id.length === than.length ? id > than : id.length > than.length;

const isMarked = (message: unknown, { authorId, nonce, reference }: PostMarks): boolean => {
  const fields = fieldsOf(message);
  if (fieldsOf(fields["author"])["id"] !== authorId) return false;
  if (fields["nonce"] === nonce) return true;
  if (textOf(fields["content"])?.endsWith(reference)) return true;
  return itemsOf(fields["embeds"]).some((embed) =>
    textOf(fieldsOf(fieldsOf(embed)["footer"])["text"])?.includes(reference),
  );
};

/** `lasting` after a refusal with one of Discord's codes, unless it is a passing one: the next try would get the same. */
const unreadable = (answer: PacedAnswer): HistorySearch => {
  const { kind } = postOutcome(answer);
  const isPassing = kind === "throttled" || kind === "unclear";
  const lasting = answer.kind === "error" && answer.code !== undefined && !isPassing;
  return { kind: "unreadable", lasting };
};
