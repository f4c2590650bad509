import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { crashLoop, type CrashRun } from "./crash-loop.ts";
import { moneyVariants, runMoney, runPlantedMoney } from "./money/run.ts";
import { restoreVariant, runRestores } from "./restore/run.ts";

/** Two parallel runs for two cores. */
const LANES = 2;

/** Planted bugs show at random: kills per round until one is detected. */
const PLANTED_ROUND = 20;
const PLANTED_ROUNDS = 8;
const FIGURES = [
  "kills",
  "midway",
  "faults",
  "owed",
  "posts",
  "lost",
  "twice",
  "closesOwed",
  "closesPosted",
  "closesLost",
  "closesTwice",
] as const;
type Figure = (typeof FIGURES)[number];
const WRONG = ["lost", "twice", "closesLost", "closesTwice"] as const satisfies readonly Figure[];

/** The entry of the bot with each bug, and the figures of which one has to show it. */
const PLANTED = {
  "no-nonce": {
    entry: new URL("./planted/no-nonce.ts", import.meta.url),
    shows: ["twice", "closesTwice"],
  },
  "no-history": {
    entry: new URL("./planted/no-history.ts", import.meta.url),
    shows: ["twice", "closesTwice"],
  },
  "early-window": { entry: new URL("./planted/early-window.ts", import.meta.url), shows: ["lost"] },
  "close-marked-first": {
    entry: new URL("./planted/close-marked-first.ts", import.meta.url),
    shows: ["closesLost"],
  },
} as const satisfies Record<string, { readonly entry: URL; readonly shows: readonly Figure[] }>;
type PlantedBug = (typeof PLANTED)[keyof typeof PLANTED];

const { values } = parseArgs({
  options: {
    /** Kills, or restores, of each part; each part has a default. */
    cycles: { type: "string", default: process.env["CRASH_CYCLES"] },
    /**
     * Runs one part: `reports`, `money-planted`, `money-sqlite`, `money-postgres`, `money-postgres-kill` or
     * `restore-sqlite`.
     */
    only: { type: "string" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});
const firstSeed = Number(values.seed);
const wanted = values.cycles === undefined ? undefined : Number(values.cycles);
const LEAST_WIDTH = 6;
const REPORT_KILLS = 120;
const RESTORES = 10;

const addUp = (runs: readonly CrashRun[]): CrashRun => {
  const sumOf = (figure: Figure) => runs.reduce((sum, run) => sum + run[figure], 0);
  return Object.fromEntries(FIGURES.map((figure) => [figure, sumOf(figure)])) as Record<
    Figure,
    number
  >;
};

const isShown = (run: CrashRun, figures: readonly Figure[]): boolean =>
  figures.some((figure) => run[figure] > 0);

const runLanes = async (cycles: number, seed: number, entry?: string): Promise<CrashRun> => {
  let done = 0;
  const onCycle = (): void => {
    done++;
    if (done % 100 === 0) console.error(`  ${done} kills`);
  };
  const lanes = Array.from({ length: LANES }, (_, lane) =>
    crashLoop(Math.ceil(cycles / LANES), seed + lane * 1_000, entry, onCycle),
  );
  return addUp(await Promise.all(lanes));
};

const runPlanted = async (bug: PlantedBug): Promise<CrashRun> => {
  const entry = fileURLToPath(bug.entry);
  const rounds: CrashRun[] = [];
  do rounds.push(await runLanes(PLANTED_ROUND, firstSeed + rounds.length, entry));
  while (rounds.length < PLANTED_ROUNDS && !rounds.some((round) => isShown(round, bug.shows)));
  return addUp(rounds);
};

const print = async (name: string, run: () => Promise<CrashRun>): Promise<CrashRun> => {
  const began = performance.now();
  const total = await run();
  const figures = FIGURES.map((figure) =>
    String(total[figure]).padStart(Math.max(LEAST_WIDTH, figure.length)),
  ).join(" ");
  const seconds = ((performance.now() - began) / 1_000).toFixed(0);
  console.log(`${name.padEnd(23)} ${figures} ${seconds.padStart(8)}`);
  return total;
};

/** Runs the reports loop with the real bot and with each planted bug; gives the findings as text. */
const runReports = async (): Promise<readonly string[]> => {
  const failures: string[] = [];
  console.log(
    `${"variant".padEnd(23)} ${FIGURES.map((name) => name.padStart(LEAST_WIDTH)).join(" ")}  seconds`,
  );
  const real = await print("the bot as it is", () => runLanes(wanted ?? REPORT_KILLS, firstSeed));
  if (isShown(real, WRONG)) failures.push("reports or closes were lost or posted twice");
  for (const [name, bug] of Object.entries(PLANTED)) {
    const planted = await print(`planted: ${name}`, () => runPlanted(bug));
    if (!isShown(planted, bug.shows)) failures.push(`the planted bug ${name} was not caught`);
  }
  return failures;
};

console.log(`seed ${firstSeed}`);
const isWanted = (name: string): boolean => values.only === undefined || values.only === name;
const failures: string[] = [];
if (isWanted("reports")) failures.push(...(await runReports()));
if (isWanted("money-planted")) failures.push(...(await runPlantedMoney(firstSeed)));
for (const variant of moneyVariants)
  if (isWanted(variant)) failures.push(...(await runMoney(variant, wanted, firstSeed)));
if (isWanted(restoreVariant)) failures.push(...(await runRestores(wanted ?? RESTORES, firstSeed)));
for (const failure of failures) console.error(`FAILED: ${failure}`);
process.exit(failures.length === 0 ? 0 : 1);
