import { catalogue as enUS } from "./en-US/catalogue.ts";
import type { Locale } from "./locale.ts";
import { catalogue as ptBR } from "./pt-BR/catalogue.ts";

/** Every sentence that a person reads, by subject. Portuguese is written first and gives the shape. */
export type Texts = typeof ptBR;

const catalogues: Readonly<Record<Locale, Texts>> = { "pt-BR": ptBR, "en-US": enUS };

export const textsFor = (locale: Locale): Texts => catalogues[locale];
