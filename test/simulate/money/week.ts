import { DAY, HOUR, MINUTE, SECOND } from "#src/shared/time.ts";
import { cents } from "#src/shared/money.ts";
import { isSplit, isTurbo } from "#src/withdrawals/withdraw-op.ts";
import { Secret } from "#src/shared/secret.ts";
import { type BotWorld, LostCommit, type Plant } from "./bot.ts";
import { createDice, type Dice } from "../dice.ts";
import type { TrueWithdrawal } from "./truth.ts";
import { type BoundChoice, type Bounds, chosenBound } from "./bounds.ts";
import { KEYS } from "./people.ts";
import { type SeedResult, sumOf } from "../run-seeds.ts";
import { GUILD, keysOf, PEOPLE, walletOf } from "./stage.ts";
import type { StoresStage } from "../stores-stage.ts";
import { drawTerms, drawWeather, type Weather } from "./weather.ts";
import { createWorld, noPlant, START, type World, type WorldOptions } from "./world.ts";

const DAYS = 7;

export interface WeekResult extends SeedResult {
  readonly operations: number;
  readonly unknowns: number;
  /** Operations that waited for their owner. */
  readonly manual: number;
  /** Operations that the bot reported as not executed. */
  readonly denied: number;
  readonly deaths: number;
  /** How often the clock was set back. */
  readonly setBack: number;
  readonly executed: number;
}

/** A process dies after some calls: around the request, or during idle time. */
const drawReach = (dice: Dice, weather: Weather, isOver: () => boolean): BotWorld["reach"] => {
  const mortal = dice.chance(0.7);
  const nervous = mortal && dice.chance(0.4);
  let fuse = mortal ? dice.spread(5, 3_000) : Infinity;
  return (point) => {
    if (isOver()) return { dies: false, holdMs: 0 };
    const atRequest = nervous && /ithdraw:|\.move:|\.amend:|show:/.test(point) && dice.chance(0.04);
    fuse--;
    // The services read their clock and call the client in the same turn; only the client can delay the request.
    const holdMs = /\.(withdraw|splitWithdraw|cancelWithdrawal):before$/.test(point)
      ? 0
      : weather.holdMs(point === "journal.move:after");
    if (fuse > 0 && !atRequest) return { dies: false, holdMs };
    fuse = dice.spread(5, 3_000);
    return { dies: true, holdMs: 0 };
  };
};

/** Removes the key and returns it hours or a day later. */
const disconnectForAWhile = async (
  { time }: World,
  { stores: { accounts } }: StoresStage,
  dice: Dice,
): Promise<void> => {
  const { userId } = dice.pick(PEOPLE);
  const found = await accounts.findWithKey(GUILD, userId);
  if (found === undefined) return;
  await accounts.remove(GUILD, userId, userId, time.clock.now());
  await time.sleep(dice.spread(HOUR, 40 * HOUR));
  const { account, apiKey } = found;
  const wallet = walletOf(apiKey.reveal());
  await accounts.save({ ...account, connectedAt: time.clock.now() }, apiKey, wallet);
};

const ignoreLost = (error: unknown): void => {
  if (!(error instanceof LostCommit)) throw error;
};

/** Replaces the key by another of the same account, as worried people do. */
const replaceKey = async (
  { time }: World,
  { stores: { accounts } }: StoresStage,
  dice: Dice,
): Promise<void> => {
  const { userId, apiKey: account } = dice.pick(PEOPLE);
  const key = new Secret(dice.pick(keysOf(account)));
  const found = await accounts.find(GUILD, userId);
  if (found === undefined) return;
  await accounts.save({ ...found, connectedAt: time.clock.now() }, key, account);
};

/** All actions of people and the dashboard in a week, each with its time. */
const planWeek = (world: World, stage: StoresStage, dice: Dice): void => {
  const { time, truth, people, known, bots } = world;
  const at = (work: () => unknown): void => {
    time.after(dice.between(MINUTE, DAYS * DAY), () => void work());
  };
  const orders = dice.between(2, 6);
  for (let order = 0; order < orders; order++) {
    const person = dice.chance(0.85) ? PEOPLE[dice.between(0, 1)] : PEOPLE[2];
    const { userId } = person ?? PEOPLE[0];
    at(() => {
      void people.order(userId, people.drawOrder());
      // Two people of one account at once, or one person repeating the command.
      if (!dice.chance(0.3)) return;
      const other = PEOPLE[dice.between(0, 1)] ?? PEOPLE[0];
      time.after(dice.between(0, 40 * SECOND), () => {
        void people.order(other.userId, people.drawOrder());
      });
    });
  }
  for (let visit = dice.between(0, 3); visit > 0; visit--) {
    at(() => {
      const pixKey = dice.chance(0.5) ? "somebody@example.com" : dice.pick(KEYS);
      const amount = cents(dice.pick([1_100, 2_500, 3_300]));
      const account = dice.pick(PEOPLE).apiKey;
      truth.place({ account, pixKey, turbo: dice.chance(0.5), amount, opId: undefined });
    });
  }
  const scheduled = () =>
    [...truth.rows.values()].filter(({ status, opId }) => status === "scheduled" && opId);
  for (let whim = dice.between(0, 6); whim > 0; whim--) {
    at(() => {
      const [row] = scheduled();
      const owner = known.get(row?.opId ?? "")?.op.ownerId;
      if (row === undefined || owner === undefined) return;
      if (dice.chance(0.3)) truth.cancel(row.account, row.txid, "dashboard");
      else void people.cancel(owner, row.txid);
    });
  }
  for (let look = dice.between(0, 8); look > 0; look--) {
    at(async () => {
      const found = await stage.stores.accounts.findWithKey(GUILD, dice.pick(PEOPLE).userId);
      const bot = bots()[0];
      if (found && bot)
        await bot.money.watchExternal(found.account, found.apiKey).catch(ignoreLost);
    });
  }
  if (dice.chance(0.15)) at(() => disconnectForAWhile(world, stage, dice));
  for (let change = dice.between(0, 4); change > 0; change--) {
    at(() => replaceKey(world, stage, dice));
  }
  for (let death = dice.between(0, 3); death > 0; death--) {
    at(() => bots()[dice.between(0, Math.max(bots().length - 1, 0))]?.life.kill());
  }
};

/** In a third of the weeks the machine's clock is ahead for a while, by up to a day, before it is set back. */
const planClock = (world: World, dice: Dice): void => {
  if (!dice.chance(0.35)) return;
  const fromMs = dice.chance(0.5) ? 0 : dice.between(MINUTE, 6 * DAY);
  const aheadMs = dice.spread(10 * MINUTE, DAY);
  const backMs = fromMs + dice.spread(HOUR, DAY);
  const { time, people } = world;
  time.after(fromMs, () => world.setClock(aheadMs));
  time.after(backMs, () => world.setClock(0));
  // Operations are rare in a week: these are under way when the clock is set back.
  for (const { userId } of PEOPLE.slice(1)) {
    time.after(backMs - dice.spread(MINUTE, HOUR), () => {
      void people.order(userId, people.drawOrder());
    });
  }
};

/** A person without an answer withdraws repeatedly at the dashboard, which pushes earlier rows off the page. */
const worriedAtTheDashboard =
  (dice: Dice): WorldOptions["onUnknown"] =>
  ({ account }, { time, truth }) => {
    if (!dice.chance(0.35)) return;
    for (let more = dice.between(1, 9); more > 0; more--) {
      time.after(dice.spread(5 * SECOND, 20 * MINUTE), () => {
        const asked = { account, pixKey: "somebody@example.com", amount: cents(1_100) };
        truth.place({ ...asked, turbo: dice.chance(0.8), opId: undefined });
      });
    }
  };

/** Knowledge from earlier weeks: whether the list shows open withdrawals, as far as it does. */
const learnEarlier = async (
  { stores: { openListings, vault } }: StoresStage,
  { listed }: Bounds,
  splitListed: boolean,
): Promise<void> => {
  const row = (txid: string, status: TrueWithdrawal["status"]): TrueWithdrawal => ({
    account: "",
    pixKey: "",
    turbo: true,
    opId: undefined,
    txid,
    amount: cents(1_000),
    requestedMs: 0,
    plannedMs: undefined,
    status,
    changedMs: 0,
    cancelledBy: undefined,
  });
  const isListed = (status: TrueWithdrawal["status"]): boolean =>
    listed([row("new", status), row("old", "completed")]).some(({ txid }) => txid === "new");
  for (const { apiKey } of PEOPLE) {
    const accountFp = vault.hashWalletUser(apiKey);
    for (const kind of ["turbo", "normal", "split_turbo", "split_normal"] as const) {
      if (isSplit(kind) && !splitListed) continue;
      if (isListed(isTurbo(kind) ? "processing" : "scheduled"))
        await openListings.note(accountFp, kind);
    }
  }
};

/** Seven simulated days of one seed, then the time until everything has ended. */
export const simulateWeek = async (
  stage: StoresStage,
  seed: number,
  plant: Plant = noPlant,
  bound: BoundChoice = chosenBound(),
): Promise<WeekResult> => {
  const dice = createDice(seed);
  let over = false;
  const terms = drawTerms(dice, bound);
  const rough = drawWeather(
    dice,
    Temporal.Instant.from(START).epochMilliseconds,
    terms.bounds.frequent,
  );
  const weather: Weather = {
    ...rough,
    fate: (nowMs) => (over ? "answered" : rough.fate(nowMs)),
    fails: (...what) => !over && rough.fails(...what),
  };
  const world = await createWorld({
    stage,
    dice,
    terms,
    weather,
    processes: dice.chance(0.5) ? 1 : 2,
    reach: drawReach(dice, weather, () => over),
    restartMs: () => (over ? SECOND : dice.spread(SECOND, HOUR / 2)),
    plant,
    onUnknown: worriedAtTheDashboard(dice),
  });
  if (dice.chance(0.7)) await learnEarlier(stage, terms.bounds, weather.splitListed);
  planWeek(world, stage, dice);
  // Dice of its own: the weeks without it stay as they were.
  planClock(world, createDice(seed ^ 0x5eed));
  await world.run(DAYS * DAY);
  over = true;
  await world.finish();
  const { violations, trace, known, truth } = world;
  return {
    seed,
    violations,
    trace,
    operations: known.size,
    unknowns: trace.filter((line) => line.endsWith("-> unknown")).length,
    manual: trace.filter((line) => line.endsWith("-> manual")).length,
    denied: trace.filter((line) => line.endsWith("-> not_executed")).length,
    deaths: trace.filter((line) => line.endsWith("dies")).length,
    setBack: trace.filter((line) => line.endsWith("the clock is 0 minutes ahead")).length,
    executed: [...truth.rows.values()].filter(({ opId }) => opId !== undefined).length,
  };
};

export const weekFigures = (weeks: readonly WeekResult[]): string =>
  `bounds ${chosenBound()}, ${sumOf(weeks, "operations")} operations, ` +
  `${sumOf(weeks, "executed")} withdrawals, ${sumOf(weeks, "unknowns")} unknown outcomes, ` +
  `${sumOf(weeks, "manual")} for their owner, ${sumOf(weeks, "denied")} not executed, ` +
  `${sumOf(weeks, "deaths")} deaths, ${sumOf(weeks, "setBack")} clocks set back`;
