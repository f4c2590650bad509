import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createScheduler, type Job, type Scheduler } from "#src/scheduler/scheduler.job.ts";
import { DatabaseAwayError } from "#src/shared/errors.ts";
import { recordingLog } from "../discord/support/parts.ts";
import { quietLog, standingClock } from "../support/databases.ts";

type Needs = Parameters<typeof createScheduler>[0];

const scheduler = (needs: Partial<Needs> = {}): Scheduler => {
  const created = createScheduler<string>({
    clock: standingClock("2026-11-20T00:05Z"),
    log: quietLog,
    everyMinute: () => () => {},
    deliver: async () => {},
    jobs: {},
    ...needs,
  });
  onTestFinished(created.stop);
  return created;
};

const report = (run: Job["run"]): Pick<Needs, "jobs"> => ({ jobs: { report: { run } } });

/** Work that waits for the test and records its start and end. */
const gated = () => {
  const events: string[] = [];
  const gates: (() => void)[] = [];
  return {
    events,
    open: () => gates.shift()?.(),
    work: async (): Promise<undefined> => {
      events.push("begins");
      await new Promise<void>((resolve) => gates.push(resolve));
      events.push("ends");
    },
  };
};

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("the scheduler", () => {
  it("runs ticks one after the other", async () => {
    const { events, open, work } = gated();
    const { tick } = scheduler(report(work));

    const both = Promise.all([tick(), tick()]);
    await settled();
    expect(events).toEqual(["begins"]);
    open();
    await settled();
    expect(events).toEqual(["begins", "ends", "begins"]);
    open();
    await both;
  });

  it("delivers again for what was enqueued while it delivered", async () => {
    const { events, open, work } = gated();
    const { wake } = scheduler({ deliver: work });

    const all = Promise.all([wake(), wake(), wake()]);
    await settled();
    open();
    await settled();
    open();
    await all;

    expect(events).toEqual(["begins", "ends", "begins", "ends"]);
  });

  it("tells deliveries under way of what was enqueued since they began", async () => {
    let heard = 0;
    const { wake } = scheduler({
      deliver: async ({ news }) => void news.next().then(() => heard++),
    });

    await wake();
    expect(heard).toBe(0);
    await wake();
    expect(heard).toBe(1);
  });

  it("delivers after a wake that comes as the last delivery ends", async () => {
    let runs = 0;
    const { wake } = scheduler({
      deliver: async () => void runs++,
    });

    for (let turn = 1; turn <= 20; turn++) {
      await wake();
      expect(runs).toBe(turn);
    }
  });

  it("delivers what the reports of the same tick made due", async () => {
    let prepared = false;
    let deliveredAfter = false;
    const { tick } = scheduler({
      ...report(async () => {
        await settled();
        prepared = true;
      }),
      deliver: async () => {
        deliveredAfter = prepared;
      },
    });

    await tick();

    expect(deliveredAfter).toBe(true);
  });

  it("does the rest of a tick when a part of it fails", async () => {
    const done: string[] = [];
    const failing = async (): Promise<never> => {
      throw new Error("the database is away");
    };
    const { tick } = scheduler({
      deliver: failing,
      jobs: { report: { run: failing }, upkeep: { run: async () => void done.push("upkeep") } },
    });

    await tick();
    await tick();

    expect(done).toEqual(["upkeep", "upkeep"]);
  });

  it("logs and passes on each of several failures of a part, and logs a lost database for debugging alone", async () => {
    const { log, lines } = recordingLog();
    const failures = [new TypeError(), new DatabaseAwayError(), new RangeError()];
    const passedOn: unknown[] = [];
    const { tick } = scheduler({
      log,
      onFailure: (error) => void passedOn.push(error),
      ...report(() => Promise.reject(new AggregateError(failures))),
    });

    await tick();

    expect(lines.map(({ level, fields }) => [level, fields["err"]])).toEqual([
      ["error", failures[0]],
      ["debug", failures[1]],
      ["error", failures[2]],
    ]);
    expect(passedOn).toEqual(failures);
  });

  it("comes back for a retry that is due before the next beat, as often as it is overdue", async () => {
    const clock = standingClock("2026-11-20T00:05Z");
    const again = Promise.withResolvers<void>();
    let runs = 0;
    const { wake } = scheduler({
      clock,
      deliver: async ({ retryAt }) => {
        runs++;
        if (runs < 3) retryAt(clock.now());
        else again.resolve();
      },
    });

    await wake();
    await again.promise;

    expect(runs).toBe(3);
  });

  it("sets one timer for all retries of the same 100 ms, and none for those after the next beat", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const clock = standingClock("2026-11-20T00:05Z");
    const { wake } = scheduler({
      clock,
      deliver: async ({ retryAt }) => {
        for (const milliseconds of [950, 1_000, 60_000]) retryAt(clock.now().add({ milliseconds }));
      },
    });

    await wake();

    expect(vi.getTimerCount()).toBe(1);
  });

  it("waits at its stop for what is under way, and starts nothing more", async () => {
    const { events, open, work } = gated();
    const { tick, stop } = scheduler(report(work));
    void tick();
    await settled();

    const stopped = stop().then(() => events.push("stopped"));
    await settled();
    open();
    await stopped;
    await tick();

    expect(events).toEqual(["begins", "ends", "stopped"]);
  });

  it("tells its parts that it stops", async () => {
    let signal: AbortSignal | undefined;
    const { tick, stop } = scheduler(
      report(async (stopping) => {
        signal = stopping;
      }),
    );
    await tick();

    await stop();

    expect(signal?.aborted).toBe(true);
  });

  it("delivers at each beat while the wallet service keeps the reports waiting", async () => {
    const { events, open, work } = gated();
    const delivered = Promise.withResolvers<void>();
    let runs = 0;
    let beat = async (): Promise<void> => {};
    const { start } = scheduler({
      everyMinute: (given) => {
        beat = given;
        return () => {};
      },
      ...report(work),
      deliver: async () => {
        runs++;
        if (runs === 4) delivered.resolve();
      },
    });

    start();
    for (let minute = 1; minute <= 3; minute++) {
      await settled();
      await beat();
    }
    await delivered.promise;

    expect(events).toEqual(["begins"]);
    open();
  });

  it("is called at no minute after its stop", async () => {
    let ended = 0;
    const { start, stop } = scheduler({ everyMinute: () => () => void ended++ });
    start();
    expect(ended).toBe(0);

    await stop();

    expect(ended).toBe(1);
  });

  it("begins nothing when it starts or wakes after its stop", async () => {
    let begun = 0;
    const { start, wake, stop } = scheduler({
      everyMinute: () => {
        begun++;
        return () => {};
      },
      ...report(async () => void begun++),
      deliver: async () => void begun++,
    });
    await stop();
    start();
    await wake();
    await settled();
    expect(begun).toBe(0);
  });

  it("looks at once when it starts", async () => {
    const looked = Promise.withResolvers<void>();
    const { start } = scheduler(report(async () => looked.resolve()));

    start();

    await looked.promise;
  });

  it.each(["given", "set"] as const)(
    "comes back for work whose instant before the next beat is %s",
    async (how) => {
      const clock = standingClock("2026-11-20T00:05Z");
      const again = Promise.withResolvers<void>();
      let checks = 0;
      const { run } = scheduler({
        clock,
        ...report(async (_, wakeAt) => {
          checks++;
          if (checks === 2) again.resolve();
          if (checks > 1) return undefined;
          if (how === "given") return clock.now();
          return wakeAt(clock.now());
        }),
      });

      await run("report");
      await again.promise;

      expect(checks).toBe(2);
    },
  );

  it("runs a job once for all who ask within a moment", async () => {
    const { events, open, work } = gated();
    const begun = Promise.withResolvers<void>();
    const { runSoon, stop } = scheduler(
      report(async () => {
        begun.resolve();
        await work();
      }),
    );
    runSoon("report");
    runSoon("report");
    await begun.promise;
    const stopped = stop();
    open();
    await stopped;
    expect(events).toEqual(["begins", "ends"]);
  });

  it("begins each job once at a beat, those that may overlap first", async () => {
    const begun: string[] = [];
    const run = (name: string) => async () => void begun.push(name);
    const jobs = {
      report: { run: run("report") },
      money: { overlaps: true as const, run: run("money") },
    };
    const { tick } = scheduler({ jobs });

    await tick();

    expect(begun).toEqual(["money", "report"]);
  });

  it("runs a job that may overlap while an earlier run hangs, and waits for it at its stop", async () => {
    const { events, open, work } = gated();
    const { run, stop } = scheduler({
      jobs: { withdrawals: { overlaps: true, run: work } },
    });
    const both = [run("withdrawals"), run("withdrawals")];
    await settled();
    expect(events).toEqual(["begins", "begins"]);

    const stopped = stop().then(() => events.push("stopped"));
    open();
    open();
    await Promise.all([...both, stopped]);
    await run("withdrawals");

    expect(events).toEqual(["begins", "begins", "ends", "ends", "stopped"]);
  });
});
