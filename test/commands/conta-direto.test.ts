import { describe, expect, test } from "vitest";
import type { Reply } from "#src/ui/reply.ts";
import { directChannel } from "../support/fake-channels.ts";
import { ANA, ANA_KEY, BRUNO, CHANNEL, connect, GUILD, openGuild } from "../support/guild.ts";
import { mistakeIn } from "../support/mistake-in.ts";
import { sampleRoute } from "../support/samples.ts";
import { labelsOf, readMessage } from "../ui/read-message.ts";
import { idOf, menuIn } from "./components.ts";

const linesOf = (answer: unknown): string[] => readMessage(answer as Reply);

describe("the report by direct message", () => {
  const withDirect = async () => {
    const guild = await openGuild();
    await guild.services.reportRoutes.save(sampleRoute({ guildId: GUILD, channelId: CHANNEL }));
    await connect(guild.person(ANA), ANA_KEY);
    const shown = await guild.person(ANA).act(`conta:relatorio:${ANA}`, { values: ["direct"] });
    return {
      ...guild,
      ana: guild.person(ANA),
      settings: idOf(shown, "Ajustes do relatório"),
    };
  };

  test("comes at the hour that its menu chooses, whatever the server's is", async () => {
    const { ana, settings, stores, person } = await withDirect();
    const shown = await ana.act(settings);
    expect(linesOf(shown).join("\n")).toMatch(/Horário: 21:05\nFuso: horário de Brasília\nPróximo/);
    const menu = `conta:direto-hora:${ANA}`;
    expect(menuIn(shown, menu)).toContainEqual(["07:00", "Sai às 07:00"]);
    const saved = await ana.act(menu, { values: ["07:00"] });
    expect(linesOf(saved).slice(0, 2)).toEqual(["O seu relatório está salvo", "Horário: 07:00"]);
    expect(linesOf(await ana.command("conta ver")).join("\n")).toContain("às 07:00");
    await connect(ana, ANA_KEY);
    const { watchId } = (await stores.accounts.find(GUILD, ANA))!;
    expect(String((await stores.ledger.sellersOf(watchId))[0]?.time)).toBe("07:00:00");
    expect(await mistakeIn(ana.act(menu, { values: ["x"] }))).toBe("outdated_component");
    expect(await mistakeIn(person(BRUNO).act(menu, { values: ["08:00"] }))).toBe("not_your_button");
  });

  test("switches its closes by a menu, for its owner alone", async () => {
    const { ana, settings, services, stores, person } = await withDirect();
    const menu = `conta:direto-fechamentos:${ANA}`;
    expect(menuIn(await ana.act(settings), menu)).toContainEqual([
      "week",
      "Fechamento da semana, na segunda",
    ]);
    await ana.act(menu, { values: ["month"] });
    const { id } = (await stores.accounts.find(GUILD, ANA))!;
    expect(await services.closes.choices(id)).toEqual({ week: false, month: true });
    expect(await services.closes.choices(GUILD)).toEqual({ week: true, month: true });
    expect(await mistakeIn(ana.act(menu, { values: ["x"] }))).toBe("outdated_component");
    expect(await mistakeIn(person(BRUNO).act(menu, { values: [] }))).toBe("not_your_button");
  });

  test("is tested by a sample to its reader alone", async () => {
    const { ana, settings, channels } = await withDirect();
    const answer = await ana.act(idOf(await ana.act(settings), "Testar"));
    expect(linesOf(answer)[0]).toBe("Teste enviado");
    const [post, ...more] = channels.inChannel(directChannel(ANA));
    expect(post?.text).toMatch(/Exemplo, com números inventados[^]*812,50/);
    expect([more, channels.inChannel(CHANNEL)]).toEqual([[], []]);
  });

  test("says after a test that direct messages are closed", async () => {
    const { ana, channels } = await withDirect();
    channels.openMishap = () => ({ kind: "unreachable_person", code: 50_007 });
    expect(linesOf(await ana.act(`conta:direto-testar:${ANA}`))[0]).toBe("Não consegui enviar");
  });

  test("has no settings while it goes elsewhere", async () => {
    const { ana, settings, services } = await withDirect();
    await services.accounts.chooseReport(GUILD, ANA, "channel");
    expect(linesOf(await ana.act(settings))[0]).toBe("Chave conectada");
    expect(labelsOf((await ana.command("conta ver")) as Reply)).toEqual([]);
    expect(await mistakeIn(ana.act(`conta:direto-testar:${ANA}`))).toBe("outdated_component");
  });
});
