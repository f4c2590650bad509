import { describe, expect, test } from "vitest";
import type { Reply } from "#src/ui/reply.ts";
import { ANA, ANA_KEY, BRUNO, connect, openGuild } from "../support/guild.ts";
import { mistakeIn } from "../support/mistake-in.ts";
import { sampleReport, sold } from "../support/samples.ts";
import { buttonsOf, labelsOf, readMessage } from "../ui/read-message.ts";

const connected = async () => {
  const guild = await openGuild();
  const ana = guild.person(ANA);
  await connect(ana, ANA_KEY);
  guild.wallet.report = async (_, day) =>
    sampleReport(sold(1, 100, 6), sold(0, 0, 0), day.toString());
  const vendas = async (data?: string) =>
    readMessage(
      (await ana.command("vendas", data === undefined ? {} : { string: { data } })) as Reply,
    );
  return { ...guild, ana, vendas };
};

test.each([
  [undefined, "Vendas de 20/11/2026"],
  ["ontem", "Vendas de 19/11/2026"],
  ["1/3/26", "Vendas de 01/03/2026"],
  ["19/11", "Vendas de 19/11/2026"],
  ["2026-11-19", "Vendas de 19/11/2026"],
  ["anteontem", "Vendas de 18/11/2026"],
  ["semana", "Vendas de 16/11 a 20/11"],
])("/vendas data:%s shows that day", async (data, title) => {
  const { vendas } = await connected();
  expect((await vendas(data))[0]).toBe(title);
});

describe("/vendas between 21:00 and midnight in Brasília", () => {
  const atNight = async () => {
    const guild = await connected();
    guild.clock.moveBy(6 * 3_600_000);
    return guild;
  };

  test.each([undefined, "hoje", "21/11/2026"])(
    "data:%s shows the day that has just begun, and with what the last one closed",
    async (data) => {
      const { vendas } = await atNight();
      const [title, period] = await vendas(data);
      expect(title).toBe("Vendas desde as 21h");
      expect(period).toMatch(/^O dia 20\/11 fechou às 21h com \*\*R\$ 1,00\*\* em 1 venda\.\n/);
      expect(period).toMatch(/das 21h de 20\/11 às 21h de 21\/11.*\n\*\*Dia ainda aberto/);
    },
  );

  test.each([
    ["ontem", "Vendas de 19/11/2026"],
    ["20/11/2026", "Vendas de 20/11/2026"],
  ])("data:%s is what people call so there", async (data, title) => {
    const { vendas } = await atNight();
    expect((await vendas(data))[0]).toBe(title);
  });

  test("has a button for either day", async () => {
    const { ana } = await atNight();
    const shown = (await ana.command("vendas")) as Reply;
    expect(labelsOf(shown)).toEqual(["Dia 20/11", "Dia 21/11", "7 dias", "Mês", "Dia de Brasília"]);
    const buttons = buttonsOf(shown);
    const closed = (await ana.act(buttons["Dia 20/11"] ?? "")) as Reply;
    expect(readMessage(closed)[0]).toBe("Vendas de 20/11/2026");
    const open = (await ana.act(buttonsOf(closed)["Dia 21/11"] ?? "")) as Reply;
    expect(readMessage(open)[0]).toBe("Vendas desde as 21h");
    // The day that people call today.
    for (const each of [shown, closed, open])
      expect(buttonsOf(each)["Dia de Brasília"]).toBe("vendas:brasilia:20/11/2026");
  });

  test("refuses the day of Brasília that begins at midnight", async () => {
    const { ana } = await atNight();
    expect(await mistakeIn(ana.act("vendas:brasilia:21/11/2026"))).toBe("future_date");
  });

  test("says when the day closed without sales", async () => {
    const { vendas, wallet } = await atNight();
    wallet.report = async (_, day) => sampleReport(sold(0, 0, 0), sold(0, 0, 0), day.toString());
    expect((await vendas())[1]).toMatch(/^O dia 20\/11 fechou às 21h sem vendas\./);
  });
});

test("/vendas before 21:00 has buttons of periods and of Brasília's day alone", async () => {
  const { ana, person } = await connected();
  const shown = (await ana.command("vendas")) as Reply;
  expect(labelsOf(shown)).toEqual(["7 dias", "Mês", "Dia de Brasília"]);
  const day = buttonsOf(shown)["Dia de Brasília"] ?? "";
  expect(await mistakeIn(person(BRUNO).act(day))).toBe("not_connected");
});

test("/vendas speaks the person's language, not the guild's", async () => {
  const { person } = await connected();
  const answer = await person(ANA, { locale: "en-US" }).command("vendas");
  expect(readMessage(answer as Reply)[0]).toBe("Sales of Nov 20, 2026");
});

test.each([
  ["32/01/2026", "invalid_date"],
  ["@everyone", "invalid_date"],
  ["21/11/2026", "future_date"],
])("/vendas data:%s asks nothing of the service and says what is wrong", async (data, kind) => {
  const { ana, wallet } = await connected();
  wallet.report = async () => {
    throw new Error("The service was asked");
  };
  expect(await mistakeIn(ana.command("vendas", { string: { data } }))).toBe(kind);
});

describe("/vendas periodo", () => {
  test("shows the period with its picture, and its buttons turn the pages in the same message", async () => {
    const { ana } = await connected();
    const week = (await ana.command("vendas", { string: { periodo: "7 dias" } })) as Reply;
    expect(readMessage(week)[0]).toBe("Vendas de 14/11 a 20/11");
    expect(week.files?.map(({ name, contentType }) => [name, contentType])).toEqual([
      ["vendas.png", "image/png"],
    ]);
    expect(labelsOf(week)).toEqual(["◀ 07/11 a 13/11", "7 dias", "Mês", "Atualizar", "Arquivo"]);
    const before = (await ana.act(buttonsOf(week)["◀ 07/11 a 13/11"] ?? "")) as Reply;
    expect(readMessage(before)[0]).toBe("Vendas de 07/11 a 13/11");
    const month = (await ana.act(buttonsOf(before)["Mês"] ?? "")) as Reply;
    expect(readMessage(month)[0]).toBe("Vendas de novembro de 2026");
  });

  test("gives its files by the presser's own account, and for no period that cannot be typed", async () => {
    const { ana, person } = await connected();
    const files = "vendas:arquivo:2026-11-14/2026-11-20";
    expect(await mistakeIn(person(BRUNO).act(files))).toBe("not_connected");
    const long = "vendas:arquivo:2026-01-01/2026-11-20";
    expect(await mistakeIn(ana.act(long))).toBe("period_too_long");
    expect(await mistakeIn(ana.act("vendas:arquivo:@everyone"))).toBe("invalid_period");
  });

  test("comes before data where both are given", async () => {
    const { ana } = await connected();
    const both = { string: { periodo: "ontem", data: "hoje" } };
    expect(readMessage((await ana.command("vendas", both)) as Reply)[0]).toBe(
      "Vendas de quinta, 19/11",
    );
  });

  test.each([
    ["amanhã", "invalid_period"],
    ["90 dias", "period_too_long"],
    ["21/11/2026", "future_date"],
  ])("%s asks nothing of the service and says what is wrong", async (periodo, kind) => {
    const { ana, wallet } = await connected();
    wallet.report = async () => {
      throw new Error("The service was asked");
    };
    expect(await mistakeIn(ana.command("vendas", { string: { periodo } }))).toBe(kind);
    expect(await mistakeIn(ana.act(`vendas:periodo:${periodo}`))).toBe(kind);
  });
});
