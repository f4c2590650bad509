import { alertLocale } from "../accounts/account.ts";
import type { AccountsStore } from "../accounts/accounts.store.ts";
import type { DeliveryTarget, EditPost, Posting } from "../delivery/delivery.ts";
import type { ReplacedPost, ReplacedPosts } from "../delivery/outbox-replace.store.ts";
import { createWorkers } from "../shared/concurrency.ts";
import type { Logger } from "../shared/log.ts";
import { type Clock, MINUTE } from "../shared/time.ts";
import { replacedAlert } from "./dispute-alert.view.ts";
import type { AlertRoutes } from "./dispute-stores.ts";

interface ReplaceAlertsNeeds {
  readonly clock: Clock;
  readonly log: Logger;
  readonly posts: ReplacedPosts;
  readonly accounts: Pick<AccountsStore, "findById">;
  readonly routes: Pick<AlertRoutes, "find">;
  readonly edit: EditPost;
  readonly openDirectMessage: Posting["openDirectMessage"];
}

const CONCURRENCY = 4;
const AT_ONCE = 50;
/** About 17 hours, since each wait doubles. */
const MOST_TRIES = 10;

/** The channel of a post; undefined when Discord cannot say now, and `gone` when it never will. */
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
 * Edits alerts that a newer one of the same dispute replaces: they say so, and lose their buttons. An edit that fails
 * changes nothing else; it is tried ten times, and not again once the message is gone or closed to the bot.
 */
export const createReplaceAlerts = (
  needs: ReplaceAlertsNeeds,
): ((stopping: AbortSignal) => Promise<void>) => {
  const { clock, log, posts, accounts, routes, edit, openDirectMessage } = needs;
  const workers = createWorkers(CONCURRENCY);

  const editOne = async (post: ReplacedPost): Promise<"edited" | "gone" | "later"> => {
    const { target, guildId, accountId, payload, isBelow, messageId } = post;
    const account = accountId === null ? undefined : await accounts.findById(accountId);
    // With its account the text of an alert was erased.
    if (account === undefined || payload.embeds === undefined) return "gone";
    const route = guildId === null ? undefined : await routes.find(guildId);
    const locale = alertLocale(target.kind, account, route);
    const place = await channelOf(target, openDirectMessage);
    if (typeof place === "string") return place;
    return await edit(place.id, messageId, replacedAlert(payload, isBelow, locale));
  };

  const replace = async (post: ReplacedPost): Promise<void> => {
    const { dedupeKey, tries } = post;
    try {
      const outcome = await editOne(post);
      const isOver = outcome !== "later" || tries + 1 >= MOST_TRIES;
      const waitMs = MINUTE * 2 ** tries;
      await posts.tried(dedupeKey, isOver ? undefined : clock.now().add({ milliseconds: waitMs }));
      log.info({ delivery: dedupeKey, outcome, tries: tries + 1 }, "a replaced alert");
    } catch (error) {
      log.warn({ delivery: dedupeKey, err: error }, "a replaced alert cannot be edited now");
    }
  };

  return async (stopping) => {
    await workers(await posts.due(clock.now(), AT_ONCE), replace, stopping);
  };
};
