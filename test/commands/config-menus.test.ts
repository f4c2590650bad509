import { describe, expect, test } from "vitest";
import type { ActionInput } from "#src/discord/command.ts";
import type { Reply } from "#src/ui/reply.ts";
import {
  ANA,
  ANA_KEY,
  BRUNO,
  CARLA,
  CHANNEL,
  connect,
  GUILD,
  openGuild,
} from "../support/guild.ts";
import { mistakeIn } from "../support/mistake-in.ts";
import { brokenLimits } from "../ui/message-limits.ts";
import { buttonsOf, labelsOf, menusOf, textOf } from "../ui/read-message.ts";
import { canal, MAY_POST, menuIn, partsOf } from "./components.ts";

const OTHER = "1180000000000000103";
const ROLE = "1180000000000000401";
const ANNOUNCEMENTS = 5;
const VOICE = 2;

const channelOf = (id = CHANNEL, type = 0, appPermissions: bigint | undefined = MAY_POST) => ({
  values: [id],
  channel: { id, type, appPermissions },
});
const opened = async () => {
  const guild = await openGuild();
  const carla = guild.person(CARLA, { manager: true });
  return { ...guild, carla, ana: guild.person(ANA) };
};
/** Ids of channels and roles that menus have chosen beforehand. */
const chosenBefore = (answer: unknown): readonly string[] =>
  ((answer as Reply).components ?? [])
    .flatMap(({ components }) => components)
    .flatMap((part) =>
      "default_values" in part ? (part.default_values ?? []).map(({ id }) => id) : [],
    );

const parts = {
  relatorio: {
    menu: "config:relatorio-canal:",
    find: "routes",
    option: { string: { horario: "22:00" } },
    others: { "config:relatorio-hora:": "22:30", "config:vazio:": "skip" },
    missing: "channel_required",
  },
  alertas: {
    menu: "config:alertas-canal:",
    find: "alertRoutes",
    option: { role: { cargo: ROLE } },
    others: { "config:alertas-cargo:": ROLE, "config:silencio:": "22:00-07:00" },
    missing: "alerts_not_configured",
  },
  vendas: {
    menu: "config:vendas-canal:",
    find: "saleRoutes",
    option: { string: { minimo: "50" } },
    others: { "config:vendas-minimo:": "5000" },
    missing: "sales_not_configured",
  },
} as const;
const names = Object.keys(parts) as (keyof typeof parts)[];

describe.each(names)("/config %s", (name) => {
  const { menu, find, option, others, missing } = parts[name];

  test("asks for the channel first, and saves it when it is chosen", async () => {
    const { carla, stores } = await opened();
    const question = await carla.command(`config ${name}`);
    expect(textOf(question)).toMatch(/Escolha o canal/);
    expect(partsOf(question).map(({ id }) => id)).toEqual([menu]);
    expect(await stores[find].find(GUILD)).toBeUndefined();
    const saved = await carla.act(menu, channelOf(OTHER, ANNOUNCEMENTS));
    expect(textOf(saved)).toMatch(/salvos?\n/);
    expect(await stores[find].find(GUILD)).toMatchObject({
      channelId: OTHER,
      active: true,
      updatedBy: CARLA,
    });
    expect(brokenLimits(saved as Reply)).toEqual([]);
  });

  test("keeps the changes of two admins at the same moment", async () => {
    const { carla, person, stores } = await opened();
    const bruno = person(BRUNO, { manager: true });
    await carla.act(menu, channelOf());
    const changes = Object.entries(others).map(
      ([id, value]) =>
        () =>
          bruno.act(id, { values: [value] }),
    );
    const made = [() => carla.act(`config:${name}-ativo:desligar`), ...changes];
    await Promise.all(made.map((change) => change()));
    const together = await stores[find].find(GUILD);
    for (const change of made) await change();
    expect({ ...together, updatedBy: BRUNO }).toEqual(await stores[find].find(GUILD));
  });

  test("shows what is set, with its menus, and saves nothing", async () => {
    const { carla, stores } = await opened();
    const saved = await carla.act(menu, channelOf());
    const before = await stores[find].find(GUILD);
    const shown = await carla.command(`config ${name}`);
    expect(textOf(shown)).not.toMatch(/salvos?\n/);
    expect(partsOf(shown)).toEqual(partsOf(saved));
    expect(chosenBefore(shown)).toEqual([CHANNEL]);
    expect(await stores[find].find(GUILD)).toEqual(before);
  });

  test("is switched off and on by its button", async () => {
    const { carla, stores } = await opened();
    const saved = await carla.act(menu, channelOf());
    const off = await carla.act(buttonsOf(saved as Reply)["Desligar"] ?? "");
    expect((await stores[find].find(GUILD))?.active).toBe(false);
    await carla.act(buttonsOf(off as Reply)["Ligar"] ?? "");
    expect((await stores[find].find(GUILD))?.active).toBe(true);
  });

  test("keeps the language of who chose the channel while another admin changes the rest", async () => {
    const { carla, person, stores } = await opened();
    const other = person(ANA, { manager: true, locale: "en-US", guildLocale: "en-US" });
    await carla.act(menu, channelOf());
    const off = await other.command(`config ${name}`, { boolean: { ativo: false } });
    await other.act(buttonsOf(off as Reply)["Switch on"] ?? "");
    await other.command(`config ${name}`, option);
    expect(await stores[find].find(GUILD)).toMatchObject({ updatedBy: ANA, locale: "pt-BR" });
    await other.act(menu, channelOf());
    expect(await stores[find].find(GUILD)).toMatchObject({ locale: "en-US" });
    await carla.command(`config ${name}`, canal());
    expect(await stores[find].find(GUILD)).toMatchObject({ locale: "pt-BR" });
  });

  test("stays stopped for a lost channel until it is chosen again or switched on", async () => {
    const { carla, stores, clock } = await opened();
    const suspendedAt = async () => (await stores[find].find(GUILD))?.suspendedAt;
    await carla.act(menu, channelOf());
    const since = clock.now();
    await stores[find].suspend(GUILD, CHANNEL, since, []);
    const answers = [await carla.command(`config ${name}`, option)];
    for (const [id, value] of Object.entries(others))
      answers.push(await carla.act(id, { values: [value] }));
    for (const answer of answers) expect(textOf(answer)).toMatch(/Parados? desde/);
    expect(await suspendedAt()).toEqual(since);
    const switched = async () => {
      const off = await carla.command(`config ${name}`, { boolean: { ativo: false } });
      expect(await suspendedAt()).toEqual(since);
      await carla.act(buttonsOf(off as Reply)["Ligar"] ?? "");
    };
    const typed = canal();
    for (const again of [
      () => carla.act(menu, channelOf()),
      () => carla.command(`config ${name}`, typed),
      switched,
    ]) {
      await stores[find].suspend(GUILD, CHANNEL, since, []);
      await again();
      expect(await suspendedAt()).toBeUndefined();
    }
  });

  test("needs a channel the first time, whatever other option was typed", async () => {
    const { carla, stores } = await opened();
    for (const typed of [option, { boolean: { ativo: true } }])
      expect(await mistakeIn(carla.command(`config ${name}`, typed))).toBe(missing);
    expect(await stores[find].find(GUILD)).toBeUndefined();
  });

  test("names what it may not do in the channel, and changes nothing", async () => {
    const { carla, stores } = await opened();
    await carla.act(menu, channelOf());
    for (const [may, missing] of [
      [MAY_POST & ~(1n << 10n) & ~(1n << 14n), ["view_channel", "embed_links"]],
      [MAY_POST & ~(1n << 11n) & ~(1n << 16n), ["send_messages", "read_message_history"]],
    ] as const) {
      const reason = { kind: "missing_channel_permissions", channelId: OTHER, missing };
      const other = channelOf(OTHER, 0, may);
      await expect(carla.act(menu, other)).rejects.toMatchObject({ reason });
      const typed = { channel: { canal: other.channel } };
      await expect(carla.command(`config ${name}`, typed)).rejects.toMatchObject({ reason });
    }
    expect((await stores[find].find(GUILD))?.channelId).toBe(CHANNEL);
  });

  test("takes from its menu no channel but one to post in", async () => {
    const { carla, stores } = await opened();
    for (const input of [{}, channelOf(OTHER, VOICE), { values: [OTHER] }])
      expect(await mistakeIn(carla.act(menu, input))).toBe("outdated_component");
    expect(await stores[find].find(GUILD)).toBeUndefined();
  });
});

/** A press of each control. */
const presses: readonly (readonly [string, Partial<ActionInput>])[] = [
  ["config:relatorio-canal:", channelOf(OTHER)],
  ["config:relatorio-hora:", { values: ["22:00"] }],
  ["config:relatorio-ativo:desligar", {}],
  ["config:relatorio-fechamentos:", { values: [] }],
  ["config:testar:", {}],
  ["config:vazio:", { values: ["skip"] }],
  ["config:alertas-canal:", channelOf(OTHER)],
  ["config:alertas-cargo:", { values: [ROLE] }],
  ["config:alertas-ativo:desligar", {}],
  ["config:vendas-canal:", channelOf(OTHER)],
  ["config:vendas-minimo:", { values: ["5000"] }],
  ["config:vendas-ativo:desligar", {}],
];

test("each control is for who manages the server at the moment of the press", async () => {
  const { carla, ana, stores, channels } = await opened();
  for (const name of names) await carla.act(parts[name].menu, channelOf());
  const settings = () =>
    Promise.all([
      ...names.map((name) => stores[parts[name].find].find(GUILD)),
      stores.closes.choices(GUILD),
    ]);
  const before = await settings();
  for (const [id, input] of presses)
    expect(await mistakeIn(ana.act(id, input)), id).toBe("manage_server_required");
  expect(await settings()).toEqual(before);
  expect(channels.inChannel(CHANNEL)).toEqual([]);
});

test.each([
  ["config:relatorio-fechamentos:", "week", "report_not_configured"],
  ["config:alertas-cargo:", ROLE, "alerts_not_configured"],
])("%s needs a channel before", async (id, value, kind) => {
  const { carla } = await opened();
  expect(await mistakeIn(carla.act(id, { values: [value] }))).toBe(kind);
});

/** A press of a control that no message has. */
const edited: readonly (readonly [string, Partial<ActionInput>])[] = [
  ["config:relatorio-hora:", { values: ["25:00x"] }],
  ["config:relatorio-hora:", {}],
  ["config:relatorio-fechamentos:", { values: ["week", "year"] }],
  ["config:relatorio-ativo:talvez", {}],
  ["config:vazio:", {}],
  ["config:vazio:", { values: ["everything"] }],
  ["config:alertas-cargo:", { values: ["everyone"] }],
  ["config:alertas-ativo:", {}],
  ["config:vendas-minimo:", { values: ["-1"] }],
  ["config:vendas-minimo:", { values: ["1e3"] }],
  ["config:vendas-ativo:x", {}],
];

test("an edited control is out of date", async () => {
  const { carla } = await opened();
  for (const name of names) await carla.act(parts[name].menu, channelOf());
  for (const [id, input] of edited)
    expect(await mistakeIn(carla.act(id, input)), `${id} ${JSON.stringify(input)}`).toBe(
      "outdated_component",
    );
});

describe("the menus under /config relatorio", () => {
  const hours = (answer: unknown) => menuIn(answer, "config:relatorio-hora:");

  test("change the hour alone, and keep an hour that was typed among the choices", async () => {
    const { carla, stores } = await opened();
    const typed = { ...canal(), string: { horario: "19:37" } };
    const first = await carla.command("config relatorio", typed);
    expect(hours(first).at(-1)).toEqual(["19:37", "Sai às 19:37"]);
    expect(hours(first)[0]).toEqual(["21:05", "Sai às 21:05"]);
    const before = await stores.routes.find(GUILD);
    const second = await carla.act("config:relatorio-hora:", { values: ["22:30"] });
    expect(await stores.routes.find(GUILD)).toEqual({
      ...before,
      time: Temporal.PlainTime.from("22:30"),
    });
    expect(hours(second).map(([value]) => value)).not.toContain("19:37");
    expect(labelsOf(second as Reply)).toEqual(["Testar", "Desligar"]);
  });

  test.each([[["month"]], [["week", "month"]], [[]]])(
    "choose the closes that come besides the daily report: %j",
    async (values: string[]) => {
      const { carla, stores } = await opened();
      const first = await carla.act("config:relatorio-canal:", channelOf());
      expect(menuIn(first, "config:relatorio-fechamentos:").map(([value]) => value)).toEqual([
        "week",
        "month",
      ]);
      const before = await stores.routes.find(GUILD);
      const saved = await carla.act("config:relatorio-fechamentos:", { values });
      expect(await stores.closes.choices(GUILD)).toEqual({
        week: values.includes("week"),
        month: values.includes("month"),
      });
      const chosen = menusOf(saved as Reply)
        .find(({ custom_id: id }) => id.startsWith("config:relatorio-fechamentos"))
        ?.options.filter((each) => each.default);
      expect(chosen?.map(({ value }) => value)).toEqual(values);
      expect(await stores.routes.find(GUILD)).toEqual(before);
      expect(brokenLimits(saved as Reply)).toEqual([]);
    },
  );

  test("leave the close that another admin chose since they were shown", async () => {
    const { carla, stores } = await opened();
    await carla.act("config:relatorio-canal:", channelOf());
    const shown = await carla.act("config:relatorio-fechamentos:", { values: [] });
    const menu = menusOf(shown as Reply).find(({ custom_id: id }) =>
      id.startsWith("config:relatorio-fechamentos:"),
    );
    await carla.act(menu!.custom_id, { values: ["week"] });
    await carla.act(menu!.custom_id, { values: ["month"] });
    expect(await stores.closes.choices(GUILD)).toEqual({ week: true, month: true });
  });

  test("keep both closes that two admins choose at one moment", async () => {
    const { carla, stores } = await opened();
    await carla.act("config:relatorio-canal:", channelOf());
    await carla.act("config:relatorio-fechamentos:", { values: [] });
    const press = (kind: string) => carla.act("config:relatorio-fechamentos:.", { values: [kind] });
    await Promise.all([press("week"), press("month")]);
    expect(await stores.closes.choices(GUILD)).toEqual({ week: true, month: true });
  });

  test("of one's own leave the close that was chosen on another device since they were shown", async () => {
    const { person, services, stores } = await openGuild();
    const ana = person(ANA);
    await connect(ana, ANA_KEY);
    await services.accounts.chooseReport(GUILD, ANA, "direct");
    const shown = await ana.act(`conta:direto:${ANA}`);
    const [menu] = menusOf(shown as Reply)
      .map(({ custom_id: id }) => id)
      .filter((id) => id.startsWith(`conta:direto-fechamentos:${ANA}`));
    await ana.act(menu!, { values: ["month"] });
    await ana.act(menu!, { values: ["week"] });
    const { id } = (await stores.accounts.find(GUILD, ANA))!;
    expect(await stores.closes.choices(id)).toEqual({ week: false, month: false });
  });

  test("post a test whose figures are marked as made up, and answer beside the settings", async () => {
    const { carla, channels } = await opened();
    await carla.act("config:relatorio-canal:", channelOf());
    expect(textOf(await carla.act("config:testar:"))).toContain("Teste enviado");
    const [post] = channels.inChannel(CHANNEL);
    expect(post?.text).toMatch(/Exemplo, com números inventados[^]*1\.684,20/);
  });

  test("choose no channel beforehand while it is lost, so that it can be chosen again", async () => {
    const { carla, stores, clock } = await opened();
    await carla.act("config:relatorio-canal:", channelOf());
    await stores.routes.suspend(GUILD, CHANNEL, clock.now(), []);
    const shown = await carla.command("config relatorio");
    expect(textOf(shown)).toContain("Parado desde");
    expect(chosenBefore(shown)).toEqual([]);
    await carla.act("config:relatorio-canal:", channelOf());
    expect((await stores.routes.find(GUILD))?.suspendedAt).toBeUndefined();
  });

  test("stay away where /config ver shows the members of the server", async () => {
    const { carla } = await opened();
    await carla.act("config:relatorio-canal:", channelOf());
    const all = await carla.command("config ver");
    expect(partsOf(all).map(({ id }) => id)).toEqual(["config:vazio:"]);
  });
});

describe("the menus under /config alertas", () => {
  test("choose the role, never everybody, and keep the rest", async () => {
    const { carla, stores } = await opened();
    await carla.act("config:alertas-canal:", channelOf());
    const before = await stores.alertRoutes.find(GUILD);
    const shown = await carla.act("config:alertas-cargo:", { values: [ROLE] });
    expect(await stores.alertRoutes.find(GUILD)).toEqual({ ...before, roleId: ROLE });
    expect(chosenBefore(shown)).toEqual([CHANNEL, ROLE]);
    expect(brokenLimits(shown as Reply)).toEqual([]);
    const everybody = carla.act("config:alertas-cargo:", { values: [GUILD] });
    expect(await mistakeIn(everybody)).toBe("role_is_everyone");
    expect((await stores.alertRoutes.find(GUILD))?.roleId).toBe(ROLE);
  });
});

describe("the menus under /config vendas", () => {
  test("change the minimum alone, and keep one that was typed among the choices", async () => {
    const { carla, stores } = await opened();
    const typed = { ...canal(), string: { minimo: "49,90" } };
    const first = await carla.command("config vendas", typed);
    expect(textOf(first)).toMatch(/R\$\s49,90: .* uma única venda e ela chega ao mínimo\./);
    const choices = menuIn(first, "config:vendas-minimo:");
    expect(choices[0]).toEqual(["0", "Toda venda sai"]);
    expect(choices.at(-1)).toEqual(["4990", "Só vendas a partir de R$\u00a049,90"]);
    await carla.act("config:vendas-minimo:", { values: ["10000"] });
    expect(await stores.saleRoutes.find(GUILD)).toMatchObject({ minimum: 10_000, active: true });
  });
});
