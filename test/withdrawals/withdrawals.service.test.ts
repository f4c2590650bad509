import { describe, expect, it } from "vitest";
import { WalletError } from "#src/shared/errors.ts";
import { cents } from "#src/shared/money.ts";
import { DAY, MINUTE } from "#src/shared/time.ts";
import { GENERAL_PACE } from "#src/wallet/client.ts";
import { DEFAULT_LIMITS } from "#src/wallet/limits.ts";
import { createPacer } from "#src/wallet/pacing.ts";
import { createVirtualTimers } from "../wallet/virtual-timers.ts";
import {
  actor,
  ANA,
  BRUNO,
  connect,
  decided,
  disconnect,
  ghostsOf,
  KEY,
  listInSmall,
  look,
  lostOne,
  openMoneyStage,
  prepared,
  refusal,
  withdrawn,
} from "./money-stage.ts";
import { newRefund, opIn } from "./withdraw-builders.ts";

const notFound = { kind: "withdrawal_not_found" };
const bruno = () => actor({ userId: BRUNO });

describe("the list", () => {
  it("shows the journal, and beside it what the service lists and nobody here began", async () => {
    const stage = await openMoneyStage();
    stage.add({ txid: "ELSEWHERE" });
    const { op } = await withdrawn(stage);

    const { ops, elsewhere, problem } = await stage.money.withdrawals.list(actor(), undefined);

    expect(ops).toEqual([op]);
    expect(elsewhere?.map(({ txid }) => txid)).toEqual(["ELSEWHERE"]);
    expect(problem).toBeUndefined();
    expect((await stage.money.withdrawals.list(actor(), ["completed"])).ops).toEqual([]);
  });

  it.each(["TX0001", "Tx0001"])(
    "shows one's own withdrawal %s once, which no message tells, where the list writes its txid in another case",
    async (txid) => {
      const stage = await openMoneyStage();
      const { withdraw } = stage.wallet;
      Object.assign(stage.wallet, {
        withdraw: async (...given: Parameters<typeof withdraw>) => {
          const answer = await withdraw(...given);
          return "value" in answer ? { ...answer, value: { ...answer.value, txid } } : answer;
        },
      });
      listInSmall(stage);
      await look(stage);
      await withdrawn(stage);
      await look(stage);

      expect(await ghostsOf(stage)).toEqual([]);
      expect((await stage.money.withdrawals.list(actor(), undefined)).elsewhere).toEqual([]);
    },
  );

  it("counts a message that Discord refused however many refunds were made since", async () => {
    const stage = await openMoneyStage();
    const { journal, outbox } = stage.stores;
    const { op } = await withdrawn(stage);
    stage.become(op.txid ?? "", { status: "failed" });
    await stage.follow(MINUTE);
    const now = stage.clock.now().add({ minutes: 1 });
    const [held] = await outbox.claim({ owner: "one", leaseMs: MINUTE, limit: 1, now });
    await outbox.settle(held!, { state: "dead", error: "unreachable_person 50007" });
    for (let made = 0; made < 30; made++)
      await opIn(journal, "completed", newRefund(`p${made}`, { ownerId: ANA }), {}, now);

    expect((await stage.money.withdrawals.list(actor(), undefined)).undelivered).toBe(1);
  });

  it("shows as another person's what that person withdrew here", async () => {
    const stage = await openMoneyStage();
    stage.add({ txid: "ELSEWHERE" });
    const { op } = await withdrawn(stage);
    await connect(stage, { guildId: "2", ownerId: BRUNO, ownerVerified: false });
    const asked = actor({ guildId: "2", userId: BRUNO });

    const { ops, elsewhere } = await stage.money.withdrawals.list(asked, undefined);

    expect(ops).toEqual([]);
    expect(elsewhere?.map(({ txid, byAnother }) => [txid, byAnother])).toEqual([
      [op.txid, true],
      ["ELSEWHERE", false],
    ]);
  });

  it("shows the journal when the service cannot be read, or is not connected any more", async () => {
    const stage = await openMoneyStage();
    await withdrawn(stage);
    stage.failing.set("withdrawals", "malformed");
    const { withdrawals } = stage.money;

    expect(await withdrawals.list(actor(), undefined)).toMatchObject({
      ops: [{ state: "accepted" }],
      elsewhere: undefined,
      problem: "malformed",
    });
    await disconnect(stage);
    expect((await withdrawals.list(actor(), undefined)).problem).toBeUndefined();
    expect((await withdrawals.list(bruno(), undefined)).ops).toEqual([]);
  });
});

describe("a row that may be a withdrawal in doubt", () => {
  it("names it for its owner alone, and as its txid only with the same PIX key", async () => {
    const stage = await openMoneyStage();
    stage.add({ txid: "BEFORE" });
    const op = await lostOne(stage, true);
    stage.add({ txid: "OTHER-KEY", pixKey: "carla@example.com" });
    await connect(stage, { guildId: "2", ownerId: BRUNO, ownerVerified: false });
    const { money } = stage;
    const mayBe = async (of: typeof actor, changes = {}) =>
      [
        (await money.withdrawals.list(of(changes), ["completed"])).elsewhere,
        (await money.balance.read(of(changes))).elsewhereOpen,
      ].map((rows) =>
        Object.fromEntries(rows?.map(({ txid, mayBeOpId }) => [txid, mayBeOpId]) ?? []),
      );
    const marked = { BEFORE: undefined, TX0001: op.id, "OTHER-KEY": op.id };
    expect(op.state).toBe("unknown");
    expect(await mayBe(actor)).toEqual([marked, marked]);
    const unmarked = { BEFORE: undefined, TX0001: undefined, "OTHER-KEY": undefined };
    expect(await mayBe(actor, { guildId: "2", userId: BRUNO })).toEqual([unmarked, unmarked]);
    const { detail } = money.withdrawals;
    expect((await detail(actor(), "TX0001")).mayBeOpId).toBe(op.id);
    expect((await detail(actor(), "OTHER-KEY")).mayBeOpId).toBeUndefined();
  });

  it("that is found to be it while the detail is read is shown as it", async () => {
    const stage = await openMoneyStage();
    const op = await lostOne(stage, true);
    const { wallet, money } = stage;
    const read = wallet.withdrawal;
    let isFound = false;
    Object.assign(wallet, {
      withdrawal: async (...asked: Parameters<typeof read>) => {
        const withdrawal = await read(...asked);
        if (!isFound) {
          isFound = true;
          await money.withdrawals.check(actor(), op.id);
        }
        return withdrawal;
      },
    });
    expect((await money.withdrawals.detail(actor(), "TX0001")).op).toMatchObject({ id: op.id });
  });
});

describe("the detail", () => {
  it("is found by code, as typed, and by txid, and moves the operation on", async () => {
    const stage = await openMoneyStage();
    const { op } = await withdrawn(stage);
    const { detail } = stage.money.withdrawals;

    const byCode = await detail(actor(), op.id.toLowerCase().replace("w-", ""));
    expect(byCode.op).toMatchObject({ id: op.id, state: "processing" });
    expect(byCode.withdrawal?.txid).toBe("TX0001");
    expect(byCode.events.map(({ to }) => to)).toContain("sending");
    expect((await detail(actor(), "TX0001")).op?.id).toBe(op.id);
    expect((await detail(actor(), "tx0001")).op?.id).toBe(op.id);
  });

  it("of one that the bot did not begin is the service's own", async () => {
    const stage = await openMoneyStage();
    stage.add({ txid: "ELSEWHERE" });

    const { op, withdrawal } = await stage.money.withdrawals.detail(actor(), "ELSEWHERE");

    expect([op, withdrawal?.txid]).toEqual([undefined, "ELSEWHERE"]);
  });

  it("of one that another owner of the account began says so, without the code", async () => {
    const stage = await openMoneyStage();
    await connect(stage, { ownerId: BRUNO, ownerVerified: false });
    await withdrawn(stage);

    const detail = await stage.money.withdrawals.detail(bruno(), "TX0001");

    expect(detail).toMatchObject({ op: undefined, events: [], byAnother: true });
  });

  it("is nobody else's", async () => {
    const stage = await openMoneyStage();
    const { op } = await withdrawn(stage);
    const { detail, saveKey } = stage.money.withdrawals;

    expect(await refusal(detail(bruno(), op.id))).toEqual(notFound);
    expect(await refusal(detail(bruno(), "TX0001"))).toEqual({ kind: "not_connected" });
    expect(await refusal(saveKey(bruno(), op.id))).toEqual(notFound);
    expect(await refusal(detail(actor(), "NONE"))).toEqual(notFound);
    expect(await refusal(detail(actor(), " "))).toEqual(notFound);
  });

  it("outlives the connection, without what the service would say", async () => {
    const stage = await openMoneyStage();
    const { op } = await withdrawn(stage);
    await disconnect(stage);

    const { op: shown, withdrawal } = await stage.money.withdrawals.detail(actor(), op.id);

    expect([shown?.id, withdrawal]).toEqual([op.id, undefined]);
  });
});

describe("suggestions", () => {
  it("are the person's own operations, by code or txid", async () => {
    const stage = await openMoneyStage();
    const { op } = await withdrawn(stage);
    const { suggestWithdrawals } = stage.money.withdrawals;

    expect((await suggestWithdrawals(actor(), op.id.slice(2))).map(({ id }) => id)).toEqual([
      op.id,
    ]);
    expect(await suggestWithdrawals(actor(), "tx0001")).toHaveLength(1);
    expect(await suggestWithdrawals(actor(), "nothing")).toEqual([]);
    expect(await suggestWithdrawals(bruno(), "")).toEqual([]);
  });
});

describe("saved keys", () => {
  it("are kept only when asked, shown masked, and lead back to the key", async () => {
    const stage = await openMoneyStage();
    const { withdrawals } = stage.money;
    const { op } = await withdrawn(stage);
    expect(await withdrawals.savedKeys(actor(), "")).toEqual([]);

    expect(await withdrawals.saveKey(actor(), op.id)).toEqual({ masked: "b***@e***" });

    const [saved] = await withdrawals.savedKeys(actor(), "Bruno@");
    const name = "b***o@example.com · e-mail";
    expect(saved).toEqual({ name, value: expect.stringMatching(/^salva:/) as string });
    expect(await withdrawals.savedKeys(actor(), "b*")).toEqual([saved]);
    expect(await withdrawals.savedKeys(actor(), "ana@")).toEqual([]);
    expect(JSON.stringify(saved)).not.toContain("bruno");
    expect((await withdrawals.check(actor(), op.id)).keySavable).toBe(false);
    stage.become("TX0001", { status: "completed" });
    await stage.follow(60_000);
    const next = await prepared(stage, { pixKey: saved?.value ?? "" });
    expect(next).toMatchObject({ keySaved: true, op: { pixKeyHash: op.pixKeyHash } });
    expect(await withdrawals.savedKeys(bruno(), "")).toEqual([]);
    const stolen = { actor: bruno(), pixKey: saved?.value ?? "" };
    expect(await refusal(prepared(stage, stolen))).toEqual({ kind: "pix_key_gone" });
    expect(await withdrawals.forgetKey(actor(), saved?.value ?? "")).toBe(true);
    expect(await withdrawals.savedKeys(actor(), "")).toEqual([]);
  });

  it("are erased with what is known of keys, and no look at an open withdrawal notes one again", async () => {
    const stage = await openMoneyStage();
    const { op } = await withdrawn(stage);
    await disconnect(stage);

    const { keySavable } = await stage.money.withdrawals.check(actor(), op.id);
    await stage.follow(60_000);

    expect(keySavable).toBe(false);
    const key = { hash: op.pixKeyHash, type: "email", masked: op.pixKeyMasked } as const;
    const { firstSeenAt } = await stage.stores.pixKeys.noteSeen(ANA, key, stage.clock.now());
    expect(firstSeenAt).toEqual(stage.clock.now());
  });

  it("are not made by an owner without a connection, where nothing would erase them", async () => {
    const stage = await openMoneyStage();
    const op = await lostOne(stage, true);
    await disconnect(stage);

    expect(await refusal(stage.money.withdrawals.saveKey(actor(), op.id))).toEqual({
      kind: "not_connected",
    });
    expect(await stage.stores.pixKeys.saved(ANA)).toEqual([]);
  });

  it("cannot be made of a key that was erased a day after the end", async () => {
    const stage = await openMoneyStage();
    const { op } = await withdrawn(stage);
    stage.become("TX0001", { status: "completed" });
    await stage.follow(60_000);
    stage.clock.moveBy(2 * DAY);
    await stage.stores.journal.purgeEnded(stage.clock.now().subtract({ hours: 24 }));

    const { withdrawals } = stage.money;

    expect(await refusal(withdrawals.saveKey(actor(), op.id))).toEqual({ kind: "pix_key_gone" });
    expect((await withdrawals.check(actor(), op.id)).keySavable).toBe(false);
  });
});

describe("a decision of the owner", () => {
  const manual = async () => {
    const stage = await openMoneyStage();
    const op = await lostOne(stage, true);
    stage.add({ pixKey: KEY, amount: op.amount ?? (0 as never) });
    await stage.follow(5_000, 5_000);
    expect((await stage.op(op.id)).state).toBe("manual");
    return { stage, id: op.id };
  };

  it.each([
    [true, "happened"],
    [false, "did_not_happen"],
  ] as const)(
    "that it happened: %s, is kept with who decided, and frees the account",
    async (happened, resolution) => {
      const { stage, id } = await manual();
      const typedCode = ` ${id.toLowerCase()} `;

      const { op } = await stage.money.withdrawals.decide({
        actor: actor(),
        opId: id,
        typedCode,
        happened,
      });

      expect(op).toMatchObject({ state: "resolved_manual", resolvedBy: ANA, resolution });
      expect(await stage.messages()).toContain(`withdrawal|${id}|manual obsolete`);
      expect(await refusal(prepared(stage))).toBe("was not refused");
    },
  );

  it("needs the code, and the person who asked for the withdrawal", async () => {
    const { stage, id } = await manual();
    const { decide } = stage.money.withdrawals;
    const decision = { opId: id, typedCode: id, happened: false };

    expect(await refusal(decide({ ...decision, actor: bruno() }))).toEqual(notFound);
    expect(await refusal(decide({ ...decision, actor: actor(), typedCode: "W-00000" }))).toEqual({
      kind: "wrong_op_code",
    });
    expect((await stage.op(id)).state).toBe("manual");
  });

  it.each([
    ["withdrawals", "unavailable"],
    ["withdrawals", "rate_limited"],
    ["withdrawal", "timeout"],
  ] as const)("that it did not happen waits while %s is %s", async (reading, problem) => {
    const { stage, id } = await manual();
    const decide = (happened: boolean) => decided(stage, id, happened);
    stage.failing.set(reading, problem);

    expect(await refusal(decide(false))).toEqual({ kind: "outcome_unread" });
    expect((await stage.op(id)).state).toBe("manual");
    expect(await refusal(prepared(stage))).toMatchObject({ kind: "account_busy", why: "manual" });
    expect((await decide(true)).op).toMatchObject({ resolution: "happened" });
  });

  it.each([
    ["withdrawals", "timeout"],
    ["withdrawal", "unavailable"],
  ] as const)(
    "that it did not happen waits no longer than a day for %s",
    async (reading, problem) => {
      const { stage, id } = await manual();
      stage.failing.set(reading, problem);
      stage.clock.moveBy(DAY - 1);
      expect(await refusal(decided(stage, id, false))).toEqual({ kind: "outcome_unread" });
      stage.clock.moveBy(1);

      const { op } = await decided(stage, id, false);

      expect(op).toMatchObject({ state: "resolved_manual", resolution: "did_not_happen" });
    },
  );

  it("that it did not happen is believed where more withdrawals are read than a person waits for", async () => {
    const { stage, id } = await manual();
    for (let number = 0; number < 25; number++) stage.add({ amount: cents(1_000 + number) });
    const pacer = createPacer(GENERAL_PACE, createVirtualTimers());
    const { wallet } = stage;
    const money = stage.process({
      wallet: {
        ...wallet,
        withdrawal: async (key, txid, priority) => {
          const turn = pacer.take(ANA, priority, DEFAULT_LIMITS.longestWaitMs[priority]);
          const isRefused = typeof turn === "number" && turn > 0;
          if (!isRefused) return await wallet.withdrawal(key, txid, priority);
          throw new WalletError({ kind: "rate_limited", method: "GET", route: "/v1/test" });
        },
      },
    });
    expect(await refusal(decided({ money }, id, false))).toBe("was not refused");
  });

  it.each(["unauthorized", "not_found", "malformed"] as const)(
    "that it did not happen needs no list that is %s, as no wait would change that",
    async (problem) => {
      const { stage, id } = await manual();
      stage.failing.set("withdrawals", problem);
      const { op } = await decided(stage, id, false);

      expect(op).toMatchObject({ state: "resolved_manual", resolution: "did_not_happen" });
    },
  );

  it("changes nothing of an operation that does not wait for one", async () => {
    const stage = await openMoneyStage();
    const { op } = await withdrawn(stage);

    expect((await decided(stage, op.id, false)).op.state).toBe("accepted");
  });
});

describe("the balance", () => {
  it("comes with what is frozen and what is on its way", async () => {
    const stage = await openMoneyStage();
    stage.add({ txid: "ELSEWHERE", isTurbo: false });
    stage.add({ txid: "OVER", status: "completed" });
    const { op } = await withdrawn(stage);

    const view = await stage.money.balance.read(actor());

    expect(view).toMatchObject({
      balance: { available: 100_000 },
      frozen: 700,
      open: [{ id: op.id }],
      locked: false,
      problems: [],
    });
    expect(view.elsewhereOpen?.map(({ txid }) => txid)).toEqual(["ELSEWHERE"]);
    expect(view.recent?.allowedFrom.toString()).toBe("2026-11-21T15:00:00Z");
  });

  it("says what could not be read", async () => {
    const stage = await openMoneyStage();
    stage.available = 999;
    stage.failing.set("withdrawals", "malformed");
    stage.failing.set("disputeSummary", "timeout");

    expect(await stage.money.balance.read(actor())).toMatchObject({
      frozen: undefined,
      elsewhereOpen: undefined,
      problems: ["timeout", "malformed"],
      // Rule 12: support codes identify the failed reads.
      supportCodes: ["req_timeout", "req_malformed"],
    });
  });

  it("fails only when nothing at all can be read, or the key is refused", async () => {
    const stage = await openMoneyStage();
    stage.failing.set("withdrawals", "unauthorized");
    expect(await refusal(stage.money.balance.read(actor()))).toMatchObject({
      kind: "unauthorized",
    });
    for (const name of ["balance", "withdrawals", "disputeSummary"] as const) {
      stage.failing.set(name, "timeout");
    }
    expect(await refusal(stage.money.balance.read(actor()))).toMatchObject({ kind: "timeout" });
    expect(await refusal(stage.money.balance.read(actor({ userId: BRUNO })))).toEqual({
      kind: "not_connected",
    });
  });
});
