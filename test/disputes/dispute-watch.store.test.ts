import { describe, expect, test } from "vitest";
import type { DestinationChoice } from "#src/accounts/account.ts";
import {
  repeatKey,
  type WatchedDispute,
  type NewWatchedDispute,
} from "#src/disputes/dispute-alert.ts";
import { DAY, HOUR, MINUTE } from "#src/shared/time.ts";
import { cents } from "#src/shared/money.ts";
import { disputeWatch } from "#src/disputes/dispute-watch.store.ts";
import type { NewDelivery, Settlement } from "#src/delivery/delivery.ts";
import { alertRoutes } from "#src/disputes/alert-routes.store.ts";
import { outboxStore } from "#src/delivery/outbox.store.ts";
import { databases, standingClock } from "../support/databases.ts";
import {
  ANA,
  anaKey,
  anaOtherKey,
  blocked,
  BRUNO,
  brunoKey,
  CHANNEL,
  GUILD,
  later,
  NOON,
  noticeTo,
  savedAccount,
  sent,
} from "../database/builders.ts";
import {
  alertKey,
  alertOf,
  alertTo,
  audited,
  chosenAlertRoute,
  newDispute,
  pollState,
  OTHER_CHANNEL,
  owedIn,
} from "./dispute-builders.ts";
import { newDisputeRow } from "#src/disputes/dispute-tables.store.ts";
import { useStores } from "../database/use-store.ts";
import { asRoute } from "../support/samples.ts";

const WORKERS = 12;

describe.each(databases)("watched disputes on $name", (kind) => {
  const { store, watch, accounts } = useStores(kind);
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

  test("are found by an id in letters that the database does not write small", async () => {
    const id = await connect();
    const watched = await kept(newDispute(id, { infractionId: "INFRAÇÃO-1" }));
    expect(await watch().find(id, "INFRAÇÃO-1")).toEqual(watched);
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
          { doneSteps: ["24h"], closedAt: later(index) },
          [alertTo(ANA, id, `24h ${index}`)],
          NOON,
        ),
      ),
    );
    const winner = results.findIndex((one) => one !== undefined);
    expect(results.filter((one) => one !== undefined)).toHaveLength(1);
    expect(await owed()).toEqual([alertKey(id, `24h ${winner}`)]);
    const after = { ...watched, doneSteps: ["24h"], closedAt: later(winner), version: 2 };
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
    expect(ids(await watch().awaitingBefore(later(3 * DAY), NOON))).toEqual(["soon"]);
    await accounts().pause(id, NOON, noticeTo(ANA, "paused"));
    expect(ids(await watch().awaitingBefore(later(4 * DAY), NOON))).toEqual(["soon", "late"]);
    await accounts().setAlerts(GUILD, ANA, "off", NOON);
    expect(await watch().awaitingBefore(later(4 * DAY), NOON)).toEqual([]);
  });

  test("of years are all read, each once, by the soonest deadline", async () => {
    const ids = Array.from({ length: 1_001 }, (_, place) => `med-${place}`);
    const row = (infractionId: string, place: number) =>
      newDisputeRow(newDispute("watch", { infractionId, dueAt: later(-place) }));
    const others = newDisputeRow(newDispute("another"));
    const rows = [...ids.map(row), others];
    await store().db.insertInto("dispute_watch").values(rows).execute();
    const all = (await watch().of("watch")).map(({ infractionId }) => infractionId);
    expect(all).toEqual(ids.toReversed());
  });

  test("that were never announced are among those with a near deadline", async () => {
    const id = await connect();
    const unsaid = await kept(newDispute(id, { doneSteps: ["72h"], dueAt: later(9 * DAY) }));
    expect(await watch().awaitingBefore(later(DAY), NOON)).toEqual([unsaid]);
  });

  test("that were told as overdue are not read for reminders again, unless their deadline moves", async () => {
    const id = await connect();
    const told = { doneSteps: ["new", "overdue"], dueAt: NOON } as const;
    const overdue = await kept(newDispute(id, told));
    const untold = await kept(
      newDispute(id, { infractionId: "untold", doneSteps: ["new"], dueAt: later(-1) }),
    );
    expect(await watch().awaitingBefore(later(DAY), NOON)).toEqual([untold]);
    const moved = await watch().step(overdue, { dueAt: later(HOUR) }, [], NOON);
    expect(await watch().awaitingBefore(later(DAY), NOON)).toEqual([untold, moved]);
  });

  test("go with their account, and then are neither kept nor changed", async () => {
    const id = await connect();
    const other = await accounts().save(savedAccount({ ownerId: BRUNO }), brunoKey);
    const others = await kept(newDispute(other.id));
    const watched = await kept(newDispute(id));
    await accounts().remove(GUILD, ANA, ANA, NOON);
    expect(await watch().of(id)).toEqual([]);
    expect(await watch().step(watched, { closedAt: NOON }, [], NOON)).toBeUndefined();
    expect(await watch().keep(newDispute(id), [alertTo(ANA, id, "new")], NOON)).toBeUndefined();
    expect(await owed()).toEqual([]);
    expect(await watch().of(other.id)).toEqual([others]);
  });

  test("that are counted and not listed are owed again when their alert is taken back unsent", async () => {
    const id = await connect();
    const [none, one] = [0, 1].map((count) => ({ count, notified: count }));
    await watch().saveUnlisted(id, none!, one!, [alertTo(ANA, id, "unlisted")], NOON);
    await accounts().setAlerts(GUILD, ANA, "off", NOON);
    expect(Object.values(await owedIn(store().db))).toEqual([`person ${ANA} obsolete`]);
    expect(await watch().unlisted(id)).toEqual({ count: 1, notified: 0 });
  });

  test("take back their owner's unsent alerts alone: told steps, and others' alerts, stay", async () => {
    const id = await connect();
    const other = await accounts().save(savedAccount({ ownerId: BRUNO }), brunoKey);
    const [none, one] = [0, 1].map((count) => ({ count, notified: count }));
    const waiting = { ...alertTo(ANA, id, "24h"), notBefore: later(HOUR) };
    const steps = newDispute(id, { doneSteps: ["new", "24h"] });
    await watch().keep(steps, [alertTo(ANA, id, "new"), waiting], NOON);
    await watch().saveUnlisted(id, none!, one!, [alertTo(ANA, id, "unlisted")], NOON);
    const outbox = outboxStore(store().db, store().open.leaseNow);
    const claims = { owner: "one", leaseMs: MINUTE, limit: 9, now: NOON };
    for (const claim of await outbox.claim(claims)) await outbox.settle(claim, sent);
    const others = [alertTo(BRUNO, other.id, "unlisted")];
    await watch().saveUnlisted(other.id, none!, one!, others, NOON);
    await outbox.enqueue({ ...noticeTo(ANA, "notice"), accountId: id }, NOON);
    await accounts().setAlerts(GUILD, ANA, "off", NOON);
    expect(await owedIn(store().db)).toEqual({
      [alertKey(id, "new")]: `person ${ANA} sent`,
      [alertKey(id, "24h")]: `person ${ANA} obsolete`,
      [alertKey(id, "unlisted")]: `person ${ANA} sent`,
      [alertKey(other.id, "unlisted")]: `person ${BRUNO} due`,
      notice: `person ${ANA} due`,
    });
    expect(await watch().unlisted(id)).toEqual(one);
    expect((await watch().of(id))[0]?.doneSteps).toEqual(["new"]);
  });

  test("begin anew with another key", async () => {
    const id = await connect();
    await kept(newDispute(id));
    const after = await accounts().save(savedAccount(), anaOtherKey);
    expect([await watch().of(id), await watch().of(after.id)]).toEqual([[], []]);
    expect(await pollState(store().db, id)).toBeUndefined();
    expect(await pollState(store().db, after.id)).toMatchObject({ baselineAt: undefined });
  });
});

const ROUNDS = 8;

type Routed = "none" | "on" | "off" | "elsewhere" | "suspended";

describe.each(databases)("an alert that is owed on $name", (kind) => {
  const { store, watch, accounts } = useStores(kind);
  const routes = () => alertRoutes(store().db);

  const stage = async (alerts: DestinationChoice, routed: Routed): Promise<string> => {
    const { id } = await accounts().save(savedAccount(), anaKey);
    await accounts().setAlerts(GUILD, ANA, alerts, NOON);
    if (routed === "none") return id;
    const channelId = routed === "elsewhere" ? OTHER_CHANNEL : CHANNEL;
    await routes().save(
      ...asRoute(chosenAlertRoute({ channelId, active: routed !== "off" })),
      NOON,
    );
    if (routed === "suspended") await routes().suspend(GUILD, CHANNEL, NOON, []);
    return id;
  };
  /** Whether `keep` and `step` each accepted the delivery. */
  const taken = async (id: string, delivery: NewDelivery): Promise<readonly boolean[]> => {
    const keeping = await watch().keep(newDispute(id), [delivery], NOON);
    const quietly = keeping ?? (await watch().keep(newDispute(id), [], NOON));
    const again = { ...delivery, dedupeKey: `${delivery.dedupeKey}|step` };
    const step = await watch().step(quietly!, { doneSteps: ["24h"] }, [again], NOON);
    return [keeping !== undefined, step !== undefined];
  };

  test.each([
    ["channel", "on", true],
    ["channel", "none", false],
    ["channel", "off", false],
    ["channel", "elsewhere", false],
    ["channel", "suspended", false],
    ["direct", "on", false],
    ["off", "on", false],
  ] as const)("to the channel, with the choice %s and a route that is %s: %j", async (...given) => {
    const [alerts, routed, wanted] = given;
    const id = await stage(alerts, routed);
    expect(await taken(id, alertOf(id, "24h"))).toEqual([wanted, wanted]);
    expect(Object.keys(await owedIn(store().db))).toHaveLength(wanted ? 2 : 0);
  });

  test.each([
    ["channel", "suspended", true],
    ["direct", "none", true],
    ["off", "none", false],
  ] as const)("to its owner, with the choice %s and a route that is %s: %j", async (...given) => {
    const [alerts, routed, wanted] = given;
    const id = await stage(alerts, routed);
    expect(await taken(id, alertTo(ANA, id, "24h"))).toEqual([wanted, wanted]);
  });

  test("is no matter of other notices", async () => {
    const id = await stage("off", "none");
    expect(await taken(id, noticeTo(ANA, "notice"))).toEqual([true, true]);
  });

  test("never stays in a channel that its owner leaves at the same moment", async () => {
    const id = await stage("channel", "on");
    for (let round = 0; round < ROUNDS; round += 1) {
      const infractionId = `infraction-${round}`;
      const delivery = alertOf(id, "new", { dedupeKey: `med|${round}` });
      const leave = () =>
        round % 2 === 0
          ? accounts().setAlerts(GUILD, ANA, "direct", NOON)
          : routes().save(...asRoute(chosenAlertRoute({ active: false })), NOON);
      await Promise.all([
        watch().keep(newDispute(id, { infractionId }), [delivery], NOON),
        leave(),
      ]);
      const to = Object.values(await owedIn(store().db));
      expect(to.filter((where) => where.startsWith("channel"))).toEqual([]);
      await accounts().setAlerts(GUILD, ANA, "channel", NOON);
      await routes().save(...asRoute(chosenAlertRoute()), NOON);
    }
  });
});

const dead: Settlement = { state: "dead", error: "unreachable_person 50007" };
const unknown: Settlement = { state: "unknown", error: "history_unreadable" };

describe.each(databases)("alerts that reached nobody on $name", (kind) => {
  const clock = standingClock(NOON.toString());
  const { store, accounts } = useStores(kind, clock);
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
      dedupeKey: repeatKey(delivery.dedupeKey),
      repeatOf: delivery.dedupeKey,
    });
    await ended(first, dead);
    await ended(repeatOf(first), sent);
    expect(await undelivered(id)).toBe(0);
    await ended(second, unknown);
    await ended(repeatOf(second), dead);
    expect(await undelivered(id)).toBe(1);
  });

  test("are told from those that were posted or may have been, and of which none waits", async () => {
    const id = await connect();
    const isPosted = (delivery: NewDelivery): Promise<boolean> =>
      disputeWatch(store().db).isPosted(delivery.alert!);
    const [last, unclear, refused, waits] = ["6h", "1h", "24h", "48h"].map((step) =>
      alertTo(ANA, id, step),
    );
    expect(await isPosted(last!)).toBe(false);
    await ended(last!, sent);
    await ended(unclear!, unknown);
    await ended(refused!, dead);
    await ended(waits!, blocked(later(HOUR, clock.now())));
    const posted = [last!, unclear!, refused!, waits!].map(isPosted);
    expect(await Promise.all(posted)).toEqual([true, true, false, false]);
    const again = { ...last!, dedupeKey: `${last!.dedupeKey}|later` };
    await outboxStore(store().db, store().open.leaseNow).enqueue(again, clock.now());
    expect(await isPosted(last!)).toBe(false);
    const moved = { ...last!, alert: { ...last!.alert!, dueAt: NOON } };
    expect(await isPosted(moved)).toBe(false);
  });

  test.each([true, false])("wait while their post is surely to come: %s", async (untouched) => {
    const alert = alertTo(ANA, await connect(), "new");
    await ended(alert, { state: "due", notBefore: clock.now(), error: "x", untouched });
    expect(await disputeWatch(store().db).isWaiting(alert.alert!)).toBe(untouched);
  });
});
