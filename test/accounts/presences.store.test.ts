import { describe, expect, test } from "vitest";
import { DAY } from "#src/shared/time.ts";
import { closesStore } from "#src/closes/closes.store.ts";
import { alertRoutes } from "#src/disputes/alert-routes.store.ts";
import { outboxStore } from "#src/delivery/outbox.store.ts";
import { presences } from "#src/accounts/presences.store.ts";
import { reportLedger } from "#src/reports/report-ledger.store.ts";
import { reportRoutesStore } from "#src/reports/report-routes.store.ts";
import { databases } from "../support/databases.ts";
import {
  ANA,
  anaKey,
  BRUNO,
  brunoKey,
  CARLA,
  savedRoute,
  GUILD,
  later,
  NOON,
  noticeTo,
  savedAccount,
} from "../database/builders.ts";
import { chosenAlertRoute } from "../disputes/dispute-builders.ts";
import { useStores } from "../database/use-store.ts";
import { asRoute } from "../support/samples.ts";

const OTHER = "900000000000000002";

describe.each(databases)("S14: who is still in a guild, on $name", (kind) => {
  const { store, accounts } = useStores(kind);
  const known = () => presences(store().db);
  const outbox = () => outboxStore(store().db, async () => NOON);
  const heard = (answer: "here" | "left", at = NOON, notice = "left") =>
    known().keep(GUILD, ANA, answer, at, noticeTo(ANA, notice));

  test("is not known before it was asked", async () => {
    await accounts().save(savedAccount(), anaKey);
    expect(await known().find(GUILD, ANA)).toBeUndefined();
  });

  test("is kept with the day of the question, and who left is told once", async () => {
    await accounts().save(savedAccount(), anaKey);
    await heard("here");
    const askedOn = Temporal.PlainDate.from("2026-11-19");
    expect(await known().find(GUILD, ANA)).toEqual({ askedOn, leftAt: undefined });
    expect(await outbox().state("left")).toBeUndefined();
    await heard("left", later(DAY));
    await heard("left", later(2 * DAY), "left again");
    expect(await known().find(GUILD, ANA)).toEqual({
      askedOn: askedOn.add({ days: 2 }),
      leftAt: later(DAY),
    });
    expect(await outbox().state("left")).toBe("due");
    expect(await outbox().state("left again")).toBeUndefined();
  });

  test("stays with an admin's key, which is accepted from outside, and goes with one typed in the guild", async () => {
    await accounts().save(savedAccount(), anaKey);
    await heard("left");
    await accounts().save(savedAccount({ connectedBy: BRUNO }), anaKey);
    expect((await known().find(GUILD, ANA))?.leftAt).toEqual(NOON);
    await accounts().save(savedAccount(), anaKey);
    expect(await known().find(GUILD, ANA)).toBeUndefined();
  });

  test("begins anew for who came back", async () => {
    await accounts().save(savedAccount(), anaKey);
    await heard("left");
    await heard("here", later(DAY));
    expect((await known().find(GUILD, ANA))?.leftAt).toBeUndefined();
    await heard("left", later(2 * DAY), "second time");
    expect(await outbox().state("second time")).toBe("due");
  });

  test("is forgotten with the connection, and kept of nobody who has none", async () => {
    await accounts().save(savedAccount(), anaKey);
    await heard("left");
    await accounts().remove(GUILD, ANA, ANA, later(1));
    expect(await known().find(GUILD, ANA)).toBeUndefined();
    expect(await heard("left", later(2), "late")).toBe(false);
    expect(await outbox().state("late")).toBeUndefined();
  });

  test("is forgotten of one connection alone", async () => {
    const places = [
      [GUILD, ANA],
      [OTHER, ANA],
      [GUILD, BRUNO],
    ] as const;
    for (const [guildId, ownerId] of places) {
      const key = ownerId === ANA ? anaKey : brunoKey;
      await accounts().save(savedAccount({ guildId, ownerId }), key);
      await known().keep(guildId, ownerId, "left", NOON, noticeTo(ownerId, guildId + ownerId));
    }
    await accounts().remove(GUILD, ANA, ANA, later(1));
    const found = places.map(
      async ([guildId, ownerId]) => (await known().find(guildId, ownerId))?.leftAt,
    );
    expect(await Promise.all(found)).toEqual([undefined, NOON, NOON]);
  });

  test("is told of many at once: of those who agreed, and were there on that day", async () => {
    const { id } = await accounts().save(savedAccount(), anaKey);
    const askedOn = Temporal.PlainDate.from("2026-11-19");
    const here = async (day = askedOn) => [...(await known().agreedAndHere([id, "gone"], day))];
    expect(await here()).toEqual([]);
    await heard("here");
    expect(await here()).toEqual([id]);
    expect(await here(askedOn.add({ days: 1 }))).toEqual([]);
    await accounts().chooseReport(GUILD, ANA, "off", NOON);
    expect(await here()).toEqual([]);
    await accounts().chooseReport(GUILD, ANA, "channel", NOON);
    await heard("left");
    expect(await here()).toEqual([]);
  });

  test("is unheard of whose server has reports at those hours, until it is asked", async () => {
    const hour = { time: Temporal.PlainTime.from("21:05"), timeZone: "America/Sao_Paulo" };
    const other = { ...hour, time: Temporal.PlainTime.from("08:00") };
    const today = Temporal.PlainDate.from("2026-11-19");
    const ledger = reportLedger(store().db);
    const unheard = async (since = today, after = "") =>
      (await ledger.unheard(GUILD, since, after, 10)).map(({ ownerId }) => ownerId);
    await reportRoutesStore(store().db).save(...savedRoute(), NOON);
    const { id } = await accounts().save(savedAccount(), anaKey);
    await accounts().save(savedAccount({ ownerId: BRUNO, reportConsent: false }), brunoKey);
    await accounts().save(savedAccount({ guildId: OTHER, ownerId: BRUNO }), brunoKey);
    expect(await ledger.guildsAt([hour])).toEqual([GUILD]);
    expect(await ledger.guildsAt([other])).toEqual([]);
    expect(await unheard()).toEqual([ANA]);
    expect(await unheard(today, id)).toEqual([]);
    // A report names a seller whose key is refused.
    await accounts().pause(id, later(1), noticeTo(ANA, "notice|refused"));
    expect(await unheard()).toEqual([ANA]);
    await heard("here");
    expect(await unheard()).toEqual([]);
    expect(await unheard(today.add({ days: 1 }))).toEqual([ANA]);
  });

  test("who left is asked about again on each day without a consent too, because alerts wait for it", async () => {
    const today = Temporal.PlainDate.from("2026-11-19");
    const unheard = async (since: Temporal.PlainDate) =>
      (await reportLedger(store().db).unheard(GUILD, since, "", 10)).map(({ ownerId }) => ownerId);
    await accounts().save(savedAccount({ reportConsent: false }), anaKey);
    expect(await unheard(today)).toEqual([]);
    await heard("left");
    expect(await unheard(today)).toEqual([]);
    expect(await unheard(today.add({ days: 1 }))).toEqual([ANA]);
    await heard("here", later(DAY));
    expect(await unheard(today.add({ days: 2 }))).toEqual([]);
  });

  test("is unheard of too while the key is refused, because closes name its seller", async () => {
    const today = Temporal.PlainDate.from("2026-11-19");
    await reportRoutesStore(store().db).save(...savedRoute(), NOON);
    const { id } = await accounts().save(savedAccount(), anaKey);
    await accounts().pause(id, NOON, noticeTo(ANA, "refused"));
    const closes = closesStore(store().db);
    expect(await closes.sellers(GUILD, later(DAY))).toHaveLength(1);
    const unheard = await reportLedger(store().db).unheard(GUILD, today, "", 10);
    expect(unheard).toMatchObject([{ ownerId: ANA }]);
    await heard("left");
    expect(await closes.sellers(GUILD, later(DAY))).toEqual([]);
  });

  test("is asked anew after a key was connected", async () => {
    await accounts().save(savedAccount(), anaKey);
    await heard("left");
    await accounts().save(savedAccount({ connectedAt: later(1) }), anaKey);
    expect(await known().find(GUILD, ANA)).toBeUndefined();
  });

  test("connections of one person are found in every guild, and of one guild by pages", async () => {
    await accounts().save(savedAccount({ connectedAt: later(2) }), anaKey);
    await accounts().save(savedAccount({ guildId: OTHER, connectedAt: later(1) }), anaKey);
    await accounts().save(savedAccount({ ownerId: BRUNO, connectedAt: NOON }), brunoKey);
    const anas = await accounts().ofOwner(ANA);
    expect(anas.map(({ guildId }) => guildId)).toEqual([OTHER, GUILD]);
    expect(await accounts().ownersIn(GUILD, 0, 25)).toEqual([BRUNO, ANA]);
    expect(await accounts().ownersIn(GUILD, 1, 25)).toEqual([ANA]);
    expect(await accounts().ownersIn(GUILD, 2, 25)).toEqual([]);
  });

  test("connections in a server that their owner has left are told from the others", async () => {
    await accounts().save(savedAccount(), anaKey);
    const { id } = await accounts().save(savedAccount({ guildId: OTHER }), anaKey);
    await accounts().save(savedAccount({ ownerId: BRUNO }), brunoKey);
    await heard("left");
    expect(await accounts().stayedIn(ANA)).toEqual(new Set([id]));
  });

  test("alerts of a wallet account go by a connection in a guild that its owner is in, where one wants them", async () => {
    const here = await accounts().save(savedAccount(), anaKey);
    const there = await accounts().save(savedAccount({ guildId: OTHER }), anaKey);
    const toldIn = async () => (await accounts().ofWatch(here.watchId))?.told.guildId;
    expect(there.watchId).toBe(here.watchId);
    for (const guildId of [GUILD, OTHER])
      await alertRoutes(store().db).save(...asRoute(chosenAlertRoute({ guildId })), NOON);
    await accounts().setAlerts(GUILD, ANA, "channel", NOON);
    expect(await toldIn()).toBe(GUILD);
    await heard("left");
    for (const [alerts, guildId] of [
      ["channel", OTHER],
      ["direct", OTHER],
      ["off", GUILD],
    ] as const) {
      await accounts().setAlerts(OTHER, ANA, alerts, NOON);
      expect(await toldIn()).toBe(guildId);
    }
    await heard("here", later(DAY));
    expect(await toldIn()).toBe(GUILD);
  });

  test("a connection that an admin removes leaves a notice to its owner, and nothing else owed", async () => {
    const account = await accounts().save(savedAccount(), anaKey);
    const noticed = (name: string) => ({ noticeOf: () => noticeTo(ANA, name) });
    await outbox().enqueue({ ...noticeTo(ANA, "of the account"), accountId: account.id }, NOON);
    expect(await accounts().remove(GUILD, ANA, CARLA, later(1), noticed("removed"))).toBe(true);
    expect(await outbox().state("removed")).toBe("due");
    expect(await outbox().state("of the account")).toBeUndefined();
    expect(await accounts().remove(GUILD, ANA, CARLA, later(2), noticed("again"))).toBe(false);
    expect(await outbox().state("again")).toBeUndefined();
  });
});
