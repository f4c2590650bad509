import type { APIApplicationCommandBasicOption } from "discord-api-types/v10";
import {
  type Action,
  action,
  type ActionInput,
  type ChosenChannel,
  handler,
  type HandlerParts,
  type Invocation,
  type OptionReader,
} from "#src/discord/command.ts";
import type { Chosen, PostingRoute, RouteChange } from "#src/delivery/delivery.ts";
import { missingPermissions } from "#src/reports/report-route.ts";
import { managesServer } from "#src/shared/permissions.ts";
import { postedTo } from "#src/shared/discord-enums.ts";
import { UserError } from "#src/shared/errors.ts";
import type { Locale } from "#src/shared/locale.ts";
import type { Services } from "#src/services.ts";
import type { Reply } from "#src/ui/reply.ts";
import { SWITCHES } from "#src/ui/settings.ts";
import type { Words } from "#src/texts.ts";
import { after, outdated, requirePermissions } from "./component-input.ts";
import { option } from "./definition.ts";

/** Options that each part of `/config` has; an undefined one keeps its present value. */
export interface TypedPosts {
  readonly channelId?: string | undefined;
  readonly active?: boolean | undefined;
}

/** The channel that each part of `/config` posts to. */
export const channelOption = (words: Words): APIApplicationCommandBasicOption => ({
  ...option("channel", "canal", words),
  channel_types: postedTo,
});

/** Id of the typed channel; undefined without one. @throws UserError missing_channel_permissions */
export const typedChannel = (options: OptionReader): string | undefined => {
  const channel = options.channel("canal");
  return channel && usableChannel(channel);
};

/** @throws UserError missing_channel_permissions */
const usableChannel = ({ id: channelId, appPermissions }: ChosenChannel): string => {
  requirePermissions(channelId, appPermissions, missingPermissions);
  return channelId;
};

/** Id of the channel that a menu chose. @throws UserError missing_channel_permissions, outdated_component */
export const chosenChannel = ({ channel }: ActionInput): string =>
  channel !== undefined && (postedTo as readonly number[]).includes(channel.type)
    ? usableChannel(channel)
    : outdated();

/** @throws UserError of that kind without a value */
export const required = <Value>(
  value: Value | undefined,
  kind: "channel_required" | `${"alerts" | "report" | "sales"}_not_configured`,
): Value => {
  if (value === undefined) throw new UserError({ kind });
  return value;
};

/** The fields that each part saves of its channel; a new one starts switched on. @throws UserError of that kind without a channel */
export const chosenPosts = (
  typed: TypedPosts,
  before: PostingRoute | undefined,
  { guildId, guildLocale, userId }: Invocation,
  kind: Parameters<typeof required>[1],
): Chosen<PostingRoute> => ({
  guildId,
  channelId: required(typed.channelId ?? before?.channelId, kind),
  active: typed.active ?? before?.active ?? true,
  // The language is chosen together with the channel; other changes keep it.
  locale: typed.channelId === undefined ? (before?.locale ?? guildLocale) : guildLocale,
  liftsSuspension: typed.channelId !== undefined || typed.active === true,
  updatedBy: userId,
});

/** Whether a button switches on or off. @throws UserError outdated_component */
export const chosenSwitch = ({ argument }: ActionInput): boolean =>
  argument === SWITCHES.on || (argument === SWITCHES.off ? false : outdated());

/** A menu or button that changes settings; only for those who manage the server, at each press. */
export const setting = <Typed>(
  read: (input: ActionInput) => Typed,
  run: HandlerParts<ActionInput, Typed>["run"],
): Action => action({ kind: "write", answers: "update", parse: after(requireManager, read), run });

/** Whether no option was typed, so that the present settings are only shown. */
const isUntouched = (typed: object): boolean =>
  Object.values(typed).every((value) => value === undefined);

/** A part of `/config` with a channel. What is typed or chosen by menu is saved; what is undefined keeps its value. */
interface ChannelPart<Typed extends object, Route extends PostingRoute> {
  readonly parse: (options: OptionReader) => Typed;
  readonly find: (guildId: string, services: Services) => Promise<Route | undefined>;
  /** @throws UserError */
  readonly chosen: (
    typed: Typed,
    before: Route | undefined,
    invocation: Invocation,
  ) => Chosen<Route>;
  readonly save: (
    guildId: string,
    change: RouteChange<Route>,
    services: Services,
  ) => Promise<Route>;
  readonly show: (
    route: Route,
    saved: boolean,
    invocation: Invocation,
    services: Services,
  ) => Reply | Promise<Reply>;
  /** Asks for the channel of a server without one. */
  readonly setup: (locale: Locale) => Reply;
}

/** The command, which without options shows the present settings, and the actions of menus and buttons. */
export const channelPart = <Typed extends object, Route extends PostingRoute>({
  parse,
  find,
  chosen,
  save,
  show,
  setup,
}: ChannelPart<Typed, Route>) => {
  const saved = async (
    change: RouteChange<Route>,
    invocation: Invocation,
    services: Services,
  ): Promise<Reply> => {
    const route = await save(invocation.guildId, change, services);
    return await show(route, true, invocation, services);
  };
  const change = (typed: Typed, invocation: Invocation, services: Services): Promise<Reply> =>
    saved((before) => chosen(typed, before, invocation), invocation, services);
  return {
    handler: handler({
      kind: "write",
      parse: after(requireManager, parse),
      run: async (typed: Typed, invocation, services) => {
        if (!isUntouched(typed)) return await change(typed, invocation, services);
        const route = await find(invocation.guildId, services);
        return route === undefined
          ? setup(invocation.locale)
          : await show(route, false, invocation, services);
      },
    }),
    changedBy: (read: (input: ActionInput) => Typed): Action => setting(read, change),
    /** Replaces fields of a route that is there, also by undefined. */
    replacedBy: (
      read: (input: ActionInput) => (before: Route) => Partial<Route>,
      missing: Parameters<typeof required>[1],
    ): Action =>
      setting(read, (fieldsOf, invocation, services) => {
        const updatedBy = invocation.userId;
        const replaced = (before: Route | undefined) => {
          const route = required(before, missing);
          return { ...route, ...fieldsOf(route), updatedBy };
        };
        return saved(replaced, invocation, services);
      }),
  };
};

/**
 * Discord only hides the command from other people, and admins of a server can show it to them.
 * @throws UserError manage_server_required
 */
export const requireManager = (_: unknown, { memberPermissions }: Invocation): void => {
  if (!managesServer(memberPermissions)) throw new UserError({ kind: "manage_server_required" });
};
