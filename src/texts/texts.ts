import { account, notices, people } from "./pt-BR/accounts.ts";
import { balance } from "./pt-BR/balance.ts";
import { commands, help } from "./pt-BR/commands.ts";
import { disputeAlerts, disputes } from "./pt-BR/disputes.ts";
import { dossier, proofs } from "./pt-BR/defence.ts";
import { errorLabels, unexpected, userErrors, walletErrors } from "./pt-BR/errors.ts";
import { format } from "./pt-BR/format.ts";
import { guards } from "./pt-BR/guards.ts";
import { reports, sales } from "./pt-BR/reports.ts";
import { restored } from "./pt-BR/money-errors.ts";
import { withdraw, withdrawOutcomes } from "./pt-BR/withdraw.ts";
import { withdrawals } from "./pt-BR/withdrawals.ts";
import {
  account as englishAccount,
  notices as englishNotices,
  people as englishPeople,
} from "./en-US/accounts.ts";
import { balance as englishBalance } from "./en-US/balance.ts";
import { commands as englishCommands, help as englishHelp } from "./en-US/commands.ts";
import {
  disputeAlerts as englishDisputeAlerts,
  disputes as englishDisputes,
} from "./en-US/disputes.ts";
import { dossier as englishDossier, proofs as englishProofs } from "./en-US/defence.ts";
import {
  errorLabels as englishErrorLabels,
  unexpected as englishUnexpected,
  userErrors as englishUserErrors,
  walletErrors as englishWalletErrors,
} from "./en-US/errors.ts";
import { format as englishFormat } from "./en-US/format.ts";
import { guards as englishGuards } from "./en-US/guards.ts";
import { reports as englishReports, sales as englishSales } from "./en-US/reports.ts";
import { restored as englishRestored } from "./en-US/money-errors.ts";
import {
  withdraw as englishWithdraw,
  withdrawOutcomes as englishWithdrawOutcomes,
} from "./en-US/withdraw.ts";
import { withdrawals as englishWithdrawals } from "./en-US/withdrawals.ts";
import type { Locale } from "../shared/locale.ts";

const ptBR = {
  format,
  commands,
  account,
  people,
  sales,
  proofs,
  reports,
  restored,
  withdraw,
  withdrawOutcomes,
  withdrawals,
  balance,
  disputes,
  disputeAlerts,
  dossier,
  guards,
  notices,
  help,
  userErrors,
  walletErrors,
  unexpected,
  errorLabels,
};

const enUS = {
  format: englishFormat,
  commands: englishCommands,
  account: englishAccount,
  people: englishPeople,
  sales: englishSales,
  proofs: englishProofs,
  reports: englishReports,
  restored: englishRestored,
  withdraw: englishWithdraw,
  withdrawOutcomes: englishWithdrawOutcomes,
  withdrawals: englishWithdrawals,
  balance: englishBalance,
  disputes: englishDisputes,
  disputeAlerts: englishDisputeAlerts,
  dossier: englishDossier,
  guards: englishGuards,
  notices: englishNotices,
  help: englishHelp,
  userErrors: englishUserErrors,
  walletErrors: englishWalletErrors,
  unexpected: englishUnexpected,
  errorLabels: englishErrorLabels,
};

/** Every sentence that a person reads, by subject. Portuguese is written first and gives the shape. */
export type Texts = typeof ptBR;

const catalogues: Readonly<Record<Locale, Texts>> = { "pt-BR": ptBR, "en-US": enUS };

export const textsFor = (locale: Locale): Texts => catalogues[locale];

/** Picks one description of the catalogue. */
export type Words = (descriptions: typeof ptBR.commands) => string;

interface Described {
  readonly description: string;
  readonly description_localizations: Readonly<Record<"en-US" | "en-GB", string>>;
}

/** Description of a command or an option: Portuguese for everybody, English for clients in English. */
export const described = (words: Words): Described => {
  const english = words(enUS.commands);
  return {
    description: words(ptBR.commands),
    description_localizations: { "en-US": english, "en-GB": english },
  };
};

interface Named {
  readonly name: string;
  readonly name_localizations: Readonly<Record<"en-US" | "en-GB", string>>;
}

/** Name of a command in a menu, in the same languages. */
export const named = (words: Words): Named => {
  const english = words(enUS.commands);
  return {
    name: words(ptBR.commands),
    name_localizations: { "en-US": english, "en-GB": english },
  };
};
