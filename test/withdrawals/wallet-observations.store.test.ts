import { beforeEach, describe, expect, test } from "vitest";
import { SET_BACK_MS } from "#src/shared/time.ts";
import { cents } from "#src/shared/money.ts";
import {
  type BesideUndecided,
  externalWithdrawals,
  forgetSeen,
  openListings,
  splitBalances,
} from "#src/withdrawals/wallet-observations.store.ts";
import { databases } from "../support/databases.ts";
import {
  ANA,
  anaKey,
  BRUNO,
  brunoKey,
  CARLA,
  GUILD,
  later,
  NOON,
  noticeTo,
  savedAccount,
} from "../database/builders.ts";
import { useStore, testAccounts } from "../database/use-store.ts";
import {
  ACCOUNT,
  forceState,
  journalOf,
  moved,
  newOp,
  opIn,
  OTHER_ACCOUNT,
  stepTo,
} from "./withdraw-builders.ts";

/** Connects Ana and Bruno, each to one of the samples' accounts. */
const connectBoth = async ({ db, vault }: ReturnType<ReturnType<typeof useStore>>) => {
  for (const [ownerId, key, accountFp] of [
    [ANA, anaKey, ACCOUNT],
    [BRUNO, brunoKey, OTHER_ACCOUNT],
  ] as const) {
    const { id } = await testAccounts(db, vault).save(savedAccount({ ownerId }), key);
    await db.updateTable("account").set({ account_fp: accountFp }).where("id", "=", id).execute();
  }
};

describe.each(databases)("the ghost watch on $name", (kind) => {
  const store = useStore(kind);
  const journal = () => journalOf(store());
  const observe = (
    txids: readonly string[],
    accountFp = ACCOUNT,
    beside?: Omit<BesideUndecided, "older">,
  ) =>
    externalWithdrawals(store().db).observe(
      accountFp,
      txids,
      NOON,
      (ghosts) => ghosts.map((txid) => noticeTo(ANA, `ghost|${accountFp}|${txid}`)),
      beside && { older: beside.txids, ...beside },
    );
  beforeEach(() => connectBoth(store()));
  const told = async () => {
    const rows = await store().db.selectFrom("outbox").select("dedupe_key").execute();
    return rows.map((row) => row.dedupe_key).toSorted();
  };

  test("takes what it first reads as it is, also an empty list", async () => {
    expect(await observe(["t1", "t2"])).toEqual([]);
    expect(await observe([], OTHER_ACCOUNT)).toEqual([]);
    expect(await observe(["t1", "t2"])).toEqual([]);
    expect(await observe(["t1"], OTHER_ACCOUNT)).toEqual(["t1"]);
    expect(await told()).toEqual([`ghost|${OTHER_ACCOUNT}|t1`]);
  });

  test("tells a new withdrawal once, though the list is paged and repeats itself", async () => {
    await observe(["t1", "t2"]);
    expect(await observe(["t3", "t2", "t3"])).toEqual(["t3"]);
    expect(await observe(["t3"])).toEqual([]);
    expect(await observe(["t1", "t2", "t3", "t4"])).toEqual(["t4"]);
    expect(await told()).toEqual([`ghost|${ACCOUNT}|t3`, `ghost|${ACCOUNT}|t4`]);
  });

  test("tells it once when several processes read at once", async () => {
    await observe(["t0"]);
    const lists = Array.from({ length: 8 }, (_, index) => ["t0", "t1", `t${2 + (index % 2)}`]);
    const ghosts = (await Promise.all(lists.map((list) => observe(list)))).flat();
    expect(ghosts.toSorted()).toEqual(["t1", "t2", "t3"]);
    expect(await told()).toHaveLength(3);
  });

  test("has one baseline when several processes read first at once", async () => {
    const ghosts = await Promise.all([observe(["t1"]), observe(["t1"]), observe(["t1"])]);
    expect(ghosts.flat()).toEqual([]);
  });

  test("does not tell what an operation of ours has claimed", async () => {
    await observe([]);
    await opIn(journal(), "accepted", {}, { txid: "t1" });
    expect(await observe(["t1", "t2"])).toEqual(["t2"]);
    expect(await observe(["t1", "t2"])).toEqual([]);
  });

  test("judges nothing while an operation is open, and tells the ghost afterwards", async () => {
    const listed = ["t0"];
    await observe(listed);
    for (const state of ["confirmed", "sending", "unknown", "manual"] as const) {
      const op = await opIn(journal(), state);
      const [own, ghost] = [`${state} own`, `${state} ghost`];
      listed.push(own, ghost);
      expect(await observe(listed), state).toEqual([]);
      const end = state === "confirmed" ? "refused_local" : "accepted";
      const change = state === "confirmed" ? {} : { txid: own };
      await moved(journal(), op, stepTo(end, { change }));
      expect(await observe(listed)).toEqual(state === "confirmed" ? [own, ghost] : [ghost]);
    }
  });

  test("tells beside a manual operation what cannot be that operation's", async () => {
    await observe(["t0"]);
    const op = await opIn(journal(), "manual");
    const beside = (opId: string, ...txids: readonly string[]) =>
      observe(["t0", "t1"], ACCOUNT, { opId, txids });
    await moved(journal(), op, stepTo("resolved_manual"));
    const next = await opIn(journal(), "manual");
    expect(await beside(op.id, "t1")).toEqual([]);
    expect(await beside(next.id)).toEqual([]);
    expect(await beside(next.id, "t1")).toEqual(["t1"]);
    expect(await beside(next.id, "t1")).toEqual([]);
    expect(await told()).toEqual([`ghost|${ACCOUNT}|t1`]);
  });

  test("S8: is told while one that was accepted cannot be read to its end", async () => {
    await observe(["t0"]);
    const accepted = await opIn(journal(), "accepted", {}, { txid: "t1" });
    await moved(journal(), accepted, stepTo("manual"));
    expect(await observe(["t0", "t1", "t2"])).toEqual(["t2"]);
  });

  test("takes no baseline while an operation is unknown", async () => {
    const op = await opIn(journal(), "unknown");
    await observe(["t1"]);
    await moved(journal(), op, stepTo("not_executed"));
    expect(await observe(["t1"])).toEqual([]);
    expect(await observe(["t1", "t2"])).toEqual(["t2"]);
  });

  test("begins the baseline of a later connection beside a manual operation, whose own is told after it", async () => {
    const op = await opIn(journal(), "manual", { preTxids: ["t0"] });
    const beside = (...txids: readonly string[]) =>
      observe(["t0", "t1", "t2", "t3"], ACCOUNT, { opId: op.id, txids });
    expect(await beside("t1")).toEqual([]);
    expect(await beside("t1", "t3")).toEqual(["t3"]);
    await moved(journal(), op, stepTo("resolved_manual"));
    expect(await observe(["t0", "t1", "t2", "t3"])).toEqual(["t2"]);
  });

  test("takes the list before the request of an operation as the baseline, while its connection stands", async () => {
    const { id: accountId } = await store()
      .db.selectFrom("account")
      .select("id")
      .where("account_fp", "=", ACCOUNT)
      .executeTakeFirstOrThrow();
    const op = await opIn(journal(), "unknown", { accountId, preTxids: ["t0"] });
    expect(await observe(["t0", "t1", "t2"])).toEqual([]);
    const manual = await moved(journal(), op, stepTo("manual"));
    const beside = { opId: manual.id, txids: ["t1"] };
    expect(await observe(["t0", "t1", "t2"], ACCOUNT, beside)).toEqual(["t1"]);
    await moved(journal(), manual, stepTo("accepted", { change: { txid: "t2" } }));
    expect(await observe(["t0", "t1", "t2"])).toEqual([]);
  });

  test("keeps nothing when its notice cannot be kept, so that it is told the next time", async () => {
    await observe([]);
    const failing = externalWithdrawals(store().db).observe(ACCOUNT, ["t1"], NOON, () => {
      throw new Error("no words");
    });
    await expect(failing).rejects.toThrow("no words");
    expect(await observe(["t1"])).toEqual(["t1"]);
  });

  test("knows what was never listed, once there is a baseline, and keeps nothing by asking", async () => {
    const unseen = (...txids: readonly string[]) =>
      externalWithdrawals(store().db).unseen(ACCOUNT, txids);
    expect(await unseen("t1")).toBeUndefined();
    await observe(["t1"]);
    expect(await unseen("t1")).toEqual([]);
    expect(await unseen("t2", "t1", "t2")).toEqual(["t2"]);
    expect(await unseen("t2")).toEqual(["t2"]);
    expect(await externalWithdrawals(store().db).unseen(OTHER_ACCOUNT, ["t1"])).toBeUndefined();
  });

  test("tells no withdrawal again that the list writes in another case since", async () => {
    await observe(["SW-T1"]);
    expect(await observe(["SW-T1", "SW-T2"])).toEqual(["SW-T2"]);
    expect(await observe(["sw-t1", "sw-t2", "sw-t3"])).toEqual(["sw-t3"]);
  });

  test("takes no baseline once the last connection went", async () => {
    await testAccounts(store().db, store().vault).remove(GUILD, ANA, ANA, NOON);
    expect(await observe(["t1"])).toEqual([]);
    expect(await externalWithdrawals(store().db).unseen(ACCOUNT, ["t1"])).toBeUndefined();
  });

  test("keeps the baselines of other accounts when the last connection of one goes", async () => {
    for (const accountFp of [ACCOUNT, OTHER_ACCOUNT]) await observe(["t1"], accountFp);
    await testAccounts(store().db, store().vault).remove(GUILD, ANA, ANA, NOON);
    expect(await externalWithdrawals(store().db).unseen(ACCOUNT, ["t1"])).toBeUndefined();
    expect(await observe(["t1", "t2"], OTHER_ACCOUNT)).toEqual(["t2"]);
  });

  test("tells again what an operation's owner disowned, and no other withdrawal", async () => {
    await observe(["t1", "t2"]);
    await observe(["t1"], OTHER_ACCOUNT);
    await forgetSeen(store().db, { accountFp: ACCOUNT, txid: "t1" });
    expect(await observe(["t1", "t2"])).toEqual(["t1"]);
    expect(await observe(["t1"], OTHER_ACCOUNT)).toEqual([]);
  });

  test("tells again what was disowned under a txid that the database does not write small", async () => {
    await observe(["SAÍDA-1"]);
    await forgetSeen(store().db, { accountFp: ACCOUNT, txid: "SAÍDA-1" });
    expect(await observe(["SAÍDA-1"])).toEqual(["SAÍDA-1"]);
  });

  test("gives a new turn to the operation alone whose declaration a withdrawal contradicts", async () => {
    const declared = await opIn(journal(), "completed");
    await opIn(journal(), "completed");
    const turns = async () => {
      const ops = await store().db.selectFrom("withdraw_op").select(["id", "turn"]).execute();
      return new Map(ops.map(({ id, turn }) => [id, turn]));
    };
    const before = await turns();
    await observe([]);
    const contradicts = new Map([["t1", declared]]);
    await externalWithdrawals(store().db).observe(
      ACCOUNT,
      ["t1"],
      NOON,
      () => [],
      undefined,
      contradicts,
    );
    const changed = [...(await turns())].filter(([id, turn]) => before.get(id) !== turn);
    expect(changed.map(([id]) => id)).toEqual([declared.id]);
  });

  test("reads a list of any length", async () => {
    await observe(Array.from({ length: 1_201 }, (_, index) => `old-${index}`));
    const seen = await store().db.selectFrom("ghost_seen").select("txid").execute();
    expect(seen).toHaveLength(1_201);
    expect(await observe(["old-1200", "new"])).toEqual(["new"]);
  });
});

describe.each(databases)("split balances on $name", (kind) => {
  const store = useStore(kind);
  const balances = () => splitBalances(store().db);
  beforeEach(() => connectBoth(store()));

  test("are the last that was said, of each recipient of each account", async () => {
    await balances().note(ACCOUNT, BRUNO, cents(1_000), NOON);
    await balances().note(ACCOUNT, BRUNO, cents(0), later(2));
    await balances().note(ACCOUNT, BRUNO, cents(777), later(1));
    const last = await balances().last(ACCOUNT, BRUNO);
    expect(last?.balance).toBe(0);
    expect(last?.at.equals(later(2))).toBe(true);
    expect(await balances().last(ACCOUNT, CARLA)).toBeUndefined();
    expect(await balances().last(OTHER_ACCOUNT, BRUNO)).toBeUndefined();
  });

  test("of a recipient are as last said until a step of the split changes them", async () => {
    const journal = journalOf(store());
    const split = { kind: "split_turbo", amount: undefined, recipientId: BRUNO } as const;
    const others = [
      [ACCOUNT, CARLA],
      [OTHER_ACCOUNT, BRUNO],
    ] as const;
    for (const [accountFp, owner] of others)
      await balances().note(accountFp, owner, cents(1_000), NOON);
    for (const [from, to, isKept, resolution] of [
      ["accepted", "failed", false],
      ["scheduled", "cancelled", false],
      ["unknown", "accepted", false],
      ["unknown", "completed", false],
      ["rejected", "completed", false],
      ["manual", "resolved_manual", false, "happened"],
      ["manual", "resolved_manual", true, "did_not_happen"],
      ["sending", "unknown", true],
      ["sending", "rejected", true],
      ["unknown", "not_executed", true],
      ["accepted", "processing", true],
      ["processing", "completed", true],
    ] as const) {
      const op = await forceState(store().db, await journal.draft(newOp(split), NOON), from);
      await balances().note(ACCOUNT, BRUNO, cents(1_000), NOON);
      const ended = await moved(journal, op, stepTo(to, { change: { resolution } }), later(1));
      const last = await balances().last(ACCOUNT, BRUNO);
      expect(last !== undefined, `from ${from} to ${to}`).toBe(isKept);
      await forceState(store().db, ended, "abandoned");
      for (const [accountFp, owner] of others)
        expect(await balances().last(accountFp, owner)).toBeDefined();
    }
  });

  test("stay where another process took the step first", async () => {
    const journal = journalOf(store());
    const split = { kind: "split_turbo", amount: undefined, recipientId: BRUNO } as const;
    const op = await forceState(store().db, await journal.draft(newOp(split), NOON), "sending");
    await moved(journal, op, stepTo("accepted"), later(1));
    await balances().note(ACCOUNT, BRUNO, cents(1_000), later(2));
    expect(await journal.move(op, stepTo("accepted"), later(3))).toEqual({ kind: "lost" });
    expect(await balances().last(ACCOUNT, BRUNO)).toMatchObject({ balance: 1_000 });
  });

  test("are said anew after a clock that was ahead has dated them", async () => {
    await balances().note(ACCOUNT, BRUNO, cents(1_000), later(SET_BACK_MS));
    await balances().note(ACCOUNT, BRUNO, cents(2_000), NOON);
    expect((await balances().last(ACCOUNT, BRUNO))?.balance).toBe(1_000);
    await balances().note(ACCOUNT, BRUNO, cents(1_000), later(SET_BACK_MS + 1));
    await balances().note(ACCOUNT, BRUNO, cents(2_000), NOON);
    expect(await balances().last(ACCOUNT, BRUNO)).toMatchObject({ balance: 2_000 });
  });

  test("go with the last connection to their account", async () => {
    const accounts = testAccounts(store().db, store().vault);
    const { accountFp } = await accounts.save(savedAccount(), anaKey);
    await accounts.save(savedAccount({ guildId: "900000000000000002" }), anaKey);
    await balances().note(accountFp, BRUNO, cents(1_000), NOON);
    await balances().note(OTHER_ACCOUNT, BRUNO, cents(1_000), NOON);
    await accounts.remove(GUILD, ANA, ANA, NOON);
    expect(await balances().last(accountFp, BRUNO)).toBeDefined();
    await accounts.remove("900000000000000002", ANA, ANA, NOON);
    expect(await balances().last(accountFp, BRUNO)).toBeUndefined();
    expect(await balances().last(OTHER_ACCOUNT, BRUNO)).toBeDefined();
  });
});

describe.each(databases)("listings of open withdrawals on $name", (kind) => {
  const store = useStore(kind);
  const listings = () => openListings(store().db);

  test("S6: are known for one account and one kind, however often they are seen", async () => {
    expect(await listings().isKnown(ACCOUNT, "turbo")).toBe(false);
    await listings().note(ACCOUNT, "turbo");
    await listings().note(ACCOUNT, "turbo");
    expect(await listings().isKnown(ACCOUNT, "turbo")).toBe(true);
    expect(await listings().isKnown(ACCOUNT, "normal")).toBe(false);
    expect(await listings().isKnown(OTHER_ACCOUNT, "turbo")).toBe(false);
  });
});
