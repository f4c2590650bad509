import { describe, expect, test } from "vitest";
import type { MoneyGuards } from "#src/domain/money-guards.ts";
import { cents } from "#src/shared/money.ts";
import { capForm, pinForm, pinRemovalForm } from "#src/views/money/guards-forms.ts";
import { lockView } from "#src/views/money/guards-lock.ts";
import { guardsView, type GuardsFacts } from "#src/views/money/guards.ts";
import { NOW } from "../../support/samples.ts";
import { brokenLimits, brokenModalLimits } from "../message-limits.ts";
import { buttonsOf, menusOf, readMessage } from "../read-message.ts";

const WHEN = "<t:1795197600:F> (<t:1795197600:R>)";
const OWNER = "1180000000000000011";
const PIN = { hash: "h", salt: "s", wrongTries: 0, lockedUntil: undefined, endsAt: undefined };

const set = (given: Partial<MoneyGuards> = {}): MoneyGuards => ({
  ownerId: OWNER,
  lockedAt: undefined,
  unlockAt: undefined,
  pin: undefined,
  dailyCap: undefined,
  pendingCap: undefined,
  newKeyWait: false,
  newKeyWaitEndsAt: undefined,
  ...given,
});
const panel = (given: Partial<MoneyGuards> = {}, savedKeys: GuardsFacts["savedKeys"] = []) =>
  guardsView({ guards: set(given), savedKeys, locale: "pt-BR" });
const labels = (given: Partial<MoneyGuards>) => Object.keys(buttonsOf(panel(given)));
const everything = set({
  lockedAt: NOW,
  unlockAt: NOW,
  pin: { ...PIN, lockedUntil: NOW, endsAt: NOW },
  dailyCap: cents(50_000),
  pendingCap: { cap: undefined, from: NOW },
  newKeyWait: true,
  newKeyWaitEndsAt: NOW,
});
const keys = Array.from({ length: 25 }, (_, index) => ({
  name: `***.456.7${index}-** · CPF`,
  value: `salva:${index}`,
}));

describe("the panel of guards", () => {
  test("of who set none says what each would do", () => {
    expect(readMessage(panel()).slice(2)).toEqual([
      "Saques: Liberados.",
      "PIN: Sem PIN. Com ele, cada saque pede de 4 a 8 números que só você sabe.",
      "Limite diário: Sem limite.",
      "Chave PIX nova espera 24 horas: Desligado: uma chave PIX nova recebe na hora, com duas confirmações.",
      "Chaves PIX guardadas: Nenhuma. Depois de um saque, um botão oferece guardar a chave.",
    ]);
    expect(buttonsOf(panel())).toEqual({
      "Criar PIN": `seguranca:pin:${OWNER}`,
      "Mudar limite": `seguranca:limite:${OWNER}`,
      "Ligar a espera": `seguranca:espera-ligar:${OWNER}`,
      "Travar saques": `seguranca:travar:${OWNER}`,
    });
  });

  test("shows what loosens, and when", () => {
    const text = readMessage(guardsView({ guards: everything, savedKeys: [], locale: "pt-BR" }));
    expect(text.slice(2, 6)).toEqual([
      `Saques: Travados desde ${WHEN}.\nVocê pediu: abre a partir de ${WHEN}.`,
      `PIN: Ligado: cada saque pede o PIN.\nBloqueado por erros até ${WHEN}.\nVocê pediu para tirar: sai a partir de ${WHEN}.`,
      `Limite diário: R$ 500,00 a cada 24 horas.\nFica sem limite a partir de ${WHEN}.`,
      `Chave PIX nova espera 24 horas: Ligado: uma chave PIX nunca usada espera 24 horas.\nVocê pediu para desligar: desliga a partir de ${WHEN}.`,
    ]);
    const raised = panel({
      dailyCap: cents(50_000),
      pendingCap: { cap: cents(90_000), from: NOW },
    });
    expect(readMessage(raised).join("\n")).toContain(`Passa a R$ 900,00 a partir de ${WHEN}.`);
  });

  test.each([
    [{ pin: PIN }, ["Trocar PIN", "Tirar PIN", "Mudar limite", "Ligar a espera", "Travar saques"]],
    [{ newKeyWait: true }, ["Criar PIN", "Mudar limite", "Desligar a espera", "Travar saques"]],
    [
      { newKeyWait: true, newKeyWaitEndsAt: NOW },
      ["Criar PIN", "Mudar limite", "Manter a espera", "Travar saques"],
    ],
    [{ lockedAt: NOW }, ["Criar PIN", "Mudar limite", "Ligar a espera", "Pedir para destravar"]],
    [
      { lockedAt: NOW, unlockAt: NOW },
      ["Criar PIN", "Mudar limite", "Ligar a espera", "Manter travado"],
    ],
  ])("of %o offers %j", (given, expected) => {
    expect(labels(given)).toEqual(expected);
  });

  test("shows saved keys masked, and forgets each by a handle", () => {
    const view = panel({}, keys);
    expect(readMessage(view).at(-1)).toContain("`***.456.70-** · CPF`");
    expect(readMessage(view).at(-1)).toContain("E mais 17, no menu.");
    expect(menusOf(view)[0]?.options[1]).toMatchObject({
      value: "salva:1",
      label: "***.456.71-** · CPF",
    });
  });

  test("never lets a key's odd characters into the menu", () => {
    const odd = [{ name: "<@****&>", value: "salva:1" }];
    expect(menusOf(panel({}, odd))[0]?.options[0]?.label).toBe("Chave 1 da lista");
  });
});

describe("the lock", () => {
  test("says what it stops, since when, and how it opens", () => {
    const view = lockView(set({ lockedAt: NOW }), "pt-BR");
    expect(readMessage(view)[1]).toMatch(/em nenhum servidor[\s\S]*ainda saca por fora/);
    expect(readMessage(view)[2]).toBe(`Desde: ${WHEN}`);
    expect(readMessage(view)[3]).toContain("24 horas depois");
    expect(buttonsOf(view)).toEqual({ Destravar: `travar:destravar:${OWNER}` });
  });

  test("that will open says when, and can stay", () => {
    const view = lockView(set({ lockedAt: NOW, unlockAt: NOW }), "pt-BR");
    expect(readMessage(view)[3]).toBe(
      `Para destravar: Você pediu: abre a partir de ${WHEN}. Usar \`/travar\` de novo desfaz o pedido.`,
    );
    expect(buttonsOf(view)).toEqual({ "Manter travado": `travar:agora:${OWNER}` });
  });

  test("that is open says so", () => {
    expect(readMessage(lockView(set(), "pt-BR"))[0]).toBe("Saques liberados");
  });
});

test.each(["pt-BR", "en-US"] as const)("every guard in %s fits", (locale) => {
  for (const guards of [set(), everything, set({ pin: PIN, lockedAt: NOW })]) {
    expect(brokenLimits(lockView(guards, locale))).toEqual([]);
    for (const savedKeys of [[], keys])
      expect(brokenLimits(guardsView({ guards, savedKeys, locale }))).toEqual([]);
  }
  const forms = [
    pinForm(OWNER, false, locale),
    pinForm(OWNER, true, locale),
    pinRemovalForm(OWNER, locale),
    capForm(OWNER, locale),
  ];
  expect(forms.flatMap(brokenModalLimits)).toEqual([]);
  expect(forms.map(({ fields }) => fields.map(({ id, required }) => [id, required]))).toEqual([
    [["pin", true]],
    [
      ["atual", true],
      ["pin", true],
    ],
    [["atual", false]],
    [["limite", false]],
  ]);
});
