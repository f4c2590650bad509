import type { Locale as DiscordLocale } from "discord-api-types/v10";

/** The bot's languages, by Discord's names. */
export type Locale = "pt-BR" | "en-US";

/** Discord's languages in which the bot answers in English: all but Portuguese. */
export const ANSWERED_IN_ENGLISH = [
  "bg",
  "cs",
  "da",
  "de",
  "el",
  "en-GB",
  "en-US",
  "es-419",
  "es-ES",
  "fi",
  "fr",
  "hi",
  "hr",
  "hu",
  "id",
  "it",
  "ja",
  "ko",
  "lt",
  "nl",
  "no",
  "pl",
  "ro",
  "ru",
  "sv-SE",
  "th",
  "tr",
  "uk",
  "vi",
  "zh-CN",
  "zh-TW",
] as const satisfies readonly `${DiscordLocale}`[];

/** Portuguese for Portuguese clients and those without a language; English for the others. */
export const localeOf = (discordLocale: string | undefined): Locale =>
  discordLocale === undefined || discordLocale.startsWith("pt") ? "pt-BR" : "en-US";

/** Texts by locale. The Portuguese ones define the shape of the English ones. */
export const byLocale =
  <T>(portuguese: T, english: NoInfer<T>) =>
  (locale: Locale): T =>
    locale === "pt-BR" ? portuguese : english;

/** `mes` for `mês`. Case stays. */
export const withoutAccents = (text: string): string =>
  text.normalize("NFD").replace(/\p{M}/gu, "");
