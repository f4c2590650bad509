import { describe, expect, test } from "vitest";
import type { NewDelivery, Settlement } from "#src/domain/delivery.ts";
import { repeatKeyOf } from "#src/domain/dispute-alert.ts";
import { DAY, HOUR, MINUTE } from "#src/shared/duration.ts";
import { accountsStore } from "#src/store/accounts.ts";
import { disputeWatch } from "#src/store/dispute-watch.ts";
import { outboxStore } from "#src/store/outbox.ts";
import { databases, standingClock } from "../support/databases.ts";
import {
  ANA,
  anaKey,
  BRUNO,
  blocked,
  brunoKey,
  later,
  NOON,
  noticeTo,
  savedAccount,
  sent,
} from "./builders.ts";
import { alertOf, alertTo } from "./dispute-builders.ts";
import { useStore } from "./use-store.ts";

const dead: Settlement = { state: "dead", error: "unreachable_person 50007" };
const unknown: Settlement = { state: "unknown", error: "history_unreadable" };

describe.each(databases)("alerts that reached nobody on $name", (kind) => {
  const clock = standingClock(NOON.toString());
  const store = useStore(kind, clock);
  const accounts = () => accountsStore(store().db, store().vault);
  const connect = async (): Promise<string> => (await accounts().save(savedAccount(), anaKey)).id;
  const undelivered = (accountId: string, since = NOON) =>
    disputeWatch(store().db).undelivered(accountId, since);
  const ended = async (delivery: NewDelivery, settlement: Settlement): Promise<void> => {
    const outbox = outboxStore(store().db, store().open.leaseNow);
    const now = clock.now();
    await outbox.enqueue({ ...delivery, notBefore: now }, now);
    const [held] = await outbox.claim({ owner: "one", leaseMs: MINUTE, limit: 1, now });
    await outbox.settle(held!, settlement);
  };

  test("are those of the account that Discord refused, since then", async () => {
    const id = await connect();
    const bruno = await accounts().save(savedAccount({ ownerId: BRUNO }), brunoKey);
    expect(await undelivered(id)).toBe(0);
    await ended(alertTo(ANA, id, "new"), dead);
    await ended(alertTo(ANA, id, "24h"), sent);
    await ended(alertTo(ANA, id, "6h"), { state: "obsolete", error: "no_longer_true" });
    await ended(alertTo(BRUNO, bruno.id, "new"), dead);
    await ended({ ...noticeTo(ANA, "notice"), accountId: id }, dead);
    expect(await undelivered(id)).toBe(1);
    expect(await undelivered(id, later(1, clock.now()))).toBe(0);
    clock.moveBy(DAY);
    await ended(alertTo(ANA, id, "1h"), dead);
    expect(await undelivered(id)).toBe(2);
    expect(await undelivered(id, clock.now())).toBe(1);
  });

  test("are also those that wait for a lost channel", async () => {
    const id = await connect();
    await ended(alertOf(id, "new"), blocked(later(HOUR, clock.now())));
    expect(await undelivered(id, clock.now())).toBe(1);
  });

  test("are not those that were repeated; a repeat that was refused counts itself", async () => {
    const id = await connect();
    const [first, second] = [alertTo(ANA, id, "new"), alertTo(ANA, id, "24h")];
    const repeatOf = (delivery: NewDelivery): NewDelivery => ({
      ...delivery,
      dedupeKey: repeatKeyOf(delivery.dedupeKey)!,
    });
    await ended(first, dead);
    await ended(repeatOf(first), sent);
    expect(await undelivered(id)).toBe(0);
    await ended(second, unknown);
    await ended(repeatOf(second), dead);
    expect(await undelivered(id)).toBe(1);
  });
});
