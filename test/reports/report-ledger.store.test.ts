import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import type { Account } from "#src/accounts/account.ts";
import type { SavedAccount } from "#src/accounts/accounts-write.store.ts";
import type { NewDelivery } from "#src/delivery/delivery.ts";
import { databases } from "../support/databases.ts";
import {
  ANA,
  anaKey,
  BRUNO,
  brunoKey,
  CHANNEL,
  savedRoute,
  delivery,
  GUILD,
  later,
  NOON,
  noticeTo,
  reportOf,
  savedAccount,
} from "../database/builders.ts";
import { sellerOf, storeOf } from "./report-samples.ts";
import { useStores } from "../database/use-store.ts";

const OTHER_CHANNEL = "910000000000000002";
const day = Temporal.PlainDate.from("2026-11-18");
const dayBefore = day.subtract({ days: 1 });
const dayAfter = day.add({ days: 1 });

describe.each(databases)("the report ledger on $name", (kind) => {
  const { store, accounts, routes, ledger, outbox } = useStores(kind);
  const owing = async (...asked: Parameters<ReturnType<typeof ledger>["owing"]>) =>
    (await Array.fromAsync(ledger().owing(...asked))).flat();
  const lastDay = async (): Promise<string | undefined> =>
    (await owing(Temporal.PlainDate.from("2027-01-01")))[0]?.lastDay?.toString();

  const connected = async () => {
    await routes().save(...savedRoute(), NOON);
    return accounts().save(savedAccount(), anaKey);
  };

  const seller = async () => (await owing(day.add({ days: 9 })))[0];

  test("lists a seller who agreed, with all that the schedule needs", async () => {
    const { id } = await connected();
    const [first, ...more] = await owing(day);
    expect(more).toEqual([]);
    const { time, since, accountFp, ...rest } = first!;
    expect(accountFp).not.toBe("");
    expect(rest).toEqual({
      accountId: id,
      guildId: GUILD,
      ownerId: ANA,
      keyLast4: "7e1b",
      hasOthers: false,
      subscriberId: GUILD,
      target: { kind: "channel", channelId: CHANNEL },
      timeZone: "America/Sao_Paulo",
      locale: "pt-BR",
      emptyChoice: "line",
      isPaused: false,
      isEntitled: true,
      lastDay: undefined,
      correctionsTold: undefined,
      postedDay: undefined,
    });
    expect(time.equals("21:05")).toBe(true);
    expect(since.equals(NOON)).toBe(true);
  });

  test.each([
    ["the consent", later(5), later(9)],
    ["the route", later(9), later(5)],
  ])("begins with %s where that is the later", async (_, routeAt, consentAt) => {
    await routes().save(...savedRoute(), routeAt);
    await accounts().save(savedAccount({ reportConsentAt: consentAt }), anaKey);
    const [first] = await owing(day);
    expect(first?.since.equals(later(9))).toBe(true);
  });

  test("names the hours of working routes, each once", async () => {
    await connected();
    await routes().save(...savedRoute({ guildId: "g2" }), NOON);
    await routes().save(...savedRoute({ guildId: "g3", timeZone: "Europe/Lisbon" }), NOON);
    await routes().save(...savedRoute({ guildId: "g4", timeZone: "UTC", active: false }), NOON);
    const found = (await ledger().hours()).map(
      ({ time, timeZone }) => `${time.toString()} ${timeZone}`,
    );
    expect(found.toSorted()).toEqual(["21:05:00 America/Sao_Paulo", "21:05:00 Europe/Lisbon"]);
  });

  test("leaves out who lacks the last day only, unless the hour is among those asked for", async () => {
    const { id } = await connected();
    const hour = { time: Temporal.PlainTime.from("21:05"), timeZone: "America/Sao_Paulo" };
    const another = { ...hour, timeZone: "America/Bahia" };
    expect(await owing(day, [])).toHaveLength(1);
    await ledger().record(id, dayBefore, undefined, NOON);
    expect(await owing(day, [])).toEqual([]);
    expect(await owing(day, [another])).toEqual([]);
    expect(await owing(day, [another, hour])).toHaveLength(1);
    expect(await owing(dayAfter, [])).toHaveLength(1);
  });

  test("finds who lacks a day in each of many guilds, and their guilds by the hour", async () => {
    const guilds = Array.from({ length: 20 }, (_, place) => `g${place}`);
    for (const guildId of guilds) {
      await routes().save(...savedRoute({ guildId }), NOON);
      await accounts().save(savedAccount({ guildId }), anaKey);
    }
    const found = await owing(day);
    expect(found.map(({ guildId }) => guildId).toSorted()).toEqual(guilds.toSorted());
    const [hour] = await ledger().hours();
    expect((await ledger().guildsAt([hour!])).toSorted()).toEqual(guilds.toSorted());
    expect(await ledger().guildsAt([{ ...hour!, timeZone: "America/Bahia" }])).toEqual([]);
  });

  test("leaves out who did not agree, is paused, or has no working route", async () => {
    const { id } = await connected();
    await accounts().save(savedAccount({ ownerId: BRUNO, reportConsent: false }), brunoKey);
    expect(await owing(day)).toHaveLength(1);
    await accounts().pause(id, NOON, noticeTo(ANA, "paused"));
    expect(await owing(day)).toEqual([]);
    await accounts().resume(id);
    await routes().save(...savedRoute({ active: false }), NOON);
    expect(await owing(day)).toEqual([]);
  });

  test("hands over the report and marks the day, which is owed no more, nor are those before it", async () => {
    const account = await connected();
    expect(await ledger().record(account.id, day, reportOf(account), NOON)).toBe(true);
    expect(await outbox().state(reportOf(account).dedupeKey)).toBe("due");
    expect([await owing(dayBefore), await owing(day)]).toEqual([[], []]);
    await ledger().record(account.id, dayBefore, undefined, NOON);
    expect(await lastDay()).toBe("2026-11-18");
  });

  test("marks an empty day that the guild skips", async () => {
    const { id } = await connected();
    await ledger().record(id, day, undefined, NOON);
    expect(await lastDay()).toBe("2026-11-18");
    expect(await store().db.selectFrom("outbox").selectAll().execute()).toEqual([]);
  });

  test("marks the corrections that a report tells, and keeps the mark of an earlier one", async () => {
    const { id } = await connected();
    await ledger().record(id, dayBefore, undefined, NOON);
    expect((await seller())?.correctionsTold).toBeUndefined();
    await ledger().record(id, day, undefined, NOON, later(5));
    expect((await seller())?.correctionsTold).toEqual(later(5));
    await ledger().record(id, day, undefined, NOON, later(6));
    await ledger().record(id, dayAfter, undefined, NOON);
    expect((await seller())?.correctionsTold).toEqual(later(5));
  });

  test("knows the oldest day that was told without a gap", async () => {
    const { id } = await connected();
    for (const [told, first] of [
      [day, day],
      [dayAfter, day],
      [dayBefore, day],
      [day.add({ days: 3 }), day.add({ days: 3 })],
      [day.add({ days: 4 }), day.add({ days: 3 })],
    ] as const) {
      await ledger().record(id, told, undefined, NOON);
      expect((await seller())?.firstDay?.toString()).toBe(first.toString());
    }
  });

  test("records a day twice as once", async () => {
    const account = await connected();
    const twice = [1, 2].map(() => ledger().record(account.id, day, reportOf(account), NOON));
    await Promise.all(twice);
    expect(await store().db.selectFrom("outbox").select("state").execute()).toHaveLength(1);
  });

  test("leaves neither report nor mark when one of the two cannot be written", async () => {
    const account = await connected();
    const unwritable = reportOf(account, { payload: { content: 1n as unknown as string } });
    await expect(ledger().record(account.id, day, unwritable, NOON)).rejects.toThrow(TypeError);
    expect(await lastDay()).toBeUndefined();

    const { db } = store();
    await db.schema.alterTable("report_progress").renameTo("elsewhere").execute();
    await expect(ledger().record(account.id, day, reportOf(account), NOON)).rejects.toThrow(
      /report_progress/,
    );
    await db.schema.alterTable("elsewhere").renameTo("report_progress").execute();
    expect(await outbox().state(reportOf(account).dedupeKey)).toBeUndefined();
    expect(await lastDay()).toBeUndefined();
  });

  describe("of a server's report", () => {
    const target = { kind: "channel", channelId: CHANNEL } as const;
    const server = { subscriberId: GUILD, target };
    const bothConnected = async () => {
      const ana = await connected();
      const bruno = await accounts().save(savedAccount({ ownerId: BRUNO }), brunoKey);
      return [ana, bruno].map(({ id }) => ({ accountId: id, correctionsTold: undefined }));
    };
    const report = () => delivery(`report|${GUILD}|${CHANNEL}|2026-11-18`, { accountId: null });
    const lastDays = async () =>
      (await ledger().sellersOf(GUILD)).map(({ lastDay, postedDay }) =>
        [lastDay, postedDay].map((each) => each?.toString()),
      );
    const marked = ["2026-11-18", "2026-11-18"];

    test("hands it over with the marks of its sellers and of the server, once", async () => {
      const told = await bothConnected();
      const write = () => ledger().recordDay(server, day, told, report(), NOON);
      const twice = await Promise.all([write(), write()]);
      expect(twice.filter((isRecorded) => isRecorded)).toHaveLength(1);
      expect(await lastDays()).toEqual([marked, marked]);
      expect(await outbox().state(report().dedupeKey)).toBe("due");
      expect(await ledger().recordDay(server, dayBefore, told, report(), NOON)).toBe(false);
      expect(await ledger().recordDay(server, dayAfter, told, undefined, NOON)).toBe(true);
    });

    test("keeps the server's day over a change of its route", async () => {
      const told = await bothConnected();
      await ledger().recordDay(server, day, told, report(), NOON);
      await routes().save(...savedRoute({ channelId: OTHER_CHANNEL }), later(5));
      expect(await lastDays()).toEqual([marked, marked]);
    });

    test.each([
      ["a seller withdrew consent", () => accounts().chooseReport(GUILD, BRUNO, "off", NOON)],
      ["a seller disconnected", () => accounts().remove(GUILD, BRUNO, BRUNO, NOON)],
      ["the channel changed", () => routes().save(...savedRoute({ channelId: "c2" }), NOON)],
      ["the report was switched off", () => routes().save(...savedRoute({ active: false }), NOON)],
    ])("writes nothing once %s", async (_, change) => {
      const told = await bothConnected();
      await change();
      expect(await ledger().recordDay(server, day, told, report(), NOON)).toBe(false);
      expect(await outbox().state(report().dedupeKey)).toBeUndefined();
      const { rows } = await sql`select * from report_progress`.execute(store().db);
      expect(rows).toEqual([]);
    });

    test("racing with a removal leaves none of the removed seller's figures behind", async () => {
      for (let round = 0; round < 10; round += 1) {
        const told = await bothConnected();
        const sellers = told.map(({ accountId }, place) => sellerOf(place, [100], { accountId }));
        const whole = { ...report(), payload: { report: storeOf(sellers) } };
        await Promise.all([
          ledger().recordDay(server, day, told, whole, NOON),
          accounts().remove(GUILD, BRUNO, BRUNO, NOON),
        ]);
        const kept = await store().db.selectFrom("outbox").select("payload").execute();
        expect(JSON.stringify(kept)).not.toContain(told[1]?.accountId);
        await accounts().remove(GUILD, ANA, ANA, NOON);
        expect(await store().db.selectFrom("outbox").selectAll().execute()).toEqual([]);
        await sql`update report_route set posted_day = null`.execute(store().db);
      }
    });
  });

  describe("of a seller by direct message", () => {
    const OTHER = "900000000000000002";
    const WALLET = "user_of_ana";
    const direct = (changes: Partial<SavedAccount> = {}) =>
      accounts().save(
        savedAccount({ reportConsent: false, reportDirect: true, ...changes }),
        anaKey,
        WALLET,
      );
    const report = ({ id, watchId }: Account): NewDelivery =>
      delivery(`report|${watchId}|${ANA}|2026-11-18`, {
        target: { kind: "person", userId: ANA },
        guildId: null,
        accountId: id,
      });
    const owingIds = async (of = day) => (await owing(of)).map(({ accountId }) => accountId);
    const accountOfReport = async (key: string) =>
      (
        await store()
          .db.selectFrom("outbox")
          .select("account_id")
          .where("dedupe_key", "=", key)
          .executeTakeFirst()
      )?.account_id;
    const recordDirect = (
      { id: accountId, watchId: subscriberId }: Account,
      on: Temporal.PlainDate,
      post: NewDelivery,
      at: Temporal.Instant,
    ) => {
      const told = [{ accountId, correctionsTold: undefined }];
      return ledger().recordDay({ subscriberId, target: post.target }, on, told, post, at);
    };
    const hourOf = async () => {
      const [seller] = await owing(day);
      return `${seller?.time.toString()} ${seller?.timeZone}`;
    };

    test("needs no channel: it is due at the server's hour, or else just after the close", async () => {
      const ana = await direct({ locale: "en-US" });
      expect(await owing(day)).toEqual([
        expect.objectContaining({
          subscriberId: ana.watchId,
          target: { kind: "person", userId: ANA },
          locale: "en-US",
          emptyChoice: "line",
          since: NOON,
          postedDay: undefined,
        }),
      ]);
      expect(await hourOf()).toBe("21:05:00 America/Sao_Paulo");
      expect(await ledger().hours()).toHaveLength(1);
      const time = Temporal.PlainTime.from("08:30");
      const hour = { time, timeZone: "America/Manaus" };
      await routes().save(...savedRoute({ ...hour, emptyChoice: "skip", active: false }), NOON);
      expect(await hourOf()).toBe("08:30:00 America/Manaus");
      expect(await ledger().hours()).toEqual([hour]);
      await recordDirect(ana, dayBefore, report(ana), NOON);
      expect(await owing(day, [])).toEqual([]);
      expect(await owing(day, [hour])).toHaveLength(1);
      expect(await ledger().sellersOf(GUILD)).toEqual([]);
    });

    test("is one for an owner and wallet account in however many servers: of the first choice, with a working key", async () => {
      const first = await direct();
      const other = await direct({ guildId: OTHER, reportConsentAt: later(5) });
      expect(other.watchId).toBe(first.watchId);
      expect(await owingIds()).toEqual([first.id]);
      await store()
        .db.updateTable("account")
        .set({ paused_at: "2026-11-19T12:00:00.000Z" })
        .where("id", "=", first.id)
        .execute();
      expect(await owingIds()).toEqual([other.id]);
      expect(await ledger().sellersOf(first.watchId)).toHaveLength(1);
      expect(await recordDirect(other, day, report(other), NOON)).toBe(true);
      await accounts().resume(first.id);
      expect(await owingIds()).toEqual([]);
      expect(await owingIds(dayAfter)).toEqual([first.id]);
      expect(await recordDirect(first, day, report(first), NOON)).toBe(true);
      expect(await store().db.selectFrom("outbox").select("state").execute()).toHaveLength(1);
    });

    test("is handed over with its unsent message when the first server is left, and else cancelled", async () => {
      const first = await direct();
      const other = await direct({ guildId: OTHER, reportConsentAt: later(5) });
      const { dedupeKey } = report(first);
      await recordDirect(first, day, report(first), NOON);
      await outbox().enqueue({ ...report(first), dedupeKey: "bruno's", accountId: "bruno" }, NOON);
      await accounts().chooseReport(GUILD, ANA, "off", NOON);
      expect(await accountOfReport(dedupeKey)).toBe(other.id);
      expect(await accountOfReport("bruno's")).toBe("bruno");
      expect(await outbox().state(dedupeKey)).toBe("due");
      await accounts().chooseReport(GUILD, ANA, "direct", later(9));
      await accounts().remove(OTHER, ANA, ANA, NOON);
      expect(await accountOfReport(dedupeKey)).toBe(first.id);
      await accounts().chooseReport(GUILD, ANA, "channel", NOON);
      expect(await outbox().state(dedupeKey)).toBe("obsolete");
      expect(await owingIds()).toEqual([]);
    });

    test("is written only while its seller wants it, and goes with the connection", async () => {
      const ana = await direct();
      await accounts().chooseReport(GUILD, ANA, "off", NOON);
      expect(await recordDirect(ana, day, report(ana), NOON)).toBe(false);
      await accounts().chooseReport(GUILD, ANA, "direct", NOON);
      expect(await recordDirect(ana, day, report(ana), NOON)).toBe(true);
      await accounts().remove(GUILD, ANA, ANA, NOON);
      expect(await outbox().state(report(ana).dedupeKey)).toBeUndefined();
      expect(await ledger().hours()).toEqual([]);
    });

    test("stays while the server changes, loses or switches off its channel", async () => {
      const ana = await direct();
      await routes().save(...savedRoute(), NOON);
      await recordDirect(ana, day, report(ana), NOON);
      await routes().save(...savedRoute({ channelId: OTHER_CHANNEL }), NOON);
      await routes().suspend(GUILD, OTHER_CHANNEL, NOON, []);
      await routes().save(...savedRoute({ active: false }), NOON);
      const [row] = await store().db.selectFrom("outbox").selectAll().execute();
      expect(row).toMatchObject({ state: "due", target_kind: "person", target_id: ANA });
      expect(await owingIds(dayAfter)).toEqual([ana.id]);
    });
  });

  test("records nothing for an account, a consent or a route that has gone", async () => {
    const account = await connected();
    const nothing = async (): Promise<void> => {
      expect(await ledger().record(account.id, day, reportOf(account), NOON)).toBe(false);
      expect(await outbox().state(reportOf(account).dedupeKey)).toBeUndefined();
    };
    await accounts().chooseReport(GUILD, ANA, "off", NOON);
    await nothing();
    await accounts().chooseReport(GUILD, ANA, "channel", NOON);
    await routes().save(...savedRoute({ active: false }), NOON);
    await nothing();
    await accounts().remove(GUILD, ANA, ANA, NOON);
    await routes().save(...savedRoute(), NOON);
    await nothing();
  });

  test("does not record for a channel that is no longer the route's: the day stays owed", async () => {
    const account = await connected();
    await routes().save(...savedRoute({ channelId: OTHER_CHANNEL }), NOON);
    await ledger().record(account.id, day, reportOf(account), NOON);
    expect(await outbox().state(reportOf(account).dedupeKey)).toBeUndefined();
    expect(await owing(day)).toHaveLength(1);
  });

  test("racing with a removal leaves no report behind", async () => {
    for (let round = 0; round < 20; round += 1) {
      const account = await connected();
      await Promise.all([
        ledger().record(account.id, day, reportOf(account), NOON),
        accounts().remove(GUILD, ANA, ANA, NOON),
        ledger().record(account.id, dayAfter, undefined, NOON),
      ]);
      expect(await outbox().state(reportOf(account).dedupeKey)).toBeUndefined();
    }
  });
});
