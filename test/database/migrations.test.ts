import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { nonceOf } from "#src/delivery/delivery.ts";
import { type DeliveryKind } from "#src/delivery/delivery-policies.ts";
import type { WithdrawState } from "#src/withdrawals/withdraw-op.ts";
import { closesOwed } from "#src/closes/close.ts";
import { closesStore } from "#src/closes/closes.store.ts";
import { outboxStore } from "#src/delivery/outbox.store.ts";
import type { Database } from "#src/schema.ts";
import { disputeWatch } from "#src/disputes/dispute-watch.store.ts";
import { DAY, MINUTE } from "#src/shared/time.ts";
import { guardsStore } from "#src/money-guards/money-guards.store.ts";
import { databases } from "../support/databases.ts";
import { ANA, GUILD, later, NOON, noticeTo } from "./builders.ts";
import { insertDelivery, OLD_ACCOUNT, oldReport, upgradeThrough } from "./old-database.ts";
import type { StoreUnderTest } from "./use-store.ts";
import { journalOf, newOp, stepTo } from "../withdrawals/withdraw-builders.ts";
import { alertOf, pollState } from "../disputes/dispute-builders.ts";

const noProgress = { active: true, since: undefined, lastDay: undefined };
const neverUpgraded = { week: noProgress, month: noProgress };

/** In the SQL of version 3, whose index allowed one unfinished operation for each account. */
const insertOp = (db: Database, account: string, state: WithdrawState, txid: string | null) =>
  sql`
    insert into withdraw_op (id, account_fp, account_id, guild_id, channel_id, owner_id, interaction_id, locale, kind,
      pix_key_masked, pix_key_hash, state, version, confirmations_left, txid, absences, checks, created_at, updated_at)
    values (${`W-${account}`}, ${account}, 'a', ${GUILD}, 'c', ${ANA}, 'i', 'pt-BR', 'turbo', '***', 'h', ${state}, 3,
      0, ${txid}, 0, 0, ${NOON.toString()}, ${NOON.toString()})
  `.execute(db);

const OPEN_OPS = [
  ["1", "confirmed", null, "account_busy"],
  ["2", "sending", null, "account_busy"],
  ["3", "unknown", null, "account_busy"],
  ["4", "manual", null, "account_busy"],
  ["5", "manual", "t5", "moved"],
  ["6", "accepted", "t6", "moved"],
  ["7", "scheduled", "t7", "moved"],
  ["8", "processing", "t8", "moved"],
  ["9", "completed", "t9", "moved"],
] as const;

const fillThird = async (db: Database) => {
  for (const [account, state, txid] of OPEN_OPS) await insertOp(db, account, state, txid);
  await sql`
    insert into money_guard (owner_id, pin_hash, pin_salt, pin_wrong_tries, pin_locked_until, new_key_wait)
    values (${ANA}, 'hash', 'salt', 5, '2026-11-20T12:15:00.000Z', 0)
  `.execute(db);
};

/** With days and instants as text, and without undefined facts. */
const factsByKey = (deliveries: readonly (readonly [string, DeliveryKind, object])[]): unknown =>
  JSON.parse(
    JSON.stringify(
      Object.fromEntries(deliveries.map(([key, kind, facts]) => [key, { kind, ...facts }])),
    ),
  );

const DEADLINE = "2026-11-25T12:00:00.000Z";
const dated = `med|watch_1|a%7Cb%2525|24h|${DEADLINE}`;
const alert = {
  watchId: "watch_1",
  infractionId: "a|b%25",
  step: "24h",
  dueAt: "2026-11-25T12:00:00Z",
};
const won = { watchId: "watch_1", infractionId: "i2", step: "won" };
const unlisted = "med_unlisted|watch_1|2|2026-11-20T12:00:00Z";
const OPEN_DELIVERIES: readonly (readonly [string, DeliveryKind, object])[] = [
  [dated, "dispute_alert", { alert }],
  [`${dated}|again`, "dispute_alert", { alert, repeatOf: dated }],
  ["med|watch_1|i2|won", "dispute_alert", { alert: won }],
  ["med|watch_1|i2|won|again", "dispute_alert", { alert: won, repeatOf: "med|watch_1|i2|won" }],
  [unlisted, "dispute_alert", {}],
  [`${unlisted}|again`, "dispute_alert", { repeatOf: unlisted }],
  ["med|watch_1|i2|tomorrow", "dispute_alert", {}],
  ["med|watch_1|%E0|won", "dispute_alert", {}],
  ["report|account|channel|2026-11-18", "sales_report", { day: "2026-11-18" }],
  ["notice|key_offer|offer-1", "notice", { offerId: "offer-1" }],
  ["notice|key_offer_end|offer-1|expired", "notice", {}],
  ["notice|uncertain|report|account|channel|2026-11-18", "notice", {}],
  ["withdrawal|W-AAAAA|again", "notice", {}],
  ["test|guild|channel|interaction", "test", {}],
  [oldReport.dedupeKey, "sales_report", {}],
];

const again = alertOf(OLD_ACCOUNT, "24h");

const fillNinth = async (db: Database) => {
  for (const [key, kind] of OPEN_DELIVERIES)
    if (key !== oldReport.dedupeKey) await insertDelivery(db, key, kind);
  await insertDelivery(db, again.dedupeKey, "dispute_alert", OLD_ACCOUNT, "obsolete");
};

const insertRoutes = (db: Database) =>
  sql`
  insert into report_route (guild_id, channel_id, time, time_zone, active, empty_choice, locale, active_since, updated_by)
  values (${GUILD}, 'c', '21:05', 'America/Sao_Paulo', 1, 'line', 'pt-BR', '2026-01-01T12:00:00.000Z', ${ANA}),
    ('other', 'c2', '21:05', 'America/Sao_Paulo', 1, 'line', 'pt-BR', '2026-01-01T12:00:00.000Z', ${ANA})
`.execute(db);
const fillSixteenth = async (db: Database) => {
  await insertRoutes(db);
  await sql`insert into report_progress (account_id, last_day) values (${OLD_ACCOUNT}, '2026-11-18')`.execute(
    db,
  );
};

/** Who lacks a close long after any upgrade. */
const lackingOf = async (db: Database) =>
  (
    await Array.fromAsync(closesStore(db).lacking(Temporal.Instant.from("9999-01-07T12:00Z")))
  ).flat();

const insertPolls = (db: Database) =>
  sql`
    insert into dispute_poll (account_id, next_poll_at, baseline_at, counts)
    values (${OLD_ACCOUNT}, ${NOON.toString()}, ${NOON.toString()}, '{}'),
      ('another', ${NOON.toString()}, ${NOON.toString()}, '{}')
  `.execute(db);

const at = NOON.toString();
const since = later(1).toString();
const STORED = [
  ["defended", "disagreed", "pending", 1, at, ""],
  ["lost", "canceled", "accepted", 1, at, ""],
  ["won", "disagreed", "rejected", 1, at, "listed"],
  ["cancelled", "canceled", "pending", 1, at, ""],
  ["of two watches", "disagreed", "pending", 2, at, ""],
  ["cancelled, of two watches", "canceled", "pending", 2, at, ""],
  ["open", "pending", "pending", 1, at, "listed"],
  ["read since", "disagreed", "pending", 2, since, "listed"],
  ["cancelled, read since", "canceled", "pending", 2, since, "listed"],
] as const;

const fillMeds = async (db: Database) => {
  await insertPolls(db);
  for (const [id, status, analysis, changes, readAt] of STORED)
    await sql`
      insert into dispute_watch (account_id, infraction_id, txid, amount_cents, frozen_cents, status,
        analysis_status, due_at, version, first_seen_at, done_steps, read_at)
      values (${OLD_ACCOUNT}, ${id}, 'listed', 1, 1, ${status}, ${analysis}, ${at}, ${changes}, ${at}, '[]', ${readAt})
    `.execute(db);
};
const checkMeds = async (db: Database): Promise<void> => {
  const kept = await disputeWatch(db).of(OLD_ACCOUNT);
  const txids = Object.fromEntries(kept.map(({ infractionId, txid }) => [infractionId, txid]));
  expect(txids).toEqual(Object.fromEntries(STORED.map(([id, , , , , txid]) => [id, txid])));
  expect((await pollState(db, OLD_ACCOUNT))?.counts).toBeUndefined();
  expect((await pollState(db, "another"))?.counts).toBeDefined();
};

const fillCharges = async (db: Database) => {
  for (const [id, state, txid] of [
    ["left", "open", null],
    ["over", "expired", null],
    ["named", "open", "tx"],
  ])
    await sql`
      insert into charge (id, version, owner_id, account_id, guild_id, channel_id, interaction_id, locale,
        amount_cents, description, state, txid, created_at, checks)
      values (${id}, 1, ${ANA}, ${OLD_ACCOUNT}, ${GUILD}, 'c', ${id}, 'pt-BR', 1, '', ${state}, ${txid}, ${at}, 5)
    `.execute(db);
};

/** Opens one database for all tests of a group, whose versions fill different tables. */
const upgraded = (...given: Parameters<typeof upgradeThrough>) => {
  let store: StoreUnderTest;
  beforeAll(async () => {
    const opened = await upgradeThrough(...given);
    ({ store } = opened);
    return opened.close;
  });
  return () => store;
};

describe.each(databases)("an upgraded database on $name", (kind) => {
  const store = upgraded(kind, [
    [3, fillThird],
    [9, fillNinth],
    [16, fillSixteenth],
    [28, fillMeds],
    [33, fillCharges],
  ]);

  test("of the ninth version: its deliveries have in columns what their keys say, under the same keys and nonces", async () => {
    const { db, open } = store();
    const outbox = outboxStore(db, open.leaseNow);
    expect(await outbox.enqueue({ ...alertOf("a", "24h"), dedupeKey: dated }, NOON)).toBe(false);
    expect(await outbox.enqueue(again, NOON)).toBe(true);
    const request = { owner: "p1", leaseMs: MINUTE, limit: 100, now: NOON };
    const claims = await outbox.claim(request);
    const found = claims.map(({ dedupeKey, nonce, kind, day, alert, repeatOf, offerId }) => {
      expect(nonce).toBe(nonceOf(dedupeKey));
      return [dedupeKey, kind, { day, alert, repeatOf, offerId }] as const;
    });
    const expected = [
      ...OPEN_DELIVERIES,
      [again.dedupeKey, "dispute_alert", { alert: again.alert }] as const,
    ];
    expect(factsByKey(found)).toEqual(factsByKey(expected));
  });

  test("S8: of the third version: keeps its operations, and from then on only an unknown outcome locks an account", async () => {
    const journal = journalOf(store());
    const outcomes: unknown[] = [];
    for (const [account, , txid] of OPEN_OPS) {
      const draft = await journal.draft(newOp({ accountFp: account }), NOON);
      const { kind } = await journal.move(draft, stepTo("confirmed"), NOON);
      const kept = await journal.find(`W-${account}`);
      outcomes.push([account, kept?.state, kept?.txid ?? null, kind]);
      expect(kept?.txid ?? null).toBe(txid);
    }
    expect(outcomes).toEqual(OPEN_OPS);
  });

  test("S9: of the third version: a PIN that was locked before locks grew stays locked, and its next lock is the first in a row", async () => {
    const guards = guardsStore(store().db);
    const lockedUntil = Temporal.Instant.from("2026-11-20T12:15:00Z");
    expect((await guards.find(ANA))?.pin).toMatchObject({ wrongTries: 5, lockedUntil });

    const rule = { tries: 1, waitsMs: [MINUTE, DAY] };
    const attempt = (at: Temporal.Instant) =>
      guards.reservePinTry(ANA, rule, at, () => noticeTo(ANA, `guard|${at.toString()}`));
    expect(await attempt(lockedUntil.subtract({ seconds: 1 }))).toMatchObject({ kind: "locked" });
    const next = lockedUntil.add({ seconds: 1 });
    expect(await attempt(next)).toEqual({
      kind: "look",
      triesLeft: 0,
      lockedUntil: next.add({ milliseconds: MINUTE }),
    });
  });

  test("of the sixteenth version: has posted the days of its sellers, so that who lacks one of them completes it", async () => {
    const rows = store().db.selectFrom("report_route").select(["guild_id", "posted_day"]);
    expect(await rows.orderBy("channel_id").execute()).toEqual([
      { guild_id: GUILD, posted_day: "2026-11-18" },
      { guild_id: "other", posted_day: null },
    ]);
  });

  test("of the seventeenth version: owes no close of a period that was over at the upgrade, and the next ones", async () => {
    const [route] = await lackingOf(store().db);
    const since = route!.progress.week.since!;
    const owedKinds = (days: number) =>
      closesOwed(route!, since.add({ hours: 24 * days })).map(({ period }) => period.kind);
    expect(closesOwed({ ...route!, progress: neverUpgraded }, since)).not.toEqual([]);
    expect(owedKinds(0)).toEqual([]);
    // Wherever in a month the upgrade is, one of these is within three weeks of the month's close.
    expect(new Set([18, 36].flatMap(owedKinds))).toEqual(new Set(["week", "month"]));
  });

  test("before version 31, from 28 on: has its settled MEDs read in full, whose payment the list alone may have told", () =>
    checkMeds(store().db));

  test("before version 37: has its open charges without a txid followed again", async () => {
    const rows = await store().db.selectFrom("charge").select(["id", "next_check_at"]).execute();
    expect(Object.fromEntries(rows.map((row) => [row.id, row.next_check_at]))).toEqual({
      left: at,
      over: null,
      named: null,
    });
  });
});

const fillTexts = async (db: Database) => {
  for (const key of ["told", "operation", "refused"])
    await insertDelivery(db, key, "notice", null, "obsolete");
  const outbox = db.updateTable("outbox");
  await outbox.set({ payload: '{"content":"text"}' }).execute();
  await outbox.set({ op_id: "W" }).where("dedupe_key", "in", ["operation", "refused"]).execute();
  const sent = outbox.set({ state: "sent" });
  await sent.where("dedupe_key", "in", ["operation", "told"]).execute();
};

describe.each(databases)("an upgraded database with direct reports on $name", (kind) => {
  const store = upgraded(kind, [
    [
      23,
      (db) =>
        sql`
          update account set report_consent = 0, report_direct = 1, paused_at = null,
            report_consent_at = '2026-01-01T12:00:00.000Z'
        `.execute(db),
    ],
    [29, fillMeds],
    [33, fillTexts],
  ]);

  test("of the twenty-third version: owes a seller with direct reports no close of a period that was over at the upgrade", async () => {
    const [route] = await lackingOf(store().db);
    const since = route!.progress.week.since!;
    expect(closesOwed({ ...route!, progress: neverUpgraded }, since)).not.toEqual([]);
    expect(closesOwed(route!, since)).toEqual([]);
  });

  test("before version 31, from 29 on: has its settled MEDs read in full, whose payment the list alone may have told", () =>
    checkMeds(store().db));

  test("before version 39: loses the texts of settled deliveries, but of those that a newer one may replace", async () => {
    const rows = store().db.selectFrom("outbox").select("dedupe_key").where("payload", "<>", "{}");
    const kept = (await rows.execute()).map((row) => row.dedupe_key);
    expect(kept.toSorted()).toEqual(["operation", oldReport.dedupeKey]);
  });
});

const WEEK = `close|${GUILD}|c|week:2026-11-16:2026-11-22`;
const MONTH = `close|${GUILD}|c|month:2026-11-01:2026-11-30`;
const DIRECT = `close|${OLD_ACCOUNT}|${ANA}|week:2026-11-16:2026-11-22`;

const fillCloses = async (db: Database) => {
  await insertDelivery(db, WEEK, "close");
  await insertDelivery(db, MONTH, "close");
  await insertDelivery(db, DIRECT, "close", OLD_ACCOUNT);
  await sql`update outbox set guild_id = null where dedupe_key = ${DIRECT}`.execute(db);
};

const MEDS = [
  [OLD_ACCOUNT, "lost", "accepted", null],
  [OLD_ACCOUNT, "read since", "accepted", ""],
  ["another", "won", "rejected", null],
  ["another", "read since", "accepted", ""],
] as const;
const fillListedMeds = async (db: Database) => {
  await insertPolls(db);
  for (const [watchId, id, analysis, saleTxid] of MEDS)
    await sql`
      insert into dispute_watch (account_id, infraction_id, txid, amount_cents, frozen_cents, status,
        analysis_status, due_at, version, first_seen_at, done_steps, read_at, sale_txid)
      values (${watchId}, ${id}, 't', 1, 1, 'disagreed', ${analysis}, ${at}, 1, ${at}, '[]', ${at}, ${saleTxid})
    `.execute(db);
};

describe.each(databases)("an upgraded database with closes on $name", (kind) => {
  const store = upgraded(kind, [
    [25, fillCloses],
    [33, fillListedMeds],
  ]);

  test("of the twenty-fifth version: its closes have their kind in a column, so that a kind switched off takes back what waits", async () => {
    const { db } = store();
    await closesStore(db).choose(GUILD, { week: false, month: true }, ANA, NOON);
    await closesStore(db).chooseDirect(OLD_ACCOUNT, { week: true, month: false }, NOON);
    const rows = await db.selectFrom("outbox").selectAll().execute();
    const kept = rows.map((row) => [row.dedupe_key, [row.close_kind, row.state]] as const);
    expect(Object.fromEntries(kept)).toEqual({
      [WEEK]: ["week", "obsolete"],
      [MONTH]: ["month", "due"],
      [DIRECT]: ["week", "due"],
      [oldReport.dedupeKey]: [null, "due"],
    });
  });

  test("of the thirty-third version: has the list read of each watch that lacks a MED's sale, unless the bank refused it", async () => {
    const { db } = store();
    expect((await pollState(db, OLD_ACCOUNT))?.counts).toBeUndefined();
    expect((await pollState(db, "another"))?.counts).toBeDefined();
  });
});
