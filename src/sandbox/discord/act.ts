import type { Discord } from "./call.ts";
import { interactionPayload } from "./interaction-payload.ts";
import type { NewInteraction, Outcome } from "./interactions.ts";
import type { Shown, ShownFailure } from "./shown.ts";
import type { ChannelState, PersonState } from "./state.ts";

export const failed = (reason: ShownFailure, detail?: string): Shown => ({
  kind: "failed",
  reason,
  ...(detail === undefined ? {} : { detail }),
});

/** One act of a person, ready to be sent to the bot. */
export interface Act {
  readonly actor: PersonState;
  readonly channel: ChannelState;
  readonly interaction: Omit<NewInteraction, "personId" | "channelId">;
  readonly data: object;
  /** The message whose component was used. */
  readonly message?: object | undefined;
}

/** Tells the bot what a person did, and waits for what the person gets. */
export const act = async (discord: Discord, given: Act): Promise<Outcome> => {
  const { state, interactions, gateway } = discord;
  const { actor, channel, data, message } = given;
  const { interaction, outcome } = interactions.open({
    ...given.interaction,
    personId: actor.person.id,
    channelId: channel.id,
  });
  const payload = interactionPayload(state, interaction, actor, channel, data, message);
  const guildId = channel.recipientId === undefined ? channel.guildId : undefined;
  const heard = gateway.tell(guildId, 0, "INTERACTION_CREATE", payload);
  if (!heard) interactions.settle(interaction, failed("offline"));
  return await outcome;
};

/** Outcomes of anything but autocomplete. */
export const asShown = (outcome: Outcome): Shown =>
  outcome.kind === "choices" ? failed("no_answer", "suggestions where an answer belongs") : outcome;
