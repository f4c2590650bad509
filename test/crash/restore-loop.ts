import { execFile } from "node:child_process";
import { copyFileSync, rmSync } from "node:fs";
import { promisify } from "node:util";
import type { StoredMessage } from "#src/sandbox/discord/state.ts";
import type { BotProcess } from "#src/sandbox/start-bot-process.ts";
import { CHANNELS } from "#src/sandbox/world.ts";
import { MINUTE, DAY } from "#src/shared/time.ts";
import { type Dice, createDice } from "../simulate/dice.ts";
import { lookWhileTimePasses } from "./look-while-time-passes.ts";
import { sqliteServer } from "./money/database.ts";
import { readJournal } from "./money/journal.ts";
import { decide } from "./money/people.ts";
import { FIRST_DAY, type MoneyStage, movesMoney, openMoneyStage } from "./money/stage.ts";
import { judge } from "./money/verdict.ts";
import { judge as judgeReports, owedReports } from "./verdict.ts";
import { placeOrder, type Wish } from "./restore-people.ts";

const SETTLING_ROUNDS = 40;
const TITLE = "Os saques desta conta esperam você";
/** The owner is asked about such an operation once; until then the account's money waits. */
const UNDECIDED = "select owner_id from withdraw_op where state in ('unknown', 'manual')";
/** Accounts whose owner has yet to answer for an earlier restore, in the restored copy. */
const UNANSWERED = `
  select owner_id from account left join restore_check on restore_check.account_fp = account.account_fp
  where coalesce(cleared, 0) < (select max(number) from database_restore)`;
const OPEN =
  "select count(*) as n from withdraw_op where state in ('confirmed', 'sending', 'unknown')";

interface RestoreRun {
  readonly restores: number;
  readonly executed: number;
  /** Executed withdrawals that a restored copy was missing. */
  readonly lost: number;
  readonly asked: number;
  readonly told: number;
  readonly double: number;
  readonly wrong: number;
  readonly reports: number;
  readonly reportsLost: number;
  readonly reportsTwice: number;
  readonly findings: readonly string[];
}

const run = promisify(execFile);

/** Runs an operator program on the stage's database. */
const operate = async (stage: MoneyStage, program: string, file: string): Promise<void> => {
  const settings = stage.sandbox.botEnvironment(stage.database.url);
  const env = { PATH: process.env["PATH"], ...settings };
  await run(process.execPath, [`src/${program}.ts`, file], { env });
};

const noticesOf = ({ sandbox }: MoneyStage, sellerId: string): readonly StoredMessage[] =>
  sandbox.discord.directMessages(sellerId).filter(({ embeds }) => embeds[0]?.title === TITLE);

/** The message asks the owner to check the dashboard, because the list did not reach back far enough. */
const isByHand = ({ components }: StoredMessage): boolean =>
  JSON.stringify(components).includes("Conferi no painel");

const ownersIn = async ({ database }: MoneyStage, query: string): Promise<ReadonlySet<unknown>> =>
  new Set((await database.query(query)).map(({ owner_id: id }) => id));

const executedOf = (stage: MoneyStage, sellerId: string): ReadonlySet<number> =>
  new Set(stage.sandbox.wallet.executed(sellerId).map(({ amountCents }) => amountCents));

const NEVER_SENT = ["draft", "abandoned"];

/** Executed withdrawals of these wishes that the copy is missing, by seller. */
const lostIn = async (
  stage: MoneyStage,
  wishes: readonly Wish[],
): Promise<ReadonlyMap<string, number>> => {
  const journal = await readJournal(stage.database);
  const known = new Set(
    journal
      .filter(({ state }) => !NEVER_SENT.includes(state))
      .map(({ amountCents }) => amountCents),
  );
  const lost = new Map<string, number>();
  for (const { seller, amounts } of wishes) {
    const made = executedOf(stage, seller.id);
    const gone = amounts.filter((amount) => made.has(amount) && !known.has(amount)).length;
    lost.set(seller.id, (lost.get(seller.id) ?? 0) + gone);
  }
  return lost;
};

const kill = async (bot: BotProcess): Promise<void> => {
  bot.kill("SIGKILL");
  const { code, signal } = await bot.exited;
  if (signal !== "SIGKILL") throw new Error(`The bot ended with ${code}:\n${bot.output()}`);
};

/** Restores the copy: with the program, or by hand like an operator unaware of it. */
const putBack = async (stage: MoneyStage, file: string, dice: Dice): Promise<void> => {
  if (dice.fraction() < 0.5) return await operate(stage, "restore", file);
  const path = stage.database.url.slice("sqlite:".length);
  for (const end of ["-wal", "-shm"]) rmSync(`${path}${end}`, { force: true });
  // Sometimes the mark is lost as well, as with a copy on a new machine.
  if (dice.fraction() < 0.2) rmSync(`${path}.mark`, { force: true });
  copyFileSync(file, path);
};

/** What explains a finding: the seller's orders and messages, and the restores that the bot noticed. */
const factsAbout = async ({ database }: MoneyStage, sellerId: string): Promise<string> =>
  JSON.stringify({
    orders: await database.query(
      `select state, amount_cents, created_at from withdraw_op where owner_id = '${sellerId}'`,
    ),
    messages: await database.query(
      `select dedupe_key, state from outbox where target_id = '${sellerId}' and settled_at is null`,
    ),
    restores: await database.query("select cause, noticed_at from database_restore"),
  });

/** Advances time until the last reconciliation has ended. */
const settle = async (stage: MoneyStage, bot: BotProcess): Promise<void> => {
  for (let round = 0; round < SETTLING_ROUNDS; round++) {
    stage.sandbox.clock.moveBy(7 * MINUTE);
    await lookWhileTimePasses(stage.sandbox, [bot]);
    const [row] = await stage.database.query(OPEN);
    if (Number(row?.["n"]) === 0) return;
  }
};

/** Lets the ten-minute check of each account run. */
const lookAtEach = async ({ sandbox }: MoneyStage, bot: BotProcess): Promise<void> => {
  sandbox.clock.moveBy(11 * MINUTE);
  await lookWhileTimePasses(sandbox, [bot]);
};

/**
 * Sellers with an unfulfilled wish order again, following the bot's answer. Gives how many were asked to check first.
 * One order of a seller follows another: who is asked sees every withdrawal of theirs, and the answer frees the account
 * for all their orders.
 */
const wishAgain = async (stage: MoneyStage, wishes: readonly Wish[]): Promise<number> => {
  let asked = 0;
  const journal = await readJournal(stage.database);
  const orderAgain = async (wish: Wish, others: readonly Wish[]): Promise<void> => {
    if (wish.seen) return;
    const known = journal.filter(({ amountCents }) => wish.amounts.includes(amountCents));
    if (known.some(({ state }) => state !== "not_executed" && state !== "abandoned")) return;
    if ((await placeOrder(stage, wish)) !== "asked") return;
    asked += 1;
    const made = executedOf(stage, wish.seller.id);
    for (const other of others) other.seen ||= other.amounts.some((amount) => made.has(amount));
    if (!wish.seen) await placeOrder(stage, wish);
  };
  const bySeller = Map.groupBy(wishes, ({ seller }) => seller);
  await Promise.all(
    [...bySeller.values()].map(async (own) => {
      for (const wish of own) await orderAgain(wish, own);
    }),
  );
  return asked;
};

/** Backs up under load, works on, kills the bot, restores, and compares the books; repeats this `cycles` times. */
export const restoreLoop = async (cycles: number, seed: number): Promise<RestoreRun> => {
  const dice = createDice(seed);
  const stage = await openMoneyStage(sqliteServer, { reports: true });
  const { sellers, sandbox } = stage;
  const everyWish: Wish[] = [];
  const findings: string[] = [];
  const counts = { lost: 0, asked: 0, told: 0, double: 0, wrong: 0 };
  /** The backup of the cycle before, and the wishes since then. */
  let earlier: { readonly file: string; readonly wishes: readonly Wish[] } | undefined;
  let bot = await stage.startBot();
  await bot.ready;
  try {
    for (let cycle = 0; cycle < cycles; cycle++) {
      // An operation that waits for its owner locks the account: without their decisions ever fewer orders would be
      // sent.
      for (const seller of sellers) await decide(stage, seller);
      const file = `${stage.database.url.slice("sqlite:".length)}.backup-${cycle}`;
      const wishes = sellers.map((seller): Wish => ({ seller, amounts: [], seen: false }));
      everyWish.push(...wishes);
      stage.breakThings(seed + cycle);
      const orders = wishes.map((wish) => placeOrder(stage, wish).catch(() => {}));
      await Promise.race([stage.asked(movesMoney, dice.between(1, 6)), Promise.all(orders)]);
      await operate(stage, "backup", file);
      await Promise.all(orders);
      stage.mendThings();
      if (dice.fraction() < 0.6) sandbox.clock.moveBy(dice.fraction() < 0.5 ? DAY : 30 * MINUTE);
      await bot.tick();
      const later = sellers
        .slice(0, 4)
        .map((seller): Wish => ({ seller, amounts: [], seen: false }));
      everyWish.push(...later);
      await settle(stage, bot);
      await Promise.all(later.map((wish) => placeOrder(stage, wish).catch(() => {})));
      await kill(bot);
      sandbox.clock.moveBy(dice.between(1, 40) * MINUTE);
      const before = new Map(sellers.map(({ id }) => [id, noticesOf(stage, id).length]));
      const now = { file, wishes: [...wishes, ...later] };
      const copy =
        earlier !== undefined && dice.fraction() < 0.25
          ? { file: earlier.file, wishes: [...earlier.wishes, ...now.wishes] }
          : now;
      await putBack(stage, copy.file, dice);
      earlier = now;
      await stage.database.query("delete from identify_start");
      const lostBy = await lostIn(stage, copy.wishes);
      const unanswered = await ownersIn(stage, UNANSWERED);
      bot = await stage.startBot();
      await bot.ready;
      counts.asked += await wishAgain(stage, [...wishes, ...later]);
      await settle(stage, bot);
      await lookAtEach(stage, bot);
      counts.asked += await wishAgain(stage, [...wishes, ...later]);
      await settle(stage, bot);
      // An account is compared once its reconciliation has ended.
      await lookAtEach(stage, bot);
      const undecided = await ownersIn(stage, UNDECIDED);
      for (const { id } of sellers) {
        const notices = noticesOf(stage, id).slice(before.get(id) ?? 0);
        const told = notices.filter((message) => !isByHand(message)).length;
        const lost = lostBy.get(id) ?? 0;
        counts.told += notices.length;
        counts.lost += lost;
        const isRight =
          told === (lost > 0 ? 1 : 0) ||
          (told === 0 && (undecided.has(id) || notices.length === 1)) ||
          (told === 1 && unanswered.has(id));
        if (!isRight || notices.length > told + 1)
          findings.push(
            `cycle ${cycle}: ${id} lost ${lost} and was told ${told} times; ${await factsAbout(stage, id)}`,
          );
      }
    }
    sandbox.clock.moveBy(DAY);
    await settle(stage, bot);
    await bot.stop();
    for (const { seller, amounts } of everyWish) {
      const made = sandbox.wallet
        .executed(seller.id)
        .filter(({ amountCents }) => amounts.includes(amountCents));
      if (made.length <= 1) continue;
      counts.double += 1;
      findings.push(
        `${seller.id} was paid ${made.length} times for one wish: ${amounts.join(", ")}; ` +
          JSON.stringify(made) +
          (await factsAbout(stage, seller.id)),
      );
    }
    const books = sellers.flatMap(({ id }) => sandbox.wallet.executed(id));
    const verdict = judge(await readJournal(stage.database), books);
    const wrong = verdict.findings.filter((finding) => !finding.endsWith("is in no journal"));
    findings.push(...wrong);
    const owed = owedReports(
      sellers.map(({ id }) => id),
      FIRST_DAY,
      sandbox.clock.now(),
    );
    const reports = judgeReports(owed, sandbox.discord.messages(CHANNELS.vendas.id));
    if (reports.lost + reports.twice > 0)
      findings.push(`${reports.lost} reports lost, ${reports.twice} twice`);
    return {
      restores: cycles,
      executed: books.length,
      ...counts,
      wrong: wrong.length,
      reports: reports.posts,
      reportsLost: reports.lost,
      reportsTwice: reports.twice,
      findings,
    };
  } finally {
    bot.kill("SIGKILL");
    await stage.close();
  }
};
