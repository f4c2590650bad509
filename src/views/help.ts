import type { Account } from "../domain/account.ts";
import type { Locale } from "../texts/locale.ts";
import { textsFor, type Texts } from "../texts/texts.ts";
import { line } from "./embed.ts";
import { keyEnd } from "./key-end.ts";
import { limits } from "./limits.ts";
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

/** Lines as few texts as hold them whole, each within one field. */
const inFields = (lines: readonly string[]): readonly string[] => {
  const texts: string[] = [];
  for (const each of lines) {
    const longer = [...texts.slice(-1), each].join("\n");
    if (longer.length > limits.fieldValue) texts.push(each);
    else texts.splice(-1, 1, longer);
  }
  return texts;
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
      ...inFields(list).map((text, index) =>
        line(index === 0 ? help.commands : help.moreCommands, text),
      ),
      line(help.money, help.moneyText),
      line(help.meds, help.medsText),
      line(help.day, help.dayText),
      line(help.privacy, help.privacyText),
    ],
  });
};
