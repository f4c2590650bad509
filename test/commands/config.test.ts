import { describe, expect, test } from "vitest";
import { config } from "#commands/config.ts";
import type { ChosenChannel, Invocation } from "#src/discord/command.ts";
import type { Services } from "#src/services/services.ts";
import { UserError } from "#src/shared/errors.ts";
import type { Reply } from "#src/views/reply.ts";
import { ANA, CARLA, CHANNEL, GUILD, openGuild } from "../support/guild.ts";
import { mistakeIn } from "../support/mistake-in.ts";
import { readMessage } from "../views/read-message.ts";

const ALL = 84_992n;
const canal = (appPermissions: bigint | undefined = ALL, id = CHANNEL) => ({
  channel: { canal: { id, type: 0, appPermissions } satisfies ChosenChannel },
});

const opened = async () => {
  const guild = await openGuild();
  const carla = guild.person(CARLA, { manager: true });
  const route = () => guild.stores.routes.find(GUILD);
  return { ...guild, carla, route };
};
const read = (answer: unknown): string => readMessage(answer as Reply).join("\n");

describe("/config relatorio", () => {
  test("begins with a channel, at 21:05 in Brasília, in the guild's language", async () => {
    const { carla, route } = await opened();
    expect(read(await carla.command("config relatorio", canal()))).toMatch(
      /^Relatório diário salvo[\s\S]*Próximo relatório: <t:1795219500:F>/,
    );
    expect(await route()).toMatchObject({
      channelId: CHANNEL,
      timeZone: "America/Sao_Paulo",
      active: true,
      emptyChoice: "line",
      locale: "pt-BR",
      updatedBy: CARLA,
    });
    expect((await route())?.time.toString()).toBe("21:05:00");
  });

  test("needs a channel the first time", async () => {
    const { carla, route } = await opened();
    expect(await mistakeIn(carla.command("config relatorio"))).toBe("channel_required");
    expect(await route()).toBeUndefined();
  });

  test("changes what was typed and keeps the rest", async () => {
    const { carla, route } = await opened();
    await carla.command("config relatorio", canal());
    await carla.command("config relatorio", {
      string: { horario: "8h30", fuso: "america/manaus" },
    });
    expect(await route()).toMatchObject({
      channelId: CHANNEL,
      timeZone: "America/Manaus",
      active: true,
    });
    expect((await route())?.time.toString()).toBe("08:30:00");
  });

  test("stays off, once switched off, until it is switched on", async () => {
    const { carla, route } = await opened();
    await carla.command("config relatorio", { ...canal(), boolean: { ativo: false } });
    await carla.command("config relatorio", canal());
    expect((await route())?.active).toBe(false);
    await carla.command("config relatorio", { boolean: { ativo: true } });
    expect((await route())?.active).toBe(true);
  });

  test("names what it may not do in the channel, and changes nothing", async () => {
    const { carla, route } = await opened();
    const work = carla.command("config relatorio", canal(ALL & ~(1n << 11n) & ~(1n << 16n)));
    await expect(work).rejects.toThrow(UserError);
    await expect(work).rejects.toMatchObject({
      reason: { channelId: CHANNEL, missing: ["send_messages", "read_message_history"] },
    });
    expect(await route()).toBeUndefined();
  });

  test("takes a channel of which Discord did not say what is allowed", async () => {
    const { carla, route } = await opened();
    await carla.command("config relatorio", {
      channel: { canal: { id: CHANNEL, type: 0, appPermissions: undefined } },
    });
    expect((await route())?.channelId).toBe(CHANNEL);
  });

  test.each([
    [{ horario: "25:00" }, "invalid_time"],
    [{ fuso: "-03:00" }, "invalid_time_zone"],
  ])("with %j changes nothing", async (string, kind) => {
    const { carla, route } = await opened();
    expect(await mistakeIn(carla.command("config relatorio", { ...canal(), string }))).toBe(kind);
    expect(await route()).toBeUndefined();
  });
});

describe("every part of /config", () => {
  test.each(["relatorio", "ver", "testar"])("%s is for who manages the server", async (part) => {
    const { person } = await opened();
    const typed = { ...canal(0n), string: { horario: "25:00" } };
    expect(await mistakeIn(person(ANA).command(`config ${part}`, typed))).toBe(
      "manage_server_required",
    );
  });

  test("is checked on a click too", async () => {
    const { person } = await opened();
    expect(await mistakeIn(person(ANA).act("config:vazio:", { values: ["skip"] }))).toBe(
      "manage_server_required",
    );
  });

  test("testar needs a route", async () => {
    const { carla } = await opened();
    expect(await mistakeIn(carla.command("config testar"))).toBe("report_not_configured");
  });

  test("ver tells of the report and of the alerts, whichever of them is set", async () => {
    const { carla } = await opened();
    const shown = async () => read(await carla.command("config ver"));
    const cargo = { role: { cargo: "1180000000000000301" } };
    expect(await shown()).toMatch(
      /O relatório diário ainda não tem canal[^]*Alertas de MED: Ainda sem canal: vão por mensagem direta/,
    );
    await carla.command("config alertas", { ...canal(), ...cargo });
    const posted = `Alertas de MED: Saem em <#${CHANNEL}>, mencionando <@&1180000000000000301>.`;
    expect(await shown()).toContain(posted);
    await carla.command("config relatorio", canal());
    expect(await shown()).toMatch(/^Relatório diário\n[^]*Próximo relatório/);
    expect(await shown()).toContain(`${posted}\nPara ver ou mudar: \`/config alertas\``);
    await carla.command("config alertas", { boolean: { ativo: false } });
    expect(await shown()).toContain("Alertas de MED: Desligados");
  });
});

describe("the menu for days without sales", () => {
  test("changes that alone", async () => {
    const { carla, route } = await opened();
    await carla.command("config relatorio", { ...canal(), string: { horario: "22:00" } });
    const before = await route();
    expect(read(await carla.act("config:vazio:", { values: ["skip"] }))).toContain(
      "Relatório diário salvo",
    );
    expect(await route()).toEqual({ ...before, emptyChoice: "skip" });
  });

  test.each([[[]], [["everything"]]])("with %j is out of date", async (values) => {
    const { carla } = await opened();
    await carla.command("config relatorio", canal());
    expect(await mistakeIn(carla.act("config:vazio:", { values }))).toBe("outdated_component");
  });
});

test("/config testar posts in the channel and says so", async () => {
  const { carla, channels } = await opened();
  await carla.command("config relatorio", canal());
  expect(read(await carla.command("config testar"))).toContain("Teste postado");
  expect(channels.inChannel(CHANNEL)).toHaveLength(1);
});

test.each([
  ["", 25, "America/Sao_Paulo"],
  ["acre", 1, "America/Rio_Branco"],
  ["nowhere", 0, undefined],
])("%j suggests %i zones, %s first", async (text, count, first) => {
  const suggest = config.autocomplete!;
  const zones = await suggest({ option: "fuso", text }, {} as Invocation, {} as Services);
  expect([zones.length, zones[0]?.value]).toEqual([count, first]);
  expect(zones.filter(({ name }) => name.length > 100)).toEqual([]);
});
