import { createHash } from "node:crypto";
import type { InteractionType } from "discord-api-types/v10";
import { MINUTE } from "../../shared/time.ts";
import { findMessage, type MessageRef } from "./messages.ts";
import type { Choice, DiscordState, ActionResult } from "./state.ts";

const TOKEN_LIFE_MS = 15 * MINUTE;

/** The result of an action, or the suggestions of an autocomplete. */
export type Outcome =
  | ActionResult
  | { readonly kind: "choices"; readonly choices: readonly Choice[] };

/** One interaction, from the moment it is sent to the bot. */
export interface InteractionState {
  readonly id: string;
  readonly token: string;
  readonly kind: Exclude<InteractionType, InteractionType.Ping>;
  readonly personId: string;
  readonly channelId: string;
  readonly createdMs: number;
  readonly commandName?: string | undefined;
  /** The message with the component that was used, or that opened the submitted modal. */
  readonly source?: MessageRef | undefined;
  /** The submitted modal. */
  readonly modalId?: string;
  phase: "waiting" | "acknowledged" | "missed";
  original: MessageRef | undefined;
}

export type NewInteraction = Pick<
  InteractionState,
  "kind" | "personId" | "channelId" | "commandName" | "source" | "modalId"
>;

export type Interactions = ReturnType<typeof createInteractions>;

interface Waiting {
  readonly resolve: (outcome: Outcome) => void;
  timer: NodeJS.Timeout;
}

/** A token in Discord's format: base64 of `interaction:ID:…`, long and unique. */
const tokenOf = (id: string): string => {
  const secret = createHash("sha256").update(`interaction ${id}`).digest("hex");
  return Buffer.from(`interaction:${id}:${secret}`).toString("base64url");
};

/** Open interactions. A person waits `answerWithinMs` in real time; a token is valid for 15 minutes of virtual time. */
export const createInteractions = (state: DiscordState, answerWithinMs: number) => {
  const byId = new Map<string, InteractionState>();
  const byToken = new Map<string, InteractionState>();
  const waiting = new Map<InteractionState, Waiting>();

  const isExpired = (interaction: InteractionState): boolean =>
    state.clock.now().epochMilliseconds - interaction.createdMs > TOKEN_LIFE_MS;

  /** After a deferred update Discord's client waits no more: the person sees the message as it is. */
  const expired = ({ original, source }: InteractionState): Outcome => {
    if (source === undefined || original !== source)
      return { kind: "failed", reason: "unfinished" };
    const message = findMessage(state, source);
    return message === undefined
      ? { kind: "failed", reason: "deleted" }
      : { kind: "message", message, private: message.privateTo !== undefined };
  };

  /** Resolves the outcome; later calls have no effect. */
  const settle = (interaction: InteractionState, outcome: Outcome): void => {
    const waiter = waiting.get(interaction);
    if (waiter === undefined) return;
    waiting.delete(interaction);
    clearTimeout(waiter.timer);
    waiter.resolve(outcome);
  };

  const miss = (interaction: InteractionState): void => {
    interaction.phase = "missed";
    settle(interaction, { kind: "failed", reason: "no_answer" });
  };

  const failExpired = (): void => {
    for (const interaction of waiting.keys()) {
      if (interaction.phase !== "acknowledged" || !isExpired(interaction)) continue;
      settle(interaction, expired(interaction));
    }
  };

  const forgetExpired = (): void => {
    for (const interaction of byToken.values()) {
      if (!isExpired(interaction)) return;
      byToken.delete(interaction.token);
      byId.delete(interaction.id);
    }
  };

  const stopListening = state.clock.onMove(failExpired);

  return {
    /** Starts waiting for an answer. The outcome always resolves: to a failure if the bot does not answer. */
    open: (given: NewInteraction) => {
      forgetExpired();
      const id = state.newId();
      const interaction: InteractionState = {
        ...given,
        id,
        token: tokenOf(id),
        createdMs: state.clock.now().epochMilliseconds,
        phase: "waiting",
        original: undefined,
      };
      byId.set(id, interaction);
      byToken.set(interaction.token, interaction);
      const { promise, resolve } = Promise.withResolvers<Outcome>();
      const timer = setTimeout(() => miss(interaction), answerWithinMs).unref();
      waiting.set(interaction, { resolve, timer });
      return { interaction, outcome: promise };
    },
    byId: (id: string): InteractionState | undefined => byId.get(id),
    byToken: (token: string): InteractionState | undefined => byToken.get(token),
    /** Records the first answer. From here on the person waits for the result until the token expires. */
    acknowledge: (interaction: InteractionState): void => {
      interaction.phase = "acknowledged";
      const waiter = waiting.get(interaction);
      if (waiter === undefined) return;
      clearTimeout(waiter.timer);
      waiter.timer = setTimeout(
        () => settle(interaction, expired(interaction)),
        TOKEN_LIFE_MS,
      ).unref();
    },
    settle,
    isExpired,
    /** Resolves every open outcome to a failure. */
    stop: (): void => {
      stopListening();
      for (const interaction of waiting.keys()) {
        settle(interaction, { kind: "failed", reason: "offline" });
      }
    },
  };
};
