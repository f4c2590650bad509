import { describe, expect, test } from "vitest";
import { reportLedger } from "#src/reports/report-ledger.store.ts";
import { reportRoutesStore } from "#src/reports/report-routes.store.ts";
import { isCurrent, salesDayOf } from "#src/reports/sales-days.ts";
import { salesDays } from "#src/reports/sales-days.store.ts";
import { wantComparedDays } from "#src/reports/sales-history.store.ts";
import { databases, standingClock } from "../support/databases.ts";
import {
  ANA,
  anaKey,
  anaOtherKey,
  BRUNO,
  savedRoute,
  GUILD,
  later,
  NOON,
  noticeTo,
  savedAccount,
} from "../database/builders.ts";
import { useQueryPlans } from "../database/query-plans.ts";
import { useStores } from "../database/use-store.ts";
import { sampleReport, sold } from "../support/samples.ts";

const ELSEWHERE = "900000000000000002";
/** Days and instants as text, which assertions can compare. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const USER = "user_8812";
const DAY = "2026-11-18";
/** After the day's close. */
const CLOSED = Temporal.Instant.from("2026-11-19T00:30:00Z");
const START = Temporal.PlainDate.from("2026-11-01");
const END = Temporal.PlainDate.from("2026-11-30");

const figures = (sales: number, readAt = CLOSED, day = DAY) =>
  salesDayOf({
    ...sampleReport(sold(sales === 0 ? 0 : 2, sales, sales / 10), sold(1, 100, 6), day),
    readAt,
  });

describe.each(databases)("figures of days on $name", (kind) => {
  const { store, accounts } = useStores(kind);
  const days = () => salesDays(store().db);
  const connect = (changes = {}, key = anaKey) => accounts().save(savedAccount(changes), key);
  const correctionsAfter = (accountFp: string, after: Temporal.Instant) =>
    days().corrections(new Map([[accountFp, after]]));
  const dueNow = (at: Temporal.Instant) => Array.fromAsync(days().due(at, 9));
  const keptOf = (accountFp: string) => days().between(accountFp, START, END);

  test("are kept with all their parts, in the order of days", async () => {
    const { accountFp } = await connect();
    const [second, first] = [figures(900, CLOSED), figures(5_000, CLOSED, "2026-11-17")];
    await days().keep(accountFp, second);
    await days().keep(accountFp, first);
    expect(plain(await keptOf(accountFp))).toEqual(plain([first, second]));
    const day = Temporal.PlainDate.from(DAY);
    expect(await days().between(accountFp, day, day)).toHaveLength(1);
  });

  test("beyond 32 bits are kept exactly", async () => {
    const { accountFp } = await connect();
    await days().keep(accountFp, figures(9_000_000_000_000));
    expect((await keptOf(accountFp))[0]?.api.sales).toBe(9_000_000_000_000);
  });

  test("of an earlier reading never replace later ones", async () => {
    const { accountFp } = await connect();
    await days().keep(accountFp, figures(900, later(10, CLOSED)));
    await days().keep(accountFp, figures(5_000, CLOSED));
    expect((await keptOf(accountFp))[0]?.api.sales).toBe(900);
    expect(await correctionsAfter(accountFp, NOON.subtract({ hours: 240 }))).toEqual([]);
  });

  test("of a closed day that fall leave a correction with old and new, the same ones leave none", async () => {
    const { accountFp } = await connect();
    await days().keep(accountFp, figures(5_000));
    await days().keep(accountFp, figures(5_000, later(10, CLOSED)));
    await days().keep(accountFp, figures(900, later(20, CLOSED)));
    const found = await correctionsAfter(accountFp, CLOSED);
    expect(found.map(({ day, ...amounts }) => ({ day: day.toString(), ...amounts }))).toEqual([
      {
        accountFp,
        day: DAY,
        oldSales: 5_100,
        newSales: 1_000,
        oldNet: 4_594,
        newNet: 904,
        noticedAt: later(20, CLOSED),
      },
    ]);
    expect(await correctionsAfter(accountFp, later(20, CLOSED))).toEqual([]);
  });

  test("of a closed day that sell more for the same net leave a correction", async () => {
    const { accountFp } = await connect();
    await days().keep(accountFp, figures(5_000));
    const before = figures(5_000, later(10, CLOSED));
    await days().keep(accountFp, { ...before, sales: figures(5_300).sales });
    const [found, ...more] = await correctionsAfter(accountFp, CLOSED);
    expect(found).toMatchObject({ oldSales: 5_100, newSales: 5_400, oldNet: 4_594, newNet: 4_594 });
    expect(more).toEqual([]);
  });

  test("read earlier and kept later than others leave a correction after theirs", async () => {
    const { accountFp } = await connect();
    const other = "2026-11-17";
    await days().keep(accountFp, figures(5_000));
    await days().keep(accountFp, figures(5_000, CLOSED, other));
    await days().keep(accountFp, figures(900, later(20, CLOSED)));
    const told = (await correctionsAfter(accountFp, CLOSED)).at(-1)!.noticedAt;
    await days().keep(accountFp, figures(800, later(10, CLOSED), other));
    const next = await correctionsAfter(accountFp, told);
    expect(next.map(({ day, newSales }) => [day.toString(), newSales])).toEqual([[other, 900]]);
  });

  test("that rise while the day is open, or in its last minutes' counting, are no correction", async () => {
    const { accountFp } = await connect();
    for (const [sales, at] of [
      [100, "2026-11-18T15:00:00Z"],
      [300, "2026-11-19T00:01:00Z"],
      [400, "2026-11-19T00:06:00Z"],
    ] as const)
      await days().keep(accountFp, figures(sales, Temporal.Instant.from(at)));
    expect(await correctionsAfter(accountFp, START.toZonedDateTime("UTC").toInstant())).toEqual([]);
  });

  test("of an open day give way to later ones alone", async () => {
    const { accountFp } = await connect();
    const keptAfter = async (sales: number, at: string) => {
      await days().keep(accountFp, figures(sales, Temporal.Instant.from(at)));
      return (await keptOf(accountFp))[0]?.api.sales;
    };
    expect(await keptAfter(100, "2026-11-18T15:00:00Z")).toBe(100);
    expect(await keptAfter(300, "2026-11-18T16:00:00Z")).toBe(300);
    expect(await keptAfter(200, "2026-11-18T15:30:00Z")).toBe(300);
    expect(await keptAfter(400, "2026-11-19T00:06:00Z")).toBe(400);
    expect(await keptAfter(350, "2026-11-19T00:04:00Z")).toBe(400);
  });

  test("of a clock that was ahead give way to those of a closed day, and leave a correction", async () => {
    const { accountFp } = await connect();
    await days().keep(accountFp, figures(100, CLOSED.add({ hours: 72 })));
    await days().keep(accountFp, figures(300, CLOSED.subtract({ hours: 3 })));
    expect((await keptOf(accountFp))[0]?.api.sales).toBe(100);
    await days().keep(accountFp, figures(400));
    await days().keep(accountFp, figures(350, later(20, CLOSED)));
    expect((await keptOf(accountFp))[0]?.api.sales).toBe(350);
    const found = await correctionsAfter(accountFp, CLOSED.subtract({ hours: 1 }));
    expect(found.map(({ oldSales, newSales }) => [oldSales, newSales])).toEqual([
      [200, 500],
      [500, 450],
    ]);
  });

  test("are current once they are read after a refund, also one that a clock ahead has dated", async () => {
    const { accountFp } = await connect();
    await days().keep(accountFp, figures(5_000));
    const day = Temporal.PlainDate.from(DAY);
    await days().readAgain(accountFp, day, day, CLOSED.add({ hours: 72 }));
    expect((await keptOf(accountFp)).map(isCurrent)).toEqual([false]);
    await days().keep(accountFp, figures(900, later(20, CLOSED)));
    expect((await keptOf(accountFp)).map(isCurrent)).toEqual([true]);
  });

  test("requested shortly before a refund was seen are out of date, however late they come", async () => {
    const { accountFp } = await connect();
    await days().keep(accountFp, figures(5_000));
    const day = Temporal.PlainDate.from(DAY);
    await days().readAgain(accountFp, day, day, CLOSED.add({ seconds: 60 }));
    await days().keep(accountFp, figures(5_000, CLOSED.add({ seconds: 50 })));
    expect((await keptOf(accountFp)).map(isCurrent)).toEqual([false]);
  });

  test("read twice at once leave one correction", async () => {
    const { accountFp } = await connect();
    await days().keep(accountFp, figures(5_000));
    await Promise.all([1, 2, 3].map(() => days().keep(accountFp, figures(900, later(20, CLOSED)))));
    expect(await correctionsAfter(accountFp, CLOSED)).toHaveLength(1);
  });

  test("are kept for connected accounts alone, and erased with the last connection", async () => {
    const { accountFp } = await connect();
    await days().keep("somebody-else", figures(5_000));
    expect(await keptOf("somebody-else")).toEqual([]);
    await connect({ guildId: ELSEWHERE });
    await days().keep(accountFp, figures(5_000));
    await days().keep(accountFp, figures(900, later(20, CLOSED)));
    await days().want(accountFp, NOON);
    await accounts().remove(ELSEWHERE, ANA, ANA, NOON);
    expect(await keptOf(accountFp)).toHaveLength(1);
    await accounts().remove(GUILD, ANA, ANA, NOON);
    expect(await keptOf(accountFp)).toEqual([]);
    expect(await correctionsAfter(accountFp, CLOSED)).toEqual([]);
    expect(await dueNow(later(1))).toEqual([]);
  });

  test("of other days and accounts stay as they are when one is read again or goes", async () => {
    const { accountFp: anas } = await connect();
    const { accountFp: brunos } = await connect({ ownerId: BRUNO }, anaOtherKey);
    for (const accountFp of [anas, brunos])
      for (const day of ["2026-11-17", DAY, "2026-11-19"])
        await days().keep(accountFp, figures(5_000, later(0, CLOSED), day));
    const kept = async (accountFp: string) => plain(await keptOf(accountFp)) as unknown[];
    const [before, others] = [await kept(anas), await kept(brunos)];
    const day = Temporal.PlainDate.from(DAY);
    await days().readAgain(anas, day, day, later(10, CLOSED));
    const after = await kept(anas);
    expect([after[0], after[2]]).toEqual([before[0], before[2]]);
    expect(after[1]).not.toEqual(before[1]);
    await accounts().remove(GUILD, ANA, ANA, later(20, CLOSED));
    expect(await kept(anas)).toEqual([]);
    expect(await kept(brunos)).toEqual(others);
  });

  test("racing with the removal of the account leave no row behind", async () => {
    for (let round = 0; round < 10; round += 1) {
      const { accountFp } = await connect();
      await Promise.all([
        days().keep(accountFp, figures(900)),
        accounts().remove(GUILD, ANA, ANA, NOON),
      ]);
      expect(await keptOf(accountFp)).toEqual([]);
    }
  });

  test("of old days are purged with their corrections", async () => {
    const { accountFp } = await connect();
    await days().keep(accountFp, figures(5_000));
    await days().keep(accountFp, figures(900, later(20, CLOSED)));
    await days().keep(accountFp, figures(70, CLOSED, "2026-11-19"));
    await days().purge(Temporal.PlainDate.from("2026-11-19"), AbortSignal.abort());
    expect(await keptOf(accountFp)).toHaveLength(2);
    await days().purge(Temporal.PlainDate.from("2026-11-19"));
    expect((await keptOf(accountFp)).map(({ day }) => day.toString())).toEqual(["2026-11-19"]);
    expect(await correctionsAfter(accountFp, CLOSED)).toEqual([]);
  });

  describe("that the background reads", () => {
    const putOff = async (at: Temporal.Instant, until: Temporal.Instant) => {
      for (const due of await dueNow(at)) await days().lookAgain(due, until);
    };
    const dueAt = async (at: Temporal.Instant) =>
      (await dueNow(at)).map(({ account, asked }) => [account.ownerId, asked]);

    test("are those of accounts with a route and consent, or whose owner asked", async () => {
      const ana = await connect();
      const bruno = await connect({ ownerId: BRUNO, reportConsent: false }, anaOtherKey);
      for (const { accountFp } of [ana, bruno]) await wantComparedDays(store().db, accountFp, NOON);
      expect(await dueAt(NOON)).toEqual([]);
      await reportRoutesStore(store().db).save(...savedRoute(), NOON);
      for (const { accountFp } of [ana, bruno]) await wantComparedDays(store().db, accountFp, NOON);
      expect(await dueAt(NOON)).toEqual([[ANA, false]]);
      await days().want(bruno.accountFp, later(1));
      expect(await dueAt(later(1))).toEqual([
        [BRUNO, true],
        [ANA, false],
      ]);
    });

    test("are those of a seller who has just agreed to the report", async () => {
      await connect({ reportConsent: false });
      await reportRoutesStore(store().db).save(...savedRoute(), NOON);
      await accounts().chooseReport(GUILD, ANA, "channel", NOON);
      expect(await dueAt(NOON)).toEqual([[ANA, false]]);
    });

    test("are those of a seller with a direct report, in a server without a channel", async () => {
      await connect({ reportConsent: false });
      await accounts().chooseReport(GUILD, ANA, "direct", NOON);
      expect(await dueAt(NOON)).toEqual([[ANA, false]]);
    });

    test("are those of a seller who was told, from the time that was set first", async () => {
      const { id } = await connect();
      await reportRoutesStore(store().db).save(...savedRoute(), NOON);
      const ledger = reportLedger(store().db);
      await ledger.record(id, Temporal.PlainDate.from("2026-11-17"), undefined, NOON);
      expect(await dueAt(NOON)).toEqual([[ANA, false]]);
      await putOff(NOON, later(9));
      await ledger.record(id, Temporal.PlainDate.from(DAY), undefined, NOON);
      expect(await dueAt(later(8))).toEqual([]);
    });

    test("wait for their time, and who asks first is looked at without waiting", async () => {
      const { accountFp } = await connect();
      await reportRoutesStore(store().db).save(...savedRoute(), NOON);
      await wantComparedDays(store().db, accountFp, NOON);
      await putOff(NOON, later(1_000));
      await wantComparedDays(store().db, accountFp, later(1));
      expect(await dueAt(later(999))).toEqual([]);
      await days().want(accountFp, later(2));
      expect(await dueAt(later(2))).toEqual([[ANA, true]]);
      const [begun] = await dueNow(later(2));
      await putOff(later(2), later(1_000));
      await days().want(accountFp, later(3));
      expect(await dueAt(later(999))).toEqual([]);
      const day = Temporal.PlainDate.from(DAY);
      await days().readAgain(accountFp, day, day, later(3));
      await days().lookAgain(begun!, later(1_000));
      expect(await dueAt(later(3))).toEqual([[ANA, true]]);
    });

    test("are read first where a person waits for them, also of an account that was due before", async () => {
      const ana = await connect();
      const bruno = await connect({ ownerId: BRUNO }, anaOtherKey);
      await reportRoutesStore(store().db).save(...savedRoute(), NOON);
      await wantComparedDays(store().db, ana.accountFp, NOON);
      await wantComparedDays(store().db, bruno.accountFp, later(1));
      const bothOf = async (at: Temporal.Instant) => (await dueAt(at)).map(([owner]) => owner);
      expect(await bothOf(later(2))).toEqual([ANA, BRUNO]);
      const [, begun] = await dueNow(later(2));
      await days().lookSoon(bruno.accountFp, later(2));
      expect(await bothOf(later(2))).toEqual([BRUNO, ANA]);
      // A reading that began before ends no wait.
      await days().lookAgain(begun!, later(1_000));
      await days().lookSoon(ana.accountFp, later(3));
      expect(await bothOf(later(3))).toEqual([BRUNO, ANA]);
      await putOff(later(3), later(1_000));
      expect(await bothOf(later(3))).toEqual([]);
      await days().lookSoon(ana.accountFp, later(4));
      expect(await bothOf(later(4))).toEqual([ANA]);
    });

    test("are read first where a person waits for them, also after a refund", async () => {
      const ana = await connect();
      const bruno = await connect({ ownerId: BRUNO }, anaOtherKey);
      await days().want(ana.accountFp, NOON);
      await reportRoutesStore(store().db).save(...savedRoute(), NOON);
      await wantComparedDays(store().db, bruno.accountFp, NOON);
      const day = Temporal.PlainDate.from(DAY);
      await days().readAgain(ana.accountFp, day, day, later(1));
      expect((await dueAt(later(1))).map(([owner]) => owner)).toEqual([ANA, BRUNO]);
    });

    test("are due after the others where a clock that was set back since put them off", async () => {
      const ana = await connect();
      const bruno = await connect({ ownerId: BRUNO }, anaOtherKey);
      await reportRoutesStore(store().db).save(...savedRoute(), NOON);
      const ahead = NOON.add({ hours: 25, seconds: 1 });
      await wantComparedDays(store().db, ana.accountFp, ahead);
      expect(await dueAt(NOON)).toEqual([[ANA, false]]);
      await wantComparedDays(store().db, bruno.accountFp, NOON);
      expect(await dueAt(NOON)).toEqual([
        [BRUNO, false],
        [ANA, false],
      ]);
      await putOff(NOON, NOON.add({ hours: 24 }));
      expect(await dueAt(NOON)).toEqual([]);
    });

    test.each(["works again", "is replaced"])("are due once a refused key %s", async (how) => {
      const ana = await accounts().save(savedAccount(), anaKey, USER);
      await days().want(ana.accountFp, NOON);
      await accounts().pause(ana.id, NOON, noticeTo(ANA, "paused"));
      await putOff(NOON, later(60));
      expect(await dueAt(later(2))).toEqual([]);
      if (how === "works again") await accounts().resume(ana.id);
      else await accounts().save(savedAccount({ connectedAt: later(1) }), anaOtherKey, USER);
      expect(await dueAt(later(2))).toEqual([[ANA, true]]);
    });

    test.each(["works again", "is replaced"])(
      "stay due where a refused key %s while the background has it in hand",
      async (how) => {
        const ana = await accounts().save(savedAccount(), anaKey, USER);
        await days().want(ana.accountFp, NOON);
        await accounts().pause(ana.id, NOON, noticeTo(ANA, "paused"));
        const [begun] = await dueNow(later(1));
        if (how === "works again") await accounts().resume(ana.id);
        else await accounts().save(savedAccount({ connectedAt: later(1) }), anaOtherKey, USER);
        await days().lookAgain(begun!, later(1_000));
        expect(await dueAt(later(2))).toEqual([[ANA, true]]);
      },
    );

    test("use a key that is not refused, where the account has one", async () => {
      const here = await accounts().save(savedAccount(), anaKey, USER);
      const there = await accounts().save(savedAccount({ guildId: ELSEWHERE }), anaOtherKey, USER);
      await accounts().pause(here.id, NOON, noticeTo(ANA, "paused"));
      await days().want(here.accountFp, NOON);
      expect((await dueNow(NOON)).map(({ account }) => account.id)).toEqual([there.id]);
    });
  });
});

/** SQLite answers on the bot's only thread. */
test("Corrections of old days are purged without a statement that reads those of all accounts", async () => {
  const { db, plans } = await useQueryPlans(standingClock(NOON.toString()));
  const cents = { old_sales_cents: 2, new_sales_cents: 1, old_net_cents: 2, new_net_cents: 1 };
  for (const fp of ["one", "other"])
    for (const day of ["2026-08-01", DAY])
      await db
        .insertInto("sales_correction")
        .values({ account_fp: fp, day, noticed_at: `${day}T12:00:00.000Z`, ...cents })
        .execute();
  plans(/./);
  await salesDays(db).purge(Temporal.PlainDate.from(DAY));
  const found = plans(/sales_correction/);
  expect(found.filter(({ steps }) => steps.some((step) => step.startsWith("SCAN sales_")))).toEqual(
    [],
  );
  const left = await db.selectFrom("sales_correction").select(["account_fp", "day"]).execute();
  expect(left).toEqual(["one", "other"].map((fp) => ({ account_fp: fp, day: DAY })));
});
