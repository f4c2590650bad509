import { justClosedDay } from "#src/shared/report-day.ts";
import { alternate, medians, withBoth, type Bench, type Section } from "../bench.ts";
import type { BotName } from "../bench-world.ts";
import type { BotUnderLoad } from "../bot-under-load.ts";
import { ratio, type Figure } from "../figures.ts";

const IN_FLIGHT = 256;
const WARM_UP_SECONDS = 4;
/** Round trip to Discord, as from Brazil on a good day. */
const DISTANCE_MS = 50;
const RATES = [50, 200, 500] as const;

type Bots = Readonly<Record<BotName, BotUnderLoad>>;

/** Capacity, CPU and latency of two long-running bots. */
export const throughput: Section = (bench) =>
  withBoth(bench, async (bots) => {
    if (justClosedDay(Temporal.Now.instant()) !== undefined)
      bench.say("  From 21:00 to midnight in Brasília /vendas shows two days, the yardstick one");
    const turn = { user: 0 };
    await alternate(1, (name) =>
      saturate(bench, bots, name, bench.quick ? 2 : WARM_UP_SECONDS, turn),
    );
    const figures = [...(await capacity(bench, bots, turn))];
    for (const rate of RATES) figures.push(...(await latency(bench, rate, 0, turn)));
    for (const rate of RATES) figures.push(...(await latency(bench, rate, DISTANCE_MS, turn)));
    return figures;
  });

const saturate = async (
  { load, users, say }: Bench,
  bots: Bots,
  name: BotName,
  seconds: number,
  turn: { user: number },
) => {
  const cpuBefore = bots[name].cpuSeconds();
  const result = await load.ask({
    kind: "closed",
    bot: name,
    inFlight: IN_FLIGHT,
    seconds,
    firstUser: turn.user,
    users,
  });
  turn.user += result.sent;
  const cpu = bots[name].cpuSeconds() - cpuBefore;
  const perSecond = result.finished / result.seconds;
  say(`  ${name}: ${perSecond.toFixed(0)} interactions/s${lost(result.lost)}`);
  return { perSecond, cpuPerThousand: (cpu * 1000) / result.sent };
};

const capacity = async (
  bench: Bench,
  bots: Bots,
  turn: { user: number },
): Promise<readonly Figure[]> => {
  const rounds = await alternate(bench.quick ? 2 : 5, (name) =>
    saturate(bench, bots, name, bench.quick ? 3 : 6, turn),
  );
  return [
    ratio(`capacity, ${IN_FLIGHT} in flight`, "1/s", medians(rounds, "perSecond"), { least: 1.5 }),
    ratio("CPU per 1,000", "s", medians(rounds, "cpuPerThousand"), { most: 0.7 }),
  ];
};

const latency = async (
  { load, quick, users, say }: Bench,
  perSecond: number,
  roundTripMs: number,
  turn: { user: number },
): Promise<readonly Figure[]> => {
  await load.ask({ kind: "round_trip", ms: roundTripMs });
  const rounds = await alternate(quick ? 1 : 3, async (name) => {
    const result = await load.ask({
      kind: "open",
      bot: name,
      perSecond,
      seconds: quick ? 2 : 5,
      firstUser: turn.user,
      users,
    });
    turn.user += result.sent;
    const { ackMs, finalMs } = result;
    say(`  ${name} at ${perSecond}/s: p99 ${finalMs.p99.toFixed(1)} ms${lost(result.lost)}`);
    return { ackP50: ackMs.p50, ackP99: ackMs.p99, finalP50: finalMs.p50, finalP99: finalMs.p99 };
  });
  await load.ask({ kind: "round_trip", ms: 0 });
  const at = `${perSecond}/s${roundTripMs === 0 ? "" : `, ${roundTripMs} ms away`}`;
  return [
    ratio(`ack p50, ${at}`, "ms", medians(rounds, "ackP50")),
    ratio(`ack p99, ${at}`, "ms", medians(rounds, "ackP99")),
    ratio(`final answer p50, ${at}`, "ms", medians(rounds, "finalP50")),
    ratio(`final answer p99, ${at}`, "ms", medians(rounds, "finalP99"), { most: 0.8 }),
  ];
};

const lost = (count: number): string => (count === 0 ? "" : `, ${count} WITHOUT SALES`);
