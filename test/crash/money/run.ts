import type { LimitFunction } from "p-limit";
import { isCaught, isLate, moneyCrashLoop, type MoneyRun } from "./crash-loop.ts";
import { figuresOf } from "../figures.ts";
import { type DatabaseServer, sqliteServer, startPostgresServer } from "./database.ts";
import { outageLoop } from "./outage-loop.ts";
import { PLANTED, type PlantedName } from "./planted.ts";
import type { MoneyVerdict } from "./verdict.ts";

const POSTGRES_PROCESSES = 3;
const OUTAGE_PROCESSES = 2;
/** Maximum kills until a planted bug shows. */
const PLANTED_KILLS = 300;
/** Kills before the bot settles, when only then a bug shows. */
const LATE_KILLS = 20;

interface Variant {
  readonly name: string;
  /** Parallel runs; PostgreSQL already uses three processes. */
  readonly lanes: number;
  /** Kills by default. */
  readonly kills: number;
  readonly start: () => Promise<DatabaseServer>;
  readonly loop: (server: DatabaseServer, kills: number, seed: number) => Promise<MoneyVerdict>;
}

const VARIANTS = {
  "money-sqlite": {
    name: "money on SQLite",
    lanes: 2,
    kills: 40,
    start: async () => sqliteServer,
    loop: moneyCrashLoop,
  },
  "money-postgres": {
    name: "money on PostgreSQL",
    lanes: 1,
    kills: 40,
    start: () => startPostgresServer(POSTGRES_PROCESSES),
    loop: moneyCrashLoop,
  },
  "money-postgres-kill": {
    name: "money, PostgreSQL killed",
    lanes: 1,
    kills: 15,
    start: () => startPostgresServer(OUTAGE_PROCESSES),
    loop: (server, ...how) => outageLoop(server as Required<DatabaseServer>, ...how),
  },
} as const satisfies Readonly<Record<string, Variant>>;

export const moneyVariants = Object.keys(VARIANTS) as readonly (keyof typeof VARIANTS)[];

/** Runs the loop and prints one line; gives the findings as text. */
export const runMoney = async (
  inLane: LimitFunction,
  variant: keyof typeof VARIANTS,
  wanted: number | undefined,
  seed: number,
): Promise<readonly string[]> => {
  const { name, lanes, start, loop, ...usual }: Variant = VARIANTS[variant];
  const kills = wanted ?? usual.kills;
  const began = performance.now();
  const server = await start();
  try {
    const runs = await Promise.all(
      Array.from({ length: lanes }, (_, lane) =>
        inLane(() => loop(server, Math.ceil(kills / lanes), seed + lane * 1_000)),
      ),
    );
    console.log(`${name}: ${figuresOf(runs, began)}`);
    // Loops that send nothing find nothing either.
    const idle = runs.every(({ operations }) => operations === 0) ? ["operations 0"] : [];
    const findings = [...runs.flatMap((run) => run.findings), ...idle];
    return findings.map((finding) => `${name}: ${finding}`);
  } finally {
    await server.stop();
  }
};

/** Runs the loop until the planted bug shows or the kills are over. */
const runPlanted = async (bug: PlantedName, seed: number): Promise<MoneyRun> => {
  const stretch = isLate(bug) ? LATE_KILLS : PLANTED_KILLS;
  let kills = 0;
  let run: MoneyRun;
  do {
    run = await moneyCrashLoop(sqliteServer, stretch, seed + kills, bug);
    kills += run.kills;
  } while (!isCaught(bug, run) && kills < PLANTED_KILLS);
  return { ...run, kills };
};

/** Runs the loop with each planted bug; an undetected bug is a finding. */
export const runPlantedMoney = async (
  inLane: LimitFunction,
  seed: number,
): Promise<readonly string[]> => {
  const runs = (Object.keys(PLANTED) as readonly PlantedName[]).map((bug) =>
    inLane(async () => {
      const began = performance.now();
      const run = await runPlanted(bug, seed);
      console.log(`money, planted ${bug}: ${figuresOf([run], began)}`);
      return isCaught(bug, run) ? [] : [`the planted bug ${bug} was not caught`];
    }),
  );
  return (await Promise.all(runs)).flat();
};
