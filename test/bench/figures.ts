export interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly ours: number;
  /** Undefined for a figure of ours that is judged against a fixed bound. */
  readonly yardstick: number | undefined;
  /** Bound for `judged`; undefined for a figure that is informative only. */
  readonly target: { readonly most: number } | { readonly least: number } | undefined;
  /** The value compared with the target: the ratio ours / yardstick, or ours alone. */
  readonly judged: number;
}

export const ratio = (
  name: string,
  unit: string,
  { ours, yardstick }: { readonly ours: number; readonly yardstick: number },
  target?: Figure["target"],
): Figure => ({ name, unit, ours, yardstick, target, judged: ours / yardstick });

export const absolute = (
  name: string,
  unit: string,
  { ours, yardstick }: { readonly ours: number; readonly yardstick?: number | undefined },
  target?: Figure["target"],
): Figure => ({ name, unit, ours, yardstick, target, judged: ours });

/** @throws RangeError for an empty list. */
export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((left, right) => left - right);
  const [low, high] = [
    sorted[Math.floor((sorted.length - 1) / 2)],
    sorted[Math.ceil((sorted.length - 1) / 2)],
  ];
  if (low === undefined || high === undefined) throw new RangeError("No values, no median");
  return (low + high) / 2;
};

const verdict = ({ target, judged }: Figure): readonly [target: string, met: string] => {
  if (target === undefined) return ["", ""];
  const met = "most" in target ? judged <= target.most : judged >= target.least;
  const bound = "most" in target ? `<= ${target.most}` : `>= ${target.least}`;
  return [bound, met ? "met" : "NOT MET"];
};

const number = (value: number | undefined): string => {
  if (value === undefined) return "-";
  return value >= 100 ? value.toFixed(0) : value.toFixed(2);
};

export const table = (figures: readonly Figure[]): string => {
  const rows = [
    ["figure", "unit", "ours", "yardstick", "ratio", "target", ""],
    ...figures.map((figure) => [
      figure.name,
      figure.unit,
      number(figure.ours),
      number(figure.yardstick),
      figure.yardstick === undefined ? "-" : number(figure.ours / figure.yardstick),
      ...verdict(figure),
    ]),
  ];
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? "").length)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => {
          const width = widths[column] ?? 0;
          return column < 2 || column > 4 ? cell.padEnd(width) : cell.padStart(width);
        })
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
};
