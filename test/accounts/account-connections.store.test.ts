import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import type { Secret } from "#src/shared/secret.ts";
import type { SavedAccount } from "#src/accounts/accounts-write.store.ts";
import type { NewDelivery } from "#src/delivery/delivery.ts";
import { enqueueDelivery } from "#src/delivery/outbox-enqueue.store.ts";
import { presences } from "#src/accounts/presences.store.ts";
import { disputeWatch } from "#src/disputes/dispute-watch.store.ts";
import { reportLedger } from "#src/reports/report-ledger.store.ts";
import { reportRoutesStore } from "#src/reports/report-routes.store.ts";
import { externalWithdrawals } from "#src/withdrawals/wallet-observations.store.ts";
import { guardsInForce } from "#src/money-guards/money-guards.ts";
import { guardsStore } from "#src/money-guards/money-guards.store.ts";
import { outboxStore } from "#src/delivery/outbox.store.ts";
import { pixKeyBook } from "#src/withdrawals/pix-key-book.store.ts";
import { databases, standingClock, waitingStatements } from "../support/databases.ts";
import {
  ANA,
  anaKey,
  anaOtherKey,
  BRUNO,
  brunoKey,
  CARLA,
  GUILD,
  later,
  NOON,
  noticeTo,
  savedAccount,
} from "../database/builders.ts";
import { useStore, useStores, testAccounts } from "../database/use-store.ts";
import { alertTo, newDispute } from "../disputes/dispute-builders.ts";
import { journalOf, opIn } from "../withdrawals/withdraw-builders.ts";

const ELSEWHERE = "900000000000000002";

describe.each(databases)("connections of one wallet account on $name", (kind) => {
  const { store, accounts } = useStores(kind);
  const book = () => pixKeyBook(store().db, store().vault);
  const walletOf = (key: Secret) => store().vault.hashWalletUser(key.reveal());
  const fingerprint = () => walletOf(anaKey);
  const connect = (ownerId: string, guildId = GUILD, key = anaKey) =>
    accounts().save(savedAccount({ ownerId, guildId }), key);
  const found = async (ownerId: string) =>
    (await accounts().findByFingerprint(fingerprint(), ownerId))?.account;
  const saveKey = (ownerId: string) =>
    book().save(ownerId, { hash: "h", value: "ana@d.br", type: "email", masked: "a***" }, NOON);

  test("are found by its fingerprint with the key, the owner's own first", async () => {
    const [ana, carla] = [await connect(ANA), await connect(CARLA, ELSEWHERE)];
    await connect(BRUNO, GUILD, brunoKey);
    expect(await found(CARLA)).toEqual(carla);
    expect(await found(ANA)).toEqual(ana);
    expect([ana, carla]).toContainEqual(await found(BRUNO));
    const open = await accounts().findByFingerprint(fingerprint(), CARLA);
    expect(open?.apiKey.reveal()).toBe(anaKey.reveal());
    expect(await accounts().findByFingerprint("nothing", ANA)).toBeUndefined();
    const all = await accounts().connectionsOf(fingerprint());
    expect(all.map(({ ownerId }) => ownerId).toSorted()).toEqual([ANA, CARLA]);
  });

  test("that are paused come last for others, but the owner's own stays the first, unless a working one is asked for", async () => {
    const [ana, carla] = [await connect(ANA), await connect(CARLA, ELSEWHERE)];
    await accounts().pause(ana.id, NOON, noticeTo(ANA, "paused"));
    expect(await found(BRUNO)).toEqual(carla);
    expect((await found(ANA))?.id).toBe(ana.id);
    const working = async (ownerId: string) =>
      (await accounts().findByFingerprint(fingerprint(), ownerId, "working"))?.account.ownerId;
    expect([await working(ANA), await working(BRUNO)]).toEqual([CARLA, CARLA]);
    await accounts().resume(ana.id);
    expect([await working(ANA), await working(CARLA)]).toEqual([ANA, CARLA]);
  });

  test("share the watch of their owner alone", async () => {
    const [ana, carla] = [await connect(ANA), await connect(CARLA, ELSEWHERE)];
    expect((await connect(ANA, ELSEWHERE)).watchId).toBe(ana.watchId);
    expect(carla.watchId).toBe(carla.id);
  });

  test("are watched once, unless all of them are paused", async () => {
    const [ana, carla] = [await connect(ANA), await connect(CARLA, ELSEWHERE)];
    const bruno = await connect(BRUNO, GUILD, brunoKey);
    const initials = [anaKey, brunoKey].map((key) => walletOf(key).charAt(0));
    const watched = async () => (await accounts().watched(initials, "", 10, 0)).map(({ id }) => id);
    expect(await watched()).toHaveLength(2);
    expect(await watched()).toContain(bruno.id);
    const [first] = await accounts().watched(initials, "", 1, 0);
    const [second] = await accounts().watched(initials, first!.accountFp, 1, 0);
    expect([first?.id, second?.id]).toEqual(await watched());
    await accounts().pause(ana.id, NOON, noticeTo(ANA, "paused|1"));
    expect((await watched()).toSorted()).toEqual([carla.id, bruno.id].toSorted());
    await accounts().pause(carla.id, NOON, noticeTo(CARLA, "paused|2"));
    expect(await watched()).toEqual([bruno.id]);
  });

  test("are watched in turn, so that each unpaused key of a shared account is tried", async () => {
    const [ana, carla] = [await connect(ANA), await connect(CARLA, ELSEWHERE)];
    const bruno = await connect(BRUNO, GUILD, brunoKey);
    const initials = [anaKey, brunoKey].map((key) => walletOf(key).charAt(0));
    const watched = async (turn: number) =>
      (await accounts().watched(initials, "", 10, turn)).map(({ id }) => id).toSorted();
    const rounds = [await watched(7), await watched(8)];
    expect(rounds).toContainEqual([ana.id, bruno.id].toSorted());
    expect(rounds).toContainEqual([carla.id, bruno.id].toSorted());
    expect(await watched(9)).toEqual(rounds[0]);
    await accounts().pause(carla.id, NOON, noticeTo(CARLA, "paused"));
    expect(await watched(7)).toEqual([ana.id, bruno.id].toSorted());
    expect(await watched(8)).toEqual([ana.id, bruno.id].toSorted());
  });

  test("are watched with those whose fingerprint begins alike", async () => {
    const ana = await connect(ANA);
    const initial = fingerprint().charAt(0);
    const others = Array.from("abcDEF019-_").filter((character) => character !== initial);
    expect(await accounts().watched(others, "", 10, 0)).toEqual([]);
    expect(await accounts().watched([initial, ...others], "", 10, 0)).toEqual([ana]);
  });

  test("removed take the owner's PIX keys with them only when the last one goes", async () => {
    await connect(ANA);
    await connect(ANA, ELSEWHERE, anaOtherKey);
    await saveKey(ANA);
    await saveKey(BRUNO);
    const journal = journalOf(store());
    const ended = await opIn(journal, "completed", { accountFp: "a" });
    const open = await opIn(journal, "unknown", { accountFp: "b" });
    const others = await opIn(journal, "completed", { accountFp: "c", ownerId: BRUNO });
    await accounts().remove(GUILD, ANA, ANA, NOON);
    expect(await book().saved(ANA)).toHaveLength(1);
    expect(await journal.pixKeyOf(ended.id)).toBeDefined();
    await accounts().remove(ELSEWHERE, ANA, ANA, NOON);
    expect(await book().saved(ANA)).toEqual([]);
    expect(await book().saved(BRUNO)).toHaveLength(1);
    expect(await journal.pixKeyOf(ended.id)).toBeUndefined();
    expect(await journal.find(ended.id)).toEqual(ended);
    for (const { id } of [open, others]) expect(await journal.pixKeyOf(id)).toBeDefined();
  });

  test("removed at once erase the PIX keys, whichever is the last", async () => {
    for (let round = 0; round < 12; round += 1) {
      await connect(ANA);
      await connect(ANA, ELSEWHERE);
      await saveKey(ANA);
      const gone = [GUILD, ELSEWHERE].map((guildId) => accounts().remove(guildId, ANA, ANA, NOON));
      expect(await Promise.all(gone)).toEqual([true, true]);
      expect(await store().db.selectFrom("pix_key").select("id").execute()).toEqual([]);
    }
  });

  test("of a refused key hand over the message about it, and it alone, until the last one goes", async () => {
    const [first, second] = [await connect(ANA), await connect(ANA, ELSEWHERE)];
    const outbox = outboxStore(store().db, async () => NOON);
    const state = (key: string) => outbox.state(key);
    const { id: accountId } = first;
    await outbox.enqueue({ ...noticeTo(ANA, "left"), accountId }, NOON);
    await accounts().pause(second.id, later(1), { ...noticeTo(ANA, "refused"), accountId });
    await accounts().remove(GUILD, ANA, ANA, later(2));
    expect([await state("left"), await state("refused")]).toEqual([undefined, "due"]);
    await accounts().remove(ELSEWHERE, ANA, ANA, later(3));
    expect(await state("refused")).toBeUndefined();
  });

  const waiting = () =>
    store().db.selectFrom("outbox").select(["payload", "guild_id"]).executeTakeFirstOrThrow();
  const renewIn = (guildId: string) =>
    accounts().save(savedAccount({ guildId }), anaOtherKey, anaKey.reveal());

  test.each<[string, (secondId: string) => Promise<unknown>, string | undefined]>([
    [
      "works again take back the waiting message about it",
      (id) => accounts().resume(id),
      undefined,
    ],
    ["was replaced in one server keep it", () => renewIn(GUILD), "due"],
    [
      "was replaced in each server take it back",
      async () => [await renewIn(GUILD), await renewIn(ELSEWHERE)],
      undefined,
    ],
  ])("whose refused key %s", async (_, change, expected) => {
    const [first, second] = [await connect(ANA), await connect(ANA, ELSEWHERE)];
    const outbox = outboxStore(store().db, async () => NOON);
    const { id: accountId } = first;
    await outbox.enqueue({ ...noticeTo(ANA, "left"), accountId }, NOON);
    await accounts().pause(second.id, later(1), { ...noticeTo(ANA, "refused"), accountId });
    await change(second.id);
    expect([await outbox.state("left"), await outbox.state("refused")]).toEqual(["due", expected]);
  });

  test.each<[string, () => Promise<unknown>, string, string]>([
    [
      "was replaced in one server",
      () => renewIn(GUILD),
      "O serviço recusou uma das suas chaves",
      "não vejo",
    ],
    [
      "was removed from one server",
      () => accounts().remove(GUILD, ANA, ANA, later(2)),
      "não vejo mais os seus MEDs",
      "uma das suas chaves",
    ],
  ])(
    "whose refused key %s are told so with the other server alone",
    async (_, change, says, not) => {
      const [first, second] = [await connect(ANA), await connect(ANA, ELSEWHERE)];
      await accounts().pause(second.id, later(1), {
        ...noticeTo(ANA, "refused"),
        accountId: first.id,
      });
      await change();
      const { payload, guild_id: guildId } = await waiting();
      expect(guildId).toBe(ELSEWHERE);
      expect(payload).toContain(says);
      expect(payload).not.toContain(not);
      expect(payload).toContain(`channels/${ELSEWHERE}`);
      expect(payload).not.toContain(GUILD);
    },
  );

  test.each<[string, () => Promise<unknown>, string, boolean]>([
    [
      "another server with it has a new one",
      () => renewIn(ELSEWHERE),
      "O serviço recusou uma das suas chaves",
      false,
    ],
    [
      "a further server has a new one",
      () => renewIn("900000000000000003"),
      "O serviço recusou uma das suas chaves",
      true,
    ],
    [
      "it was removed from another server",
      () => accounts().remove(ELSEWHERE, ANA, ANA, later(2)),
      "não vejo mais os seus MEDs",
      false,
    ],
  ])("whose refused key is to be told read what holds once %s", async (_, change, says, more) => {
    const first = await connect(ANA);
    await connect(ANA, ELSEWHERE);
    const refused = { ...noticeTo(ANA, "refused"), accountId: first.id };
    await accounts().pause(first.id, later(1), refused);
    await change();
    const { payload } = await waiting();
    expect(payload).toContain(says);
    expect(payload).toContain(`channels/${GUILD}`);
    expect(payload.includes("outro servidor")).toBe(more);
  });

  test("whose refused key was replaced are told of a server that its owner has not left", async () => {
    const first = await connect(ANA);
    const others = [await connect(ANA, ELSEWHERE), await connect(ANA, "900000000000000003")];
    const [left, stayed] = others.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    await presences(store().db).keep(left!.guildId, ANA, "left", NOON, undefined);
    const refused = { ...noticeTo(ANA, "refused"), accountId: first.id };
    await accounts().pause(first.id, later(1), refused);
    await renewIn(GUILD);
    const { payload } = await waiting();
    expect(payload).toContain(`channels/${stayed!.guildId}`);
    expect(payload).not.toContain("outro servidor");
  });

  test("removed leave what is still to be told about money", async () => {
    await connect(ANA);
    const outbox = outboxStore(store().db, async () => NOON);
    await outbox.enqueue(noticeTo(ANA, "to be told"), NOON);
    await accounts().remove(GUILD, ANA, ANA, NOON);
    expect(await outbox.state("to be told")).toBe("due");
  });

  test("replaced by another key keep the PIX keys", async () => {
    await connect(ANA);
    await saveKey(ANA);
    await connect(ANA, GUILD, anaOtherKey);
    expect(await book().saved(ANA)).toHaveLength(1);
  });

  test("removed do not lift a lock", async () => {
    await connect(ANA);
    const guards = guardsStore(store().db);
    const locked = { ...guardsInForce(undefined, ANA, NOON), lockedAt: NOON };
    await guards.save(undefined, locked, "money_locked", NOON, []);
    await accounts().remove(GUILD, ANA, ANA, NOON);
    expect(await guards.find(ANA)).toEqual(locked);
  });

  test.each(["removed", "replaced"] as const)(
    "%s end the ghost watch with the last of them, so that the next reading is a baseline",
    async (how) => {
      const observe = (...txids: readonly string[]) =>
        externalWithdrawals(store().db).observe(fingerprint(), txids, NOON, () => []);
      await connect(ANA);
      await connect(CARLA, ELSEWHERE);
      await observe("t1");
      await accounts().remove(ELSEWHERE, CARLA, CARLA, NOON);
      expect(await observe("t1", "t2")).toEqual(["t2"]);
      if (how === "removed") await accounts().remove(GUILD, ANA, ANA, NOON);
      else await connect(ANA, GUILD, anaOtherKey);
      await connect(CARLA, ELSEWHERE);
      expect(await observe("t1", "t2", "t3")).toEqual([]);
    },
  );
});

/** Other transactions lock the same rows in the order of their ids; SQLite has one transaction. */
describe("several connections of a key on PostgreSQL", () => {
  const store = useStore(
    databases.find(({ name }) => name === "PostgreSQL")!,
    standingClock(NOON.toString()),
  );
  const accounts = () => testAccounts(store().db, store().vault);
  const waiting = () => waitingStatements(store().db);
  /** The owner's first connection, and a later one whose id is lower. */
  const connectBoth = async (how: Partial<SavedAccount> = {}) => {
    const again = savedAccount({ ...how, guildId: ELSEWHERE, connectedAt: later(1) });
    for (;;) {
      const first = await accounts().save(savedAccount(how), anaKey);
      const second = await accounts().save(again, anaKey);
      if (second.id < first.id) {
        // So few rows are then read in the order in which they were written, and by no index.
        await sql`analyze account`.execute(store().db);
        return { first, second };
      }
      // Both: a first id may be so low that hardly any other is lower.
      for (const guildId of [GUILD, ELSEWHERE]) await accounts().remove(guildId, ANA, ANA, NOON);
    }
  };
  type Both = Awaited<ReturnType<typeof connectBoth>>;

  test.each<[string, (both: Both) => Promise<unknown>]>([
    ["paused", ({ first }) => accounts().pause(first.id, NOON, noticeTo(ANA, "paused"))],
    ["resumed", ({ first }) => accounts().resume(first.id)],
    [
      "given another hour",
      ({ first }) =>
        reportRoutesStore(store().db).chooseDirectTime(
          first.watchId,
          Temporal.PlainTime.from("08:00"),
        ),
    ],
    ["removed", () => accounts().remove(GUILD, ANA, ANA, NOON)],
    ["replaced", () => accounts().save(savedAccount(), anaOtherKey)],
  ])("are locked in the order of their ids while they are %s", async (_, change) => {
    const both = await connectBoth();
    const state = { isOver: false };
    let changing: Promise<unknown> | undefined;
    await store()
      .db.transaction()
      .execute(async (trx) => {
        const lock = ({ id }: Both["first"]) =>
          sql`select from account where id = ${id} for update nowait`.execute(trx);
        await lock(both.second);
        changing = change(both).finally(() => (state.isOver = true));
        while (!state.isOver && (await waiting()) === 0);
        expect(state.isOver).toBe(false);
        await lock(both.first);
      });
    await changing;
  });

  const direct = (how: Partial<NewDelivery>): NewDelivery => ({
    ...noticeTo(ANA, "told"),
    guildId: null,
    ...how,
  });

  test.each<[string, (both: Both) => readonly [NewDelivery, () => Promise<unknown>]]>([
    [
      "an alert",
      ({ first: { id } }) => [
        alertTo(ANA, id, "new"),
        () => disputeWatch(store().db).keep(newDispute(id), [alertTo(ANA, id, "new")], NOON),
      ],
    ],
    [
      "a report by direct message",
      ({ first: { id, watchId } }) => {
        const report = direct({ kind: "sales_report", accountId: id });
        const subscription = { subscriberId: watchId, target: report.target };
        const told = [{ accountId: id, correctionsTold: undefined }];
        const day = Temporal.PlainDate.from("2026-11-18");
        const ledger = reportLedger(store().db);
        return [report, () => ledger.recordDay(subscription, day, told, report, NOON)];
      },
    ],
    [
      "the message that the key is refused",
      ({ first: { id } }) => {
        const refusal = direct({ accountId: id });
        return [refusal, () => accounts().pause(id, NOON, refusal)];
      },
    ],
  ])("hand over %s that is written while one of them is removed", async (_, tell) => {
    const both = await connectBoth({ reportConsent: false, reportDirect: true });
    const [post, write] = tell(both);
    const changes: Promise<unknown>[] = [];
    const holder = store()
      .db.transaction()
      .execute(async (trx) => {
        // The post waits for another row of its key, which is never committed.
        await enqueueDelivery(trx, post, NOON);
        changes.push(write());
        while ((await waiting()) < 1);
        changes.push(accounts().remove(GUILD, ANA, ANA, NOON));
        while ((await waiting()) < 2);
        throw new Error("Never committed");
      });
    await expect(holder).rejects.toThrow("Never committed");
    await Promise.all(changes);
    const told = await store().db.selectFrom("outbox").select("account_id").execute();
    expect(told).toEqual([{ account_id: both.second.id }]);
  });
});
