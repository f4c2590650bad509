import { UserError } from "../shared/errors.ts";
import type { errorReply } from "../help/error.view.ts";
import { asCode, type MentionCommands } from "../ui/command-mentions.ts";
import type { Answer, ButtonSet, Command, Invocation, MessageCommand } from "./command.ts";
import type { Suggestion } from "../ui/reply.ts";
import {
  createCommandTable,
  type Route,
  type SuggestionsRoute,
  type WorkRoute,
} from "./command-table.ts";
import { createDiscordTime, type DiscordTime } from "./discord-time.ts";
import {
  createReplySessions,
  REPLY_LIMITS,
  type ReplyLimits,
  type ReplySession,
  type ReplySessions,
} from "./reply-session.ts";
import type { InteractionLimits } from "./interaction-limits.ts";
import { type InteractionData, DIRECT_MESSAGE, parseInteraction } from "./interaction.ts";
import type { Services } from "../services.ts";
import type { Account } from "../accounts/account.ts";
import type { Clock } from "../shared/time.ts";
import type { Logger } from "../shared/log.ts";
import type { InteractionOutcome, Metrics } from "../shared/metrics.ts";
import type { Random } from "../shared/random.ts";
import type { AnswerOutcome, Responder } from "./responder.ts";
import { createErrorBoundary, type ErrorBoundary, type Problem } from "./error-boundary.ts";
import type { LivePlace, LiveReplies } from "./live-replies.ts";

const REMEMBERED_IDS = 10_000;
const UNKNOWN = "unknown";

interface RouterParts {
  readonly services: Services;
  readonly respond: Responder;
  /** Learns of every answer that Discord took. */
  readonly live: Pick<LiveReplies, "shown">;
  readonly errorReply: typeof errorReply;
  /** False when this process or another one already took the interaction. */
  readonly claim: (interactionId: string, at: Temporal.Instant) => Promise<boolean>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly random: Random;
  readonly commands: readonly (Command | MessageCommand)[];
  readonly buttonSets?: readonly ButtonSet[];
  /** Discord's time, shared with the users of its API; by default only our clock. */
  readonly time?: DiscordTime;
  readonly limits?: ReplyLimits;
  /** By default, messages show commands as code. */
  readonly mentionCommands?: MentionCommands;
  /** Learns who used a command in a server, which proves that its member is there. */
  readonly seen?: (member: Pick<Account, "guildId" | "ownerId">) => Promise<void>;
  /** Limits for people and guilds; unlimited by default. */
  readonly pace?: InteractionLimits;
}

/** Serves one raw interaction received at `receivedAt` of `performance.now()`. Never rejects. */
export type InteractionRouter = (raw: unknown, receivedAt: number) => Promise<void>;

/**
 * Drops stale and repeated interactions, refuses too frequent ones, and runs the handlers of the others. An answer
 * within a second of the interaction's creation is sent directly; a later one follows a deferral.
 * @throws Error when two commands have the same name.
 */
export const createInteractionRouter = (parts: RouterParts): InteractionRouter => {
  const { log, metrics } = parts;
  const time = parts.time ?? createDiscordTime(parts);
  const table = createCommandTable(parts.commands, parts.buttonSets);
  const isNew = createRecentIds(REMEMBERED_IDS);
  const problemOf = createErrorBoundary(parts);
  const sessions = createReplySessions({
    ...parts,
    limits: parts.limits ?? REPLY_LIMITS,
    mentionCommands: parts.mentionCommands ?? asCode,
    onGiveUp: (session) =>
      problemOf(new UserError({ kind: lateness(session) }), session.incoming, "").reply,
  });
  const server = createInteractionServer(parts, sessions, problemOf);

  const route = async (raw: unknown, receivedAt: number): Promise<void> => {
    const incoming = parseInteraction(raw);
    if (incoming === undefined) {
      metrics.interaction(UNKNOWN, "unknown");
      log.warn("an interaction without id, token or application was dropped");
      return;
    }
    const { address, data, invocation } = incoming;
    const found = table.find(data);
    const label = found?.label ?? UNKNOWN;

    const classified = time.classify(incoming.createdMs, receivedAt);
    const { ageMs, stale } = classified instanceof Promise ? await classified : classified;
    if (stale || !isNew(address.id)) {
      const outcome = stale ? "stale" : "repeated";
      metrics.interaction(label, outcome);
      log.warn({ interaction: address.id, command: label, outcome, ageMs }, "interaction dropped");
      return;
    }

    const arrival = { incoming, receivedAt, ageMs };
    const isHere = invocation !== undefined && servesIn(invocation.guildId, found);
    if (found === undefined || !isHere) {
      const mode = data.kind === "autocomplete" ? "suggestions" : "new";
      const error = new UserError({ kind: found === undefined ? outdated(data) : "guild_only" });
      await server.refuse(sessions.open(arrival, mode, "read"), label, error);
      return;
    }
    const waitMs = parts.pace?.take(found, invocation) ?? 0;
    if (waitMs > 0) {
      const error = new UserError({ kind: "too_many_commands", waitMs });
      await server.refuse(sessions.open(arrival, found.mode, "read"), label, error);
      return;
    }
    const kind = found.mode === "suggestions" ? "read" : found.handlerKind;
    const session = sessions.open(arrival, found.mode, kind);
    if (found.mode === "suggestions") return await server.suggest(session, found, invocation);
    await server.work(session, found, invocation);
    // After the answer, which it must neither delay nor fail.
    const { guildId, userId: ownerId } = invocation;
    try {
      if (guildId !== DIRECT_MESSAGE) await parts.seen?.({ guildId, ownerId });
    } catch (error) {
      log.warn({ interaction: address.id, err: error }, "that a member is there was not kept");
    }
  };

  return async (raw, receivedAt) => {
    try {
      await route(raw, receivedAt);
    } catch (error) {
      // Last line of defence: an error of one interaction must not end the process.
      log.error({ err: error }, "an interaction could not be served");
    }
  };
};

const servesIn = (guildId: string, route: Route | undefined): boolean =>
  guildId !== DIRECT_MESSAGE || route?.inDirectMessages === true;

/** In a direct message as well: a button of an earlier version is in no server. */
const outdated = (data: InteractionData): "outdated_component" | "outdated_command" =>
  data.kind === "action" ? "outdated_component" : "outdated_command";

/** Each function ends in one answer, one log line and one count. Rejects only when the log fails. */
const createInteractionServer = (
  parts: RouterParts,
  sessions: ReplySessions,
  problemOf: ErrorBoundary,
) => {
  const { services, clock, log, metrics } = parts;

  const report = (
    session: ReplySession,
    label: string,
    outcome: InteractionOutcome,
    problem?: Problem,
    final?: AnswerOutcome,
  ): void => {
    const { ackMs, receivedAt, incoming, abandoned } = session;
    metrics.interaction(label, outcome, ackMs);
    log[outcome === "failed" ? "warn" : "info"](
      {
        interaction: incoming.address.id,
        command: label,
        outcome,
        ackMs: ackMs === undefined ? undefined : Math.round(ackMs),
        totalMs: Math.round(performance.now() - receivedAt),
        problem: problem?.summary ?? (abandoned ? `user:${lateness(session)}` : undefined),
        reference: problem?.reference,
        // A late answer is not sent, so that Discord cannot have refused it.
        refusal: abandoned || final?.kind === "accepted" ? undefined : final,
      },
      "interaction",
    );
  };

  const answer = async (
    session: ReplySession,
    label: string,
    given: Answer | Problem,
  ): Promise<void> => {
    let problem = "kind" in given ? undefined : given;
    let final = await sessions.answer(
      session,
      "kind" in given ? given : given.reply,
      problem !== undefined,
    );
    if (final.kind === "accepted" && "kind" in given && given.kind === "reply") {
      parts.live.shown({ ...placeOf(session), content: given.content }, given.live);
      await given.onTaken?.();
    }
    if (final.kind === "refused" && problem === undefined) {
      // Discord refused the answer: the person gets an error message instead.
      const refusal = new RefusedAnswerError(final);
      problem = problemOf(refusal, session.incoming, label, isMoney(session));
      final = await sessions.answer(session, problem.reply, true);
    }
    report(session, label, outcomeOf(session, final, problem), problem, final);
  };

  return {
    work: async (session: ReplySession, route: WorkRoute, invocation: Invocation) => {
      let given: Answer | Problem;
      let begun = false;
      try {
        const { interactionId } = invocation;
        const claims = route.handlerKind === "write" || isMoney(session);
        if (claims && !(await parts.claim(interactionId, clock.now()))) {
          sessions.drop(session);
          report(session, route.label, "repeated");
          return;
        }
        if (isMoney(session) && !(await sessions.defer(session)))
          throw new UserError({ kind: "not_begun" });
        begun = true;
        given = await route.run(invocation, services);
      } catch (error) {
        const mayHaveMoved = begun && isMoney(session);
        const { label, stopsMoney } = route;
        given = problemOf(error, session.incoming, label, mayHaveMoved, stopsMoney);
      }
      await answer(session, route.label, given);
    },
    suggest: async (session: ReplySession, route: SuggestionsRoute, invocation: Invocation) => {
      let suggestions: readonly Suggestion[] = [];
      let problem: Problem | undefined;
      try {
        suggestions = await route.run(invocation, services);
      } catch (error) {
        // Discord shows no error text for suggestions, so a failure becomes an empty list.
        problem = problemOf(error, session.incoming, route.label);
      }
      const final = await sessions.suggest(session, suggestions);
      const outcome = final.kind === "accepted" ? "suggested" : "failed";
      report(session, route.label, outcome, problem, final);
    },
    refuse: async (session: ReplySession, label: string, error: UserError) => {
      await answer(session, label, problemOf(error, session.incoming, label));
    },
  };
};

/** Before a deferral a claim waits for the database alone, and a form for the wallet service a second at most. */
const lateness = ({ deferral }: ReplySession): "database_away" | "took_too_long" =>
  deferral === undefined ? "database_away" : "took_too_long";

const isMoney = ({ handlerKind }: ReplySession): boolean => handlerKind === "money";

/** Message that shows the answer, with the token that can edit it and the end of that token. */
const placeOf = ({ incoming, mode, giveUpAt }: ReplySession): LivePlace => {
  const { address, data, invocation } = incoming;
  const held = mode === "update" && data.kind === "action" ? data.message : undefined;
  const isDirect = invocation?.guildId === DIRECT_MESSAGE;
  return { message: held ?? address.id, address, isDirect, until: giveUpAt };
};

class RefusedAnswerError extends Error {
  override readonly name = "RefusedAnswerError";
  readonly status: number;
  readonly code: number | undefined;

  constructor(refusal: Extract<AnswerOutcome, { kind: "refused" }>) {
    super("Discord refused an answer");
    this.status = refusal.status;
    this.code = refusal.code;
  }
}

const outcomeOf = (
  session: ReplySession,
  final: AnswerOutcome,
  problem: Problem | undefined,
): InteractionOutcome => {
  if (final.kind === "answered_elsewhere") return "repeated";
  if (final.kind !== "accepted" || problem?.unexpected === true) return "failed";
  return session.deferral === undefined ? "answered" : "deferred";
};

/**
 * Remembers the latest ids: at least `capacity`, at most twice as many. The result is true for an id that was not seen
 * lately. Fills one set while it still reads the one before, so that memory stays bounded.
 */
export const createRecentIds = (capacity: number): ((id: string) => boolean) => {
  let current = new Set<string>();
  let previous = new Set<string>();
  return (id) => {
    if (current.has(id) || previous.has(id)) return false;
    current.add(id);
    if (current.size >= capacity) {
      previous = current;
      current = new Set();
    }
    return true;
  };
};
