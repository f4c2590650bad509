import { monitorEventLoopDelay } from "node:perf_hooks";
import { setImmediate } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { MINUTE } from "#src/shared/time.ts";
import { openStage, type Stage } from "../support/stage.ts";

const SELLERS = 500;
const GUILDS = 3;
const MINUTES_PER_DAY = 1_440;
const START = "2026-11-20T00:00Z";
/** Report times spread over the day, in several zones. */
const ROUTES = [
  { time: "21:05", timeZone: "America/Sao_Paulo" },
  { time: "08:30", timeZone: "America/Manaus" },
  { time: "18:45", timeZone: "Europe/Lisbon" },
] as const;

const settle = async (stage: Stage): Promise<void> => {
  const since = Temporal.Instant.from("2026-11-01T12:00Z");
  const dayBefore = Temporal.PlainDate.from("2026-11-18");
  for (let guild = 0; guild < GUILDS; guild++) {
    await stage.saveRoute({
      guildId: `g${guild}`,
      channelId: `c${guild}`,
      since,
      ...ROUTES[guild],
    });
    for (let seller = 0; seller < SELLERS; seller++) {
      const id = await stage.addSeller({ guildId: `g${guild}`, ownerId: `u${seller}`, since });
      await stage.stores.ledger.record(id, dayBefore, undefined, since);
    }
  }
};

/** Sellers of the guild without the last day that was due. */
const owedBy = async ({ stores }: Stage, guildId: string): Promise<number> => {
  const sellers = await stores.ledger.sellersOf(guildId);
  return sellers.filter(({ lastDay }) => lastDay?.toString() !== "2026-11-19").length;
};

it("tells 1,500 sellers of one day in one post for each server, and none early", async () => {
  const stage = await openStage(START);
  await settle(stage);
  const bot = stage.startProcess();
  onTestFinished(bot.stop);
  const delay = monitorEventLoopDelay({ resolution: 5 });

  const started = performance.now();
  const cpuBefore = process.cpuUsage();
  delay.enable();
  for (let minute = 0; minute < MINUTES_PER_DAY; minute++) {
    await bot.tick();
    await setImmediate();
    stage.clock.moveBy(MINUTE);
  }
  delay.disable();
  const seconds = (performance.now() - started) / 1_000;
  const { user, system } = process.cpuUsage(cpuBefore);

  for (const [guild, { time, timeZone }] of ROUTES.entries()) {
    const posted = stage.channels.inChannel(`c${guild}`);
    const hours = posted.map(({ at }) => at.toZonedDateTimeISO(timeZone).toPlainTime().toString());
    expect(new Set(hours)).toEqual(new Set([`${time}:00`]));
    expect(posted).toHaveLength(1);
    // The ten best and the rest, all of them with the same sales.
    const [text = ""] = posted.map((post) => post.text.replaceAll("\u00a0", " "));
    expect(new Set(text.match(/<@u\d+>/g)).size).toBe(10);
    expect(text).toContain(`e mais ${SELLERS - 10}: **R$ 49.000,00** · 490 vendas`);
    expect(await owedBy(stage, `g${guild}`)).toBe(0);
  }
  expect(stage.channels.messages).toHaveLength(GUILDS);
  console.log(
    `24 simulated hours, ${SELLERS} sellers in ${GUILDS} guilds each: ${seconds.toFixed(2)} s ` +
      `(${((user + system) / 1e6).toFixed(2)} s of processor), longest block of the event loop ` +
      `${(delay.max / 1e6).toFixed(0)} ms`,
  );
});
