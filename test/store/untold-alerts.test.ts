import { describe, expect, test } from "vitest";
import type { ClaimedDelivery, Settlement } from "#src/domain/delivery.ts";
import { alertKey, type WatchedDispute } from "#src/domain/dispute-alert.ts";
import { HOUR, MINUTE } from "#src/shared/duration.ts";
import { accountsStore } from "#src/store/accounts.ts";
import { disputeWatch } from "#src/store/dispute-watch.ts";
import { outboxStore } from "#src/store/outbox.ts";
import { databases, standingClock } from "../support/databases.ts";
import { ANA, anaKey, dueAgain, later, NOON, noticeTo, savedAccount, sent } from "./builders.ts";
import { alertTo, newDispute } from "./dispute-builders.ts";
import { useStore } from "./use-store.ts";

describe.each(databases)("an alert that is not told on $name", (kind) => {
  const clock = standingClock(NOON.toString());
  const store = useStore(kind, clock);
  const watch = () => disputeWatch(store().db);
  const outbox = () => outboxStore(store().db, store().open.leaseNow);
  const claim = async (): Promise<ClaimedDelivery | undefined> => {
    const request = { owner: "one", leaseMs: MINUTE, limit: 1, now: clock.now() };
    return (await outbox().claim(request))[0];
  };
  const untrue = ({ accountId, infractionId, version }: WatchedDispute): Settlement => ({
    state: "obsolete",
    error: "no_longer_true",
    untold: { accountId, infractionId, version, doneSteps: ["new"] },
  });
  const owed = async () => {
    const { id } = await accountsStore(store().db, store().vault).save(savedAccount(), anaKey);
    const dispute = newDispute(id, { doneSteps: ["new", "24h"] });
    const alert = {
      ...alertTo(ANA, id, "24h"),
      dedupeKey: alertKey(dispute, "24h"),
      notBefore: clock.now(),
    };
    const watched = await watch().keep(dispute, [alert], clock.now());
    return { alert, watched: watched!, held: (await claim())! };
  };
  const found = async ({ accountId, infractionId }: WatchedDispute) =>
    (await watch().find(accountId, infractionId))!;

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
    const changed = await watch().step(watched, { readAt: later(1) }, [alert], clock.now());
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

  test("is alone in that: a notice that was taken back stays so", async () => {
    await outbox().enqueue(noticeTo(ANA, "notice"), clock.now());
    await outbox().retract("notice", clock.now());
    expect(await outbox().enqueue(noticeTo(ANA, "notice"), clock.now())).toBe(false);
    expect(await outbox().state("notice")).toBe("obsolete");
  });
});
