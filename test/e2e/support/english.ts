import { expect } from "vitest";

/** Words that never occur in the bot's English texts. */
const PORTUGUESE =
  /[ãõç]|\b(saque|saldo|chave|você|não|prazo|prova|resposta|infração|venda|vendas|valor|taxa|hoje|ontem|dia|até|uma?|para|com|por|em)\b/i;
/** Words that never occur in the bot's Portuguese texts. */
const ENGLISH =
  /\b(the|your|withdrawal|balance|sales?|refund|charge|amount|fee|today|not|you|with|is)\b/i;

const ownWords = (text: string): string =>
  text.replace(/"custom_id":"[^"]*"|https?:\S+|`[^`]*`|<[^>]*>|“[^”]*”|Balcão/g, "");

/** Fails on text that is not English. Names of the bot, the commands and the products stay Portuguese. */
export const english = (text: string): void => {
  expect(ownWords(text)).not.toMatch(PORTUGUESE);
};

/** Fails on text that is not Portuguese. */
export const portuguese = (text: string): void => {
  expect(ownWords(text)).not.toMatch(ENGLISH);
};
