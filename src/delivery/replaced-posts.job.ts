import { type DeliveryPayload, type EditPost, loggedDelivery, type Posting } from "./delivery.ts";
import type { ReplacedPost, ReplacedPosts } from "./outbox-replace.store.ts";
import { createWorkers } from "../shared/concurrency.ts";
import { channelOf } from "./deliver.job.ts";
import type { Logger } from "../shared/log.ts";
import { type Clock, MINUTE } from "../shared/time.ts";

/** New body of a replaced post, in the language of its reader; undefined when the post is to stay as it is. */
export type ReplacedBody = (post: ReplacedPost) => Promise<DeliveryPayload | undefined>;

interface ReplacePostsNeeds extends Pick<Posting, "openDirectMessage"> {
  readonly clock: Clock;
  readonly log: Logger;
  readonly posts: ReplacedPosts;
  readonly bodyOf: ReplacedBody;
  readonly edit: EditPost;
}

const CONCURRENCY = 4;
const AT_ONCE = 50;
/** About 17 hours, since each wait doubles. */
const MOST_TRIES = 10;

/**
 * Edits posts that a newer one of the same dispute or operation replaces: they say so, and lose their buttons. An edit
 * that fails changes nothing else; it is tried ten times, and not again once the message is gone or closed to the bot.
 */
export const createReplacePosts = (
  needs: ReplacePostsNeeds,
): ((stopping: AbortSignal) => Promise<void>) => {
  const { clock, log, posts, bodyOf, edit } = needs;
  const workers = createWorkers(CONCURRENCY);

  const editOne = async (post: ReplacedPost): ReturnType<EditPost> => {
    const { target, payload, messageId } = post;
    // Its text was erased.
    if (payload.embeds === undefined) return "gone";
    const body = await bodyOf(post);
    if (body === undefined) return "gone";
    const channel = await channelOf(target, needs);
    if ("kind" in channel) return channel.kind === "throttled" ? "later" : "gone";
    return await edit(channel.channelId, messageId, body);
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
