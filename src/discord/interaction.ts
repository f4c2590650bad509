import { localeOf, type Locale } from "../texts/locale.ts";
import type { ActionInput, Invocation, OptionReader, TargetMessage } from "./command-kit.ts";
import { focusedOption, givenOptions, optionReader } from "./interaction-options.ts";
import { snowflakeMs } from "./snowflake.ts";
import { targetMessage } from "./target-message.ts";
import { fieldsOf, itemsOf, permissionsOf, textOf, type WireFields } from "./wire.ts";

const COMMAND = 2;
const COMPONENT = 3;
const AUTOCOMPLETE = 4;
const MODAL = 5;
const CHAT_INPUT = 1;
const MESSAGE_MENU = 3;
const TOKEN = /^[\w.~=+/-]{1,1024}$/;
const ID = /^\d{1,20}$/;
/** `guildId` of an invocation outside every guild. */
export const DIRECT_MESSAGE = "";

/** Where an interaction is answered. The token is as good as a password for fifteen minutes: never logged. */
export interface InteractionAddress {
  readonly id: string;
  readonly token: string;
  readonly applicationId: string;
}

/** What the person did. */
export type Deed =
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
       * The message that the answer can edit, by the id of the interaction that brought it forth, or by its own; a modal
       * opened by a command has none.
       */
      readonly message: string | undefined;
    }
  /** A kind of interaction that we never offered. */
  | { readonly kind: "other" };

export interface Incoming {
  readonly address: InteractionAddress;
  /** By Discord's clock, in milliseconds since 1970. */
  readonly createdMs: number;
  readonly locale: Locale;
  /** Undefined when Discord does not say who acted, or where. */
  readonly invocation: Invocation | undefined;
  readonly deed: Deed;
}

/** Undefined when it cannot even be answered: no id, token or application. Never throws. */
export const parseInteraction = (raw: unknown): Incoming | undefined => {
  const wire = fieldsOf(raw);
  const id = textOf(wire["id"]) ?? "";
  const token = textOf(wire["token"]) ?? "";
  const applicationId = textOf(wire["application_id"]) ?? "";
  const createdMs = snowflakeMs(id);
  if (createdMs === undefined || !TOKEN.test(token) || !ID.test(applicationId)) return undefined;
  const locale = localeOf(textOf(wire["locale"]));
  return {
    address: { id, token, applicationId },
    createdMs,
    locale,
    invocation: invocationOf(wire, id, createdMs, locale),
    deed: deedOf(wire),
  };
};

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
  const channelId = textOf(wire["channel_id"]) ?? textOf(fieldsOf(wire["channel"])["id"]);
  if (userId === undefined || channelId === undefined) return undefined;
  return {
    interactionId,
    guildId,
    channelId,
    userId,
    memberPermissions: isDirect ? 0n : (permissionsOf(member["permissions"]) ?? 0n),
    locale,
    guildLocale: localeOf(textOf(wire["guild_locale"])),
    createdAt: Temporal.Instant.fromEpochMilliseconds(createdMs),
  };
};

const deedOf = (wire: WireFields): Deed => {
  const data = fieldsOf(wire["data"]);
  switch (wire["type"]) {
    case COMMAND: {
      if (data["type"] === MESSAGE_MENU) return messageDeedOf(data);
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
        input: { values: textsIn(data["values"]), fields: typedFields(data["components"]) },
        message: messageKey(wire["message"]),
      };
    default:
      return { kind: "other" };
  }
};

const messageDeedOf = (data: WireFields): Deed => {
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

/** Discord puts a modal's inputs in labels (one input each) or in rows (a list of one). */
const typedFields = (components: unknown): ReadonlyMap<string, string> => {
  const typed = new Map<string, string>();
  for (const item of itemsOf(components)) {
    const holder = fieldsOf(item);
    for (const held of [holder["component"], ...itemsOf(holder["components"])]) {
      const input = fieldsOf(held);
      const id = textOf(input["custom_id"]);
      const value = textOf(input["value"]);
      if (id !== undefined && value !== undefined) typed.set(id, value);
    }
  }
  return typed;
};
