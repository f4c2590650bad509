import { describe, expect, test } from "vitest";
import { lockingStates } from "#src/withdrawals/withdraw-op.ts";
import { outboxStore } from "#src/delivery/outbox.store.ts";
import { databases } from "../support/databases.ts";
import { ANA, BRUNO, later, NOON, noticeTo } from "../database/builders.ts";
import { useStore } from "../database/use-store.ts";
import {
  ACCOUNT,
  forceState,
  journalOf,
  moved,
  newCancel,
  newOp,
  newRefund,
  opIn,
  OTHER_ACCOUNT,
  stepTo,
} from "./withdraw-builders.ts";

const MANY = 24;

describe.each(databases)("operations at once on $name", (kind) => {
  const store = useStore(kind);
  const journal = () => journalOf(store());
  const owed = async () => {
    const rows = await store().db.selectFrom("outbox").select("dedupe_key").execute();
    return rows.map((row) => row.dedupe_key);
  };

  test("of many that move one operation exactly one wins, with its notice", async () => {
    const op = await opIn(journal(), "unknown");
    const steps = Array.from({ length: MANY }, (_, index) =>
      stepTo(index % 2 ? "accepted" : "not_executed", {
        reason: `by-${index}`,
        notices: [noticeTo(ANA, `withdrawal|${index}`)],
      }),
    );
    const results = await Promise.all(steps.map((step) => journal().move(op, step, later(1))));
    const winners = results.flatMap(({ kind }, index) => (kind === "moved" ? [index] : []));
    expect(winners).toHaveLength(1);
    expect(results.filter(({ kind }) => kind === "lost")).toHaveLength(MANY - 1);
    const [winner] = winners;
    expect(await owed()).toEqual([`withdrawal|${winner}`]);
    expect((await journal().events(op.id)).at(-1)?.reason).toBe(`by-${winner}`);
    expect(await journal().find(op.id)).toMatchObject({ version: op.version + 1 });
  });

  test("of amendments and steps on one version exactly one wins", async () => {
    const op = await opIn(journal(), "unknown");
    const results = await Promise.all(
      Array.from({ length: MANY }, async (_, index) =>
        index % 2
          ? (await journal().amend(op, { checks: index }, NOON)) !== undefined
          : (await journal().move(op, stepTo("manual"), NOON)).kind === "moved",
      ),
    );
    expect(results.filter(Boolean)).toHaveLength(1);
  });

  test("what was changed since it was read is neither moved nor changed", async () => {
    const read = await opIn(journal(), "unknown");
    const changed = await journal().amend(read, { absences: 1 }, NOON);
    expect(await journal().move(read, stepTo("manual"), NOON)).toEqual({ kind: "lost" });
    expect(await journal().amend(read, { absences: 9 }, NOON)).toBeUndefined();
    expect(await journal().find(read.id)).toEqual(changed);
    expect((await journal().move(changed!, stepTo("manual"), NOON)).kind).toBe("moved");
    expect(await journal().amend(changed!, { absences: 9 }, NOON)).toBeUndefined();
  });

  test("of one wallet account only one is confirmed, whoever of its owners asks", async () => {
    const drafts = await Promise.all(
      Array.from({ length: MANY }, (_, index) =>
        journal().draft(newOp({ ownerId: index % 2 ? ANA : BRUNO }), NOON),
      ),
    );
    const results = await Promise.all(
      drafts.map((op, index) =>
        journal().move(
          op,
          stepTo("confirmed", { notices: [noticeTo(ANA, `withdrawal|${index}`)] }),
          NOON,
        ),
      ),
    );
    const kinds = results.map((result) => result.kind);
    expect(kinds.filter((kind) => kind === "moved")).toHaveLength(1);
    expect(kinds.filter((kind) => kind === "account_busy")).toHaveLength(MANY - 1);
    const winner = kinds.indexOf("moved");
    expect((await journal().lockOf(ACCOUNT))?.id).toBe(drafts[winner]?.id);
    // The losers leave neither event nor notice.
    expect(await owed()).toEqual([`withdrawal|${winner}`]);
    const events = await store().db.selectFrom("withdraw_event").select("op_id").execute();
    expect(events).toHaveLength(MANY + 1);
  });

  test("one that is on its way or in doubt locks its account and no other", async () => {
    for (const state of [...lockingStates, "manual" as const]) {
      const [accountFp, elsewhere] = [`${state} here`, `${state} elsewhere`];
      await forceState(store().db, await journal().draft(newOp({ accountFp }), NOON), state);
      const same = await journal().draft(newOp({ accountFp, ownerId: BRUNO }), NOON);
      const step = await journal().move(same, stepTo("confirmed"), NOON);
      expect(step, state).toEqual({ kind: "account_busy" });
      expect(await journal().find(same.id)).toMatchObject({ state: "draft", version: 0 });
      const other = await journal().draft(newOp({ accountFp: elsewhere }), NOON);
      expect((await journal().move(other, stepTo("confirmed"), NOON)).kind).toBe("moved");
    }
  });

  test("S8: of what the service accepted none locks its account, however far it is", async () => {
    for (const accountFp of ["accepted", "scheduled", "processing", "manual"] as const) {
      const first = await opIn(journal(), "accepted", { accountFp }, { txid: "t1" });
      if (accountFp !== "accepted") await moved(journal(), first, stepTo(accountFp));
      expect(await journal().lockOf(accountFp)).toBeUndefined();

      const second = await opIn(journal(), "sending", { accountFp, ownerId: BRUNO });
      expect((await journal().lockOf(accountFp))?.id).toBe(second.id);
      const third = await journal().draft(newOp({ accountFp }), NOON);
      const step = await journal().move(third, stepTo("confirmed"), NOON);
      expect(step, accountFp).toEqual({ kind: "account_busy" });
      await moved(journal(), second, stepTo("accepted", { change: { txid: "t2" } }), later(1));
      expect((await journal().move(third, stepTo("confirmed"), NOON)).kind).toBe("moved");
      const open = await journal().openOf(accountFp);
      expect(open.map(({ id }) => id).toSorted()).toEqual(
        [first.id, second.id, third.id].toSorted(),
      );
    }
  });

  test("S8: one whose txid becomes known does not lock any more, and every step from there is taken", async () => {
    const lost = await opIn(journal(), "unknown");
    const found = await moved(journal(), lost, stepTo("accepted", { change: { txid: "t1" } }));
    await opIn(journal(), "unknown", { ownerId: BRUNO });
    const manual = await moved(journal(), found, stepTo("manual"));
    const again = await moved(journal(), manual, stepTo("accepted"));
    expect((await journal().move(again, stepTo("completed"), NOON)).kind).toBe("moved");
  });

  test("one that ended frees its account", async () => {
    const op = await opIn(journal(), "sending");
    await moved(journal(), op, stepTo("not_sent"));
    expect((await opIn(journal(), "sending")).state).toBe("sending");
  });

  test("a cancellation goes beside the open withdrawal, and once for each target", async () => {
    await opIn(journal(), "scheduled", {}, { txid: "t1" });
    const [one, two] = [
      await journal().draft(newCancel("t1"), NOON),
      await journal().draft(newCancel("t1", { ownerId: BRUNO }), NOON),
    ];
    const first = await moved(journal(), one, stepTo("confirmed"));
    expect(await journal().move(two, stepTo("confirmed"), NOON)).toEqual({ kind: "account_busy" });
    const other = await journal().draft(newCancel("t2"), NOON);
    expect((await journal().move(other, stepTo("confirmed"), NOON)).kind).toBe("moved");
    expect((await journal().openOf(ACCOUNT)).map(({ kind }) => kind)).toEqual(["normal"]);
    await moved(journal(), first, stepTo("refused_local"));
    expect((await journal().move(two, stepTo("confirmed"), NOON)).kind).toBe("moved");
  });

  test("a payment has one open refund, in whatever account, beside withdrawals of any state", async () => {
    await opIn(journal(), "unknown");
    const drafts = await Promise.all(
      Array.from({ length: MANY }, (_, index) => {
        const accountFp = index % 2 === 0 ? ACCOUNT : OTHER_ACCOUNT;
        return journal().draft(newRefund("p1", { accountFp }), NOON);
      }),
    );
    const results = await Promise.all(
      drafts.map((draft) => journal().move(draft, stepTo("confirmed"), NOON)),
    );
    const won = results.flatMap((result) => (result.kind === "moved" ? [result.op] : []));
    expect(won).toHaveLength(1);
    expect(results.filter(({ kind }) => kind === "account_busy")).toHaveLength(MANY - 1);
    const other = await journal().draft(newRefund("p2"), NOON);
    expect((await journal().move(other, stepTo("confirmed"), NOON)).kind).toBe("moved");
    for (const op of won) {
      const sent = await moved(journal(), op, stepTo("sending"));
      expect(await journal().refundsOf("p1")).toEqual([sent]);
      await moved(journal(), sent, stepTo("rejected"));
    }
    const next = drafts.find(({ id }) => won.every((op) => op.id !== id));
    if (next === undefined) throw new Error("All drafts won");
    expect((await journal().move(next, stepTo("confirmed"), NOON)).kind).toBe("moved");
  });

  test("a payment whose refund its owner says was made has no other, in whatever account", async () => {
    const change = { resolvedBy: ANA, resolution: "happened" } as const;
    await opIn(journal(), "resolved_manual", newRefund("p1"), change);
    const next = await journal().draft(newRefund("p1", { accountFp: OTHER_ACCOUNT }), NOON);
    expect(await journal().move(next, stepTo("confirmed"), NOON)).toEqual({ kind: "account_busy" });
  });

  test("a refund of unknown outcome locks no withdrawal", async () => {
    const refund = await journal().draft(newRefund("p1"), NOON);
    const sent = await moved(
      journal(),
      await moved(journal(), refund, stepTo("confirmed")),
      stepTo("sending"),
    );
    await moved(journal(), sent, stepTo("unknown"));
    expect(await journal().lockOf(ACCOUNT)).toBeUndefined();
    expect((await opIn(journal(), "sending")).state).toBe("sending");
  });

  test("S8: those of an account that are sent at once have turns of their own", async () => {
    const ops = await Promise.all(
      Array.from({ length: MANY }, (_, index) =>
        opIn(journal(), "confirmed", newRefund(`p${index}`)),
      ),
    );
    await Promise.all(ops.map((op) => moved(journal(), op, stepTo("sending"))));
    const rows = await store().db.selectFrom("withdraw_op").select("turn").execute();
    expect(new Set(rows.map(({ turn }) => turn)).size).toBe(MANY);
  });

  test("one withdrawal of the service belongs to one operation of its account", async () => {
    const done = await opIn(journal(), "accepted", {}, { txid: "t1" });
    await moved(journal(), done, stepTo("completed"));
    const op = await opIn(journal(), "unknown");
    const notices = [noticeTo(ANA, "withdrawal|stolen")];
    const claim = stepTo("accepted", { change: { txid: "t1" }, notices });
    expect(await journal().move(op, claim, NOON)).toEqual({ kind: "txid_taken" });
    expect(await journal().find(op.id)).toEqual(op);
    expect(await owed()).toEqual([]);
    const elsewhere = await opIn(journal(), "sending", { accountFp: OTHER_ACCOUNT });
    expect((await journal().move(elsewhere, claim, NOON)).kind).toBe("moved");
  });

  test("a notice that cannot be kept takes its step back", async () => {
    const op = await opIn(journal(), "sending");
    const unwritable = {
      ...noticeTo(ANA, "withdrawal|x"),
      notBefore: Temporal.Instant.from("-000001-01-01T00:00Z"),
    };
    const step = stepTo("unknown", { notices: [noticeTo(ANA, "withdrawal|first"), unwritable] });
    await expect(journal().move(op, step, NOON)).rejects.toThrow(RangeError);
    expect(await journal().find(op.id)).toEqual(op);
    expect(await journal().events(op.id)).toHaveLength(3);
    expect(await owed()).toEqual([]);
    const outbox = outboxStore(store().db, store().open.leaseNow);
    expect(await outbox.state("withdrawal|first")).toBeUndefined();
  });
});
