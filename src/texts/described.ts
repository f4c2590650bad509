import { catalogue as enUS } from "./en-US/catalogue.ts";
import { catalogue as ptBR } from "./pt-BR/catalogue.ts";

type Descriptions = typeof ptBR.commands;

export interface Described {
  readonly description: string;
  readonly description_localizations: Readonly<Record<"en-US" | "en-GB", string>>;
}

/** Description of a command or an option: Portuguese for everybody, English for clients in English. */
export const described = (choose: (descriptions: Descriptions) => string): Described => {
  const english = choose(enUS.commands);
  return {
    description: choose(ptBR.commands),
    description_localizations: { "en-US": english, "en-GB": english },
  };
};
