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
    const isSure = await outbox().retract("a", later(1));
    // Whoever takes it back learns the same however often they ask.
    expect(await outbox().retract("a", later(2))).toBe(isSure);
    return [await outbox().state("a"), isSure ? "never told" : "may have been told"];
  };

  test("is not sent, and not enqueued again", async () => {
    await enqueue();
    await outbox().enqueue(noticeTo(ANA, "b"), later(1));
    expect(await retracted()).toEqual(["obsolete", "never told"]);
    expect(await enqueue()).toBe(false);
    expect(keysOf(await claim())).toEqual(["b"]);
    await outbox().purge(later(2));
    expect(await outbox().state("a")).toBeUndefined();
  });

  test("goes its way when it is being posted", async () => {
    await enqueue();
    const [held] = await claim();
    expect(await retracted()).toEqual(["sending", "may have been told"]);
    expect(await outbox().settle(held!, sent)).toBe(true);
    expect(await retracted()).toEqual(["sent", "may have been told"]);
  });

  test("goes its way when an attempt may have posted it", async () => {
    await enqueue();
    const [held] = await claim();
    await outbox().settle(held!, dueAgain(NOON));
    expect(await retracted()).toEqual(["due", "may have been told"]);
  });

  test.each([dueAgain(NOON, true), blocked(NOON, true)])(
    "is not sent after an attempt that cannot have posted ($state)",
    async (settlement) => {
      await enqueue();
      const [held] = await claim();
      await outbox().settle(held!, settlement);
      expect(await retracted()).toEqual(["obsolete", "never told"]);
    },
  );

  test("that nobody enqueued changes nothing", async () => {
    expect(await retracted()).toEqual([undefined, "never told"]);
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
