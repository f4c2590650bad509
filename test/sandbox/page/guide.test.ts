import { describe, expect, test } from "vitest";
import { chargeTexts } from "#src/charges/texts.ts";
import { disputeTexts } from "#src/disputes/texts.ts";
import { reportTexts } from "#src/reports/texts.ts";
import { stepsSeen } from "#src/sandbox/page/client/guide.ts";
import type { PageMessage } from "#src/sandbox/page/page-view.ts";
import { withdrawalTexts } from "#src/withdrawals/texts.ts";

const AT = "2026-11-21T17:30:00Z";
const message = (over: Partial<PageMessage>): Partial<PageMessage> => ({
  author: { name: "Balcão", bot: true, avatar: "" },
  embeds: [],
  controls: [],
  sentAt: AT,
  private: false,
  answers: null,
  ...over,
});
const seen = (channel: string, over: Partial<PageMessage>) =>
  stepsSeen({
    outages: { bot: "on" },
    wallets: [{ webhook: "" }],
    channels: [{ name: channel, messages: [message(over)] }],
  } as never);
const answers = (command: string) => ({ command, by: "Ana", avatar: "" });
const answered = (command: string, title: string) => ({
  private: true,
  answers: answers(command),
  embeds: [{ title }],
});
const alertsTo = (chosen: string): PageMessage["controls"] => {
  const customId = "conta:alertas:1180000000000000201";
  const menu = { placeholder: null, several: false, disabled: false, choices: [] };
  return [[{ kind: "select", customId, ...menu, chosen: [chosen] }]];
};

describe.each(["pt-BR", "en-US"] as const)("the bot's own words in %s", (locale) => {
  const { own } = withdrawalTexts(locale).withdrawOutcomes;
  test.each([
    [reportTexts(locale).periods.title("21/11"), "sales"],
    [reportTexts(locale).periods.brasilia("21/11"), "sales"],
    [reportTexts(locale).reports.saved, "channel"],
    [own.scheduled.title, "withdraw"],
    [own.processing.title, "withdraw"],
    [`✅ ${own.completed.title}`, "withdraw"],
    [`❔ ${own.unknown.title}`, "trouble"],
    [chargeTexts(locale).charges.paid("R$ 79,90"), "charge"],
    [withdrawalTexts(locale).refund.title("R$ 79,90"), "sale"],
    [`✅ ${withdrawalTexts(locale).refundOutcomes.states.completed.title}`, "sale"],
    [disputeTexts(locale).disputeAlerts.routeSaved, "alerts"],
  ])("%s shows the step %s", (title, step) => {
    expect(seen("geral", { private: true, embeds: [{ title }] })).toEqual([step]);
  });
});

test("an address that the wallet service calls shows the step of the webhook", () => {
  const view = { outages: { bot: "on" }, channels: [] };
  expect(stepsSeen({ ...view, wallets: [{ webhook: "" }] } as never)).toEqual([]);
  expect(stepsSeen({ ...view, wallets: [{ webhook: "https://x" }] } as never)).toEqual(["webhook"]);
});

test.each([
  ["geral", { private: true, embeds: [{ title: "Chave conectada" }] }, ["connect"]],
  ["geral", { private: true, embeds: [{ title: "Key connected" }] }, ["connect"]],
  ["geral", answered("/vendas", "Você ainda não conectou a sua chave"), []],
  ["geral", { private: true, thinking: true, answers: answers("/vendas") }, []],
  ["geral", answered("/config relatorio", "Relatório diário"), []],
  ["geral", answered("/saque", "Confirme o saque (1 de 2)"), []],
  ["geral", answered("/saques", "Ainda não sei se o saque foi cancelado"), []],
  ["geral", answered("/cobrar", "Cobrança de R$ 79,90"), []],
  ["geral", answered("/estornar", "Não dá para estornar: há um MED aberto sobre esta venda"), []],
  ["geral", answered("/conta webhook", "Seu endereço de aviso está pronto"), []],
  ["geral", { ...answered("/conta ver", "Chave conectada"), controls: alertsTo("direct") }, []],
  [
    "geral",
    { ...answered("/conta ver", "Chave conectada"), controls: alertsTo("channel") },
    ["consent"],
  ],
  ["vendas", { embeds: [{ description: "Venda: Plano VIP · **R$ 79,90**" }] }, []],
  ["vendas", { embeds: [{ description: "**12 vendas** em 1 minuto" }] }, ["notices"]],
  ["vendas", { embeds: [{ description: "**12 sales** in 1 minute" }] }, ["notices"]],
  ["vendas", { embeds: [{ title: "Fechamento de quinta, 26/11" }] }, ["report"]],
  ["vendas", { embeds: [{ title: "Daily close: Thursday, Nov 26" }] }, ["report"]],
  ["vendas", { embeds: [{ title: "Exemplo: Fechamento de quinta, 26/11" }] }, []],
  ["vendas", { private: true, embeds: [{ title: "Fechamento de quinta, 26/11" }] }, []],
  ["avisos", { embeds: [{ title: "Novo MED de R$ 50,00" }] }, ["dispute"]],
  [
    "avisos",
    { embeds: [{ title: "MED de R$ 50,00 ganho: valor liberado" }] },
    ["dispute", "decision"],
  ],
  ["avisos", { private: true, embeds: [{ title: "Defesa preparada" }] }, ["defence"]],
  [
    "geral",
    {
      private: true,
      answers: answers("/saque"),
      embeds: [{ title: "❔ Ainda não sei se o saque foi feito" }],
    },
    ["trouble"],
  ],
  ["vendas", { author: { name: "Ana", bot: false, avatar: "" } }, []],
  ["geral", { answers: answers("/ajuda") }, []],
])("in #%s, %j shows %j", (channel, over, steps) => {
  expect(seen(channel, over)).toEqual(steps);
});

test("a bot that starts again shows the step of the crash", () => {
  const at = (bot: string) => stepsSeen({ outages: { bot }, channels: [], wallets: [] } as never);
  expect(at("on")).toEqual([]);
  expect(at("off")).toEqual([]);
  expect(at("starting")).toEqual(["crash"]);
});
