import { describe, expect, test } from "vitest";
import { UserError, WalletError } from "#src/shared/errors.ts";
import { errorReply } from "#src/help/error.view.ts";
import type { Reply } from "#src/ui/reply.ts";
import {
  ANA,
  ANA_KEY,
  BRUNO,
  connect,
  disconnect,
  openGuild,
  OTHER_GUILD,
} from "../support/guild.ts";
import { noActivity, quietCloseFigures } from "../closes/close-samples.ts";
import { listFacts } from "../disputes/dispute-samples.ts";
import { mistakeIn } from "../support/mistake-in.ts";
import { sampleReport, sold } from "../support/samples.ts";
import { buttonsOf, labelsOf, menusOf, readMessage } from "../ui/read-message.ts";
import { INVOCATION, openCommands, routeOf } from "./command-stage.ts";

const connected = async () => {
  const guild = await openGuild();
  const ana = guild.person(ANA);
  await connect(ana, ANA_KEY);
  guild.wallet.report = async (_, day) =>
    sampleReport(sold(1, 100, 6), sold(0, 0, 0), day.toString());
  const vendas = async (data?: string) =>
    readMessage(await ana.command("vendas", data === undefined ? {} : { string: { data } }));
  return { ...guild, ana, vendas };
};

test.each([
  [undefined, "Vendas de sexta, 20/11"],
  ["1/3/26", "Vendas de domingo, 01/03"],
  ["semana", "Vendas de 16/11 a 20/11"],
])("/vendas data:%s shows that day", async (data, title) => {
  const { vendas } = await connected();
  expect((await vendas(data))[0]).toBe(title);
});

/** Figures of 12/11, 13/11, 18/11 and 19/11 are kept; `asked` lists the days that are read from now on. */
const withKeptDays = async (soldOn: Readonly<Record<string, number>>) => {
  const guild = await connected();
  const asked: string[] = [];
  guild.wallet.report = async (_, day) => {
    asked.push(day.toString());
    const amount = soldOn[day.toString()] ?? 0;
    const origin = sold(amount === 0 ? 0 : 2, amount, amount * 0.06);
    return sampleReport(origin, sold(0, 0, 0), day.toString());
  };
  for (const day of ["12/11", "13/11", "18/11", "19/11"]) await guild.vendas(day);
  // A person's answer waits for no figures to be kept.
  await new Promise((resolve) => setImmediate(resolve));
  asked.length = 0;
  return { ...guild, asked };
};

describe("/vendas of a day", () => {
  test("that is closed says how it was against the day and the week before, by one request", async () => {
    const soldOn = { "2026-11-19": 11_200, "2026-11-18": 10_000, "2026-11-12": 20_000 };
    const { vendas, asked } = await withKeptDays(soldOn);
    expect((await vendas("ontem"))[1]?.split("\n")).toEqual([
      "**R$ 112,00** em 2 vendas · líquido **R$ 105,28**",
      "▲ 12% que no dia 18/11 · ▼ 44% que na quinta anterior",
      "Ticket médio R$ 56,00 · taxas R$ 6,72 (6,00%)",
      "API R$ 112,00 (2 vendas)",
      "-# das 21:00 de 18/11 às 21:00 de 19/11 (Brasília) · estornos posteriores descontam",
    ]);
    expect(asked).toEqual(["2026-11-19"]);
  });

  test("has no change from a day without sales, and never a hundred per cent", async () => {
    const { vendas } = await withKeptDays({ "2026-11-19": 100, "2026-11-12": 100 });
    const [, text] = await vendas("ontem");
    expect(text).toContain(
      "— (sem vendas no dia 18/11) · = praticamente o mesmo que na quinta anterior",
    );
  });

  test("leaves out the comparison with days that are not kept, and reads none for it", async () => {
    const { vendas, asked } = await withKeptDays({ "2026-11-17": 100 });
    const [, text] = await vendas("17/11");
    expect(text).not.toMatch(/que no dia|passada|ainda não li|—/);
    expect(asked).toEqual(["2026-11-17"]);
  });

  test("that is open is compared with no whole day, and says until when it is open", async () => {
    const { vendas, asked } = await withKeptDays({ "2026-11-20": 100, "2026-11-19": 200 });
    const [, text] = await vendas();
    expect(text).toMatch(/^\*\*R\$ 1,00\*\* em 2 vendas · líquido/);
    expect(text).toContain("O dia 20/11 está aberto até <t:1795219200:t>");
    expect(text).not.toMatch(/[▲▼=]/);
    expect(asked).toEqual(["2026-11-20"]);
  });

  test("turns to the days beside it, to week, month, files and Brasília's day", async () => {
    const { ana, person } = await connected();
    const shown = (await ana.command("vendas", { string: { data: "ontem" } })) as Reply;
    const turning = labelsOf(shown).filter((label) => label !== "Atualizar");
    expect(turning).toEqual([
      "◀ qua 18/11",
      "sex 20/11 ▶",
      "7 dias",
      "Mês",
      "Arquivo",
      "Dia de Brasília",
    ]);
    const buttons = buttonsOf(shown);
    const before = (await ana.act(buttons["◀ qua 18/11"] ?? "")) as Reply;
    expect(readMessage(before)[0]).toBe("Vendas de quarta, 18/11");
    expect(buttons["Arquivo"]).toBe("vendas:arquivo:2026-11-19/2026-11-19");
    const brasilia = buttons["Dia de Brasília"] ?? "";
    expect(await mistakeIn(person(BRUNO).act(brasilia))).toBe("not_connected");
  });
});

describe("/vendas between 21:00 and midnight in Brasília", () => {
  const soldOn = { "2026-11-20": 11_200, "2026-11-19": 10_000, "2026-11-13": 20_000 };
  const atNight = async (figures: Readonly<Record<string, number>> = soldOn) => {
    const guild = await withKeptDays(figures);
    guild.clock.moveBy(6 * 3_600_000 + 10 * 60_000);
    return guild;
  };

  test.each([undefined, "Hoje"])(
    "data:%s compares the day that closed, and beside it says what was sold since",
    async (data) => {
      const { vendas, asked } = await atNight({ ...soldOn, "2026-11-21": 500 });
      const [title, text] = await vendas(data);
      expect(title).toBe("Vendas de sexta, 20/11");
      expect(text?.split("\n")).toEqual([
        "**R$ 112,00** em 2 vendas · líquido **R$ 105,28**",
        "▲ 12% que no dia 19/11 · ▼ 44% que na sexta anterior",
        "Ticket médio R$ 56,00 · taxas R$ 6,72 (6,00%)",
        "API R$ 112,00 (2 vendas)",
        "Desde as 21:00: **R$ 5,00** em 2 vendas",
        "-# das 21:00 de 19/11 às 21:00 de 20/11 (Brasília) · estornos posteriores descontam",
      ]);
      expect(asked).toEqual(["2026-11-20", "2026-11-21"]);
    },
  );

  test.each([
    ["ontem", "Vendas de quinta, 19/11", "2026-11-19"],
    ["20/11/2026", "Vendas de sexta, 20/11", "2026-11-20"],
    ["21/11", "Vendas de sábado, 21/11", "2026-11-21"],
    ["21/11/2026", "Vendas de sábado, 21/11", "2026-11-21"],
  ])("data:%s is what people call so there, alone", async (data, title, day) => {
    const { vendas, asked } = await atNight();
    const [shown, text] = await vendas(data);
    expect(shown).toBe(title);
    expect(text).not.toContain("Desde as 21:00");
    expect(asked).toEqual([day]);
  });

  test("has a button for either day", async () => {
    const { ana } = await atNight();
    const shown = (await ana.command("vendas")) as Reply;
    expect(labelsOf(shown)).toEqual([
      "◀ qui 19/11",
      "sáb 21/11 ▶",
      "7 dias",
      "Mês",
      "Atualizar",
      "Arquivo",
      "Dia de Brasília",
    ]);
    const open = (await ana.act(buttonsOf(shown)["sáb 21/11 ▶"] ?? "")) as Reply;
    expect(readMessage(open)[0]).toBe("Vendas de sábado, 21/11");
    const closed = (await ana.act(buttonsOf(open)["◀ sex 20/11"] ?? "")) as Reply;
    expect(readMessage(closed)[0]).toBe("Vendas de sexta, 20/11");
    // The day that people call today.
    for (const each of [shown, closed])
      expect(buttonsOf(each)["Dia de Brasília"]).toBe("vendas:brasilia:20/11/2026");
  });

  test("refuses the day of Brasília that begins at midnight", async () => {
    const { ana } = await atNight();
    expect(await mistakeIn(ana.act("vendas:brasilia:21/11/2026"))).toBe("future_date");
  });

  test("compares nothing while the service may still count sales of the closed day", async () => {
    const { vendas, clock } = await atNight();
    clock.moveBy(-8 * 60_000);
    const [, text] = await vendas();
    expect(text).toContain("**R$ 112,00**");
    expect(text).not.toMatch(/[▲▼—]|ainda não li/);
  });

  test("says when neither day has sales", async () => {
    const { vendas } = await atNight({});
    expect((await vendas())[1]).toMatch(
      /^Nenhuma venda aprovada\.\n[^]*Desde as 21:00: nenhuma venda\./,
    );
  });
});

test("/vendas speaks the person's language, not the guild's", async () => {
  const { person } = await connected();
  const answer = await person(ANA, { locale: "en-US" }).command("vendas");
  expect(readMessage(answer)[0]).toBe("Sales: Friday, Nov 20");
});

test.each([
  ["32/01/2026", "invalid_date"],
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
    const back = buttonsOf(week)["◀ 07/11 a 13/11"] ?? "";
    for (const id of [back, "vendas:brasilia:2026-11-19"]) expect(routeOf(id).mode).toBe("update");
    const before = (await ana.act(back)) as Reply;
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

  test("comes before data where both are given, and says so", async () => {
    const { ana, person } = await connected();
    const both = { string: { periodo: "ontem", data: "hoje" } };
    const shown = (await ana.command("vendas", both)) as Reply;
    expect(readMessage(shown)[0]).toBe("Vendas de quinta, 19/11");
    expect(shown.content).toBe("Usei o `periodo`; a `data` ficou de fora.");
    const inEnglish = person(ANA, { locale: "en-US" }).command("vendas", both);
    expect(await inEnglish).toMatchObject({ content: "I used `period` and left `date` out." });
  });

  test("that is none asks nothing of the service and says what is wrong", async () => {
    const { ana, wallet } = await connected();
    wallet.report = async () => {
      throw new Error("The service was asked");
    };
    const typed = ana.command("vendas", { string: { periodo: "90 dias" } });
    for (const asked of [typed, ana.act("vendas:periodo:90 dias")])
      expect(await mistakeIn(asked)).toBe("period_too_long");
  });
});

test("days and periods are suggested in the direct message also to who has several accounts", async () => {
  const { person, wallet } = await openGuild();
  await connect(person(ANA), ANA_KEY);
  wallet.report = async () => ({ ...sampleReport(), userId: "another-account" });
  await connect(person(ANA, { guildId: OTHER_GUILD }), `${ANA_KEY}2`);
  const ana = person(ANA, { guildId: "" });
  for (const [name, option] of [
    ["vendas", "data"],
    ["vendas", "periodo"],
    ["transacoes", "periodo"],
  ] as const)
    expect(await ana.type(name, option, "")).toEqual(await person(ANA).type(name, option, ""));
});

test.each([
  ["pt-BR", "-# Resposta da conta com a chave `…7892`."],
  ["en-US", "-# Answered from the account with key `…7892`."],
] as const)(
  "a button of a direct report names the key where only another account is left: %s",
  async (locale, line) => {
    const guild = await connected();
    await disconnect(guild.services);
    guild.wallet.report = async () => ({ ...sampleReport(), userId: "another-account" });
    await connect(guild.person(ANA, { guildId: OTHER_GUILD }), `${ANA_KEY}2`);
    const there = guild.person(ANA, { guildId: "", locale });
    expect(((await there.act("vendas:semana:19/11/2026")) as Reply).content).toBe(line);
    const { content } = (await guild
      .person(ANA, { guildId: OTHER_GUILD, locale })
      .act("vendas:semana:19/11/2026")) as Reply;
    expect(content).toBeUndefined();
  },
);

describe("Ver o meu of a direct report, while MEDs wait", () => {
  const press = async (button: string, walletUser: string) => {
    const guild = await connected();
    guild.wallet.report = async () => ({ ...sampleReport(), userId: walletUser });
    // The oldest connection is named first.
    guild.clock.moveBy(1_000);
    await connect(guild.person(ANA, { guildId: OTHER_GUILD }), `${ANA_KEY}2`);
    const disputes = { ...guild.services.disputes, overview: async () => listFacts() };
    const unread = new WalletError({ kind: "timeout", method: "GET", route: "/balance" });
    const balance = { read: () => Promise.reject(unread) };
    Object.assign(guild.services, { disputes, balance });
    return (await guild.person(ANA, { guildId: "" }).act(button)) as Reply;
  };

  test("names all keys of the account above them", async () => {
    const { content } = await press("vendas:meu:19/11/2026", ANA);
    expect(content?.split("\n")).toEqual([
      "-# Resposta da conta com as chaves `…6789` e `…7892`.",
      expect.stringContaining("/meds"),
    ]);
  });

  test("names the chosen key above them", async () => {
    const { content } = await press(`${OTHER_GUILD}/vendas:meu:19/11/2026`, "another-account");
    expect(content?.split("\n")).toEqual([
      "-# Resposta da conta com a chave `…7892`.",
      expect.stringContaining("/meds"),
    ]);
  });
});

test("a period says that data was left out below the key that was chosen", async () => {
  const guild = await connected();
  guild.wallet.report = async () => ({ ...sampleReport(), userId: "another-account" });
  await connect(guild.person(ANA, { guildId: OTHER_GUILD }), `${ANA_KEY}2`);
  const there = guild.person(ANA, { guildId: "" });
  const both = there.command("vendas", { string: { periodo: "7 dias", data: "ontem" } });
  const asked = await both.catch((error: UserError) => errorReply(error, "pt-BR", "R"));
  const [menu] = menusOf(asked as Reply);
  const shown = (await there.act(menu?.custom_id ?? "", { values: [OTHER_GUILD] })) as Reply;
  expect(shown.content?.split("\n")).toEqual([
    "-# Resposta da conta com a chave `…7892`.",
    "Usei o `periodo`; a `data` ficou de fora.",
  ]);
});

test("Ver o meu of a direct close names the key of the account that answers", async () => {
  const account = { guildId: OTHER_GUILD, watchId: "W2", keyLast4: "7892" };
  const own = { activity: noActivity, asked: [], tooOld: [], isKeyRefused: false };
  const { act } = openCommands(() => ({
    accounts: { accountsOf: async () => [account], guildOf: async () => OTHER_GUILD },
    closes: { own: async () => ({ ...own, figures: quietCloseFigures() }) },
  }));
  const there = { ...INVOCATION, guildId: "" };
  const shown = (await act("fechamento:meu:week:2026-11-16:2026-11-22", {}, there)) as Reply;
  expect(shown.content).toBe("-# Resposta da conta com a chave `…7892`.");
});

test("a key that a lost line of the ring sealed is asked for again, by a button and for good", async () => {
  const { ana, db, person, vendas } = await connected();
  await db.updateTable("account").set({ api_key: "v1.lost.key", api_key_kid: "lost" }).execute();
  expect(await mistakeIn(vendas())).toBe("key_unreadable");
  const account = await ana.command("conta ver");
  expect(readMessage(account)[0]).toBe("Não consigo mais ler a sua chave");
  expect(readMessage(account).join("\n")).toContain("Sem MEDs novos até a chave voltar.");
  expect(labelsOf(account as Reply)).toEqual(["Conectar minha chave"]);
  const all = readMessage(await person(ANA, { guildId: "" }).command("conta ver")).join("\n");
  expect(all).toContain("Não consigo mais ler a sua chave");
  const refusal = errorReply(new UserError({ kind: "key_unreadable" }), "pt-BR", "R");
  expect(Object.values(buttonsOf(refusal))).toEqual(["conta:formulario:"]);
  await connect(ana, ANA_KEY);
  expect((await vendas())[0]).toBe("Vendas de sexta, 20/11");
});
