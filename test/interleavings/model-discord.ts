import type { AnswerOutcome, Responder } from "#src/discord/responder.ts";
import type { InteractionAddress } from "#src/discord/interaction.ts";

export interface ModelDiscord {
  readonly respond: Responder;
  /** The first answer to this interaction gets this outcome instead of acceptance. */
  readonly refuse: (interactionId: string, outcome: AnswerOutcome) => void;
  /** All text written in answer to an interaction. */
  readonly written: (interactionId: string) => string;
}

const ACCEPTED: AnswerOutcome = { kind: "accepted" };
const EXPIRED: AnswerOutcome = { kind: "expired", code: 10015 };

/** Discord's side of interactions, in memory: one first answer for each, edits only afterwards. */
export const createModelDiscord = (yields: () => Promise<void>): ModelDiscord => {
  const refusals = new Map<string, AnswerOutcome>();
  const written = new Map<string, string[]>();

  const write = ({ id }: InteractionAddress, body: object): void => {
    written.set(id, [...(written.get(id) ?? []), JSON.stringify(body)]);
  };

  const afterwards = async (to: InteractionAddress, body: object): Promise<AnswerOutcome> => {
    await yields();
    if (!written.has(to.id)) return EXPIRED;
    write(to, body);
    return ACCEPTED;
  };

  return {
    respond: {
      callback: async (to, body) => {
        await yields();
        const refusal = refusals.get(to.id);
        if (refusal !== undefined) return refusal;
        if (written.has(to.id)) return { kind: "answered_elsewhere" };
        write(to, body);
        await yields();
        return ACCEPTED;
      },
      editOriginal: afterwards,
      followUp: afterwards,
      close: async () => {},
    },
    refuse: (interactionId, outcome) => {
      refusals.set(interactionId, outcome);
    },
    written: (interactionId) => (written.get(interactionId) ?? []).join("\n"),
  };
};
