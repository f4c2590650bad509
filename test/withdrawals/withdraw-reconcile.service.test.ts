import { describe, expect, it } from "vitest";
import type { Dispute } from "#src/disputes/dispute.ts";
import { cents } from "#src/shared/money.ts";
import { SECOND, MINUTE, HOUR } from "#src/shared/time.ts";
import {
  actor,
  addOldOne,
  confirmed,
  disconnect,
  lostOne,
  type MoneyStage,
  openMoneyStage,
  prepared,
  refusal,
} from "./money-stage.ts";
import { failure, LOST } from "./plain-wallet.ts";
import { sampleDispute } from "../disputes/dispute-samples.ts";

/** An operation with a lost answer; `works` decides whether it was executed. */
const lost = async (works: boolean, before?: (stage: MoneyStage) => void) => {
  const stage = await openMoneyStage();
  await addOldOne(stage);
  before?.(stage);
  return { stage, id: (await lostOne(stage, works)).id };
};

describe("an unknown outcome", () => {
  it("blocks the account and says why", async () => {
    const { stage, id } = await lost(true);

    expect(await refusal(prepared(stage))).toEqual({
      kind: "account_busy",
      opId: id,
      why: "unknown",
    });
  });

  it("is found by reading, and followed from there", async () => {
    const { stage, id } = await lost(true);

    const next = await stage.check();
    expect((await stage.op(id)).state).toBe("unknown");
    expect(next?.toString()).toBe("2026-11-20T15:00:05Z");
    await stage.follow(5 * SECOND, SECOND);

    expect(await stage.op(id)).toMatchObject({ state: "processing", txid: "TX0001", fee: 350 });
    expect(await stage.messages()).toEqual([
      `withdrawal|${id}|unknown obsolete`,
      `withdrawal|${id}|accepted due`,
    ]);
    expect(stage.sent).toHaveLength(1);
  });

  it.each([
    ["completed", ["completed"]],
    ["failed", ["accepted", "failed"]],
    ["cancelled", ["accepted", "cancelled"]],
  ] as const)("that has become %s meanwhile is told once, as its end", async (status, states) => {
    const { stage, id } = await lost(true);
    stage.become("TX0001", { status });

    await stage.follow(5 * SECOND, 5 * SECOND);

    const events = await stage.stores.journal.events(id);
    expect(events.map(({ to }) => to).slice(4)).toEqual(states);
    expect(await stage.messages()).toEqual([
      `withdrawal|${id}|unknown obsolete`,
      `withdrawal|${id}|${status} due`,
    ]);
  });

  it("S6: is its owner's after 45 minutes, and was not executed when it is absent three days later", async () => {
    const { stage, id } = await lost(false);

    await stage.follow(44 * MINUTE, 11 * MINUTE);
    expect(await stage.op(id)).toMatchObject({ state: "unknown", absences: 0 });
    await stage.follow(MINUTE, MINUTE);
    expect(await stage.op(id)).toMatchObject({ state: "manual", absences: 0 });
    await stage.follow(71 * HOUR, HOUR);
    expect(await stage.op(id)).toMatchObject({ state: "manual", absences: 0 });
    await stage.follow(2 * HOUR, HOUR);

    expect(await stage.op(id)).toMatchObject({ state: "not_executed", absences: 2 });
    expect(await stage.messages()).toContain(`withdrawal|${id}|not_executed due`);
    expect(await refusal(prepared(stage))).toBe("was not refused");
  });

  it.each<[string, (stage: MoneyStage) => Promise<unknown> | void]>([
    [
      "a list that was never seen to hold one that is not over",
      ({ db }) =>
        db
          .deleteFrom("meta")
          .where("name", "like", "open_listed%")
          .execute()
          .then(() => {}),
    ],
    ["a balance that fell a little", (stage) => void (stage.available -= 1)],
  ])("S6: is not concluded from %s, however long it is absent", async (_, change) => {
    const { stage, id } = await lost(false);
    await change(stage);

    await stage.follow(HOUR, 15 * MINUTE);
    await stage.follow(100 * HOUR, 5 * HOUR);

    expect(await stage.op(id)).toMatchObject({ state: "manual", absences: 0 });
  });

  /** A dispute of a minute after the request that froze what the balance fell by. */
  const frozen = ({ clock, disputes }: MoneyStage, given: Partial<Dispute> = {}): void => {
    const createdAt = clock.now().add({ minutes: 1 });
    const opened = { infractionId: "d1", frozen: cents(5_000), createdAt, contestedAt: createdAt };
    disputes.set("d1", sampleDispute({ ...opened, ...given }));
  };

  it.each<[string, Partial<Dispute>]>([
    ["froze", {}],
    [
      "took, cancelled and accepted by the bank,",
      { status: "canceled", analysisStatus: "accepted" },
    ],
  ])(
    "S6: is not told as made where a dispute opened since %s what the balance fell by",
    async (_, end) => {
      const { stage, id } = await lost(false);
      frozen(stage, end);
      stage.available -= 5_000;

      await stage.follow(5 * MINUTE, MINUTE);
      expect((await stage.op(id)).state).toBe("unknown");
      await stage.follow(100 * HOUR, 5 * HOUR);

      expect(await stage.op(id)).toMatchObject({ state: "manual", errorCode: "timeout" });
    },
  );

  it.each<[string, (stage: MoneyStage) => void]>([
    ["no dispute is there", () => {}],
    [
      "a dispute was opened before",
      (stage) => frozen(stage, { createdAt: stage.clock.now().subtract({ seconds: 1 }) }),
    ],
    [
      "a dispute was decided for the seller",
      (stage) => frozen(stage, { analysisStatus: "rejected" }),
    ],
    ["a dispute was cancelled", (stage) => frozen(stage, { status: "canceled" })],
    [
      "a dispute cannot be read",
      (stage) => {
        frozen(stage);
        stage.failing.set("dispute", "timeout");
      },
    ],
    [
      "a dispute froze as much beside it",
      (stage) => {
        frozen(stage);
        stage.available -= 5_000;
      },
    ],
  ])("S6: is its owner's at once when the balance fell by its amount and %s", async (_, change) => {
    const { stage, id } = await lost(false);
    change(stage);
    stage.available -= 5_000;

    await stage.follow(5 * MINUTE, MINUTE);

    expect(await stage.op(id)).toMatchObject({ state: "manual", errorCode: "balance_fell" });
  });

  it("S6: that shows late is found, after its owner was asked", async () => {
    const { stage, id } = await lost(false);
    const sentAt = stage.clock.now();
    await stage.follow(HOUR, 15 * MINUTE);
    expect((await stage.op(id)).state).toBe("manual");

    stage.add({ txid: "LATE", requestedAt: sentAt });
    await stage.follow(HOUR, 10 * MINUTE);

    expect(await stage.op(id)).toMatchObject({ state: "processing", txid: "LATE" });
  });

  it("S6: of which the balance is read anew just before the request", async () => {
    const stage = await openMoneyStage();
    const confirmation = await prepared(stage);
    stage.available += 700;
    stage.answer = LOST;

    const { op } = await confirmed(stage, confirmation);

    expect(op.preBalance).toBe(100_700);
  });

  it("is never concluded from a page that does not reach back", async () => {
    const { stage, id } = await lost(true, (wallet) => {
      wallet.pageSize = 2;
    });
    const { requestedAt } = stage.executed.get("TX0001") ?? {};
    for (const _ of [1, 2, 3]) {
      stage.add({ pixKey: "carla@example.com", ...(requestedAt && { requestedAt }) });
    }

    await stage.follow(HOUR, 15 * MINUTE);

    expect(await stage.op(id)).toMatchObject({ state: "manual", absences: 0 });
    await stage.follow(80 * HOUR, 5 * HOUR);
    expect(await stage.op(id)).toMatchObject({ state: "manual", absences: 0 });
  });

  it("is handed to its owner after 45 minutes without evidence, and read on", async () => {
    const { stage, id } = await lost(
      false,
      ({ failing }) => void failing.set("withdrawals", "malformed"),
    );

    await stage.follow(44 * MINUTE, 11 * MINUTE);
    expect((await stage.op(id)).state).toBe("unknown");
    await stage.follow(MINUTE, MINUTE);

    const { state, nextCheckAt } = await stage.op(id);
    expect([state, nextCheckAt?.toString()]).toEqual(["manual", "2026-11-20T16:45:00Z"]);
    expect(await stage.messages()).toContain(`withdrawal|${id}|manual due`);
    expect(await refusal(prepared(stage))).toMatchObject({ why: "manual" });
  });

  it("is handed to its owner when two withdrawals match", async () => {
    const { stage, id } = await lost(true);
    stage.add({ amount: cents(5_000), isTurbo: true });

    await stage.follow(5 * SECOND, 5 * SECOND);

    expect(await stage.op(id)).toMatchObject({ state: "manual", txid: undefined });
  });

  it("is handed to its owner when one matches and the list could not be read before the request", async () => {
    const { stage, id } = await lost(
      true,
      ({ failing }) => void failing.set("withdrawals", "malformed"),
    );
    stage.failing.delete("withdrawals");

    await stage.follow(5 * SECOND, 5 * SECOND);

    expect(await stage.op(id)).toMatchObject({ state: "manual", txid: undefined });
  });

  it("is not taken for a stranger's withdrawal", async () => {
    const { stage, id } = await lost(false);
    stage.add({ pixKey: "carla@example.com" });

    await stage.follow(74 * HOUR, HOUR);

    expect((await stage.op(id)).state).toBe("not_executed");
  });

  it.each([
    ["dated an hour before", { requestedAt: Temporal.Instant.from("2026-11-20T14:00Z") }],
    ["S1: to a key masked past recognition", { pixKey: "####" }],
  ])("is left to its owner while one %s may be it", async (_, changes) => {
    const { stage, id } = await lost(false);
    stage.add(changes);

    await stage.follow(15 * MINUTE, MINUTE);
    expect(await stage.op(id)).toMatchObject({ state: "unknown", absences: 0 });
    await stage.follow(80 * HOUR, 5 * HOUR);

    expect(await stage.op(id)).toMatchObject({ state: "manual", absences: 0 });
  });

  it("concludes nothing while one that is new cannot be read", async () => {
    const { stage, id } = await lost(true);
    stage.failing.set("withdrawal", "not_found");

    await stage.follow(HOUR, 15 * MINUTE);
    await stage.follow(80 * HOUR, 5 * HOUR);
    expect(await stage.op(id)).toMatchObject({ state: "manual", absences: 0 });
    stage.failing.clear();
    await stage.follow(HOUR, 30 * MINUTE);

    expect((await stage.op(id)).txid).toBe("TX0001");
  });

  it("adopts no match while another one that is new cannot be read", async () => {
    const { stage, id } = await lost(true);
    const other = stage.add();
    const { wallet } = stage;
    const read: typeof wallet.withdrawal = (key, txid, priority) =>
      txid === other.txid
        ? Promise.reject(failure("not_found"))
        : wallet.withdrawal(key, txid, priority);
    const money = stage.process({ wallet: { ...wallet, withdrawal: read } });
    stage.clock.moveBy(MINUTE);

    await stage.check(money);

    expect(await stage.op(id)).toMatchObject({ state: "unknown", txid: undefined });
  });

  it("is read every 15 minutes while the service refuses the key", async () => {
    const { stage, id } = await lost(
      true,
      ({ failing }) => void failing.set("withdrawals", "timeout"),
    );
    stage.failing.set("withdrawals", "unauthorized");

    await stage.follow(5 * SECOND, 5 * SECOND);

    expect((await stage.op(id)).nextCheckAt?.toString()).toBe("2026-11-20T15:15:05Z");
  });

  it("is checked at once when its owner asks", async () => {
    const { stage, id } = await lost(true);

    const { op, withdrawal } = await stage.money.withdrawals.check(actor(), id);

    expect(op).toMatchObject({ state: "processing", txid: "TX0001" });
    expect(withdrawal?.txid).toBe("TX0001");
    const bruno = actor({ userId: "920000000000000002" });
    expect(await refusal(stage.money.withdrawals.check(bruno, id))).toEqual({
      kind: "withdrawal_not_found",
    });
  });

  it("is told by message when showing it fails", async () => {
    const { stage, id } = await lost(true);
    stage.clock.moveBy(5 * SECOND);

    await stage.check(stage.process({ show: () => Promise.reject(new Error("no Discord")) }));

    expect(await stage.messages()).toContain(`withdrawal|${id}|accepted due`);
  });

  it("waits for a key for a day, and goes on when the same key is connected again", async () => {
    const { stage, id } = await lost(true);
    await disconnect(stage);
    await stage.follow(2 * HOUR, HOUR);
    expect((await stage.op(id)).state).toBe("unknown");

    await stage.follow(23 * HOUR, HOUR);

    expect((await stage.op(id)).state).toBe("manual");
  });

  it("survives its process: the next one finds `sending`, reads, and sends nothing", async () => {
    const stage = await openMoneyStage();
    const confirmation = await prepared(stage);
    stage.onRequest = () => new Promise(() => {});
    void stage.money.withdrawals.confirm(actor(), confirmation.token, undefined);
    while (stage.sent.length === 0) await new Promise((resolve) => setImmediate(resolve));
    stage.add({ amount: cents(5_000) });
    const next = stage.process();

    await next.sweep(true);
    expect((await stage.op(confirmation.op.id)).state).toBe("unknown");
    await stage.check(next);

    const found = { state: "processing", txid: "TX0001" };
    expect(await stage.op(confirmation.op.id)).toMatchObject(found);
    expect(stage.sent).toHaveLength(1);
  });
});
