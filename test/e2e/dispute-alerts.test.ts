import { beforeEach, describe, expect, test } from "vitest";
import { ANA, BRUNO, CARLA, CHANNELS, ROLES } from "#src/sandbox/world.ts";
import { createWatch, type Watch } from "./support/disputes.ts";
import { openStage, type Stage, textOf, isAlert, messageOf } from "./support/stage.ts";
import { customIdsOf } from "./support/money.ts";

describe("alerts of disputes", () => {
  let stage: Stage;
  let watch: Watch;

  beforeEach(async () => {
    stage = await openStage();
    await stage.connectAna();
    watch = createWatch(stage);
    await watch.later(6);
  });

  test("a new one is announced once, and each reminder once, over a restart", async () => {
    const id = watch.open(30);
    await watch.later(6);
    await watch.later(6);
    expect(watch.told(id)).toEqual(["Novo MED"]);
    await watch.later(6 * 60);
    await stage.restart();
    await stage.bot().tick();
    await watch.later(1);
    expect(watch.told(id).slice(1)).toEqual(["MED: menos de 24 horas para responder"]);
    await watch.later(23 * 60);
    await watch.later(6);
    expect(watch.told(id).slice(2)).toEqual(["MED: menos de 1 hora para responder"]);
    await watch.later(2 * 60);
    await watch.later(6);
    expect(watch.told(id).slice(3)).toEqual(["MED: o prazo passou sem resposta"]);
  });

  test("each reminder edits the one before it, over a restart too: it goes on below, and has no buttons", async () => {
    const id = watch.open(30);
    await watch.later(6);
    const shown = () =>
      watch
        .alerts()
        .filter((message) => textOf(message).includes(id))
        .map(({ content, components }) => [content, components?.length ?? 0]);
    const [first] = shown();
    await watch.later(6 * 60);
    await watch.later(1);
    const below = ["Substituído: este MED continua abaixo.", 0];
    expect(first?.[1]).toBe(1);
    expect(shown()).toEqual([below, [expect.stringContaining("menos de 24 horas"), 1]]);
    // The reminder is posted, and the bot ends before it could edit the one before.
    await watch.later(23 * 60);
    await stage.bot().stop();
    await stage.restart();
    await stage.bot().tick();
    await watch.later(1);
    expect(shown()).toEqual([below, below, [expect.stringContaining("menos de 1 hora"), 1]]);
  });

  test("owners who closed their direct messages are told of it where they ask", async () => {
    watch.moneyDriver.person.setAcceptsDirectMessages(false);
    const id = watch.open(100);
    await watch.later(6);
    await watch.later(6);
    expect(watch.told(id)).toEqual([]);
    const missed = "**1 alerta dos últimos 7 dias não chegou até você.**";
    expect(textOf(await watch.moneyDriver.command("meds"))).toContain(missed);
    expect(textOf(await watch.moneyDriver.command("conta ver"))).toContain(missed);
  });
});

describe("alerts of disputes in a channel", () => {
  let stage: Stage;
  let watch: Watch;

  beforeEach(async () => {
    stage = await openStage();
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
      expect(told).toEqual([expect.stringContaining("Os alertas de MED não saem mais no canal")]);
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

describe("silence about disputes", () => {
  let stage: Stage;
  let watch: Watch;

  /** Local time in Brasília; the stage begins at 09:00 on the 17th. */
  const moveTo = (day: number, time: string): Promise<void> =>
    stage.moveTo(`2026-11-${day}T${time}:00-03:00`);

  beforeEach(async () => {
    stage = await openStage();
    await stage.connectAna();
    watch = createWatch(stage);
    await watch.later(6);
  });

  test("quiet hours hold back what can wait until they end", async () => {
    const route = await watch.setRoute({ canal: CHANNELS.avisos.id });
    expect(await watch.setQuiet(route, "22:00-07:00")).toContain("das 22:00 às 07:00");
    await watch.choose("channel");
    const told = (id: string) => watch.told(id, watch.inChannel());
    await moveTo(17, "12:00");
    // Deadlines at 02:00 on the 19th and at 05:00 on the 18th.
    const [slow, urgent] = [watch.open(38), watch.open(17)];
    await watch.later(6);
    await moveTo(18, "01:55");
    const [byNight, inHaste] = [watch.open(60), watch.open(10)];
    await moveTo(18, "02:05");
    expect(told(slow)).toEqual(["Novo MED"]);
    expect(told(urgent)).toEqual(["Novo MED", "MED: menos de 6 horas para responder"]);
    expect(told(byNight)).toEqual([]);
    expect(told(inHaste)).toEqual(["Novo MED"]);
    await moveTo(18, "06:55");
    expect(told(slow)).toEqual(["Novo MED"]);
    await moveTo(18, "07:00");
    expect(told(slow)).toEqual(["Novo MED", "MED: menos de 24 horas para responder"]);
    expect(told(byNight)).toEqual(["Novo MED"]);
    expect(told(urgent).at(-1)).toBe("MED: o prazo passou sem resposta");
  });

  test("the owner's word silences reminders, until the service says otherwise", async () => {
    const id = watch.open(30);
    await watch.later(6);
    const answer = messageOf(await watch.moneyDriver.press(watch.latest(id), "meds:respondi:"));
    expect(textOf(answer)).toContain("Anotado: você já respondeu");
    const putOff = textOf(await watch.moneyDriver.press(watch.latest(id), "meds:adiar:"));
    expect(putOff).toContain("Anotado: você já respondeu");
    expect(putOff).not.toContain("Nenhum lembrete");
    const back = textOf(await watch.moneyDriver.press(answer, "meds:lembrar:"));
    expect(back).toContain("Volto a lembrar você deste MED");
    await watch.moneyDriver.press(watch.latest(id), "meds:respondi:");
    await watch.later(12 * 60);
    expect(watch.told(id)).toEqual(["Novo MED"]);
    await watch.later(12.5 * 60);
    await watch.later(6);
    expect(watch.told(id).slice(1)).toEqual(["MED: menos de 6 horas para responder"]);
  });

  test("putting off holds reminders back for six hours, and never the last ones", async () => {
    const id = watch.open(25);
    await watch.later(6);
    const detail = messageOf(await watch.moneyDriver.press(watch.latest(id), "meds:ver:"));
    const snoozed = await watch.moneyDriver.press(watch.latest(id), "meds:adiar:");
    expect(textOf(snoozed)).toContain("Lembretes pausados");
    await watch.later(5 * 60);
    expect(watch.told(id)).toEqual(["Novo MED"]);
    await watch.later(61);
    expect(watch.told(id).slice(1)).toEqual(["MED: menos de 24 horas para responder"]);
    // Half an hour before the last six hours, so it is postponed only until those begin.
    await watch.later(12.25 * 60);
    await watch.moneyDriver.press(watch.latest(id), "meds:adiar:");
    await watch.later(45);
    expect(watch.told(id).slice(2)).toEqual(["MED: menos de 6 horas para responder"]);
    expect(textOf(await watch.moneyDriver.press(detail, "meds:adiar:"))).toContain(
      "Não dá mais para pausar",
    );
  });
});
