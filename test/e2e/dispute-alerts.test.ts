import { beforeEach, describe, expect, test } from "vitest";
import { ANA } from "#src/sandbox/world.ts";
import { HOUR } from "#src/shared/time.ts";
import { databases } from "../support/databases.ts";
import { createWatch, type Watch } from "./support/disputes.ts";
import { openStage, type Stage, textOf } from "./support/stage.ts";

describe.each(databases)("alerts of disputes on $name", (kind) => {
  let stage: Stage;
  let watch: Watch;

  beforeEach(async () => {
    stage = await openStage(kind);
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

  test("an answer stops the reminders, and the decision is told", async () => {
    const id = watch.open(30);
    await watch.later(6);
    stage.sandbox.wallet.answerMed(ANA.id, id, { status: "disagreed", text: "Foi entregue." });
    await watch.later(6);
    await watch.later(25 * 60);
    expect(watch.told(id)).toEqual(["Novo MED", "MED respondido"]);
    stage.sandbox.wallet.decideMed(ANA.id, id, "rejected");
    await watch.later(6);
    expect(watch.told(id).slice(2)).toEqual(["MED ganho: valor liberado"]);
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

  // test/disputes covers these two on both databases.
  if (kind !== databases[0]) return;

  test("while the bot was down: all is told as it stands now, a whole life that nobody saw by its end", async () => {
    const [lost, cancelled, expired] = [watch.open(30), watch.open(30), watch.open(30)];
    await watch.later(6);
    await stage.bot().stop();
    stage.sandbox.wallet.decideMed(ANA.id, lost, "accepted");
    stage.sandbox.wallet.cancelMed(ANA.id, cancelled);
    const unseen = watch.open(1);
    stage.sandbox.clock.moveBy(31 * HOUR);
    await stage.restart();
    await stage.bot().tick();
    await watch.later(6);
    expect(watch.told(lost)).toEqual(["Novo MED", "MED perdido: devolvido ao pagador"]);
    expect(watch.told(cancelled)).toEqual(["Novo MED", "MED cancelado"]);
    expect(watch.told(expired)).toEqual(["Novo MED", "MED: o prazo passou sem resposta"]);
    expect(watch.told(unseen)).toEqual(["MED: o prazo passou sem resposta"]);
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
