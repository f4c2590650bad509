import { DAY, HOUR, MINUTE, SECOND } from "#src/shared/time.ts";
import type { Dice } from "../dice.ts";
import { directChannel } from "./model-discord.ts";

export type ReadName = "summary" | "list" | "dispute";
/** Outcome of one post: the message is created before, during or long after a lost answer. */
type PostFate = "answered" | "lost_before" | "lost_after" | "late" | "throttled";

export interface Span {
  readonly fromMs: number;
  readonly untilMs: number;
}

const endOf = (spans: readonly Span[], nowMs: number): number | undefined =>
  spans.find(({ fromMs, untilMs }) => nowMs >= fromMs && nowMs < untilMs)?.untilMs;

export interface Weather {
  /** Until when this kind of read fails altogether; undefined: it works. */
  readonly walletAway: (what: ReadName, nowMs: number) => number | undefined;
  readonly readFails: () => boolean;
  readonly readMs: () => number;
  readonly postFate: (nowMs: number) => PostFate;
  readonly discordAway: (nowMs: number) => number | undefined;
  /** Until when posting there is forbidden; undefined: it is allowed. */
  readonly channelLost: (channelId: string, nowMs: number) => number | undefined;
  readonly peopleClosed: (userId: string, nowMs: number) => number | undefined;
  readonly history: (channelId: string, nowMs: number) => "readable" | "failing" | "refused";
  readonly postMs: () => number;
  readonly nonceMs: number;
  readonly turns: readonly number[];
}

const DAYS = 14;

export const drawWeather = (
  dice: Dice,
  startMs: number,
  channels: readonly string[],
  people: readonly string[],
): Weather => {
  const turns: number[] = [];
  const spans = (chance: number, most: number, longestMs: number): readonly Span[] =>
    Array.from({ length: dice.chance(chance) ? dice.between(1, most) : 0 }, () => {
      const fromMs = startMs + dice.between(0, DAYS * DAY);
      const untilMs = fromMs + dice.spread(2 * MINUTE, longestMs);
      turns.push(fromMs, untilMs);
      return { fromMs, untilMs };
    });
  const calm = dice.chance(0.25);
  const some = (chance: number): number => (calm ? 0 : chance);
  const failing = dice.chance(0.5) ? 0 : some(dice.fraction() * 0.25);
  const rough = dice.chance(0.35) ? 0 : some(dice.fraction() * 0.75);
  const outages = spans(some(0.35), 3, 30 * HOUR);
  const lists = dice.chance(some(0.1))
    ? [{ fromMs: 0, untilMs: Infinity }]
    : spans(some(0.2), 2, 60 * HOUR);
  const single = spans(some(0.15), 2, 10 * HOUR);
  const discord = spans(some(0.3), 3, 12 * HOUR);
  const lost = new Map(channels.map((id) => [id, spans(some(0.2), 1, 72 * HOUR)]));
  const closed = new Map(people.map((id) => [id, spans(some(0.08), 1, 24 * HOUR)]));
  const places = [...channels, ...people.map(directChannel)];
  const blind = new Set(places.filter(() => dice.chance(some(0.3))));
  const reading = spans(some(0.5), 6, 20 * HOUR);
  const slowReads = some(dice.chance(0.3) ? 0.05 : 0.01);
  return {
    turns,
    walletAway: (what, nowMs) =>
      endOf(outages, nowMs) ??
      (what === "list" ? endOf(lists, nowMs) : undefined) ??
      (what === "dispute" ? endOf(single, nowMs) : undefined),
    readFails: () => dice.chance(failing),
    readMs: () =>
      dice.chance(slowReads) ? dice.spread(SECOND, 70 * SECOND) : dice.between(20, 400),
    postFate: (nowMs) => {
      if (endOf(discord, nowMs) !== undefined) return "lost_before";
      if (!dice.chance(rough)) return "answered";
      return dice.pick(["lost_before", "lost_after", "late", "throttled"]);
    },
    discordAway: (nowMs) => endOf(discord, nowMs),
    channelLost: (channelId, nowMs) => endOf(lost.get(channelId) ?? [], nowMs),
    peopleClosed: (userId, nowMs) => endOf(closed.get(userId) ?? [], nowMs),
    history: (channelId, nowMs) => {
      if (blind.has(channelId)) return "refused";
      const fails = endOf(discord, nowMs) ?? endOf(reading, nowMs);
      return fails === undefined && !dice.chance(rough / 2) ? "readable" : "failing";
    },
    postMs: () => (dice.chance(0.03) ? dice.between(SECOND, 7 * SECOND) : dice.between(30, 400)),
    nonceMs: dice.between(3 * MINUTE + 10 * SECOND, 6 * MINUTE),
  };
};
