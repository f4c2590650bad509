import { describe, expect, test } from "vitest";
import { UserError, type UserErrorReason } from "#src/shared/errors.ts";
import { cents } from "#src/shared/money.ts";
import { textsFor } from "#src/texts/texts.ts";
import { errorReply } from "#src/views/error.ts";
import { NOW } from "../../support/samples.ts";
import { buttonsOf, labelsOf, readMessage } from "../read-message.ts";

const shown = (reason: UserErrorReason) => errorReply(new UserError(reason), "pt-BR", "ABCD2345");
const read = (reason: UserErrorReason): readonly string[] => readMessage(shown(reason));

describe("why money does not move", () => {
  test("more than there is offers what there is, where the order was kept", () => {
    const reason = { kind: "amount_above_balance", amount: cents(5_001), available: cents(5_000) };
    const offer = shown({ ...reason, kind: "amount_above_balance", wholeOpId: "W-7K2Q9" });
    expect(buttonsOf(offer)).toEqual({ "Sacar tudo: R$\u00a050,00": "saque:refazer:W-7K2Q9" });
    expect(labelsOf(shown({ ...reason, kind: "amount_above_balance" }))).toEqual([]);
  });

  test.each([
    [
      { kind: "amount_below_minimum", amount: cents(999), minimum: cents(1_000) },
      ["Valor pedido: R$ 9,99", "Mínimo: R$ 10,00"],
    ],
    [
      { kind: "amount_above_balance", amount: cents(123_456), available: cents(5) },
      ["Valor pedido: R$ 1.234,56", "Disponível: R$ 0,05"],
    ],
    [
      { kind: "daily_cap_exceeded", cap: cents(50_000), left: cents(1_000) },
      ["Seu limite diário: R$ 500,00", "Ainda cabe: R$ 10,00"],
    ],
    [{ kind: "split_under_cap", cap: cents(50_000) }, ["Seu limite diário: R$ 500,00"]],
    [{ kind: "pin_wrong", triesLeft: 3 }, ["Tentativas que restam: 3"]],
    [{ kind: "pin_locked", until: NOW }, ["A partir de: <t:1795197600:F> (<t:1795197600:R>)"]],
    [{ kind: "new_key_waits", until: NOW }, ["A partir de: <t:1795197600:F> (<t:1795197600:R>)"]],
    [{ kind: "money_locked", until: NOW }, ["Destrava: <t:1795197600:F> (<t:1795197600:R>)"]],
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

  test("is never a reason to repeat when nobody knows whether it moved", () => {
    const text = read({ kind: "money_uncertain" });
    expect(text[1]).toContain("**Não repita:**");
    expect(text.at(-1)).toBe("Referência: `ABCD2345`");
  });
});

test("what was stopped before it was sent says so, in both languages", () => {
  const stopped = [
    "money_locked",
    "account_busy",
    "amount_unreadable",
    "amount_too_fine",
    "amount_below_minimum",
    "amount_above_balance",
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
  const silent = (words: RegExp, locale: "pt-BR" | "en-US") =>
    stopped.filter((kind) => !words.test(textsFor(locale).userErrors[kind].next));
  expect(silent(/não enviei nada/i, "pt-BR")).toEqual([]);
  expect(silent(/I sent nothing/, "en-US")).toEqual([]);
});
