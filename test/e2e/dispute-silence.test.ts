import { beforeEach, describe, expect, test } from "vitest";
import { ANA, CHANNELS } from "#src/sandbox/world.ts";
import { oneDatabase } from "../support/databases.ts";
import { createWatch, type Watch } from "./support/disputes.ts";
import { messageOf, openStage, type Stage, textOf } from "./support/stage.ts";

describe.each(oneDatabase)("silence about disputes on $name", (kind) => {
  let stage: Stage;
  let watch: Watch;

  /** Local time in Brasília; the stage begins at 09:00 on the 17th. */
  const moveTo = (day: number, time: string): Promise<void> =>
    stage.moveTo(`2026-11-${day}T${time}:00-03:00`);

  beforeEach(async () => {
    stage = await openStage(kind);
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

  test("what was held back and is no longer true is not told at their end", async () => {
    const route = await watch.setRoute({ canal: CHANNELS.avisos.id });
    await watch.setQuiet(route, "22:00-07:00");
    await moveTo(17, "12:00");
    const id = watch.open(38);
    await watch.later(6);
    await moveTo(18, "02:30");
    stage.sandbox.wallet.cancelMed(ANA.id, id);
    await moveTo(18, "07:00");
    await watch.later(6);
    expect(watch.told(id)).toEqual(["Novo MED", "MED cancelado"]);
  });

  test("the owner's word silences reminders, until the service says otherwise", async () => {
    const id = watch.open(30);
    await watch.later(6);
    const answer = messageOf(await watch.moneyDriver.press(watch.latest(id), "meds:respondi:"));
    expect(textOf(answer)).toContain("Anotado: você já respondeu");
    const putOff = textOf(await watch.moneyDriver.press(watch.latest(id), "meds:adiar:"));
    expect(putOff).toContain("Os lembretes já estão parados");
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
    expect(textOf(snoozed)).toContain("Lembretes adiados");
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
      "Não dá mais para adiar",
    );
  });
});
