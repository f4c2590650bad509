import { createDice } from "../../simulate/dice.ts";
import type { DatabaseServer } from "./database.ts";
import { kill, nextMove, settle, suspend, untilTheMoment, verdictOf } from "./life.ts";
import { bugOf, type PlantedName } from "./planted.ts";
import type { RealBot } from "./real-bot.ts";
import { readRest } from "./journal.ts";
import { decide } from "./people.ts";
import { type MoneyStage, openMoneyStage } from "./stage.ts";
import type { MoneyVerdict } from "./verdict.ts";

const HELD =
  "select id from withdraw_op where state in ('confirmed', 'sending') " +
  "union select id from charge where state = 'creating'";

/** Whether the bug shows only after the bot has settled. */
export const isLate = (bug: PlantedName): boolean => bugOf(bug).shows === "late";

export const isCaught = (bug: PlantedName, { double, wrong, untold }: MoneyVerdict): boolean =>
  isLate(bug) ? untold > 0 : double + wrong > 0;

/** Marks the killed bots as alive until now. */
const forgetSilence = async ({ database, sandbox }: MoneyStage): Promise<void> => {
  const alive = sandbox.clock.now().toString({ smallestUnit: "millisecond" });
  await database.query("delete from database_restore");
  await database.query(`update storage_state set alive_at = '${alive}'`);
};

/** Messages are dropped after seven days and lost charges after three, which bots that live for seconds reach easily. */
const MOST_HOURS = { message: 3 * 24, charge: 12 };

const isBehind = async ({ database, sandbox }: MoneyStage): Promise<boolean> => {
  const ago = (hours: number): string => sandbox.clock.now().subtract({ hours }).toString();
  const late = await database.query(
    `select id from charge where state in ('creating', 'unknown') and created_at < '${ago(MOST_HOURS.charge)}' ` +
      "union all select dedupe_key as id from outbox " +
      `where settled_at is null and created_at < '${ago(MOST_HOURS.message)}'`,
  );
  return late.length > 0;
};

export interface MoneyRun extends MoneyVerdict {
  readonly kills: number;
  /** Kills that left an operation between its confirmation and its outcome. */
  readonly midway: number;
  readonly faults: number;
  readonly dashboard: number;
}

/**
 * Kills processes of the real bot `kills` times while a third of the wallet's answers fail, then compares the journal
 * with the service's books. With a planted bug it compares after each kill and stops at the first finding.
 */
export const moneyCrashLoop = async (
  server: DatabaseServer,
  kills: number,
  seed: number,
  planted?: PlantedName,
): Promise<MoneyRun> => {
  const dice = createDice(seed);
  const stage = await openMoneyStage(server, { planted, sales: true });
  let killed = 0;
  let midway = 0;
  let held: ReadonlySet<unknown> = new Set();
  const bug = planted && bugOf(planted);
  let bots: RealBot[] = Array.from({ length: server.processes }, stage.startRealBot);
  const runOf = async (verdict: MoneyVerdict): Promise<MoneyRun> => {
    const books = stage.sellers.flatMap(({ id }) => stage.sandbox.wallet.executed(id));
    const dashboard = books.filter(({ source }) => source === "dashboard").length;
    return { ...verdict, kills: killed, midway, faults: stage.sandbox.faults.count(), dashboard };
  };
  try {
    for (let life = 0; killed < kills; life++) {
      stage.breakThings(seed + life);
      stage.sandbox.wallet.settings.latencyMs = dice.between(0, 12);
      await untilTheMoment(stage, dice, bots, bug);
      const doomed = bots.filter(
        (_, index) => index === life % bots.length || dice.fraction() < 0.3,
      );
      await Promise.all(doomed.map(kill));
      killed += doomed.length;
      const left = new Set((await stage.database.query(HELD)).map(({ id }) => id));
      if ([...left].some((id) => !held.has(id))) midway++;
      held = left;
      if (planted !== undefined && !isLate(planted)) {
        const verdict = await verdictOf(stage);
        if (isCaught(planted, verdict)) return await runOf(verdict);
      }
      // Hundreds of starts in an hour exist only in this test; the bot rightly slows down after them.
      await stage.database.query("delete from identify_start");
      const ms = nextMove(dice, !stage.isYoung() || (await isBehind(stage)));
      await suspend(stage, bots, ms);
      // After a silence withdrawals wait for their owner, which would hide a planted bug and keep most orders from
      // being sent.
      if (planted !== undefined || dice.fraction() < 0.7) await forgetSilence(stage);
      for (const seller of stage.sellers) await decide(stage, seller).catch(() => {});
      bots = bots.map((bot) => (doomed.includes(bot) ? stage.startRealBot() : bot));
    }
    await settle(stage, bots);
    const verdict = await verdictOf(stage);
    if (verdict.findings.length === 0) return await runOf(verdict);
    return await runOf({
      ...verdict,
      findings: [...verdict.findings, ...(await readRest(stage.database))],
    });
  } finally {
    for (const bot of bots) bot.kill("SIGKILL");
    await stage.close();
  }
};
