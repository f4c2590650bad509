import { describe, expect, test } from "vitest";
import { withdrawStates } from "#src/withdrawals/withdraw-op.ts";
import { opAfter } from "#src/withdrawals/withdraw-transition.service.ts";
import { MINUTE } from "#src/shared/time.ts";
import { cents } from "#src/shared/money.ts";
import { databases, testRandom } from "../support/databases.ts";
import { isLegalStep } from "../support/legal-steps.ts";
import { ANA, CARLA, later, NOON } from "../database/builders.ts";
import { useStore } from "../database/use-store.ts";
import {
  forceState,
  journalOf,
  moved,
  newCancel,
  newOp,
  opIn,
  PIX_KEY,
  stepTo,
} from "./withdraw-builders.ts";

const pairs = withdrawStates.flatMap((from) => withdrawStates.map((to) => ({ from, to })));

describe.each(databases)("the journal on $name", (kind) => {
  const store = useStore(kind);
  const journal = () => journalOf(store());

  test("gives a draft back as it was kept", async () => {
    const given = newOp({
      kind: "split_turbo",
      locale: "en-US",
      amount: undefined,
      recipientId: CARLA,
      confirmationsLeft: 2,
      preTxids: ["t1", 't"2'],
      preBalance: cents(99_999),
      skewMs: -1_234.4,
    });
    const op = await journal().draft(given, NOON);
    const { pixKey, confirmTokenHash, ...kept } = given;
    expect(op).toMatchObject({ ...kept, skewMs: -1_234, state: "draft", version: 0 });
    expect(op).toMatchObject({ checks: 0, absences: 0, txid: undefined, nextCheckAt: undefined });
    expect(op.id).toMatch(/^W-[0-9A-Z]{5}$/);
    expect(op.createdAt.equals(NOON)).toBe(true);
    expect(await journal().find(op.id)).toEqual(op);
    expect(await journal().findByToken(confirmTokenHash)).toEqual(op);
    expect(await journal().pixKeyOf(op.id)).toBe(pixKey);
  });

  test("draws another code when one is taken", async () => {
    const numbers = [1, 1, 2];
    const random = {
      ...testRandom,
      bytes: (size: number) =>
        size === 5 ? new Uint8Array(size).fill(numbers.shift() ?? 3) : testRandom.bytes(size),
    };
    const drawing = journalOf(store(), random);
    const [one, two] = [await drawing.draft(newOp(), NOON), await drawing.draft(newOp(), NOON)];
    expect([one.id, two.id]).toEqual(["W-11111", "W-22222"]);
    expect(await drawing.pixKeyOf(two.id)).toBe(PIX_KEY);
  });

  test("says so when no code is free", async () => {
    const random = {
      ...testRandom,
      bytes: (size: number) => (size === 5 ? new Uint8Array(5) : testRandom.bytes(size)),
    };
    await journalOf(store(), random).draft(newOp(), NOON);
    await expect(journalOf(store(), random).draft(newOp(), NOON)).rejects.toThrow(
      /No code is free/,
    );
  });

  test("takes no cancellation or refund without a target, and no target without one", async () => {
    for (const kind of ["cancel", "refund"] as const)
      await expect(journal().draft(newOp({ kind }), NOON)).rejects.toThrow(RangeError);
    await expect(journal().draft(newOp({ targetTxid: "t" }), NOON)).rejects.toThrow(RangeError);
  });

  test("lets every legal step be taken, with its event", async () => {
    for (const { from, to } of pairs.filter((each) => isLegalStep(each.from, each.to))) {
      const start = await journal().draft(newOp({ accountFp: `${from}-${to}` }), NOON);
      const op = await forceState(store().db, start, from);
      expect(await journal().move(op, stepTo(to), later(1))).toMatchObject({
        kind: "moved",
        op: { id: op.id, state: to, version: 1 },
      });
      expect(await journal().events(op.id)).toMatchObject([
        { from: undefined, to: "draft" },
        { from, to, reason: "test" },
      ]);
    }
  });

  test("refuses every illegal step without asking the database", async () => {
    const op = await journal().draft(newOp(), NOON);
    const broken = journalOf({ ...store(), db: undefined as never });
    for (const { from, to } of pairs.filter((each) => !isLegalStep(each.from, each.to))) {
      const move = broken.move({ ...op, state: from }, stepTo(to), NOON);
      await expect(move, `${from} to ${to}`).rejects.toThrow(RangeError);
    }
  });

  test("takes again after a fail-over only a step whose question was given back", async () => {
    const op = await journal().draft(newOp(), NOON);
    const broken = journalOf({ ...store(), db: undefined as never });
    const again = { to: "confirmed", reason: "restored" } as const;
    for (const from of withdrawStates.filter((state) => !isLegalStep(state, again.to))) {
      if (from === "abandoned") continue;
      const move = broken.move({ ...op, state: from }, again, NOON);
      await expect(move, from).rejects.toThrow(RangeError);
    }
  });

  test("waits for a token only as long as it is a draft", async () => {
    const given = newOp({ confirmationsLeft: 2 });
    const op = await journal().draft(given, NOON);
    const next = { confirmTokenHash: "next", confirmationsLeft: 1, confirmExpiresAt: later(9) };
    const asked = await journal().amend(op, next, later(1));
    expect(asked).toMatchObject({ state: "draft", version: 1, confirmationsLeft: 1 });
    expect(await journal().findByToken(given.confirmTokenHash)).toBeUndefined();
    expect(await journal().findByToken("next")).toEqual(asked);
    const confirmed = await moved(journal(), asked!, stepTo("confirmed"), later(2));
    expect(confirmed).toMatchObject({ confirmationsLeft: 0 });
    expect(confirmed.confirmedAt?.equals(later(2))).toBe(true);
    expect(await journal().findByToken("next")).toBeUndefined();
    await expect(journal().amend(confirmed, { confirmTokenHash: "again" }, NOON)).rejects.toThrow(
      RangeError,
    );
  });

  test("keeps what was learnt, and takes back only what can be taken back", async () => {
    const change = { txid: "t1", amount: cents(5), firstAbsentAt: NOON, nextCheckAt: later(9) };
    const op = await opIn(journal(), "accepted", {}, change);
    const after = await journal().amend(
      op,
      {
        amount: undefined,
        preTxids: undefined,
        firstAbsentAt: undefined,
        nextCheckAt: undefined,
        checks: 3,
      },
      later(1),
    );
    expect(after).toMatchObject({ txid: "t1", amount: 5, checks: 3, version: op.version + 1 });
    expect(after).toMatchObject({ firstAbsentAt: undefined, nextCheckAt: undefined });
    expect(await journal().events(op.id)).toHaveLength(4);
  });

  test("leaves an operation as its message was worded before the step", async () => {
    const unknown = await opIn(journal(), "unknown", {}, { errorCode: "HTTP_500" });
    const change = { txid: "t1", amount: undefined, errorCode: undefined, nextCheckAt: later(9) };
    const after = opAfter(unknown, "accepted", change, later(1));
    expect(await moved(journal(), unknown, stepTo("accepted", { change }), later(1))).toEqual(
      after,
    );
  });

  test("is due at once where nobody said when to look, and never again after the end", async () => {
    const sending = await opIn(journal(), "sending");
    expect(sending.sentAt?.equals(NOON)).toBe(true);
    const unknown = await moved(journal(), sending, stepTo("unknown"), later(MINUTE));
    expect(unknown.nextCheckAt?.equals(later(MINUTE))).toBe(true);
    const ended = await moved(journal(), unknown, stepTo("not_executed"), later(2 * MINUTE));
    expect(ended.nextCheckAt).toBeUndefined();
    expect(await journal().nextDueAt()).toBeUndefined();
  });

  test("writes down codes and no text", async () => {
    const sending = await opIn(journal(), "sending");
    const text = "Chave 529.982.247-25 recusada pelo banco";
    const step = stepTo("rejected", { reason: text, change: { errorCode: text } });
    expect(await moved(journal(), sending, step)).toMatchObject({ errorCode: "unnamed" });
    expect((await journal().events(sending.id)).at(-1)?.reason).toBe("unnamed");
  });

  test("has events that nobody can change, the database's own tools included", async () => {
    const op = await opIn(journal(), "unknown");
    const before = await journal().events(op.id);
    const changing = store().db.updateTable("withdraw_event").set({ reason: "other" }).execute();
    await expect(changing).rejects.toThrow(/never changed/);
    expect(await journal().events(op.id)).toEqual(before);
  });

  test("audits what its owner decided", async () => {
    const manual = await opIn(journal(), "manual");
    const change = { resolvedBy: ANA, resolution: "did_not_happen" } as const;
    await moved(journal(), manual, stepTo("resolved_manual", { change }));
    const rows = await store().db.selectFrom("audit_event").selectAll().execute();
    expect(rows).toMatchObject([{ actor: ANA, action: "withdrawal_decided", subject: manual.id }]);
  });

  test("keeps no key of a cancellation, and opens no key for another's operation", async () => {
    const cancel = await journal().draft(newCancel("t9"), NOON);
    expect(await journal().pixKeyOf(cancel.id)).toBeUndefined();
    const op = await journal().draft(newOp(), NOON);
    await store().db.updateTable("withdraw_op").set({ owner_id: CARLA }).execute();
    await expect(journal().pixKeyOf(op.id)).rejects.toMatchObject({ kind: "unreadable_secret" });
  });
});
