import { describe, expect, test } from "vitest";
import { quoteOf } from "#src/domain/withdraw-quote.ts";
import { cents } from "#src/shared/money.ts";
import { type BalanceFacts, balanceView } from "#src/views/money/balance.ts";
import { NOW } from "../../support/samples.ts";
import { brokenLimits } from "../message-limits.ts";
import { buttonsOf, readMessage } from "../read-message.ts";
import { acceptedOp } from "./withdraw-samples.ts";

const WHEN = "<t:1795197600:F> (<t:1795197600:R>)";
const AVAILABLE = cents(500_000);

const facts = (given: Partial<BalanceFacts> = {}): BalanceFacts => ({
  balance: { available: AVAILABLE },
  frozen: cents(12_345),
  open: undefined,
  elsewhereOpen: [],
  allowedFrom: undefined,
  quotes: { normal: quoteOf(AVAILABLE, false), turbo: quoteOf(AVAILABLE, true) },
  locked: false,
  problems: [],
  readAt: NOW,
  locale: "pt-BR",
  ...given,
});
const read = (given: Partial<BalanceFacts> = {}) => readMessage(balanceView(facts(given)));
const next = (given: Partial<BalanceFacts>) =>
  read(given).find((each) => each.startsWith("Próximo saque")) ?? "";
const elsewhere = (txid: string) => ({
  txid,
  requestedAt: NOW,
  amount: cents(7_500),
  status: "scheduled",
});

describe("the balance", () => {
  test("is told as it is, with what is frozen beside it and what either speed would pay out", () => {
    expect(read()).toEqual([
      "Saldo",
      "Disponível: **R$ 5.000,00**",
      "Bloqueado por MEDs: **R$ 123,45**\nFica à parte: o disponível já vem sem ele, e não desconto de novo.",
      "Em andamento: Nada.",
      "Próximo saque: Agora, pelo que sei.",
      "Tudo, pelo normal: **R$ 4.999,50** na chave\ntaxa R$ 0,50, em até 24 horas",
      "Tudo, pelo turbo: **R$ 4.996,50** na chave\ntaxa R$ 3,50, na hora",
      `Lido em: ${WHEN}`,
    ]);
  });

  test("explains nothing of what is frozen while nothing is", () => {
    expect(read({ frozen: cents(0) })).toContain("Bloqueado por MEDs: **R$ 0,00**");
  });

  test("below the minimum says so, and what the minimum is", () => {
    const lines = read({ balance: { available: cents(999) }, quotes: undefined });
    expect(lines).toContain(
      "Se você sacar tudo: Ainda não dá: o mínimo de um saque é R$ 10,00, contado antes da taxa.",
    );
  });

  test("rule 12: carries the codes by which the support finds what could not be read, each once", () => {
    const lines = read({ problems: ["timeout"], supportCodes: ["req_1", "req_1", "req_2"] });
    expect(lines).toContain("Código de suporte: `req_1`\n`req_2`");
    expect(read({}).join("\n")).not.toContain("Código");
  });

  test("says of every part that could not be read that it is not known, and why", () => {
    const lines = read({
      balance: undefined,
      frozen: undefined,
      quotes: undefined,
      elsewhereOpen: undefined,
      problems: ["timeout", "timeout", "unavailable"],
    });
    expect(lines).toContain("Disponível: não sei agora");
    expect(lines).toContain("Bloqueado por MEDs: não sei agora");
    expect(lines).toContain("Se você sacar tudo: Sem ler o saldo, não dá para dizer.");
    expect(lines.join("\n")).toContain(
      "Em andamento: Nada que tenha começado aqui.\nNão li a lista do serviço",
    );
    expect(lines.join("\n")).toContain(
      "Não consegui ler tudo: O serviço de pagamentos demorou demais.\nO serviço de pagamentos está com problemas.\nLido em",
    );
    expect(lines.join("\n")).not.toContain("R$");
  });
});

describe("what is on its way", () => {
  test("is ours, with its plan and the way to it, and what was made elsewhere", () => {
    const view = balanceView(
      facts({
        open: acceptedOp({ state: "scheduled", scheduledFor: NOW }),
        elsewhereOpen: ["a-1", "a-2", "a-3", "a-4"].map(elsewhere),
      }),
    );
    const line = readMessage(view).find((each) => each.startsWith("Em andamento")) ?? "";
    expect(line.split("\n")).toEqual([
      `Em andamento: **W-7K2Q9** · R$ 1.234,00 · Agendado · previsto para ${WHEN}`,
      "**R$ 75,00** · Agendado · `a-1` · fora do bot",
      "**R$ 75,00** · Agendado · `a-2` · fora do bot",
      "**R$ 75,00** · Agendado · `a-3` · fora do bot",
      "E mais 1, em `/saques`.",
    ]);
    expect(buttonsOf(view)).toEqual({ "Ver W-7K2Q9": "saques:status:W-7K2Q9" });
  });
});

describe("the next withdrawal", () => {
  test.each([
    [{ locked: true, allowedFrom: NOW }, "Travado por você. Para destravar: `/seguranca`."],
    [
      { allowedFrom: NOW },
      `Um a cada 24 horas: a partir de ${WHEN}. Antes disso o serviço pode recusar.`,
    ],
    [{ open: acceptedOp() }, "Só depois que o saque em andamento terminar."],
    [
      { open: acceptedOp(), allowedFrom: NOW },
      `Só depois que o saque em andamento terminar. Um a cada 24 horas: a partir de ${WHEN}.`,
    ],
    [{ open: acceptedOp({ state: "unknown" }) }, "Só depois de saber se o último foi feito"],
    [{ open: acceptedOp({ state: "manual" }) }, "Só depois de saber se o último foi feito"],
    [{ problems: ["timeout"] as const }, "Agora, pelo que sei. Não consegui ler tudo"],
    [{ elsewhereOpen: undefined }, "Agora, pelo que sei. Não consegui ler tudo"],
  ])("with %o: %s", (given, words) => {
    expect(next(given)).toContain(words);
  });
});

test.each(["pt-BR", "en-US"] as const)("every balance in %s fits", (locale) => {
  const long = { ...elsewhere("t".repeat(500)), status: "s".repeat(500) };
  const problems = ["timeout", "unavailable", "malformed", "unauthorized"] as const;
  for (const given of [
    {},
    { problems, open: acceptedOp(), elsewhereOpen: [long, long, long, long] },
  ])
    expect(brokenLimits(balanceView(facts({ ...given, locale })))).toEqual([]);
});
