import { describe, expect, test } from "vitest";
import type { Reply } from "#src/ui/reply.ts";
import { ANA, CARLA, CHANNEL, GUILD, openGuild } from "../support/guild.ts";
import { mistakeIn } from "../support/mistake-in.ts";
import { buttonsOf, menusOf, textOf } from "../ui/read-message.ts";
import { canal, idOf, samePlace } from "./components.ts";

const ROLE = "1180000000000000301";
const cargo = (id = ROLE) => ({ role: { cargo: id } });
const chosenIn = (answer: unknown) =>
  menusOf(answer as Reply).map(({ options }) =>
    options.filter((each) => each.default).map(({ value }) => value),
  );

const opened = async () => {
  const guild = await openGuild();
  const carla = guild.person(CARLA, { manager: true });
  const route = () => guild.stores.alertRoutes.find(GUILD);
  return { ...guild, carla, route };
};
/** With a channel and a role already. */
const configured = async () => {
  const guild = await opened();
  const answer = await guild.carla.command("config alertas", { ...canal(), ...cargo() });
  return { ...guild, answer };
};

describe("/config alertas", () => {
  test("begins with a channel, without a role and without quiet hours", async () => {
    const { carla, route } = await opened();
    const answer = await carla.command("config alertas", canal());
    expect(textOf(answer)).toMatch(/^Alertas de MED salvos\n/);
    expect(textOf(answer)).toContain("Cargo mencionado: nenhum");
    expect(Object.keys(buttonsOf(answer as Reply))).toEqual(["Desligar"]);
    expect(await route()).toMatchObject({
      channelId: CHANNEL,
      roleId: undefined,
      quiet: undefined,
      slowNights: false,
      active: true,
      locale: "pt-BR",
      updatedBy: CARLA,
    });
  });

  test("changes what was typed and keeps the rest", async () => {
    const { carla, route } = await configured();
    await carla.act("config:silencio:", { values: ["22:00-07:00"] });
    await carla.act("config:avisos:", { values: ["new", "1h"] });
    const before = await route();
    const other = "1180000000000000103";
    await carla.command("config alertas", canal(other));
    expect(await route()).toEqual({ ...before, channelId: other });
    await carla.command("config alertas", cargo("1180000000000000302"));
    await carla.command("config alertas", { boolean: { ativo: false } });
    expect(await route()).toMatchObject({
      channelId: other,
      roleId: "1180000000000000302",
      pingSteps: ["new", "1h"],
      quiet: before?.quiet,
      active: false,
    });
  });
});

describe("the buttons and menus under it", () => {
  test("take the role away and leave all else, also its steps for the next role", async () => {
    const { carla, route, answer } = await configured();
    await carla.act("config:avisos:", { values: ["6h"] });
    const before = await route();
    const after = await carla.act(buttonsOf(answer as Reply)["Tirar o cargo"] ?? "");
    expect(await route()).toEqual({ ...before, roleId: undefined });
    expect(textOf(after)).toContain("Cargo mencionado: nenhum");
    expect(menusOf(after as Reply)).toHaveLength(1);
    await carla.command("config alertas", cargo());
    expect(await route()).toEqual(before);
  });

  test("choose the steps that ping, any number of them", async () => {
    const { carla, route, answer } = await configured();
    expect(chosenIn(answer)[0]).toEqual(["new", "24h", "6h", "1h", "overdue"]);
    const few = await carla.act("config:avisos:", { values: ["won", "new"] });
    expect(chosenIn(few)[0]).toEqual(["new", "won"]);
    expect(textOf(few)).toContain("Alertas que mencionam o cargo: MED novo · Ganho");
    expect(textOf(await carla.act("config:avisos:", { values: [] }))).toContain(
      "mencionam o cargo: nenhum",
    );
    expect((await route())?.pingSteps).toEqual([]);
  });

  test("leave the steps that another admin chose since they were shown", async () => {
    const { carla, route, answer } = await configured();
    const [menu] = menusOf(answer as Reply);
    await carla.act(menu!.custom_id, { values: ["new", "24h", "6h", "1h", "overdue", "lost"] });
    await carla.act(menu!.custom_id, { values: ["24h", "6h", "1h", "overdue"] });
    expect((await route())?.pingSteps).toEqual(["24h", "6h", "1h", "overdue", "lost"]);
  });

  test("set quiet hours over midnight, and end them", async () => {
    const { carla, route } = await configured();
    const quiet = await carla.act("config:silencio:", { values: ["22:00-07:00"] });
    expect(textOf(quiet)).toContain("das 22:00 às 07:00 (horário de Brasília;");
    expect(chosenIn(quiet)[1]).toEqual(["22:00-07:00"]);
    expect((await route())?.quiet?.from.toString()).toBe("22:00:00");
    const after = await carla.act("config:silencio:", { values: ["nenhuma"] });
    expect((await route())?.quiet).toBeUndefined();
    expect(textOf(after)).toContain("Horas de silêncio: nenhuma");
    expect(Object.keys(buttonsOf(after as Reply))).toEqual(["Desligar", "Tirar o cargo"]);
  });

  test("a second tap in the place of a button switches no alerts off", async () => {
    const { carla, route } = await configured();
    const label = "Tirar o cargo";
    const quiet = await carla.act("config:silencio:", { values: ["22:00-07:00"] });
    const second = samePlace(quiet, label, await carla.act(idOf(quiet, label)));
    await carla.act(second ?? "config:silencio:", { values: ["nenhuma"] });
    expect((await route())?.active).toBe(true);
  });

  test("set quiet hours in the zone of the server's report", async () => {
    const { carla } = await configured();
    await carla.act("config:silencio:", { values: ["22:00-07:00"] });
    const zone = { string: { fuso: "America/Rio_Branco" } };
    await carla.command("config relatorio", { ...canal(), ...zone });
    const shown = textOf(await carla.command("config alertas"));
    expect(shown).toContain(
      "das 22:00 às 07:00 (America/Rio_Branco; o fuso é o do relatório do servidor)",
    );
  });

  test("ask less often in quiet hours, and as often as by day again", async () => {
    const { carla, route } = await configured();
    const quiet = await carla.act("config:silencio:", { values: ["23:00-08:00"] });
    const slow = await carla.act(buttonsOf(quiet as Reply)["Consultar menos no silêncio"] ?? "");
    expect((await route())?.slowNights).toBe(true);
    expect(textOf(slow)).toContain("a cada 15 minutos");
    await carla.act(buttonsOf(slow as Reply)["Consultar igual no silêncio"] ?? "");
    expect((await route())?.slowNights).toBe(false);
  });

  test("that were edited change nothing", async () => {
    const { carla, route } = await configured();
    const before = await route();
    for (const [id, ...values] of [
      ["silencio:"],
      ["silencio:", "25:00-07:00"],
      ["avisos:", "new", "tomorrow"],
      ["noites:"],
      ["noites:rapidas"],
    ])
      expect(await mistakeIn(carla.act(`config:${id}`, { values })), id).toBe("outdated_component");
    expect(await route()).toEqual(before);
  });

  test("are for who manages the server, and need a route", async () => {
    const ids = ["avisos", "silencio", "noites", "sem-cargo"];
    const { person, route } = await configured();
    const before = await route();
    const { carla } = await opened();
    for (const id of ids) {
      const customId = `config:${id}:${id === "noites" ? "lentas" : ""}`;
      const values = id === "silencio" ? ["22:00-07:00"] : [];
      expect(await mistakeIn(person(ANA).act(customId, { values }))).toBe("manage_server_required");
      expect(await mistakeIn(carla.act(customId, { values }))).toBe("alerts_not_configured");
    }
    expect(await route()).toEqual(before);
    expect(await mistakeIn(person(ANA).command("config alertas", canal(CHANNEL, 0n)))).toBe(
      "manage_server_required",
    );
  });
});
