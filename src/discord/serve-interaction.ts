import type { Services } from "../services/services.ts";
import type { Clock } from "../shared/time.ts";
import { UserError } from "../shared/errors.ts";
import type { Logger } from "../shared/log.ts";
import type { InteractionOutcome, Metrics } from "../shared/metrics.ts";
import type { Random } from "../shared/random.ts";
import type { MentionCommands } from "../views/command-mentions.ts";
import type { AnswerOutcome } from "./answer-outcome.ts";
import type { Answer, Invocation, Suggestion } from "./command-kit.ts";
import type { SuggestionsRoute, WorkRoute } from "./command-table.ts";
import { createErrorBoundary, type ErrorReply, type Problem } from "./error-boundary.ts";
import {
  createExchanges,
  type Exchange,
  type ExchangeLimits,
  type Exchanges,
} from "./interaction-exchange.ts";
import type { LivePlace, LiveReplies } from "./live-replies.ts";
import type { Responder } from "./responder.ts";

export interface ServeParts {
  readonly services: Services;
  readonly respond: Responder;
  /** Told of every answer that Discord took. */
  readonly live: Pick<LiveReplies, "shown">;
  readonly errorReply: ErrorReply;
  /** False when another run, of this process or of another, took the interaction. */
  readonly claim: (interactionId: string, at: Temporal.Instant) => Promise<boolean>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly random: Random;
  readonly limits: ExchangeLimits;
  readonly mentionCommands: MentionCommands;
}

/** Each ends in one answer, one log line and one count. None rejects unless the log does. */
export interface InteractionServer {
  readonly open: Exchanges["open"];
  readonly work: (exchange: Exchange, route: WorkRoute, invocation: Invocation) => Promise<void>;
  readonly suggest: (
    exchange: Exchange,
    route: SuggestionsRoute,
    invocation: Invocation,
  ) => Promise<void>;
  /** Says why nothing was run: a deed is never met with silence. */
  readonly refuse: (exchange: Exchange, label: string, error: UserError) => Promise<void>;
}

/** Runs handlers, and makes of whatever comes out of them what the person reads. */
export const createInteractionServer = (parts: ServeParts): InteractionServer => {
  const { services, clock, log, metrics } = parts;
  const problemOf = createErrorBoundary(parts);
  const exchanges = createExchanges({
    ...parts,
    onGiveUp: ({ incoming }) =>
      problemOf(new UserError({ kind: "took_too_long" }), incoming.locale, "").reply,
  });

  const report = (
    exchange: Exchange,
    label: string,
    outcome: InteractionOutcome,
    problem?: Problem,
    final?: AnswerOutcome,
  ): void => {
    const { ackMs, receivedAt, incoming } = exchange;
    metrics.interaction(label, outcome, ackMs);
    log[outcome === "failed" ? "warn" : "info"](
      {
        interaction: incoming.address.id,
        command: label,
        outcome,
        ackMs: ackMs === undefined ? undefined : Math.round(ackMs),
        totalMs: Math.round(performance.now() - receivedAt),
        problem: problem?.summary,
        reference: problem?.reference,
        refusal: final === undefined || final.kind === "accepted" ? undefined : final,
      },
      "interaction",
    );
  };

  const answer = async (
    exchange: Exchange,
    label: string,
    given: Answer | Problem,
  ): Promise<void> => {
    let problem = "kind" in given ? undefined : given;
    let final = await exchanges.answer(
      exchange,
      "kind" in given ? given : given.reply,
      problem !== undefined,
    );
    if (final.kind === "accepted" && "kind" in given && given.kind === "reply")
      parts.live.shown(placeOf(exchange), given.live);
    if (final.kind === "refused" && problem === undefined) {
      // Discord did not take the answer: the person still has to hear of it.
      const refusal = new RefusedAnswerError(final);
      problem = problemOf(refusal, exchange.incoming.locale, label, isMoney(exchange));
      final = await exchanges.answer(exchange, problem.reply, true);
    }
    report(exchange, label, outcomeOf(exchange, final, problem), problem, final);
  };

  return {
    open: exchanges.open,
    work: async (exchange, route, invocation) => {
      let given: Answer | Problem;
      let begun = false;
      try {
        const { interactionId } = invocation;
        const claims = route.handlerKind === "write" || isMoney(exchange);
        if (claims && !(await parts.claim(interactionId, clock.now()))) {
          exchanges.drop(exchange);
          report(exchange, route.label, "repeated");
          return;
        }
        if (isMoney(exchange) && !(await exchanges.defer(exchange)))
          throw new UserError({ kind: "not_begun" });
        begun = true;
        given = await route.run(invocation, services);
      } catch (error) {
        given = problemOf(error, invocation.locale, route.label, begun && isMoney(exchange));
      }
      await answer(exchange, route.label, given);
    },
    suggest: async (exchange, route, invocation) => {
      let suggestions: readonly Suggestion[] = [];
      let problem: Problem | undefined;
      try {
        suggestions = await route.run(invocation, services);
      } catch (error) {
        // Discord shows no text here: a list that cannot be made is an empty list.
        problem = problemOf(error, invocation.locale, route.label);
      }
      const final = await exchanges.suggest(exchange, suggestions);
      const outcome = final.kind === "accepted" ? "suggested" : "failed";
      report(exchange, route.label, outcome, problem, final);
    },
    refuse: async (exchange, label, error) => {
      await answer(exchange, label, problemOf(error, exchange.incoming.locale, label));
    },
  };
};

const isMoney = ({ handlerKind }: Exchange): boolean => handlerKind === "money";

/** Which message shows the answer, and with which token it can be edited until when. */
const placeOf = ({ incoming, mode, giveUpAt }: Exchange): LivePlace => {
  const { address, deed } = incoming;
  const held = mode === "update" && deed.kind === "action" ? deed.message : undefined;
  return { message: held ?? address.id, address, until: giveUpAt };
};

/** Discord refused a body of ours. */
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
  exchange: Exchange,
  final: AnswerOutcome,
  problem: Problem | undefined,
): InteractionOutcome => {
  if (final.kind === "answered_elsewhere") return "repeated";
  if (final.kind !== "accepted" || problem?.unexpected === true) return "failed";
  return exchange.deferral === undefined ? "answered" : "deferred";
};
