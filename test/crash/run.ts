import { fileURLToPath } from "node:url";
import { inspect, parseArgs } from "node:util";
import pLimit from "p-limit";
import { crashLoop, type CrashRun } from "./crash-loop.ts";
import { figuresOf } from "./figures.ts";
import { moneyVariants, runMoney, runPlantedMoney } from "./money/run.ts";
import { restoreLoop } from "./restore-loop.ts";

/** Loops at a time, of all parts together: more than cores, since a loop mostly waits. */
const LANES = 4;

/** Planted bugs show at random: kills per round until one is detected. */
const PLANTED_ROUND = 20;
const PLANTED_ROUNDS = 16;
const REPORT_KILLS = 120;
const REPORT_RUNS = 2;
const RESTORES = 10;

type Wrong = "lost" | "twice" | "closesLost" | "closesTwice";

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
} as const satisfies Record<string, { readonly entry: URL; readonly shows: readonly Wrong[] }>;

const { values } = parseArgs({
  options: {
    /** Kills, or restores, of each part; each part has a default. */
    cycles: { type: "string", default: process.env["CRASH_CYCLES"] },
    /** Runs one part alone. */
    only: { type: "string" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});
const firstSeed = Number(values.seed);
const wanted = values.cycles === undefined ? undefined : Number(values.cycles);
if (!Number.isSafeInteger(firstSeed) || (wanted !== undefined && !(wanted >= 1)))
  throw new Error("--seed takes a whole number, --cycles one from 1");
const inLane = pLimit(LANES);

const isShown = (run: CrashRun, figures: readonly Wrong[]): boolean =>
  figures.some((figure) => run[figure] > 0);

const runReports = async (): Promise<readonly string[]> => {
  const began = performance.now();
  const kills = Math.ceil((wanted ?? REPORT_KILLS) / REPORT_RUNS);
  const runs = await Promise.all(
    Array.from({ length: REPORT_RUNS }, (_, run) =>
      inLane(() => crashLoop(kills, firstSeed + run * 1_000)),
    ),
  );
  console.log(`reports: ${figuresOf(runs, began)}`);
  return runs.some((run) => isShown(run, ["lost", "twice", "closesLost", "closesTwice"]))
    ? ["reports or closes were lost or posted twice"]
    : [];
};

/** Runs the loop until the planted bug shows or the rounds are over. */
const runPlanted = async (name: keyof typeof PLANTED): Promise<readonly string[]> => {
  const began = performance.now();
  const { entry, shows } = PLANTED[name];
  const rounds: CrashRun[] = [];
  const isCaught = (): boolean => rounds.some((round) => isShown(round, shows));
  do rounds.push(await crashLoop(PLANTED_ROUND, firstSeed + rounds.length, fileURLToPath(entry)));
  while (rounds.length < PLANTED_ROUNDS && !isCaught());
  console.log(`reports, planted ${name}: ${figuresOf(rounds, began)}`);
  return isCaught() ? [] : [`the planted bug ${name} was not caught`];
};

const runPlantedReports = async (): Promise<readonly string[]> => {
  const names = Object.keys(PLANTED) as readonly (keyof typeof PLANTED)[];
  return (await Promise.all(names.map((name) => inLane(() => runPlanted(name))))).flat();
};

const runRestores = async (): Promise<readonly string[]> => {
  const began = performance.now();
  const run = await restoreLoop(wanted ?? RESTORES, firstSeed);
  console.log(`restores: ${figuresOf([run], began)}`);
  // A loop in which nothing is made, lost or told finds nothing either.
  const idle = (["executed", "lost", "told"] as const).filter((figure) => run[figure] === 0);
  return [...run.findings, ...idle.map((figure) => `${figure} 0`)].map(
    (finding) => `restores: ${finding}`,
  );
};

/** The findings of each part, as text. The longest begin first. */
const PARTS: Readonly<Record<string, () => Promise<readonly string[]>>> = {
  "money-planted": () => runPlantedMoney(inLane, firstSeed),
  reports: runReports,
  "restore-sqlite": () => inLane(runRestores),
  ...Object.fromEntries(
    moneyVariants.map((variant) => [variant, () => runMoney(inLane, variant, wanted, firstSeed)]),
  ),
  "reports-planted": runPlantedReports,
};

console.log(`seed ${firstSeed}`);
const parts = Object.entries(PARTS).filter(([name]) => (values.only ?? name) === name);
if (parts.length === 0) throw new Error(`No part ${values.only}: ${Object.keys(PARTS).join(", ")}`);
const findings = await Promise.all(
  parts.map(([name, part]) =>
    part().catch((error: unknown) => [`${name} ended: ${inspect(error)}`]),
  ),
);
const failures = findings.flat();
for (const failure of failures) console.error(`FAILED: ${failure}`);
process.exit(failures.length === 0 ? 0 : 1);
