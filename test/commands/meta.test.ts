import { expect, test } from "vitest";
import { WalletError } from "#src/shared/errors.ts";
import type { Modal, Reply } from "#src/ui/reply.ts";
import { ANA, ANA_KEY, BRUNO, connect, GUILD, openGuild, OTHER_GUILD } from "../support/guild.ts";
import { brunoKey, noticeTo, savedAccount } from "../database/builders.ts";
import { mistakeIn } from "../support/mistake-in.ts";
import { sampleReport, sold } from "../support/samples.ts";
import { buttonsOf, labelsOf, readMessage } from "../ui/read-message.ts";
import { routeOf } from "./command-stage.ts";

/** Each day sells R$ 100. */
const connected = async () => {
  const guild = await openGuild();
  const ana = guild.person(ANA);
  await connect(ana, ANA_KEY);
  guild.wallet.report = async (_, day) =>
    sampleReport(sold(1, 10_000, 600), sold(0, 0, 0), day.toString());
  /** Nobody waits until what a person's command read is kept. */
  const kept = async (days: number) => {
    const account = await guild.stores.accounts.find(GUILD, ANA);
    const [from, to] = ["2026-10-01", "2026-11-30"].map((day) => Temporal.PlainDate.from(day));
    const count = async () =>
      (await guild.stores.salesDays.between(account?.accountFp ?? "", from!, to!)).length;
    await expect.poll(count).toBe(days);
  };
  const meta = async (string: Record<string, string> = {}) =>
    (await ana.command("meta", { string })) as Reply;
  const text = async (...given: Parameters<typeof meta>) =>
    readMessage(await meta(...given)).join("\n");
  return { ...guild, ana, kept, meta, text };
};

test("/meta sets a goal with what is sold, names the days that are not read, and keeps it", async () => {
  const { text, kept } = await connected();
  const first = await text({ valor: "4.000" });
  await kept(10);
  expect(first).toContain("Meta de novembro");
  expect(first).toContain("**R$ 1.000** de R$ 4.000 (25%) · faltam R$ 3.000 em 11 dias");
  expect(first).toContain("ainda sem 01/11, 02/11, 03/11 e mais 7 dias");
  expect(await text()).toMatch(/faltam R\$ 2\.100 em 11 dias\n.*ainda sem o dia 01\/11/);
  await kept(19);
  const whole = await text();
  expect(whole).toContain("**R$ 2.000** de R$ 4.000 (50%) · faltam R$ 2.000 em 11 dias");
  expect(whole).not.toContain("ainda sem");
});

test("/meta keeps the goal in a new month, which begins at nothing", async () => {
  const { text, clock } = await connected();
  await text({ valor: "4000" });
  clock.moveBy(11 * 24 * 3_600_000);
  const next = await text();
  expect(next).toContain("Meta de dezembro");
  expect(next).toContain("**R$ 100** de R$ 4.000 (2%) · faltam R$ 3.900 em 31 dias");
});

test("/meta without a goal says so, and its button opens the form that sets one", async () => {
  const { ana, meta } = await connected();
  const none = await meta();
  expect(readMessage(none)[0]).toBe("Você ainda não tem uma meta");
  const form = (await ana.act(buttonsOf(none)["Definir a meta"] ?? "")) as Modal;
  expect(form).toMatchObject({ kind: "modal", title: "Meta do mês" });
  expect(routeOf(form.customId).mode).toBe("update");
  const saved = await ana.act(form.customId, { fields: new Map([["valor", "1.234,56"]]) });
  expect(readMessage(saved)[1]).toContain("de R$ 1.234,56");
});

test("/meta is private until its seller says otherwise, and is removed by a button", async () => {
  const { ana, meta, stores } = await connected();
  const account = await stores.accounts.find(GUILD, ANA);
  const shown = async () => (await stores.goals.shown([account?.id ?? ""])).size;
  const first = await meta({ valor: "4000" });
  expect(await shown()).toBe(0);
  const inReport = (await ana.act(buttonsOf(first)["Mostrar no relatório"] ?? "")) as Reply;
  expect(readMessage(inReport)[1]).toContain("Esta meta aparece no relatório do canal");
  expect(await shown()).toBe(1);
  await ana.act(buttonsOf(inReport)["Só para mim"] ?? "");
  expect(await shown()).toBe(0);
  const again = await meta({ mostrar: "servidor" });
  expect(await shown()).toBe(1);
  const removed = (await ana.act(buttonsOf(again)["Tirar a meta"] ?? "")) as Reply;
  expect([readMessage(removed)[0], labelsOf(removed)]).toEqual([
    "Meta removida",
    ["Definir a meta"],
  ]);
  expect([await shown(), readMessage(await meta())[0]]).toEqual([0, "Você ainda não tem uma meta"]);
});

test("/meta shows the kept days while the service is away, and still saves", async () => {
  const { text, kept, wallet, clock } = await connected();
  await text({ valor: "4000" });
  await kept(10);
  clock.moveBy(24 * 3_600_000);
  wallet.report = async () => {
    throw new WalletError({ kind: "unavailable", method: "GET", route: "/v1/sales/report" });
  };
  const read = clock.now().subtract({ hours: 24 });
  const away = await text({ valor: "2000" });
  expect(away).toMatch(/\*\*R\$ \d00\*\* de R\$ 2\.000/);
  expect(away).toContain("ainda sem");
  expect(away.split("\n").at(-1)).toBe(read.toString({ smallestUnit: "millisecond" }));
});

test("/meta takes no sales of today back while the service is away, and says that it is", async () => {
  const { text, kept, wallet, clock } = await connected();
  await text({ valor: "2000" });
  await kept(10);
  await text();
  await kept(19);
  expect(await text()).toContain("Meta batida: **R$ 2.000** de R$ 2.000 (100%)");
  await kept(28);
  clock.moveBy(10 * 60_000);
  wallet.report = async () => {
    throw new WalletError({ kind: "timeout", method: "GET", route: "/v1/sales/report" });
  };
  const away = await text();
  expect(away).toContain("Meta batida: **R$ 2.000** de R$ 2.000 (100%)");
  expect(away).toContain("**O serviço de pagamentos está com problemas:** mostro o que li antes.");
  expect(away).not.toContain("Continuo lendo");
});

test("/meta counts no day with a refund since it was read while the service is away", async () => {
  const { text, kept, wallet, stores, clock } = await connected();
  await text({ valor: "4000" });
  await kept(10);
  const { accountFp } = (await stores.accounts.find(GUILD, ANA))!;
  const [from, to] = ["2026-11-11", "2026-11-19"].map((day) => Temporal.PlainDate.from(day));
  await stores.salesDays.readAgain(accountFp, from!, to!, clock.now());
  wallet.report = async () => {
    throw new WalletError({ kind: "unavailable", method: "GET", route: "/v1/sales/report" });
  };
  expect(await text()).toContain("**R$ 100** de R$ 4.000 (2%)");
});

/** Ana's goal is R$ 4.000 and shown, ten days are kept, and the service refuses her key. */
const refused = async () => {
  const guild = await connected();
  const { meta, kept, stores, wallet, clock } = guild;
  await meta({ valor: "4000", mostrar: "servidor" });
  await kept(10);
  wallet.report = async () => {
    throw new WalletError({ kind: "unauthorized", method: "GET", route: "/v1/sales/report" });
  };
  const { id, accountFp } = (await stores.accounts.find(GUILD, ANA))!;
  await stores.accounts.pause(id, clock.now(), noticeTo(ANA, "paused"));
  const connectBruno = async () => {
    const other = savedAccount({ guildId: GUILD, ownerId: BRUNO, ownerVerified: false });
    expect((await stores.accounts.save(other, brunoKey, ANA)).accountFp).toBe(accountFp);
  };
  return { ...guild, id, connectBruno };
};

test("/meta shows a refused key no days that another owner's key reads", async () => {
  const { text, meta, connectBruno } = await refused();
  expect(await text()).toContain("**R$ 1.000** de R$ 4.000");

  await connectBruno();
  await expect(meta()).rejects.toMatchObject({ kind: "unauthorized" });
});

test("/meta says that its figures are of before while they cannot be read, and dates them", async () => {
  const { meta, clock, id, stores } = await refused();
  const { readAt } = (
    await stores.salesDays.between(
      (await stores.accounts.findById(id))?.accountFp ?? "",
      Temporal.PlainDate.from("2026-11-01"),
      Temporal.PlainDate.from("2026-11-30"),
    )
  )[0]!;
  clock.moveBy(3 * 3_600_000);
  const shown = await meta();
  const lines = readMessage(shown);
  expect(lines[1]).toMatch(
    /^\*\*O serviço recusou a sua chave da API:\*\* mostro o que li antes, ainda sem 01\/11, 02\/11, 03\/11 e mais \d dias\. Ela pode ter sido trocada ou revogada\./,
  );
  expect(lines[1]).not.toContain("Continuo lendo");
  expect(lines.at(-1)).toBe(readAt.toString({ smallestUnit: "millisecond" }));
});

test("/meta saves and hides a goal also for such a key, and says so without the days", async () => {
  const { ana, text, connectBruno, stores, id } = await refused();
  await connectBruno();
  const saved = await text({ valor: "2000" });
  expect(saved).toContain("Sua meta de **R$ 2.000** por mês está guardada.");
  expect(saved).toContain(
    "**O serviço recusou a sua chave da API:** não consigo ler quanto já foi vendido. Ela pode ter sido trocada ou revogada.",
  );
  expect(saved).not.toMatch(/R\$ 1\.000|R\$ 0|Continuo lendo|por dia/);
  const hidden = readMessage(await ana.act("meta:esconder:")).join("\n");
  expect(hidden).toContain("Só você vê esta meta.");
  expect((await stores.goals.shown([id])).size).toBe(0);
});

test("/meta changes nothing by an amount that is none, and says what is wrong", async () => {
  const { ana, meta, stores } = await connected();
  await meta({ valor: "50" });
  for (const [valor, kind] of [
    ["", "goal_unreadable"],
    ["tudo", "goal_unreadable"],
    ["0,00", "goal_too_small"],
  ] as const) {
    expect(await mistakeIn(meta({ valor }))).toBe(kind);
    const form = { fields: new Map([["valor", valor]]) };
    expect(await mistakeIn(ana.act("meta:salvar:", form))).toBe(kind);
  }
  expect((await stores.goals.find(GUILD, ANA))?.amount).toBe(5_000);
});

test("/meta needs a connection, and an amount before it can be shown", async () => {
  const { person, meta } = await connected();
  expect(await mistakeIn(meta({ mostrar: "servidor" }))).toBe("goal_missing");
  const bruno = person(BRUNO);
  for (const string of [{}, { valor: "50" }, { mostrar: "servidor" }] as Record<string, string>[])
    expect(await mistakeIn(bruno.command("meta", { string }))).toBe("not_connected");
});

test("/meta is removed by its button also after its connection", async () => {
  const { person } = await connected();
  expect(readMessage(await person(BRUNO).act("meta:tirar:"))).toEqual([
    "Meta removida",
    "Ela não aparece mais em lugar nenhum. Quando quiser outra, toque no botão.",
  ]);
});

test("/vendas of this month shows the goal, and other periods do not", async () => {
  const { ana, kept, meta } = await connected();
  const of = async (periodo: string) =>
    readMessage(await ana.command("vendas", { string: { periodo } })).join("\n");
  expect(await of("este mês")).not.toContain("Meta");
  await kept(10);
  await meta({ valor: "4000" });
  expect(await of("este mês")).toContain("Meta: **R$ 2.000** de R$ 4.000 (50%) · faltam R$ 2.000");
  expect(await of("mês passado")).not.toContain("Meta");
  expect(await of("7 dias")).not.toContain("Meta");
});

test("/meta in the direct message asks which server is meant of who is back in one that they had left", async () => {
  const { stores, clock, person } = await connected();
  await connect(person(ANA, { guildId: OTHER_GUILD }), ANA_KEY);
  await stores.presences.keep(GUILD, ANA, "left", clock.now(), undefined);
  const set = person(ANA, { guildId: "" }).command("meta", { string: { valor: "40000" } });
  expect(await mistakeIn(set)).toBe("several_servers");
  expect(await stores.goals.find(OTHER_GUILD, ANA)).toBeUndefined();
});

test.each([
  [10_000, "Meta (com o que entrou desde as 21:00): **R$ 2.100** de R$ 4.000 (52%)"],
  [0, "Meta: **R$ 2.000** de R$ 4.000 (50%)"],
])(
  "/vendas of this month says whether its goal counts sales since 21:00: %i centavos",
  async (since, goal) => {
    const { ana, kept, meta, clock, wallet } = await connected();
    const month = async () =>
      readMessage(await ana.command("vendas", { string: { periodo: "este mês" } })).join("\n");
    await meta({ valor: "4000" });
    await kept(10);
    await month();
    await kept(19);
    const { report } = wallet;
    wallet.report = async (...asked) =>
      asked[1].day === 21
        ? sampleReport(sold(1, since, 0), sold(0, 0, 0), "2026-11-21")
        : await report(...asked);
    clock.moveBy(6 * 3_600_000 + 10 * 60_000);
    await month();
    expect(await month()).toMatch(/\n\*\*R\$ 2\.000,00\*\*/);
    expect(await month()).toContain(`\n${goal}`);
  },
);
