/** The two languages of the bot; Discord's names for them. */
export type Locale = "pt-BR" | "en-US";

/** Portuguese for Portuguese and for clients that do not say; English for everybody else. */
export const localeOf = (discordLocale: string | undefined): Locale =>
  discordLocale === undefined || discordLocale.startsWith("pt") ? "pt-BR" : "en-US";
