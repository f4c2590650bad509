import { MINUTE, SECOND } from "../shared/time.ts";
import { createSlidingLimit } from "../shared/sliding-limit.ts";
import type { Invocation } from "./command.ts";
import type { Route } from "./command-table.ts";
import { DIRECT_MESSAGE } from "./interaction.ts";

const USER_WINDOW_MS = 30 * SECOND;
const GUILD_WINDOW_MS = MINUTE;
/** Discord asks for suggestions at each pause in the typing. */
const SUGGESTIONS_PER_USER = 60;

export type InteractionLimits = ReturnType<typeof createInteractionLimits>;

/**
 * Limits of interactions for a person and for a guild. Source: decisions 7.
 *
 * Commands, clicks and forms count together for a person. A guild's limit never delays clicks that move money, the
 * form that sends it or commands that stop it: a few members could otherwise keep the others from their money. Commands
 * that stop money have a limit of their own, so that they work during a flood of other commands.
 * @param parts.perUser in 30 seconds.
 * @param parts.perGuild in a minute.
 * @param parts.nowMs of a monotonic clock.
 */
export const createInteractionLimits = (parts: {
  readonly perUser: number;
  readonly perGuild: number;
  readonly nowMs: () => number;
}) => {
  const { perUser, perGuild, nowMs } = parts;
  const users = createSlidingLimit({ most: perUser, windowMs: USER_WINDOW_MS, nowMs });
  const locking = createSlidingLimit({ most: perUser, windowMs: USER_WINDOW_MS, nowMs });
  const guilds = createSlidingLimit({ most: perGuild, windowMs: GUILD_WINDOW_MS, nowMs });
  const typing = createSlidingLimit({
    most: SUGGESTIONS_PER_USER,
    windowMs: USER_WINDOW_MS,
    nowMs,
  });

  return {
    /** Counts the interaction and returns 0, or returns the milliseconds to wait and does not count it. */
    take: (route: Route, { userId, guildId }: Pick<Invocation, "userId" | "guildId">): number => {
      const suggests = route.mode === "suggestions";
      const own = suggests ? typing : route.stopsMoney === true ? locking : users;
      const inGuild = guildId !== DIRECT_MESSAGE && !suggests && route.stopsMoney !== true;
      const sendsMoney =
        !suggests && (route.handlerKind === "money" || route.confirmsMoney === true);
      const heldByGuild = inGuild && !sendsMoney;
      const waitMs = Math.max(own.waitMs(userId), heldByGuild ? guilds.waitMs(guildId) : 0);
      if (waitMs > 0) return waitMs;
      own.take(userId);
      if (inGuild) guilds.take(guildId);
      return 0;
    },
  };
};
