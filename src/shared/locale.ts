/** The bot's two languages, by Discord's names. */
export type Locale = "pt-BR" | "en-US";

/** Portuguese for Portuguese clients and for clients without a language; English for all others. */
export const localeOf = (discordLocale: string | undefined): Locale =>
  discordLocale === undefined || discordLocale.startsWith("pt") ? "pt-BR" : "en-US";
