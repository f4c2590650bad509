import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";

const DAY_MS = 86_400_000;

/** Says how many days ahead it is by each clock, and then what came of waiting for an hour and for half a minute. */
const PROBE = `
  import { schedule } from "node-cron";
  import { createWakeTimer } from "#src/jobs/wake-timer.ts";
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
  const rang = new Promise((ring) => createWakeTimer(clock, ring).at(clock.now().add({ seconds: 30 })));
  const passed = new Promise((pass) => systemTimers.after(3_600_000, pass));
  process.send(ahead);
  await Promise.all([rang, passed]);
  process.send("both came");
`;

test("crash loops: the bot's clocks and waits go with the hour that its parent says", async () => {
  const probe = spawn(
    process.execPath,
    ["--import", "./test/crash/money/ahead.ts", "--input-type=module", "--eval", PROBE],
    {
      env: { CRASH_OFFSET_MS: String(DAY_MS) },
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    },
  );
  onTestFinished(() => void probe.kill("SIGKILL"));
  expect(await once(probe, "message")).toMatchObject([
    { machine: 1, timers: 1, cron: 1 },
    undefined,
  ]);
  probe.send(DAY_MS + 3_600_000);
  expect(await once(probe, "message")).toMatchObject(["both came", undefined]);
});
