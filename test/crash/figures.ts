/** The figures of all runs, added up, and the seconds since `began`, as text. */
export const figuresOf = (runs: readonly object[], began: number): string => {
  const sums = new Map<string, number>();
  for (const [figure, value] of runs.flatMap((run) => Object.entries(run)))
    if (typeof value === "number") sums.set(figure, (sums.get(figure) ?? 0) + value);
  const seconds = ((performance.now() - began) / 1_000).toFixed(0);
  return `${[...sums].map(([figure, value]) => `${figure} ${value}`).join(", ")}; ${seconds} s`;
};
