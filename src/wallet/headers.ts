import { jsonBody, repeatsSecret } from "./wire.ts";
import { MINUTE, SECOND } from "../shared/time.ts";
import { headerOf, type HttpAnswer } from "./http.ts";

const SHAPE = /^[\w.:/+=-]{1,128}$/;

/**
 * The `X-Request-ID` of an answer, for logs and for people; undefined when it is missing, is no plain identifier, or
 * contains our own key.
 */
export const requestIdOf = (header: string | undefined, apiKey: string): string | undefined =>
  header === undefined || !SHAPE.test(header) || repeatsSecret(header, apiKey) ? undefined : header;

const HTTP_DATE = /^\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** In epoch ms; not a number for other text: `Date.parse` takes "-1" for a month. */
const dateMs = (date: string | undefined): number =>
  date !== undefined && HTTP_DATE.test(date) ? Date.parse(date) : Number.NaN;

/**
 * How many ms the service's clock is ahead of ours (negative: behind), from the `Date` header and our own time in
 * epoch ms; exact to a second or so. The header is cut to whole seconds, so half a second is added.
 */
export const clockSkewMs = (date: string | undefined, ourMs: number): number | undefined => {
  const theirMs = dateMs(date);
  return Number.isNaN(theirMs) ? undefined : theirMs + SECOND / 2 - ourMs;
};

const SHORTEST_MS = SECOND;
const LONGEST_MS = 15 * MINUTE;
/** The wait after a 429 without a figure: the documented quota is per minute. */
const UNSTATED_MS = MINUTE;
const JITTER = 0.1;

const FEWEST_MILLISECONDS = 1_000;

const numberIn = (value: unknown): number | undefined => {
  const isDecimal = typeof value === "string" && /^\s*\d{1,15}(\.\d{1,6})?\s*$/.test(value);
  const figure = isDecimal ? Number(value) : value;
  return typeof figure === "number" && Number.isFinite(figure) && figure >= 0 ? figure : undefined;
};

/** `Retry-After`: seconds or a date. */
const headerMs = (answer: HttpAnswer): number | undefined => {
  const retryAfter = headerOf(answer, "retry-after");
  const seconds = numberIn(retryAfter);
  if (seconds !== undefined) return seconds * SECOND;
  // Both dates are the service's own, so its clock need not agree with ours.
  const span = dateMs(retryAfter) - dateMs(headerOf(answer, "date"));
  return Number.isNaN(span) ? undefined : span;
};

/** The document does not show the unit: 120 can only be seconds, and a figure beyond 1,000 only milliseconds. */
const bodyMs = (answer: HttpAnswer): number | undefined => {
  const body = jsonBody(answer.body);
  const figure = body && "retryAfter" in body ? numberIn(body.retryAfter) : undefined;
  if (figure === undefined) return undefined;
  return figure > FEWEST_MILLISECONDS ? figure : figure * SECOND;
};

/**
 * How long to leave an account alone after a 429, in ms: the wait that the answer asks for, from 1 s to 15 min, and
 * up to a tenth more by `fraction`. Source: service.md 7.1 (`retryAfter`, unit and type not shown), decisions 4.
 */
export const retryAfterOf = (answer: HttpAnswer, fraction: number): number => {
  const asked = headerMs(answer) ?? bodyMs(answer) ?? UNSTATED_MS;
  const clamped = Math.min(Math.max(asked, SHORTEST_MS), LONGEST_MS);
  return Math.ceil(clamped * (1 + JITTER * fraction));
};
