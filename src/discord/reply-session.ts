import { MINUTE, SECOND } from "../shared/time.ts";
import type { MentionCommands } from "../ui/command-mentions.ts";
import { limits } from "../ui/embed.ts";
import type { Reply, ReplyFile, Suggestion } from "../ui/reply.ts";
import { UNKNOWN_MESSAGE } from "./discord-http.ts";
import type { AnswerOutcome, Responder } from "./responder.ts";
import type { Answer, HandlerKind } from "./command.ts";
import type { Incoming } from "./interaction.ts";
import {
  modalBody,
  privateBody,
  replacingBody,
  sendOrAsText,
  uploadBytes,
  THINKING,
} from "./message-body.ts";

const MESSAGE = 4;
const DEFERRED_MESSAGE = 5;
const DEFERRED_UPDATE = 6;
const UPDATE = 7;
const SUGGESTIONS = 8;
const MODAL = 9;
/** Larger files follow a deferral: their upload over a slow line would make the first response late. */
const MOST_DIRECT_BYTES = 256 * 1_024;

/**
 * - `new`: a private message of its own.
 * - `update`: edits the message that held the component.
 * - `form`: a modal, which Discord takes only as the first response: never deferred.
 * - `suggestions`: of an autocomplete; empty when they are not ready in time.
 */
export type ReplyMode = "new" | "update" | "form" | "suggestions";

export type ReplyLimits = Readonly<typeof REPLY_LIMITS>;

export const REPLY_LIMITS = {
  /** Age at which a session without an answer is deferred. */
  deferAtMs: SECOND,
  suggestAtMs: 2.5 * SECOND,
  /** Age at which a form, and money that is not claimed yet, is answered without its result: they cannot be deferred. */
  answerAtMs: 2 * SECOND,
  /** Time that these have at least: the age of an interaction is known to within two seconds alone. */
  answerWithinMs: 1.5 * SECOND,
  /** Age at which the person learns that no answer will come; the token lives for 15 minutes. */
  giveUpAtMs: 14 * MINUTE,
};

interface Arrival {
  readonly incoming: Incoming;
  /** On the monotonic clock. */
  readonly receivedAt: number;
  /** Age at `receivedAt`. */
  readonly ageMs: number;
}

export interface ReplySession extends Deadlined {
  readonly incoming: Incoming;
  readonly mode: ReplyMode;
  readonly handlerKind: HandlerKind;
  readonly receivedAt: number;
  readonly giveUpAt: number;
  /** The deferral, once it was sent. */
  deferral: Promise<AnswerOutcome> | undefined;
  /** The person was told that no answer comes, or that it takes too long. */
  abandoned: boolean;
  /** From arrival to Discord's answer to our first response. */
  ackMs: number | undefined;
}

export type ReplySessions = ReturnType<typeof createReplySessions>;

/**
 * Sends an answer in one call when it is ready in time, in two otherwise.
 * @param parts.onGiveUp makes the text for a person who waited for `giveUpAtMs`, or without a deferral for `answerAtMs`.
 */
export const createReplySessions = (parts: {
  readonly respond: Responder;
  readonly limits: ReplyLimits;
  readonly onGiveUp: (session: ReplySession) => Reply;
  readonly mentionCommands: MentionCommands;
}) => {
  const { respond, limits, onGiveUp, mentionCommands } = parts;

  const first = async (
    session: ReplySession,
    body: object,
    files?: readonly ReplyFile[],
  ): Promise<AnswerOutcome> => {
    const outcome = await respond.callback(session.incoming.address, body, files);
    session.ackMs = performance.now() - session.receivedAt;
    return outcome;
  };

  const dueAtOf = ({ receivedAt, ageMs }: Arrival, mode: ReplyMode, kind: HandlerKind): number => {
    const bornAt = receivedAt - ageMs;
    if (mode === "suggestions") return bornAt + limits.suggestAtMs;
    if (defersItself({ mode, handlerKind: kind })) return bornAt + limits.deferAtMs;
    return Math.max(bornAt + limits.answerAtMs, receivedAt + limits.answerWithinMs);
  };

  const deadlines = createDeadlines<ReplySession>((session) => {
    if (session.deferral === undefined && defersItself(session)) {
      session.dueAt = session.giveUpAt;
      session.deferral = first(session, deferralBody(session.mode));
      return;
    }
    deadlines.remove(session);
    session.abandoned = true;
    void give(session, mentionCommands(onGiveUp(session)), true);
  });

  /** Answers directly, or after the deferral; skipped when the deferral certainly failed. */
  const give = async (
    session: ReplySession,
    answer: Answer,
    problem: boolean,
  ): Promise<AnswerOutcome> => {
    if (session.deferral === undefined)
      return await first(session, directBody(session.mode, answer, problem), filesOf(answer));
    const deferred = await session.deferral;
    if (deferred.kind !== "accepted" && deferred.kind !== "unclear") return deferred;
    if (answer.kind === "modal") return { kind: "refused", status: 0, code: undefined };
    const { address } = session.incoming;
    return session.mode === "update" && problem
      ? await respond.followUp(address, privateBody(answer), answer.files)
      : await respond.editOriginal(address, replacingBody(answer), answer.files);
  };

  return {
    /** Starts a session, which defers by itself; a form, or one about money, is answered by `onGiveUp` instead. */
    open: (arrival: Arrival, mode: ReplyMode, handlerKind: HandlerKind): ReplySession => {
      const { incoming, receivedAt, ageMs } = arrival;
      const bornAt = receivedAt - ageMs;
      const session: ReplySession = {
        incoming,
        mode,
        handlerKind,
        receivedAt,
        dueAt: dueAtOf(arrival, mode, handlerKind),
        giveUpAt: mode === "suggestions" ? Number.POSITIVE_INFINITY : bornAt + limits.giveUpAtMs,
        deferral: undefined,
        abandoned: false,
        ackMs: undefined,
      };
      deadlines.add(session);
      return session;
    },
    /**
     * Defers at once, unless the person was answered already. True only when Discord surely took it, so that the person
     * will see the result.
     */
    defer: async (session: ReplySession): Promise<boolean> => {
      if (session.abandoned) return false;
      session.dueAt = session.giveUpAt;
      session.deferral = first(session, deferralBody(session.mode));
      const outcome = await session.deferral;
      return outcome.kind === "accepted" && outcome.presumed !== true;
    },
    drop: (session: ReplySession): void => deadlines.remove(session),
    /**
     * Answers directly, or edits the deferral's message. A `problem` never replaces a message that held a component; an answer
     * whose message was deleted is one of its own.
     */
    answer: async (
      session: ReplySession,
      made: Answer,
      problem: boolean,
    ): Promise<AnswerOutcome> => {
      deadlines.remove(session);
      if (session.abandoned) return { kind: "expired", code: undefined };
      const answer = made.kind === "reply" ? mentionCommands(made) : made;
      if (uploadBytes(filesOf(answer)) > MOST_DIRECT_BYTES)
        session.deferral ??= first(session, deferralBody(session.mode));
      const send = (asProblem: boolean) =>
        sendOrAsText<Answer>(answer, (sent) => give(session, sent, asProblem));
      const given = await send(problem);
      // The message that the answer would have replaced was deleted: it comes in a private one.
      const isDeleted = given.kind === "expired" && given.code === UNKNOWN_MESSAGE;
      const outcome = isDeleted && session.mode === "update" ? await send(true) : given;
      const further = answer.kind === "reply" ? answer.further : undefined;
      if (further !== undefined && outcome.kind === "accepted")
        await respond.followUp(session.incoming.address, privateBody(further), further.files);
      return outcome;
    },
    suggest: async (
      session: ReplySession,
      suggestions: readonly Suggestion[],
    ): Promise<AnswerOutcome> => {
      deadlines.remove(session);
      return await (session.deferral ?? first(session, suggestionsBody(suggestions)));
    },
  };
};

/** A form can only be Discord's first response, and money is deferred once it is claimed. */
const defersItself = ({ mode, handlerKind }: Pick<ReplySession, "mode" | "handlerKind">): boolean =>
  mode !== "form" && handlerKind !== "money";

const filesOf = (answer: Answer): readonly ReplyFile[] =>
  answer.kind === "reply" ? (answer.files ?? []) : [];

const directBody = (mode: ReplyMode, answer: Answer, problem: boolean): object => {
  if (mode === "suggestions") return suggestionsBody([]);
  if (answer.kind === "modal") return { type: MODAL, data: modalBody(answer) };
  return mode === "update" && !problem
    ? { type: UPDATE, data: replacingBody(answer) }
    : { type: MESSAGE, data: privateBody(answer) };
};

const deferralBody = (mode: ReplyMode): object => {
  if (mode === "suggestions") return suggestionsBody([]);
  return mode === "update" ? { type: DEFERRED_UPDATE } : { type: DEFERRED_MESSAGE, data: THINKING };
};

const suggestionsBody = (suggestions: readonly Suggestion[]): object => ({
  type: SUGGESTIONS,
  data: {
    choices: suggestions
      .filter(({ name, value }) => name !== "" && value.length <= limits.choiceName)
      .slice(0, limits.selectOptions)
      .map(({ name, value }) => ({
        name: Array.from(name).slice(0, limits.choiceName).join(""),
        value,
      })),
  },
});

const SWEEP_MS = 50;

interface Deadlined {
  /** On the clock of `performance.now()`, in milliseconds. May change while waiting. */
  dueAt: number;
}

/**
 * Passes due entries to `expire` at most 50 ms late, with one timer for all of them. An entry stays until it is
 * removed, so `expire` must remove it or move its `dueAt`. `expire` must not throw.
 */
const createDeadlines = <Entry extends Deadlined>(expire: (entry: Entry) => void) => {
  const entries = new Set<Entry>();
  let timer: NodeJS.Timeout | undefined;

  const sweep = (): void => {
    if (entries.size === 0) {
      clearInterval(timer);
      timer = undefined;
      return;
    }
    const now = performance.now();
    for (const entry of entries) if (entry.dueAt <= now) expire(entry);
  };

  return {
    add: (entry: Entry): void => {
      entries.add(entry);
      timer ??= setInterval(sweep, SWEEP_MS).unref();
    },
    remove: (entry: Entry): void => {
      entries.delete(entry);
    },
  };
};
