import { onTestFinished } from "vitest";
import { action, type Answer, type Command, defineCommand, handler } from "#src/discord/command.ts";
import { createDiscordTime } from "#src/discord/discord-time.ts";
import { REPLY_LIMITS, type ReplyLimits } from "#src/discord/reply-session.ts";
import type { InteractionLimits } from "#src/discord/interaction-limits.ts";
import { createInteractionRouter } from "#src/discord/interaction-router.ts";
import { createLiveReplies } from "#src/discord/live-replies.ts";
import { createResponder } from "#src/discord/responder.ts";
import type { Services } from "#src/services.ts";
import type { InteractionOutcome } from "#src/shared/metrics.ts";
import { UserError, WalletError } from "#src/shared/errors.ts";
import type { Reply } from "#src/ui/reply.ts";
import type { errorReply as realErrorReply } from "#src/help/error.view.ts";
import { startFakeRest } from "./fake-rest.ts";
import { recordingLog, standingClock, steadyRandom } from "./parts.ts";

export const says = (content: string): Reply => ({ kind: "reply", content });

/** The tests' command handler; each test swaps `work`. */
interface Script {
  work: () => Promise<Answer> | Answer;
  suggest: () => Promise<{ name: string; value: string }[]>;
  claim: (id: string) => Promise<boolean>;
  seen: (member: { readonly guildId: string; readonly ownerId: string }) => Promise<void>;
}

export type BotEdge = Awaited<ReturnType<typeof startBotEdge>>;

const commandOf = (script: Script): Command =>
  defineCommand({
    definition: { name: "vendas", description: "Vendas" },
    handlers: {
      ler: handler({ kind: "read", parse: () => undefined, run: () => script.work() }),
      gravar: handler({ kind: "write", parse: () => undefined, run: () => script.work() }),
      abrir: handler({ kind: "modal", parse: () => undefined, run: () => script.work() }),
    },
    actions: {
      trocar: action({
        kind: "read",
        answers: "update",
        parse: () => undefined,
        run: () => script.work(),
      }),
    },
    autocomplete: () => script.suggest(),
  });

/** A readable stand-in for the error views. */
const errorReply: typeof realErrorReply = (error, locale, _reference, isDirect) => {
  if (error instanceof UserError) return says(`${locale} ${error.reason.kind}`);
  if (error instanceof WalletError)
    return says(`${locale} ${error.kind} ${isDirect === true ? "direct" : error.requestId}`);
  return says(`${locale} unexpected ${error.reference}`);
};

/** Router and responder on a real socket, closed when the test ends. `at: "once"` defers at the first sweep instead of after a second. */
export const startBotEdge = async (
  limits: Partial<ReplyLimits> = {},
  commands: readonly Command[] = [],
  pace?: InteractionLimits,
) => {
  const discord = await startFakeRest();
  const { log, lines } = recordingLog();
  const clock = standingClock();
  const counted: { command: string; outcome: InteractionOutcome }[] = [];
  const script: Script = {
    work: () => says("pronto"),
    suggest: async () => [],
    claim: async () => true,
    seen: async () => {},
  };
  const responder = createResponder({ apiUrl: discord.apiUrl, wait: async () => {} });
  const live = createLiveReplies({ respond: responder, monotonicMs: () => performance.now() });
  const route = createInteractionRouter({
    commands: [commandOf(script), ...commands],
    services: {} as Services,
    respond: responder,
    live,
    errorReply,
    claim: (id) => script.claim(id),
    seen: (member) => script.seen(member),
    clock,
    log,
    // A standing clock, so that ages are exact on slow machines.
    time: createDiscordTime({ clock, log, monotonicMs: () => 0 }),
    metrics: {
      interaction: (command, outcome) => counted.push({ command, outcome }),
      walletCall: () => {},
      delivery: () => {},
      webhook: () => {},
    },
    random: steadyRandom,
    limits: { ...REPLY_LIMITS, ...limits },
    ...(pace !== undefined && { pace }),
  });
  onTestFinished(async () => {
    await discord.stop();
    await responder.close();
  });
  return { discord, route, live, script, clock, lines, counted };
};
