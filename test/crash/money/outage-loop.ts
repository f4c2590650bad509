import { setTimeout as pause } from "node:timers/promises";
import { CHANNELS } from "#src/sandbox/world.ts";
import { createDice } from "../../simulate/dice.ts";
import { judge as judgeReports, owedReports } from "../verdict.ts";
import type { MoneyRun } from "./crash-loop.ts";
import type { DatabaseServer } from "./database.ts";
import { nextMove, settle, suspend, untilTheMoment, verdictOf } from "./life.ts";
import type { RealBot } from "./real-bot.ts";
import { FIRST_DAY, type MoneyStage, openMoneyStage } from "./stage.ts";

const LOST = "the database is away";
const FOUND = "the database answers again";
const UNCAUGHT = "an error that nothing caught";
const FOUND_WITHIN_MS = 60_000;
const LOOKED_EVERY_MS = 20;
/** Beyond this the clock stops skipping days, because reports are dropped after seven. */
const MOST_BEHIND_DAYS = 3;

interface OutageRun extends MoneyRun {
  /** Number of cut connections while the server stayed up. */
  readonly cuts: number;
  /** Bots that ended, for any reason. */
  readonly deaths: number;
  /** Outages that a bot reported. */
  readonly outages: number;
  readonly owed: number;
  readonly lost: number;
  readonly twice: number;
}

const reportsOf = (stage: MoneyStage) =>
  judgeReports(
    owedReports(
      stage.sellers.map(({ id }) => id),
      FIRST_DAY,
      stage.sandbox.clock.now(),
    ),
    stage.sandbox.discord.messages(CHANNELS.vendas.id),
  );

/** Resolves when every bot that reported the database as away has reported its return. */
const untilFound = async (bots: readonly RealBot[]): Promise<void> => {
  const isFound = (bot: RealBot): boolean => bot.hasEnded() || bot.said(FOUND) >= bot.said(LOST);
  for (let waitedMs = 0; !bots.every(isFound); waitedMs += LOOKED_EVERY_MS) {
    if (waitedMs > FOUND_WITHIN_MS)
      throw new Error(`The database is not found again:\n${bots[0]?.output()}`);
    await pause(LOOKED_EVERY_MS);
  }
};

/**
 * Kills the database server `kills` times, restarts it and cuts its connections, under bots that run throughout while
 * people withdraw and reports fall due. Then compares the books and the channel.
 */
export const outageLoop = async (
  server: Required<DatabaseServer>,
  kills: number,
  seed: number,
): Promise<OutageRun> => {
  const dice = createDice(seed);
  const stage = await openMoneyStage(server, { reports: true, sales: true });
  const first = Array.from({ length: server.processes }, stage.startRealBot);
  let bots = first;
  let cuts = 0;
  let deaths = 0;
  let midway = 0;
  let outages = 0;
  const raiseTheDead = (): void => {
    bots = bots.map((bot) => {
      if (!bot.hasEnded() && bot.said(UNCAUGHT) === 0) return bot;
      deaths++;
      console.error(bot.output().split("\n").slice(-20).join("\n"));
      return stage.startRealBot();
    });
  };
  try {
    await Promise.all(bots.map((bot) => bot.ready));
    for (let cycle = 0; cycle < kills; cycle++) {
      stage.breakThings(seed + cycle);
      stage.sandbox.wallet.settings.latencyMs = dice.between(0, 12);
      if (dice.fraction() < 0.5) {
        await untilTheMoment(stage, dice, bots);
        server.cut();
        cuts++;
      }
      await untilTheMoment(stage, dice, bots);
      await server.kill();
      await pause(dice.between(0, 1_500));
      await server.start();
      const left = await stage.database.query(
        "select id from withdraw_op where state in ('confirmed', 'sending')",
      );
      if (left.length > 0) midway++;
      raiseTheDead();
      await untilFound(bots);
      const behind = reportsOf(stage).lost > MOST_BEHIND_DAYS * stage.sellers.length;
      await suspend(stage, bots, nextMove(dice, behind));
    }
    outages = bots.reduce((sum, bot) => sum + bot.said(LOST), 0);
    await settle(stage, bots, () => reportsOf(stage).lost === 0);
    const { owed, lost, twice } = reportsOf(stage);
    const books = stage.sellers.flatMap(({ id }) => stage.sandbox.wallet.executed(id));
    const dashboard = books.filter(({ source }) => source === "dashboard").length;
    const faults = stage.sandbox.faults.count();
    const verdict = await verdictOf(stage);
    const findings = [
      ...verdict.findings,
      ...(deaths > 0 ? [`${deaths} bots ended while the database was away`] : []),
      ...(lost + twice > 0 ? [`${lost} reports were lost, ${twice} posted twice`] : []),
    ];
    const counts = { kills, midway, faults, dashboard, cuts, deaths, outages, owed, lost, twice };
    return { ...verdict, ...counts, findings };
  } finally {
    for (const bot of bots) bot.kill("SIGKILL");
    await stage.close();
  }
};
