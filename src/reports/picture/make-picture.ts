import { createOneShotThread } from "../../shared/one-shot-thread.ts";
import { SECOND } from "../../shared/time.ts";
import type { SalesChart } from "../sales-chart.ts";

/** Pictures of at most a megabyte together, for people who turn pages back and forth. */
const MOST_KEPT = 24;
const LARGEST_KEPT_BYTES = 40 * 1_024;

/** Draws pictures one after the other; the last ones are kept by their content. */
export const createPictureMaker = (
  draw: (chart: SalesChart) => Promise<Uint8Array> = createOneShotThread({
    program: new URL("picture-worker.js", import.meta.url),
    timeoutMs: 5 * SECOND,
    mostMegabytes: 64,
  }),
): ((chart: SalesChart) => Promise<Uint8Array>) => {
  const kept = new Map<string, Uint8Array>();
  return async (chart) => {
    const content = JSON.stringify(chart);
    const known = kept.get(content);
    kept.delete(content);
    const picture = known ?? (await draw(chart));
    if (picture.byteLength <= LARGEST_KEPT_BYTES) kept.set(content, picture);
    const [oldest] = kept.keys();
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    return picture;
  };
};
