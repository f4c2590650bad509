import { describe, expect, test } from "vitest";
import { MINUTE } from "#src/shared/time.ts";
import { outboxStore } from "#src/delivery/outbox.store.ts";
import { databases, standingClock } from "../support/databases.ts";
import { ANA, BRUNO, dueAgain, keysOf, later, NOON, noticeTo } from "../database/builders.ts";
import { useQueryPlans } from "../database/query-plans.ts";
import { useStore } from "../database/use-store.ts";

describe.each(databases)("a claim on $name", (kind) => {
  const store = useStore(kind, standingClock(NOON.toString()));
  const outbox = () => outboxStore(store().db, store().open.leaseNow);
  const claim = (now: Temporal.Instant, limit: number) =>
    outbox().claim({ owner: "one", leaseMs: MINUTE, limit, now });

  test("takes what has been due for longest, and a retry by its own time", async () => {
    await outbox().enqueue(noticeTo(ANA, "retried"), NOON);
    const [first] = await claim(NOON, 1);
    await outbox().settle(first!, dueAgain(later(2)));
    await outbox().enqueue({ ...noticeTo(BRUNO, "fresh"), notBefore: later(1) }, NOON);
    expect(keysOf(await claim(later(2), 1))).toEqual(["fresh"]);
    expect(keysOf(await claim(later(2), 1))).toEqual(["retried"]);
  });
});

/** Steps that find one delivery, one line, or what is due, was being sent or is put off. */
const READS_FEW =
  /USING (?:COVERING )?INDEX (?:sqlite_autoindex_outbox_1 \(dedupe_key=\?\)|outbox_lines \(line=\?|outbox_due \(not_before<\?\)|outbox_tried \(state=\?|outbox_untried \(created_at>\?\))/;

test("A claim reads no delivery that waits for its time", async () => {
  const { db, open, plans } = await useQueryPlans(standingClock(NOON.toString()));
  const outbox = outboxStore(db, open.leaseNow);
  await outbox.claim({ owner: "one", leaseMs: MINUTE, limit: 32, now: NOON });
  const steps = plans(/"outbox"/)
    .flatMap((plan) => plan.steps)
    .filter((step) => /^(?:SCAN|SEARCH) (?:outbox|head|earlier)/.test(step));
  expect(steps.length).toBeGreaterThan(5);
  expect(steps.filter((step) => !READS_FEW.test(step))).toEqual([]);
});
