import type { Invocation } from "#src/discord/command.ts";
import type { Actor } from "#src/services/money/money-services.ts";

/** Who acts on money, and where: a confirmation is bound to it. */
export const actorOf = (invocation: Invocation): Actor => {
  const { guildId, channelId, userId, interactionId, locale } = invocation;
  return { guildId, channelId, userId, interactionId, locale };
};
