import { moneyCrashLoop, type MoneyRun } from "./crash-loop.ts";
import { type DatabaseServer, sqliteServer, startPostgresServer } from "./database.ts";

const POSTGRES_PROCESSES = 3;
const FIGURES = [
  "kills",
  "midway",
  "faults",
  "operations",
  "executed",
  "dashboard",
  "unknown",
  "double",
  "wrong",
  "endless",
  "manual",
] as const;

/** Lanes run at once: two processes are as many as there are cores, and PostgreSQL's lane has three already. */
const VARIANTS = {
  "money-sqlite": { name: "money on SQLite", lanes: 2, start: async () => sqliteServer },
  "money-postgres": {
    name: "money on PostgreSQL",
    lanes: 1,
    start: () => startPostgresServer(POSTGRES_PROCESSES),
  },
} as const satisfies Record<
  string,
  { readonly name: string; readonly lanes: number; readonly start: () => Promise<DatabaseServer> }
>;

export const moneyVariants = Object.keys(VARIANTS) as readonly (keyof typeof VARIANTS)[];

const addUp = (runs: readonly MoneyRun[]): Readonly<Record<(typeof FIGURES)[number], number>> =>
  Object.fromEntries(
    FIGURES.map((figure) => [figure, runs.reduce((sum, run) => sum + run[figure], 0)]),
  ) as Record<(typeof FIGURES)[number], number>;

/** Kills, judges and prints one line; gives what is wrong, in words. */
export const runMoney = async (
  variant: keyof typeof VARIANTS,
  kills: number,
  seed: number,
): Promise<readonly string[]> => {
  const { name, lanes, start } = VARIANTS[variant];
  const began = performance.now();
  const server = await start();
  let killed = 0;
  const onKill = (): void => {
    killed++;
    if (killed % 100 === 0) console.error(`  ${killed} kills`);
  };
  const runs = await Promise.all(
    Array.from({ length: lanes }, (_, lane) =>
      moneyCrashLoop(server, Math.ceil(kills / lanes), seed + lane * 1_000, onKill),
    ),
  );
  await server.stop();
  const total = addUp(runs);
  const seconds = ((performance.now() - began) / 1_000).toFixed(0);
  const figures = FIGURES.map((figure) => `${figure} ${total[figure]}`).join(", ");
  console.log(`${name}: ${figures}; ${seconds} s`);
  return runs.flatMap(({ findings }) => findings.map((finding) => `${name}: ${finding}`));
};
