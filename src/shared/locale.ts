/** The bot's languages, by Discord's names. */
export type Locale = "pt-BR" | "en-US";

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
