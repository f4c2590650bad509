import { describe, expect, onTestFinished, test } from "vitest";
import fc from "fast-check";
import { type NewDelivery } from "#src/delivery/delivery.ts";
import { deliveryPolicies, LONGEST_BLOCK_MS } from "#src/delivery/delivery-policies.ts";
import { DAY, HOUR, MINUTE } from "#src/shared/time.ts";
import { storedInstant } from "#src/database/columns.ts";
import { enqueueReport } from "#src/delivery/outbox-enqueue.store.ts";
import { outboxStore } from "#src/delivery/outbox.store.ts";
import { databases, openTestDatabase, standingClock } from "../support/databases.ts";
import {
  ANA,
  blocked,
  BRUNO,
  CHANNEL,
  savedRoute,
  delivery,
  dueAgain,
  GUILD,
  keysOf,
  later,
  NOON,
  noticeTo,
  sent,
} from "../database/builders.ts";
import { useStore, useStores } from "../database/use-store.ts";

const OTHER_CHANNEL = "910000000000000002";

describe.each(databases)("lines of the outbox on $name", (kind) => {
  const clock = standingClock(NOON.toString());
  const { store, outbox, routes } = useStores(kind, clock);
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

  test.each([
    ["of all behind one of all that waits for its hour", 1, 0, 1, null, null],
    ["of all not behind a seller's", 1, 0, 0, "a1", null],
    ["of a seller behind one of all", 1, 0, 1, null, "a1"],
    ["of a seller behind an own one", 1, 0, 1, "a1", "a1"],
    ["of a seller not behind another's", 1, 0, 0, "a1", "a2"],
    ["not behind one that a clock ahead has written", 1, 1, 0, null, null],
    ["nor behind one that a clock ahead has put off", 4, 0, 0, null, null],
  ])("take a report %s", async (_, waits, written, expected, first, accountId) => {
    const at = (hours: number) => NOON.add({ hours });
    const waiting = delivery("waits", { notBefore: at(waits), accountId: first });
    await outbox().enqueue(waiting, at(written));
    await enqueueReport(store().db, delivery("report", { accountId }), NOON);
    await outbox().enqueue(inChannel("other", CHANNEL, { kind: "notice" }), later(1));
    const rows = await store().db.selectFrom("outbox").select(["dedupe_key", "line_at"]).execute();
    const placeOf = new Map(rows.map((row) => [row.dedupe_key, row.line_at]));
    expect(placeOf.get("report")).toBe(storedInstant(at(expected)));
    expect(placeOf.get("other")).toBe(storedInstant(NOON));
  });

  test("stand still while the head's attempt goes on past its lease in the process that asks", async () => {
    await enqueue(delivery("head"), delivery("next"), inChannel("other", OTHER_CHANNEL));
    const [head] = await claim();
    const again = { leaseMs: MINUTE, limit: 50, now: later(60) };
    clock.moveBy(2 * MINUTE);
    expect(
      keysOf(await outbox().claim({ ...again, owner: "one", except: ["head", "other"] })),
    ).toEqual([]);
    expect(await outbox().settle(head!, sent)).toBe(true);
    expect(keysOf(await outbox().claim({ ...again, owner: "one" }))).toEqual(["next", "other"]);
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
    await enqueue(delivery("a"), inChannel("b", OTHER_CHANNEL), inChannel("c", "third"));
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

  test("do not wait for a time from before the clock was set back, and hold their order", async () => {
    const ahead = later(DAY);
    for (const each of [delivery("a", { notBefore: ahead }), delivery("b", { notBefore: ahead })])
      await outbox().enqueue(each, ahead);
    expect(keysOf(await claim())).toEqual(["a"]);
    expect(await claim()).toEqual([]);
  });

  test("wait as long as one of their kind may, and no longer after the clock was set back", async () => {
    const kinds = ["notice", "sale_notice", "charge", "sales_report", "dispute_alert"] as const;
    for (const kind of kinds) {
      const line = inChannel(kind, `channel of ${kind}`);
      await enqueue({ ...line, kind });
    }
    for (const head of await claim(NOON, 9)) {
      const { longestWaitMs } = deliveryPolicies[head.kind];
      await outbox().settle(head, dueAgain(later(longestWaitMs)));
    }
    expect(await claim(NOON, 9)).toEqual([]);
    const back = later(-1);
    expect(keysOf(await claim(back, 9)).toSorted()).toEqual(kinds.toSorted());
  });

  test("of a lost channel are probed after a day, and at once after the clock was set back", async () => {
    await enqueue(delivery("a"));
    const [head] = await claim();
    await outbox().settle(head!, blocked(later(LONGEST_BLOCK_MS)));
    expect(await claim()).toEqual([]);
    expect(keysOf(await claim(later(-1)))).toEqual(["a"]);
  });

  test("are retried after a set-back clock claimed their head, no sooner than said", async () => {
    await outbox().enqueue(delivery("a", { notBefore: later(DAY) }), later(DAY));
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

  test("of a lost channel are passed by one notice of sales after the other, but for a probe", async () => {
    const kind = "sale_notice";
    await enqueue(delivery("a"), delivery("b", { kind }), delivery("c", { kind }), delivery("d"));
    const [head] = await claim();
    await outbox().settle(head!, blocked(later(HOUR)));
    const notices = await claim(later(10));
    expect(keysOf(notices)).toEqual(["b"]);
    expect(await claim(later(10))).toEqual([]);
    await outbox().settle(notices[0]!, sent);
    const probes = await claim(later(HOUR));
    expect(keysOf(probes)).toEqual(["a"]);
    expect(await claim(later(HOUR))).toEqual([]);
    await outbox().settle(probes[0]!, blocked(later(2 * HOUR)));
    expect(keysOf(await claim(later(HOUR)))).toEqual(["c"]);
  });

  test("of a lost channel do not count as overdue", async () => {
    await enqueue(delivery("a"), delivery("b"));
    const [head] = await claim();
    await outbox().settle(head!, blocked(later(HOUR)));
    expect(await outbox().pendingAgeMs(later(HOUR))).toBe(0);
    await routes().lift(GUILD, CHANNEL);
    expect(await outbox().pendingAgeMs(later(HOUR))).toBe(HOUR);
  });

  test.each(["lost_channel 50001", "history_refused"])(
    "of a reader whom Discord refuses (%s) do not count as overdue, and others do",
    async (error) => {
      await enqueue(noticeTo(ANA, "a"), noticeTo(ANA, "b"));
      const [head] = await claim();
      const refused = { ...dueAgain(later(10 * MINUTE)), error };
      await outbox().settle(head!, refused);
      expect(await outbox().pendingAgeMs(later(HOUR))).toBe(0);
      await outbox().enqueue(noticeTo(BRUNO, "c"), NOON);
      expect(await outbox().pendingAgeMs(later(HOUR))).toBe(HOUR);
    },
  );

  test("of a reader whom Discord refuses, with a line of their own, do not count as overdue", async () => {
    const lostChannel = { route: "channel_lost", channelId: CHANNEL } as const;
    await enqueue({ ...noticeTo(ANA, "a"), payload: { content: "a", lostChannel } });
    const [head] = await claim();
    const refused = { ...dueAgain(later(10 * MINUTE)), error: "lost_channel 50001" };
    await outbox().settle(head!, refused);
    expect(await outbox().pendingAgeMs(later(HOUR))).toBe(0);
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

  test("follow the route to another channel, but for other posts", async () => {
    await routes().save(...savedRoute(), NOON);
    await enqueue(delivery("held"), delivery("notice", { kind: "notice" }));
    await routes().save(...savedRoute({ channelId: OTHER_CHANNEL }), later(1));
    expect(await claim(later(10))).toMatchObject([
      { dedupeKey: "held", target: { channelId: OTHER_CHANNEL } },
      { dedupeKey: "notice", target: { channelId: CHANNEL } },
    ]);
  });

  test("follow the route behind what may stand in the old channel, which is looked for at once", async () => {
    await routes().save(...savedRoute(), NOON);
    await enqueue(delivery("maybe"), delivery("held"));
    const [maybe] = await claim();
    await outbox().settle(maybe!, blocked(later(HOUR), false));
    await routes().save(...savedRoute({ channelId: OTHER_CHANNEL }), later(1));
    const [again, ...none] = await claim(later(10));
    expect(again).toMatchObject({ dedupeKey: "maybe", target: { channelId: CHANNEL } });
    expect(none).toEqual([]);
    const target = { kind: "channel", channelId: OTHER_CHANNEL } as const;
    const moved = { ...dueAgain(later(10), true), target };
    await outbox().settle(again!, moved);
    const [first, held] = await claim(later(10));
    expect([first, held]).toMatchObject([
      { dedupeKey: "maybe", target },
      { dedupeKey: "held", target: { channelId: CHANNEL } },
    ]);
    expect(first?.firstAttemptAt.equals(first.claimedAt)).toBe(true);
    await outbox().settle(held!, moved);
    expect(await claim(later(10))).toEqual([]);
    await outbox().settle(first!, sent);
    expect(await claim(later(10))).toMatchObject([{ dedupeKey: "held", target }]);
  });
});

const DELIVERIES = 200;
const LINES = 20;
const MOST_ROUNDS = 2_000;

const inLine = (line: number, index: number) =>
  delivery(`${line}|${String(index).padStart(4, "0")}`, {
    target: { kind: "channel", channelId: String(line) },
  });

const lineOf = (dedupeKey: string): string => dedupeKey.split("|")[0] ?? "";

describe.each(databases)("several workers on $name", (kind) => {
  const store = useStore(kind);

  test("claim each delivery once and keep the order of every line", async () => {
    const first = outboxStore(store().db, store().open.leaseNow);
    for (let index = 0; index < DELIVERIES; index += 1) {
      await first.enqueue(inLine(index % LINES, index), NOON);
    }
    const posted: string[] = [];
    const work = async (owner: string): Promise<void> => {
      const outbox = outboxStore(store().db, store().open.leaseNow);
      for (let round = 0; round < MOST_ROUNDS; round += 1) {
        const claims = await outbox.claim({ owner, leaseMs: MINUTE, limit: 7, now: NOON });
        if (claims.length === 0 && posted.length >= DELIVERIES) return;
        for (const claim of claims) {
          posted.push(claim.dedupeKey);
          expect(await outbox.settle(claim, sent)).toBe(true);
        }
      }
    };
    await Promise.all(["a", "b", "c", "d", "e"].map(work));
    expect(posted).toHaveLength(DELIVERIES);
    expect(new Set(posted).size).toBe(DELIVERIES);
    for (let line = 0; line < LINES; line += 1) {
      const ofLine = posted.filter((key) => lineOf(key) === String(line));
      expect(ofLine).toEqual(ofLine.toSorted());
    }
  });

  test("enqueue one delivery once between them", async () => {
    const outbox = outboxStore(store().db, store().open.leaseNow);
    const tries = Array.from({ length: 20 }, () => outbox.enqueue(delivery("same"), NOON));
    expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1);
  });
});

type Step =
  | { readonly kind: "claim"; readonly owner: string; readonly limit: number }
  | { readonly kind: "settle"; readonly pick: number; readonly how: "sent" | "due" | "blocked" }
  | { readonly kind: "wait"; readonly ms: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant("claim" as const),
    owner: fc.constantFrom("a", "b"),
    limit: fc.integer({ min: 1, max: 4 }),
  }),
  fc.record({
    kind: fc.constant("settle" as const),
    pick: fc.nat(9),
    how: fc.constantFrom("sent" as const, "due" as const, "blocked" as const),
  }),
  fc.record({ kind: fc.constant("wait" as const), ms: fc.integer({ min: 1, max: 90_000 }) }),
);

test("whatever happens, nobody claims what another holds or what comes later in its line", async () => {
  let clock = standingClock(NOON.toString());
  const open = await openTestDatabase("sqlite::memory:", { now: () => clock.now() });
  onTestFinished(open.close);
  const outbox = outboxStore(open.db, open.leaseNow);
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async (steps) => {
      clock = standingClock(NOON.toString());
      await open.db.deleteFrom("outbox").execute();
      for (let index = 0; index < 9; index += 1)
        await outbox.enqueue(inLine(index % 3, index), NOON);
      const held = new Map<string, number>();
      const done = new Set<string>();
      const claims: Awaited<ReturnType<typeof outbox.claim>> = [];
      for (const one of steps) {
        const now = clock.now();
        if (one.kind === "wait") clock.moveBy(one.ms);
        if (one.kind === "claim") {
          const taken = await outbox.claim({ ...one, leaseMs: MINUTE, now });
          for (const { dedupeKey } of taken) {
            expect(done).not.toContain(dedupeKey);
            expect(held.get(dedupeKey) ?? 0).toBeLessThanOrEqual(now.epochMilliseconds);
            const earlier = [0, 3, 6].map(
              (index) =>
                inLine(Number(lineOf(dedupeKey)), index + Number(lineOf(dedupeKey))).dedupeKey,
            );
            for (const key of earlier.filter((key) => key < dedupeKey)) expect(done).toContain(key);
            held.set(dedupeKey, now.epochMilliseconds + MINUTE);
          }
          claims.push(...taken);
        }
        const claim =
          one.kind === "settle" ? claims.at(one.pick % (claims.length || 1)) : undefined;
        if (one.kind !== "settle" || claim === undefined) continue;
        const again = later(20_000, now);
        const result = { sent, due: dueAgain(again), blocked: blocked(again) }[one.how];
        const current = claims.findLast(({ dedupeKey }) => dedupeKey === claim.dedupeKey) === claim;
        const settled = await outbox.settle(claim, result);
        if (!current) expect(settled).toBe(false);
        if (!settled) continue;
        held.set(claim.dedupeKey, again.epochMilliseconds);
        if (one.how === "sent") done.add(claim.dedupeKey);
      }
    }),
    { numRuns: 150 },
  );
});
