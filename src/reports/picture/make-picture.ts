import { createThread, type Thread } from "../../shared/thread.ts";
import { keepNewest } from "../../shared/keep-newest.ts";
import { SECOND } from "../../shared/time.ts";
import type { SalesChart } from "../sales-chart.ts";

/** Pictures of at most a megabyte together, for people who turn pages back and forth. */
const MOST_KEPT = 24;
const LARGEST_KEPT_BYTES = 40 * 1_024;

/** A thread takes 100 ms to begin, and few for a picture: it stays for those that come one after the other. */
const REST_MS = 2 * SECOND;

/** Pictures drawn or waiting at the same time: a fraction of a second. The text goes out without any further one. */
const MOST_UNDER_WAY = 10;
/** No person waits for posts: as many as are posted at the same time. */
export const MOST_FOR_POSTS = 32;

/** Draws one chart after the other. */
export const createPictureThread = (): Thread =>
  createThread({
    program: new URL("picture-worker.js", import.meta.url),
    timeoutMs: 5 * SECOND,
    mostMegabytes: 64,
    restMs: REST_MS,
  });

/**
 * Draws pictures one after the other; equal ones under way are drawn once, and the last ones are kept by their content.
 * Rejects when too many are under way.
 */
export const createPictureMaker = (
  draw: (chart: SalesChart) => Promise<Uint8Array> = createPictureThread().run,
  mostUnderWay = MOST_UNDER_WAY,
): ((chart: SalesChart) => Promise<Uint8Array>) => {
  const kept = new Map<string, Uint8Array>();
  const underWay = new Map<string, Promise<Uint8Array>>();

  const drawOnce = (chart: SalesChart, content: string): Promise<Uint8Array> => {
    const shared = underWay.get(content);
    if (shared !== undefined) return shared;
    if (underWay.size >= mostUnderWay)
      return Promise.reject(new Error("Too many pictures are under way"));
    const drawing = draw(chart).finally(() => underWay.delete(content));
    underWay.set(content, drawing);
    return drawing;
  };

  return async (chart) => {
    const content = JSON.stringify(chart);
    const picture = kept.get(content) ?? (await drawOnce(chart, content));
    if (picture.byteLength <= LARGEST_KEPT_BYTES) keepNewest(kept, content, picture, MOST_KEPT);
    return picture;
  };
};
