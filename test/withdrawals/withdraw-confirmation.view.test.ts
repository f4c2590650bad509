import { describe, expect, test } from "vitest";
import type { CancelConfirmation, Confirmation } from "#src/withdrawals/withdraw-facts.ts";
import { cents } from "#src/shared/money.ts";
import { Secret } from "#src/shared/secret.ts";
import {
  cancelConfirmationView,
  confirmationView,
} from "#src/withdrawals/withdraw-confirmation.view.ts";
import { withdrawalTexts } from "#src/withdrawals/texts.ts";
import type { Reply } from "#src/ui/reply.ts";
import { NOW, WHEN } from "../support/samples.ts";
import { labelsOf, readMessage } from "../ui/read-message.ts";
import {
  RECIPIENT,
  sampleCancel,
  sampleConfirmation,
  sampleOp,
  TOKEN,
  TXID,
  WHOLE,
} from "./withdraw-samples.ts";

const shown = (given: Partial<Confirmation> = {}) =>
  confirmationView(sampleConfirmation(given), "pt-BR");
const read = (given: Partial<Confirmation> = {}): string => readMessage(shown(given)).join("\n");
const turbo = { op: sampleOp({ kind: "turbo" }) };
const split = { op: sampleOp({ kind: "split_turbo" }), askedTwice: ["split"] } as const;
const SINGLE = ["Enviar R$ 1.233,50", "Turbo: chegam R$ 1.230,50 na hora", "Desistir"];
const [BLURPLE, GREY, RED] = [1, 2, 4];
const stylesOf = ({ components = [] }: Reply): readonly unknown[] =>
  components.flatMap((row) => row.components.map((part) => Reflect.get(part, "style")));
const idsOf = (given: Partial<Confirmation>): string => JSON.stringify(shown(given).components);

describe("a confirmation of /saque", () => {
  test("shows what leaves, what it costs, what arrives, and at either speed", () => {
    expect(readMessage(shown(turbo))).toEqual([
      "Confirme o saque",
      "Saem **R$ 1.234,00** · taxa de R$ 3,50 · chegam **R$ 1.230,50** na hora.\n" +
        "Nada foi enviado ainda: confira antes.\n" +
        "Depois deste, pelo que sei, o próximo só a partir de <t:1795284000:d> <t:1795284000:t>.\n" +
        "Vale até <t:1795197720:t> (<t:1795197720:R>).",
      `Chave PIX: \`${WHOLE}\` · CPF\n\`Carla Nogueira\` · \`Banco Horizonte\``,
    ]);
  });

  test("shows the longest key that may be typed to its end", () => {
    const value = new Secret(`${"k".repeat(137)}end`);
    expect(read({ pixKey: { value, type: "unknown" } })).toContain("kend`");
  });

  test("has one click that sends, one that changes the speed and one that gives up", () => {
    expect(labelsOf(shown())).toEqual(SINGLE);
    expect(labelsOf(shown(turbo))[1]).toBe("Normal: chegam R$ 1.233,50 em até 24 horas");
    expect(idsOf({})).toContain(`saque:confirmar:${TOKEN}`);
    expect(idsOf({})).toContain(`saque:modalidade:${TOKEN}`);
    expect(idsOf({})).toContain(`saque:desistir:${TOKEN}`);
  });

  test("says that it is everything when it is", () => {
    expect(read({ available: cents(123_400) })).toContain("todo o seu saldo");
    expect(read({ available: cents(123_401) })).not.toContain("todo o seu saldo");
  });

  test("says when the service did not tell whose key it is", () => {
    expect(read({ holderName: undefined })).toContain("O serviço não disse de quem é");
  });

  test("opens the form of the PIN where there is one", () => {
    expect(labelsOf(shown({ pinRequired: true }))).toEqual([
      "Enviar R$ 1.233,50 com PIN",
      ...SINGLE.slice(1),
    ]);
    expect(idsOf({ pinRequired: true })).toContain(`saque:pin:${TOKEN}`);
    expect(idsOf({ pinRequired: true })).not.toContain("saque:confirmar");
  });

  const recent = { at: NOW.subtract({ hours: 21 }), allowedFrom: NOW.add({ hours: 3 }) };

  test("S8: warns of a withdrawal less than a day ago, and until when", () => {
    expect(read({ recent })).toContain(
      "Atenção: • O último foi em <t:1795122000:d> <t:1795122000:t> (<t:1795122000:R>); um novo é aceito, pelo que sei, a partir de <t:1795208400:d> <t:1795208400:t> (<t:1795208400:R>). Antes disso o serviço pode recusar.",
    );
    expect(read({ recent })).toMatch(/^Confirme o saque: o último foi há menos de 24 horas\n/);
    expect(read()).not.toContain("Atenção");
    expect(read()).toMatch(/^Confirme o saque\n/);
  });

  test.each([
    [
      "pt-BR",
      /^Confirme o saque\n[^]*Atenção: • O último saque, de [^;]+, não foi pago; o serviço não diz se ele conta no limite de um a cada 24 horas\. Se contar, um novo é aceito a partir de [^.]+\.$/,
    ],
    [
      "en-US",
      /^Confirm the withdrawal\n[^]*Please note: • The last withdrawal, of [^;]+, was not paid; the service does not say whether it counts towards one every 24 hours\. If it does, a new one is accepted from [^.]+\.$/,
    ],
  ] as const)("leaves open in %s whether one that was not paid counts", (locale, words) => {
    const unpaid = { ...recent, isUnpaid: true };
    const told = confirmationView(sampleConfirmation({ recent: unpaid }), locale);
    expect(readMessage(told).join("\n")).toMatch(words);
  });

  const under = (phase: "processing" | "scheduled" | "unread") => ({
    underWay: [{ phase, amount: cents(54_040), plannedFor: NOW }],
  });

  test("S8: warns of one in processing, and still offers to send", () => {
    expect(read(under("processing"))).toContain(
      "Atenção: • Já há um saque em processamento, de R$ 540,40; o serviço pode recusar este.",
    );
    expect(labelsOf(shown(under("processing")))).toEqual(SINGLE);
  });

  test("rule 55: tells of a scheduled one, and of one that cannot be read, without a rule of the service", () => {
    expect(read(under("scheduled"))).toContain(
      `Atenção: • Já há um saque agendado, de R$ 540,40. Não sei se o serviço aceita outro antes de ele terminar: pode recusar este. Previsto para <t:1795197600:d> <t:1795197600:t>`,
    );
    expect(read(under("unread"))).toContain("Se ele não terminou, o serviço pode recusar este.");
  });

  test("S8: says before all else that another one went out since it was shown", () => {
    expect(read({ sentMeanwhile: true, ...under("processing") })).toContain(
      "Atenção: • **Soube de outro saque desta conta depois que mostrei este.**",
    );
  });

  test.each([
    ["pt-BR", "À noite (das 20:00 às 06:00; o serviço não diz o fuso) os limites são menores"],
    ["en-US", "At night (8:00 PM to 6:00 AM; the service does not name the time zone) its limits"],
  ] as const)("rule 36: warns of the lower limits at night in %s, in no zone", (locale, words) => {
    const night = confirmationView(sampleConfirmation({ night: true }), locale);
    expect(readMessage(night).join("\n")).toContain(words);
    expect(readMessage(night).join("\n")).not.toMatch(/Brasília|acumul|cumulat/i);
  });

  test.each(["pt-BR", "en-US"] as const)("never cuts a warning, in %s", (locale) => {
    const all = confirmationView(
      sampleConfirmation({
        underWay: Array.from({ length: 4 }, () => ({
          ...under("scheduled").underWay[0]!,
          amount: cents(100_000_000_00),
        })),
        sentMeanwhile: true,
        recent: { ...recent, isUnpaid: true },
        night: true,
        pixKey: { value: new Secret(WHOLE), type: "unknown" },
      }),
      locale,
    );
    const { careful, night } = withdrawalTexts(locale).withdraw;
    const warnings = all.embeds?.[0]?.fields?.find(({ name }) => name === careful)?.value;
    expect(warnings?.split("\n")).toHaveLength(6);
    expect(warnings).toMatch(
      /Há mais 3 saques desta conta que podem não ter terminado, contando os de outra pessoa e os feitos fora do bot\.\n|3 more withdrawals from this account may not have ended, counting another person's and those made outside the bot\.\n/,
    );
    expect(warnings?.endsWith(night)).toBe(true);
  });

  test("warns of a key whose form it does not know", () => {
    const pixKey = { value: new Secret(WHOLE), type: "unknown" } as const;
    expect(read({ pixKey })).toContain("Atenção: • Não conheço a forma desta chave.");
  });
});

describe("two confirmations", () => {
  const why = { askedTwice: ["new_key", "suspect_key", "unreadable_list"] } as const;
  const pixKey = { value: new Secret(WHOLE), type: "cpf" } as const;

  test("begin with one that sends nothing, and say why there are two", () => {
    const first = read({ ...why, pixKey, confirmationsLeft: 2 });
    expect(first).toMatch(/^Confirme o saque \(1 de 2\)/);
    expect(first).toContain("Esta primeira confirmação não envia nada");
    expect(first.split("Por que peço duas vezes: ")[1]).toBe(
      "• Esta chave PIX é nova para mim: não tenho registro de saque para ela.\n" +
        "• A chave parece um CPF, mas os dígitos do fim não conferem.\n" +
        "• Não consegui ler a lista de saques do serviço. Se a resposta dele se perder, não vou poder conferir sozinho se o saque saiu.",
    );
  });

  test("end with one that reads and looks otherwise, under another button", () => {
    const first = shown({ ...why, confirmationsLeft: 2 });
    const second = shown(why);
    expect(readMessage(second)[0]).toBe("Confirme de novo o saque (2 de 2)");
    expect(readMessage(second)[1]).toContain("**Última confirmação:** o próximo toque envia.");
    expect(read(why)).toContain("Nova para mim. Confira o fim dela: …**`78909`**");
    expect(labelsOf(first)).toEqual(["Continuar", ...SINGLE.slice(1)]);
    expect(labelsOf(second)).toEqual(["Desistir", "Enviar R$ 1.233,50"]);
    expect(second.embeds?.[0]?.color).not.toBe(first.embeds?.[0]?.color);
    expect(stylesOf(first)).toEqual([BLURPLE, GREY, GREY]);
    expect(stylesOf(second)).toEqual([GREY, RED]);
  });

  test("one that is asked again because of another withdrawal looks so too", () => {
    expect(labelsOf(shown({ sentMeanwhile: true }))).toEqual(["Desistir", "Enviar R$ 1.233,50"]);
  });

  test("ask for the PIN with the click that sends alone", () => {
    expect(labelsOf(shown({ ...why, confirmationsLeft: 2 }))[0]).toBe("Continuar");
    const last = { ...why, pinRequired: true };
    expect(labelsOf(shown(last))[1]).toBe("Enviar R$ 1.233,50 com PIN");
    expect(read(last)).toContain("o próximo toque pede o PIN, e ele envia.");
    expect(read(last)).not.toContain("o próximo toque envia");
  });
});

describe("a confirmation of /split-saque", () => {
  test("says that everything goes and that the amount is known only afterwards", () => {
    expect(read(split)).toContain(
      `Sai **todo o saldo acumulado deste recebedor** (<@${RECIPIENT}>); o valor só aparece depois.`,
    );
    expect(read(split)).not.toContain("chegam");
    expect(read(split)).toContain("Taxa de R$ 3,50 · na hora.");
    expect(labelsOf(shown(split))).toEqual(["Desistir", "Enviar o saldo do split"]);
    expect(labelsOf(shown({ ...split, confirmationsLeft: 2 }))[1]).toBe(
      "Normal: taxa de R$ 0,50 em até 24 horas",
    );
  });

  test("shows the last balance that was seen with its age, or that none is known", () => {
    const lastSplitBalance = { balance: cents(38_745), at: NOW.subtract({ hours: 50 }) };
    expect(read({ ...split, lastSplitBalance })).toContain(
      "Último saldo do split que vi: R$ 387,45, lido em <t:1795017600:d> <t:1795017600:t> (<t:1795017600:R>). Pode ter mudado.",
    );
    expect(read(split)).toContain("Último saldo do split que vi: Não sei");
  });
});

test("a confirmation of a cancellation names what is cancelled, and keeping it is the other choice", () => {
  const asked = (given: Partial<CancelConfirmation> = {}) =>
    cancelConfirmationView(sampleCancel(given), "pt-BR");
  expect(readMessage(asked())).toEqual([
    "Confirme o cancelamento",
    "Vou pedir ao serviço que cancele este saque agendado. Se ele cancelar, o valor volta para o saldo.\n" +
      "Nada foi enviado ainda: confira antes.\n" +
      "Vale até <t:1795197720:t> (<t:1795197720:R>).",
    "Valor do saque: R$ 1.234,00",
    `Saque a cancelar: **W-XST6B** · \`***.456.789-**\` · previsto para ${WHEN}\n-# \`${TXID}\``,
  ]);
  expect(labelsOf(asked())).toEqual(["Confirmar o cancelamento", "Manter o saque"]);
  expect(labelsOf(asked({ pinRequired: true }))[0]).toBe("Confirmar o cancelamento com PIN");
  const ofSplit = asked({ target: { id: "W-XST6B", kind: "split_normal" } });
  expect(readMessage(ofSplit)[1]).toContain(
    "volta para o saldo. O serviço não diz se é o seu saldo ou o do split.\n",
  );
});
