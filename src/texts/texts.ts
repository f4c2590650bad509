import * as ptAccounts from "./pt-BR/accounts.ts";
import * as ptBalance from "./pt-BR/balance.ts";
import * as ptCommands from "./pt-BR/commands.ts";
import * as ptDefence from "./pt-BR/defence.ts";
import * as ptDisputes from "./pt-BR/disputes.ts";
import * as ptErrors from "./pt-BR/errors.ts";
import { format as ptFormat } from "./pt-BR/format.ts";
import * as ptGuards from "./pt-BR/guards.ts";
import * as ptReports from "./pt-BR/reports.ts";
import * as ptWithdraw from "./pt-BR/withdraw.ts";
import * as ptWithdrawals from "./pt-BR/withdrawals.ts";
import { restored as ptRestored } from "./pt-BR/money-errors.ts";
import * as enAccounts from "./en-US/accounts.ts";
import * as enBalance from "./en-US/balance.ts";
import * as enCommands from "./en-US/commands.ts";
import * as enDefence from "./en-US/defence.ts";
import * as enDisputes from "./en-US/disputes.ts";
import * as enErrors from "./en-US/errors.ts";
import { format as enFormat } from "./en-US/format.ts";
import * as enGuards from "./en-US/guards.ts";
import * as enReports from "./en-US/reports.ts";
import * as enWithdraw from "./en-US/withdraw.ts";
import * as enWithdrawals from "./en-US/withdrawals.ts";
import { restored as enRestored } from "./en-US/money-errors.ts";
import type { Locale } from "../shared/locale.ts";

const ptBR = {
  ...ptAccounts,
  ...ptBalance,
  ...ptCommands,
  ...ptDefence,
  ...ptDisputes,
  ...ptErrors,
  format: ptFormat,
  ...ptGuards,
  ...ptReports,
  ...ptWithdraw,
  ...ptWithdrawals,
  restored: ptRestored,
};

const enUS = {
  ...enAccounts,
  ...enBalance,
  ...enCommands,
  ...enDefence,
  ...enDisputes,
  ...enErrors,
  format: enFormat,
  ...enGuards,
  ...enReports,
  ...enWithdraw,
  ...enWithdrawals,
  restored: enRestored,
};

/** All texts that people read, by subject. The Portuguese catalogue defines the shape. */
export type Texts = typeof ptBR;

const catalogues: Readonly<Record<Locale, Texts>> = { "pt-BR": ptBR, "en-US": enUS };

export const textsFor = (locale: Locale): Texts => catalogues[locale];

/** Picks one text of the command catalogue. */
export type Words = (descriptions: Texts["commands"]) => string;

type English = Readonly<Record<"en-US" | "en-GB", string>>;

interface Described {
  readonly description: string;
  readonly description_localizations: English;
}

export const described = (words: Words): Described => {
  const { name, name_localizations } = named(({ commands }) => words(commands));
  return { description: name, description_localizations: name_localizations };
};

interface Named {
  readonly name: string;
  readonly name_localizations: English;
}

/** Name in both languages: Portuguese by default, English for clients in English. */
export const named = (words: (texts: Texts) => string): Named => {
  const english = words(enUS);
  return { name: words(ptBR), name_localizations: { "en-US": english, "en-GB": english } };
};
