import { expect, onTestFinished, test } from "vitest";
import { HOUR, MINUTE } from "#src/shared/time.ts";
import { createVirtualClock } from "#src/sandbox/clock.ts";
import { createClockMoves } from "#src/sandbox/page/demo-controls.ts";
import { runClock } from "#src/sandbox/pass-time.ts";
import { startDemo } from "#src/sandbox/start-demo.ts";
import { ANA, CARLA, CHANNELS } from "#src/sandbox/world.ts";
import { buttonOf, connect, messageOf, textOf, type } from "../e2e/support/stage.ts";

/** 20:00 in Brasília. */
const START = Temporal.Instant.from("2026-11-19T23:00:00Z");

test("a time that no number of steps divides is run to in whole milliseconds", async () => {
  const clock = createVirtualClock(START);
  const moments: number[] = [];
  clock.onMove(() => void moments.push(clock.offsetMs()));
  await runClock(clock, clock.now().add({ milliseconds: 2 * 24 * HOUR + 7 }));
  expect(moments.length).toBeGreaterThan(100);
  expect(moments.every(Number.isInteger)).toBe(true);
});

test("a move of the demo's clock that fails keeps no later move from running", async () => {
  const clock = createVirtualClock(START);
  const move = createClockMoves(clock);
  const leave = clock.onMove(() => Promise.reject(new RangeError("a listener failed")));
  await expect(move({ kind: "by", minutes: 1 })).rejects.toThrow("a listener failed");
  leave();
  expect(await move({ kind: "by", minutes: 1 })).toBe("moved");
});

test("an hour that is run through brings each thing at its own time, and none late", async () => {
  const demo = await startDemo(0, { start: START });
  onTestFinished(demo.stop);
  const { clock, discord, wallet } = demo.sandbox;
  const ana = discord.person(ANA.id);
  await type(discord.person(CARLA.id), "config relatorio", { canal: CHANNELS.vendas.id });
  const connected = messageOf(await connect(ana, ANA.apiKey));
  await ana.click(connected.id, buttonOf(connected, /Pode postar/));
  const id = wallet.openMed(ANA.id, {
    amountCents: 89_50,
    situationType: "FRAUDE",
    hoursToAnswer: 1,
    original: undefined,
  });
  const target = clock.now().add({ minutes: 70 });
  await runClock(clock, target);

  const reports = discord.messages(CHANNELS.vendas.id);
  expect(reports).toHaveLength(1);
  expect(reports.map(textOf).join()).not.toMatch(/atrasad/i);
  const alerts = discord.directMessages(ANA.id).filter((message) => textOf(message).includes(id));
  expect(alerts.map(({ embeds }) => embeds[0]?.title)).toEqual([
    "Novo MED de R$\u00a089,50: 1 hora para responder",
    "MED de R$\u00a089,50: o prazo passou sem resposta",
  ]);
  // The clock stops at its target and then runs at normal speed.
  const beyondMs = clock.now().epochMilliseconds - target.epochMilliseconds;
  expect(beyondMs).toBeGreaterThanOrEqual(0);
  expect(beyondMs).toBeLessThan(MINUTE);
});
