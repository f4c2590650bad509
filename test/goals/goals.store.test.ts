import { describe, expect, test } from "vitest";
import { presences } from "#src/accounts/presences.store.ts";
import { goalsStore } from "#src/goals/goals.store.ts";
import { cents } from "#src/shared/money.ts";
import { databases } from "../support/databases.ts";
import {
  ANA,
  anaKey,
  anaOtherKey,
  BRUNO,
  brunoKey,
  CARLA,
  delivery,
  GUILD,
  later,
  NOON,
  reportOf,
  savedAccount,
  savedRoute,
} from "../database/builders.ts";
import { sellerOf, storeOf } from "../reports/report-samples.ts";
import { useStores } from "../database/use-store.ts";

const ELSEWHERE = "900000000000000002";
const amount = cents(4_000_000);
const USER = "user_8812";

describe.each(databases)("goals on $name", (kind) => {
  const { store, accounts, routes, ledger, outbox } = useStores(kind);
  const goals = () => goalsStore(store().db);
  const connect = (changes = {}, key = anaKey, userId?: string) =>
    accounts().save(savedAccount(changes), key, userId);

  test("are private until their seller shows them, and keep what is not changed", async () => {
    await connect();
    expect(await goals().save(GUILD, ANA, { amount }, NOON)).toEqual({ amount, shown: false });
    expect(await goals().save(GUILD, ANA, { shown: true }, NOON)).toEqual({ amount, shown: true });
    const other = cents(9_999_999_999_999);
    await goals().save(GUILD, ANA, { amount: other }, NOON);
    expect(await goals().find(GUILD, ANA)).toEqual({ amount: other, shown: true });
    await goals().save(GUILD, ANA, { shown: false }, NOON);
    expect(await goals().find(GUILD, ANA)).toEqual({ amount: other, shown: false });
  });

  test("that are private read no report", async () => {
    const { id } = await connect();
    await outbox().enqueue(delivery("report"), NOON);
    const payload = `"${id}, not to be read`;
    await store().db.updateTable("outbox").set({ payload }).execute();
    await goals().save(GUILD, ANA, { amount }, NOON);
    await goals().save(GUILD, ANA, { shown: false }, NOON);
    await goals().remove(GUILD, ANA, NOON);
    const row = store().db.selectFrom("outbox").select("payload");
    expect(await row.execute()).toEqual([{ payload }]);
  });

  test("that were hidden since they were read are in no report that is written then", async () => {
    await routes().save(...savedRoute(), NOON);
    const account = await connect();
    const { id: accountId } = account;
    const report = storeOf([sellerOf(0, [100], { accountId, goal: "R$ 40.000" })]);
    const written = reportOf(account, { payload: { report } });
    const day = Temporal.PlainDate.from("2026-11-18");
    const told = [{ accountId, correctionsTold: undefined }];
    const write = async () => [
      await ledger().recordDay(
        { subscriberId: GUILD, target: written.target },
        day,
        told,
        written,
        NOON,
      ),
      await ledger().record(accountId, day, written, NOON),
    ];
    await goals().save(GUILD, ANA, { amount, shown: false }, NOON);
    expect(await write()).toEqual([false, false]);
    await goals().save(GUILD, ANA, { shown: true }, NOON);
    expect(await write()).toEqual([true, true]);
  });

  test("that are removed leave the reports that wait, and no other message", async () => {
    const { id: accountId } = await connect();
    await goals().save(GUILD, ANA, { amount, shown: true }, NOON);
    const report = storeOf([sellerOf(0, [100], { accountId, goal: "R$ 40.000" })]);
    const other = delivery("other", { kind: "test", payload: { content: "other" } });
    await outbox().enqueue(delivery("report", { payload: { report } }), NOON);
    await outbox().enqueue(other, NOON);
    await goals().remove(GUILD, ANA, NOON);
    const claimed = await outbox().claim({
      owner: "one",
      leaseMs: 60_000,
      limit: 9,
      now: later(1),
    });
    const payloads = new Map(claimed.map(({ dedupeKey, payload }) => [dedupeKey, payload]));
    expect(payloads.get("report")?.report?.sellers).toMatchObject([{ accountId }]);
    expect(payloads.get("report")?.report?.sellers[0]).not.toHaveProperty("goal");
    expect(payloads.get("other")).toEqual({ content: "other" });
  });

  test("that are changed and still shown stay in the reports that wait", async () => {
    const { id: accountId } = await connect();
    await goals().save(GUILD, ANA, { amount, shown: true }, NOON);
    const goal = "R$ 40.000";
    const report = storeOf([sellerOf(0, [100], { accountId, goal })]);
    await outbox().enqueue(delivery("report", { payload: { report } }), NOON);
    await goals().save(GUILD, ANA, { amount: cents(5_000_000) }, NOON);
    const claim = { owner: "one", leaseMs: 60_000, limit: 9, now: later(1) };
    const [waiting] = await outbox().claim(claim);
    expect(waiting?.payload.report?.sellers).toMatchObject([{ goal }]);
  });

  test("are one for each connection", async () => {
    await connect();
    await connect({ guildId: ELSEWHERE });
    await goals().save(GUILD, ANA, { amount }, NOON);
    expect(await goals().find(ELSEWHERE, ANA)).toBeUndefined();
    expect(await goals().find(GUILD, BRUNO)).toBeUndefined();
  });

  test("need a connection, and an amount", async () => {
    expect(await goals().save(GUILD, ANA, { amount }, NOON)).toBeUndefined();
    await connect();
    expect(await goals().save(GUILD, ANA, { shown: true }, NOON)).toBeUndefined();
    expect(await goals().find(GUILD, ANA)).toBeUndefined();
  });

  test("that are saved and removed are in the audit, of who did it when", async () => {
    const { id: subject } = await connect();
    await goals().save(GUILD, ANA, { amount }, NOON);
    await goals().remove(GUILD, ANA, later(1));
    const audit = store().db.selectFrom("audit_event").selectAll().where("action", "like", "goal%");
    expect(await audit.orderBy("at").execute()).toEqual([
      { at: "2026-11-19T12:00:00.000Z", actor: ANA, action: "goal_saved", subject },
      {
        at: later(1).toString({ smallestUnit: "millisecond" }),
        actor: ANA,
        action: "goal_removed",
        subject,
      },
    ]);
  });

  test("are removed alone, and go with their connection", async () => {
    await connect();
    await connect({ ownerId: BRUNO }, brunoKey);
    for (const ownerId of [ANA, BRUNO]) await goals().save(GUILD, ownerId, { amount }, NOON);
    await goals().remove(GUILD, ANA, NOON);
    expect(await goals().find(GUILD, ANA)).toBeUndefined();
    expect(await goals().find(GUILD, BRUNO)).toEqual({ amount, shown: false });
    await accounts().remove(GUILD, BRUNO, BRUNO, NOON);
    await goals().save(GUILD, ANA, { amount }, NOON);
    await accounts().remove(GUILD, ANA, ANA, NOON);
    expect(await store().db.selectFrom("goal").selectAll().execute()).toEqual([]);
    await connect();
    expect(await goals().find(GUILD, ANA)).toBeUndefined();
  });

  test("stay with another key of the same wallet account, and go with another account's", async () => {
    const own = { ownerVerified: false };
    await connect(own, anaKey, USER);
    await goals().save(GUILD, ANA, { amount }, NOON);
    await connect(own, anaOtherKey, USER);
    expect(await goals().find(GUILD, ANA)).toEqual({ amount, shown: false });
    await connect(own, brunoKey, "user_of_another");
    expect(await goals().find(GUILD, ANA)).toBeUndefined();
  });

  test("that are shown are given to a report for its accounts alone, also for very many", async () => {
    const ana = await connect();
    const bruno = await connect({ ownerId: BRUNO }, brunoKey);
    await connect({ ownerId: CARLA }, anaOtherKey);
    for (const ownerId of [ANA, BRUNO, CARLA])
      await goals().save(GUILD, ownerId, { amount, shown: ownerId !== BRUNO }, NOON);
    const ids = Array.from({ length: 2_500 }, (_, place) => `no-account-${place}`);
    const shown = await goals().shown([...ids, ana.id, bruno.id]);
    expect([...shown]).toEqual([[ana.id, amount]]);
    expect((await goals().shown([])).size).toBe(0);
  });

  test("are given to a direct report by its connection, or else by the oldest other one of its owner's wallet account", async () => {
    const asked = await connect({}, anaKey, USER);
    const ids = ["1", "2", "3"];
    for (const guildId of ids) await connect({ guildId, connectedAt: later(-1) }, anaKey, USER);
    await connect({ guildId: "1", connectedAt: later(-9) }, brunoKey, "user_of_another");
    await connect({ ownerId: BRUNO, connectedAt: later(-9) }, anaKey, USER);
    for (const guildId of ["1", "3"])
      await goals().save(guildId, ANA, { amount: cents(Number(guildId)) }, NOON);
    await goals().save(GUILD, BRUNO, { amount: cents(9) }, NOON);
    expect(await goals().direct(asked.id)).toBe(3);
    await goals().save(GUILD, ANA, { amount }, NOON);
    expect(await goals().direct(asked.id)).toBe(amount);
    expect(await goals().direct("nobody")).toBeUndefined();
  });

  test("are given to a direct report by the connection made first", async () => {
    const asked = await connect({}, anaKey, USER);
    for (const place of [7, 6, 5, 4, 3, 2, 1]) {
      const guildId = String(place);
      await connect({ guildId, connectedAt: later(place) }, anaKey, USER);
      await goals().save(guildId, ANA, { amount: cents(place) }, NOON);
    }
    expect(await goals().direct(asked.id)).toBe(1);
  });

  test("of a server that its seller left are in no direct report, unless all were left", async () => {
    const asked = await connect({}, anaKey, USER);
    await connect({ guildId: ELSEWHERE, connectedAt: later(1) }, anaKey, USER);
    const leave = (guildId: string, ownerId = ANA) =>
      presences(store().db).keep(guildId, ownerId, "left", NOON, undefined);
    await goals().save(GUILD, ANA, { amount }, NOON);
    await leave(ELSEWHERE);
    expect(await goals().direct(asked.id)).toBe(amount);
    await leave(GUILD);
    expect(await goals().direct(asked.id)).toBe(amount);
    await connect({ ownerId: BRUNO }, brunoKey);
    expect(await goals().direct(asked.id)).toBe(amount);

    await presences(store().db).keep(ELSEWHERE, ANA, "here", NOON, undefined);
    expect(await goals().direct(asked.id)).toBeUndefined();
    await goals().save(ELSEWHERE, ANA, { amount: cents(3) }, NOON);
    expect(await goals().direct(asked.id)).toBe(3);
  });

  test("stay in the direct report of an account whose servers its seller left, also with another account elsewhere", async () => {
    const asked = await connect({}, anaKey, USER);
    await goals().save(GUILD, ANA, { amount }, NOON);
    await connect({ guildId: ELSEWHERE }, brunoKey, "user_of_another");
    await presences(store().db).keep(GUILD, ANA, "left", NOON, undefined);
    expect(await goals().direct(asked.id)).toBe(amount);
  });

  test("changed twice at once lose neither change", async () => {
    await connect();
    await goals().save(GUILD, ANA, { amount: cents(1) }, NOON);
    await Promise.all([
      goals().save(GUILD, ANA, { amount }, NOON),
      goals().save(GUILD, ANA, { shown: true }, NOON),
    ]);
    expect(await goals().find(GUILD, ANA)).toEqual({ amount, shown: true });
  });
});
