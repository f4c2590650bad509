import { describe, expect, test } from "vitest";
import type { WatchedDispute } from "#src/domain/dispute-alert.ts";
import type { NewWatchedDispute } from "#src/domain/dispute-stores.ts";
import { DAY, HOUR } from "#src/shared/duration.ts";
import { cents } from "#src/shared/money.ts";
import { accountsStore } from "#src/store/accounts.ts";
import { disputeWatch } from "#src/store/dispute-watch.ts";
import { databases, standingClock } from "../support/databases.ts";
import {
  ANA,
  anaKey,
  anaOtherKey,
  BRUNO,
  brunoKey,
  GUILD,
  later,
  NOON,
  noticeTo,
  savedAccount,
} from "./builders.ts";
import { alertKey, alertTo, audited, newDispute, owedIn } from "./dispute-builders.ts";
import { useStore } from "./use-store.ts";

const WORKERS = 12;

describe.each(databases)("watched disputes on $name", (kind) => {
  const store = useStore(kind, standingClock(NOON.toString()));
  const watch = () => disputeWatch(store().db);
  const accounts = () => accountsStore(store().db, store().vault);
  const connect = async (): Promise<string> => {
    const { id } = await accounts().save(savedAccount(), anaKey);
    return id;
  };
  const kept = async (dispute: NewWatchedDispute): Promise<WatchedDispute> => {
    const watched = await watch().keep(dispute, [], NOON);
    if (watched === undefined) throw new Error("It was not kept");
    return watched;
  };
  const owed = async (): Promise<readonly string[]> => Object.keys(await owedIn(store().db));
  const unwritable = (id: string) => ({
    ...alertTo(ANA, id, "1h"),
    notBefore: Temporal.Instant.from("-000001-01-01T00:00Z"),
  });

  test("come back as they were kept, with what is told of them", async () => {
    const id = await connect();
    const whole = newDispute(id, {
      status: "a value of tomorrow",
      doneSteps: ["new", "72h"],
      answeredByOwnerAt: later(1),
      snoozedUntil: later(2),
      closedAt: later(3),
    });
    const watched = await watch().keep(whole, [alertTo(ANA, id, "new")], NOON);
    expect(watched).toEqual({ ...whole, version: 1 });
    expect(await watch().find(id, "infraction-1")).toEqual(watched);
    expect(await watch().of(id)).toEqual([watched]);
    expect(await owed()).toEqual([alertKey(id, "new")]);
    expect(await watch().find(id, "infraction-2")).toBeUndefined();
    expect(await watch().find("nobody", "infraction-1")).toBeUndefined();
  });

  test("are kept once by many at once, with the alert of that one", async () => {
    const id = await connect();
    const results = await Promise.all(
      Array.from({ length: WORKERS }, (_, index) =>
        watch().keep(newDispute(id), [alertTo(ANA, id, `new ${index}`)], NOON),
      ),
    );
    expect(results.filter((one) => one !== undefined)).toHaveLength(1);
    const winner = results.findIndex((one) => one !== undefined);
    expect(await owed()).toEqual([alertKey(id, `new ${winner}`)]);
  });

  test("take one step of many at once, with the alert of that one", async () => {
    const id = await connect();
    const watched = await kept(newDispute(id));
    const results = await Promise.all(
      Array.from({ length: WORKERS }, (_, index) =>
        watch().step(
          watched,
          { doneSteps: ["24h"], readAt: later(index) },
          [alertTo(ANA, id, `24h ${index}`)],
          NOON,
        ),
      ),
    );
    const winner = results.findIndex((one) => one !== undefined);
    expect(results.filter((one) => one !== undefined)).toHaveLength(1);
    expect(await owed()).toEqual([alertKey(id, `24h ${winner}`)]);
    const after = { ...watched, doneSteps: ["24h"], readAt: later(winner), version: 2 };
    expect(await watch().find(id, "infraction-1")).toEqual(after);
  });

  test("change what a step names and nothing else; an explicit undefined takes back", async () => {
    const id = await connect();
    const watched = await kept(newDispute(id, { answeredByOwnerAt: NOON, snoozedUntil: NOON }));
    const change = {
      txid: "txid-2",
      amount: cents(1),
      frozen: cents(0),
      status: "disagreed",
      analysisStatus: "rejected",
      dueAt: later(DAY),
      doneSteps: ["won"],
      readAt: later(5),
      closedAt: later(6),
      answeredByOwnerAt: undefined,
    } as const;
    const after = await watch().step(watched, change, [], NOON);
    expect(after).toEqual({ ...watched, ...change, version: 2 });
    const same = await watch().step(after!, {}, [], NOON);
    expect(same).toEqual({ ...after, version: 3 });
  });

  test("do not change when their alert cannot be kept, and are not kept either", async () => {
    const id = await connect();
    const watched = await kept(newDispute(id));
    const stepping = watch().step(watched, { doneSteps: ["1h"] }, [unwritable(id)], NOON);
    await expect(stepping).rejects.toThrow(RangeError);
    expect(await watch().find(id, "infraction-1")).toEqual(watched);
    const second = newDispute(id, { infractionId: "infraction-2" });
    await expect(watch().keep(second, [unwritable(id)], NOON)).rejects.toThrow(RangeError);
    expect(await watch().of(id)).toEqual([watched]);
    expect(await owed()).toEqual([]);
  });

  test("silenced by their owner leave a trace of it, and of nothing else", async () => {
    const id = await connect();
    const watched = await kept(newDispute(id));
    const silenced = await watch().step(watched, { answeredByOwnerAt: NOON }, [], NOON);
    await watch().step(silenced!, { answeredByOwnerAt: undefined }, [], NOON);
    expect(await audited(store().db)).toEqual(["ana dispute_silenced"]);
  });

  test("of an account come soonest first, and await an answer while nobody answered or decided", async () => {
    const id = await connect();
    const one = (infractionId: string, changes: Partial<NewWatchedDispute>) =>
      kept(newDispute(id, { infractionId, doneSteps: ["new"], ...changes }));
    await one("late", { dueAt: later(3 * DAY) });
    await one("soon", { dueAt: later(DAY) });
    await one("answered", { status: "disagreed", dueAt: later(2 * DAY) });
    await one("lost", { analysisStatus: "accepted", dueAt: later(HOUR) });
    await one("closed", { closedAt: NOON, dueAt: later(4 * DAY) });
    const ids = (found: readonly WatchedDispute[]) => found.map((each) => each.infractionId);
    expect(ids(await watch().of(id))).toEqual(["lost", "soon", "answered", "late", "closed"]);
    expect(ids(await watch().awaiting(id))).toEqual(["soon", "late"]);
    expect(await watch().awaiting("nobody")).toEqual([]);
    expect(ids(await watch().awaitingBefore(later(3 * DAY)))).toEqual(["soon"]);
    await accounts().pause(id, NOON, noticeTo(ANA, "paused"));
    expect(ids(await watch().awaitingBefore(later(4 * DAY)))).toEqual(["soon", "late"]);
    await accounts().setAlerts(GUILD, ANA, "off", NOON);
    expect(await watch().awaitingBefore(later(4 * DAY))).toEqual([]);
  });

  test("that were never announced are among those with a near deadline", async () => {
    const id = await connect();
    const unsaid = await kept(newDispute(id, { doneSteps: ["72h"], dueAt: later(9 * DAY) }));
    expect(await watch().awaitingBefore(later(DAY))).toEqual([unsaid]);
  });

  test("go with their account, and then are neither kept nor changed", async () => {
    const id = await connect();
    const other = await accounts().save(savedAccount({ ownerId: BRUNO }), brunoKey);
    const others = await kept(newDispute(other.id));
    const watched = await kept(newDispute(id));
    await accounts().remove(GUILD, ANA, ANA, NOON);
    expect(await watch().of(id)).toEqual([]);
    expect(await watch().step(watched, { readAt: NOON }, [], NOON)).toBeUndefined();
    expect(await watch().keep(newDispute(id), [alertTo(ANA, id, "new")], NOON)).toBeUndefined();
    expect(await owed()).toEqual([]);
    expect(await watch().of(other.id)).toEqual([others]);
  });

  test("begin anew with another key", async () => {
    const id = await connect();
    await kept(newDispute(id));
    const after = await accounts().save(savedAccount(), anaOtherKey);
    expect([await watch().of(id), await watch().of(after.id)]).toEqual([[], []]);
    expect(await watch().pollState(id)).toBeUndefined();
    expect(await watch().pollState(after.id)).toMatchObject({ baselineAt: undefined });
  });
});
