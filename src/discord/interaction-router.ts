import { UserError } from "../shared/errors.ts";
import { asCode, type MentionCommands } from "../views/command-mentions.ts";
import type { Command, MessageCommand } from "./command-kit.ts";
import { createCommandTable, type Route } from "./command-table.ts";
import { createDiscordTime, type DiscordTime } from "./discord-time.ts";
import { EXCHANGE_LIMITS, type ExchangeLimits } from "./interaction-exchange.ts";
import type { InteractionLimits } from "./interaction-limits.ts";
import { DIRECT_MESSAGE, parseInteraction, type Deed } from "./interaction.ts";
import { createRecentIds } from "./recent-ids.ts";
import { createInteractionServer, type ServeParts } from "./serve-interaction.ts";

const REMEMBERED_IDS = 10_000;
const UNKNOWN = "unknown";

export interface RouterParts extends Omit<ServeParts, "limits" | "mentionCommands"> {
  readonly commands: readonly (Command | MessageCommand)[];
  /** Shared with all that hears from Discord what time it is there; by default our clock alone. */
  readonly time?: DiscordTime;
  readonly limits?: ExchangeLimits;
  /** Without it commands are named as code. */
  readonly mentionCommands?: MentionCommands;
  /** How much a person and a guild may ask; without it there is no limit. */
  readonly pace?: InteractionLimits;
}

/** Serves one interaction as it came, at `receivedAt` of `performance.now()`. Never rejects. */
export type InteractionRouter = (raw: unknown, receivedAt: number) => Promise<void>;

/**
 * Drops what is stale or repeated, refuses what comes too often, finds what serves the rest and lets it be served. An answer that is ready within a
 * second of the interaction's making goes out directly; a later one follows a deferral.
 * @throws Error when two commands have the same name.
 */
export const createInteractionRouter = (parts: RouterParts): InteractionRouter => {
  const { log, metrics } = parts;
  const time = parts.time ?? createDiscordTime(parts);
  const table = createCommandTable(parts.commands);
  const recent = createRecentIds(REMEMBERED_IDS);
  const { limits = EXCHANGE_LIMITS, mentionCommands = asCode } = parts;
  const server = createInteractionServer({ ...parts, limits, mentionCommands });

  const route = async (raw: unknown, receivedAt: number): Promise<void> => {
    const incoming = parseInteraction(raw);
    if (incoming === undefined) {
      metrics.interaction(UNKNOWN, "unknown");
      log.warn("an interaction without id, token or application was dropped");
      return;
    }
    const { address, deed, invocation } = incoming;
    const found = table.find(deed);
    const label = found?.label ?? UNKNOWN;

    const judged = time.judge(incoming.createdMs, receivedAt);
    const { ageMs, stale } = judged instanceof Promise ? await judged : judged;
    if (stale || !recent.add(address.id)) {
      const outcome = stale ? "stale" : "repeated";
      metrics.interaction(label, outcome);
      log.warn({ interaction: address.id, command: label, outcome, ageMs }, "interaction dropped");
      return;
    }

    const arrival = { incoming, receivedAt, ageMs };
    const isHere = invocation !== undefined && servesIn(invocation.guildId, found);
    if (found === undefined || !isHere) {
      const mode = deed.kind === "autocomplete" ? "suggestions" : "new";
      const error = new UserError({ kind: isHere ? outdated(deed) : "guild_only" });
      await server.refuse(server.open(arrival, mode, "read"), label, error);
      return;
    }
    const waitMs = parts.pace?.take(found, invocation) ?? 0;
    if (waitMs > 0) {
      const error = new UserError({ kind: "too_many_commands", waitMs });
      await server.refuse(server.open(arrival, found.mode, "read"), label, error);
      return;
    }
    const kind = found.mode === "suggestions" ? "read" : found.handlerKind;
    const exchange = server.open(arrival, found.mode, kind);
    if (found.mode === "suggestions") await server.suggest(exchange, found, invocation);
    else await server.work(exchange, found, invocation);
  };

  return async (raw, receivedAt) => {
    try {
      await route(raw, receivedAt);
    } catch (error) {
      // The last line of defence of the process: whatever is wrong with one interaction ends with it.
      log.error({ err: error }, "an interaction could not be served");
    }
  };
};

/** What nothing serves is outdated in a guild, and out of place elsewhere. */
const servesIn = (guildId: string, route: Route | undefined): boolean =>
  guildId !== DIRECT_MESSAGE || route?.inDirectMessages === true;

const outdated = (deed: Deed): "outdated_component" | "outdated_command" =>
  deed.kind === "action" ? "outdated_component" : "outdated_command";
