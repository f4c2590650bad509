import { describe, expect, it } from "vitest";
import { createUpkeep } from "#src/scheduler/upkeep.job.ts";

const at = (text: string): Temporal.Instant => Temporal.Instant.from(text);

const recorded = (fail = false, onDeliveries?: (stopping: AbortSignal) => void) => {
  const calls: string[] = [];
  const keys: string[] = [];
  const proofs: string[] = [];
  const offers: string[] = [];
  const parts = createUpkeep({
    purgeDeliveries: async (before, stopping) => {
      calls.push(`deliveries before ${before.toString()}`);
      onDeliveries?.(stopping);
      if (fail) throw new Error("the database is away");
    },
    purgeInteractions: async (before) => {
      calls.push(`interactions before ${before.toString()}`);
    },
    purgeAudit: async (before) => {
      calls.push(`audit before ${before.toString()}`);
    },
    purgeCharges: async (before) => {
      calls.push(`charges before ${before.toString()}`);
    },
    purgeSalesDays: async (now) => {
      calls.push(`days of sales at ${now.toString()}`);
    },
    purgeEndedWithdrawals: async (before) => {
      keys.push(before.toString());
    },
    purgePendingProofs: async (before) => {
      proofs.push(before.toString());
    },
    expireKeyOffers: async (now) => {
      offers.push(now.toString());
    },
  });
  const upkeep = (now: Temporal.Instant, stopping = new AbortController().signal) =>
    parts(now, stopping);
  return { calls, keys, proofs, offers, upkeep };
};

describe("upkeep", () => {
  it("keeps deliveries for thirty days, charges for seventy, interactions for one and who did what for a year", async () => {
    const { calls, upkeep } = recorded();

    await upkeep(at("2026-11-20T04:00Z"));

    expect(calls).toEqual([
      "deliveries before 2026-10-21T04:00:00Z",
      "interactions before 2026-11-19T04:00:00Z",
      "charges before 2026-09-11T04:00:00Z",
      "days of sales at 2026-11-20T04:00:00Z",
      "audit before 2025-11-20T04:00:00Z",
    ]);
  });

  it.each([
    ["not again within the day", "2026-11-21T03:59:59Z", 5],
    ["again the day after", "2026-11-21T04:00:00Z", 10],
    ["again after the clock was set far back", "2025-11-20T04:00:00Z", 10],
  ])("tidies %s", async (_, second, calls) => {
    const recording = recorded();
    await recording.upkeep(at("2026-11-20T04:00Z"));

    await recording.upkeep(at(second));

    expect(recording.calls).toHaveLength(calls);
  });

  it("erases messages that nobody named a sale for, every quarter of an hour", async () => {
    const { proofs, upkeep } = recorded();

    await upkeep(at("2026-11-20T04:00Z"));
    await upkeep(at("2026-11-20T04:14:59Z"));
    await upkeep(at("2026-11-20T04:15Z"));

    expect(proofs).toEqual(["2026-11-20T03:45:00Z", "2026-11-20T04:00:00Z"]);
  });

  it("erases the PIX keys of withdrawals a day after their end, every hour", async () => {
    const { keys, upkeep } = recorded();

    await upkeep(at("2026-11-20T04:00Z"));
    await upkeep(at("2026-11-20T04:59Z"));
    await upkeep(at("2026-11-20T05:00Z"));

    expect(keys).toEqual(["2026-11-19T04:00:00Z", "2026-11-19T05:00:00Z"]);
  });

  it("begins no further part once the bot stops", async () => {
    const bot = new AbortController();
    const { calls, upkeep } = recorded(false, (stopping) => {
      expect(stopping).toBe(bot.signal);
      bot.abort();
    });
    await upkeep(at("2026-11-20T04:00Z"), bot.signal);
    expect(calls).toEqual(["deliveries before 2026-10-21T04:00:00Z"]);
  });

  it("goes on with the rest where one part failed, which it tries again at the next beat", async () => {
    const { calls, upkeep } = recorded(true);
    await expect(upkeep(at("2026-11-20T04:00Z"))).rejects.toThrow("the database is away");
    expect(calls).toHaveLength(5);

    await expect(upkeep(at("2026-11-20T04:01Z"))).rejects.toThrow("the database is away");

    expect(calls.slice(5)).toEqual(["deliveries before 2026-10-21T04:01:00Z"]);
  });

  it("fails with every part that failed", async () => {
    const done = async (): Promise<void> => {};
    const failing = (message: string) => (): Promise<never> => Promise.reject(new Error(message));
    const upkeep = createUpkeep({
      purgeDeliveries: failing("deliveries"),
      purgeInteractions: done,
      purgeAudit: failing("audit"),
      purgeCharges: done,
      purgeSalesDays: done,
      purgeEndedWithdrawals: done,
      purgePendingProofs: done,
      expireKeyOffers: done,
    });
    await expect(upkeep(at("2026-11-20T04:00Z"), new AbortController().signal)).rejects.toThrow(
      expect.objectContaining({ errors: [new Error("deliveries"), new Error("audit")] }),
    );
  });
});
