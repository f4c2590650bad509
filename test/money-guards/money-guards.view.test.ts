import { describe, expect, test } from "vitest";
import { guardsInForce, type MoneyGuards } from "#src/money-guards/money-guards.ts";
import { cents } from "#src/shared/money.ts";
import {
  capForm,
  guardNotice,
  type GuardsFacts,
  guardsView,
  lockView,
  pinForm,
  pinRemovalForm,
} from "#src/money-guards/money-guards.view.ts";
import type { ExternalWithdrawalFacts, GuardFacts } from "#src/withdrawals/withdraw-facts.ts";
import { externalWithdrawalNotice } from "#src/withdrawals/external-withdrawal.view.ts";
import { NOW, READ_AT, WHEN } from "../support/samples.ts";
import { brokenLimits, brokenModalLimits } from "../ui/message-limits.ts";
import { buttonsOf, menusOf, readMessage } from "../ui/read-message.ts";
import { GUARD_CHANGES, MASKED, sampleWithdrawal, TXID } from "../withdrawals/withdraw-samples.ts";

const OWNER = "1180000000000000011";
const PIN = { hash: "h", salt: "s", wrongTries: 0, lockedUntil: undefined, endsAt: undefined };

const set = (given: Partial<MoneyGuards> = {}): MoneyGuards => ({
  ...guardsInForce(undefined, OWNER, NOW),
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
      "PIN: Sem PIN. Com ele, saques, estornos e cancelamentos pedem de 4 a 8 números que só você sabe.",
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

  test.each([
    ["pt-BR", /estorno/],
    ["en-US", /refund/],
  ] as const)("says in %s that the PIN, the limit and the lock hold for refunds too", (...row) => {
    const [locale, refunds] = row;
    const [, , , pin, cap] = readMessage(guardsView({ guards: everything, savedKeys: [], locale }));
    const off = readMessage(guardsView({ guards: set(), savedKeys: [], locale }))[3];
    for (const text of [pin, cap, off, capForm(OWNER, locale).title]) expect(text).toMatch(refunds);
    expect(readMessage(lockView(everything, locale)).join("\n")).toMatch(refunds);
  });

  test.each(["pt-BR", "en-US"] as const)(
    "says in %s, also before a limit is set, that it stops splits",
    (locale) => {
      const [, , , , cap] = readMessage(guardsView({ guards: everything, savedKeys: [], locale }));
      expect(cap).toContain("`/split-saque`");
      expect(JSON.stringify(capForm(OWNER, locale))).toContain("/split-saque");
    },
  );

  test("shows what loosens, and when", () => {
    const text = readMessage(guardsView({ guards: everything, savedKeys: [], locale: "pt-BR" }));
    expect(text.slice(2, 6)).toEqual([
      `Saques: Travados desde ${WHEN}.\nVocê pediu: abre a partir de ${WHEN}.`,
      `PIN: Ligado: saques, estornos e cancelamentos pedem o PIN.\nBloqueado por erros até ${WHEN}.\nVocê pediu para tirar: sai a partir de ${WHEN}. Para tirar já, mantenha e depois tire com o PIN.`,
      `Limite diário: R$ 500,00 a cada 24 horas, saques e estornos somados. Enquanto há limite, o \`/split-saque\` não sai.\nFica sem limite a partir de ${WHEN}. Para ficar como está: **Mudar limite**, com o valor de agora.`,
      `Chave PIX nova espera 24 horas: Ligado: uma chave PIX nunca usada espera 24 horas.\nVocê pediu para desligar: desliga a partir de ${WHEN}.`,
    ]);
    const raised = panel({
      dailyCap: cents(50_000),
      pendingCap: { cap: cents(90_000), from: NOW },
    });
    expect(readMessage(raised).join("\n")).toContain(
      `Passa a R$ 900,00 a partir de ${WHEN}. Para ficar como está: **Mudar limite**, com o valor de agora.`,
    );
  });

  test.each([
    [{ pin: PIN }, ["Trocar PIN", "Tirar PIN", "Mudar limite", "Travar saques", "Ligar a espera"]],
    [
      { pin: { ...PIN, endsAt: NOW } },
      ["Trocar PIN", "Manter o PIN", "Mudar limite", "Travar saques", "Ligar a espera"],
    ],
    [{ newKeyWait: true }, ["Criar PIN", "Mudar limite", "Desligar a espera", "Travar saques"]],
    [
      { newKeyWait: true, newKeyWaitEndsAt: NOW },
      ["Criar PIN", "Mudar limite", "Travar saques", "Manter a espera"],
    ],
    [{ lockedAt: NOW }, ["Pedir para destravar", "Criar PIN", "Mudar limite", "Ligar a espera"]],
    [
      { lockedAt: NOW, unlockAt: NOW },
      ["Criar PIN", "Mudar limite", "Manter travado", "Ligar a espera"],
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

  test("of more keys than the menu holds, counts all, and says which are in it", () => {
    const many = Array.from({ length: 30 }, (_, nth) => ({
      name: `${nth} · CPF`,
      value: `salva:${nth}`,
    }));
    const view = panel({}, many);
    expect(readMessage(view).at(-1)).toContain("E mais 22. O menu tem as 25 usadas por último");
    expect(menusOf(view)[0]?.options).toHaveLength(25);
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
    expect(readMessage(view)[3]).toBe(
      "Para destravar: Toque no botão: a trava abre 24 horas depois, e aviso você agora por mensagem direta.",
    );
    expect(buttonsOf(view)).toEqual({ "Pedir para destravar": `travar:destravar:${OWNER}` });
  });

  test.each([
    ["pt-BR", "estorno seu sai", "outra pessoa que conectou a mesma conta ainda saca por aqui"],
    ["en-US", "refund of yours leaves", "another person who connected the same account can still"],
  ] as const)("says in %s that it holds for its owner alone", (locale, yours, others) => {
    const [, text] = readMessage(lockView(set({ lockedAt: NOW }), locale));
    expect(text).toContain(yours);
    expect(text).toContain(others);
    expect(readMessage(guard({ change: "locked", locale }))[1]).toContain(yours);
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

const watch = {
  withdrawEnabled: true,
  ownerId: OWNER,
  guildId: "1180000000000000001",
  locale: "pt-BR",
  reference: "ref a1b2c3d4",
  noticedAt: NOW,
} as const;
const external = (given: Partial<ExternalWithdrawalFacts> = {}) =>
  externalWithdrawalNotice({ ...watch, txid: TXID, withdrawal: sampleWithdrawal(), ...given });
const guard = (given: Partial<GuardFacts> = {}) =>
  guardNotice({ ...watch, change: "cap_raise_asked", from: NOW, ...given });

describe("a withdrawal that nobody asked for here", () => {
  test.each([
    ["pt-BR", /A resposta sobre o saque W-7K2Q9 foi que ele não foi feito/, /que este bot não fez/],
    [
      "en-US",
      /The answer about withdrawal W-7K2Q9 was that it was not made/,
      /this bot did not make/,
    ],
  ] as const)("may be one that was declared as not made, in %s", (locale, says, denies) => {
    const text = readMessage(external({ locale, declaredOpId: "W-7K2Q9" })).join("\n");
    expect(text).toMatch(says);
    expect(text).not.toMatch(denies);
  });

  test("is told loudly, with what is known and what to do", () => {
    const lines = readMessage(external());
    expect(lines[0]).toBe("Há um saque que não foi pedido por aqui");
    expect(lines[1]).toMatch(/revogue a chave da API e troque a senha[\s\S]*`\/travar`/);
    expect(lines[1]).toContain("(https://discord.com/channels/1180000000000000001)");
    expect(lines.slice(2)).toEqual([
      "Valor: **R$ 1.234,00**",
      "Taxa: R$ 0,50",
      "Líquido: **R$ 1.233,50**",
      `Chave PIX: \`${MASKED}\` (CPF)`,
      "Situação: Concluído",
      "Modalidade: normal, em até 24 horas",
      `Pedido em: ${WHEN}`,
      `Txid: \`${TXID}\``,
      "Balcão · ref a1b2c3d4",
      READ_AT,
    ]);
    expect(JSON.stringify(external())).not.toContain("12345678909");
  });

  test.each([
    ["pt-BR", "Conta: a da chave da API `…9f3c`"],
    ["en-US", "Account: that of the API key `…9f3c`"],
  ] as const)("names the key of its account to who has several, in %s", (locale, named) => {
    expect(readMessage(external({ locale, keyLast4: "9f3c" }))).toContain(named);
  });

  test("that is still scheduled can be cancelled, and says where", () => {
    const scheduled = sampleWithdrawal({ status: "scheduled" });
    expect(readMessage(external({ withdrawal: scheduled }))[1]).toContain("Abra em `/saques`");
    expect(readMessage(external())[1]).not.toContain("Abra em");
    const off = external({ withdrawal: scheduled, withdrawEnabled: false });
    expect(readMessage(off)[1]).toContain("peça ao suporte do serviço que o cancele");
    expect(readMessage(off)[1]).not.toContain("Abra em");
  });

  test("of which nothing could be read is told all the same", () => {
    const lines = readMessage(external({ withdrawal: undefined }));
    expect(lines).toContain("Valor: não consegui ler");
    expect(lines).toContain(`Txid: \`${TXID}\``);
  });

  test("has one button, which locks and is its owner's", () => {
    expect(buttonsOf(external())).toEqual({ "Travar saques": `travar:agora:${OWNER}` });
  });
});

describe("a change of the guards", () => {
  test("tells when it holds, what to do if it was somebody else, and how to lock", () => {
    const lines = readMessage(guard());
    expect(lines[0]).toBe("Pediram um limite diário maior");
    expect(lines[1]).toContain("**Se não foi você**");
    expect(lines).toContain(`Vale a partir de: ${WHEN}`);
    expect(buttonsOf(guard())).toEqual({ "Travar saques": `travar:agora:${OWNER}` });
  });

  test.each([
    ["pt-BR", "mantenha a trava", "Manter travado"],
    ["en-US", "keep the lock", "Stay locked"],
  ] as const)("that would unlock offers in %s to stay locked", (locale, act, label) => {
    const message = guard({ change: "unlock_asked", locale });
    expect(message.content).toContain(act);
    expect(readMessage(message)[1]).toContain(`**, ${act}`);
    expect(buttonsOf(message)).toEqual({ [label]: `travar:agora:${OWNER}` });
  });

  test.each([
    ["pt-BR", "Pediram para tirar o limite diário", "sem limite diário"],
    ["en-US", "Somebody asked to remove the daily limit", "without a daily limit"],
  ] as const)(
    "that ends the daily limit says so in %s, and of no new one",
    (locale, title, text) => {
      const message = guard({ change: "cap_end_asked", locale });
      const lines = readMessage(message);
      expect(lines[0]).toBe(title);
      expect(lines[1]).toContain(text);
      expect(message.content).toContain(title);
    },
  );

  test("of a key that waits names the key, masked, so that its owner can tell whose it is", () => {
    const lines = readMessage(guard({ change: "new_key", pixKeyMasked: MASKED }));
    expect(lines[1]).toMatch(
      /^Alguém pediu, com a sua conta do Discord, um saque para a chave PIX/,
    );
    expect(lines).toContain(`Chave PIX: \`${MASKED}\``);
    expect(lines).toContain(`Vale a partir de: ${WHEN}`);
  });

  test.each([
    ["pt-BR", "Um PIN novo foi definido", /com o campo vazio/, "Vale a partir de"],
    ["en-US", "A new PIN was set", /with the field empty/, "Takes effect on"],
  ] as const)(
    "to a PIN tells in %s how who did not set it gets rid of it",
    (locale, title, says, date) => {
      const message = guard({ change: "pin_set", from: undefined, locale });
      const lines = readMessage(message);
      expect(lines[0]).toBe(title);
      expect(lines[1]).toMatch(says);
      expect(lines.join("\n")).not.toContain(date);
      expect(Object.values(buttonsOf(message))).toEqual([`travar:agora:${OWNER}`]);
    },
  );

  test.each([
    ["pt-BR", "Os dados do Balcão foram restaurados de um backup", "se não foi você"],
    ["en-US", "Balcão's data was restored from a backup", "if it was not you"],
  ] as const)(
    "by a restore suspects nobody in %s, and leads to all guards",
    (locale, title, denies) => {
      const message = guard({ change: "restored", from: undefined, locale });
      const lines = readMessage(message);
      expect([message.content, lines[0]]).toEqual([expect.stringContaining(title), title]);
      expect(lines[1]).toContain("`/seguranca`");
      expect(JSON.stringify(message).toLowerCase()).not.toContain(denies);
      expect(Object.values(buttonsOf(message))).toEqual([`travar:agora:${OWNER}`]);
    },
  );

  test("that locked needs no button", () => {
    expect(buttonsOf(guard({ change: "locked", from: undefined }))).toEqual({});
  });

  test("made in a direct message leads to no server", () => {
    expect(readMessage(guard({ guildId: "" })).join("\n")).not.toContain("https://");
  });
});

test.each(["pt-BR", "en-US"] as const)(
  "every such message in %s fits and carries its mark",
  (locale) => {
    const all = [
      external({ locale, txid: "t".repeat(500) }),
      external({ locale, withdrawal: undefined }),
      ...GUARD_CHANGES.map((change) => guard({ locale, change })),
    ];
    expect(all.flatMap(brokenLimits)).toEqual([]);
    expect(new Set(all.map((message) => message.embeds?.[0]?.footer?.text))).toEqual(
      new Set(["Balcão · ref a1b2c3d4"]),
    );
  },
);
