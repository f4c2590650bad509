import { describe, expect, test } from "vitest";
import { nonceOf } from "#src/domain/delivery.ts";
import { MINUTE } from "#src/shared/duration.ts";
import { outboxStore } from "#src/store/outbox.ts";
import { databases, standingClock } from "../support/databases.ts";
import {
  CHANNEL,
  delivery,
  dueAgain,
  keysOf,
  later,
  NOON,
  noticeTo,
  sent,
  ANA,
} from "./builders.ts";
import { useStore } from "./use-store.ts";

describe.each(databases)("the outbox on $name", (kind) => {
  const clock = standingClock(NOON.toString());
  const store = useStore(kind, clock);
  const outbox = () => outboxStore(store().db, store().open.leaseNow);
  const claim = (now = clock.now(), owner = "one") =>
    outbox().claim({ owner, leaseMs: MINUTE, limit: 50, now });

  test("takes a delivery once; the first payload stands", async () => {
    expect(await outbox().enqueue(delivery("a"), NOON)).toBe(true);
    const other = delivery("a", { payload: { content: "other figures" } });
    expect(await outbox().enqueue(other, NOON)).toBe(false);
    const [claimed] = await claim();
    expect(claimed?.payload).toEqual(delivery("a").payload);
  });

  test("gives back what was put in, with the facts of the attempt", async () => {
    const start = clock.now();
    const given = delivery("a", {
      kind: "notice",
      target: { kind: "person", userId: ANA },
      guildId: null,
      accountId: "account-1",
      notBefore: start,
      payload: { content: 'Olá \u{1F600} "\\ \u202e', embeds: [{ fields: [] }] },
    });
    await outbox().enqueue(given, start);
    const [claimed, ...more] = await claim();
    expect(more).toEqual([]);
    const { enqueuedAt, firstAttemptAt, claimedAt, notBefore, ...rest } = claimed!;
    expect(rest).toEqual({
      dedupeKey: "a",
      kind: "notice",
      target: { kind: "person", userId: ANA },
      guildId: null,
      accountId: "account-1",
      payload: given.payload,
      nonce: nonceOf("a"),
      attempts: 1,
      owner: "one",
      token: 1,
      wasBlocked: false,
    });
    for (const instant of [enqueuedAt, firstAttemptAt, claimedAt, notBefore]) {
      expect(instant.equals(start)).toBe(true);
    }
  });

  test("holds back what is not due yet", async () => {
    const start = clock.now();
    await outbox().enqueue(delivery("a", { notBefore: later(1_000, start) }), start);
    expect(await claim(later(999, start))).toEqual([]);
    expect(keysOf(await claim(later(1_000, start)))).toEqual(["a"]);
  });

  test("gives each delivery to one claimer until its lease ends", async () => {
    await outbox().enqueue(delivery("a"), NOON);
    expect(keysOf(await claim())).toEqual(["a"]);
    expect(await claim()).toEqual([]);
    clock.moveBy(MINUTE - 1);
    expect(await claim(clock.now(), "two")).toEqual([]);
    clock.moveBy(1);
    const [again] = await claim(clock.now(), "two");
    expect(again).toMatchObject({ dedupeKey: "a", attempts: 2, token: 2, owner: "two" });
    expect(again?.firstAttemptAt.equals(clock.now().subtract({ milliseconds: MINUTE }))).toBe(true);
  });

  test("lets only the last claimer settle", async () => {
    await outbox().enqueue(delivery("a"), NOON);
    const [first] = await claim();
    clock.moveBy(MINUTE);
    const [second] = await claim();
    expect(await outbox().settle(first!, sent)).toBe(false);
    expect(await outbox().state("a")).toBe("sending");
    expect(await outbox().settle({ ...second!, owner: "two" }, sent)).toBe(false);
    expect(await outbox().settle(second!, sent)).toBe(true);
    expect(await outbox().settle(second!, sent)).toBe(false);
    expect(await outbox().state("a")).toBe("sent");
  });

  test("lets a claimer settle after its lease when nobody took over", async () => {
    await outbox().enqueue(delivery("a"), NOON);
    const [claimed] = await claim();
    clock.moveBy(10 * MINUTE);
    expect(await outbox().settle(claimed!, sent)).toBe(true);
  });

  test.each(["sent", "unknown", "dead", "obsolete"] as const)(
    "never gives out again what is %s, nor takes it anew",
    async (state) => {
      await outbox().enqueue(delivery("a"), NOON);
      const [claimed] = await claim();
      await outbox().settle(claimed!, { state, messageId: null, error: "x" });
      clock.moveBy(10 * MINUTE);
      expect(await claim()).toEqual([]);
      expect(await outbox().enqueue(delivery("a"), NOON)).toBe(false);
      expect(await outbox().state("a")).toBe(state);
    },
  );

  test("tries again when told, and remembers the first attempt that may have posted", async () => {
    const start = clock.now();
    await outbox().enqueue(delivery("a"), NOON);
    const [first] = await claim();
    await outbox().settle(first!, dueAgain(later(2_000, start)));
    expect(await claim(later(1_999, start))).toEqual([]);
    clock.moveBy(2_000);
    const [second] = await claim();
    expect(second?.firstAttemptAt.equals(start)).toBe(true);
    expect(second?.claimedAt.equals(later(2_000, start))).toBe(true);
  });

  test("forgets an attempt that cannot have posted", async () => {
    await outbox().enqueue(delivery("a"), NOON);
    const [first] = await claim();
    await outbox().settle(first!, dueAgain(NOON, true));
    clock.moveBy(5 * MINUTE);
    const [second] = await claim();
    expect(second?.firstAttemptAt.equals(second.claimedAt)).toBe(true);
    expect(second?.attempts).toBe(2);
  });

  test("does not forget an earlier attempt because a later one cannot have posted", async () => {
    const start = clock.now();
    await outbox().enqueue(delivery("a"), NOON);
    const [first] = await claim();
    await outbox().settle(first!, dueAgain(NOON));
    const [second] = await claim();
    expect(second?.firstAttemptAt.equals(second.claimedAt)).toBe(true);
    await outbox().settle(second!, dueAgain(NOON, true));
    clock.moveBy(MINUTE);
    const [third] = await claim();
    expect(third?.firstAttemptAt.equals(start)).toBe(true);
  });

  test("says how long the oldest one has been due", async () => {
    const start = clock.now();
    expect(await outbox().pendingAgeMs(start)).toBe(0);
    await outbox().enqueue(delivery("a", { notBefore: later(1_000, start) }), start);
    await outbox().enqueue(noticeTo(ANA, "b"), start);
    expect(await outbox().pendingAgeMs(later(5_000))).toBe(5_000);
    const [b] = await claim();
    await outbox().settle(b!, sent);
    expect(await outbox().pendingAgeMs(later(5_000, start))).toBe(4_000);
    expect(await outbox().pendingAgeMs(later(999, start))).toBe(0);
  });

  test("forgets what was settled long ago and nothing else", async () => {
    for (const key of ["a", "b"]) {
      const target = { kind: "channel", channelId: `${CHANNEL}${key}` } as const;
      await outbox().enqueue(delivery(key, { target }), NOON);
    }
    const [a] = await claim();
    await outbox().settle(a!, sent);
    await outbox().purge(clock.now());
    expect(await outbox().state("a")).toBe("sent");
    await outbox().purge(later(1, clock.now()));
    expect(await outbox().state("a")).toBeUndefined();
    expect(await outbox().state("b")).toBe("sending");
  });
});
