import { catalogue as enUS } from "./en-US/catalogue.ts";
import { catalogue as ptBR } from "./pt-BR/catalogue.ts";

/** Picks one description of the catalogue. */
export type Words = (descriptions: typeof ptBR.commands) => string;

export interface Described {
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

export interface Named {
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
