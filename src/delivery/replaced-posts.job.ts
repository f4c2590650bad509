import {
  type DeliveryPayload,
  type DeliveryTarget,
  type EditPost,
  loggedDelivery,
  type Posting,
} from "./delivery.ts";
import type { ReplacedPost, ReplacedPosts } from "./outbox-replace.store.ts";
import { createWorkers } from "../shared/concurrency.ts";
import type { Logger } from "../shared/log.ts";
import { type Clock, MINUTE } from "../shared/time.ts";

/** New body of a replaced post, in the language of its reader; undefined when the post is to stay as it is. */
export type ReplacedBody = (post: ReplacedPost) => Promise<DeliveryPayload | undefined>;

interface ReplacePostsNeeds {
  readonly clock: Clock;
  readonly log: Logger;
  readonly posts: ReplacedPosts;
  readonly bodyOf: ReplacedBody;
  readonly edit: EditPost;
  readonly openDirectMessage: Posting["openDirectMessage"];
}

const CONCURRENCY = 4;
const AT_ONCE = 50;
/** About 17 hours, since each wait doubles. */
const MOST_TRIES = 10;

/** The channel of a post; `later` when Discord cannot say now, and `gone` when it never will. */
const channelOf = async (
  target: DeliveryTarget,
  openDirectMessage: Posting["openDirectMessage"],
): Promise<{ readonly id: string } | "gone" | "later"> => {
  if (target.kind === "channel") return { id: target.channelId };
  const opened = await openDirectMessage(target.userId);
  if ("channelId" in opened) return { id: opened.channelId };
  return opened.kind === "unclear" || opened.kind === "throttled" ? "later" : "gone";
};

/**
 * Edits posts that a newer one of the same dispute or operation replaces: they say so, and lose their buttons. An edit
 * that fails changes nothing else; it is tried ten times, and not again once the message is gone or closed to the bot.
 */
export const createReplacePosts = (
  needs: ReplacePostsNeeds,
): ((stopping: AbortSignal) => Promise<void>) => {
  const { clock, log, posts, bodyOf, edit, openDirectMessage } = needs;
  const workers = createWorkers(CONCURRENCY);

  const editOne = async (post: ReplacedPost): ReturnType<EditPost> => {
    const { target, payload, messageId } = post;
    // Its text was erased.
    if (payload.embeds === undefined) return "gone";
    const body = await bodyOf(post);
    if (body === undefined) return "gone";
    const place = await channelOf(target, openDirectMessage);
    if (typeof place === "string") return place;
    return await edit(place.id, messageId, body);
  };

  const replace = async (post: ReplacedPost): Promise<void> => {
    const { dedupeKey, tries } = post;
    try {
      const outcome = await editOne(post);
      const isOver = outcome !== "later" || tries + 1 >= MOST_TRIES;
      const waitMs = MINUTE * 2 ** tries;
      await posts.tried(dedupeKey, isOver ? undefined : clock.now().add({ milliseconds: waitMs }));
      log.info({ ...loggedDelivery(post), outcome, tries: tries + 1 }, "a replaced post");
    } catch (error) {
      log.warn({ ...loggedDelivery(post), err: error }, "a replaced post cannot be edited now");
    }
  };

  return async (stopping) => {
    await workers(await posts.due(clock.now(), AT_ONCE), replace, stopping);
  };
};
