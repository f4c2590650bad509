import { byLocale, ANSWERED_IN_ENGLISH, type Locale } from "./shared/locale.ts";
import { accountingTexts } from "./accounting-files/texts.ts";
import { accountTexts } from "./accounts/texts.ts";
import { balanceTexts } from "./balance/texts.ts";
import { chargeTexts } from "./charges/texts.ts";
import { closeTexts } from "./closes/texts.ts";
import { commandTexts } from "./help/texts.ts";
import { defenceTexts } from "./defence/texts.ts";
import { disputeTexts } from "./disputes/texts.ts";
import { goalTexts } from "./goals/texts.ts";
import { guardTexts } from "./money-guards/texts.ts";
import { reportTexts } from "./reports/texts.ts";
import { webhookTexts } from "./webhooks/texts.ts";
import { transactionTexts } from "./transactions/texts.ts";
import { saleTexts } from "./sale-notices/texts.ts";
import { withdrawalTexts } from "./withdrawals/texts.ts";

const textsIn = (locale: Locale) => ({
  ...accountTexts(locale),
  ...accountingTexts(locale),
  ...balanceTexts(locale),
  ...chargeTexts(locale),
  ...closeTexts(locale),
  ...commandTexts(locale),
  ...defenceTexts(locale),
  ...disputeTexts(locale),
  ...goalTexts(locale),
  ...guardTexts(locale),
  ...reportTexts(locale),
  ...webhookTexts(locale),
  ...transactionTexts(locale),
  ...saleTexts(locale),
  ...withdrawalTexts(locale),
});

/** All texts that people read, by subject: for the commands' definitions. A view takes those of its capability. */
export const textsFor = byLocale(textsIn("pt-BR"), textsIn("en-US"));

type Texts = ReturnType<typeof textsFor>;

/** Picks one text of the command catalogue. */
export type Words = (descriptions: Texts["commands"]) => string;

type English = Readonly<Record<(typeof ANSWERED_IN_ENGLISH)[number], string>>;

/** The text for each client that is answered in English, whatever its language. */
export const inEnglish = (text: string): English =>
  Object.fromEntries(ANSWERED_IN_ENGLISH.map((each) => [each, text])) as English;

export const described = (words: Words) => {
  const { name, name_localizations } = named(({ commands }) => words(commands));
  return { description: name, description_localizations: name_localizations };
};

/** Name in both languages: Portuguese by default, English for clients that are answered in English. */
export const named = (words: (texts: Texts) => string) => ({
  name: words(textsFor("pt-BR")),
  name_localizations: inEnglish(words(textsFor("en-US"))),
});
