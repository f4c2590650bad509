import { asCode, type MentionCommands } from "../views/command-mentions.ts";
import type { Reply } from "../views/reply.ts";
import type { AnswerOutcome, Responder } from "./responder.ts";
import type { InteractionAddress } from "./interaction.ts";
import { replacingBody } from "./message-body.ts";

/** Tokens are held in memory: no more of them than this, the oldest go first. */
const MOST_TOKENS = 2_000;

export interface LivePlace {
  /** Names the message, so that a later answer in it ends what an earlier one was called. */
  readonly message: string;
  readonly address: InteractionAddress;
  /** When the token must no longer be used, on the monotonic clock. */
  readonly until: number;
}

/** Private answers that can still be edited: their tokens live for 15 minutes, and die with the process. */
export interface LiveReplies {
  /** Discord took an answer: from now on its message shows that, and goes by `name` if it has one. */
  readonly shown: (place: LivePlace, name: string | undefined) => void;
  /** True only when Discord surely took the edit. One after the other for each name. Never rejects. */
  readonly edit: (name: string, reply: Reply) => Promise<boolean>;
  /** Forgets all tokens. */
  readonly stop: () => void;
}

interface Remembered extends LivePlace {
  /** Settles when the edits so far are done. */
  edited: Promise<unknown>;
}

/** @param parts.monotonicMs the clock of `until`. */
export const createLiveReplies = (parts: {
  readonly respond: Pick<Responder, "editOriginal">;
  readonly monotonicMs: () => number;
  readonly most?: number;
  readonly mentionCommands?: MentionCommands;
}): LiveReplies => {
  const { respond, monotonicMs, most = MOST_TOKENS, mentionCommands = asCode } = parts;
  const byName = new Map<string, Remembered>();
  const nameOf = new Map<string, string>();

  const forget = (name: string): void => {
    const known = byName.get(name);
    byName.delete(name);
    if (known !== undefined && nameOf.get(known.message) === name) nameOf.delete(known.message);
  };

  /** In the order of their arrival, which is nearly that of their ends. */
  const forgetOld = (): void => {
    for (const [name, { until }] of byName) {
      if (until > monotonicMs() && byName.size <= most) return;
      forget(name);
    }
  };

  const send = async (name: string, place: Remembered, reply: Reply): Promise<boolean> => {
    if (byName.get(name) !== place || place.until <= monotonicMs()) return false;
    const body = replacingBody(mentionCommands(reply));
    const outcome = await respond.editOriginal(place.address, body, reply.files);
    if (isGone(outcome) && byName.get(name) === place) forget(name);
    return outcome.kind === "accepted";
  };

  return {
    shown: (place, name) => {
      const before = nameOf.get(place.message);
      if (before !== undefined) forget(before);
      if (name === undefined) return;
      forget(name);
      byName.set(name, { ...place, edited: Promise.resolve() });
      nameOf.set(place.message, name);
      forgetOld();
    },
    edit: async (name, reply) => {
      forgetOld();
      const place = byName.get(name);
      if (place === undefined) return false;
      const edit = place.edited.then(() => send(name, place, reply));
      place.edited = edit;
      return await edit;
    },
    stop: () => {
      byName.clear();
      nameOf.clear();
    },
  };
};

/** Token, message or webhook are no more: nothing of ours will be shown there again. */
const isGone = (outcome: AnswerOutcome): boolean =>
  outcome.kind === "expired" || (outcome.kind === "refused" && outcome.status === 404);
