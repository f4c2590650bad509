import { asCode, type MentionCommands } from "../ui/command-mentions.ts";
import type { LiveSubject, Reply } from "../ui/reply.ts";
import type { AnswerOutcome, Responder } from "./responder.ts";
import type { InteractionAddress } from "./interaction.ts";
import { replacingBody, sendOrAsText } from "./message-body.ts";

/** Bounds the tokens in memory; the oldest are forgotten first. */
const MOST_TOKENS = 2_000;

export interface LivePlace {
  /** Key of the message: a later answer in the same message replaces the earlier name. */
  readonly message: string;
  readonly address: InteractionAddress;
  readonly isDirect: boolean;
  /** Text above the answer's embed, which names the chosen key: an edit without a text of its own keeps it. */
  readonly content?: string | undefined;
  /** End of the token's life, on the monotonic clock. */
  readonly until: number;
}

export type LiveReplies = ReturnType<typeof createLiveReplies>;

interface Remembered extends LivePlace {
  /** Settles after the edits so far. */
  edited: Promise<unknown>;
  /** The state that the answer shows; undefined where Discord did not surely take its edit. */
  state: string | undefined;
}

/** Private answers that can still be edited. Their tokens live for 15 minutes, in memory only. */
export const createLiveReplies = (parts: {
  readonly respond: Pick<Responder, "editOriginal">;
  readonly monotonicMs: () => number;
  readonly most?: number;
  readonly mentionCommands?: MentionCommands;
  /** The present state of the subject of a name. Undefined where no other process changes it: it is not read then. */
  readonly stateOf?: ((name: string) => Promise<string | undefined>) | undefined;
}) => {
  const { respond, monotonicMs, most = MOST_TOKENS, mentionCommands = asCode, stateOf } = parts;
  const byName = new Map<string, Remembered>();
  const nameOf = new Map<string, string>();

  const forget = (name: string): void => {
    const known = byName.get(name);
    byName.delete(name);
    if (known !== undefined && nameOf.get(known.message) === name) nameOf.delete(known.message);
  };

  /** Goes by order of arrival, which is nearly the order of expiry. */
  const forgetOld = (): void => {
    for (const [name, { until }] of byName) {
      if (until > monotonicMs() && byName.size <= most) return;
      forget(name);
    }
  };

  const send = async (name: string, place: Remembered, reply: Reply): Promise<boolean> => {
    if (byName.get(name) !== place || place.until <= monotonicMs()) return false;
    const outcome = await sendOrAsText(mentionCommands(reply), (sent) =>
      respond.editOriginal(
        place.address,
        replacingBody({ ...sent, content: sent.content ?? place.content ?? "" }),
        sent.files,
      ),
    );
    if (isGone(outcome) && byName.get(name) === place) forget(name);
    if (outcome.kind === "unclear" || outcome.kind === "throttled") place.state = undefined;
    return outcome.kind === "accepted";
  };

  return {
    /** Records an answer that Discord took, with its subject if it has one. */
    shown: (place: LivePlace, subject: LiveSubject | undefined): void => {
      const before = nameOf.get(place.message);
      if (before !== undefined) forget(before);
      if (subject === undefined) return;
      const { name, state } = subject;
      forget(name);
      byName.set(name, { ...place, edited: Promise.resolve(), state });
      nameOf.set(place.message, name);
      forgetOld();
    },
    /**
     * True only when Discord surely took the edit. Edits of the same name run one after the other. Never rejects.
     * `replyFor`: in a direct message, or in a server.
     */
    edit: async (name: string, replyFor: (isDirect: boolean) => Reply): Promise<boolean> => {
      forgetOld();
      const place = byName.get(name);
      if (place === undefined) return false;
      const reply = replyFor(place.isDirect);
      const edit = place.edited.then(() => send(name, place, reply));
      place.edited = edit;
      place.state = reply.live?.state;
      return await edit;
    },
    /**
     * Shows each name whose state another process has changed since the answer was shown, or edited here, once. One that could
     * not be shown is shown the next time.
     * @throws AggregateError of the failures, after the other names
     */
    moved: async (show: (name: string) => Promise<void>): Promise<void> => {
      if (stateOf === undefined) return;
      forgetOld();
      const failures: unknown[] = [];
      for (const [name, place] of byName) {
        const now = await stateOf(name).catch(() => undefined);
        const before = place.state;
        if (now === undefined || now === before || byName.get(name) !== place) continue;
        place.state = now;
        try {
          await show(name);
        } catch (error) {
          place.state = before;
          failures.push(error);
        }
      }
      if (failures.length > 0) throw new AggregateError(failures);
    },
    stop: (): void => {
      byName.clear();
      nameOf.clear();
    },
  };
};

/** The token, message or webhook is gone: every later edit would fail too. */
const isGone = (outcome: AnswerOutcome): boolean =>
  outcome.kind === "expired" || (outcome.kind === "refused" && outcome.status === 404);
