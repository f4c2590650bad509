import type { Account } from "../domain/account.ts";
import type { Locale } from "../texts/locale.ts";
import { textsFor, type Texts } from "../texts/texts.ts";
import { line } from "./embed.ts";
import { keyEnd } from "./key-end.ts";
import { reply, type Reply } from "./reply.ts";

/** One line of the list of commands. */
export interface ListedCommand {
  /** As it is typed, without the slash: `conta ver`. */
  readonly name: string;
  readonly description: string;
}

export interface HelpFacts {
  readonly commands: readonly ListedCommand[];
  /** The reader's own connection, if any. */
  readonly account: Account | undefined;
  /** Whether the reader may set up the bot for the guild. */
  readonly manager: boolean;
  readonly locale: Locale;
}

const firstSteps = (account: Account | undefined, { help }: Texts): string => {
  if (account === undefined) return help.notConnected;
  const words = account.pausedAt === undefined ? help.connected : help.paused;
  return words(keyEnd(account.keyLast4));
};

/** What the bot does, what this reader can do now, and every command. */
export const helpView = ({ commands, account, manager, locale }: HelpFacts): Reply => {
  const texts = textsFor(locale);
  const { help } = texts;
  const start = [firstSteps(account, texts), ...(manager ? [help.manager] : [])];
  const list = commands.map(({ name, description }) => `\`/${name}\` ${description}`);
  return reply({
    title: help.title,
    description: help.about,
    fields: [
      line(help.start, start.join("\n\n")),
      line(help.commands, list.join("\n")),
      line(help.day, help.dayText),
      line(help.privacy, help.privacyText),
    ],
  });
};
