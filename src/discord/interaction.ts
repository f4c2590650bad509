import { type Locale, localeOf } from "../shared/locale.ts";
import type {
  ActionInput,
  ChosenChannel,
  ChosenUser,
  Invocation,
  OptionReader,
  TargetMessage,
} from "./command.ts";
import { snowflakeMs } from "../shared/ids.ts";
import {
  fieldsOf,
  idOf,
  itemsOf,
  numberOf,
  permissionsOf,
  textOf,
  type WireFields,
} from "./json.ts";
import { targetMessage } from "./target-message.ts";

const COMMAND = 2;
const COMPONENT = 3;
const AUTOCOMPLETE = 4;
const MODAL = 5;
const CHAT_INPUT = 1;
const MESSAGE_MENU = 3;
const CHANNEL_SELECT = 8;
const TOKEN = /^[\w.~=+/-]{1,1024}$/;
/** `guildId` of an invocation outside every guild. */
export const DIRECT_MESSAGE = "";

/** Where an interaction is answered. The token is as good as a password for fifteen minutes: never log it. */
export interface InteractionAddress {
  readonly id: string;
  readonly token: string;
  readonly applicationId: string;
}

export type InteractionData =
  | {
      readonly kind: "command";
      readonly name: string;
      readonly subcommand: string;
      readonly options: OptionReader;
    }
  | {
      readonly kind: "message_command";
      readonly name: string;
      readonly message: TargetMessage;
    }
  | {
      readonly kind: "autocomplete";
      readonly name: string;
      readonly typed: { readonly option: string; readonly text: string };
    }
  | {
      readonly kind: "action";
      readonly customId: string;
      readonly input: Omit<ActionInput, "argument">;
      /**
       * Key of the message that the answer can edit: id of the interaction that made the message, or the message's own
       * id. Undefined for a modal that a command opened.
       */
      readonly message: string | undefined;
    }
  /** A kind of interaction that the bot does not offer. */
  | { readonly kind: "other" };

export interface Incoming {
  readonly address: InteractionAddress;
  /** By Discord's clock, in milliseconds since 1970. */
  readonly createdMs: number;
  readonly locale: Locale;
  /** Undefined when Discord names no person or no channel. */
  readonly invocation: Invocation | undefined;
  readonly data: InteractionData;
}

/** Undefined without id, token or application, because an answer is impossible then. Never throws. */
export const parseInteraction = (raw: unknown): Incoming | undefined => {
  const wire = fieldsOf(raw);
  const id = textOf(wire["id"]) ?? "";
  const token = textOf(wire["token"]) ?? "";
  const applicationId = idOf(wire["application_id"]);
  const createdMs = snowflakeMs(id);
  if (createdMs === undefined || !TOKEN.test(token) || applicationId === undefined)
    return undefined;
  const locale = localeOf(textOf(wire["locale"]));
  return {
    address: { id, token, applicationId },
    createdMs,
    locale,
    invocation: invocationOf(wire, id, createdMs, locale),
    data: dataOf(wire),
  };
};

/** Threads of announcements, public and private ones. */
const threadTypes: ReadonlySet<unknown> = new Set([10, 11, 12]);

const invocationOf = (
  wire: WireFields,
  interactionId: string,
  createdMs: number,
  locale: Locale,
): Invocation | undefined => {
  const guildId = textOf(wire["guild_id"]) ?? DIRECT_MESSAGE;
  const isDirect = guildId === DIRECT_MESSAGE;
  const member = isDirect ? fieldsOf(wire) : fieldsOf(wire["member"]);
  const userId = textOf(fieldsOf(member["user"])["id"]);
  const channel = fieldsOf(wire["channel"]);
  const channelId = textOf(wire["channel_id"]) ?? textOf(channel["id"]);
  if (userId === undefined || channelId === undefined) return undefined;
  return {
    interactionId,
    guildId,
    channelId,
    ...(threadTypes.has(channel["type"]) && { inThread: true as const }),
    ...(fieldsOf(channel["thread_metadata"])["locked"] === true && { isLocked: true as const }),
    userId,
    memberPermissions: isDirect ? 0n : (permissionsOf(member["permissions"]) ?? 0n),
    appPermissions: permissionsOf(wire["app_permissions"]),
    locale,
    guildLocale: guildLocaleOf(wire, locale),
    createdAt: Temporal.Instant.fromEpochMilliseconds(createdMs),
  };
};

/**
 * Only a Community server has a language that was chosen; Discord calls every other one English. In an ordinary
 * server the language of the person who acts counts. Source: Discord's reference, "Guild Object", `preferred_locale`.
 */
const guildLocaleOf = (wire: WireFields, locale: Locale): Locale =>
  itemsOf(fieldsOf(wire["guild"])["features"]).includes("COMMUNITY")
    ? localeOf(textOf(wire["guild_locale"]))
    : locale;

const dataOf = (wire: WireFields): InteractionData => {
  const data = fieldsOf(wire["data"]);
  switch (wire["type"]) {
    case COMMAND: {
      if (data["type"] === MESSAGE_MENU) return messageCommandData(data);
      if ((data["type"] ?? CHAT_INPUT) !== CHAT_INPUT) return { kind: "other" };
      const { subcommand, given } = givenOptions(data);
      const options = optionReader(given, data["resolved"]);
      return { kind: "command", name: textOf(data["name"]) ?? "", subcommand, options };
    }
    case AUTOCOMPLETE: {
      const typed = focusedOption(givenOptions(data).given);
      return { kind: "autocomplete", name: textOf(data["name"]) ?? "", typed };
    }
    case COMPONENT:
    case MODAL:
      return {
        kind: "action",
        customId: textOf(data["custom_id"]) ?? "",
        input: {
          values: textsIn(data["values"]),
          fields: typedFields(data["components"]),
          ...(data["component_type"] === CHANNEL_SELECT && { channel: channelOf(data) }),
        },
        message: messageKey(wire["message"]),
      };
    default:
      return { kind: "other" };
  }
};

const messageCommandData = (data: WireFields): InteractionData => {
  const message = targetMessage(data);
  if (message === undefined) return { kind: "other" };
  return { kind: "message_command", name: textOf(data["name"]) ?? "", message };
};

const messageKey = (value: unknown): string | undefined => {
  const message = fieldsOf(value);
  return textOf(fieldsOf(message["interaction_metadata"])["id"]) ?? textOf(message["id"]);
};

const textsIn = (value: unknown): readonly string[] =>
  itemsOf(value).filter((item) => typeof item === "string");

/** Discord puts a modal's inputs and menus in labels (one each) or in rows (a list of one). */
const typedFields = (components: unknown): ReadonlyMap<string, string> => {
  const typed = new Map<string, string>();
  for (const item of itemsOf(components)) {
    const holder = fieldsOf(item);
    for (const held of [holder["component"], ...itemsOf(holder["components"])]) {
      const input = fieldsOf(held);
      const id = textOf(input["custom_id"]);
      const value = textOf(input["value"]) ?? textsIn(input["values"])[0];
      if (id !== undefined && value !== undefined) typed.set(id, value);
    }
  }
  return typed;
};

const SUBCOMMAND = 1;
const STRING = 3;
const BOOLEAN = 5;
const USER = 6;
const CHANNEL = 7;
const ROLE = 8;

interface GivenOptions {
  /** Empty for a command without subcommands. The bot has no groups of them. */
  readonly subcommand: string;
  readonly given: readonly unknown[];
}

const givenOptions = (data: WireFields): GivenOptions => {
  const given = itemsOf(data["options"]);
  const first = fieldsOf(given[0]);
  return first["type"] === SUBCOMMAND
    ? { subcommand: textOf(first["name"]) ?? "", given: itemsOf(first["options"]) }
    : { subcommand: "", given };
};

const chosenUser = (resolved: unknown, id: string): ChosenUser => {
  const { users, members } = fieldsOf(resolved);
  const user = fieldsOf(fieldsOf(users)[id]);
  return { id, bot: user["bot"] === true, isMember: fieldsOf(members)[id] !== undefined };
};

const chosenChannel = (resolved: unknown, id: string): ChosenChannel => {
  const channel = fieldsOf(fieldsOf(fieldsOf(resolved)["channels"])[id]);
  return {
    id,
    type: numberOf(channel["type"]) ?? -1,
    appPermissions: permissionsOf(channel["app_permissions"]),
  };
};

/** The first channel that a menu chose, as `resolved` describes it. */
const channelOf = (data: WireFields): ChosenChannel | undefined => {
  const id = idOf(itemsOf(data["values"])[0]);
  return id === undefined ? undefined : chosenChannel(data["resolved"], id);
};

/** Reads options by name. `resolved` describes chosen users and channels. */
const optionReader = (given: readonly unknown[], resolved: unknown): OptionReader => {
  const valueOf = (name: string, type: number): unknown => {
    const option = given.map(fieldsOf).find((each) => each["name"] === name);
    return option?.["type"] === type ? option["value"] : undefined;
  };
  return {
    string: (name) => textOf(valueOf(name, STRING)),
    boolean: (name) => {
      const value = valueOf(name, BOOLEAN);
      return typeof value === "boolean" ? value : undefined;
    },
    user: (name) => {
      const id = textOf(valueOf(name, USER));
      return id === undefined ? undefined : chosenUser(resolved, id);
    },
    role: (name) => textOf(valueOf(name, ROLE)),
    channel: (name) => {
      const id = textOf(valueOf(name, CHANNEL));
      return id === undefined ? undefined : chosenChannel(resolved, id);
    },
  };
};

const focusedOption = (given: readonly unknown[]) => {
  const { name, value } = given.map(fieldsOf).find(({ focused }) => focused === true) ?? {};
  return { option: textOf(name) ?? "", text: textOf(value) ?? "" };
};
