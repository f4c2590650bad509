import { expect, it } from "vitest";
import { createFollowWithdrawals } from "#src/jobs/follow-withdrawals.ts";
import { quietLog } from "../support/databases.ts";

const next = Temporal.Instant.from("2026-11-20T00:05:05Z");
const { signal } = new AbortController();

it("sweeps what was left, then checks what is due, and says when the next check is", async () => {
  const done: string[] = [];
  const follow = createFollowWithdrawals({
    log: quietLog,
    money: {
      sweep: async (everything) => void done.push(`swept ${everything ? "all" : "leases"}`),
      checkDue: async () => {
        done.push("checked");
        return next;
      },
    },
  });

  expect(await follow(signal)).toBe(next);
  expect(done).toEqual(["swept leases", "checked"]);
});

it("checks what is due even when nothing can be swept", async () => {
  const follow = createFollowWithdrawals({
    log: quietLog,
    money: { sweep: () => Promise.reject(new Error("away")), checkDue: async () => next },
  });

  expect(await follow(signal)).toBe(next);
});
