import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { chargesStore } from "#src/charges/charges.store.ts";
import { closeKey, type CloseRoute, newestPeriod } from "#src/closes/close.ts";
import { closesStore } from "#src/closes/closes.store.ts";
import { newDisputeRow } from "#src/disputes/dispute-tables.store.ts";
import { followedDispute } from "#src/disputes/dispute-watch.ts";
import { storedInstant } from "#src/database/columns.ts";
import type { WithdrawOp } from "#src/withdrawals/withdraw-op.ts";
import { cents } from "#src/shared/money.ts";
import { Secret } from "#src/shared/secret.ts";
import { MINUTE } from "#src/shared/time.ts";
import { sampleCharge } from "../charges/charge-samples.ts";
import {
  ANA,
  anaKey,
  BRUNO,
  brunoKey,
  CARLA,
  CHANNEL,
  savedRoute,
  delivery,
  GUILD,
  later,
  NOON,
  savedAccount,
} from "../database/builders.ts";
import { useStores } from "../database/use-store.ts";
import { sampleDispute } from "../disputes/dispute-samples.ts";
import { databases, waitingStatements } from "../support/databases.ts";

const SUNDAY = Temporal.PlainDate.from("2026-11-22");
const WEEK = newestPeriod("week", SUNDAY);
const NEXT_WEEK = newestPeriod("week", SUNDAY.add({ days: 7 }));
const MONTH = newestPeriod("month", Temporal.PlainDate.from("2026-11-30"));
const WEEK_END = Temporal.Instant.from("2026-11-23T00:00:00Z");
const MONDAY = Temporal.Instant.from("2026-11-23T11:00:00Z");
/** After the hour of the week, the one after it, and the month. */
const DECEMBER = Temporal.Instant.from("2026-12-02T11:00:00Z");

describe.each(databases)("closes on $name", (kind) => {
  const { store, accounts, routes, outbox } = useStores(kind);
  const closes = () => closesStore(store().db);
  const allLacking = async (now = DECEMBER) =>
    (await Array.fromAsync(closes().lacking(now))).flat();
  const lacking = async (): Promise<CloseRoute> => (await allLacking())[0]!;
  const owed = async (period = WEEK) => ({ route: await lacking(), period, dueAt: MONDAY });
  const post = (route: CloseRoute, period = WEEK) =>
    delivery(closeKey(route, period), { kind: "close", day: period.to, closeKind: period.kind });
  const posted = async (): Promise<string[]> => {
    const rows = await store()
      .db.selectFrom("outbox")
      .select("dedupe_key")
      .where("kind", "=", "close")
      .execute();
    return rows.map((row) => row.dedupe_key);
  };
  const withRoute = () => routes().save(...savedRoute(), NOON);

  test("a server with a working route lacks both kinds from its hour until each is marked, with its post", async () => {
    await withRoute();
    const beforeItsHour = WEEK_END.add({ hours: 1 });
    expect(await allLacking(beforeItsHour)).toEqual([]);
    const beforeNextHour = beforeItsHour.add({ hours: 7 * 24 });
    expect(await allLacking(beforeNextHour)).toHaveLength(1);
    const route = await lacking();
    expect(route).toMatchObject({
      subscriberId: GUILD,
      target: { kind: "channel", channelId: CHANNEL },
      locale: "pt-BR",
    });
    expect(await closes().record(await owed(), [], post(route), MONDAY)).toBe(true);
    expect((await lacking()).progress.week.lastDay?.equals(SUNDAY)).toBe(true);
    expect(await allLacking(beforeNextHour)).toEqual([]);
    expect(await closes().record(await owed(NEXT_WEEK), [], undefined, MONDAY)).toBe(true);
    expect(await closes().record(await owed(MONTH), [], undefined, MONDAY)).toBe(true);
    expect(await allLacking()).toEqual([]);
    expect(await posted()).toEqual([closeKey(route, WEEK)]);
  });

  test("two processes record one close once", async () => {
    await withRoute();
    const close = await owed();
    const other = closesStore(store().db);
    const results = await Promise.all([
      closes().record(close, [], post(close.route), MONDAY),
      other.record(close, [], post(close.route), MONDAY),
    ]);
    expect(results.filter((isRecorded) => isRecorded)).toHaveLength(1);
    expect(await closes().record(close, [], post(close.route), MONDAY)).toBe(false);
    expect(await posted()).toHaveLength(1);
  });

  test("a close for a channel that was left, or of a route that is off, leaves no mark", async () => {
    await withRoute();
    const close = await owed();
    await routes().save(...savedRoute({ channelId: "910000000000000009" }), NOON);
    expect(await closes().record(close, [], post(close.route), MONDAY)).toBe(false);
    await routes().save(...savedRoute({ active: false }), NOON);
    expect(await closes().record(close, [], post(close.route), MONDAY)).toBe(false);
    expect(await allLacking()).toEqual([]);
    await withRoute();
    expect((await lacking()).progress.week.lastDay).toBeUndefined();
    expect(await posted()).toEqual([]);
  });

  test("a close of a seller who agrees no longer, or of a shared wallet account's other owner, leaves no mark", async () => {
    await withRoute();
    await accounts().save(savedAccount(), anaKey);
    await accounts().save(savedAccount({ ownerId: CARLA }), anaKey);
    const close = await owed();
    const accountIds = async () =>
      (await closes().sellers(GUILD, MONDAY)).flatMap((seller) => seller.accountIds);
    const both = await accountIds();
    expect(both).toHaveLength(2);
    await accounts().chooseReport(GUILD, CARLA, "off", later(1));
    expect(await closes().record(close, both, post(close.route), MONDAY)).toBe(false);
    expect((await lacking()).progress.week.lastDay).toBeUndefined();
    expect(await closes().record(close, await accountIds(), post(close.route), MONDAY)).toBe(true);
  });

  test("each kind is on until it is switched off, and again from the time of its return", async () => {
    await withRoute();
    expect(await closes().choices(GUILD)).toEqual({ week: true, month: true });
    const close = await owed();
    await closes().choose(GUILD, { week: false, month: true }, CARLA, later(1));
    expect(await closes().choices(GUILD)).toEqual({ week: false, month: true });
    expect((await lacking()).progress.week.active).toBe(false);
    expect(await closes().record(close, [], post(close.route), MONDAY)).toBe(false);
    await closes().choose(GUILD, { week: true, month: true }, CARLA, later(2));
    const { week, month } = (await lacking()).progress;
    expect(week).toMatchObject({ active: true });
    expect(week.since?.equals(later(2))).toBe(true);
    expect(month.since).toBeUndefined();
  });

  test("a switch is on record with the admin who made it, as each setting of a channel is", async () => {
    await closes().choose(GUILD, { week: false, month: true }, CARLA, later(1));
    const audit = await store().db.selectFrom("audit_event").selectAll().execute();
    expect(audit).toEqual([
      { at: storedInstant(later(1)), actor: CARLA, action: "closes_chosen", subject: GUILD },
    ]);
  });

  test("switching one kind off cancels what waits of it, and nothing of the other", async () => {
    await withRoute();
    const [week, month] = [await owed(), await owed(MONTH)];
    await closes().record(week, [], post(week.route), MONDAY);
    await closes().record(month, [], post(month.route, MONTH), MONDAY);
    await closes().choose(GUILD, { week: false, month: true }, CARLA, later(1));
    expect(await outbox().state(closeKey(week.route, WEEK))).toBe("obsolete");
    expect(await outbox().state(closeKey(month.route, MONTH))).toBe("due");
  });

  // SQLite has one transaction.
  const onPostgres = test.runIf(kind.name === "PostgreSQL");
  onPostgres("closes are switched off while a seller takes back the consent", async () => {
    await withRoute();
    await accounts().save(savedAccount({ reportConsentAt: later(-1) }), anaKey);
    for (const period of [WEEK, MONTH]) {
      const close = await owed(period);
      await closes().record(close, [], post(close.route, period), NOON);
    }
    const { db } = store();
    const changes: Promise<unknown>[] = [];
    await db.transaction().execute(async (trx) => {
      await sql`select from outbox where close_kind = 'week' for update`.execute(trx);
      changes.push(accounts().chooseReport(GUILD, ANA, "off", later(9)));
      while ((await waitingStatements(db)) < 1);
      changes.push(closes().choose(GUILD, { week: false, month: false }, CARLA, later(9)));
      while ((await waitingStatements(db)) < 2);
    });
    await Promise.all(changes);
    expect(await posted()).toEqual([]);
    expect(await closes().choices(GUILD)).toEqual({ week: false, month: false });
  });

  test("counts sellers who agreed in time and are there, two owners of one wallet account once", async () => {
    await withRoute();
    const ana = await accounts().save(savedAccount(), anaKey);
    await accounts().save(savedAccount({ ownerId: BRUNO }), brunoKey);
    const late = savedAccount({ ownerId: CARLA, reportConsentAt: later(5) });
    await accounts().save(late, anaKey);
    const owners = async (before = MONDAY): Promise<string[]> =>
      (await closes().sellers(GUILD, before)).map(({ ownerId }) => ownerId).toSorted();
    expect(await owners(later(-1))).toEqual([]);
    const found = await closes().sellers(GUILD, MONDAY);
    expect(found).toHaveLength(2);
    expect(new Set(found.map(({ accountFp }) => accountFp)).size).toBe(2);
    expect(found.some(({ accountFp }) => accountFp === ana.accountFp)).toBe(true);
    await store()
      .db.insertInto("presence")
      .values({
        guild_id: GUILD,
        owner_id: BRUNO,
        asked_on: "2026-11-22",
        left_at: storedInstant(NOON),
      })
      .execute();
    expect(await closes().sellers(GUILD, MONDAY)).toHaveLength(1);
  });

  test("names who connected each wallet account first, in that order, and who agreed at an unknown time", async () => {
    await withRoute();
    for (const [place, ownerId] of ["4", "1", "3", "2", "0"].entries()) {
      const key = new Secret(`sk_sandbox_${ownerId === "0" ? "4" : ownerId}_4f9c2d7e1b`);
      const connected = { ownerId, connectedAt: later(place), reportConsentAt: undefined };
      await accounts().save(savedAccount(connected), key);
    }
    const found = await closes().sellers(GUILD, later(-1));
    expect(found.map(({ ownerId }) => ownerId)).toEqual(["4", "1", "3", "2"]);
  });

  test("counts no owner whose key is refused while another owner's is accepted", async () => {
    await withRoute();
    const ana = await accounts().save(savedAccount(), anaKey);
    const sellers = async () =>
      (await closes().sellers(GUILD, MONDAY)).map(({ ownerId, isRefused }) => [ownerId, isRefused]);
    expect(await sellers()).toEqual([[ANA, false]]);
    await accounts().pause(ana.id, NOON, delivery("refused"));
    expect(await sellers()).toEqual([[ANA, true]]);
    await accounts().save(savedAccount({ guildId: "2", ownerId: CARLA }), anaKey);
    expect(await sellers()).toEqual([]);
    await accounts().resume(ana.id);
    expect(await sellers()).toEqual([[ANA, false]]);
  });

  const operation = async (
    id: string,
    of: Pick<WithdrawOp, "accountFp" | "kind"> &
      Partial<Pick<WithdrawOp, "resolution" | "state">> & { at?: string },
  ): Promise<void> => {
    const { state = "completed", at = "2026-11-18T12:00:00.000Z", resolution = null } = of;
    await store()
      .db.insertInto("withdraw_op")
      .values({
        id,
        account_fp: of.accountFp,
        account_id: "a",
        guild_id: GUILD,
        channel_id: CHANNEL,
        owner_id: ANA,
        locale: "pt-BR",
        kind: of.kind,
        amount_cents: 5_000,
        fee_cents: 350,
        pix_key_masked: "",
        pix_key_hash: "",
        target_txid: of.kind === "refund" ? id : null,
        state,
        resolution,
        sent_at: at,
        version: 1,
        confirmations_left: 0,
        absences: 0,
        checks: 0,
        created_at: at,
        updated_at: at,
      })
      .execute();
    await store()
      .db.insertInto("withdraw_event")
      .values({ op_id: id, seq: 1, at, from_state: "processing", to_state: state, reason: "seen" })
      .execute();
  };

  test("sums the refunds that ended, or were sent and confirmed by hand, within the period, and no withdrawal", async () => {
    const fp = "fp-ana";
    await operation("W-00001", { accountFp: fp, kind: "turbo" });
    await operation("W-00003", { accountFp: fp, kind: "refund" });
    await operation("W-00004", { accountFp: fp, kind: "refund", state: "failed" });
    await operation("W-00006", { accountFp: fp, kind: "refund", at: "2026-11-23T00:00:00.000Z" });
    await operation("W-00007", { accountFp: fp, kind: "refund", at: "2026-11-15T23:59:59.999Z" });
    await operation("W-00008", { accountFp: "fp-other", kind: "refund" });
    const byHand = { kind: "refund", state: "resolved_manual", resolution: "happened" } as const;
    await operation("W-00009", { accountFp: fp, ...byHand });
    await operation("W-00010", { accountFp: fp, ...byHand, resolution: "did_not_happen" });
    await operation("W-00011", { accountFp: fp, ...byHand, at: "2026-11-23T00:00:00.000Z" });
    const found = await closes().activity({ accountFp: fp, watchId: "w" }, WEEK);
    expect(found.refunds).toEqual({ count: 2, amount: 10_000 });
  });

  test("reads the paid charges of the period whose fee is known, of every connection to the wallet account, oldest first", async () => {
    const { save } = accounts();
    const { id: accountId, accountFp } = await save(savedAccount(), anaKey);
    const inAnother = savedAccount({ guildId: "1180000000000000009" });
    const { id: elsewhere } = await save(inAnother, anaKey);
    const { id: other } = await save(savedAccount({ ownerId: BRUNO }), brunoKey);
    const before = (hours: number) => WEEK_END.subtract({ hours });
    const within = { accountId, state: "paid" as const, fee: cents(480), endedAt: before(24) };
    const charges = chargesStore(store().db);
    for (const [id, change] of [
      ["here", within],
      ["elsewhere", { ...within, accountId: elsewhere, endedAt: before(168) }],
      ["other", { ...within, accountId: other }],
      ["unknown fee", { ...within, fee: undefined }],
      ["refunded", { ...within, state: "refunded" }],
      ["later", { ...within, endedAt: WEEK_END }],
      ["earlier", { ...within, endedAt: before(169) }],
    ] as const) {
      const { state, endedAt, ...given } = change;
      const charge = sampleCharge({ id, txid: id, ...given });
      expect(await charges.begin(charge, id)).toBe(true);
      await charges.change(charge, { state, endedAt }, [], MONDAY);
    }
    const found = await closes().activity({ accountFp, watchId: "w" }, WEEK);
    expect(found.charges).toEqual(
      [168, 24].map((hours) => ({ at: before(hours), amount: 7_990, fee: 480 })),
    );
  });

  test("counts disputes that opened or ended within the period, but none that was over when first seen, and as new none of the first poll, all by the gross amount", async () => {
    const watch = async (
      infractionId: string,
      of: {
        seen: string;
        closed?: string;
        analysis?: "accepted" | "rejected";
        status?: "canceled";
      },
    ): Promise<void> => {
      const dispute = sampleDispute({
        infractionId,
        amount: cents(10_000),
        frozen: cents(9_400),
        ...(of.analysis && { analysisStatus: of.analysis }),
        ...(of.status && { status: of.status }),
      });
      const seen = Temporal.Instant.from(of.seen);
      const closedAt = of.closed === undefined ? undefined : Temporal.Instant.from(of.closed);
      const row = newDisputeRow({ ...followedDispute("w", dispute, seen), closedAt });
      await store().db.insertInto("dispute_watch").values(row).execute();
    };
    await store()
      .db.insertInto("dispute_poll")
      .values({
        account_id: "w",
        next_poll_at: storedInstant(NOON),
        counts: null,
        list_read_at: null,
        baseline_at: "2026-11-15T23:59:00.000Z",
      })
      .execute();
    await watch("first poll", { seen: "2026-11-16T00:01:00Z" });
    await watch("open", { seen: "2026-11-17T10:00:00Z" });
    await watch("won", {
      seen: "2026-11-01T10:00:00Z",
      closed: "2026-11-18T10:00:00Z",
      analysis: "rejected",
    });
    await watch("lost", {
      seen: "2026-11-16T08:00:00Z",
      closed: "2026-11-22T23:59:59Z",
      analysis: "accepted",
    });
    await watch("old", {
      seen: "2026-11-17T10:00:00Z",
      closed: "2026-11-17T10:00:00Z",
      analysis: "accepted",
    });
    await watch("next", {
      seen: "2026-11-01T10:00:00Z",
      closed: "2026-11-23T00:00:00Z",
      analysis: "rejected",
    });
    await watch("cancelled", {
      seen: "2026-11-01T10:00:00Z",
      closed: "2026-11-18T10:00:00Z",
      analysis: "rejected",
      status: "canceled",
    });
    await watch("cancelled and accepted", {
      seen: "2026-11-01T10:00:00Z",
      closed: "2026-11-18T10:00:00Z",
      analysis: "accepted",
      status: "canceled",
    });
    const of = (watchId: string) => closes().activity({ accountFp: "f", watchId }, WEEK);
    expect((await of("w")).disputes).toEqual({
      opened: { count: 2, amount: 20_000 },
      won: { count: 1, amount: 10_000 },
      lost: { count: 2, amount: 20_000 },
    });
    expect((await of("another")).disputes.lost.count).toBe(0);
  });

  describe.each([
    ["takes back the consent", () => accounts().chooseReport(GUILD, ANA, "off", later(9))],
    ["disconnects", () => accounts().remove(GUILD, ANA, ANA, later(9))],
  ])("when a seller %s", (_, leave) => {
    const before = newestPeriod("week", SUNDAY.subtract({ days: 7 }));
    /** Two closes from noon, of which the older was tried, and the seller leaves. */
    const leaveAfterCloses = async (agreedAt: Temporal.Instant) => {
      await withRoute();
      await accounts().save(savedAccount({ reportConsentAt: agreedAt }), anaKey);
      const old = await owed(before);
      await closes().record(old, [], post(old.route, before), NOON);
      await outbox().claim({ owner: "p", leaseMs: MINUTE, limit: 1, now: NOON });
      const close = await owed();
      await closes().record(close, [], post(close.route), NOON);
      await leave();
      return close;
    };
    const kept = () => store().db.selectFrom("outbox").selectAll().execute();

    test("an unsent close is owed again and a sent one keeps no figures", async () => {
      const close = await leaveAfterCloses(later(-1));
      expect(await posted()).toEqual([closeKey(close.route, before)]);
      expect(await kept()).toMatchObject([{ payload: "{}", state: "obsolete" }]);
      expect((await lacking()).progress.week.lastDay?.equals(before.to)).toBe(true);
      expect(await closes().record(await owed(), [], post(close.route), later(10))).toBe(true);
    });

    test("closes from before the consent stay whole", async () => {
      await leaveAfterCloses(NOON);
      expect((await kept()).map(({ state }) => state).toSorted()).toEqual(["due", "sending"]);
      for (const { payload } of await kept()) expect(payload).not.toBe("{}");
    });
  });
});
