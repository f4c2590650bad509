import { beforeEach, describe, expect, it } from "vitest";
import type { Secret } from "#src/shared/secret.ts";
import { cents } from "#src/shared/money.ts";
import { learnVerified } from "#src/accounts/accounts-write.store.ts";
import { connectionHooks } from "#src/stores.ts";
import { externalWithdrawals, splitBalances } from "#src/withdrawals/wallet-observations.store.ts";
import { outboxStore } from "#src/delivery/outbox.store.ts";
import { databases } from "../support/databases.ts";
import {
  ANA,
  anaKey,
  anaOtherKey,
  BRUNO,
  GUILD,
  later,
  NOON,
  noticeTo,
  savedAccount,
} from "../database/builders.ts";
import { useStores } from "../database/use-store.ts";
import {
  journalOf,
  moved,
  newCancel,
  newRefund,
  newOp,
  opIn,
  stepTo,
} from "../withdrawals/withdraw-builders.ts";

const ELSEWHERE = "900000000000000002";
const USER = "user_8812";

describe.each(databases)("keys of one wallet account on $name", (kind) => {
  const { store, accounts } = useStores(kind);
  const journal = () => journalOf(store());
  const fpOf = (key: Secret) => store().vault.fingerprint(key);
  const walletFp = () => store().vault.hashWalletUser(USER);
  const ghosts = () => externalWithdrawals(store().db);
  /** As an older version saved it: without the service's user id. */
  const connect = (key: Secret, guildId = GUILD, ownerId = ANA) =>
    accounts().save(savedAccount({ guildId, ownerId, ownerVerified: false }), key);
  const connectKnown = (key: Secret, guildId = GUILD, ownerId = ANA, at = NOON) =>
    accounts().save(
      savedAccount({ guildId, ownerId, ownerVerified: false, connectedAt: at }),
      key,
      USER,
    );
  const learn = async (key: Secret, userId = USER) => {
    const [account] = await accounts().connectionsOf(fpOf(key));
    await accounts().learn(account!, userId, NOON);
  };
  const stateOf = async (id: string) => (await journal().find(id))?.accountFp;

  it("S2: have one scope, however they are connected, and other accounts another", async () => {
    const here = await connectKnown(anaKey);
    const there = await connectKnown(anaOtherKey, ELSEWHERE);
    expect(here.keyFingerprint).not.toBe(there.keyFingerprint);
    expect([here.accountFp, there.accountFp]).toEqual([walletFp(), walletFp()]);
    expect(JSON.stringify(here)).not.toContain(USER);
    const unknown = await connect(anaKey, "900000000000000003", BRUNO);
    expect(unknown.accountFp).toBe(walletFp());
  });

  it("S2: an operation begun by one key keeps another key of the account from being used", async () => {
    await connectKnown(anaKey);
    const { accountFp } = await connectKnown(anaOtherKey, ELSEWHERE);
    const open = await opIn(journal(), "unknown", { accountFp });
    const other = await journal().draft(newOp({ accountFp }), NOON);
    expect(await journal().move(other, stepTo("confirmed"), NOON)).toEqual({
      kind: "account_busy",
    });
    expect(await journal().lockOf(accountFp)).toEqual(open);
  });

  it("S2: an operation that began before its key's account was known comes under the account", async () => {
    await connect(anaKey);
    const op = await opIn(journal(), "unknown", { accountFp: fpOf(anaKey) });
    await connectKnown(anaOtherKey, ELSEWHERE);
    expect(await journal().lockOf(walletFp())).toBeUndefined();
    await learn(anaKey);
    expect((await journal().lockOf(walletFp()))?.id).toBe(op.id);
    expect(await stateOf(op.id)).toBe(walletFp());
    const found = await accounts().findByFingerprint(op.accountFp, ANA);
    expect(found?.account.ownerId).toBe(ANA);
  });

  it("S2: of two that are open the second stays under its key, and still nothing else is confirmed", async () => {
    await connect(anaKey);
    await connect(anaOtherKey, ELSEWHERE);
    const first = await opIn(journal(), "unknown", { accountFp: fpOf(anaKey) });
    const second = await opIn(journal(), "unknown", { accountFp: fpOf(anaOtherKey) });
    await learn(anaKey);
    await learn(anaOtherKey);
    expect(await stateOf(first.id)).toBe(walletFp());
    expect(await stateOf(second.id)).toBe(fpOf(anaOtherKey));
    const manual = await moved(journal(), first, stepTo("manual"));
    const done = { resolvedBy: ANA, resolution: "did_not_happen" } as const;
    await moved(journal(), manual, stepTo("resolved_manual", { change: done }));
    expect((await journal().lockOf(walletFp()))?.id).toBe(second.id);
    expect((await journal().lockOf(fpOf(anaKey)))?.id).toBe(second.id);
    const draft = await journal().draft(newOp({ accountFp: walletFp() }), NOON);
    expect(await journal().move(draft, stepTo("confirmed"), NOON)).toEqual({
      kind: "account_busy",
    });
    const last = await moved(journal(), second, stepTo("manual"));
    await moved(journal(), last, stepTo("resolved_manual", { change: done }));
    expect((await journal().move(draft, stepTo("confirmed"), NOON)).kind).toBe("moved");
  });

  it("S2: nothing is lost where both keys claimed one withdrawal, or both cancel one", async () => {
    await connect(anaKey);
    await connect(anaOtherKey, ELSEWHERE);
    const [one, other] = [fpOf(anaKey), fpOf(anaOtherKey)];
    const ended = await opIn(journal(), "completed", { accountFp: one }, { txid: "TX1" });
    const twin = await opIn(journal(), "completed", { accountFp: other }, { txid: "TX1" });
    const more = await opIn(journal(), "completed", { accountFp: other }, { txid: "TX2" });
    const cancels = [];
    for (const accountFp of [one, other]) {
      const draft = await journal().draft(newCancel("TX9", { accountFp }), NOON);
      cancels.push(await moved(journal(), draft, stepTo("confirmed")));
    }
    await learn(anaKey);
    await learn(anaOtherKey);
    const scopes = [ended, twin, more, ...cancels].map(({ id }) => stateOf(id));
    const all = [walletFp(), other, walletFp(), walletFp(), other];
    expect(await Promise.all(scopes)).toEqual(all);
    expect((await journal().claimedTxids(walletFp())).toSorted()).toEqual(["TX1", "TX1", "TX2"]);
    expect(await journal().claimedTxids(other)).toHaveLength(3);
  });

  it("takes refunds over with their keys, and still refunds a payment once", async () => {
    await connect(anaKey);
    await connect(anaOtherKey, ELSEWHERE);
    const [one, other] = [fpOf(anaKey), fpOf(anaOtherKey)];
    const first = await journal().draft(newRefund("P1", { accountFp: one }), NOON);
    const second = await journal().draft(newRefund("P1", { accountFp: other }), NOON);
    await moved(journal(), first, stepTo("confirmed"));
    await learn(anaKey);
    await learn(anaOtherKey);
    const ids = [first, second].map(({ id }) => stateOf(id));
    expect(await Promise.all(ids)).toEqual([walletFp(), walletFp()]);
    expect(await journal().move(second, stepTo("confirmed"), NOON)).toEqual({
      kind: "account_busy",
    });
  });

  it("S2: what either key saw withdrawn, or was told of a split balance, is the account's", async () => {
    await connect(anaKey);
    await connect(anaOtherKey, ELSEWHERE);
    const [one, other] = [fpOf(anaKey), fpOf(anaOtherKey)];
    await ghosts().observe(one, ["t1", "t2"], NOON, () => []);
    await ghosts().observe(other, ["t2", "t3"], NOON, () => []);
    const splits = splitBalances(store().db);
    await splits.note(one, BRUNO, cents(100), later(1));
    await splits.note(other, BRUNO, cents(200), NOON);
    await learn(anaKey);
    await learn(anaOtherKey);
    expect(await ghosts().unseen(walletFp(), ["t1", "t2", "t3", "t4"])).toEqual(["t4"]);
    expect(await ghosts().unseen(one, ["t1"])).toBeUndefined();
    expect(await splits.last(walletFp(), BRUNO)).toEqual({ balance: 100, at: later(1) });
    expect(await splits.last(other, BRUNO)).toBeUndefined();
  });

  it("S2: the first account that a key was seen to be of stands", async () => {
    await connectKnown(anaKey);
    await learn(anaKey, "somebody_else");
    expect((await accounts().find(GUILD, ANA))?.accountFp).toBe(walletFp());
    await accounts().remove(GUILD, ANA, ANA, NOON);
    const again = await accounts().save(savedAccount(), anaKey, "somebody_else");
    expect(again.accountFp).toBe(walletFp());
  });

  it("S2: keys of verified owners are known without asking, also when the next one is connected", async () => {
    const before = await accounts().save(savedAccount(), anaKey);
    expect(before.accountFp).toBe(before.keyFingerprint);
    const op = await opIn(journal(), "unknown", { accountFp: before.accountFp });
    const after = await accounts().save(savedAccount(), anaOtherKey, ANA);
    expect(after.id).toBe(before.id);
    expect((await journal().lockOf(after.accountFp))?.id).toBe(op.id);
    const there = await accounts().save(
      savedAccount({ guildId: ELSEWHERE, ownerId: BRUNO }),
      anaOtherKey,
    );
    expect(there.accountFp).toBe(after.accountFp);
  });

  it("S2: a start brings verified owners' connections under their accounts", async () => {
    await accounts().save(savedAccount(), anaKey);
    expect(await accounts().unlearnt()).toHaveLength(1);
    await learnVerified(store().db, store().vault, connectionHooks, NOON);
    expect(await accounts().unlearnt()).toEqual([]);
    const found = await accounts().find(GUILD, ANA);
    expect(found?.accountFp).toBe(store().vault.hashWalletUser(ANA));
  });

  it("S2: learnt by several at once while an operation is confirmed leaves one open operation", async () => {
    for (let round = 0; round < 6; round += 1) {
      const guildId = `90000000000000001${round}`;
      const keys = [anaKey, anaOtherKey];
      await store().db.deleteFrom("wallet_key").execute();
      await store().db.deleteFrom("account").execute();
      await store().db.deleteFrom("withdraw_op").execute();
      await connect(anaKey, guildId);
      await connectKnown(anaOtherKey, ELSEWHERE);
      const drafts = [];
      for (const accountFp of [fpOf(anaKey), walletFp(), walletFp()])
        drafts.push(await journal().draft(newOp({ accountFp }), NOON));
      const results = await Promise.allSettled([
        learn(anaKey),
        ...drafts.map((draft) => journal().move(draft, stepTo("confirmed"), NOON)),
        learn(anaKey),
        ...keys.map((key) => accounts().find(guildId, key.reveal())),
      ]);
      const failed = results.filter(({ status }) => status === "rejected");
      expect(failed).toEqual([]);
      expect((await accounts().find(guildId, ANA))?.accountFp).toBe(walletFp());
      // At most two operations were confirmed before the keys were known to belong to one account.
      const open = await store()
        .db.selectFrom("withdraw_op")
        .select("account_fp")
        .where("state", "=", "confirmed")
        .execute();
      expect(new Set(open.map((op) => op.account_fp)).size).toBe(open.length);
      const next = await journal().draft(newOp({ accountFp: walletFp() }), NOON);
      expect((await journal().move(next, stepTo("confirmed"), NOON)).kind).toBe("account_busy");
    }
  });
});

describe.each(databases)("a connection of a wallet account on $name", (kind) => {
  const { store, accounts } = useStores(kind);
  const journal = () => journalOf(store());
  const save = (key: Secret, userId: string, guildId = GUILD) =>
    accounts().save(savedAccount({ guildId, ownerVerified: false }), key, userId);

  beforeEach(async () => {
    await save(anaKey, USER);
  });

  it("S2: keeps its row under another key of the account, with its alerts and what is under way", async () => {
    const before = await accounts().setAlerts(GUILD, ANA, "channel", NOON);
    const op = await opIn(journal(), "unknown", {
      accountFp: before!.accountFp,
      accountId: before!.id,
    });
    const after = await save(anaOtherKey, USER);
    expect(after).toMatchObject({ id: before!.id, alerts: "channel", watchId: before!.watchId });
    expect((await accounts().apiKey(after.id))?.reveal()).toBe(anaOtherKey.reveal());
    const reader = await accounts().findByFingerprint(op.accountFp, ANA);
    expect(reader?.apiKey.reveal()).toBe(anaOtherKey.reveal());
  });

  it("keeps its age under another key of the account, and so its place before the others", async () => {
    const there = savedAccount({ guildId: ELSEWHERE, ownerVerified: false, connectedAt: later(1) });
    const younger = await accounts().save(there, anaOtherKey, USER);
    const changed = savedAccount({ ownerVerified: false, connectedAt: later(2) });
    const after = await accounts().save(changed, anaOtherKey, USER);
    expect(after.connectedAt).toEqual(NOON);
    expect((await accounts().find(GUILD, ANA))?.connectedAt).toEqual(NOON);
    expect((await accounts().ofWatch(younger.watchId))?.told.id).toBe(after.id);
    expect((await accounts().ofOwner(ANA)).map(({ id }) => id)).toEqual([after.id, younger.id]);
  });

  it("S2: that goes leaves what is under way to the owner's other one", async () => {
    const here = await accounts().find(GUILD, ANA);
    const there = await save(anaOtherKey, USER, ELSEWHERE);
    const op = await opIn(journal(), "unknown", {
      accountFp: there.accountFp,
      accountId: here!.id,
    });
    expect(await journal().leftUnfinished(here!)).toBeUndefined();
    await accounts().remove(GUILD, ANA, ANA, NOON);
    expect((await journal().find(op.id))?.accountId).toBe(there.id);
    expect(await journal().leftUnfinished(there)).toMatchObject({ id: op.id, ownerId: ANA });
  });

  it("S2: whose other one's key is refused is the last to follow what is under way", async () => {
    const here = (await accounts().find(GUILD, ANA))!;
    const there = await save(anaOtherKey, USER, ELSEWHERE);
    const op = await opIn(journal(), "unknown", {
      accountFp: there.accountFp,
      accountId: there.id,
    });
    await accounts().pause(here.id, NOON, noticeTo(ANA, "paused"));
    const refused = (await accounts().find(GUILD, ANA))!;
    expect(await journal().leftUnfinished(there)).toMatchObject({ id: op.id });
    expect(await journal().leftUnfinished(refused)).toBeUndefined();
    await accounts().pause(there.id, NOON, noticeTo(ANA, "paused too"));
    const alike = (await accounts().find(ELSEWHERE, ANA))!;
    expect(await journal().leftUnfinished(alike)).toBeUndefined();
  });

  it("of one key is paused in every guild, with one notice, and another key of the account is not", async () => {
    const [here, there] = [await accounts().find(GUILD, ANA), await save(anaKey, USER, ELSEWHERE)];
    const third = await save(anaOtherKey, USER, "900000000000000003");
    const notice = {
      kind: "notice",
      target: { kind: "person", userId: ANA },
      guildId: GUILD,
    } as const;
    const told = (dedupeKey: string) => ({
      ...notice,
      dedupeKey,
      accountId: null,
      payload: {},
      notBefore: NOON,
    });
    expect(await accounts().pause(here!.id, NOON, told("one"))).toBe(true);
    expect(await accounts().pause(there.id, NOON, told("other"))).toBe(false);
    expect((await accounts().findById(third.id))?.pausedAt).toBeUndefined();
    expect(await outboxStore(store().db, store().open.leaseNow).state("other")).toBeUndefined();
    const watch = await accounts().ofWatch(here!.watchId);
    expect(watch?.reader.id).toBe(third.id);
    await accounts().resume(there.id);
    expect((await accounts().findById(here!.id))?.pausedAt).toBeUndefined();
  });
});
