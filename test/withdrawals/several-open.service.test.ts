import { describe, expect, it } from "vitest";
import { cents } from "#src/shared/money.ts";
import { withdrawStatusView } from "#src/withdrawals/withdraw-status.view.ts";
import { SECOND, MINUTE, HOUR, DAY } from "#src/shared/time.ts";
import { readMessage } from "../ui/read-message.ts";
import {
  actor,
  ANA,
  BRUNO,
  confirmationIn,
  confirmed,
  connect,
  decided,
  GUILD,
  lostOne,
  type MoneyStage,
  openMoneyStage,
  prepared,
  refusal,
  withdrawn,
} from "./money-stage.ts";
import { LOST, REFUSED } from "./plain-wallet.ts";

const BUSY = { ...REFUSED, message: "Já existe um saque em processamento." };

const amount = (value: number) => ({ what: { kind: "own", amount: cents(value) } }) as const;

/** Ana has one accepted withdrawal; the service would accept another. */
const withOneAccepted = async (turbo = true): Promise<{ stage: MoneyStage; id: string }> => {
  const stage = await openMoneyStage();
  const { op } = await withdrawn(stage, { turbo });
  stage.clock.moveBy(SECOND);
  return { stage, id: op.id };
};

const bothOf = async (stage: MoneyStage) =>
  (await stage.stores.journal.list({ ownerId: ANA, limit: 9 })).map(
    ({ state, txid, amount: of }) => [state, txid, of],
  );

describe("S8: beside a withdrawal that the service accepted", () => {
  it.each([
    [true, "processing", undefined],
    [false, "scheduled", "2026-11-21T11:00:00Z"],
  ] as const)(
    "another is prepared with what is known (turbo %s)",
    async (turbo, phase, planned) => {
      const { stage } = await withOneAccepted(turbo);

      const { underWay, recent } = await prepared(stage, amount(7_000));

      expect(
        underWay.map((each) => [each.phase, each.amount, each.plannedFor?.toString()]),
      ).toEqual([[phase, 5_000, planned]]);
      expect(recent?.at.toString()).toBe("2026-11-20T15:00:00Z");
      expect(recent?.allowedFrom.toString()).toBe("2026-11-21T15:00:00Z");
    },
  );

  it("another is sent, and both are followed to their own ends", async () => {
    const { stage } = await withOneAccepted();
    await withdrawn(stage, amount(7_000));
    stage.become("TX0001", { status: "completed" });
    stage.become("TX0002", { status: "failed" });

    await stage.follow(MINUTE, 5 * SECOND);

    expect(stage.sent).toHaveLength(2);
    expect(await bothOf(stage)).toEqual([
      ["failed", "TX0002", 7_000],
      ["completed", "TX0001", 5_000],
    ]);
  });

  it("the service's refusal of another is shown as its own", async () => {
    const { stage } = await withOneAccepted();
    stage.works = false;
    stage.answer = BUSY;

    const status = await withdrawn(stage, amount(7_000));

    expect(status.op).toMatchObject({ state: "rejected", errorCode: "refused" });
    const shown = readMessage(withdrawStatusView(status, "pt-BR"));
    expect(shown[0]).toBe("❌ O serviço recusou: “Já existe um saque em processamento.”");
    expect(await refusal(prepared(stage))).toBe("was not refused");
  });

  it("a lost answer of another like it takes what is its own, never the first one's", async () => {
    const { stage, id } = await withOneAccepted();
    const op = await lostOne(stage, true);
    expect(await refusal(prepared(stage))).toMatchObject({ opId: op.id, why: "unknown" });

    await stage.follow(MINUTE, 5 * SECOND);

    expect((await stage.op(id)).txid).toBe("TX0001");
    expect((await stage.op(op.id)).txid).toBe("TX0002");
  });

  it("the daily limit counts both, and those of a moment ago", async () => {
    const { stage } = await withOneAccepted();
    await stage.money.guards.setDailyCap(actor(), cents(9_000));

    expect(await refusal(prepared(stage))).toMatchObject({
      kind: "daily_cap_exceeded",
      left: 4_000,
    });
    expect((await withdrawn(stage, amount(4_000))).op.state).toBe("accepted");
    const { cap } = await stage.money.balance.read(actor());
    expect([cap?.left, cap?.freesAt?.toString()]).toEqual([0, "2026-11-21T15:00:00Z"]);
  });

  it("a cancellation ends the one that it names", async () => {
    const { stage, id } = await withOneAccepted(false);
    const second = await withdrawn(stage, { ...amount(7_000), turbo: false });
    await stage.follow(MINUTE, 20 * SECOND);

    await confirmed(stage, await stage.money.withdrawals.prepareCancel(actor(), "TX0001"));
    await stage.follow(MINUTE, 20 * SECOND);

    expect((await stage.op(id)).state).toBe("cancelled");
    expect((await stage.op(second.op.id)).state).toBe("scheduled");
  });

  it("/saldo and /saques show them both", async () => {
    const { stage, id } = await withOneAccepted();
    const { op } = await withdrawn(stage, amount(7_000));

    const view = await stage.money.balance.read(actor());
    const { ops, elsewhere } = await stage.money.withdrawals.list(actor(), undefined);

    expect(view.open.map((each) => each.id)).toEqual([op.id, id]);
    expect(view.underWay.map((each) => each.amount)).toEqual([7_000, 5_000]);
    expect([view.lock, view.elsewhereOpen]).toEqual([undefined, []]);
    expect([ops.map((each) => each.id), elsewhere]).toEqual([[op.id, id], []]);
  });

  it("/saldo shows the kept sales since 21:00 beside them, without asking for them", async () => {
    const { stage } = await withOneAccepted();
    const account = await stage.stores.accounts.find(GUILD, ANA);
    const now = stage.clock.now().toZonedDateTimeISO("America/Sao_Paulo");
    const evening = now.add({ days: 1 }).with({ hour: 22 });
    stage.clock.moveBy(evening.since(now).total("milliseconds"));
    const at = stage.clock.now();
    const day = evening.toPlainDate().add({ days: 1 });
    const none = { count: 0, sales: cents(0) };
    const figures = { sales: cents(7_990), fees: cents(479), net: cents(7_511), esales: none };
    const sold = { ...figures, day, api: { count: 1, sales: cents(7_990) }, readAt: at };
    expect((await stage.money.balance.read(actor())).today).toBeUndefined();

    await stage.stores.salesDays.keep(account?.accountFp ?? "", sold);

    expect((await stage.money.balance.read(actor())).today).toEqual(sold);
  });

  it("another person of the account learns of it, and not its amount", async () => {
    const { stage } = await withOneAccepted();
    await connect(stage, { ownerId: BRUNO });

    const view = await stage.money.balance.read(actor({ userId: BRUNO }));

    expect(view.open).toEqual([]);
    expect(view.underWay).toEqual([
      { phase: "processing", amount: undefined, plannedFor: undefined },
    ]);
  });
});

describe("S8: one that the service accepted and nobody can read", () => {
  it("blocks nothing, is told once, and its owner closes it", async () => {
    const { stage, id } = await withOneAccepted();
    stage.failing.set("withdrawal", "not_found");
    await stage.follow(2 * DAY + HOUR, 7 * HOUR);
    expect((await stage.op(id)).state).toBe("manual");
    await stage.follow(DAY, HOUR);

    const { underWay } = await prepared(stage);
    expect(underWay).toMatchObject([{ phase: "processing" }]);
    const told = (await stage.messages()).filter((message) => message.includes("|manual"));
    expect(told).toEqual([`withdrawal|${id}|manual|taken due`]);
    const { op } = await decided(stage, id, true);

    expect(op).toMatchObject({ state: "resolved_manual", resolution: "happened" });
  });

  it("is one whose end is not known while the list says nothing of it", async () => {
    const { stage } = await withOneAccepted();
    stage.failing.set("withdrawal", "not_found");
    await stage.follow(2 * DAY + HOUR, 7 * HOUR);
    stage.become("TX0001", { status: "on_the_moon" });

    expect((await prepared(stage)).underWay).toMatchObject([{ phase: "unread" }]);
  });
});

describe("S8: one that the service accepted and leaves under way for days", () => {
  /** Its detail, or only its transaction, says `processing` two days after the request. */
  const late = async (detail: "readable" | "unreadable") => {
    const { stage, id } = await withOneAccepted();
    await stage.follow(2 * DAY + HOUR, 7 * HOUR);
    expect((await stage.op(id)).state).toBe("manual");
    if (detail === "unreadable") stage.failing.set("withdrawal", "not_found");
    const decide = (happened: boolean) => decided(stage, id, happened);
    return { stage, id, decide };
  };

  it.each(["readable", "unreadable"] as const)(
    "is not closed as not made while the service says so, with its detail %s, and its end is told",
    async (detail) => {
      const { stage, id, decide } = await late(detail);

      expect(await refusal(decide(false))).toEqual({ kind: "still_under_way" });

      expect((await stage.op(id)).state).toBe("manual");
      stage.become("TX0001", { status: "completed" });
      await stage.follow(2 * HOUR, HOUR);
      expect((await stage.op(id)).state).toBe("completed");
      expect(await stage.messages()).toContain(`withdrawal|${id}|completed due`);
    },
  );

  it("is not closed as not made while its transaction, which alone can tell, does not answer", async () => {
    const { stage, id, decide } = await late("unreadable");
    stage.failing.set("transaction", "timeout");

    expect(await refusal(decide(false))).toEqual({ kind: "outcome_unread" });

    expect((await stage.op(id)).state).toBe("manual");
  });

  it("is closed as not made once the month of its readings is over", async () => {
    const { stage, decide } = await late("readable");
    await stage.follow(28 * DAY, DAY);

    expect((await decide(false)).op).toMatchObject({ resolution: "did_not_happen" });
  });
});

describe("S8: a confirmation that was shown before another withdrawal went out", () => {
  it("is asked for again with that said, and sends only then", async () => {
    const stage = await openMoneyStage();
    const [first, second] = [await prepared(stage), await prepared(stage)];
    stage.clock.moveBy(SECOND);
    await confirmed(stage, first);

    const asked = confirmationIn(
      await stage.money.withdrawals.confirm(actor(), second.token, undefined),
    );

    expect(stage.sent).toHaveLength(1);
    expect(asked).toMatchObject({
      kind: "confirmation",
      confirmationsLeft: 1,
      sentMeanwhile: true,
      underWay: [{ phase: "processing", amount: 5_000 }],
    });
    stage.clock.moveBy(SECOND);
    expect((await confirmed(stage, asked)).op.state).toBe("accepted");
    expect(stage.sent).toHaveLength(2);
  });
});

describe("several processes", () => {
  it("send once, however many of them are clicked at the same time", async () => {
    const stage = await openMoneyStage();
    const { token, op } = await prepared(stage);
    const processes = [1, 2, 3].map(() => stage.process());

    const answers = await Promise.allSettled(
      processes.map(({ withdrawals }) => withdrawals.confirm(actor(), token, undefined)),
    );

    expect(stage.sent).toHaveLength(1);
    expect((await stage.op(op.id)).state).toBe("accepted");
    expect(answers.some(({ status }) => status === "fulfilled")).toBe(true);
  });

  it("leave one that is being sent to its process until its lease ends", async () => {
    const stage = await openMoneyStage();
    const { token, op } = await prepared(stage);
    stage.onRequest = () => stage.process().sweep(false);

    await stage.money.withdrawals.confirm(actor(), token, undefined);

    expect((await stage.op(op.id)).state).toBe("accepted");
  });

  it("find out together what became of a lost answer, and tell it once", async () => {
    const stage = await openMoneyStage();
    stage.answer = LOST;
    const { op } = await withdrawn(stage);
    stage.clock.moveBy(5_000);

    await Promise.all([1, 2, 3].map(() => stage.check(stage.process())));

    expect((await stage.op(op.id)).txid).toBe("TX0001");
    const found = (await stage.messages()).filter((message) => message.includes("accepted"));
    expect(found).toHaveLength(1);
  });
});
