import type { Services } from "../services.ts";
import {
  type Action,
  type Answer,
  type ButtonSet,
  type Command,
  fitsCustomId,
  type Handler,
  type HandlerKind,
  type Invocation,
  isSlashCommand,
  type MessageCommand,
  type OptionReader,
  parseCustomId,
  type TargetMessage,
} from "./command.ts";
import type { Suggestion } from "../ui/reply.ts";
import type { ReplyMode } from "./reply-session.ts";
import { DIRECT_MESSAGE, type InteractionData } from "./interaction.ts";
import { isDiscordId, MOST_OPTIONS } from "../shared/ids.ts";
import { UserError } from "../shared/errors.ts";
import { accountTexts } from "../accounts/texts.ts";
import { keyEnd } from "../ui/format.ts";

/** Handler of a command, component or form; logs and metrics name it by `label`. */
export interface WorkRoute extends Pick<Handler<unknown>, "confirmsMoney" | "stopsMoney"> {
  readonly label: string;
  readonly mode: Exclude<ReplyMode, "suggestions">;
  readonly handlerKind: HandlerKind;
  readonly inDirectMessages?: true;
  readonly run: (invocation: Invocation, services: Services) => Promise<Answer>;
}

export interface SuggestionsRoute {
  readonly label: string;
  readonly mode: "suggestions";
  readonly inDirectMessages?: true;
  readonly run: (invocation: Invocation, services: Services) => Promise<readonly Suggestion[]>;
}

export type Route = WorkRoute | SuggestionsRoute;

/** Finds handlers by name. @throws Error when two have the same name. */
export const createCommandTable = (
  commands: readonly (Command | MessageCommand)[],
  buttonSets: readonly ButtonSet[] = [],
) => {
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
  for (const { name, actions: ofSet } of buttonSets)
    for (const [action, handler] of Object.entries(ofSet))
      addTo(actions, `${name}:${action}`, handler);

  const findHandler = (
    data: Extract<InteractionData, { kind: "command" }>,
  ): WorkRoute | undefined => {
    const label = data.subcommand === "" ? data.name : `${data.name} ${data.subcommand}`;
    const again = () => askAgainId(data, optionNames.get(data.name) ?? []);
    return routeOf(label, handlers.get(label), data.options, again);
  };

  const findAction = (
    data: Extract<InteractionData, { kind: "action" }>,
  ): WorkRoute | undefined => {
    const address = parseCustomId(data.customId);
    const label = address === undefined ? "" : `${address.command}:${address.action}`;
    const action = actions.get(label);
    if (address === undefined || action === undefined) return undefined;
    const input = { argument: address.argument, ...data.input };
    const route = routeOf(label, action, input, () => askAgainId(data, []));
    return route && { ...route, mode: modeOf(action, data.message !== undefined) };
  };

  /**
   * Runs an action with the account of the server that the person chose. The menu of servers never starts a money
   * action.
   */
  const findChosen = (
    data: Extract<InteractionData, { kind: "action" }>,
  ): WorkRoute | undefined => {
    const chosen = chosenData(data);
    if (chosen === undefined) return findAction(data);
    const { data: asked, guildId: chosenGuildId, fromMenu } = chosen;
    const route = asked.kind === "command" ? findHandler(asked) : findAction(asked);
    if (route === undefined || (fromMenu && route.handlerKind === "money")) return undefined;
    return {
      ...route,
      mode: fromMenu && route.mode === "new" ? "update" : route.mode,
      run: async (invocation, services) => {
        const here = { ...invocation, chosenGuildId };
        const content = await chosenKeyOf(here, services);
        const answer = inServer(await route.run(here, services), chosenGuildId);
        return answer.kind === "reply" && content !== undefined ? { content, ...answer } : answer;
      },
    };
  };

  const findSuggester = (
    data: Extract<InteractionData, { kind: "autocomplete" }>,
  ): Route | undefined => {
    const command = suggesters.get(data.name);
    const suggest = command?.autocomplete;
    if (command === undefined || suggest === undefined) return undefined;
    return {
      label: data.name,
      mode: "suggestions",
      ...(command.inDirectMessages && { inDirectMessages: true }),
      run: async (invocation, services) => await suggest(data.typed, invocation, services),
    };
  };

  return {
    /** Undefined when this version has no handler for the data. */
    find: (data: InteractionData): Route | undefined => {
      if (data.kind === "command") return findHandler(data);
      if (data.kind === "action") return findChosen(data);
      if (data.kind === "message_command")
        return routeOf(data.name, onMessages.get(data.name), data.message);
      return data.kind === "autocomplete" ? findSuggester(data) : undefined;
    },
  };
};

/** `again` makes the custom id that repeats the same request once the person has chosen a server. */
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
    ...(handler.confirmsMoney === true && { confirmsMoney: true }),
    run: (invocation, services) =>
      askingWhich(handler.kind === "money" ? undefined : again, services, async () => {
        const here = await placed(handler, invocation, services);
        const answer = await handler.run(source, here, services);
        const isOfServer = handler.inDirectMessages === "in_server" && here !== invocation;
        // Later the person may be in another server, with data of its own. A chosen one is marked by its caller.
        return isOfServer && here.chosenGuildId === undefined
          ? inServer(answer, here.guildId)
          : answer;
      }),
  };

/** Sets the guild of a direct message to that of the person's connection, unless it needs none. @throws UserError */
const placed = async (
  { inDirectMessages }: Pick<Command, "inDirectMessages">,
  invocation: Invocation,
  { accounts }: Services,
): Promise<Invocation> =>
  invocation.guildId === DIRECT_MESSAGE && typeof inDirectMessages === "string"
    ? {
        ...invocation,
        guildId: await accounts.guildOf(
          invocation.userId,
          invocation.chosenGuildId,
          inDirectMessages,
        ),
        fromDirectMessage: true,
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

/*
 * In a direct message a person with several wallet accounts, or servers, first chooses a server. The menu's custom id carries the
 * request, and components of the answer carry the chosen server, so that both work after a restart:
 *   ?/vendas\ndata=ontem    ?meds:ver:…    118…/vendas:periodo:2026-11
 */
const ASKED = "?";
const COMMAND = "/";
const BREAK = "\n";
const IN_SERVER = /^(\d{17,20})\/([^]*)$/;

type Asked = Extract<InteractionData, { kind: "action" | "command" }>;

/** Custom id of a menu of servers that repeats this request; undefined when the request is too long for an id. */
const askAgainId = (data: Asked, optionNames: readonly string[]): string | undefined => {
  const lines: string[] = [];
  if (data.kind === "command") {
    lines.push(`${COMMAND}${`${data.name} ${data.subcommand}`.trim()}`);
    for (const name of optionNames) {
      const value = data.options.string(name);
      if (value !== undefined) lines.push(`${name}=${value}`);
    }
  } else {
    const { values, fields } = data.input;
    if (fields.size > 0 || values.length > 1) return undefined;
    lines.push(data.customId, ...values);
  }
  const id = ASKED + lines.join(BREAK);
  return fitsCustomId(id) ? id : undefined;
};

const typedOptions = (lines: readonly string[]): OptionReader => {
  const given = new Map(lines.map((each) => [each.split("=")[0], each.replace(/^[^=]*=/, "")]));
  const none = () => undefined;
  return {
    string: (name) => given.get(name),
    boolean: none,
    user: none,
    channel: none,
    role: none,
  };
};

/**
 * Splits the custom id of a menu of servers, or of an answer after it, into request and server; undefined for other
 * ids.
 */
const chosenData = (
  data: Extract<InteractionData, { kind: "action" }>,
): { readonly data: Asked; readonly guildId: string; readonly fromMenu: boolean } | undefined => {
  const [, guildId, customId] = IN_SERVER.exec(data.customId) ?? [];
  if (guildId !== undefined && customId !== undefined)
    return { data: { ...data, customId }, guildId, fromMenu: false };
  const [chosen] = data.input.values;
  if (!data.customId.startsWith(ASKED) || chosen === undefined || !isDiscordId(chosen))
    return undefined;
  const [asked = "", ...rest] = data.customId.slice(ASKED.length).split(BREAK);
  const place = { guildId: chosen, fromMenu: true };
  if (!asked.startsWith(COMMAND))
    return { ...place, data: { ...data, customId: asked, input: { ...data.input, values: rest } } };
  const [name = "", ...subcommand] = asked.slice(COMMAND.length).split(" ");
  const options = typedOptions(rest);
  return { ...place, data: { kind: "command", name, subcommand: subcommand.join(" "), options } };
};

/**
 * Names the chosen key to a person with several accounts, whose answers stand below one another. Read beforehand: once
 * money moved, no reading may fail its answer.
 */
const chosenKeyOf = async (
  { userId, locale, chosenGuildId }: Invocation,
  { accounts }: Services,
): Promise<string | undefined> => {
  const owned = await accounts.accountsOf(userId);
  const chosen = owned.find(({ guildId }) => guildId === chosenGuildId);
  if (chosen === undefined || owned.every(({ watchId }) => watchId === chosen.watchId))
    return undefined;
  return accountTexts(locale).people.chosenKey(keyEnd(chosen.keyLast4));
};

/** Marks buttons, menus and forms of the answer with the server, so that they use the same account. */
const inServer = (answer: Answer, guildId: string): Answer => {
  const mark = (id: string): string => {
    const marked = `${guildId}/${id}`;
    return fitsCustomId(marked) ? marked : id;
  };
  if (answer.kind === "modal") return { ...answer, customId: mark(answer.customId) };
  const { components } = answer;
  if (components === undefined) return answer;
  return {
    ...answer,
    components: components.map((row) => ({
      ...row,
      components: row.components.map((each) =>
        "custom_id" in each ? { ...each, custom_id: mark(each.custom_id) } : each,
      ),
    })),
  };
};

/**
 * Runs a handler. When the person has to choose a server, the error carries `again` for the menu of servers, and their
 * names: Discord is asked for them here alone, because suggestions show no menu.
 */
const askingWhich = async (
  again: (() => string | undefined) | undefined,
  { accounts }: Services,
  run: () => Promise<Answer>,
): Promise<Answer> => {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof UserError) || !("servers" in error.reason)) throw error;
    const named = error.reason.servers.map(async (server, place) => ({
      ...server,
      name: place < MOST_OPTIONS ? await accounts.guildName(server.guildId) : undefined,
    }));
    throw new UserError({ ...error.reason, again: again?.(), servers: await Promise.all(named) });
  }
};
