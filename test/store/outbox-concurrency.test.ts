import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { MINUTE } from "#src/shared/duration.ts";
import { outboxStore } from "#src/store/outbox.ts";
import { databases, openTestDatabase, standingClock } from "../support/databases.ts";
import { blocked, delivery, dueAgain, later, NOON, sent } from "./builders.ts";
import { useStore } from "./use-store.ts";

const DELIVERIES = 200;
const LINES = 20;
const MOST_ROUNDS = 2_000;

const inLine = (line: number, index: number) =>
  delivery(`${line}|${String(index).padStart(4, "0")}`, {
    target: { kind: "channel", channelId: String(line) },
  });

const lineOf = (dedupeKey: string): string => dedupeKey.split("|")[0] ?? "";

describe.each(databases)("several workers on $name", (kind) => {
  const store = useStore(kind, standingClock(NOON.toString()));

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
