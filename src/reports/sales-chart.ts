import type { Cents } from "../shared/money.ts";

export interface ChartBar {
  readonly label: string;
  /** Undefined for a day whose figures are missing. */
  readonly sales: Cents | undefined;
  /** The day that it is compared with; undefined for none, or while its figures are missing. */
  readonly before: Cents | undefined;
  /** Drawn in outline: the day is not over. */
  readonly open: boolean;
}

/** A picture of a period in words and amounts of ours: no stranger's text. */
export interface SalesChart {
  readonly headline: string;
  /** Names of the two kinds of bars. Null, as the outbox keeps payloads in JSON. */
  readonly legend: readonly [now: string, before: string | null];
  readonly bars: readonly ChartBar[];
  /** An amount on the axis, in words. */
  readonly axis: readonly { readonly sales: Cents; readonly label: string }[];
}

/** Few round amounts that end above the largest bar. */
export const axisSteps = (largest: Cents): readonly number[] => {
  const rough = Math.max(largest, 2) / 2;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step =
    [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].map((each) => each * power).find((each) => each >= rough) ??
    rough;
  return [step, 2 * step].map(Math.ceil);
};
