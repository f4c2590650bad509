import { expect } from "vitest";

/** Words that never occur in the bot's English texts. */
const PORTUGUESE = /[ãõç]|\b(saque|saldo|chave|você|não|prazo|prova|resposta|infração)\b/i;

/** Fails on text that is not English. */
export const english = (text: string): void => {
  // Names of the bot, the service, the commands and the products stay Portuguese.
  const own = text.replace(/`[^`]*`|<[^>]*>|“[^”]*”|Balcão/g, "");
  expect(own).not.toMatch(PORTUGUESE);
};
