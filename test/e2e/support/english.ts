import { expect } from "vitest";

/** Words that no English sentence of the bot has. */
const PORTUGUESE = /[ãõç]|\b(saque|saldo|chave|você|não|prazo|prova|resposta|infração)\b/i;

/** Fails on what a reader of English would not understand. */
export const english = (text: string): void => {
  // What the bot, the service and the commands are called stays as it is.
  const own = text.replace(/`[^`]*`|<[^>]*>|Balcão/g, "");
  expect(own).not.toMatch(PORTUGUESE);
};
