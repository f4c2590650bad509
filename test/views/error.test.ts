import { describe, expect, test } from "vitest";
import {
  UserError,
  type UserErrorReason,
  WalletError,
  type WalletErrorFacts,
} from "#src/shared/errors.ts";
import type { Locale } from "#src/texts/locale.ts";
import { errorReply } from "#src/views/error.ts";
import { readMessage } from "./read-message.ts";

const ofWallet = (facts: Partial<WalletErrorFacts>): string =>
  readMessage(
    errorReply(
      new WalletError({ kind: "unavailable", method: "GET", route: "/v1/x", ...facts }),
      "pt-BR",
      "ABCD2345",
    ),
  ).join("\n");

describe("an error of the service", () => {
  test("carries the service's own support code, or else our reference", () => {
    expect(ofWallet({ requestId: "req-77" })).toContain("Código de suporte: `req-77`");
    expect(ofWallet({})).toContain("Referência: `ABCD2345`");
  });

  test("of too many requests says how long to wait", () => {
    const facts = { kind: "rate_limited" } as const;
    expect(ofWallet({ ...facts, retryAfterMs: 20_400 })).toContain("Espere 21 segundos");
    expect(ofWallet({ ...facts, retryAfterMs: 121_000 })).toContain("Espere 3 minutos");
    expect(ofWallet(facts)).toContain("Espere um minuto");
  });

  test.each(["unavailable", "timeout", "malformed"] as const)(
    "of kind %s after a request to move money never advises to try again",
    (kind) => {
      const text = ofWallet({ kind, method: "POST" });
      expect(text).toContain("Ainda não sei se o pedido foi feito. Não repita");
      expect(text).not.toMatch(/tente de novo/i);
    },
  );

  test.each([
    ["unreachable", "não chegou a sair"],
    ["conflict", "não fez o que foi pedido"],
    ["unauthorized", "não fez o que foi pedido"],
  ] as const)("of kind %s after a request to move money says that none moved", (kind, words) => {
    expect(ofWallet({ kind, method: "POST" })).toContain(words);
    expect(ofWallet({ kind, method: "POST" })).toContain("nenhum dinheiro se moveu");
  });
});

test.each([
  ["pt-BR", "Tente de novo em 12 segundos.", "nenhum dinheiro se moveu"],
  ["en-US", "Try again in 12 seconds.", "no money moved"],
] as const)(
  "S9: too many commands are told in %s with the wait, and that none was begun",
  (...said) => {
    const [locale, wait, money] = said;
    const error = new UserError({ kind: "too_many_commands", waitMs: 11_400 });
    const text = readMessage(errorReply(error, locale, "R")).join("\n");
    expect(text).toContain(wait);
    expect(text).toContain(money);
  },
);

test("a mistake comes back as it was typed, with an example of what is right", () => {
  const error = new UserError({ kind: "invalid_date", given: "31/02/2026" });
  expect(readMessage(errorReply(error, "pt-BR", "R"))).toEqual([
    "Não entendi essa data",
    "Escreva `hoje`, `ontem` ou o dia como `19/11/2026`.",
    "Você escreveu: `31/02/2026`",
  ]);
});

test("missing permissions are named exactly, in the person's language", () => {
  const error = new UserError({
    kind: "missing_channel_permissions",
    channelId: "118",
    missing: ["send_messages", "embed_links", "read_message_history"],
  });
  expect(readMessage(errorReply(error, "pt-BR", "R")).slice(2)).toEqual([
    "Canal: <#118>",
    "Permissões que faltam: **Enviar mensagens**, **Inserir links** e **Ver histórico de mensagens**",
  ]);
  expect(readMessage(errorReply(error, "en-US", "R")).at(-1)).toBe(
    "Missing permissions: **Send Messages**, **Embed Links** and **Read Message History**",
  );
});

test("a fault of ours is a constant text and the reference that the logs carry", () => {
  expect(readMessage(errorReply({ reference: "ABCD2345" }, "pt-BR", "other"))).toEqual([
    "Algo deu errado aqui do meu lado",
    "Tente de novo em alguns minutos. Se continuar, passe a referência abaixo a quem cuida do bot.",
    "Referência: `ABCD2345`",
  ]);
});

test("somebody else's button leads to an own one, and to /meds only where it is of a MED", () => {
  const shown = (reason: UserErrorReason, locale: Locale): string =>
    readMessage(errorReply(new UserError(reason), locale, "R")).join("\n");
  const ofAna = { kind: "not_your_dispute", ownerId: "119" } as const;
  for (const locale of ["pt-BR", "en-US"] as const) {
    expect(shown({ kind: "not_your_button" }, locale)).not.toContain("MED");
    expect(shown(ofAna, locale)).toContain("`/meds`");
  }
  expect(shown(ofAna, "pt-BR")).toContain("É de <@119>.");
});
