import { cents } from "#src/shared/money.ts";
import { describe, expect, test } from "vitest";
import type { ConnectionLosses, DestinationChoice } from "#src/accounts/account.ts";
import type { Locale } from "#src/shared/locale.ts";
import {
  type AccountFacts,
  accountView,
  connectedView,
  connectModal,
} from "#src/accounts/account.view.ts";
import { disconnectedView, disconnectHereQuestion } from "#src/accounts/disconnect.view.ts";
import { connectedForView } from "#src/accounts/connections.view.ts";
import { NOW, sampleAccount, sampleRoute } from "../support/samples.ts";
import { sampleAlertRoute } from "../disputes/dispute-samples.ts";
import { brokenLimits, brokenModalLimits } from "../ui/message-limits.ts";
import { labelsOf, menusOf, readMessage } from "../ui/read-message.ts";

const facts = (
  account: Parameters<typeof sampleAccount>[0] = {},
  route: Parameters<typeof sampleRoute>[0] | null = {},
) => ({
  account: sampleAccount(account),
  route: route === null ? undefined : sampleRoute(route),
  directHour: undefined,
  alertRoute: undefined,
  undelivered: 0,
  undeliveredReports: 0,
  alertsElsewhere: undefined,
  sales: { choice: "off", channelId: undefined, isByReport: false, isOnHold: false } as const,
  unlisted: 0,
  isOnHold: false,
  refusedElsewhere: 0,
  locale: "pt-BR" as const,
});
const hourOf = (timeZone: string, isPaused = false) =>
  ({ time: Temporal.PlainTime.from("22:30"), timeZone, isPaused }) as const;
const state = (...given: Parameters<typeof facts>) => readMessage(accountView(facts(...given)));

describe("the state of a connection", () => {
  test("shows the end of the key, whose it is, since when and where reports go", () => {
    expect(state({ reportConsent: true })).toEqual([
      "Chave conectada",
      "Chave: `…9x2z`",
      "Titular: Confirmado: é a sua conta",
      "Conta conectada em: <t:1795197600:d> <t:1795197600:t> (<t:1795197600:R>)",
      "Relatório diário: Você aceitou. Sai em <#1180000000000000102>, às 21:05 (horário de Brasília).",
      "Alertas de MED: Vão por mensagem direta.",
      "Avisos de venda: Desligados. Para ser avisado de cada venda na hora, escolha abaixo para onde.",
    ]);
  });

  test.each([
    [{ reportConsent: false }, {}, "ainda não aceitou. Sairia em <#1180000000000000102>"],
    [{}, { timeZone: "America/Manaus" }, "às 21:05 (America/Manaus)"],
    [{}, null, "Este servidor ainda não escolheu um canal."],
    [{}, { active: false }, "Está desligado neste servidor."],
    [{}, { suspendedAt: NOW }, "não consigo postar em <#1180000000000000102>"],
    [{ pausedAt: NOW }, {}, "Parada desde <t:1795197600:d> <t:1795197600:t>"],
    [{ ownerVerified: false }, {}, "Não confirmado"],
    [{ connectedBy: "119" }, {}, "Chave: `…9x2z`, por <@119>"],
  ])("of %j on a route of %j says %j", (account, route, words) => {
    expect(state(account, route).join("\n")).toContain(words);
  });

  test.each([
    ["pt-BR", 1, "Em outro servidor, a chave desta conta foi recusada"],
    ["pt-BR", 3, "Em outros 3 servidores, a chave desta conta foi recusada"],
    ["en-US", 1, "In another server the key of this account was refused"],
    ["en-US", 3, "In 3 other servers the key of this account was refused"],
  ] as const)("says in %s that %d other servers need the new key too", (locale, count, words) => {
    const given = { ...facts(), refusedElsewhere: count, locale };
    for (const view of [accountView, connectedView])
      expect(readMessage(view(given)).join("\n")).toContain(words);
    expect(readMessage(connectedView(facts())).join("\n")).not.toContain("foi recusada");
  });

  test("with a direct report says at which hour it comes, whatever becomes of the channel", () => {
    const directHour = hourOf("America/Manaus");
    for (const route of [{}, null, { active: false }]) {
      const shown = accountView({ ...facts({ reportDirect: true }, route), directHour });
      expect(readMessage(shown)).toContain(
        "Relatório diário: Vai só para você, por mensagem direta, às 22:30 (America/Manaus); no canal não sai nada seu. " +
          "Deixe abertas as mensagens diretas deste servidor.",
      );
    }
  });

  test.each([
    ["pt-BR", 1, "1 relatório dos últimos 7 dias não chegou até você: o Discord recusou"],
    ["pt-BR", 4, "4 relatórios dos últimos 7 dias não chegaram até você: o Discord recusou"],
    ["en-US", 1, "1 report of the last 7 days did not reach you: Discord refused"],
    ["en-US", 4, "4 reports of the last 7 days did not reach you: Discord refused"],
  ] as const)("with a direct report says in %s that %d did not arrive", (locale, count, words) => {
    const directHour = hourOf("America/Manaus");
    const lost = { directHour, undeliveredReports: count, locale };
    const said = (given: Parameters<typeof facts>[0]) =>
      readMessage(accountView({ ...facts(given), ...lost })).join("\n");
    expect(said({ reportDirect: true })).toContain(words);
    expect(said({ reportConsent: true })).not.toContain(words);
  });

  test("without a direct report here says that it goes by another server, and offers none", () => {
    const directHour = hourOf("America/Sao_Paulo");
    for (const [route, consent] of [
      [{}, true],
      [null, false],
    ] as const) {
      const shown = accountView({ ...facts({ reportConsent: consent }, route), directHour });
      const said = readMessage(shown).join("\n");
      expect(said).toMatch(
        /Ele vai por mensagem direta, às 22:30.*outro servidor.*`\/conta ver` lá/,
      );
      expect(said).not.toContain("Se quiser, ele pode ir só para você");
    }
  });

  test.each([null, { active: false }, { suspendedAt: NOW }])(
    "where the channel is %j offers the direct message instead",
    (route) => {
      const offer = "Se quiser, ele pode ir só para você, por mensagem direta: escolha abaixo.";
      expect(state({}, route).join("\n")).toContain(offer);
      expect(state({}).join("\n")).not.toContain(offer);
    },
  );

  test.each([
    [{ reportConsent: true }, "O relatório do canal mostra o meu total"],
    [{ reportDirect: true }, "O meu relatório por mensagem direta"],
    [{}, "Nenhum relatório com o meu total"],
  ])("with the choice %j has a menu in which that is chosen", (choice, label) => {
    const [menu] = menusOf(accountView(facts(choice)));
    expect(menu?.custom_id).toBe(`conta:relatorio:${sampleAccount().ownerId}`);
    expect(menu?.options.filter((each) => each.default).map((each) => each.label)).toEqual([label]);
  });
});

describe("a refused key", () => {
  const refused = (choices: Parameters<typeof sampleAccount>[0], given: Partial<AccountFacts>) =>
    accountView({ ...facts({ pausedAt: NOW, ...choices }), ...given });
  const sales = {
    choice: "direct",
    channelId: undefined,
    isByReport: false,
    isOnHold: true,
  } as const;

  test.each([
    ["pt-BR", "Conectar minha chave", ["**Parado até", "**Sem MEDs novos até", "**Parados até"]],
    ["en-US", "Connect my key", ["**On hold until", "**No new MEDs until", "**On hold until"]],
  ] as const)("in %s says what is on hold, and offers the form", (locale, label, words) => {
    const given = { isOnHold: true, sales, locale };
    const watched = { ...sales, isOnHold: false };
    const unread = { ...given, sales: watched, directHour: hourOf("UTC"), isUnreadable: true };
    for (const shown of [
      refused({ reportConsent: true }, given),
      refused({ reportConsent: true, pausedAt: undefined }, { ...unread, directHour: undefined }),
      refused({ reportDirect: true, pausedAt: undefined }, unread),
    ]) {
      const held = readMessage(shown).slice(-3);
      for (const [index, each] of held.entries()) expect(each).toContain(`: ${words[index]} `);
      expect(labelsOf(shown)[0]).toBe(label);
    }
  });

  test("that is no longer read does not come back by itself", () => {
    expect(readMessage(refused({}, { isUnreadable: true })).join()).not.toContain("Parada desde");
  });

  test("holds nothing that is switched off", () => {
    const off = { ...sales, choice: "off" } as const;
    expect(
      readMessage(refused({ alerts: "off" }, { isOnHold: true, sales: off })).join(),
    ).not.toContain("até a chave voltar");
  });

  test("holds nothing of what the server's channels keep back", () => {
    const toChannel = { ...sales, choice: "channel" } as const;
    const given = { isOnHold: true, sales: toChannel, route: undefined };
    const shown = readMessage(refused({ reportConsent: true, alerts: "off" }, given)).join();
    expect(shown).not.toContain("até a chave voltar");
  });

  test("beside another one that works holds what it reads itself, and offers the form", () => {
    const shown = refused({ reportConsent: true }, { sales });
    expect(readMessage(shown).filter((each) => each.includes("até a chave voltar"))).toEqual([
      expect.stringContaining("Relatório diário: **Parado até a chave voltar.** Você aceitou."),
      "Avisos de venda: **Parados até a chave voltar.** Vão por mensagem direta.",
    ]);
    expect(labelsOf(shown)).toEqual(["Conectar minha chave"]);
    expect(labelsOf(accountView(facts()))).toEqual([]);
  });

  test.each([
    [{ reportDirect: true }, NOW, false, /diário: Vai só/],
    [{ reportDirect: true }, undefined, true, /diário: \*\*Parado até a chave voltar\.\*\* Vai só/],
    [{ reportConsent: true }, NOW, false, /diário: \*\*Parado[^]*\nEle vai/],
    [{ reportConsent: true }, undefined, true, /diário: Você[^]*\n\*\*Parado.*\*\* Ele vai/],
    [{}, NOW, true, /diário: Você[^]*\n\*\*Parado.*\*\* Ele vai/],
  ])("with %j, refused at %s and for the direct report %s: %s", (choice, pausedAt, held, words) => {
    const directHour = hourOf("America/Manaus", held);
    const shown = accountView({ ...facts({ ...choice, pausedAt }), directHour });
    expect(readMessage(shown).find((each) => each.startsWith("Relatório"))).toMatch(words);
  });
});

describe("notices of sales", () => {
  const told = (choice: DestinationChoice, channelId?: string, isByReport = false) =>
    readMessage(
      accountView({ ...facts(), sales: { choice, channelId, isByReport, isOnHold: false } }),
    ).at(-1);

  test.each([
    ["off", undefined, "Avisos de venda: Desligados."],
    ["direct", undefined, "Avisos de venda: Vão por mensagem direta."],
    ["channel", "119", "Saem em <#119>: o produto, o valor, o líquido e o seu nome, nunca quem"],
    ["channel", undefined, "**Não saem: o servidor não tem um canal de vendas em uso.**"],
  ] as const)("that go %s by the channel %s are said to", (choice, channelId, words) => {
    expect(told(choice, channelId)).toContain(words);
  });

  test("of a channel with a minimum say from which amount", () => {
    const sales = { choice: "channel", channelId: "119", minimum: cents(5_000) } as const;
    const given = { ...sales, isByReport: false, isOnHold: false };
    const text = readMessage(accountView({ ...facts(), sales: given }));
    expect(text.at(-1)).toContain("Saem em <#119>, a partir de R$ 50,00: o produto");
  });

  test.each([
    ["pt-BR", "só aviso lá quando entra uma única venda e ela chega ao mínimo"],
    ["en-US", "announce there only a sale that comes in alone and reaches the minimum"],
  ] as const)("without details promise in %s what the minimum lets out", (locale, words) => {
    const given = { choice: "channel", channelId: "119", isByReport: true } as const;
    const sales = { ...given, minimum: cents(5_000), isOnHold: false };
    const text = readMessage(accountView({ ...facts(), sales, locale })).at(-1);
    expect(text).toContain(words);
    expect(text).not.toMatch(/quantas e quanto|how many/);
  });

  test("without details are not promised where the server has no channel for them", () => {
    expect(told("channel", undefined, true)).not.toContain("Aviso pelo relatório do dia");
  });

  test("without details are said to be so", () => {
    expect(told("direct", undefined, true)).toContain(
      "**O serviço não mostra agora a lista das suas vendas.** Aviso pelo relatório do dia",
    );
  });
});

describe("alerts of disputes", () => {
  const told = (alerts: DestinationChoice, given: Partial<AccountFacts> = {}) =>
    readMessage(accountView({ ...facts({ alerts }), ...given })).at(-2);
  const alertRoute = sampleAlertRoute();

  test.each([
    ["direct", alertRoute, "Vão por mensagem direta."],
    ["off", alertRoute, "**Desligados: não aviso nada dos seus MEDs, nem os prazos.**"],
    ["channel", alertRoute, "Saem em <#1180000000000000102>, e mencionam você."],
    ["channel", undefined, "o servidor não tem um canal de alertas em uso"],
    ["channel", sampleAlertRoute({ active: false }), "não tem um canal de alertas em uso"],
    ["channel", sampleAlertRoute({ suspendedAt: NOW }), "não tem um canal de alertas em uso"],
  ] as const)("by the choice %j are told so (%#)", (alerts, route, words) => {
    expect(told(alerts, { alertRoute: route })).toContain(words);
  });

  test.each([
    ["direct", {}, true],
    ["channel", {}, true],
    ["channel", { suspendedAt: NOW }, true],
    ["direct", { active: false }, false],
    ["direct", { quiet: undefined }, false],
    ["off", {}, false],
  ] as const)(
    "by the choice %j are told to wait in quiet hours where they do (%#)",
    (alerts, changes, wait) => {
      const words =
        "Os que podem esperar não saem das 22:00 às 07:00 (horário de Brasília): são as horas de silêncio do servidor.";
      expect(told(alerts, { alertRoute: sampleAlertRoute(changes) })?.includes(words)).toBe(wait);
      const elsewhere = { alertRoute, alertsElsewhere: { kind: "direct" } } as const;
      expect(told(alerts, elsewhere)).not.toContain("silêncio");
    },
  );

  test("are told to go by direct message where a channel is chosen and another server's choice counts", () => {
    const alertsElsewhere = { kind: "direct" } as const;
    expect(told("channel", { alertRoute, alertsElsewhere })).toContain("Vão por mensagem direta.");
    expect(told("channel", { alertsElsewhere })).toContain("não tem um canal de alertas em uso");
  });

  test("that reached nobody are told with what to do, unless they were switched off", () => {
    expect(told("direct", { undelivered: 1, alertRoute })).toMatch(
      /diretas?.*1 alerta .*Libere.*escolha abaixo/s,
    );
    expect(told("direct", { undelivered: 5, locale: "en-US" })).toContain("5 alerts");
    expect(told("off", { undelivered: 5 })).not.toContain("5");
  });

  test.each([
    ["pt-BR", undefined],
    ["en-US", sampleAlertRoute({ active: false })],
    ["pt-BR", sampleAlertRoute({ suspendedAt: NOW })],
  ] as const)(
    "that reached nobody are in %s not sent to a channel that the server does not use (%#)",
    (locale, route) => {
      for (const alerts of ["direct", "channel"] as const) {
        const said = told(alerts, { undelivered: 1, alertRoute: route, locale });
        expect(said).toMatch(/Libere no Discord|Allow direct messages/);
        expect(said).not.toMatch(/abaixo|below/);
      }
    },
  );

  test("S12: are said to be missing where the service counts what it does not show, while that holds", () => {
    expect(told("direct", { unlisted: 1 })).toContain(
      "**O serviço conta 1 MED pendente que eu não consigo ler**, e não aviso dele",
    );
    expect(told("direct", { unlisted: 3, locale: "en-US" })).toContain("3 pending MEDs");
    expect(told("direct", {})).not.toContain("não consigo ler");
  });
});

describe("a key that was just connected", () => {
  test("comes with the question of consent and two answers", () => {
    const reply = connectedView(facts());
    expect(readMessage(reply)[1]).toContain("Posso postar o seu total de cada dia");
    expect(readMessage(reply).at(-2)).toMatch(/^Relatório diário: Sairia em/);
    expect(readMessage(reply).at(-1)).toBe("Alertas de MED: Vão por mensagem direta.");
    expect(labelsOf(reply)).toEqual(["Pode postar", "Agora não"]);
  });

  test.each([
    [
      "pt-BR",
      "Aparecem o seu nome, o número de vendas, o total vendido, as taxas, o líquido e um gráfico das duas últimas semanas, inclusive de dias anteriores ao seu aceite. Quem vê o canal vê isso. Na segunda e no dia 1º sai também a soma da semana ou do mês de quem aceitou, com taxas, líquido, melhor e pior dia e um gráfico de cada dia do período e do anterior.",
    ],
    [
      "en-US",
      "Your name, the number of sales, the total sold, the fees, the net and a chart of the last two weeks are posted, including days before you agree. Whoever sees the channel sees them. On Mondays and on the 1st the week's or month's sum of those who agreed is posted too, with fees, net, best and worst day and a chart of each day of the period and of the one before.",
    ],
  ] as const)("is asked about in %s with all that the channel will show", (locale, shown) => {
    expect(readMessage(connectedView({ ...facts(), locale }))[1]).toContain(shown);
  });

  test("is not asked about a channel that the server does not have yet", () => {
    const reply = connectedView(facts({}, null));
    expect(readMessage(reply).join("\n")).not.toContain("Posso postar");
    expect(readMessage(reply).at(-2)).toMatch(/ainda não escolheu um canal\. Quando escolher/);
    expect(labelsOf(reply)).toEqual([]);
  });

  test.each(["pt-BR", "en-US"] as const)(
    "with alerts that did not arrive names, in %s, the command whose menus choose their channel",
    (locale) => {
      const told = readMessage(connectedView({ ...facts(), undelivered: 1, locale })).at(-1);
      expect(told).toContain("`/conta ver`");
      expect(told).not.toMatch(/abaixo|below/);
    },
  );

  test("asks nothing again of who had agreed", () => {
    expect(connectedView(facts({ reportConsent: true }))).toEqual(
      accountView(facts({ reportConsent: true })),
    );
  });

  test("shows an admin no more than its end, and asks nothing", () => {
    const reply = connectedForView(sampleAccount({ connectedBy: "119" }), "pt-BR");
    expect(readMessage(reply).at(-1)).toBe("Chave: `…9x2z`");
    expect(labelsOf(reply)).toEqual([]);
  });
});

test("deleting a key is asked first, with what goes and what stays", () => {
  const losses = {
    proofs: 0,
    pixKeys: 0,
    alertChoice: false,
    alertsEnd: false,
    disputes: 0,
    dueAt: undefined,
    charges: 0,
    webhook: false,
    goal: undefined,
    directGoesOn: false,
    saleNotices: false,
  };
  const ask = (given: Partial<ConnectionLosses> = {}, locale: Locale = "pt-BR") =>
    disconnectHereQuestion({
      account: sampleAccount(),
      questionId: "0123456789",
      unfinished: undefined,
      losses: { ...losses, ...given },
      isAnew: false,
      locale,
    });
  expect(readMessage(ask())[1]).toMatch(/relatórios que ainda não saíram[\s\S]*até você revogá-la/);
  expect(readMessage(ask())).toHaveLength(3);
  expect(labelsOf(ask())).toEqual(["Apagar a chave", "Só trocar a chave", "Manter"]);
  const much = {
    proofs: 3,
    pixKeys: 2,
    alertChoice: true,
    alertsEnd: true,
    disputes: 2,
    dueAt: NOW,
    charges: 2,
    webhook: true,
    goal: cents(1_500_00),
    directGoesOn: true,
    saleNotices: true,
  };
  expect(readMessage(ask(much)).at(-1)).toBe(
    "Também se perde: **3 provas** guardadas: baixe antes, porque não há volta\n" +
      "**2 chaves PIX** que você guardou ou usou, que voltam a contar como novas\n" +
      "os alertas de **2 MEDs** sem resposta; o primeiro tem prazo até <t:1795197600:d> <t:1795197600:t> (<t:1795197600:R>)\n" +
      "os **alertas de MED** desta conta: nos seus outros servidores eles estão desligados ou a chave foi recusada; para continuar, use `/conta ver` lá\n" +
      "**2 cobranças em aberto**: os códigos continuam valendo, mas não aviso mais se forem pagos\n" +
      "o seu **endereço de aviso**: se conectar de novo, peça outro com `/conta webhook` e cadastre no serviço\n" +
      "a sua **meta do mês**, de R$ 1.500,00\n" +
      "a sua escolha de onde saem os alertas de MED\n" +
      "os **avisos de venda** que você ligou: com uma chave conectada, ligue de novo em `/conta ver`",
  );
  expect(labelsOf(ask(much)).at(-1)).toBe("Baixar minhas provas");
  const one = { proofs: 1, pixKeys: 1, disputes: 1, dueAt: NOW, charges: 1, goal: cents(1_500_00) };
  expect(readMessage(ask(one, "en-US")).at(-1)).toMatch(
    /1 piece of evidence\*[^]*1 PIX key\*\* that you saved or used[^]*1 MED\*[^]*1 open charge\*[^]*R\$ 1,500\.00/,
  );
  expect(brokenLimits(ask(much))).toEqual([]);
  expect(disconnectedView(true, "pt-BR").components).toEqual([]);
});

test.each(["pt-BR", "en-US"] as const)("everything about a connection in %s fits", (locale) => {
  const given = { ...facts({ pausedAt: NOW, ownerVerified: false, connectedBy: "119" }), locale };
  for (const reply of [accountView(given), connectedView(given), disconnectedView(true, locale)])
    expect(brokenLimits(reply)).toEqual([]);
  expect(brokenModalLimits(connectModal("a:b:", "api_key", locale))).toEqual([]);
});
