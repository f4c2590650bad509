import { describe, expect, test } from "vitest";
import type { NewDelivery } from "#src/domain/delivery.ts";
import { HOUR, MINUTE } from "#src/shared/duration.ts";
import { outboxStore } from "#src/store/outbox.ts";
import { reportRoutesStore } from "#src/store/report-routes.ts";
import { databases, standingClock } from "../support/databases.ts";
import {
  ANA,
  blocked,
  BRUNO,
  CARLA,
  CHANNEL,
  chosenRoute,
  delivery,
  dueAgain,
  GUILD,
  keysOf,
  later,
  NOON,
  noticeTo,
  sent,
} from "./builders.ts";
import { useStore } from "./use-store.ts";

const OTHER_CHANNEL = "910000000000000002";

describe.each(databases)("lines of the outbox on $name", (kind) => {
  const store = useStore(kind, standingClock(NOON.toString()));
  const outbox = () => outboxStore(store().db, store().open.leaseNow);
  const routes = () => reportRoutesStore(store().db);
  const claim = (now = NOON, limit = 50) =>
    outbox().claim({ owner: "one", leaseMs: MINUTE, limit, now });
  const enqueue = async (...deliveries: readonly NewDelivery[]): Promise<void> => {
    for (const [index, one] of deliveries.entries()) await outbox().enqueue(one, later(index));
  };
  const inChannel = (key: string, channelId: string, changes: Partial<NewDelivery> = {}) =>
    delivery(key, { target: { kind: "channel", channelId }, ...changes });

  test("move one by one, in the order of their hours", async () => {
    await enqueue(
      delivery("late", { notBefore: later(2) }),
      delivery("early", { notBefore: NOON }),
    );
    for (const key of ["early", "late"]) {
      const claims = await claim(later(10));
      expect(keysOf(claims)).toEqual([key]);
      expect(await claim(later(10))).toEqual([]);
      await outbox().settle(claims[0]!, sent);
    }
  });

  test("of one hour move in the order of their arrival", async () => {
    await enqueue(delivery("z"), delivery("a"), delivery("m"));
    const seen: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      const [head] = await claim();
      seen.push(head!.dedupeKey);
      await outbox().settle(head!, sent);
    }
    expect(seen).toEqual(["z", "a", "m"]);
  });

  test("of several targets do not wait for each other", async () => {
    await enqueue(
      delivery("a"),
      inChannel("b", OTHER_CHANNEL),
      noticeTo(ANA, "c"),
      noticeTo(BRUNO, "d"),
      delivery("e"),
    );
    expect(keysOf(await claim())).toEqual(["a", "b", "c", "d"]);
  });

  test("give out no more than asked for, the oldest first", async () => {
    await enqueue(delivery("a"), inChannel("b", OTHER_CHANNEL), noticeTo(ANA, "c"));
    expect(keysOf(await claim(NOON, 2))).toEqual(["a", "b"]);
    expect(keysOf(await claim(NOON, 2))).toEqual(["c"]);
  });

  test("wait for a head that is to be tried again", async () => {
    await enqueue(delivery("a"), delivery("b"));
    const [head] = await claim();
    await outbox().settle(head!, dueAgain(later(15_000)));
    expect(await claim(later(14_999))).toEqual([]);
    expect(keysOf(await claim(later(15_000)))).toEqual(["a"]);
  });

  test("do not wait for one whose hour has not come", async () => {
    await enqueue(delivery("tomorrow", { notBefore: later(HOUR) }), delivery("today"));
    expect(keysOf(await claim())).toEqual(["today"]);
  });

  test("are passed by a test post, which holds nobody up either", async () => {
    await enqueue(
      delivery("a"),
      delivery("try", { kind: "test" }),
      delivery("try2", { kind: "test" }),
    );
    expect(keysOf(await claim()).sort()).toEqual(["a", "try", "try2"]);
  });

  test("of a lost channel are probed by their head alone, at its time", async () => {
    await enqueue(delivery("a"), delivery("b"));
    const [head] = await claim();
    expect(head?.wasBlocked).toBe(false);
    await outbox().settle(head!, blocked(later(HOUR)));
    expect(await outbox().state("a")).toBe("blocked");
    expect(await claim(later(HOUR - 1))).toEqual([]);
    const [probe] = await claim(later(HOUR));
    expect(probe).toMatchObject({ dedupeKey: "a", wasBlocked: true, attempts: 2 });
    await outbox().settle(probe!, sent);
    expect(keysOf(await claim(later(HOUR)))).toEqual(["b"]);
  });

  test("of a lost channel do not count as overdue", async () => {
    await enqueue(delivery("a"), delivery("b"));
    const [head] = await claim();
    await outbox().settle(head!, blocked(later(HOUR)));
    expect(await outbox().pendingAgeMs(later(HOUR))).toBe(0);
    await routes().lift(GUILD, CHANNEL);
    expect(await outbox().pendingAgeMs(later(HOUR))).toBe(HOUR);
  });

  test("remember a probe whose process died", async () => {
    const clock = standingClock(NOON.toString());
    const other = outboxStore(store().db, async () => clock.now());
    await enqueue(delivery("a"));
    const request = { owner: "one", leaseMs: MINUTE, limit: 1 };
    const [head] = await other.claim({ ...request, now: NOON });
    await other.settle(head!, blocked(NOON));
    expect(await other.claim({ ...request, now: NOON })).toHaveLength(1);
    clock.moveBy(MINUTE);
    const [again] = await other.claim({ ...request, now: NOON });
    expect(again).toMatchObject({ dedupeKey: "a", wasBlocked: true, attempts: 3 });
  });

  test("are due at once when their channel is back", async () => {
    await enqueue(delivery("a"), inChannel("b", OTHER_CHANNEL));
    for (const one of await claim()) await outbox().settle(one, blocked(later(HOUR)));
    await routes().lift(GUILD, CHANNEL);
    expect(keysOf(await claim())).toEqual(["a"]);
  });

  test("follow the route to another channel, but for what may stand in the old one", async () => {
    await routes().save(chosenRoute(), NOON, CARLA);
    await enqueue(delivery("maybe"), delivery("held"), delivery("notice", { kind: "notice" }));
    const [maybe] = await claim();
    await outbox().settle(maybe!, blocked(later(HOUR), false));
    await routes().save(chosenRoute({ channelId: OTHER_CHANNEL }), later(1), CARLA);
    const [old, moved] = await claim(later(10));
    expect(old).toMatchObject({ dedupeKey: "held", target: { channelId: OTHER_CHANNEL } });
    expect(moved).toBeUndefined();
    expect(keysOf(await claim(later(HOUR)))).toEqual(["maybe"]);
  });
});
