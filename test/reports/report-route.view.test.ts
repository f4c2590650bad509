import { describe, expect, test } from "vitest";
import { reportRouteView, testOutcomeView } from "#src/reports/report-route.view.ts";
import { NOW, sampleRoute } from "../support/samples.ts";
import { brokenLimits } from "../ui/message-limits.ts";
import { menusOf, readMessage } from "../ui/read-message.ts";

const view = (
  route: Parameters<typeof sampleRoute>[0] = {},
  saved = false,
  settledDay?: Temporal.PlainDate,
  now = NOW,
  agreedAt?: Temporal.Instant,
) =>
  reportRouteView({
    route: sampleRoute(route),
    audience: { connected: 3, consenting: 2, settledDay, agreedAt, onHold: undefined },
    closes: { week: true, month: true },
    now,
    saved,
    locale: "pt-BR",
  });

test("a server without closes, and in which no seller agreed yet, is told so", () => {
  const facts = { route: sampleRoute(), now: NOW, saved: false };
  const audience = { connected: 1, consenting: 0, settledDay: undefined, onHold: undefined };
  const off = { ...facts, audience, closes: { week: false, month: false } };
  const text = readMessage(reportRouteView({ ...off, locale: "pt-BR" }));
  expect(text).toContain("Vendedores: Nenhum aceitou ainda, de 1 conectado");
  expect(text).toContain("Fechamentos da semana e do mês: desligados");
  expect(text.at(-1)).toBe("Próximo relatório: Começa quando um vendedor aceitar em `/conta ver`.");
  const english = readMessage(reportRouteView({ ...off, locale: "en-US" }));
  expect(english).toContain("Weekly and monthly closes: off");
  expect(english.at(-1)).toBe("Next report: Starts once a seller agrees in `/conta ver`.");
});

test.each([
  [
    "pt-BR",
    "refused",
    "Próximo relatório: Parado: o serviço recusa a chave de quem aceitou o relatório.",
  ],
  [
    "en-US",
    "refused",
    "Next report: On hold: the service refuses the key of everyone who agreed to the report.",
  ],
  ["pt-BR", "left", "Próximo relatório: Parado: quem aceitou o relatório saiu do servidor."],
  ["en-US", "left", "Next report: On hold: everyone who agreed to the report has left the server."],
] as const)("no report is promised in %s where nobody is in one: %s", (locale, onHold, said) => {
  const audience = { connected: 3, consenting: 2, settledDay: undefined, onHold };
  const closes = { week: true, month: true };
  const facts = { route: sampleRoute(), audience, closes, now: NOW, saved: false, locale };
  expect(readMessage(reportRouteView(facts)).at(-1)).toBe(said);
});

describe("what is set for the report", () => {
  test("names the channel, the hour, the next report, and who is in it", () => {
    expect(readMessage(view())).toEqual([
      "Relatório diário",
      "Quem vê o canal vê os totais de cada vendedor que aceitou. Cada um decide por si, com `/conta ver`: no canal, por mensagem direta ou nenhum.",
      "Canal: <#1180000000000000102>",
      "Horário: 21:05",
      "Fuso: horário de Brasília",
      "Situação: Ligado",
      "Vendedores: 2 aceitaram, de 3 conectados",
      "Fechamentos da semana e do mês: semana (segunda) · mês (dia 1º)",
      "Próximo relatório: <t:1795219500:d> <t:1795219500:t> (<t:1795219500:R>), com as vendas de 20/11/2026 (das 21:00 de 19/11 às 21:00 de 20/11, horário de Brasília)",
    ]);
  });

  test("promises no report of a day that is settled, and says so", () => {
    const shown = (settledDay: string) => {
      const settled = Temporal.PlainDate.from(settledDay);
      const late = { time: Temporal.PlainTime.from("22:00") };
      return readMessage(view(late, true, settled, Temporal.Instant.from("2026-11-21T00:10Z"))).at(
        -1,
      );
    };
    expect(shown("2026-11-20")).toMatch(
      /^Próximo relatório: O dia 20\/11\/2026 já foi fechado: não sai outro relatório dele\.\n<t:1795309200:d> <t:1795309200:t> .*com as vendas de 21\/11\/2026/,
    );
    expect(shown("2026-11-19")).toMatch(
      /^Próximo relatório: <t:1795222800:d> <t:1795222800:t> .*de 20\/11\/2026/,
    );
  });

  test("names a day whose hour is past with the new setting, because its report goes out at once", () => {
    const active = Temporal.Instant.from("2026-11-19T12:00Z");
    const shown = (
      time: string,
      settledDay: string | undefined,
      isSaved = true,
      since = active,
      agreedAt = active,
    ) =>
      readMessage(
        view(
          { time: Temporal.PlainTime.from(time), activeSince: since },
          isSaved,
          settledDay === undefined ? undefined : Temporal.PlainDate.from(settledDay),
          Temporal.Instant.from("2026-11-21T01:00Z"),
          agreedAt,
        ),
      ).at(-1);
    for (const settledDay of ["2026-11-19", undefined])
      expect(shown("21:30", settledDay)).toMatch(
        /^Próximo relatório: O de 20\/11\/2026 sai em instantes\.\n<t:1795307400:d> .*com as vendas de 21\/11\/2026/,
      );
    const now = Temporal.Instant.from("2026-11-21T00:59Z");
    for (const other of [
      shown("21:30", "2026-11-20"),
      shown("21:30", "2026-11-19", false),
      shown("21:30", "2026-11-19", true, now),
      shown("21:30", "2026-11-19", true, active, now),
      shown("22:30", "2026-11-19"),
    ])
      expect(other).not.toContain("em instantes");
  });

  test("promises the report of a past hour only for a day with sales where others get no post", () => {
    const past = { time: Temporal.PlainTime.from("21:30"), emptyChoice: "skip" } as const;
    const activeSince = Temporal.Instant.from("2026-11-19T12:00Z");
    const now = Temporal.Instant.from("2026-11-21T01:00Z");
    expect(readMessage(view({ ...past, activeSince }, true, undefined, now)).at(-1)).toContain(
      "O de 20/11/2026 sai em instantes, se o dia teve vendas.",
    );
  });

  test("warns of an hour at which the day is still open", () => {
    expect(readMessage(view({ time: Temporal.PlainTime.from("08:00") }))[1]).toContain(
      "nesse fuso o dia do serviço fecha às 21:00. Às 08:00 sai o último dia completo",
    );
  });

  test("says when the report waits for the day to be counted", () => {
    expect(readMessage(view({ time: Temporal.PlainTime.from("21:00") }))[1]).toContain(
      "sai às 21:05",
    );
  });

  test.each([
    [{ active: false }, "Desligado"],
    [{ suspendedAt: NOW }, "Parado desde"],
  ])("of %j promises no next report", (route, state) => {
    const text = readMessage(view(route)).join("\n");
    expect(text).toContain(`Situação: ${state}`);
    expect(text).not.toContain("Próximo relatório");
  });

  test("offers the three choices for a day without sales, the current one chosen", () => {
    const menu = menusOf(view({ emptyChoice: "skip" })).at(-1);
    expect(menu?.custom_id).toBe("config:vazio:");
    expect(menu?.options.map((option) => [option.value, option.label, option.default])).toEqual([
      ["send", "Dia sem vendas: postar o relatório zerado", false],
      ["line", "Dia sem vendas: postar uma linha", false],
      ["skip", "Dia sem vendas: não postar nada", true],
    ]);
  });

  test("says that it was saved when it was", () => {
    expect(readMessage(view({}, true))[0]).toBe("Relatório diário salvo");
  });
});

test.each([
  ["posted", "Teste enviado"],
  ["lost_channel", "Não consegui enviar"],
  ["waiting", "Teste na fila"],
  ["unclear", "Não sei se o teste chegou"],
] as const)("a test that ended %s is told as %j", (result, title) => {
  const reply = testOutcomeView(result, "118", "pt-BR");
  expect(readMessage(reply)[0]).toBe(title);
  expect(readMessage(reply)[1]).toContain("<#118>");
  expect(brokenLimits(reply)).toEqual([]);
});
