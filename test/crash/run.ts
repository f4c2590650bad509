import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { crashLoop, type CrashRun } from "./crash-loop.ts";
import { moneyVariants, runMoney, runPlantedMoney } from "./money/run.ts";
import { restoreVariant, runRestores } from "./restore/run.ts";

/** Two parallel runs for two cores. */
const LANES = 2;

/** Planted bugs show at random: kills per round until one is detected. */
const PLANTED_ROUND = 60;
const PLANTED_ROUNDS = 8;
const PLANTED = {
  "no-nonce": new URL("./planted/no-nonce.ts", import.meta.url),
  "no-history": new URL("./planted/no-history.ts", import.meta.url),
  "early-window": new URL("./planted/early-window.ts", import.meta.url),
} as const;
const FIGURES = ["kills", "midway", "faults", "owed", "posts", "lost", "twice"] as const;

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
const REPORT_KILLS = 300;
const RESTORES = 10;

const addUp = (runs: readonly CrashRun[]): CrashRun => {
  const total = { kills: 0, midway: 0, faults: 0, owed: 0, posts: 0, lost: 0, twice: 0 };
  for (const run of runs) for (const figure of FIGURES) total[figure] += run[figure];
  return total;
};

const isWrong = ({ lost, twice }: CrashRun): boolean => lost + twice > 0;

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

const runPlanted = async (bug: URL): Promise<CrashRun> => {
  const entry = fileURLToPath(bug);
  const rounds: CrashRun[] = [];
  do rounds.push(await runLanes(PLANTED_ROUND, firstSeed + rounds.length, entry));
  while (rounds.length < PLANTED_ROUNDS && !rounds.some(isWrong));
  return addUp(rounds);
};

const print = async (name: string, run: () => Promise<CrashRun>): Promise<CrashRun> => {
  const began = performance.now();
  const total = await run();
  const figures = FIGURES.map((figure) => String(total[figure]).padStart(6)).join(" ");
  const seconds = ((performance.now() - began) / 1_000).toFixed(0);
  console.log(`${name.padEnd(23)} ${figures} ${seconds.padStart(8)}`);
  return total;
};

/** Runs the reports loop with the real bot and with each planted bug; gives the findings as text. */
const runReports = async (): Promise<readonly string[]> => {
  const failures: string[] = [];
  console.log(
    `${"variant".padEnd(23)} ${FIGURES.map((name) => name.padStart(6)).join(" ")}  seconds`,
  );
  const real = await print("the bot as it is", () => runLanes(wanted ?? REPORT_KILLS, firstSeed));
  if (isWrong(real)) failures.push("reports were lost or posted twice");
  for (const [name, bug] of Object.entries(PLANTED)) {
    const planted = await print(`planted: ${name}`, () => runPlanted(bug));
    if (!isWrong(planted)) failures.push(`the planted bug ${name} was not caught`);
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
