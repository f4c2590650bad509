import type { Services } from "../services/services.ts";
import {
  type Action,
  type Answer,
  type Command,
  type Handler,
  type HandlerKind,
  type Invocation,
  isSlashCommand,
  type MessageCommand,
  type OptionReader,
  type Suggestion,
  type TargetMessage,
} from "./command-kit.ts";
import { askAgainId, askingWhich, chosenDeed, inServer } from "./chosen-server.ts";
import { parseCustomId } from "./custom-id.ts";
import type { ExchangeMode } from "./interaction-exchange.ts";
import { DIRECT_MESSAGE, type Deed } from "./interaction.ts";

/** What serves a command, a component or a form; `label` is the name under which it is counted and logged. */
export interface WorkRoute {
  readonly label: string;
  readonly mode: Exclude<ExchangeMode, "suggestions">;
  readonly handlerKind: HandlerKind;
  readonly inDirectMessages?: true;
  readonly stopsMoney?: true;
  readonly run: (invocation: Invocation, services: Services) => Promise<Answer>;
}

export interface SuggestionsRoute {
  readonly label: string;
  readonly mode: "suggestions";
  readonly inDirectMessages?: true;
  readonly run: (invocation: Invocation, services: Services) => Promise<readonly Suggestion[]>;
}

export type Route = WorkRoute | SuggestionsRoute;

export interface CommandTable {
  /** Undefined when no command of this version knows the deed. */
  readonly find: (deed: Deed) => Route | undefined;
}

/** Looks handlers up by what Discord sends. @throws Error when two have the same name. */
export const createCommandTable = (
  commands: readonly (Command | MessageCommand)[],
): CommandTable => {
  const handlers = new Map<string, Handler<OptionReader>>();
  const onMessages = new Map<string, Handler<TargetMessage>>();
  const actions = new Map<string, Action>();
  const suggesters = new Map<string, Command>();
  const optionNames = new Map<string, readonly string[]>();

  for (const command of commands) {
    const { name } = command.definition;
    if (!isSlashCommand(command)) {
      addTo(onMessages, name, command.onMessage);
      continue;
    }
    optionNames.set(
      name,
      (command.definition.options ?? []).map((option) => option.name),
    );
    const place = command.inDirectMessages && { inDirectMessages: command.inDirectMessages };
    if (isHandler(command.handlers)) addTo(handlers, name, { ...place, ...command.handlers });
    else
      for (const [subcommand, handler] of Object.entries(command.handlers))
        addTo(handlers, `${name} ${subcommand}`, { ...place, ...handler });
    for (const [action, handler] of Object.entries(command.actions ?? {}))
      addTo(actions, `${name}:${action}`, { ...place, ...handler });
    if (command.autocomplete !== undefined) addTo(suggesters, name, command);
  }

  const findHandler = (deed: Extract<Deed, { kind: "command" }>): WorkRoute | undefined => {
    const label = deed.subcommand === "" ? deed.name : `${deed.name} ${deed.subcommand}`;
    const again = () => askAgainId(deed, optionNames.get(deed.name) ?? []);
    return routeOf(label, handlers.get(label), deed.options, again);
  };

  const findAction = (deed: Extract<Deed, { kind: "action" }>): WorkRoute | undefined => {
    const address = parseCustomId(deed.customId);
    const label = address === undefined ? "" : `${address.command}:${address.action}`;
    const action = actions.get(label);
    if (address === undefined || action === undefined) return undefined;
    const input = { argument: address.argument, ...deed.input };
    const route = routeOf(label, action, input, () => askAgainId(deed, []));
    return route && { ...route, mode: modeOf(action, deed.message !== undefined) };
  };

  /** What a person chose a server for; money moves from no such menu. */
  const findChosen = (deed: Extract<Deed, { kind: "action" }>): WorkRoute | undefined => {
    const chosen = chosenDeed(deed);
    if (chosen === undefined) return findAction(deed);
    const { deed: asked, guildId: chosenGuildId, fromMenu } = chosen;
    const route = asked.kind === "command" ? findHandler(asked) : findAction(asked);
    if (route === undefined || (fromMenu && route.handlerKind === "money")) return undefined;
    return {
      ...route,
      mode: fromMenu && route.mode === "new" ? "update" : route.mode,
      run: async (invocation, services) =>
        inServer(await route.run({ ...invocation, chosenGuildId }, services), chosenGuildId),
    };
  };

  const findSuggester = (deed: Extract<Deed, { kind: "autocomplete" }>): Route | undefined => {
    const command = suggesters.get(deed.name);
    const suggest = command?.autocomplete;
    if (command === undefined || suggest === undefined) return undefined;
    return {
      label: deed.name,
      mode: "suggestions",
      ...(command.inDirectMessages && { inDirectMessages: true }),
      run: async (invocation, services) =>
        await suggest(deed.typed, await placed(command, invocation, services), services),
    };
  };

  return {
    find: (deed) => {
      if (deed.kind === "command") return findHandler(deed);
      if (deed.kind === "action") return findChosen(deed);
      if (deed.kind === "message_command")
        return routeOf(deed.name, onMessages.get(deed.name), deed.message);
      return deed.kind === "autocomplete" ? findSuggester(deed) : undefined;
    },
  };
};

/** `again`: custom id that runs the same in a server that is chosen first. */
const routeOf = <Source>(
  label: string,
  handler: Handler<Source> | undefined,
  source: Source,
  again?: () => string | undefined,
): WorkRoute | undefined =>
  handler && {
    label,
    handlerKind: handler.kind,
    ...(handler.inDirectMessages && { inDirectMessages: true }),
    mode: handler.kind === "modal" ? "form" : "new",
    ...(handler.stopsMoney === true && { stopsMoney: true }),
    run: (invocation, services) =>
      askingWhich(handler.kind === "money" ? undefined : again, async () =>
        handler.run(source, await placed(handler, invocation, services), services),
      ),
  };

/** What a person does as an owner in a direct message is done in the guild of their connection. @throws UserError */
const placed = async (
  { inDirectMessages }: Pick<Command, "inDirectMessages">,
  invocation: Invocation,
  { accounts }: Services,
): Promise<Invocation> =>
  invocation.guildId === DIRECT_MESSAGE && inDirectMessages === "as_owner"
    ? {
        ...invocation,
        guildId: await accounts.guildOf(invocation.userId, invocation.chosenGuildId),
      }
    : invocation;

const isHandler = (handlers: Command["handlers"]): handlers is Handler<OptionReader> =>
  typeof handlers["run" as keyof typeof handlers] === "function";

const addTo = <Value>(map: Map<string, Value>, key: string, value: Value): void => {
  if (map.has(key)) throw new Error(`Two commands are called ${key}`);
  map.set(key, value);
};

/** A modal that a command opened has no message to edit. */
const modeOf = (action: Action, onMessage: boolean): "new" | "update" | "form" => {
  if (action.kind === "modal") return "form";
  return action.answers === "update" && onMessage ? "update" : "new";
};
