import { restoreCycles } from "./cycles.ts";

export const restoreVariant = "restore-sqlite";
const FIGURES = [
  "restores",
  "executed",
  "lost",
  "asked",
  "told",
  "double",
  "wrong",
  "reports",
  "reportsLost",
  "reportsTwice",
] as const;

export const runRestores = async (cycles: number, seed: number): Promise<readonly string[]> => {
  const began = performance.now();
  let done = 0;
  const total = await restoreCycles(cycles, seed, () => {
    done++;
    if (done % 10 === 0) console.error(`  ${done} restores`);
  });
  const seconds = ((performance.now() - began) / 1_000).toFixed(0);
  console.log(
    `restores: ${FIGURES.map((name) => `${name} ${total[name]}`).join(", ")}; ${seconds} s`,
  );
  return total.findings.map((finding) => `restores: ${finding}`);
};
