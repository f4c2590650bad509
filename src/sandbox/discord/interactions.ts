import { createHash } from "node:crypto";
import type { InteractionType } from "discord-api-types/v10";
import { MINUTE } from "../../shared/time.ts";
import type { MessageRef } from "./messages.ts";
import type { Choice, DiscordState, ActionResult } from "./state.ts";

const TOKEN_LIFE_MS = 15 * MINUTE;

/** What the person who acted gets. */
export type Outcome =
  | ActionResult
  | { readonly kind: "choices"; readonly choices: readonly Choice[] };

/** One act of a person, from the moment the bot is told of it. */
export interface InteractionState {
  readonly id: string;
  readonly token: string;
  readonly kind: Exclude<InteractionType, InteractionType.Ping>;
  readonly personId: string;
  readonly channelId: string;
  readonly createdMs: number;
  readonly commandName: string | undefined;
  /** The message whose component was used, or opened the modal that was sent. */
  readonly source: MessageRef | undefined;
  /** The modal that was sent. */
  readonly modalId: string | undefined;
  phase: "waiting" | "acknowledged" | "missed";
  original: MessageRef | undefined;
  /** Everything else that was written with this token. */
  readonly followups: Map<string, MessageRef>;
}

export type NewInteraction = Pick<
  InteractionState,
  "kind" | "personId" | "channelId" | "commandName" | "source" | "modalId"
>;

export interface Interactions {
  /** Begins the wait for an answer. The outcome always comes: a failure when the bot is silent. */
  readonly open: (given: NewInteraction) => {
    readonly interaction: InteractionState;
    readonly outcome: Promise<Outcome>;
  };
  readonly byId: (id: string) => InteractionState | undefined;
  readonly byToken: (token: string) => InteractionState | undefined;
  /** The first answer came in time; the person waits on, for as long as the token lives. */
  readonly acknowledge: (interaction: InteractionState) => void;
  /** What the person finally sees; only the first counts. */
  readonly settle: (interaction: InteractionState, outcome: Outcome) => void;
  readonly isExpired: (interaction: InteractionState) => boolean;
  /** Everybody who still waits sees a failure. */
  readonly stop: () => void;
}

interface Waiting {
  readonly resolve: (outcome: Outcome) => void;
  timer: NodeJS.Timeout;
}

/** As Discord's: base64 of `interaction:ID:…`, long and different each time. */
const tokenOf = (id: string): string => {
  const secret = createHash("sha256").update(`interaction ${id}`).digest("hex");
  return Buffer.from(`interaction:${id}:${secret}`).toString("base64url");
};

/** Interactions under way. A person waits `answerWithinMs` of real time; a token lives 15 minutes of the clock. */
export const createInteractions = (state: DiscordState, answerWithinMs: number): Interactions => {
  const byId = new Map<string, InteractionState>();
  const byToken = new Map<string, InteractionState>();
  const waiting = new Map<InteractionState, Waiting>();

  const isExpired = (interaction: InteractionState): boolean =>
    state.clock.now().epochMilliseconds - interaction.createdMs > TOKEN_LIFE_MS;

  const settle = (interaction: InteractionState, outcome: Outcome): void => {
    const held = waiting.get(interaction);
    if (held === undefined) return;
    waiting.delete(interaction);
    clearTimeout(held.timer);
    held.resolve(outcome);
  };

  const miss = (interaction: InteractionState): void => {
    interaction.phase = "missed";
    settle(interaction, { kind: "failed", reason: "no_answer" });
  };

  const failExpired = (): void => {
    for (const interaction of waiting.keys()) {
      if (interaction.phase !== "acknowledged" || !isExpired(interaction)) continue;
      settle(interaction, { kind: "failed", reason: "unfinished" });
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
    open: (given) => {
      forgetExpired();
      const id = state.newId();
      const interaction: InteractionState = {
        ...given,
        id,
        token: tokenOf(id),
        createdMs: state.clock.now().epochMilliseconds,
        phase: "waiting",
        original: undefined,
        followups: new Map(),
      };
      byId.set(id, interaction);
      byToken.set(interaction.token, interaction);
      const { promise, resolve } = Promise.withResolvers<Outcome>();
      const timer = setTimeout(() => miss(interaction), answerWithinMs).unref();
      waiting.set(interaction, { resolve, timer });
      return { interaction, outcome: promise };
    },
    byId: (id) => byId.get(id),
    byToken: (token) => byToken.get(token),
    acknowledge: (interaction) => {
      interaction.phase = "acknowledged";
      const held = waiting.get(interaction);
      if (held === undefined) return;
      clearTimeout(held.timer);
      held.timer = setTimeout(
        () => settle(interaction, { kind: "failed", reason: "unfinished" }),
        TOKEN_LIFE_MS,
      ).unref();
    },
    settle,
    isExpired,
    stop: () => {
      stopListening();
      for (const interaction of waiting.keys()) {
        settle(interaction, { kind: "failed", reason: "offline" });
      }
    },
  };
};
