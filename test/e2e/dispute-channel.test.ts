import { beforeEach, describe, expect, test } from "vitest";
import { ANA, BRUNO, CARLA, CHANNELS, ROLES } from "#src/sandbox/world.ts";
import { oneDatabase } from "../support/databases.ts";
import { createWatch, type Watch } from "./support/disputes.ts";
import { customIdsOf } from "./support/money.ts";
import { isAlert, openStage, type Stage, textOf } from "./support/stage.ts";

describe.each(oneDatabase)("alerts of disputes in a channel on $name", (kind) => {
  let stage: Stage;
  let watch: Watch;

  beforeEach(async () => {
    stage = await openStage(kind);
    await stage.connectAna();
    watch = createWatch(stage);
    const saved = await watch.setRoute({ canal: CHANNELS.avisos.id, cargo: ROLES.equipe.id });
    expect(textOf(saved)).toContain("Alertas de MED salvos");
    expect(await watch.choose("channel")).toContain(`Saem em <#${CHANNELS.avisos.id}>`);
    await watch.later(6);
  });

  test("ping the chosen role for the chosen steps, and say nothing of the payer or the sale", async () => {
    const id = watch.open(100, { original: { type: "api", product: "Curso de violão" } });
    await watch.later(6);
    expect(watch.told(id)).toEqual([]);
    const announced = watch.latest(id, watch.inChannel());
    expect(announced).toMatchObject({
      content: expect.stringContaining(
        `<@${ANA.id}> <@&${ROLES.equipe.id}> Novo MED de R$\u00a0123,45: 4 dias para responder (até `,
      ),
      mentionedRoleIds: [ROLES.equipe.id],
      mentionedUserIds: [ANA.id],
      mentionsEveryone: false,
    });
    expect(JSON.stringify(announced)).not.toContain("violão");
    await watch.later(30 * 60);
    const reminded = watch.latest(id, watch.inChannel());
    expect(reminded.content).toMatch(/^<@\d+> MED de .* menos de 3 dias para responder \(até /);
    expect(reminded).toMatchObject({ mentionedUserIds: [ANA.id], mentionedRoleIds: [] });
  });

  test("go to their owner when the channel is lost, of which the admin is told once", async () => {
    const first = watch.open(100);
    await watch.later(6);
    expect(watch.told(first, watch.inChannel())).toEqual(["Novo MED"]);
    expect(watch.told(first)).toEqual([]);

    stage.sandbox.discord.deleteChannel(CHANNELS.avisos.id);
    const [second, third] = [watch.open(100), watch.open(100)];
    await watch.later(6);
    await watch.later(1);
    expect([watch.told(second), watch.told(third)]).toEqual([["Novo MED"], ["Novo MED"]]);
    for (const person of [ANA, CARLA]) {
      const messages = stage.sandbox.discord.directMessages(person.id);
      const told = messages.filter((message) => !isAlert(message)).map(textOf);
      expect(told).toEqual([expect.stringContaining("mudaram para mensagem direta")]);
    }
    expect(textOf(await watch.setRoute())).toContain("não consigo postar no canal");

    await watch.setRoute({ canal: CHANNELS.vendas.id });
    const fourth = watch.open(100);
    await watch.later(6);
    expect(watch.told(fourth, watch.inChannel(CHANNELS.vendas.id))).toEqual(["Novo MED"]);
    expect(watch.told(fourth)).toEqual([]);
  });

  test("go to their owner while the admin has switched the channel off, and nowhere for who wants none", async () => {
    await watch.setRoute({ ativo: false });
    const first = watch.open(100);
    await watch.later(6);
    expect(watch.told(first)).toEqual(["Novo MED"]);
    expect(await watch.choose("off")).toMatch(/Alertas de MED\n\*\*Desligados/);
    const second = watch.open(100);
    await watch.later(6);
    await watch.later(90 * 60);
    expect([...watch.told(second), ...watch.told(second, watch.inChannel())]).toEqual([]);
  });

  test("have buttons for nobody but the owner of the account", async () => {
    const id = watch.open(100);
    await watch.later(6);
    const alert = watch.latest(id, watch.inChannel());
    const ids = customIdsOf(alert);
    expect(ids).toHaveLength(5);
    for (const person of [CARLA, BRUNO]) {
      for (const button of ids) {
        const shown = await stage.sandbox.discord.person(person.id).click(alert.id, button);
        expect(textOf(shown)).toMatch(`Este MED é de outra pessoa\nÉ de <@${ANA.id}>.`);
        expect(JSON.stringify(shown)).not.toContain("R$");
      }
    }
    await watch.later(30 * 60);
    expect(watch.told(id, watch.inChannel()).at(-1)).toBe("MED: menos de 3 dias para responder");
  });
});
