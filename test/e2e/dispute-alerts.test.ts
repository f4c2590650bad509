import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ANA, CARLA, CHANNELS } from "#src/sandbox/world.ts";
import { databases } from "../support/databases.ts";
import { createTill, type Till } from "./support/money.ts";
import { isAlert, messageOf, openStage, type Stage, textOf } from "./support/stage.ts";

describe.each(databases)("alerts of disputes on $name", (kind) => {
  let stage: Stage;
  let till: Till;

  const open = (hoursToAnswer: number): string =>
    stage.sandbox.wallet.openMed(ANA.id, {
      amountCents: 12_345,
      situationType: "FRAUDE",
      hoursToAnswer,
      original: undefined,
    });
  const later = (minutes: number): Promise<void> =>
    stage.moveTo(stage.sandbox.clock.now().add({ minutes }).toString());
  const alerts = (messages = stage.sandbox.discord.directMessages(ANA.id)) =>
    messages.filter(isAlert);
  /** Titles of what was told of one, in the order it came. */
  const told = (id: string, messages = alerts()): readonly string[] =>
    messages.flatMap((message) =>
      textOf(message).includes(id) ? [message.embeds[0]?.title ?? ""] : [],
    );

  beforeEach(async () => {
    stage = await openStage(kind);
    await stage.connectAna();
    till = createTill(stage);
    await later(6);
  });

  afterEach(() => stage.close());

  test(
    "a new one is announced once, and each reminder once, over a restart",
    { timeout: 60_000 },
    async () => {
      const id = open(30);
      await later(6);
      await later(6);
      expect(told(id)).toEqual(["Novo MED"]);
      await later(6 * 60);
      await stage.restart();
      await stage.bot().tick();
      await later(1);
      expect(told(id).slice(1)).toEqual(["MED: menos de 24 horas para responder"]);
      // What passed while nobody looked is one reminder.
      await later(23 * 60);
      await later(6);
      expect(told(id).slice(2)).toEqual(["MED: menos de 1 hora para responder"]);
      await later(2 * 60);
      await later(6);
      expect(told(id).slice(3)).toEqual(["MED: o prazo passou sem resposta"]);
    },
  );

  test("an answer stops the reminders, and the decision is told", async () => {
    const id = open(30);
    await later(6);
    stage.sandbox.wallet.answerMed(ANA.id, id, { status: "disagreed", text: "Foi entregue." });
    await later(6);
    await later(25 * 60);
    expect(told(id)).toEqual(["Novo MED", "MED respondido"]);
    stage.sandbox.wallet.decideMed(ANA.id, id, "rejected");
    await later(6);
    expect(told(id).slice(2)).toEqual(["MED ganho: valor liberado"]);
  });

  test("the owner's word silences reminders, until the service says otherwise", async () => {
    const id = open(30);
    await later(6);
    const alert = alerts().find((message) => textOf(message).includes(id));
    if (alert === undefined) throw new Error("Nothing was told");
    const answer = messageOf(await till.press(alert, "meds:respondi:"));
    expect(textOf(answer)).toContain("Anotado: você já respondeu");
    await later(12 * 60);
    expect(told(id)).toEqual(["Novo MED"]);
    await later(12.5 * 60);
    await later(6);
    expect(told(id).slice(1)).toEqual(["MED: menos de 6 horas para responder"]);
  });

  test("a channel takes them with a ping, and when it is lost its owner does", async () => {
    const role = stage.sandbox.discord.person(CARLA.id);
    const saved = await role.command({
      channelId: CHANNELS.geral.id,
      name: "config",
      subcommand: "alertas",
      options: { canal: CHANNELS.avisos.id },
    });
    expect(textOf(saved)).toContain("Alertas de MED salvos");
    const where = { channelId: CHANNELS.geral.id, name: "conta", subcommand: "ver" };
    const shown = messageOf(await till.person.command(where));
    await till.person.select(shown.id, `conta:alertas:${ANA.id}`, ["channel"]);
    const first = open(100);
    await later(6);
    const posted = alerts(stage.sandbox.discord.messages(CHANNELS.avisos.id));
    expect(told(first, posted)).toEqual(["Novo MED"]);
    expect(told(first)).toEqual([]);

    stage.sandbox.discord.deleteChannel(CHANNELS.avisos.id);
    const second = open(100);
    await later(6);
    await later(1);
    expect(told(second)).toEqual(["Novo MED"]);
    const carlas = stage.sandbox.discord.directMessages(CARLA.id).map(textOf);
    expect(carlas).toEqual([expect.stringContaining("mudaram para mensagem direta")]);
  });
});
