import { HOUR } from "#src/shared/time.ts";
import { sharesOf, toldShares } from "../../simulate/fleet/day-figures.ts";
import { callKinds } from "../../simulate/fleet/model-service.ts";
import {
  liveSalesDay,
  type SalesDayPlan,
  type SalesDayRecord,
} from "../../simulate/fleet/sales-day.ts";
import type { Section } from "../bench.ts";
import { absolute, type Figure } from "../figures.ts";

const ASKED_S = 5;
/** Closed days whose figures are read again once a day, in the full run alone. */
const DAYS_AGAIN = 7;
/**
 * An account that sells nothing must cost what it did before sale notices: 18 calls an hour and 0.09 ms CPU a minute, with
 * consent 24 and 0.29, and its days besides. Calls are exact in virtual time; CPU differs with machine and load, so that
 * twice as much is too much.
 */
const IDLE = {
  callsAnHour: 18,
  cpuMs: { most: 2 * 0.09 },
  callsAnHourConsenting: 24,
  cpuMsConsenting: { most: 2 * 0.29 },
} as const;

/** In virtual time: what accounts that sell nothing cost, with and without consent, and how soon calls make notices. */
export const sales: Section = async ({ quick, say }) => {
  const sellers = quick ? 200 : 1_000;
  const idle = { seed: 1, sellers, hours: quick ? 3 : 12, selling: 0, salesADay: 0, bursts: 0 };
  const silent = await liveSalesDay({ ...idle, consenting: 0 });
  const consenting = await liveSalesDay({ ...idle, consenting: sellers });
  const called = await liveSalesDay({
    seed: 2,
    sellers,
    consenting: sellers,
    hours: quick ? 2 : 6,
    selling: Math.round(sellers * 0.4),
    salesADay: quick ? 48 : 12,
    bursts: quick ? 6 : 10,
    withCalls: true,
  });
  for (const kind of ["single", "burst"] as const)
    say(`  with calls, ${kind} sales: ${toldShares(sharesOf(called.delays[kind]))}`);
  say(`  with calls: ${called.made} sales made, ${called.told} told`);
  const [single, burst] = [sharesOf(called.delays.single), sharesOf(called.delays.burst)];
  // A new account's days are read at first, and a new consent is looked at more often in its first hour.
  const skippedHours = quick ? 1.2 : 3;
  const daysAnHour = quick ? 0 : DAYS_AGAIN / (idle.hours - skippedHours);
  const atMost = (looks: number) => ({ most: Math.ceil(10 * (looks + daysAnHour)) / 10 });
  const none = costOf(silent, idle, skippedHours);
  const agreed = costOf(consenting, idle, skippedHours);
  return [
    absolute(
      "calls of an idle account in an hour",
      "1/h",
      { ours: none.calls },
      atMost(IDLE.callsAnHour),
    ),
    absolute(
      "the same with consent to sale notices",
      "1/h",
      { ours: agreed.calls },
      atMost(IDLE.callsAnHourConsenting),
    ),
    absolute("CPU of an idle account in a minute", "ms", { ours: none.cpuMs }, IDLE.cpuMs),
    absolute(
      "the same with consent, with its models",
      "ms",
      { ours: agreed.cpuMs },
      IDLE.cpuMsConsenting,
    ),
    absolute(
      "notice of a single sale, with calls, p99",
      "s",
      { ours: single.p99 },
      { most: ASKED_S },
    ),
    // Looks begin five seconds apart, which a sale of a burst may have to wait for first.
    absolute(
      "notice in a burst of 200 a minute, p99",
      "s",
      { ours: burst.p99 },
      { most: 2 * ASKED_S },
    ),
  ] satisfies readonly Figure[];
};

/** CPU is of the whole span. */
const costOf = (
  { calls, startMs, endMs, cpuSeconds }: SalesDayRecord,
  { sellers, hours }: Pick<SalesDayPlan, "sellers" | "hours">,
  skippedHours: number,
) => ({
  calls: (calls.spread(callKinds, startMs + skippedHours * HOUR, endMs).mean * 60) / sellers,
  cpuMs: (cpuSeconds * 1_000) / sellers / (hours * 60),
});
