import type { Account } from "../accounts/account.ts";
import type { Locale } from "../shared/locale.ts";
import { accountTexts } from "../accounts/texts.ts";
import { commandTexts } from "./texts.ts";
import { connectButton } from "../accounts/account.view.ts";
import { type ButtonParts, buttonRow, reply, type Reply } from "../ui/reply.ts";
import { line } from "../ui/embed.ts";
import { serviceOperations } from "./operations.ts";
import { keyEnd, together } from "../ui/format.ts";

export interface ListedCommand {
  /** As people type it, without the slash: `conta ver`. */
  readonly name: string;
  readonly description: string;
}

interface HelpFacts {
  readonly account: Account | undefined;
  /** Whether the reader may set up the bot for the guild. */
  readonly manager: boolean;
  /** False in direct messages, where no key can be connected. */
  readonly inGuild: boolean;
  /** Whether the bot makes withdrawals: its operator's choice. */
  readonly withdrawEnabled: boolean;
  readonly locale: Locale;
}

type HelpTexts = ReturnType<typeof commandTexts>;

const stateOf = ({ account, manager, inGuild }: HelpFacts, { help }: HelpTexts): string => {
  if (account !== undefined) {
    const refused = inGuild ? help.paused : help.pausedDirect;
    const words = account.pausedAt === undefined ? help.connected : refused;
    return words(keyEnd(account.keyLast4));
  }
  if (!inGuild) return help.notConnectedDirect;
  return manager ? help.managerNotConnected : help.notConnected;
};

/** A short start for this reader; a button opens the list of all commands. */
export const helpView = (facts: HelpFacts): Reply => {
  const { account, manager, inGuild, withdrawEnabled, locale } = facts;
  const texts = commandTexts(locale);
  const { help } = texts;
  const works = account !== undefined && account.pausedAt === undefined;
  const state = stateOf(facts, texts);
  const [sales, ...others] = help.seller;
  const inServer = together(help.charging, withdrawEnabled ? help.withdrawing : undefined);
  const seller = [sales, ...(inGuild ? [inServer] : []), ...others];
  const about = withdrawEnabled ? help.about : help.aboutWithoutWithdrawals;
  const lines = manager
    ? [
        ...(account === undefined ? [help.aboutServer] : []),
        ...help.manager,
        "",
        state,
        ...(works ? [sales] : []),
      ]
    : [about, "", state, ...seller];
  const buttons: readonly ButtonParts[] = [
    ...(inGuild && !works ? [connectButton(accountTexts(locale))] : []),
    ...(works ? [{ id: "vendas:hoje:", label: help.today, style: "primary" as const }] : []),
    { id: "ajuda:comandos:", label: help.all, style: "secondary" },
  ];
  return reply({ title: help.title, description: lines.join("\n") }, buttonRow(...buttons));
};

type Group = keyof HelpTexts["help"]["groups"];

/** Group of a command by its first word. */
const GROUPS: Readonly<Record<string, Group>> = {
  vendas: "sales",
  meta: "sales",
  transacoes: "sales",
  cobrar: "sales",
  saldo: "money",
  saque: "money",
  "split-saque": "money",
  saques: "money",
  estornar: "money",
  travar: "money",
  seguranca: "money",
  meds: "meds",
  provas: "meds",
  config: "server",
  conta: "account",
  ajuda: "account",
};

const groupOf = ({ name }: ListedCommand): Group | undefined => GROUPS[name.split(" ")[0] ?? ""];

/** All commands by group, with general notes. */
export const allCommandsView = (commands: readonly ListedCommand[], locale: Locale): Reply => {
  const { help } = commandTexts(locale);
  const groups = Object.entries(help.groups).flatMap(([group, title]) => {
    const lines = commands
      .filter((each) => groupOf(each) === group)
      .map(({ name, description }) => `\`/${name}\` ${description}`);
    return lines.length === 0 ? [] : [line(title, lines.join("\n"))];
  });
  const notes = help.goodToKnowText.map((each) => `- ${each}`).join("\n");
  return reply(
    { title: help.all, fields: [...groups, line(help.goodToKnow, notes)] },
    buttonRow({ id: "ajuda:operacoes:", label: help.operations, style: "secondary" }),
  );
};

/** The operations of the wallet service that the bot asks for: those that its document describes, then the assumed. */
export const operationsView = (locale: Locale): Reply => {
  const { help } = commandTexts(locale);
  const rowsOf = (documented: boolean): string =>
    serviceOperations
      .filter((each) => each.documented === documented)
      .map(({ request, commands, needs }) => {
        const used = commands.map((each) => `\`${each}\``).join(", ");
        return `\`${request}\` · ${used}${needs === undefined ? "" : ` · ${help.needs(needs)}`}`;
      })
      .join("\n");
  const description = [
    `**${help.documented}**`,
    rowsOf(true),
    "",
    `**${help.assumed}**`,
    rowsOf(false),
    "",
    help.switches,
  ].join("\n");
  return reply({ title: help.operations, description });
};
