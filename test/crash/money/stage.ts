import { setTimeout as pause } from "node:timers/promises";
import type { Fault } from "#src/sandbox/faults.ts";
import type { Person } from "#src/sandbox/discord/people/person.ts";
import { type BotProcess, startBotProcess } from "#src/sandbox/start-bot-process.ts";
import { startSandbox } from "#src/sandbox/start-sandbox.ts";
import { CARLA, CHANNELS } from "#src/sandbox/world.ts";
import {
  arrangeReportChannel,
  chooseChannel,
  chooseDestination,
  connect,
} from "../arrangements.ts";
import type { CrashDatabase, DatabaseServer } from "./database.ts";
import { bugOf, type PlantedName } from "./planted.ts";
import { type RealBot, startRealBot } from "./real-bot.ts";

const START = Temporal.Instant.from("2026-11-17T15:00:00Z");
export const FIRST_DAY = Temporal.PlainDate.from("2026-11-17");
/** A charge is deleted after seventy days, a delivery after thirty: settling has its share of them. */
const YOUNG_HOURS = 22 * 24;
const SELLERS = 8;
const BALANCE_IN_REAIS = 50_000_000;
const LISTED_ROWS = 5;
/** Share of the refunds whose payment is contested before the first click. */
const CONTESTED_SHARE = 0.15;
/** Long enough for a deferral, short enough that a person with a killed bot moves on. */
const PATIENCE_MS = 2_000;

/** Faults in a third of the wallet's answers, before or after the effect. */
const FAULTS: readonly Fault[] = (["before", "after"] as const).flatMap((at): Fault[] => [
  { kind: "status", status: 500, at },
  { kind: "reset", at },
  { kind: "hang", ms: 1_500, at },
  { kind: "html", at },
  { kind: "broken_json", at },
]);

export interface Seller {
  readonly id: string;
  readonly person: Person;
  readonly pixKey: string;
  /** A confirmation that was on screen when the bot died. */
  waiting:
    | { readonly messageId: string; readonly customId: string; readonly refundOf?: string }
    | undefined;
  /** Payments that were sold to be refunded, with their centavos. */
  readonly sales: Map<string, number>;
  /** Payments under a dispute that was opened before the first click on their confirmation. */
  readonly disputed: Set<string>;
}

export type MoneyStage = Awaited<ReturnType<typeof openMoneyStage>>;

export interface StageOptions {
  readonly planted?: PlantedName | undefined;
  /** Whether sellers agree to the daily report, which gets a channel. */
  readonly reports?: boolean;
  /** Whether sellers agree to notices of sales, half of them in the channel. */
  readonly sales?: boolean;
}

/** Apart from the daily reports. */
export const SALE_NOTICES = CHANNELS.avisos;

/** The service's clock runs slightly ahead. */
const SKEW_MS = 7_000;

export const movesMoney = (route: string): boolean =>
  route === "POST /v1/withdraw" || route === "POST /v1/refund";

const READINGS = 100;

/** Resolves when the list of each account was read once: sales before that are not told. */
const firstReading = async (
  { query }: CrashDatabase,
  moveBy: (ms: number) => Promise<void>,
): Promise<void> => {
  for (let times = 0; times < READINGS; times++) {
    const watches = await query("select state from sale_watch");
    const isRead = watches.every(({ state }) => !String(state).includes('"baselineAt":null'));
    if (isRead && watches.length === SELLERS) return;
    await moveBy(1_000);
    await pause(50);
  }
  throw new Error("The lists of sales are not read");
};

/** Sellers with a connected account each; the bot is not running yet. */
export const openMoneyStage = async (server: DatabaseServer, options: StageOptions = {}) => {
  const database = await server.create();
  const sandbox = await startSandbox({
    start: START,
    discord: {
      postsPerChannel: Infinity,
      requestsPerSecond: Infinity,
      answerWithinMs: PATIENCE_MS,
    },
    // The service's own limits would hide a duplicate withdrawal.
    wallet: {
      skewMs: SKEW_MS,
      seeded: false,
      withdrawalLimits: false,
      withdrawalPageSize: LISTED_ROWS,
    },
  });
  /** The bot inside the sandbox's process. */
  const startBot = (): Promise<BotProcess> =>
    startBotProcess({ sandbox, databaseUrl: database.url, env: { LOG_LEVEL: "silent" } });

  const sellers: Seller[] = [];
  const bot = await startBot();
  await bot.ready;
  const admin = sandbox.discord.person(CARLA.id);
  if (options.reports === true) await arrangeReportChannel(admin);
  if (options.sales === true) await chooseChannel(admin, "vendas", SALE_NOTICES.id);
  for (let index = 0; index < SELLERS; index++) {
    const id = `11800000000000002${50 + index}`;
    const apiKey = `sk_sandbox_crash_${index}_00000000`;
    sandbox.wallet.open({ userId: id, apiKey, balance: BALANCE_IN_REAIS });
    const person = sandbox.discord.addPerson({
      id,
      username: `vende${index}`,
      displayName: `Vende ${index}`,
      manageGuild: false,
    });
    const pixKey = `vende${index}@example.com`;
    const seller: Seller = {
      id,
      person,
      pixKey,
      waiting: undefined,
      sales: new Map(),
      disputed: new Set(),
    };
    sellers.push(seller);
    await connect(person, apiKey, options.reports === true);
    if (options.sales === true)
      await chooseDestination(person, "vendas", index % 2 === 0 ? "channel" : "direct");
  }
  /** Moves every clock: the sandbox's, the bots' and the database's. */
  const moveBy = async (ms: number): Promise<void> => {
    await database.setAhead(sandbox.clock.offsetMs() + ms);
    sandbox.clock.moveBy(ms);
  };
  await moveBy(0);
  if (options.sales === true) await firstReading(database, moveBy);
  await bot.stop();

  let amounts = 10_00;
  const waiting = new Set<(route: string) => void>();

  return {
    sandbox,
    database,
    sellers,
    startBot,
    startRealBot: (): RealBot => startRealBot(sandbox, database.url, options.planted),
    moveBy,
    /** An amount in centavos, unique in this run. */
    newAmount: () => ++amounts,
    contestedShare: (options.planted && bugOf(options.planted).contestedShare) ?? CONTESTED_SHARE,
    breakThings: (seed: number) =>
      sandbox.faults.setPlan({
        seed,
        share: 1 / 3,
        faults: FAULTS,
        appliesTo: (route) => {
          if (!route.includes("/v1/")) return false;
          for (const note of waiting) note(route);
          return true;
        },
      }),
    mendThings: () => sandbox.faults.setPlan(undefined),
    /** Whether time is left until the bot deletes the first charges for their age. */
    isYoung: () => sandbox.clock.now().since(START).total("hours") < YOUNG_HOURS,
    /** Resolves when the wallet has received that many more such requests. */
    asked: (isWanted: (route: string) => boolean, requests: number) =>
      new Promise<void>((resolve) => {
        let left = requests;
        const note = (route: string): void => {
          if (!isWanted(route)) return;
          if (--left > 0) return;
          waiting.delete(note);
          resolve();
        };
        waiting.add(note);
      }),
    close: async (): Promise<void> => {
      await sandbox.stop();
      await database.close();
    },
  };
};
