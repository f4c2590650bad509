import type { APIEmbed } from "discord-api-types/v10";
import { limits, embedSize } from "./embed.ts";

/** A code span of one back-tick that begins with a slash. `safe` keeps strangers' texts from looking like this. */
const NAMED = /(?<!`)`\/([^`\n]+)`(?!`)/g;

interface WithTexts {
  readonly content?: string;
  readonly embeds?: readonly APIEmbed[];
}

/** Turns command names in a message into mentions, which a tap types. */
export type MentionCommands = <Message extends WithTexts>(message: Message) => Message;

/** Leaves command names as code. */
export const asCode: MentionCommands = (message) => message;

/** Command ids by name without the slash: `conta ver`. */
export type CommandIds = ReadonlyMap<string, string>;

/**
 * Replaces command names written as code (`/conta ver`) by mentions in the content, descriptions and fields, where
 * Discord renders them. A name without an id, and options after a name, stay code; a text that would exceed Discord's
 * limits stays unchanged.
 */
export const mentionCommands = <Message extends WithTexts>(
  message: Message,
  ids: CommandIds,
): Message => {
  if (ids.size === 0) return message;
  const content = message.content && mentioned(message.content, limits.content, ids);
  const embeds = message.embeds?.map((embed) => mentionedIn(embed, ids));
  const size = embeds?.reduce((sum, embed) => sum + embedSize(embed), 0) ?? 0;
  if (size > limits.embedsTotal) return message;
  return {
    ...message,
    ...(content !== undefined && { content }),
    ...(embeds !== undefined && { embeds }),
  };
};

const mentionedIn = (embed: APIEmbed, ids: CommandIds): APIEmbed => ({
  ...embed,
  ...(embed.description !== undefined && {
    description: mentioned(embed.description, limits.description, ids),
  }),
  ...(embed.fields !== undefined && {
    fields: embed.fields.map((field) => ({
      ...field,
      value: mentioned(field.value, limits.fieldValue, ids),
    })),
  }),
});

const mentioned = (text: string, most: number, ids: CommandIds): string => {
  const grown = text.replace(NAMED, (code, typed: string) => mentionOf(typed, ids) ?? code);
  return grown.length > most ? text : grown;
};

const mentionOf = (typed: string, ids: CommandIds): string | undefined => {
  const [first = "", second = "", ...rest] = typed.split(" ");
  const isSubcommand = ids.has(`${first} ${second}`);
  const path = isSubcommand ? `${first} ${second}` : first;
  const id = ids.get(path);
  if (id === undefined) return undefined;
  const options = (isSubcommand ? rest : [second, ...rest]).join(" ").trim();
  return `</${path}:${id}>${options === "" ? "" : ` \`${options}\``}`;
};
