import { isCaught, isLate, moneyCrashLoop, type MoneyRun } from "./crash-loop.ts";
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
  /** Parallel runs: two on two cores; PostgreSQL already uses three processes. */
  readonly lanes: number;
  /** Kills by default. */
  readonly kills: number;
  readonly start: () => Promise<DatabaseServer>;
  readonly loop: (
    server: DatabaseServer,
    kills: number,
    seed: number,
    onKill: () => void,
  ) => Promise<MoneyVerdict>;
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

const secondsSince = (began: number): string => ((performance.now() - began) / 1_000).toFixed(0);

/** The figures of all runs, added up, as text. */
const figuresOf = (runs: readonly MoneyVerdict[]): string => {
  const sums = new Map<string, number>();
  for (const [figure, value] of runs.flatMap((run) => Object.entries(run)))
    if (typeof value === "number") sums.set(figure, (sums.get(figure) ?? 0) + value);
  return [...sums].map(([figure, value]) => `${figure} ${value}`).join(", ");
};

/** Runs the loop and prints one line; gives the findings as text. */
export const runMoney = async (
  variant: keyof typeof VARIANTS,
  wanted: number | undefined,
  seed: number,
): Promise<readonly string[]> => {
  const { name, lanes, start, loop, ...usual }: Variant = VARIANTS[variant];
  const kills = wanted ?? usual.kills;
  const began = performance.now();
  const server = await start();
  let killed = 0;
  const onKill = (): void => {
    killed++;
    if (killed % 100 === 0) console.error(`  ${killed} kills`);
  };
  const runs = await Promise.all(
    Array.from({ length: lanes }, (_, lane) =>
      loop(server, Math.ceil(kills / lanes), seed + lane * 1_000, onKill),
    ),
  );
  await server.stop();
  console.log(`${name}: ${figuresOf(runs)}; ${secondsSince(began)} s`);
  return runs.flatMap(({ findings }) => findings.map((finding) => `${name}: ${finding}`));
};

/** Runs the loop until the planted bug shows or the kills are over. */
const runPlanted = async (bug: PlantedName, seed: number): Promise<MoneyRun> => {
  const stretch = isLate(bug) ? LATE_KILLS : PLANTED_KILLS;
  let kills = 0;
  let run: MoneyRun;
  do {
    run = await moneyCrashLoop(sqliteServer, stretch, seed + kills, () => {}, bug);
    kills += run.kills;
  } while (!isCaught(bug, run) && kills < PLANTED_KILLS);
  return { ...run, kills };
};

/** Runs the loop with each planted bug, on two cores; an undetected bug is a finding. */
export const runPlantedMoney = async (seed: number): Promise<readonly string[]> => {
  const failures: string[] = [];
  const bugs = (Object.keys(PLANTED) as readonly PlantedName[]).values();
  const lane = async (): Promise<void> => {
    for (const bug of bugs) {
      const began = performance.now();
      const run = await runPlanted(bug, seed);
      const caught = isCaught(bug, run);
      if (!caught) failures.push(`the planted bug ${bug} was not caught`);
      const { kills, double, wrong, untold } = run;
      const found = `double ${double}, wrong ${wrong}, untold ${untold}`;
      const figures = `${caught ? "" : "not "}caught after ${kills} kills, ${found}`;
      console.log(`money, planted ${bug}: ${figures}; ${secondsSince(began)} s`);
    }
  };
  await Promise.all([lane(), lane()]);
  return failures;
};
