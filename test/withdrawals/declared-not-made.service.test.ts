import { describe, expect, it } from "vitest";
import type { Withdrawal } from "#src/withdrawals/withdrawal.ts";
import { cents } from "#src/shared/money.ts";
import { DAY, HOUR } from "#src/shared/time.ts";
import { withdrawalTexts } from "#src/withdrawals/texts.ts";
import { journalInWords } from "#src/withdrawals/withdrawal-fields.view.ts";
import { anaKey } from "../database/builders.ts";
import {
  actor,
  ANA,
  answered,
  BRUNO,
  confirmationIn,
  confirmed,
  connect,
  decided,
  disconnect,
  ghostsOf,
  listInSmall,
  look,
  lostOne,
  type MoneyStage,
  openMoneyStage,
  prepared,
  refusal,
  restore,
  withdrawn,
} from "./money-stage.ts";
import { REFUSED } from "./plain-wallet.ts";

const textOf = async ({ db }: MoneyStage, txid: string, userId: string): Promise<string> => {
  const rows = await db
    .selectFrom("outbox")
    .select("payload")
    .where("dedupe_key", "like", `ghost|%|${txid}|${userId}`)
    .execute();
  return rows.map(({ payload }) => payload).join();
};

/** As a message names the key of Ana's account. */
const keyOf = async ({ stores }: MoneyStage): Promise<string> =>
  `a da chave da API \`…${(await stores.accounts.ofOwner(ANA))[0]?.keyLast4}\``;

describe("a withdrawal that its owner declared as not made", () => {
  /** Ana's word, and the withdrawal that the service shows only afterwards. */
  const declared = async () => {
    const stage = await openMoneyStage();
    await connect(stage, { guildId: "2", ownerId: BRUNO, ownerVerified: false });
    await look(stage);
    const op = await lostOne(stage, false);
    await stage.follow(3_600_000, 900_000);
    await decided(stage, op.id, false);
    const show = (changes?: Partial<Withdrawal>): unknown =>
      stage.add({ txid: "LATE", ...(op.sentAt && { requestedAt: op.sentAt }), ...changes });
    return { stage, id: op.id, show };
  };
  const textTo = (stage: MoneyStage, userId: string) => textOf(stage, "LATE", userId);

  it("is told to that owner by its code, and to others as any other", async () => {
    const { stage, id, show } = await declared();
    show();
    await look(stage);
    await look(stage);
    expect(await ghostsOf(stage)).toEqual([`LATE|${ANA}`, `LATE|${BRUNO}`]);
    expect(await textTo(stage, ANA)).toContain(id);
    expect(await textTo(stage, ANA)).not.toContain("que este bot não fez");
    expect(await textTo(stage, ANA)).toContain(await keyOf(stage));
    expect(await textTo(stage, BRUNO)).not.toContain(id);
    const op = await stage.op(id);
    const { events } = await stage.money.withdrawals.detail(actor(), id);
    expect(op.state).toBe("resolved_manual");
    expect(journalInWords(events, op, withdrawalTexts("pt-BR"))).toMatch(
      /Respondido: não aconteceu\n.*Achei no serviço: foi aceito$/,
    );
    expect(await refusal(prepared(stage))).toBe("was not refused");
  });

  it("holds up the next order once, and is told by it", async () => {
    const { stage, id, show } = await declared();
    show();
    expect(await refusal(prepared(stage))).toEqual({ kind: "earlier_was_made", opId: id });
    expect(await textTo(stage, ANA)).toContain(id);
    expect(await refusal(prepared(stage))).toBe("was not refused");
  });

  it("holds up a confirmed order just before its request", async () => {
    const { stage, id, show } = await declared();
    const confirmation = await prepared(stage);
    const sent = stage.sent.length;
    show();
    const { op } = await confirmed(stage, confirmation);
    expect(op).toMatchObject({ state: "refused_local", errorCode: "earlier_was_made" });
    expect(stage.sent).toHaveLength(sent);
    expect(await textTo(stage, ANA)).toContain(id);
  });

  it("asks again at the click when a look told it after the question", async () => {
    const { stage, id, show } = await declared();
    const confirmation = await prepared(stage);
    const sent = stage.sent.length;
    show();
    await look(stage);
    expect(await textTo(stage, ANA)).toContain(id);
    const asked = confirmationIn(
      await stage.money.withdrawals.confirm(actor(), confirmation.token, undefined),
    );
    expect(asked).toMatchObject({ sentMeanwhile: true });
    expect(stage.sent).toHaveLength(sent);
    expect((await confirmed(stage, asked)).op.state).toBe("accepted");
  });

  it.each(["cancelled", "failed"])(
    "is told to nobody, and holds up no order, where it is %s",
    async (status) => {
      const { stage, show } = await declared();
      show({ status });
      expect(await refusal(prepared(stage))).toBe("was not refused");
      await look(stage);
      expect(await ghostsOf(stage)).toEqual([]);
    },
  );

  it("counts toward its owner's limit per day once it is found made", async () => {
    const { stage, id, show } = await declared();
    const gross = (await stage.op(id)).amount ?? cents(0);
    const limit = cents(gross * 2 - 1);
    await stage.money.guards.setDailyCap(actor(), limit);
    expect(await refusal(prepared(stage))).toBe("was not refused");
    show();
    await look(stage);
    expect(await refusal(prepared(stage))).toMatchObject({
      kind: "daily_cap_exceeded",
      left: limit - gross,
    });
  });
});

describe("an accepted one that its owner declared as not made", () => {
  /** Ana's word about a withdrawal that the service accepted and never let anybody read. */
  const declared = async (prepare: (stage: MoneyStage) => void = () => {}) => {
    const stage = await openMoneyStage();
    prepare(stage);
    await connect(stage, { guildId: "2", ownerId: BRUNO, ownerVerified: false });
    await look(stage);
    const refused = await answered(stage, REFUSED, false);
    stage.clock.moveBy(20_000);
    const { op } = await withdrawn(stage);
    await look(stage);
    for (const reading of ["withdrawal", "transaction"] as const)
      stage.failing.set(reading, "not_found");
    await stage.follow(3 * DAY, 6 * HOUR);
    await decided(stage, op.id, false);
    expect((await stage.op(op.id)).state).toBe("resolved_manual");
    return { stage, id: op.id, refusedId: refused.id };
  };
  const lookAsBruno = async ({ stores, money }: MoneyStage): Promise<void> => {
    const bruno = await stores.accounts.find("2", BRUNO);
    if (bruno === undefined) throw new Error("Bruno is not connected");
    await money.watchExternal(bruno, anaKey);
  };
  /** Ana's next one, of unknown outcome. */
  const undecided = async (stage: MoneyStage): Promise<void> => {
    const op = await lostOne(stage, false);
    await stage.follow(HOUR, HOUR / 4);
    expect((await stage.op(op.id)).state).toBe("manual");
  };
  const end = (stage: MoneyStage, status: "completed" | "failed"): void => {
    stage.failing.clear();
    stage.become("TX0001", { status });
  };

  it("stands as under way in /saldo, before the next one and in /saques, and is not told meanwhile", async () => {
    const { stage } = await declared();
    await look(stage);
    expect(await ghostsOf(stage)).toEqual([]);
    const { elsewhereOpen, underWay } = await stage.money.balance.read(actor());
    expect(elsewhereOpen?.map(({ txid }) => txid)).toEqual(["TX0001"]);
    expect(underWay).toMatchObject([{ phase: "processing" }]);
    expect((await prepared(stage)).underWay).toMatchObject([{ phase: "processing" }]);
    const { elsewhere } = await stage.money.withdrawals.list(actor(), undefined);
    expect(elsewhere?.map(({ txid }) => txid)).toEqual(["TX0001"]);
  });

  it("is told to its owner alone, once, by its code, when it is made", async () => {
    const { stage, id, refusedId } = await declared();
    await look(stage);
    end(stage, "completed");
    await look(stage);
    await look(stage);
    expect(await ghostsOf(stage)).toEqual([`TX0001|${ANA}`]);
    expect(await textOf(stage, "TX0001", ANA)).toContain(id);
    expect((await stage.op(refusedId)).state).toBe("rejected");
    expect(await refusal(prepared(stage))).toBe("was not refused");
  });

  it("is told although its detail stays unreadable, once the list says that it is made", async () => {
    const { stage, id } = await declared();
    stage.become("TX0001", { status: "completed" });
    await look(stage);
    expect(await ghostsOf(stage)).toEqual([`TX0001|${ANA}`]);
    expect(await textOf(stage, "TX0001", ANA)).toContain(id);
  });

  /** A pause of an hour in which a withdrawal was made, and the question about it, which `putOff` may hold up. */
  const paused = async (
    stage: MoneyStage,
    putOff: (stage: MoneyStage) => Promise<unknown> = async () => {},
  ) => {
    const stopped = stage.clock.now();
    await putOff(stage);
    stage.clock.moveBy(HOUR);
    stage.add({ txid: "PAUSED" });
    await restore(stage, stopped, "gap");
  };

  it.each([false, true])(
    "is told by its code where the list writes its txid in another case, while a question stands: %s",
    async (isAsked) => {
      const { stage, id } = await declared(listInSmall);
      if (isAsked) await paused(stage);
      await look(stage);
      expect(await ghostsOf(stage)).toEqual([]);
      end(stage, "completed");
      await look(stage);
      await look(stage);
      expect(await ghostsOf(stage)).toEqual([`tx0001|${ANA}`]);
      expect(await textOf(stage, "tx0001", ANA)).toContain(id);
    },
  );

  it("is told once where the list writes its txid in another case since, while a question stands", async () => {
    const { stage } = await declared();
    await paused(stage);
    end(stage, "completed");
    await look(stage);
    listInSmall(stage);
    await look(stage);
    expect(await ghostsOf(stage)).toEqual([`TX0001|${ANA}`]);
  });

  it("holds up the next order where the list writes its txid in another case", async () => {
    const { stage, id, refusedId } = await declared(listInSmall);
    end(stage, "completed");
    expect(await refusal(prepared(stage))).toEqual({ kind: "earlier_was_made", opId: id });
    expect((await stage.op(refusedId)).state).toBe("rejected");
  });

  it("holds up the next order once when it is made, and is told by it", async () => {
    const { stage, id } = await declared();
    end(stage, "completed");
    expect(await refusal(prepared(stage))).toEqual({ kind: "earlier_was_made", opId: id });
    expect(await ghostsOf(stage)).toEqual([`TX0001|${ANA}`]);
    expect(await refusal(prepared(stage))).toBe("was not refused");
  });

  it("is told to its owner alone, who has disconnected meanwhile", async () => {
    const { stage, id } = await declared();
    await disconnect(stage);
    await lookAsBruno(stage);
    expect(await ghostsOf(stage)).toEqual([]);
    end(stage, "completed");
    await lookAsBruno(stage);
    await lookAsBruno(stage);
    expect(await ghostsOf(stage)).toEqual([`TX0001|${ANA}`]);
    expect(await textOf(stage, "TX0001", ANA)).toContain(id);
  });

  it("is told beside a later one of the same amount and key that waits for its owner's decision", async () => {
    const { stage } = await declared();
    await undecided(stage);
    end(stage, "completed");
    await look(stage);
    expect(await ghostsOf(stage)).toEqual([`TX0001|${ANA}`]);
  });

  it.each([
    ["a question after a pause stands", async () => {}],
    ["a later one puts that question off", undecided],
  ])("is told once while %s", async (_, putOff) => {
    const { stage, id } = await declared();
    await paused(stage, putOff);
    await look(stage);
    expect(await ghostsOf(stage)).toEqual([]);
    end(stage, "completed");
    await look(stage);
    await look(stage);
    expect(await ghostsOf(stage)).toEqual([`TX0001|${ANA}`]);
    expect(await textOf(stage, "TX0001", ANA)).toContain(id);
    expect(await textOf(stage, "TX0001", ANA)).toContain(await keyOf(stage));
  });

  it("is told by its transaction where neither its detail nor the list says how it ended", async () => {
    const { stage, id } = await declared();
    const { wallet } = stage.needs;
    const withdrawals: typeof wallet.withdrawals = async (...given) => {
      const page = await wallet.withdrawals(...given);
      return { ...page, items: page.items.map((row) => ({ ...row, status: undefined })) };
    };
    const silent = { ...stage, money: stage.process({ wallet: { ...wallet, withdrawals } }) };
    stage.failing.delete("transaction");
    await look(silent);
    expect(await ghostsOf(stage)).toEqual([]);
    stage.become("TX0001", { status: "completed" });
    expect(await refusal(prepared(silent))).toEqual({ kind: "earlier_was_made", opId: id });
    expect(await ghostsOf(stage)).toEqual([`TX0001|${ANA}`]);
    stage.reads.length = 0;
    await look(silent);
    expect(await refusal(prepared(silent))).toBe("was not refused");
    expect(stage.reads.filter((read) => /^(?:withdrawal|transaction) /.test(read))).toEqual([]);
  });

  it("is not told when it failed after all", async () => {
    const { stage } = await declared();
    end(stage, "failed");
    await look(stage);
    expect(await refusal(prepared(stage))).toBe("was not refused");
    expect(await ghostsOf(stage)).toEqual([]);
  });
});
