import { describe, expect, it } from "vitest";
import { createUpkeep } from "#src/scheduler/upkeep.job.ts";

const at = (text: string): Temporal.Instant => Temporal.Instant.from(text);
const FIRST = at("2026-11-20T04:00Z");

/** The upkeep, with the instants that its parts were given. `during`: what a part of that name does besides. */
const recorded = (during: (name: string, stopping: AbortSignal) => void = () => {}) => {
  const calls: string[] = [];
  const part =
    (name: string) =>
    async (instant: Temporal.Instant, stopping: AbortSignal): Promise<void> => {
      calls.push(`${name} ${instant.toString()}`);
      during(name, stopping);
    };
  const parts = createUpkeep({
    purgeDeliveries: part("deliveries"),
    purgeInteractions: part("interactions"),
    purgeAudit: part("audit"),
    purgeCharges: part("charges"),
    purgeSalesDays: part("days of sales"),
    purgeEndedWithdrawals: part("PIX keys"),
    purgePendingProofs: part("proofs"),
    expireKeyOffers: part("key offers"),
  });
  const upkeep = (now: Temporal.Instant, stopping = new AbortController().signal) =>
    parts(now, stopping);
  return { calls, upkeep };
};

const failing = (...names: readonly string[]) =>
  recorded((name) => {
    if (names.includes(name)) throw new Error(name);
  });

describe("upkeep", () => {
  it("keeps deliveries for thirty days, charges for seventy, interactions for one and who did what for a year", async () => {
    const { calls, upkeep } = recorded();

    await upkeep(FIRST);

    expect(calls).toEqual([
      "PIX keys 2026-11-19T04:00:00Z",
      "key offers 2026-11-20T04:00:00Z",
      "proofs 2026-11-20T03:45:00Z",
      "deliveries 2026-10-21T04:00:00Z",
      "interactions 2026-11-19T04:00:00Z",
      "charges 2026-09-11T04:00:00Z",
      "days of sales 2026-11-20T04:00:00Z",
      "audit 2025-11-20T04:00:00Z",
    ]);
  });

  it.each([
    ["no part again within a quarter of an hour", "2026-11-20T04:14:59Z", []],
    ["untied proofs every quarter of an hour", "2026-11-20T04:15Z", ["proofs"]],
    ["PIX keys and offers every hour", "2026-11-20T05:00Z", ["PIX keys", "key offers", "proofs"]],
  ])("erases %s", async (_, second, expected) => {
    const { calls, upkeep } = recorded();
    await upkeep(FIRST);

    await upkeep(at(second));

    expect(calls.slice(8).map((call) => call.replace(/ \S+$/, ""))).toEqual(expected);
  });

  it.each([
    ["not again within the day", "2026-11-21T03:59:59Z", 1],
    ["again the day after", "2026-11-21T04:00:00Z", 2],
    ["again after the clock was set far back", "2025-11-20T04:00:00Z", 2],
  ])("tidies %s", async (_, second, times) => {
    const { calls, upkeep } = recorded();
    await upkeep(FIRST);

    await upkeep(at(second));

    for (const daily of ["deliveries", "interactions", "charges", "days of sales", "audit"])
      expect(calls.filter((call) => call.startsWith(daily))).toHaveLength(times);
  });

  it("begins no further part once the bot stops", async () => {
    const bot = new AbortController();
    const { calls, upkeep } = recorded((name, stopping) => {
      expect(stopping).toBe(bot.signal);
      if (name === "deliveries") bot.abort();
    });
    await upkeep(FIRST, bot.signal);
    expect(calls.at(-1)).toBe("deliveries 2026-10-21T04:00:00Z");
  });

  it("goes on with the rest where one part failed, which it tries again at the next beat", async () => {
    const { calls, upkeep } = failing("deliveries");
    await expect(upkeep(FIRST)).rejects.toThrow("deliveries");
    expect(calls).toHaveLength(8);

    await expect(upkeep(at("2026-11-20T04:01Z"))).rejects.toThrow("deliveries");

    expect(calls.slice(8)).toEqual(["deliveries 2026-10-21T04:01:00Z"]);
  });

  it("fails with every part that failed", async () => {
    const { upkeep } = failing("deliveries", "audit");
    await expect(upkeep(FIRST)).rejects.toThrow(
      expect.objectContaining({ errors: [new Error("deliveries"), new Error("audit")] }),
    );
  });
});
