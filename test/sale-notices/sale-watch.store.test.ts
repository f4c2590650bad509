import { describe, expect, test } from "vitest";
import { storedInstant } from "#src/database/columns.ts";
import { newWatch, type SeenSale } from "#src/sale-notices/sale-watch.ts";
import { HOUR, MINUTE } from "#src/shared/time.ts";
import { cents } from "#src/shared/money.ts";
import { Secret } from "#src/shared/secret.ts";
import { saleRoutes } from "#src/sale-notices/sale-routes.store.ts";
import { saleWatches, type DoneLook, type DueLook } from "#src/sale-notices/sale-watch.store.ts";
import { databases } from "../support/databases.ts";
import {
  ANA,
  BRUNO,
  CARLA,
  delivery,
  GUILD,
  later,
  NOON,
  savedAccount,
} from "../database/builders.ts";
import { useStores } from "../database/use-store.ts";
import { asRoute } from "../support/samples.ts";

const HOLD_MS = 4 * MINUTE;
const CHANNEL = "910000000000000001";
const seenAt = (at: Temporal.Instant): SeenSale => ({ state: "approved", at });

const SECOND_GUILD = "900000000000000002";
const WALLET = "1180000000000000088";
const route = {
  guildId: GUILD,
  channelId: CHANNEL,
  minimum: cents(0),
  active: true,
  locale: "pt-BR",
  updatedBy: CARLA,
} as const;

describe.each(databases)("watches of sales on $name", (kind) => {
  const { store, accounts, outbox } = useStores(kind);
  const routes = () => saleRoutes(store().db);
  const watches = () => saleWatches(store().db);
  const connect = (ownerId = ANA, key = "sk_sandbox_ana_1", user?: string, guildId = GUILD) =>
    accounts().save(savedAccount({ ownerId, guildId }), new Secret(key), user);
  /** By a key of another wallet account. */
  const replace = (ownerVerified: boolean, connectedAt = NOON) =>
    accounts().save(
      savedAccount({ ownerVerified, connectedAt }),
      new Secret("sk_sandbox_of_another_account"),
      "1180000000000000077",
    );
  const agree = (ownerId = ANA, guildId = GUILD) =>
    routes().choose(guildId, ownerId, "direct", NOON, "pt-BR");
  const claimed = async (now = NOON): Promise<readonly DueLook[]> =>
    await watches().claim(now, 10, HOLD_MS);
  const waits = async (accountId: string): Promise<boolean> =>
    await watches().waits((await accounts().findById(accountId))!);
  const done = ({ watch }: DueLook, given: Partial<DoneLook> = {}): DoneLook => ({
    claimed: watch,
    after: { ...newWatch(NOON), baselineAt: NOON, lookedAt: NOON },
    nextLookAt: later(30_000),
    seen: new Map(),
    forget: undefined,
    deliveries: [],
    ...given,
  });
  const one = async (now = NOON): Promise<DueLook> => {
    const [first] = await claimed(now);
    if (first === undefined) throw new Error("Nothing is due");
    return first;
  };

  test("begin with the consent, are held by who claims them, and come back as recorded", async () => {
    await connect();
    expect(await claimed()).toEqual([]);
    await agree();
    const due = await one();
    expect(due.destinations).toMatchObject([
      { ownerId: ANA, target: { kind: "person", userId: ANA }, minimum: 0 },
    ]);
    expect(await claimed(later(HOLD_MS - 1))).toEqual([]);
    const report = {
      day: Temporal.PlainDate.from("2026-11-19"),
      count: 3,
      total: cents(500),
      toldSales: 2,
      toldRefunds: 1,
      readAt: NOON,
      isPassed: true,
    };
    const after = { ...newWatch(NOON), readTo: later(1), resume: "page=2", report };
    expect(await watches().record(done(due, { after }), NOON)).toBe(true);
    expect(await watches().find(due.watch.accountFp)).toEqual({
      ...after,
      accountFp: due.watch.accountFp,
      nextLookAt: later(30_000),
      heldUntil: undefined,
    });
    expect(await watches().nextDueAt(NOON)).toEqual(later(30_000));
    expect(await claimed(later(29_999))).toEqual([]);
    expect(await claimed(later(30_000))).toHaveLength(1);
  });

  test("are due for older sales at once after an older copy was put back, and then as before", async () => {
    await connect();
    await agree();
    const read = { ...newWatch(NOON), baselineAt: NOON, lookedAt: NOON, deepAt: NOON };
    await watches().record(done(await one(), { after: read }), NOON);
    const noticed_at = storedInstant(later(1));
    await store()
      .db.insertInto("database_restore")
      .values({ number: 1, cause: "restored", noticed_at, last_event_at: null, alive_at: null })
      .execute();
    const due = await one(later(30_000));
    expect(due).toMatchObject({ restoredAt: later(1), watch: { deepAt: undefined } });
    const after = { ...read, lookedAt: later(30_000), deepAt: later(30_000) };
    await watches().record(done(due, { after, nextLookAt: later(60_000) }), later(30_000));
    const next = await one(later(60_000));
    expect(next).toMatchObject({ restoredAt: undefined, watch: { deepAt: later(30_000) } });
  });

  test("record what was seen with its notice, or neither when the claim was lost", async () => {
    const { id } = await connect();
    await agree();
    const first = await one();
    const again = await one(later(HOLD_MS));
    const notice = delivery("sale|1", {
      kind: "sale_notice",
      target: { kind: "person", userId: ANA },
      guildId: null,
      accountId: id,
    });
    const elsewhere = {
      ...notice,
      dedupeKey: "sale|2",
      target: { kind: "channel", channelId: CHANNEL } as const,
    };
    const work = { seen: new Map([["k", seenAt(NOON)]]), deliveries: [notice, elsewhere] };
    expect(await watches().record(done(first, work), NOON)).toBe(false);
    expect((await watches().seen(first.watch.accountFp, ["k"])).size).toBe(0);
    expect(await watches().record(done(again, work), NOON)).toBe(true);
    expect(await watches().seen(first.watch.accountFp, ["k", "other"])).toEqual(work.seen);
    const rows = await store().db.selectFrom("outbox").select("dedupe_key").execute();
    expect(rows).toEqual([{ dedupe_key: "sale|1" }]);
  });

  test("that a killed process holds are free for the only process of the file at its start", async () => {
    await connect();
    await agree();
    await one();
    expect(await claimed(later(MINUTE))).toEqual([]);
    await watches().release();
    expect(await claimed(later(MINUTE))).toHaveLength(1);
  });

  test("are due at once when they are called, also during a look", async () => {
    await connect();
    await agree();
    const due = await one();
    const { accountFp } = due.watch;
    expect(await watches().makeDue(accountFp, later(5))).toBe(true);
    expect(await claimed(later(6))).toEqual([]);
    expect(await watches().record(done(due), later(10))).toBe(true);
    expect(await claimed(later(10))).toHaveLength(1);
  });

  test("are due once more when they are called during a look that fails, and then put off", async () => {
    await connect();
    await agree();
    const due = await one();
    await watches().makeDue(due.watch.accountFp, later(5));
    await watches().putOff(due.watch, later(MINUTE));
    const again = await one(later(10));
    await watches().putOff(again.watch, later(MINUTE));
    expect(await claimed(later(MINUTE - 1))).toEqual([]);
    expect(await claimed(later(MINUTE))).toHaveLength(1);
  });

  test("are put off and brought forward alone, of several that are held at once", async () => {
    const ana = await connect();
    const bruno = await connect(BRUNO, "sk_sandbox_bruno_1");
    for (const ownerId of [ANA, BRUNO]) await agree(ownerId);
    const held = (await claimed()).find(({ watch }) => watch.accountFp === ana.accountFp)!;
    const others = async () => await watches().find(bruno.accountFp);
    const before = await others();
    await watches().putOff(held.watch, later(MINUTE));
    expect(await others()).toEqual(before);
    await claimed(later(HOLD_MS));
    const claimedAgain = await others();
    await watches().bringForward(ana.accountFp, later(-1));
    expect((await watches().find(ana.accountFp))?.nextLookAt).toEqual(later(-1));
    expect(await others()).toEqual(claimedAgain);
  });

  test("claimed one at a time are each claimed once", async () => {
    await connect();
    await connect(BRUNO, "sk_sandbox_bruno_1");
    for (const ownerId of [ANA, BRUNO]) await agree(ownerId);
    const next = async () => (await watches().claim(NOON, 1, HOLD_MS)).map(({ watch }) => watch);
    const fps = [...(await next()), ...(await next())].map(({ accountFp }) => accountFp);
    expect(new Set(fps).size).toBe(2);
    expect(await next()).toEqual([]);
  });

  test("are claimed although a clock that has gone back since put them off for long", async () => {
    await connect();
    await agree();
    const due = await one();
    await watches().record(done(due, { nextLookAt: later(5 * HOUR) }), NOON);
    expect(await claimed(later(1))).toHaveLength(1);
  });

  test("forget what is old and listed no more", async () => {
    await connect();
    await agree();
    const due = await one();
    const seen = new Map([
      ["old", seenAt(NOON)],
      ["listed", seenAt(NOON)],
      ["new", seenAt(later(2))],
    ]);
    await watches().record(done(due, { seen }), NOON);
    const next = await one(later(MINUTE));
    await watches().record(done(next, { forget: { before: later(1), except: ["listed"] } }), NOON);
    const left = await watches().seen(due.watch.accountFp, [...seen.keys()]);
    expect([...left.keys()].toSorted()).toEqual(["listed", "new"]);
  });

  test("forget the sales of two weeks in slices, with a turn for others between", async () => {
    await connect();
    await agree();
    const due = await one();
    const keys = Array.from({ length: 4_000 }, (_, each) => `k${each}`);
    const { accountFp } = due.watch;
    const old = { account_fp: accountFp, state: "approved", at: storedInstant(NOON) } as const;
    for (let from = 0; from < keys.length; from += 1_000) {
      const rows = keys.slice(from, from + 1_000).map((sale_key) => ({ ...old, sale_key }));
      await store().db.insertInto("sale_seen").values(rows).execute();
    }
    let turns = 0;
    const count = (): void => {
      turns++;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    await watches().record(done(due, { forget: { before: later(1), except: ["k0"] } }), NOON);
    clearImmediate(next);
    expect(turns).toBeGreaterThanOrEqual(19);
    expect([...(await watches().seen(accountFp, keys)).keys()]).toEqual(["k0"]);
  });

  test("forget nothing that another account has", async () => {
    const ana = await connect();
    const bruno = await connect(BRUNO, "sk_sandbox_bruno_1");
    for (const ownerId of [ANA, BRUNO]) await agree(ownerId);
    const seen = new Map([["old", seenAt(NOON)]]);
    for (const due of await claimed()) await watches().record(done(due, { seen }), NOON);
    const again = await claimed(later(MINUTE));
    const anas = again.find(({ watch }) => watch.accountFp === ana.accountFp)!;
    await watches().record(done(anas, { forget: { before: later(1), except: [] } }), NOON);
    expect((await watches().seen(ana.accountFp, ["old"])).size).toBe(0);
    expect((await watches().seen(bruno.accountFp, ["old"])).size).toBe(1);
  });

  test("begin anew with another wallet account of the same owner, and keep the choice", async () => {
    await connect();
    await agree();
    const before = await one();
    await watches().record(done(before, { seen: new Map([["k1", seenAt(NOON)]]) }), NOON);
    await replace(true, later(HOUR));

    const after = await one(later(HOUR));
    expect(after.destinations).toMatchObject([{ ownerId: ANA, since: later(HOUR) }]);
    expect(after.watch.accountFp).not.toBe(before.watch.accountFp);
    expect(after.watch).toMatchObject({ baselineAt: undefined, since: later(HOUR) });
    expect((await store().db.selectFrom("sale_watch").selectAll().execute()).length).toBe(1);
  });

  test.each([
    [true, false],
    [false, true],
  ])("end with a key that may be another person's: verified %j, then %j", async (first, then) => {
    const unproven = savedAccount({ ownerVerified: first });
    await accounts().save(unproven, new Secret("sk_sandbox_ana_1"));
    await agree();
    await replace(then);
    expect(await claimed()).toEqual([]);
    const account = await accounts().find(GUILD, ANA);
    expect(await routes().choiceOf(account?.id ?? "")).toBe("off");
  });

  describe("of one wallet account with two owners", () => {
    const toldOf = ({ destinations }: DueLook) =>
      destinations.map(({ ownerId }) => ownerId).toSorted();
    /** With Ana's and Bruno's consent, and Bruno's key refused. */
    const refuseBruno = async (): Promise<string> => {
      await connect(ANA, "sk_sandbox_ana_1", WALLET);
      await agree();
      const { id } = await connect(BRUNO, "sk_sandbox_bruno_1", WALLET);
      await agree(BRUNO);
      await accounts().pause(id, NOON, delivery("refused"));
      return id;
    };

    /** Records a look that found a sale for that connection. @returns keys of the notices that it enqueued */
    const recordFor = async (due: DueLook, accountId: string, ownerId: string) => {
      const notice = delivery("sale|1", {
        kind: "sale_notice",
        target: { kind: "person", userId: ownerId },
        guildId: null,
        accountId,
      });
      expect(await watches().record(done(due, { deliveries: [notice] }), NOON)).toBe(true);
      const rows = store()
        .db.selectFrom("outbox")
        .select("dedupe_key")
        .where("account_id", "=", accountId);
      return (await rows.execute()).map((row) => row.dedupe_key);
    };

    test("leave out the owner whose keys are all refused, also after the look", async () => {
      const bruno = await refuseBruno();
      const due = await one();
      expect(toldOf(due)).toEqual([ANA]);
      expect(await waits(bruno)).toBe(true);
      expect(await recordFor(due, bruno, BRUNO)).toEqual([]);
    });

    test("keep what was found with the only key when it is refused during the look", async () => {
      const { id } = await connect();
      await agree();
      const due = await one();
      await accounts().pause(id, NOON, delivery("refused"));
      expect(await recordFor(due, id, ANA)).toEqual(["sale|1"]);
    });

    test("tell the owner of a refused key who has another one", async () => {
      const bruno = await refuseBruno();
      await connect(BRUNO, "sk_sandbox_bruno_2", WALLET, SECOND_GUILD);
      expect(toldOf(await one())).toEqual([ANA, BRUNO]);
      expect(await waits(bruno)).toBe(false);
    });

    test("go on once the refused key works again, though the other owner has left", async () => {
      const bruno = await refuseBruno();
      await accounts().remove(GUILD, ANA, ANA, NOON);
      expect(await claimed()).toEqual([]);
      await accounts().resume(bruno);
      expect(toldOf(await one())).toEqual([BRUNO]);
    });
  });

  test("wait for a refused key until another one of its owner has notices too", async () => {
    const { id } = await connect(ANA, "sk_sandbox_ana_1", WALLET);
    await agree();
    expect(await waits(id)).toBe(false);
    await accounts().pause(id, NOON, delivery("refused"));
    const { id: other } = await connect(ANA, "sk_sandbox_ana_2", WALLET, SECOND_GUILD);
    expect(await claimed()).toEqual([]);
    expect([await waits(id), await waits(other)]).toEqual([true, false]);
    await agree(ANA, SECOND_GUILD);
    const told = (await one()).destinations.map(({ accountId }) => accountId);
    expect(told.toSorted()).toEqual([id, other].toSorted());
    expect(await waits(id)).toBe(false);
  });

  test("end alone, of several accounts", async () => {
    const ana = await connect();
    const bruno = await connect(BRUNO, "sk_sandbox_bruno_1");
    for (const ownerId of [ANA, BRUNO]) await agree(ownerId);
    await accounts().remove(GUILD, ANA, ANA, later(1));
    expect(await watches().find(ana.accountFp)).toBeUndefined();
    expect(await watches().find(bruno.accountFp)).toBeDefined();
  });

  test.each([
    ["the direct messages of another owner", BRUNO, GUILD, "direct"],
    ["the owner's channel elsewhere", ANA, SECOND_GUILD, "channel"],
  ] as const)("hand no direct notice to %s", async (_, ownerId, guildId, choice) => {
    const { id: accountId } = await connect(ANA, "sk_sandbox_ana_1", WALLET);
    await agree();
    await connect(ownerId, "sk_sandbox_two", WALLET, guildId);
    await routes().choose(guildId, ownerId, choice, NOON, "pt-BR");
    const target = { kind: "person", userId: ANA } as const;
    await outbox().enqueue(delivery("sale", { kind: "sale_notice", accountId, target }), later(1));
    await routes().choose(GUILD, ANA, "off", later(2), "pt-BR");
    expect(await outbox().state("sale")).toBe("obsolete");
  });

  test("of direct messages have no reader for the loss of a channel", async () => {
    await connect();
    await agree();
    await routes().save(...asRoute(route), NOON);
    expect(await routes().owners(GUILD)).toEqual([{ id: CARLA, locale: undefined }]);
  });

  test("end with the last destination: consent, route or connection", async () => {
    await connect();
    await routes().choose(GUILD, ANA, "channel", NOON, "pt-BR");
    const all = () => store().db.selectFrom("sale_watch").select("account_fp").execute();
    expect(await all()).toEqual([]);
    await routes().save(...asRoute(route), NOON);
    expect(await all()).toHaveLength(1);
    expect(await routes().owners(GUILD)).toEqual([
      { id: ANA, locale: "pt-BR" },
      { id: CARLA, locale: undefined },
    ]);
    expect(await routes().suspend(GUILD, CHANNEL, NOON, [])).toBe(true);
    expect(await routes().suspend(GUILD, CHANNEL, NOON, [])).toBe(false);
    await routes().save(...asRoute({ ...route, minimum: cents(100) }), NOON);
    expect(await all()).toEqual([]);
    await routes().save(...asRoute({ ...route, liftsSuspension: true }), NOON);
    expect(await all()).toHaveLength(1);
    await replace(false);
    expect(await all()).toEqual([]);
    expect(await store().db.selectFrom("sale_choice").selectAll().execute()).toEqual([]);
  });
});
