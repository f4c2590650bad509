import { describe, expect, test } from "vitest";
import { Secret } from "#src/shared/secret.ts";
import { presences } from "#src/accounts/presences.store.ts";
import { reportLedger } from "#src/reports/report-ledger.store.ts";
import { reportRoutesStore } from "#src/reports/report-routes.store.ts";
import { MINUTE } from "#src/shared/time.ts";
import { databases, standingClock } from "../support/databases.ts";
import {
  ANA,
  anaKey,
  anaOtherKey,
  BRUNO,
  brunoKey,
  CARLA,
  CHANNEL,
  savedRoute,
  GUILD,
  later,
  NOON,
  noticeTo,
  reportOf,
  savedAccount,
  sent,
} from "../database/builders.ts";
import { useStores } from "../database/use-store.ts";
import { alertKey, alertOf, alertTo, audited, owedIn } from "../disputes/dispute-builders.ts";

const clock = standingClock(NOON.toString());
const day = Temporal.PlainDate.from("2026-11-18");
const OTHER_GUILD = "900000000000000002";

describe.each(databases)("accounts on $name", (kind) => {
  const { store, accounts, outbox, ledger } = useStores(kind, clock);

  const withReport = async () => {
    await reportRoutesStore(store().db).save(...savedRoute(), NOON);
    const account = await accounts().save(savedAccount(), anaKey);
    await ledger().record(account.id, day, reportOf(account), NOON);
    return account;
  };

  test("come back as they were saved", async () => {
    const saved = await accounts().save(
      savedAccount({ ownerVerified: false, connectedBy: CARLA, reportConsentAt: later(1) }),
      anaKey,
    );
    expect(saved).toMatchObject({ guildId: GUILD, ownerId: ANA, connectedBy: CARLA });
    expect(saved).toMatchObject({ keyLast4: "7e1b", ownerVerified: false, pausedAt: undefined });
    expect(await accounts().find(GUILD, ANA)).toEqual(saved);
    expect(await accounts().findById(saved.id)).toEqual(saved);
    expect(saved.reportConsentAt?.equals(later(1))).toBe(true);
  });

  test("come with their key in one question", async () => {
    const saved = await accounts().save(savedAccount(), anaKey);
    const found = await accounts().findWithKey(GUILD, ANA);
    expect(found?.account).toEqual(saved);
    expect(found?.apiKey.reveal()).toBe(anaKey.reveal());
    expect((await accounts().apiKey(saved.id))?.reveal()).toBe(anaKey.reveal());
  });

  test("are not found for another person or in another guild", async () => {
    await accounts().save(savedAccount(), anaKey);
    expect(await accounts().findWithKey(GUILD, BRUNO)).toBeUndefined();
    expect(await accounts().find(OTHER_GUILD, ANA)).toBeUndefined();
    expect(await accounts().findById("nobody")).toBeUndefined();
    expect(await accounts().apiKey("nobody")).toBeUndefined();
  });

  test("of one key have one fingerprint in every guild, and other keys another", async () => {
    const here = await accounts().save(savedAccount(), anaKey);
    const there = await accounts().save(savedAccount({ guildId: OTHER_GUILD }), anaKey);
    const bruno = await accounts().save(savedAccount({ ownerId: BRUNO }), brunoKey);
    expect(there.keyFingerprint).toBe(here.keyFingerprint);
    expect(bruno.keyFingerprint).not.toBe(here.keyFingerprint);
    expect(here.keyFingerprint).not.toContain(anaKey.reveal());
  });

  test("saved again with the same key keep their row and what is owed to them", async () => {
    const before = await withReport();
    const after = await accounts().save(savedAccount({ reportConsent: false }), anaKey);
    expect(after).toEqual(before);
    expect(await outbox().state(reportOf(before).dedupeKey)).toBe("due");
  });

  test("saved with another key get a new row, and what was owed about the old one goes", async () => {
    const before = await withReport();
    const after = await accounts().save(savedAccount(), anaOtherKey);
    expect(after.id).not.toBe(before.id);
    expect(await accounts().findById(before.id)).toBeUndefined();
    expect(await outbox().state(reportOf(before).dedupeKey)).toBeUndefined();
    expect((await accounts().findWithKey(GUILD, ANA))?.apiKey.reveal()).toBe(anaOtherKey.reveal());
  });

  test("saved with another wallet account's key report no day again, and correct none from before", async () => {
    const before = await withReport();
    const next = day.add({ days: 1 });
    await ledger().record(before.id, next, undefined, NOON, later(5));
    const after = await accounts().save(savedAccount(), anaOtherKey);
    expect(await Array.fromAsync(ledger().owing(next))).toEqual([]);
    const [[owing] = []] = await Array.fromAsync(ledger().owing(next.add({ days: 1 })));
    expect(owing).toMatchObject({ accountId: after.id, correctionsTold: undefined });
    expect(owing?.lastDay?.equals(next)).toBe(true);
    expect(owing?.firstDay?.equals(next.add({ days: 1 }))).toBe(true);
  });

  test("saved for one person by several at once are one account", async () => {
    const keys = Array.from({ length: 8 }, (_, index) => new Secret(`sk_sandbox_ana_${index}`));
    const saved = await Promise.all(keys.map((key) => accounts().save(savedAccount(), key)));
    const found = await accounts().findWithKey(GUILD, ANA);
    expect(saved.map(({ id }) => id)).toContain(found?.account.id);
    expect((await accounts().audience(GUILD)).connected).toBe(1);
  });

  test("of a wallet account that another person has are saved with the notice to that person, or not at all", async () => {
    await accounts().save(savedAccount(), anaKey, "user_8812");
    const account = savedAccount({ ownerId: BRUNO, connectedBy: BRUNO });
    const bruno = [account, brunoKey, "user_8812", undefined] as const;
    const untold = accounts().save(...bruno, () => {
      throw new Error("No words");
    });
    await expect(untold).rejects.toThrow("No words");
    expect(await accounts().find(GUILD, BRUNO)).toBeUndefined();
    await accounts().save(...bruno, (_, other) => noticeTo(other.ownerId, "shared"));
    expect(await outbox().state("shared")).toBe("due");
  });

  test("removed take their key, their progress and what was still to be told with them", async () => {
    const account = await withReport();
    expect(await accounts().remove(GUILD, ANA, ANA, NOON)).toBe(true);
    expect(await accounts().find(GUILD, ANA)).toBeUndefined();
    expect(await outbox().state(reportOf(account).dedupeKey)).toBeUndefined();
    const { db } = store();
    expect(await db.selectFrom("report_progress").selectAll().execute()).toEqual([]);
    const events = await db.selectFrom("audit_event").select(["actor", "action"]).execute();
    expect(events).toContainEqual({ actor: ANA, action: "account_removed" });
    expect(await accounts().remove(GUILD, ANA, ANA, NOON)).toBe(false);
  });

  test("removed keep the marks of a posted report and alert, without a text", async () => {
    const account = await withReport();
    const { alert, kind } = alertTo(ANA, account.watchId, "new");
    const { id: accountId } = account;
    await outbox().enqueue({ ...noticeTo(ANA, "alert"), kind, alert, accountId }, NOON);
    const request = { owner: "a", leaseMs: 1, limit: 9, now: NOON };
    for (const claim of await outbox().claim(request)) await outbox().settle(claim, sent);
    await accounts().remove(GUILD, ANA, ANA, NOON);
    const rows = await store().db.selectFrom("outbox").select(["state", "payload"]).execute();
    expect(new Set(rows.map((row) => `${row.state} ${row.payload}`))).toEqual(new Set(["sent {}"]));
    expect(rows).toHaveLength(2);
    expect(await outbox().enqueue(reportOf(account), NOON)).toBe(false);
  });

  test("pause once, with one notice in the same transaction", async () => {
    const { id } = await accounts().save(savedAccount(), anaKey);
    const notices = [1, 2, 3, 4].map((n) => noticeTo(ANA, `paused|${id}|${n}`));
    const first = await Promise.all(notices.map((notice) => accounts().pause(id, NOON, notice)));
    expect(first.filter(Boolean)).toHaveLength(1);
    const told = await store().db.selectFrom("outbox").select("dedupe_key").execute();
    expect(told).toEqual([{ dedupe_key: notices[first.indexOf(true)]?.dedupeKey }]);
    expect((await accounts().find(GUILD, ANA))?.pausedAt?.equals(NOON)).toBe(true);
  });

  test("go on with a key that replaced the refused one meanwhile", async () => {
    const { id, keyFingerprint } = await accounts().save(savedAccount(), anaKey, "seller_ana");
    await accounts().save(savedAccount(), brunoKey, "seller_ana");
    const notice = noticeTo(ANA, "paused");
    expect(await accounts().pause(id, NOON, notice, keyFingerprint)).toBe(false);
    const after = await accounts().findById(id);
    expect(after?.pausedAt).toBeUndefined();
    expect(await accounts().pause(id, NOON, notice, after?.keyFingerprint)).toBe(true);
  });

  test("resume when they are told to and when a key is saved", async () => {
    const { id } = await accounts().save(savedAccount(), anaKey);
    await accounts().pause(id, NOON, noticeTo(ANA, "paused|1"));
    await accounts().resume(id);
    expect((await accounts().findById(id))?.pausedAt).toBeUndefined();
    expect(await accounts().pause(id, NOON, noticeTo(ANA, "paused|2"))).toBe(true);
    await accounts().save(savedAccount(), anaKey);
    expect((await accounts().findById(id))?.pausedAt).toBeUndefined();
  });

  test("resume in every guild when their key is saved in one, the owner's own only", async () => {
    const place = (guildId: string, ownerId = ANA) => savedAccount({ guildId, ownerId });
    const here = await accounts().save(place(GUILD), anaKey);
    const there = await accounts().save(place(OTHER_GUILD), anaKey);
    const carla = await accounts().save(place(GUILD, CARLA), anaKey);
    const pause = async () => {
      for (const { id } of [here, carla])
        await accounts().pause(id, NOON, noticeTo(ANA, `paused|${id}`));
    };
    const paused = async () => {
      const rows = await store().db.selectFrom("account").select(["id", "paused_at"]).execute();
      return rows.flatMap((row) => (row.paused_at === null ? [] : [row.id])).toSorted();
    };
    for (const guildId of [GUILD, "900000000000000003"]) {
      await pause();
      expect(await paused()).toEqual(expect.arrayContaining([here.id, there.id, carla.id]));
      await accounts().save(place(guildId), anaKey);
      expect(await paused()).toEqual([carla.id]);
    }
  });

  test("of a guild share the newest day that is settled for all who get the report", async () => {
    const settled = async () => (await accounts().audience(GUILD)).settledDay?.toString();
    await reportRoutesStore(store().db).save(...savedRoute(), NOON);
    const ana = await accounts().save(savedAccount(), anaKey);
    const bruno = await accounts().save(savedAccount({ ownerId: BRUNO }), brunoKey);
    const record = (id: string, day: string) =>
      reportLedger(store().db).record(id, Temporal.PlainDate.from(day), undefined, NOON);
    await record(ana.id, "2026-11-18");
    expect(await settled()).toBeUndefined();
    await record(bruno.id, "2026-11-17");
    expect(await settled()).toBe("2026-11-17");
    await accounts().pause(bruno.id, NOON, noticeTo(BRUNO, "paused|1"));
    await accounts().save(savedAccount({ ownerId: CARLA }), new Secret("sk_sandbox_carla"));
    expect(await settled()).toBeUndefined();
    await presences(store().db).keep(GUILD, CARLA, "left", NOON, undefined);
    expect(await settled()).toBe("2026-11-18");
  });

  test("of a guild are refused once no key of those that agreed works", async () => {
    const onHold = async () => (await accounts().audience(GUILD)).onHold;
    const ana = await accounts().save(savedAccount(), anaKey);
    const bruno = await accounts().save(savedAccount({ ownerId: BRUNO }), brunoKey);
    const carla = savedAccount({ ownerId: CARLA, reportConsent: false });
    await accounts().save(carla, new Secret("sk_sandbox_carla"));
    await accounts().pause(ana.id, NOON, noticeTo(ANA, "paused"));
    expect(await onHold()).toBeUndefined();
    await accounts().pause(bruno.id, NOON, noticeTo(BRUNO, "paused"));
    expect(await onHold()).toBe("refused");
    await presences(store().db).keep(GUILD, ANA, "left", NOON, undefined);
    expect(await onHold()).toBe("refused");
    await presences(store().db).keep(GUILD, BRUNO, "left", NOON, undefined);
    expect(await onHold()).toBe("left");
  });

  test("of a guild are counted with those that agreed to the report, and the newest consent of who has not left", async () => {
    const audience = async () => {
      const { agreedAt, ...counted } = await accounts().audience(GUILD);
      return { ...counted, agreedAt: agreedAt?.toString() };
    };
    const counted = { settledDay: undefined, onHold: undefined };
    expect(await audience()).toEqual({ ...counted, connected: 0, consenting: 0 });
    await accounts().save(savedAccount(), anaKey);
    await accounts().save(savedAccount({ ownerId: BRUNO, reportConsent: false }), brunoKey);
    await accounts().save(savedAccount({ guildId: OTHER_GUILD }), anaKey);
    const alone = { ...counted, consenting: 1, agreedAt: NOON.toString() };
    expect(await audience()).toEqual({ ...alone, connected: 2 });
    const carla = savedAccount({ ownerId: CARLA, reportConsentAt: later(1) });
    await accounts().save(carla, new Secret("sk_sandbox_carla"));
    const both = { ...counted, consenting: 2, agreedAt: later(1).toString() };
    expect(await audience()).toEqual({ ...both, connected: 3 });
    await presences(store().db).keep(GUILD, CARLA, "left", NOON, undefined);
    expect(await audience()).toEqual({ ...alone, connected: 3, consenting: 2 });
  });
});

describe.each(databases)("an account's choice of alerts on $name", (kind) => {
  const { store, accounts, outbox } = useStores(kind);
  const connect = () => accounts().save(savedAccount(), anaKey);
  const choose = (alerts: "channel" | "direct" | "off") =>
    accounts().setAlerts(GUILD, ANA, alerts, NOON);
  const claim = () => outbox().claim({ owner: "one", leaseMs: MINUTE, limit: 9, now: NOON });

  test("is the direct messages until the owner says otherwise, with the audit", async () => {
    const account = await connect();
    expect(account.alerts).toBe("direct");
    expect(await choose("channel")).toEqual({ ...account, alerts: "channel" });
    expect(await accounts().find(GUILD, ANA)).toEqual({ ...account, alerts: "channel" });
    expect(await accounts().setAlerts(GUILD, BRUNO, "off", NOON)).toBeUndefined();
    expect(await audited(store().db)).toEqual(["ana alerts_chosen"]);
  });

  test("keeps the owner's language with it, also under another key, until the owner speaks another", async () => {
    const saved = await accounts().save(savedAccount({ connectedBy: BRUNO }), anaKey);
    expect(saved.locale).toBeUndefined();
    await accounts().setAlerts(GUILD, ANA, "direct", NOON, "en-US");
    expect((await choose("channel"))?.locale).toBe("en-US");
    const again = await accounts().save(savedAccount({ connectedBy: BRUNO }), anaOtherKey);
    expect(again.locale).toBe("en-US");
    const own = await accounts().save(savedAccount({ locale: "pt-BR" }), anaOtherKey);
    expect(own.locale).toBe("pt-BR");
  });

  test("stays with the same key, and with another of the same service account", async () => {
    await connect();
    await choose("channel");
    expect((await accounts().save(savedAccount({ ownerVerified: false }), anaKey)).alerts).toBe(
      "channel",
    );
    await accounts().save(savedAccount(), anaKey);
    expect((await accounts().save(savedAccount(), anaOtherKey)).alerts).toBe("channel");
  });

  test.each([
    [true, false],
    [false, true],
  ])("begins anew when a key may be another's (%j, then %j)", async (before, after) => {
    await accounts().save(savedAccount({ ownerVerified: before }), anaKey);
    await choose("channel");
    const saved = await accounts().save(savedAccount({ ownerVerified: after }), anaOtherKey);
    expect(saved.alerts).toBe("direct");
  });

  test("of direct messages turns what waits for the channel to the owner, of that account only", async () => {
    const { id } = await connect();
    const bruno = await accounts().save(savedAccount({ ownerId: BRUNO }), brunoKey);
    await outbox().enqueue(alertOf(id, "48h"), NOON);
    const [head] = await claim();
    await outbox().settle(head!, sent);
    await outbox().enqueue(alertOf(id, "24h"), NOON);
    await outbox().enqueue(alertOf(bruno.id, "24h"), NOON);
    await choose("direct");
    expect(await owedIn(store().db)).toEqual({
      [alertKey(id, "48h")]: `channel ${CHANNEL} sent`,
      [alertKey(id, "24h")]: `person ${ANA} due`,
      [alertKey(bruno.id, "24h")]: `channel ${CHANNEL} due`,
    });
  });

  test("of none takes back the alerts that were not posted, and no report", async () => {
    const account = await connect();
    await outbox().enqueue(alertOf(account.id, "48h"), NOON);
    await outbox().enqueue(alertTo(ANA, account.id, "24h"), NOON);
    await outbox().enqueue(reportOf(account), NOON);
    await choose("off");
    expect(await outbox().state(alertKey(account.id, "48h"))).toBe("obsolete");
    expect(await outbox().state(alertKey(account.id, "24h"))).toBe("obsolete");
    expect(await outbox().state(reportOf(account).dedupeKey)).toBe("due");
  });

  test("is a matter of alerts that wait for nobody: not for a report, nor for each other", async () => {
    const account = await connect();
    await outbox().enqueue(reportOf(account), NOON);
    const [report] = await claim();
    await outbox().settle(report!, {
      state: "due",
      notBefore: later(MINUTE),
      error: "unclear",
      untouched: false,
    });
    await outbox().enqueue(alertOf(account.id, "6h"), NOON);
    await outbox().enqueue(alertOf(account.id, "new"), NOON);
    expect(await claim()).toHaveLength(2);
  });
});

const claimNow = { owner: "a", leaseMs: 60_000, limit: 9, now: NOON };

describe.each(databases)("consent to the report on $name", (kind) => {
  const { store, accounts, outbox } = useStores(kind, clock);

  test("is of nobody who is not connected", async () => {
    expect(await accounts().chooseReport(GUILD, ANA, "channel", NOON)).toBeUndefined();
  });

  test("says since when it holds", async () => {
    await accounts().save(
      savedAccount({ reportConsent: false, reportConsentAt: undefined }),
      anaKey,
    );
    const agreed = await accounts().chooseReport(GUILD, ANA, "channel", later(5));
    expect(agreed?.reportConsent).toBe(true);
    expect(agreed?.reportConsentAt?.equals(later(5))).toBe(true);
    expect(await accounts().find(GUILD, ANA)).toEqual(agreed);
  });

  test("given twice holds since the first time", async () => {
    await accounts().save(savedAccount(), anaKey);
    const again = await accounts().chooseReport(GUILD, ANA, "channel", later(5));
    expect(again?.reportConsentAt?.equals(NOON)).toBe(true);
  });

  test("is for the channel or for direct messages, each with its own date, and keeps the person's language", async () => {
    await accounts().save(savedAccount(), anaKey);
    const direct = await accounts().chooseReport(GUILD, ANA, "direct", later(5), "en-US");
    expect(direct).toMatchObject({ reportConsent: false, reportDirect: true, locale: "en-US" });
    expect(direct?.reportConsentAt?.equals(later(5))).toBe(true);
    const again = await accounts().chooseReport(GUILD, ANA, "direct", later(6));
    expect(again?.reportConsentAt?.equals(later(5))).toBe(true);
    const inChannel = await accounts().chooseReport(GUILD, ANA, "channel", later(7));
    expect(inChannel).toMatchObject({ reportConsent: true, reportDirect: false });
    expect(inChannel?.reportConsentAt?.equals(later(7))).toBe(true);
  });

  test("withdrawn takes back the reports that wait, not the notices", async () => {
    const account = await accounts().save(savedAccount(), anaKey);
    const report = reportOf(account);
    const notice = { ...noticeTo(ANA, "notice|1"), accountId: account.id };
    await outbox().enqueue(report, NOON);
    await outbox().enqueue(notice, NOON);
    const refused = await accounts().chooseReport(GUILD, ANA, "off", later(5));
    expect(refused?.reportConsent).toBe(false);
    expect(await outbox().state(report.dedupeKey)).toBe("obsolete");
    expect(await outbox().state(notice.dedupeKey)).toBe("due");
  });

  test("withdrawn while a report is on its way keeps it from being tried again", async () => {
    const account = await accounts().save(savedAccount(), anaKey);
    await outbox().enqueue(reportOf(account), NOON);
    const [claim] = await outbox().claim(claimNow);
    await accounts().chooseReport(GUILD, ANA, "off", later(5));
    expect(await outbox().settle(claim!, sent)).toBe(false);
    expect(await outbox().claim({ ...claimNow, now: later(120_000) })).toEqual([]);
  });

  test.each([
    ["the same wallet account", anaKey],
    ["another one of theirs", anaOtherKey],
  ])("changed while a key of %s is checked stays as it was chosen last", async (_, key) => {
    for (const choice of ["off", "direct"] as const) {
      await accounts().save(savedAccount(), anaKey);
      await accounts().chooseReport(GUILD, ANA, choice, later(1));
      const saved = await accounts().save(savedAccount(), key);
      expect(saved).toMatchObject({ reportConsent: false, reportDirect: choice === "direct" });
    }
  });

  test("is on record with who changed it", async () => {
    const { id } = await accounts().save(savedAccount(), anaKey);
    await accounts().chooseReport(GUILD, ANA, "off", later(1));
    await accounts().chooseReport(GUILD, ANA, "channel", later(2));
    const events = await store().db.selectFrom("audit_event").selectAll().orderBy("at").execute();
    expect(events.map(({ actor, action, subject }) => [actor, action, subject])).toEqual([
      [ANA, "account_connected", id],
      [ANA, "report_consent_withdrawn", id],
      [ANA, "report_consent_given", id],
    ]);
  });
});
