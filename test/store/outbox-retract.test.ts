import { describe, expect, test } from "vitest";
import { MINUTE } from "#src/shared/duration.ts";
import { outboxStore } from "#src/store/outbox.ts";
import { databases, standingClock } from "../support/databases.ts";
import { ANA, blocked, dueAgain, keysOf, later, NOON, noticeTo, sent } from "./builders.ts";
import { useStore } from "./use-store.ts";

describe.each(databases)("a delivery that is taken back on $name", (kind) => {
  const store = useStore(kind, standingClock(NOON.toString()));
  const outbox = () => outboxStore(store().db, store().open.leaseNow);
  const claim = () => outbox().claim({ owner: "one", leaseMs: MINUTE, limit: 10, now: NOON });
  const enqueue = () => outbox().enqueue(noticeTo(ANA, "a"), NOON);
  const retracted = async () => {
    await outbox().retract("a", later(1));
    return outbox().state("a");
  };

  test("is not sent, and not enqueued again", async () => {
    await enqueue();
    await outbox().enqueue(noticeTo(ANA, "b"), later(1));
    expect(await retracted()).toBe("obsolete");
    expect(await enqueue()).toBe(false);
    expect(keysOf(await claim())).toEqual(["b"]);
    await outbox().purge(later(2));
    expect(await outbox().state("a")).toBeUndefined();
  });

  test("goes its way when it is being posted", async () => {
    await enqueue();
    const [held] = await claim();
    expect(await retracted()).toBe("sending");
    expect(await outbox().settle(held!, sent)).toBe(true);
    expect(await retracted()).toBe("sent");
  });

  test("goes its way when an attempt may have posted it", async () => {
    await enqueue();
    const [held] = await claim();
    await outbox().settle(held!, dueAgain(NOON));
    expect(await retracted()).toBe("due");
  });

  test.each([dueAgain(NOON, true), blocked(NOON, true)])(
    "is not sent after an attempt that cannot have posted ($state)",
    async (settlement) => {
      await enqueue();
      const [held] = await claim();
      await outbox().settle(held!, settlement);
      expect(await retracted()).toBe("obsolete");
    },
  );

  test("that nobody enqueued changes nothing", async () => {
    expect(await retracted()).toBeUndefined();
  });

  test("is taken back or sent, never both, when both come at once", async () => {
    for (let round = 0; round < 20; round += 1) {
      await store().db.deleteFrom("outbox").execute();
      await enqueue();
      const [claims] = await Promise.all([claim(), outbox().retract("a", NOON)]);
      expect(await outbox().state("a")).toBe(claims.length === 1 ? "sending" : "obsolete");
    }
  });
});
