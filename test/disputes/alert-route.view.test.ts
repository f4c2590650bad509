import { describe, expect, test } from "vitest";
import { type AlertRoute, alertSteps } from "#src/disputes/dispute-alert.ts";
import type { Locale } from "#src/shared/locale.ts";
import { alertRouteView, quietChoices, quietOf } from "#src/disputes/alert-route.view.ts";
import { NOW } from "../support/samples.ts";
import { sampleAlertRoute } from "./dispute-samples.ts";
import { brokenLimits } from "../ui/message-limits.ts";
import { labelsOf, menusOf, readMessage } from "../ui/read-message.ts";

const view = (given: Partial<AlertRoute> = {}, saved = true, locale: Locale = "pt-BR") =>
  alertRouteView({ route: sampleAlertRoute(given), saved, locale });
const read = (...given: Parameters<typeof view>) => readMessage(view(...given));

describe("where a guild's alerts go", () => {
  test("is told with whom they ping, when they wait and who else sees them", () => {
    expect(read()).toEqual([
      "Alertas de MED salvos",
      "No canal aparecem só o vendedor (que é mencionado), o código da infração, os valores, o prazo e a situação do MED. Cada vendedor escolhe com `/conta ver` se os alertas dele vêm para cá, vão por mensagem direta ou não saem.",
      "Canal: <#1180000000000000102>",
      "Situação: Ligados",
      "Cargo mencionado: <@&1180000000000000301>\nO Discord só menciona um cargo que qualquer pessoa pode mencionar: isso fica nas configurações do cargo.",
      "Alertas que mencionam o cargo: MED novo · 6 horas antes · 1 hora antes",
      "Horas de silêncio: das 22:00 às 07:00 (horário de Brasília; o fuso é o do relatório do servidor), também para os alertas por mensagem direta. Saem mesmo assim os alertas de 6 horas e de 1 hora antes, um MED novo com menos de 24 horas de prazo e o aviso de MEDs que não consigo ler",
      "Consulta ao serviço no silêncio: a cada 5 minutos",
    ]);
    expect(read({}, false)[0]).toBe("Alertas de MED");
  });

  test.each([
    [{ active: false }, "Desligados: os alertas vão por mensagem direta."],
    [
      { suspendedAt: NOW },
      "Parados desde <t:1795197600:d> <t:1795197600:t>: não consigo postar no canal",
    ],
    [{ roleId: undefined }, "nenhum. Para escolher, use o menu abaixo."],
    [{ pingSteps: [] }, "Alertas que mencionam o cargo: nenhum"],
    [{ timeZone: "America/Manaus" }, "das 22:00 às 07:00 (America/Manaus;"],
    [{ slowNights: true }, "Consulta ao serviço no silêncio: a cada 15 minutos"],
    [{ quiet: undefined }, "Horas de silêncio: nenhuma"],
  ])("with %j says so", (given, words) => {
    expect(read(given).join("\n")).toContain(words);
  });

  test.each([
    ["pt-BR", "só com o canal ligado: desligado, os alertas saem a qualquer hora"],
    ["en-US", "only while the channel is on: while it is off, alerts are sent at any hour"],
  ] as const)("says in %s that quiet hours hold nothing while it is off", (locale, words) => {
    const off = read({ active: false }, true, locale).join("\n");
    expect(off).toContain(words);
    expect(off).not.toMatch(/também para os alertas|also for alerts/);
    expect(read({ suspendedAt: NOW }, true, locale).join("\n")).not.toContain(words);
  });

  test("offers to take back only what is there", () => {
    const labels = (given: Partial<AlertRoute>) => labelsOf(view(given));
    expect(labels({})).toEqual(["Desligar", "Tirar o cargo", "Consultar menos no silêncio"]);
    expect(labels({ roleId: undefined, slowNights: true })).toEqual([
      "Desligar",
      "Consultar igual no silêncio",
    ]);
    expect(labels({ quiet: undefined })).toEqual(["Desligar", "Tirar o cargo"]);
    expect(labels({ roleId: undefined, quiet: undefined })).toEqual(["Desligar"]);
  });

  test("marks in its menus what is chosen", () => {
    const marked = (given: Partial<AlertRoute>) =>
      menusOf(view(given)).map(({ options }) =>
        options.filter((each) => each.default).map(({ value }) => value),
      );
    expect(marked({})).toEqual([["new", "6h", "1h"], ["22:00-07:00"]]);
    expect(marked({ roleId: undefined, quiet: undefined })).toEqual([["nenhuma"]]);
    const unusual = {
      from: Temporal.PlainTime.from("20:15"),
      to: Temporal.PlainTime.from("05:45"),
    };
    expect(marked({ quiet: unusual })[1]).toEqual([]);
    expect(read({ quiet: unusual }).join("\n")).toContain("das 20:15 às 05:45");
  });

  test.each(["pt-BR", "en-US"] as const)("fits in %s, whatever is set", (locale) => {
    for (const roleId of [undefined, "1180000000000000301"])
      for (const suspendedAt of [undefined, NOW])
        for (const choice of quietChoices) {
          const given = { roleId, suspendedAt, quiet: quietOf(choice), pingSteps: alertSteps };
          expect(brokenLimits(view(given, true, locale))).toEqual([]);
        }
  });
});

test("a choice of quiet hours means the hours that it names", () => {
  expect(quietOf("22:00-07:00")).toMatchObject({
    from: Temporal.PlainTime.from("22:00"),
    to: Temporal.PlainTime.from("07:00"),
  });
  expect(quietOf("nenhuma")).toBeUndefined();
  expect(quietOf(undefined)).toBeUndefined();
});
