import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { ANA } from "#src/sandbox/world.ts";
import { SECOND, HOUR } from "#src/shared/time.ts";
import { createClockOffset } from "../crash/money/clock-offset.ts";
import { startStage, type Stage, textOf, type } from "./support/stage.ts";

describe("S10: a machine whose clock steps", () => {
  let aheadMs = 0;
  let stage: Stage;
  beforeAll(async () => {
    stage = await startStage(undefined, { botAheadMs: () => aheadMs });
    await stage.connectAna();
  });
  afterAll(() => stage.close());

  const steps = [
    ["10 s ahead", 10 * SECOND],
    ["an hour ahead", HOUR],
    ["an hour behind", -HOUR],
    ["back to what it was", 0],
  ] as const;

  test.each(steps)("%s answers the next command, of people and of money alike", async (_, to) => {
    aheadMs = to;
    const ana = stage.sandbox.discord.person(ANA.id);
    const sales = await type(ana, "vendas");
    expect(textOf(sales)).toContain("líquido");
    const help = await type(ana, "ajuda");
    expect(textOf(help)).toContain("Balcão");
    expect(stage.logged()).not.toContain('"outcome":"stale"');
  });
});

const DAY_MS = 86_400_000;

/** Reports how many days ahead each clock is, then that waits of an hour and of half a minute have ended. */
const PROBE = `
  import { schedule } from "node-cron";
  import { createScheduler } from "#src/scheduler/scheduler.job.ts";
  import { systemTimers } from "#src/wallet/timers.ts";

  const days = (ms) => Math.round(ms / ${DAY_MS});
  const task = schedule("* * * * *", () => {}, { timezone: "UTC" });
  const clock = { now: () => Temporal.Now.instant() };
  const ahead = {
    machine: days(clock.now().epochMilliseconds - Date.now()),
    timers: days(systemTimers.now() - performance.now()),
    cron: days(task.getNextRun().getTime() - Date.now()),
  };
  task.destroy();
  const retried = new Promise((retry) => {
    let runs = 0;
    const deliver = async ({ retryAt }) =>
      ++runs === 1 ? retryAt(clock.now().add({ seconds: 30 })) : retry();
    void createScheduler({ clock, deliver, jobs: {} }).wake();
  });
  const passed = new Promise((pass) => systemTimers.after(3_600_000, pass));
  process.send(ahead);
  await Promise.all([retried, passed]);
  process.send("both came");
`;

test("crash loops: the bot's clocks and waits go with the hour that its parent says", async () => {
  const offset = createClockOffset(DAY_MS);
  onTestFinished(offset.remove);
  const probe = spawn(
    process.execPath,
    ["--import", "./test/crash/money/ahead.ts", "--input-type=module", "--eval", PROBE],
    {
      env: { CRASH_OFFSET_FILE: offset.path },
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    },
  );
  onTestFinished(() => void probe.kill("SIGKILL"));
  expect(await once(probe, "message")).toMatchObject([
    { machine: 1, timers: 1, cron: 1 },
    undefined,
  ]);
  offset.set(DAY_MS + HOUR);
  probe.send("moved");
  expect(await once(probe, "message")).toMatchObject(["both came", undefined]);
});
