import { describe, expect, test } from "vitest";
import { chargesStore } from "#src/charges/charges.store.ts";
import { cardKey, type Charge } from "#src/charges/charge.ts";
import { outboxStore } from "#src/delivery/outbox.store.ts";
import { Secret } from "#src/shared/secret.ts";
import { DAY, HOUR, MINUTE } from "#src/shared/time.ts";
import {
  ANA,
  anaKey,
  BRUNO,
  brunoKey,
  delivery,
  dueAgain,
  GUILD,
  later,
  noticeTo,
  NOON,
  savedAccount,
} from "../database/builders.ts";
import { useStores } from "../database/use-store.ts";
import { databases } from "../support/databases.ts";
import { sampleCharge } from "./charge-samples.ts";

const HOLD_MS = 2 * MINUTE;

describe.each(databases)("charges on $name", (kind) => {
  const { store, accounts } = useStores(kind);
  const charges = () => chargesStore(store().db);
  const connect = async (guildId = GUILD) =>
    (await accounts().save(savedAccount({ guildId }), anaKey, "900000000000000777")).id;
  const connectBruno = () => accounts().save(savedAccount({ ownerId: BRUNO }), brunoKey);
  let made = 0;
  const begin = async (given: Partial<Charge> = {}, interaction = `i${++made}`) => {
    const { accountId = await connect() } = given;
    const own = { id: `charge${++made}`, ownerId: ANA, accountId, createdAt: NOON };
    const charge = sampleCharge({ ...own, ...given });
    const added = await charges().begin({ ...charge, txid: given.txid }, interaction);
    return { charge, added };
  };

  test("come back as they were kept, once for each interaction", async () => {
    const given = { txid: "c1", nextCheckAt: NOON, cardLocale: "en-US" } as const;
    const { charge, added } = await begin(given, "same");
    expect(added).toBe(true);
    expect(await charges().find(charge.id)).toEqual(charge);
    await store().db.updateTable("charge").set({ card_locale: null }).execute();
    expect((await charges().find(charge.id))?.cardLocale).toBe(charge.locale);
    expect((await begin({}, "same")).added).toBe(false);
    expect(await charges().find("other")).toBeUndefined();
  });

  test("of a connection that is gone are not begun", async () => {
    const accountId = await connect();
    await accounts().remove(GUILD, ANA, ANA, NOON);
    const { charge, added } = await begin({ accountId, state: "creating" });
    expect(added).toBe(false);
    expect(await charges().find(charge.id)).toBeUndefined();
  });

  test("begun while their connection goes are kept neither as open nor with their owner", async () => {
    for (let round = 0; round < 10; round += 1) {
      const accountId = await connect();
      await Promise.all([
        accounts().remove(GUILD, ANA, ANA, NOON),
        begin({ accountId, state: "creating" }),
      ]);
      expect(await store().db.selectFrom("charge").selectAll().execute()).toEqual([]);
    }
  });

  test("change from their newest version alone, together with what is told", async () => {
    const { charge } = await begin();
    const told = noticeTo(ANA, "notice|charge_end|1");
    const change = { state: "paid", nextCheckAt: undefined, endedAt: NOON } as const;
    const after = await charges().change(charge, change, [told], NOON);
    expect(after).toMatchObject({ ...change, version: 1, amount: charge.amount });
    const late = noticeTo(ANA, "notice|charge_end|2");
    expect(await charges().change(charge, { state: "expired" }, [late], NOON)).toBeUndefined();
    const outbox = outboxStore(store().db, async () => NOON);
    expect(await outbox.state("notice|charge_end|1")).toBe("due");
    expect(await outbox.state("notice|charge_end|2")).toBeUndefined();
  });

  test("are claimed by one process at a time, oldest first, and again after their hold", async () => {
    const accountId = await connect();
    for (const minutes of [3, 1, 2])
      await begin({ accountId, nextCheckAt: later(minutes * MINUTE) });
    await begin({ accountId, nextCheckAt: undefined });
    expect(await charges().nextCheckAt()).toEqual(later(MINUTE));
    const [first, second] = await Promise.all([
      charges().claimDue(later(3 * MINUTE), 2, HOLD_MS),
      charges().claimDue(later(3 * MINUTE), 2, HOLD_MS),
    ]);
    const claimed = [...first, ...second].map(({ id }) => id);
    expect(new Set(claimed).size).toBe(claimed.length);
    const rest = await charges().claimDue(later(3 * MINUTE), 9, HOLD_MS);
    expect([...claimed, ...rest.map(({ id }) => id)]).toHaveLength(3);
    expect(await charges().claimDue(later(4 * MINUTE), 9, HOLD_MS)).toEqual([]);
    expect(await charges().claimDue(later(5 * MINUTE), 9, HOLD_MS)).toHaveLength(3);
  });

  test("are claimed after those that are due when a clock that was set back put them off", async () => {
    const accountId = await connect();
    const at = async (state: Charge["state"], nextCheckAt: Temporal.Instant) =>
      (await begin({ accountId, state, nextCheckAt })).charge.id;
    await at("open", later(HOUR));
    await at("expired", later(17 * HOUR));
    const expected = [
      await at("open", NOON),
      await at("expired", later(17 * HOUR + 1)),
      await at("open", later(HOUR + 1)),
      await at("unknown", later(HOUR + 2)),
    ];
    const claimed = await charges().claimDue(NOON, 9, HOLD_MS);
    expect(claimed.map(({ id }) => id)).toEqual(expected);
    expect(await charges().claimDue(NOON, 9, HOLD_MS)).toEqual([]);
  });

  test("of a refused key wait for three days at most, and of an erased account are not followed and go with its owner", async () => {
    const accountId = await connect();
    const { id } = (await begin({ accountId, nextCheckAt: NOON })).charge;
    await accounts().pause(accountId, NOON, noticeTo(ANA, "notice|paused"));
    expect(await charges().claimDue(NOON, 9, HOLD_MS)).toEqual([]);
    expect(await charges().claimDue(later(3 * DAY), 9, HOLD_MS)).toMatchObject([{ id }]);
    await accounts().resume(accountId);
    expect(await charges().claimDue(NOON, 9, HOLD_MS)).toMatchObject([{ id, version: 0 }]);
    const other = await begin({ ownerId: BRUNO });
    await accounts().remove(GUILD, ANA, ANA, NOON);
    expect(await charges().find(id)).toBeUndefined();
    expect(await charges().find(other.charge.id)).toBeDefined();
  });

  test("whose connection is removed are left, and a posted card shows it before its row goes", async () => {
    const accountId = await connect();
    const posted = await begin({ accountId, nextCheckAt: NOON });
    await charges().posted(posted.charge.id, "c", "m");
    const unposted = await begin({ accountId, nextCheckAt: NOON });
    const over = await begin({ accountId, state: "paid", endedAt: NOON });
    await charges().posted(over.charge.id, "c", "m2");
    await charges().cardShows(over.charge.id, "paid");
    await accounts().remove(GUILD, ANA, ANA, NOON);
    for (const { charge } of [unposted, over])
      expect(await charges().find(charge.id)).toBeUndefined();
    expect(await charges().staleCards(9)).toMatchObject([
      {
        id: posted.charge.id,
        state: "unfollowed",
        ownerId: "",
        description: "",
        nextCheckAt: undefined,
      },
    ]);
    await charges().cardShows(posted.charge.id, "unfollowed");
    expect(await charges().find(posted.charge.id)).toBeUndefined();
  });

  test("whose card may have been posted stay without their owner, and the card without its text, until that is known", async () => {
    const accountId = await connect();
    const outbox = outboxStore(store().db, async () => NOON);
    const publish = async () => {
      const { charge } = await begin({ accountId, nextCheckAt: NOON });
      const { id, code = "" } = charge;
      const payload = { content: "Cobrança", charge: { id, code } };
      const card = { dedupeKey: cardKey(charge), kind: "charge" as const, accountId, payload };
      await outbox.enqueue(delivery(card.dedupeKey, card), NOON);
      return charge;
    };
    const attempted = await publish();
    const request = { owner: "p1", leaseMs: MINUTE, limit: 9 };
    const [claim] = await outbox.claim({ ...request, now: NOON });
    await outbox.settle(claim!, dueAgain(later(1_000)));
    const unattempted = await publish();
    await accounts().remove(GUILD, ANA, ANA, NOON);
    expect(await charges().find(unattempted.id)).toBeUndefined();
    expect(await outbox.state(cardKey(unattempted))).toBeUndefined();
    const left = { id: attempted.id, state: "unfollowed", ownerId: "", card: undefined };
    expect(await charges().find(attempted.id)).toMatchObject(left);
    expect(await outbox.claim({ ...request, now: later(MINUTE) })).toMatchObject([
      { dedupeKey: cardKey(attempted), payload: { charge: { id: attempted.id, code: "" } } },
    ]);
  });

  test("of a key that was replaced by another wallet account's are left", async () => {
    const accountId = await connect();
    const { charge } = await begin({ accountId, nextCheckAt: NOON });
    await begin({ accountId, state: "paid" });
    await begin({ accountId: (await connectBruno()).id });
    expect(await charges().countOpen(accountId)).toBe(1);
    const other = new Secret("sk_sandbox_ana_another_wallet_0");
    await accounts().save(savedAccount({ guildId: GUILD }), other, "900000000000000778");
    expect(await charges().countOpen(accountId)).toBe(0);
    expect(await charges().find(charge.id)).toMatchObject({
      ownerId: ANA,
      state: "unfollowed",
      nextCheckAt: undefined,
    });
  });

  test("are followed by another connection of the same owner and wallet account", async () => {
    const accountId = await connect();
    const otherId = await connect("900000000000000002");
    const { charge } = await begin({ accountId, nextCheckAt: NOON });
    await accounts().remove(GUILD, ANA, ANA, NOON);
    expect(await charges().claimDue(NOON, 9, HOLD_MS)).toMatchObject([
      { id: charge.id, accountId: otherId },
    ]);
  });

  test("go with their connection where an earlier version let the other one take the txid too", async () => {
    const accountId = await connect();
    const { charge } = await begin({ accountId, nextCheckAt: NOON });
    const { charge: kept } = await begin({ accountId: await connect("900000000000000002") });
    await store().db.updateTable("charge").set({ txid: "c1" }).execute();
    await accounts().remove(GUILD, ANA, ANA, NOON);
    expect(await charges().find(charge.id)).toMatchObject({ state: "unfollowed" });
    expect(await charges().find(kept.id)).toMatchObject({ txid: "c1" });
  });

  const ELSEWHERE = "900000000000000002";
  const saveKey = async (guildId: string, key: string) =>
    (await accounts().save(savedAccount({ guildId }), new Secret(key), ANA)).id;
  const refuse = (accountId: string) =>
    accounts().pause(accountId, NOON, noticeTo(ANA, `notice|paused|${accountId}`));

  test("of a removed key are followed with one that works, where another one is refused", async () => {
    const accountId = await saveKey(GUILD, "sk_sandbox_ana_one");
    await refuse(await saveKey(ELSEWHERE, "sk_sandbox_ana_two"));
    await saveKey("900000000000000003", "sk_sandbox_ana_three");
    await accounts().setAlerts("900000000000000003", ANA, "off", NOON);
    const { charge } = await begin({ accountId, nextCheckAt: NOON });
    await accounts().remove(GUILD, ANA, ANA, NOON);
    expect(await charges().claimDue(NOON, 9, HOLD_MS)).toMatchObject([{ id: charge.id }]);
  });

  test("of a refused key are followed while another one of its seller and wallet account works", async () => {
    const accountId = await saveKey(GUILD, "sk_sandbox_ana_one");
    const otherId = await saveKey(ELSEWHERE, "sk_sandbox_ana_two");
    await accounts().save(savedAccount({ ownerId: BRUNO }), brunoKey, ANA);
    const { charge } = await begin({ accountId, nextCheckAt: NOON });
    const isFollowed = async () => (await charges().nextCheckAt()) !== undefined;
    await refuse(accountId);
    expect(await isFollowed()).toBe(true);
    await refuse(otherId);
    expect(await isFollowed()).toBe(false);
    await accounts().resume(accountId);
    expect(await charges().claimDue(NOON, 9, HOLD_MS)).toMatchObject([{ id: charge.id }]);
  });

  test("of a refused key are followed once its seller renews it in another server", async () => {
    const accountId = await saveKey(GUILD, "sk_sandbox_ana_old");
    await saveKey(ELSEWHERE, "sk_sandbox_ana_old");
    const { charge } = await begin({ accountId, nextCheckAt: NOON });
    await refuse(accountId);
    expect(await charges().claimDue(NOON, 9, HOLD_MS)).toEqual([]);
    await saveKey(ELSEWHERE, "sk_sandbox_ana_new");
    expect(await charges().claimDue(NOON, 9, HOLD_MS)).toMatchObject([{ id: charge.id }]);
  });

  test("of some connections are due at once, ended ones never again", async () => {
    const accountId = await connect();
    const otherId = await connect("900000000000000002");
    const { charge } = await begin({ accountId, txid: "c1", nextCheckAt: later(HOUR) });
    const ended = await begin({ accountId, txid: "c2", nextCheckAt: undefined });
    const other = await begin({ accountId: otherId, txid: "c1", nextCheckAt: later(HOUR) });
    await charges().makeDue([accountId], NOON);
    await charges().makeDue([], NOON);
    const due = await charges().claimDue(NOON, 9, HOLD_MS);
    expect(due.map(({ id }) => id)).toEqual([charge.id]);
    expect(await charges().find(ended.charge.id)).toMatchObject({ nextCheckAt: undefined });
    expect((await charges().find(other.charge.id))?.nextCheckAt).toEqual(later(HOUR));
  });

  test("of connections that are left out stay for a later claim", async () => {
    const accountId = await connect();
    const otherId = await connect("900000000000000002");
    const { charge } = await begin({ accountId, nextCheckAt: NOON });
    const other = await begin({ accountId: otherId, nextCheckAt: later(HOUR) });
    expect(await charges().nextCheckAt([accountId])).toEqual(later(HOUR));
    const due = await charges().claimDue(later(HOUR), 9, HOLD_MS, [accountId]);
    expect(due.map(({ id }) => id)).toEqual([other.charge.id]);
    expect(await charges().claimDue(later(HOUR), 9, HOLD_MS)).toMatchObject([{ id: charge.id }]);
  });

  test.each([
    ["whose request is on its way", { state: "creating", txid: undefined }],
    ["whose answer was lost", { state: "unknown", txid: undefined }],
    ["whose txid is not known", { state: "open", txid: undefined }],
    ["that have expired", { state: "expired", txid: "c1" }],
  ] as const)(
    "%s keep the times of their looks whatever the service calls about",
    async (_, given) => {
      const accountId = await connect();
      const { charge } = await begin({ ...given, accountId, nextCheckAt: later(HOUR) });
      await charges().makeDue([accountId], NOON);
      expect((await charges().find(charge.id))?.nextCheckAt).toEqual(later(HOUR));
    },
  );

  test("that are due again during a look keep the result of the first look that ends", async () => {
    const accountId = await connect();
    await begin({ accountId, txid: "c1", nextCheckAt: NOON });
    const [held] = await charges().claimDue(NOON, 9, HOLD_MS);
    await charges().makeDue([accountId], NOON);
    const [again] = await charges().claimDue(NOON, 9, HOLD_MS);
    if (held === undefined || again === undefined) throw new Error("Not due");
    const paid = { state: "paid", nextCheckAt: undefined } as const;
    expect(await charges().change(held, paid, [], NOON)).toMatchObject(paid);
    expect(await charges().change(again, { state: "open" }, [], NOON)).toBeUndefined();
  });

  test("that are due again during a look stay due when that look only puts them off", async () => {
    const accountId = await connect();
    const held = async (txid: string) => {
      await begin({ accountId, txid, nextCheckAt: NOON });
      const [claimed] = await charges().claimDue(NOON, 9, HOLD_MS);
      return claimed!;
    };
    const putOff = { checks: 1, nextCheckAt: later(5 * MINUTE) };
    const uncalled = await held("c1");
    expect(await charges().change(uncalled, putOff, [], NOON)).toMatchObject(putOff);
    const called = await held("c2");
    await charges().makeDue([accountId], later(1));
    expect(await charges().change(called, putOff, [], NOON)).toMatchObject({
      checks: 1,
      nextCheckAt: later(1),
    });
    const over = await held("c3");
    await charges().makeDue([accountId], later(1));
    const expired = { state: "expired", nextCheckAt: later(MINUTE) } as const;
    expect(await charges().change(over, expired, [], NOON)).toMatchObject(expired);
    const paid = await held("c4");
    await charges().makeDue([accountId], later(1));
    const end = { state: "paid", nextCheckAt: undefined } as const;
    expect(await charges().change(paid, end, [], NOON)).toMatchObject(end);
  });

  test("held by another look meanwhile are due as soon as the first one says", async () => {
    const accountId = await connect();
    await begin({ accountId, txid: "c1", nextCheckAt: NOON });
    const [first] = await charges().claimDue(NOON, 9, HOLD_MS);
    await charges().makeDue([accountId], later(1));
    await charges().claimDue(later(1), 9, HOLD_MS);
    const putOff = { checks: 1, nextCheckAt: later(10_000) };
    expect(await charges().change(first!, putOff, [], NOON)).toMatchObject(putOff);
  });

  test("have a txid each", async () => {
    await begin({ txid: "c1" });
    await expect(begin({ txid: "c1" })).rejects.toThrow();
    const { id } = await connectBruno();
    const { charge } = await begin({ accountId: id });
    expect(await charges().change(charge, { txid: "c1" }, [], NOON)).toBeDefined();
    expect(await charges().claimed(id, ["c1", "c2"])).toEqual(new Set(["c1"]));
    expect(await charges().claimed(id, [])).toEqual(new Set());
  });

  test("have a txid each in letters that the database does not write small", async () => {
    const accountId = await connect();
    await begin({ txid: "COBRANÇA-1", accountId });
    expect(await charges().claimed(accountId, ["COBRANÇA-1"])).toEqual(new Set(["COBRANÇA-1"]));
  });

  test("have a txid each over all guilds of a wallet account", async () => {
    const accountId = await connect();
    const otherId = await connect("900000000000000002");
    await begin({ txid: "c1", accountId: otherId });
    expect(await charges().claimed(accountId, ["c1"])).toEqual(new Set(["c1"]));
  });

  test("take a txid once, of two connections of a wallet account that take it at the same time", async () => {
    const accountIds = [await connect(), await connect("900000000000000002")];
    for (let time = 0; time < 20; time++) {
      const txid = `c${time}`;
      const take = async (accountId: string) => {
        const { charge } = await begin({ accountId });
        return await charges().change(charge, { state: "open", txid }, [], NOON);
      };
      const taken = (await Promise.all(accountIds.map(take))).filter((one) => one !== undefined);
      expect(taken).toMatchObject([{ txid, version: 1 }]);
      const again = await charges().change(taken[0]!, { txid }, [], NOON);
      expect(again).toMatchObject({ version: 2 });
    }
  });

  test("show their end on a posted card until it has shown it", async () => {
    const { charge } = await begin();
    await charges().posted(charge.id, "c", "m");
    await charges().posted(charge.id, "c", "other");
    expect(await charges().staleCards(9)).toEqual([]);
    await charges().change(charge, { state: "paid" }, [], NOON);
    expect(await charges().staleCards(9)).toMatchObject([
      { id: charge.id, state: "paid", card: { channelId: "c", messageId: "m" } },
    ]);
    await charges().cardShows(charge.id, "paid");
    expect(await charges().staleCards(9)).toEqual([]);
    const unposted = await begin();
    await charges().change(unposted.charge, { state: "paid" }, [], NOON);
    expect(await charges().staleCards(9)).toEqual([]);
  });

  test("are erased after their time", async () => {
    const { charge } = await begin();
    await charges().purge(NOON);
    expect(await charges().find(charge.id)).toBeDefined();
    await charges().purge(later(1), AbortSignal.abort());
    expect(await charges().find(charge.id)).toBeDefined();
    await charges().purge(later(1));
    expect(await charges().find(charge.id)).toBeUndefined();
    expect(cardKey(charge)).toBe(`charge|${charge.id}`);
  });
});
