import { describe, expect, test } from "vitest";
import { type ClaimedDelivery, nonceOf, type Settlement } from "#src/delivery/delivery.ts";
import { outboxStore } from "#src/delivery/outbox.store.ts";
import { nextStep, postedSpans } from "#src/delivery/settlement.ts";
import { HOUR, MINUTE, SET_BACK_MS } from "#src/shared/time.ts";
import { alertKey, type WatchedDispute } from "#src/disputes/dispute-alert.ts";
import { databases, standingClock } from "../support/databases.ts";
import {
  ANA,
  anaKey,
  blocked,
  CHANNEL,
  delivery,
  dueAgain,
  keysOf,
  later,
  NOON,
  noticeTo,
  savedAccount,
  sent,
} from "../database/builders.ts";
import { useStores, testAccounts } from "../database/use-store.ts";
import { alertTo, newDispute } from "../disputes/dispute-builders.ts";

describe.each(databases)("the outbox on $name", (kind) => {
  const clock = standingClock(NOON.toString());
  const { store, outbox } = useStores(kind, clock);
  const claim = (now = clock.now(), owner = "one") =>
    outbox().claim({ owner, leaseMs: MINUTE, limit: 50, now });

  test("takes a delivery once; the first payload stands", async () => {
    expect(await outbox().enqueue(delivery("a"), NOON)).toBe(true);
    const other = delivery("a", { payload: { content: "other figures" } });
    expect(await outbox().enqueue(other, NOON)).toBe(false);
    const [claimed] = await claim();
    expect(claimed?.payload).toEqual(delivery("a").payload);
  });

  test("takes a message to each of many, once, and none for who has none", async () => {
    const people = Array.from({ length: 120 }, (_, place) => `u-${place}`);
    const messageTo = async (id: string) =>
      id === "u-60" ? undefined : noticeTo(id, `notice|${id}`);
    for (let times = 0; times < 2; times++) await outbox().enqueueEach(people, messageTo, NOON);
    const rows = await store().db.selectFrom("outbox").select("target_id").execute();
    const wanted = people.filter((id) => id !== "u-60");
    expect(rows.map((row) => row.target_id).toSorted()).toEqual(wanted.toSorted());
    const nobody = async () => undefined;
    await outbox().enqueueEach([], messageTo, NOON);
    await outbox().enqueueEach(["u-120"], nobody, NOON);
  });

  test("gives back what was put in, with the facts of the attempt", async () => {
    const start = clock.now();
    const given = delivery("a", {
      kind: "notice",
      target: { kind: "person", userId: ANA },
      guildId: null,
      accountId: "account-1",
      opId: "W-7K2Q9",
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
      opId: "W-7K2Q9",
      payload: given.payload,
      nonce: nonceOf("a"),
      attempts: 1,
      owner: "one",
      token: 1,
      lostLives: [],
      wasBlocked: false,
    });
    for (const instant of [enqueuedAt, firstAttemptAt, claimedAt, notBefore]) {
      expect(instant.equals(start)).toBe(true);
    }
  });

  test("gives a lease that was taken before the clock was set back to the next", async () => {
    await outbox().enqueue(delivery("a"), clock.now());
    const [before] = await claim();
    clock.moveBy(-SET_BACK_MS);
    expect(await claim()).toEqual([]);
    clock.moveBy(-1);
    const [after] = await claim();
    expect(after).toMatchObject({ dedupeKey: "a", token: 2 });
    expect(await outbox().settle(before!, sent)).toBe(false);
    expect(await outbox().settle(after!, sent)).toBe(true);
    clock.moveBy(SET_BACK_MS + 1);
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

  test("does not count an attempt that brought it on", async () => {
    await outbox().enqueue(delivery("a"), NOON);
    for (const settlement of [dueAgain(NOON), { ...dueAgain(NOON, true), isUncounted: true }]) {
      const [claimed] = await claim();
      await outbox().settle(claimed!, settlement as Settlement);
    }
    expect(await claim()).toMatchObject([{ attempts: 2, token: 3 }]);
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

  test.each([
    [{ state: "dead", error: "x", untouched: true }, true],
    [{ state: "obsolete", error: "x", untouched: true }, true],
    [{ state: "unknown", error: "x" }, false],
    [{ state: "sent", messageId: null }, false],
  ] as const)(
    "takes a charge's card anew after %j: %s, with all facts",
    async (settlement, isTaken) => {
      const card = delivery("a", { kind: "charge" });
      await outbox().enqueue(card, NOON);
      const [first] = await claim();
      await outbox().settle(first!, settlement);
      const facts = { guildId: null, closeKind: "week", offerId: "offer-1", opId: "op" } as const;
      const day = Temporal.PlainDate.from("2026-11-18");
      expect(await outbox().enqueue({ ...card, ...facts, day }, NOON)).toBe(isTaken);
      expect(await outbox().enqueue(card, NOON)).toBe(false);
      const claims = await claim();
      expect(claims).toMatchObject(isTaken ? [facts] : []);
      if (isTaken) expect(claims[0]?.day?.equals(day)).toBe(true);
    },
  );

  test("takes a card anew with the record of a post that may have arrived before the refusal", async () => {
    const card = delivery("a", { kind: "charge" });
    await outbox().enqueue(card, NOON);
    const [first] = await claim();
    await outbox().settle(first!, dueAgain(NOON));
    clock.moveBy(MINUTE);
    const [second] = await claim();
    await outbox().settle(second!, { state: "obsolete", error: "x", untouched: true });
    clock.moveBy(MINUTE);
    await outbox().enqueue(card, NOON);
    const [third] = await claim();
    expect(third?.firstAttemptAt.equals(first!.firstAttemptAt)).toBe(true);
  });

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

  test.each([20, 0, -20])(
    "has a post looked for from its attempt on, where the clock of leases is %d minutes ahead",
    async (minutes) => {
      const leaseNow = async () => clock.now().add({ minutes });
      const aside = outboxStore(store().db, leaseNow);
      const ask = async () =>
        (await aside.claim({ owner: "one", leaseMs: MINUTE, limit: 1, now: clock.now() }))[0]!;
      const start = clock.now();
      await aside.enqueue(delivery("a"), start);
      expect(nextStep(await ask(), clock.now())).toBe("post");
      clock.moveBy(5 * MINUTE);
      const again = await ask();
      expect(nextStep(again, clock.now())).toBe("search");
      const [span] = postedSpans(again);
      expect(Temporal.Instant.compare(span!.after, start)).toBeLessThan(0);
    },
  );

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

  test("keeps the text of what is settled only if a newer post may replace it", async () => {
    const { alert } = alertTo(ANA, "account-1", "new");
    for (const [key, subject] of Object.entries({
      dispute: { alert },
      operation: { opId: "W-7K2Q9" },
      sales: {},
      refused: { opId: "W-7K2Q9" },
      "taken back": { alert },
    }))
      await outbox().enqueue({ ...noticeTo(key, key), ...subject }, NOON);
    await outbox().cancelUnsent("taken back", NOON);
    for (const each of await claim()) {
      const refused = { state: "dead", error: "closed" } as const;
      await outbox().settle(each, each.dedupeKey === "refused" ? refused : sent);
    }
    const rows = store().db.selectFrom("outbox").select("dedupe_key").where("payload", "<>", "{}");
    const kept = (await rows.execute()).map((row) => row.dedupe_key);
    expect(kept.toSorted()).toEqual(["dispute", "operation"]);
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
    await outbox().purge(later(1, clock.now()), AbortSignal.abort());
    expect(await outbox().state("a")).toBe("sent");
    await outbox().purge(later(1, clock.now()));
    expect(await outbox().state("a")).toBeUndefined();
    expect(await outbox().state("b")).toBe("sending");
  });
});

describe.each(databases)("an alert that is not told on $name", (kind) => {
  const clock = standingClock(NOON.toString());
  const { store, watch, outbox } = useStores(kind, clock);
  const claim = async (): Promise<ClaimedDelivery | undefined> => {
    const request = { owner: "one", leaseMs: MINUTE, limit: 1, now: clock.now() };
    return (await outbox().claim(request))[0];
  };
  const untrue = ({ watchId, infractionId, version }: WatchedDispute): Settlement => ({
    state: "obsolete",
    error: "no_longer_true",
    unsent: { watchId, infractionId, version, doneSteps: ["new"] },
  });
  const owed = async () => {
    const { id } = await testAccounts(store().db, store().vault).save(savedAccount(), anaKey);
    const dispute = newDispute(id, { doneSteps: ["new", "24h"] });
    const alert = {
      ...alertTo(ANA, id, "24h"),
      dedupeKey: alertKey(dispute, "24h"),
      notBefore: clock.now(),
    };
    const watched = await watch().keep(dispute, [alert], clock.now());
    return { alert, watched: watched!, held: (await claim())! };
  };
  const found = async ({ watchId, infractionId }: WatchedDispute) =>
    (await watch().find(watchId, infractionId))!;

  test("is owed again by its dispute, and then posted anew as it stands then", async () => {
    const { alert, watched, held } = await owed();
    expect(await outbox().settle(held, untrue(watched))).toBe(true);
    expect(await outbox().state(alert.dedupeKey)).toBe("obsolete");
    const after = await found(watched);
    expect(after).toEqual({ ...watched, doneSteps: ["new"], version: 2 });
    clock.moveBy(HOUR);
    const payload = { content: "as it stands now" };
    const anew = { ...alert, payload, notBefore: clock.now() };
    await watch().step(after, { doneSteps: ["new", "24h"] }, [anew], clock.now());
    const again = await claim();
    expect(again).toMatchObject({ payload, attempts: 2, token: 2, enqueuedAt: clock.now() });
    expect(again?.firstAttemptAt).toEqual(again?.claimedAt);
    expect(await outbox().settle(held, sent)).toBe(false);
    expect(await outbox().settle(again!, sent)).toBe(true);
    expect(await outbox().enqueue(anew, clock.now())).toBe(false);
  });

  test("is judged anew when its dispute has changed meanwhile", async () => {
    const { alert, watched, held } = await owed();
    const changed = await watch().step(watched, { snoozedUntil: later(1) }, [alert], clock.now());
    expect(await outbox().settle(held, untrue(watched))).toBe(true);
    expect(await outbox().state(alert.dedupeKey)).toBe("due");
    expect(await found(watched)).toEqual(changed);
    expect((await claim())?.dedupeKey).toBe(alert.dedupeKey);
  });

  test("changes nothing when its lease was lost", async () => {
    const { watched, held } = await owed();
    expect(await outbox().settle({ ...held, token: 9 }, untrue(watched))).toBe(false);
    expect(await found(watched)).toEqual(watched);
  });

  test("keeps the trace of an earlier attempt that may have posted it", async () => {
    const { alert, watched, held } = await owed();
    await outbox().settle(held, dueAgain(clock.now()));
    clock.moveBy(HOUR);
    await outbox().settle((await claim())!, untrue(watched));
    await outbox().enqueue({ ...alert, notBefore: clock.now() }, clock.now());
    expect((await claim())?.firstAttemptAt).toEqual(held.claimedAt);
  });

  test("ends all the same when its dispute is gone", async () => {
    const { alert, watched, held } = await owed();
    await store().db.deleteFrom("dispute_watch").execute();
    expect(await outbox().settle(held, untrue(watched))).toBe(true);
    expect(await outbox().state(alert.dedupeKey)).toBe("obsolete");
  });
});

describe.each(databases)("a delivery that is taken back on $name", (kind) => {
  const { store, outbox } = useStores(kind);
  const claim = () => outbox().claim({ owner: "one", leaseMs: MINUTE, limit: 10, now: NOON });
  const enqueue = () => outbox().enqueue(noticeTo(ANA, "a"), NOON);
  const retracted = async () => {
    const isSure = await outbox().cancelUnsent("a", later(1));
    // A repeated cancellation returns the same answer.
    expect(await outbox().cancelUnsent("a", later(2))).toBe(isSure);
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
      const [claims] = await Promise.all([claim(), outbox().cancelUnsent("a", NOON)]);
      expect(await outbox().state("a")).toBe(claims.length === 1 ? "sending" : "obsolete");
    }
  });
});
