import { MINUTE, SECOND } from "../shared/time.ts";
import { createSlidingLimit } from "../shared/sliding-limit.ts";
import type { Invocation } from "./command.ts";
import type { Route } from "./command-table.ts";
import { DIRECT_MESSAGE } from "./interaction.ts";

const USER_WINDOW_MS = 30 * SECOND;
const GUILD_WINDOW_MS = MINUTE;
/** Discord asks for suggestions at each pause in the typing. */
const SUGGESTIONS_PER_USER = 60;

/** How much one person, and one guild, may ask of the bot. Source: decisions 7. */
export interface InteractionLimits {
  /**
   * Counts what was typed or clicked. 0: it may be served. Otherwise it must not be, was not counted, and this is how
   * many milliseconds the person has to wait.
   */
  readonly take: (route: Route, invocation: Pick<Invocation, "userId" | "guildId">) => number;
}

/**
 * A person's limit holds for commands, clicks and forms together. A guild's limit never holds back a click that moves
 * money, nor what stops money: otherwise a few people of a guild could keep all others from their own money. What stops
 * money is counted apart, so that it works in a flood of other commands under the same account.
 * @param parts.perUser in 30 seconds.
 * @param parts.perGuild in a minute.
 * @param parts.nowMs a clock that never steps back.
 */
export const createInteractionLimits = (parts: {
  readonly perUser: number;
  readonly perGuild: number;
  readonly nowMs: () => number;
}): InteractionLimits => {
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
    take: (route, { userId, guildId }) => {
      const suggests = route.mode === "suggestions";
      const own = suggests ? typing : route.stopsMoney === true ? locking : users;
      const inGuild = guildId !== DIRECT_MESSAGE && !suggests && route.stopsMoney !== true;
      const heldByGuild = inGuild && route.handlerKind !== "money";
      const waitMs = Math.max(own.waitMs(userId), heldByGuild ? guilds.waitMs(guildId) : 0);
      if (waitMs > 0) return waitMs;
      own.take(userId);
      if (inGuild) guilds.take(guildId);
      return 0;
    },
  };
};
