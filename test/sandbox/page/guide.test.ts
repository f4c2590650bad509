import { describe, expect, test } from "vitest";
import { accountTexts } from "#src/accounts/texts.ts";
import { chargeTexts } from "#src/charges/texts.ts";
import { defenceTexts } from "#src/defence/texts.ts";
import { disputeTexts } from "#src/disputes/texts.ts";
import { reportTexts } from "#src/reports/texts.ts";
import { saleTexts } from "#src/sale-notices/texts.ts";
import { stepsSeen } from "#src/sandbox/page/client/guide.ts";
import type { PageMessage } from "#src/sandbox/page/page-view.ts";
import { webhookTexts } from "#src/webhooks/texts.ts";
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
  const { account, userErrors } = accountTexts(locale);
  const { charges } = chargeTexts(locale);
  const { dossier } = defenceTexts(locale);
  const { disputeAlerts } = disputeTexts(locale);
  const { periods, reports } = reportTexts(locale);
  const { counted, inOneMinute, named } = saleTexts(locale).saleNotices;
  const { refund, refundOutcomes, withdraw, withdrawOutcomes } = withdrawalTexts(locale);
  const { own, cancel } = withdrawOutcomes;
  const money = "R$ 79,90";
  const closing = reports.closing(4, "26/11");

  test.each([
    [periods.title("21/11"), "sales"],
    [periods.brasilia("21/11"), "sales"],
    [reports.saved, "channel"],
    [own.scheduled.title, "withdraw"],
    [own.processing.title, "withdraw"],
    [`✅ ${own.completed.title}`, "withdraw"],
    [`❔ ${own.unknown.title}`, "trouble"],
    [charges.paid(money), "charge"],
    [refund.title(money), "sale"],
    [`✅ ${refundOutcomes.states.completed.title}`, "sale"],
    [disputeAlerts.routeSaved, "alerts"],
    [account.connected, "connect"],
    [dossier.replyTitle, "defence"],
  ])("%s shows the step %s", (title, step) => {
    expect(seen("geral", { private: true, embeds: [{ title }] })).toEqual([step]);
  });

  test.each([
    ["/vendas", userErrors.not_connected.title],
    ["/config relatorio", reports.title],
    ["/saque", withdraw.titles.own],
    ["/saques", cancel.unknown.title],
    ["/cobrar", charges.open(money)],
    ["/estornar", userErrors.payment_disputed.title],
    ["/conta webhook", webhookTexts(locale).webhook.made],
    ["/conta ver", account.connected],
  ])("of the answer to %s show no step: %s", (command, title) => {
    expect(seen("geral", answered(command, title))).toEqual([]);
  });

  test.each<readonly [string, PageMessage["embeds"], readonly string[]]>([
    ["vendas", [{ description: `${named.sale}: Plano VIP · **${money}**` }], []],
    ["vendas", [{ description: `**${counted.sale(12)}** ${inOneMinute}` }], ["notices"]],
    ["vendas", [{ title: closing }], ["report"]],
    ["vendas", [{ title: reports.sampleTitle(closing) }], []],
    ["avisos", [{ title: disputeAlerts.titles.new(money, undefined) }], ["dispute"]],
    ["avisos", [{ title: disputeAlerts.titles.won(money) }], ["dispute", "decision"]],
    ["avisos", [{ title: disputeAlerts.titles.lost(money) }], ["dispute", "decision"]],
  ])("of a post in #%s, %j, show %j", (channel, embeds, steps) => {
    expect(seen(channel, { embeds })).toEqual(steps);
  });

  test("of the report show no step in a private answer", () => {
    expect(seen("vendas", { private: true, embeds: [{ title: closing }] })).toEqual([]);
  });

  test.each([
    ["direct", []],
    ["channel", ["consent"]],
  ])("of /conta ver show the consent where alerts go to %s: %j", (chosen, steps) => {
    const shown = answered("/conta ver", account.connected);
    expect(seen("geral", { ...shown, controls: alertsTo(chosen) })).toEqual(steps);
  });
});

test("an address that the wallet service calls shows the step of the webhook", () => {
  const view = { outages: { bot: "on" }, channels: [] };
  expect(stepsSeen({ ...view, wallets: [{ webhook: "" }] } as never)).toEqual([]);
  expect(stepsSeen({ ...view, wallets: [{ webhook: "https://x" }] } as never)).toEqual(["webhook"]);
});

test.each([
  ["geral", { private: true, thinking: true, answers: answers("/vendas") }],
  ["vendas", { author: { name: "Ana", bot: false, avatar: "" } }],
  ["geral", { answers: answers("/ajuda") }],
])("in #%s, %j shows no step", (channel, over) => {
  expect(seen(channel, over)).toEqual([]);
});

test("a bot that starts again shows the step of the crash", () => {
  const at = (bot: string) => stepsSeen({ outages: { bot }, channels: [], wallets: [] } as never);
  expect(at("on")).toEqual([]);
  expect(at("off")).toEqual([]);
  expect(at("starting")).toEqual(["crash"]);
});
