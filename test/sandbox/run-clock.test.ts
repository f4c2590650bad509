import { expect, onTestFinished, test } from "vitest";
import { HOUR, MINUTE } from "#src/shared/time.ts";
import { headline, press, privateMessage, textOf } from "#src/sandbox/check/story.ts";
import { createMoneyDriver } from "#src/sandbox/check/withdrawals.ts";
import { createVirtualClock } from "#src/sandbox/clock.ts";
import { runClock } from "#src/sandbox/pass-time.ts";
import { startDemo } from "#src/sandbox/start-demo.ts";
import { ANA, CARLA, CHANNELS } from "#src/sandbox/world.ts";

const START = Temporal.Instant.from("2026-11-19T18:40:00Z");

/** The demo, with Ana connected and her daily report agreed. */
const open = async () => {
  const demo = await startDemo(0, { start: START });
  onTestFinished(demo.stop);
  const { discord } = demo.sandbox;
  const ana = discord.person(ANA.id);
  const here = { channelId: CHANNELS.geral.id };
  const channel = {
    name: "config",
    subcommand: "relatorio",
    options: { canal: CHANNELS.vendas.id },
  };
  privateMessage(await discord.person(CARLA.id).command({ ...here, ...channel }));
  const form = await ana.command({ ...here, name: "conta", subcommand: "conectar" });
  if (form.kind !== "modal") throw new Error("No form came");
  const connected = await ana.submitModal(form.modal, { api_key: ANA.apiKey });
  await press(ana, privateMessage(connected), "Pode postar");
  return demo;
};

test("a time that no number of steps divides is run to in whole milliseconds", async () => {
  const clock = createVirtualClock(START);
  const moments: number[] = [];
  clock.onMove(() => void moments.push(clock.offsetMs()));
  await runClock(clock, clock.now().add({ milliseconds: 2 * 24 * HOUR + 7 }));
  expect(moments.length).toBeGreaterThan(100);
  expect(moments.every(Number.isInteger)).toBe(true);
});

test("a day that is run through brings each thing at its own time, and none late", async () => {
  const demo = await open();
  const { clock, discord, wallet } = demo.sandbox;
  await createMoneyDriver(demo).withdraw("saque", { valor: "50", modalidade: "normal" });
  const begun = clock.now();
  await runClock(clock, begun.add({ hours: 24 }));

  const reports = discord.messages(CHANNELS.vendas.id);
  expect(reports).toHaveLength(1);
  expect(reports.map(textOf).join()).not.toMatch(/atrasad/i);

  const told = discord
    .directMessages(ANA.id)
    .filter(({ createdAt }) => Temporal.Instant.compare(createdAt, begun) > 0);
  const reminders = told.filter((message) => headline(message).startsWith("MED"));
  expect(reminders.map(headline)).toEqual([
    "MED de R$\u00a089,50: menos de 6 horas para responder",
    "MED de R$\u00a089,50: menos de 1 hora para responder",
    "MED de R$\u00a089,50: o prazo passou sem resposta",
  ]);
  const done = told.find((message) => headline(message).startsWith("Saque concluído"));
  const planned = wallet.executed(ANA.id).at(-1)?.scheduledFor;
  expect(planned?.until(done?.createdAt ?? clock.now()).total("milliseconds")).toBeLessThan(HOUR);
  // The clock stops at its target and then runs at normal speed.
  const beyondMs = clock.now().epochMilliseconds - begun.add({ hours: 24 }).epochMilliseconds;
  expect(beyondMs).toBeGreaterThanOrEqual(0);
  expect(beyondMs).toBeLessThan(MINUTE);
});
