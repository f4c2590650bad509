import { describe, expect, test } from "vitest";
import {
  UserError,
  type UserErrorReason,
  WalletError,
  type WalletErrorFacts,
} from "#src/shared/errors.ts";
import type { Locale } from "#src/shared/locale.ts";
import { errorReply } from "#src/help/error.view.ts";
import { cents } from "#src/shared/money.ts";
import { textsFor } from "#src/texts.ts";
import { buttonsOf, labelsOf, readMessage } from "../ui/read-message.ts";
import { NOW } from "../support/samples.ts";

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

  test("of a key refused while a PIX key is looked up says that no money moved", () => {
    const text = ofWallet({ kind: "unauthorized", method: "POST" });
    expect(text).toContain("não fez o que foi pedido: nenhum dinheiro se moveu");
  });

  test.each(["pt-BR", "en-US"] as const)(
    "of a refused key has in %s the button that connects the present one, and no other has it",
    (locale) => {
      const buttons = (kind: WalletError["kind"]) =>
        buttonsOf(
          errorReply(new WalletError({ kind, method: "GET", route: "/v1/x" }), locale, "R"),
        );
      expect(Object.values(buttons("unauthorized"))).toEqual(["conta:formulario:"]);
      expect(buttons("forbidden")).toEqual({});
    },
  );

  test.each([
    ["pt-BR", "no servidor em que você vende"],
    ["en-US", "in the server where you sell"],
  ] as const)(
    "of a refused or missing key leads in %s out of a direct message, where none is connected",
    (locale, where) => {
      const unauthorized = new WalletError({ kind: "unauthorized", method: "GET", route: "/v1/x" });
      const lacking = (["not_connected", "key_unreadable"] as const).map(
        (kind) => new UserError({ kind }),
      );
      for (const error of [unauthorized, ...lacking]) {
        const direct = errorReply(error, locale, "R", true);
        expect(buttonsOf(direct)).toEqual({});
        expect(readMessage(direct)[1]).toMatch(new RegExp(`\`/conta conectar\` ${where}`));
        expect(buttonsOf(errorReply(error, locale, "R", false))).not.toEqual({});
      }
    },
  );
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
    "Escreva `hoje`, `ontem` ou um dia como `19/11`.",
    "Você escreveu: `31/02/2026`",
  ]);
});

test("a mistake that stands for a failed read carries the service's code for its support", () => {
  const facts = { kind: "timeout", method: "GET", route: "/v1/meds" } as const;
  const read = new WalletError({ ...facts, requestId: "req_9c2e" });
  const error = new UserError({ kind: "disputes_unreadable" }, read);
  const text = readMessage(errorReply(error, "pt-BR", "R")).join("\n");
  expect(text).toContain("Código de suporte: `req_9c2e`");
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

const shown = (reason: UserErrorReason) => errorReply(new UserError(reason), "pt-BR", "ABCD2345");
const read = (reason: UserErrorReason): readonly string[] => readMessage(shown(reason));

describe("why money does not move", () => {
  test("an open MED, answered or not, asks for no answer that may have been given", () => {
    const facts = { kind: "payment_disputed", infractionId: "d1" } as const;
    const said = read({ ...facts, why: "open" }).join("\n");
    expect(said).toMatch(/MED aberto[^]*pagaria duas vezes[^]*se ainda falta a sua resposta/);
    expect(said).not.toContain("Responda");
  });

  test("more than there is offers what there is", () => {
    const [amount, available] = [cents(5_001), cents(5_000)];
    const offer = shown({
      kind: "amount_above_balance",
      amount,
      available,
      wholeOpId: "W-7K2Q9",
    });
    expect(buttonsOf(offer)).toEqual({ "Sacar tudo: R$\u00a050,00": "saque:refazer:W-7K2Q9" });
  });

  test("less than the minimum of a withdrawal is to wait for, and no other amount to ask for", () => {
    for (const locale of ["pt-BR", "en-US"] as const) {
      const { title, next } = textsFor(locale).userErrors.balance_below_minimum;
      expect(title).toMatch(/ainda não chega ao mínimo|has not reached the minimum/);
      expect(next).not.toMatch(/tudo|menor|ou mais|`all`|less|or more/);
    }
  });

  test.each([
    [
      { kind: "amount_below_minimum", amount: cents(999), minimum: cents(1_000) },
      ["Valor pedido: R$ 9,99", "Mínimo: R$ 10,00"],
    ],
    [
      {
        kind: "amount_above_balance",
        amount: cents(123_456),
        available: cents(5_000),
        wholeOpId: "W-7K2Q9",
      },
      ["Valor pedido: R$ 1.234,56", "Disponível: R$ 50,00"],
    ],
    [
      { kind: "balance_below_minimum", available: cents(5), minimum: cents(1_000) },
      ["Mínimo: R$ 10,00", "Disponível: R$ 0,05"],
    ],
    [
      {
        kind: "daily_cap_exceeded",
        amount: cents(1_001),
        cap: cents(50_000),
        left: cents(1_000),
        noLess: undefined,
      },
      ["Valor pedido: R$ 10,01", "Seu limite diário: R$ 500,00", "Ainda cabe: R$ 10,00"],
    ],
    [{ kind: "split_under_cap", cap: cents(50_000) }, ["Seu limite diário: R$ 500,00"]],
    [{ kind: "pin_wrong", triesLeft: 3 }, ["Tentativas que restam: 3"]],
    [
      { kind: "pin_locked", until: NOW },
      ["A partir de: <t:1795197600:d> <t:1795197600:t> (<t:1795197600:R>)"],
    ],
    [
      { kind: "refund_after_restore", noticedAt: NOW, until: NOW },
      ["A partir de: <t:1795197600:d> <t:1795197600:t> (<t:1795197600:R>)"],
    ],
    [
      { kind: "new_key_waits", pixKeyMasked: "c***@l***", until: NOW },
      [
        "Chave PIX: `c***@l***`",
        "A partir de: <t:1795197600:d> <t:1795197600:t> (<t:1795197600:R>)",
      ],
    ],
    [
      { kind: "money_locked", until: NOW },
      ["Destrava: <t:1795197600:d> <t:1795197600:t> (<t:1795197600:R>)"],
    ],
    [{ kind: "money_locked", until: undefined }, []],
    [
      { kind: "cap_below_minimum", amount: cents(500), minimum: cents(1_000) },
      ["Valor pedido: R$ 5,00", "Mínimo: R$ 10,00"],
    ],
    [{ kind: "cap_unreadable", given: "abc" }, ["Você escreveu: `abc`"]],
    [{ kind: "amount_unreadable", given: "1`2" }, ["Você escreveu: `1'2`"]],
  ] satisfies readonly (readonly [UserErrorReason, readonly string[]])[])(
    "is shown with its figures: %j",
    (reason, fields) => {
      expect(read(reason).slice(2)).toEqual(fields);
    },
  );

  test("by the daily limit is never answered with less where less cannot be asked for", () => {
    const beyond = { kind: "daily_cap_exceeded", amount: cents(7_990), cap: cents(8_000) } as const;
    const text = (noLess: "below_minimum" | "refund" | undefined, locale: Locale) => {
      const error = new UserError({ ...beyond, left: cents(500), noLess });
      return readMessage(errorReply(error, locale, "R")).join("\n");
    };
    expect(text(undefined, "pt-BR")).toContain("Peça até o que resta");
    expect(text("below_minimum", "pt-BR")).toMatch(/não chega ao mínimo[^]*`\/saldo` mostra/);
    expect(text("refund", "pt-BR")).toContain("um estorno é sempre da venda inteira");
    for (const noLess of ["below_minimum", "refund"] as const) {
      expect(text(noLess, "pt-BR")).not.toContain("Peça até o que resta");
      expect(text(noLess, "en-US")).not.toContain("no more than what is left");
      expect(text(noLess, "pt-BR")).toContain("Não enviei nada");
      expect(text(noLess, "en-US")).toContain("I sent nothing");
    }
  });

  test("offers another PIX key where the form can ask for it", () => {
    const offered = (ofSplit: boolean) => labelsOf(shown({ kind: "pix_key_refused", ofSplit }));
    expect(offered(false)).toEqual(["Tentar com outra chave"]);
    expect(offered(true)).toEqual([]);
  });

  test.each([
    ["in_progress", "Outro pedido desta conta ainda espera resposta"],
    ["unknown", "Ainda não sei se o último saque foi feito"],
    ["manual", "O último saque espera a sua decisão"],
  ] as const)("says what holds the account when it is %s, and leads there", (why, title) => {
    const busy = { kind: "account_busy", why, opId: "W-7K2Q9" } as const;
    expect(read(busy)[0]).toBe(title);
    expect(read(busy).at(-1)).toBe("Código: `W-7K2Q9`");
    expect(JSON.stringify(shown(busy).components)).toContain("saques:status:W-7K2Q9");
    expect(labelsOf(shown({ ...busy, opId: undefined }))).toEqual([]);
  });

  test.each([
    ["unknown", /outra pessoa desta conta.*Não enviei nada agora/, /`\/saques`/],
    ["manual", /Só quem pediu pode responder.*Não enviei nada agora/, /a sua decisão/],
  ] as const)("leaves the one that is %s to the person who asked for it", (why, says, wrong) => {
    const text = read({ kind: "account_busy", why, opId: undefined });
    expect(text[1]).toMatch(says);
    expect(text.join("\n")).not.toMatch(wrong);
  });

  test.each([
    [
      "pt-BR",
      /não tem mais chave desta conta.*extrato/,
      ["O dinheiro saiu", "O dinheiro não saiu"],
    ],
    [
      "en-US",
      /no key of this account.*statement/,
      ["The money went out", "The money did not go out"],
    ],
  ] as const)("asks in %s for a decision that was left undecided", (locale, why, labels) => {
    const left = { kind: "left_undecided", opId: "W-7K2Q9", amount: cents(5_000) } as const;
    const asked = errorReply(new UserError({ ...left, sentAt: NOW }), locale, "R");
    expect(readMessage(asked)[1]).toMatch(why);
    expect(readMessage(asked).at(-1)).toContain("`W-7K2Q9`");
    expect(buttonsOf(asked)).toEqual({
      [labels[0]]: "saques:aconteceu:W-7K2Q9",
      [labels[1]]: "saques:nao-aconteceu:W-7K2Q9",
    });
  });

  test.each([
    ["pt-BR", /pedido por outra pessoa desta conta.*painel/],
    ["en-US", /another person on this account asked for it.*dashboard/],
  ] as const)("says in %s where another's refund of a sale is seen", (locale, says) => {
    const busy = new UserError({ kind: "refund_busy", opId: undefined });
    const [, text] = readMessage(errorReply(busy, locale, "R"));
    expect(text).toMatch(says);
    expect(text).not.toContain("`/saques`");
  });

  test.each([
    ["pt-BR", "O estorno desta venda espera a sua decisão"],
    ["en-US", "The refund of this sale waits for your decision"],
  ] as const)("says in %s that the refund of a sale waits for its owner", (locale, title) => {
    const busy = { kind: "refund_busy", opId: "R-7K2Q9", why: "manual" } as const;
    expect(readMessage(errorReply(new UserError(busy), locale, "R"))[0]).toBe(title);
  });

  test.each([
    ["pt-BR", /Enquanto ele estiver agendado, você pode cancelar no painel do serviço\.$/],
    ["en-US", /While it is scheduled, you can cancel it on the service's dashboard\.$/],
  ] as const)(
    "says in %s where a withdrawal is cancelled beside another's request",
    (locale, says) => {
      const busy = new UserError({ kind: "cancel_busy" });
      expect(readMessage(errorReply(busy, locale, "R"))[1]).toMatch(says);
    },
  );

  test("says whose an earlier withdrawal was that was made after all", () => {
    const own = { kind: "earlier_was_made", opId: "W-7K2Q9" } as const;
    expect(read(own)[1]).toMatch(/^O saque abaixo parecia não ter sido feito/);
    expect(read(own).at(-1)).toBe("Código: `W-7K2Q9`");
    expect(labelsOf(shown(own))).toEqual(["Ver W-7K2Q9"]);
    const anothers = { ...own, opId: undefined };
    expect(read(anothers)[1]).toMatch(/pedido por outra pessoa.*Não enviei este/);
    expect(read(anothers)).toHaveLength(2);
    expect(labelsOf(shown(anothers))).toEqual([]);
  });

  test("is never a reason to repeat when nobody knows whether it moved", () => {
    const text = read({ kind: "money_uncertain" });
    expect(text[1]).toContain("**Não repita:**");
    expect(text.at(-1)).toBe("Referência: `ABCD2345`");
  });
});

test("what took too long is not to be repeated where money may have moved: it says where to look", () => {
  for (const locale of ["pt-BR", "en-US"] as const) {
    const { next } = textsFor(locale).userErrors.took_too_long;
    expect(next).toMatch(/estorno ou uma cobrança, não repita|refund or a charge, do not repeat/);
    expect(next).toMatch(/`\/saques`.*`\/transacoes`/);
  }
});

test.each([
  ["pt-BR", "Se você ia pagar, peça outra a quem vende. Para cobrar de novo: `/cobrar`."],
  ["en-US", "If you were about to pay, ask the seller for another. To charge again: `/cobrar`."],
] as const)("a charge that has ended sends who would pay to its seller, in %s", (locale, next) => {
  const [, said] = readMessage(errorReply(new UserError({ kind: "charge_gone" }), locale, "R"));
  expect(said).toContain(next);
});

test.each([
  ["pt-BR", /pedido por outra pessoa.*e a sua funcionar, `\/saque` no servidor pergunta a você/],
  ["en-US", /asked for by another person.*and yours works, `\/saque` in the server asks you/],
] as const)(
  "a key stays for another person's open withdrawal without a look where it is not, in %s",
  (locale, words) => {
    const next = (opId?: string) =>
      readMessage(
        errorReply(new UserError({ kind: "withdrawal_unfinished", opId }), locale, "R"),
      )[1];
    expect(next("W-7K2Q9")).toContain("`/saques`");
    expect(next()).toMatch(words);
    expect(next()).not.toContain("`/saques`");
    expect(next()).toContain("`/conta desconectar`");
  },
);

test("what was stopped before it was sent says so, in both languages", () => {
  const stopped = [
    "money_locked",
    "account_busy",
    "left_undecided",
    "amount_unreadable",
    "amount_too_fine",
    "amount_too_large",
    "amount_below_minimum",
    "amount_above_balance",
    "balance_below_minimum",
    "pix_key_unusable",
    "pix_key_refused",
    "recipient_is_self",
    "recipient_is_bot",
    "recipient_invalid",
    "daily_cap_exceeded",
    "new_key_waits",
    "pin_required",
    "pin_wrong",
    "pin_locked",
    "not_cancellable",
  ] as const;
  const silent = (words: RegExp, locale: Locale) =>
    stopped.filter((kind) => !words.test(textsFor(locale).userErrors[kind].next));
  expect(silent(/não enviei nada/i, "pt-BR")).toEqual([]);
  expect(silent(/I sent nothing/, "en-US")).toEqual([]);
});

test.each([
  ["pt-BR", /confirme/, "nada mudou"],
  ["en-US", /confirm /, "nothing changed"],
] as const)(
  "a missing PIN in %s is told in words that fit a change of the PIN too",
  (locale, confirmation, words) => {
    const { next } = textsFor(locale).userErrors.pin_required;
    expect(next).not.toMatch(confirmation);
    expect(next).toContain(words);
  },
);
