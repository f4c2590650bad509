import { expect, it } from "vitest";
import { sql } from "kysely";
import type { WithdrawJournal } from "#src/withdrawals/withdraw-journal.store.ts";
import { errorReply } from "#src/help/error.view.ts";
import { DatabaseAwayError, type UserError } from "#src/shared/errors.ts";
import { sqliteCode } from "#src/shared/store-errors.ts";
import { MINUTE } from "#src/shared/time.ts";
import {
  actor,
  ANA,
  atStep,
  beforeList,
  confirmed,
  type MoneyStage,
  openMoneyStage,
  prepared,
  refusal,
  restore,
  withdrawn,
} from "./money-stage.ts";
import { LOST, REFUSED } from "./plain-wallet.ts";
import { ask, confirm, SALE, sale, sold } from "./refunds/refund-stage.ts";

/** A journal whose database cannot be reached while `away` says so. */
const losable = (
  journal: WithdrawJournal,
  away: { readonly is: boolean },
  failure: Error = new DatabaseAwayError(),
): WithdrawJournal =>
  new Proxy(journal, {
    get: (...read) => {
      const work: unknown = Reflect.get(...read);
      return async (...given: readonly unknown[]): Promise<unknown> => {
        if (away.is || typeof work !== "function") throw failure;
        return await Reflect.apply(work, undefined, given);
      };
    },
  });

/** Money on such a journal. */
const openLosable = async () => {
  const stage = await openMoneyStage();
  const away = { is: false };
  const journal = losable(stage.stores.journal, away);
  return { stage, away, journal, money: stage.process({ journal }) };
};

it("S4: nothing is sent while the database is away, and the person is told to try in a minute", async () => {
  const { stage, away, money } = await openLosable();
  const confirmation = await prepared(stage);
  away.is = true;

  expect(await refusal(confirmed({ money }, confirmation))).toEqual({ kind: "database_away" });
  expect(stage.sent).toEqual([]);

  away.is = false;
  expect((await confirmed({ money }, confirmation)).op.state).toBe("accepted");
  expect(stage.sent).toHaveLength(1);
});

it("S4: a database that is lost during the last readings before the request is told as such", async () => {
  const { stage, away, journal } = await openLosable();
  stage.add();
  const confirmation = await prepared(stage);
  const wallet = beforeList(stage, async () => void (away.is = true));
  const money = stage.process({ journal, wallet });

  expect(await refusal(confirmed({ money }, confirmation))).toEqual({ kind: "database_away" });
  expect((await stage.op(confirmation.op.id)).state).toBe("confirmed");
  expect(stage.sent).toEqual([]);
});

it("S4: a database that is lost after a refund's last refusal is told as such", async () => {
  const stage = await sold();
  const confirmation = await ask(stage);
  stage.payments.set(SALE, sale({ status: "refunded" }));
  const away = { is: false };
  const refusing = atStep(stage.stores.journal, ({ to }, take) => {
    away.is = to === "refused_local";
    return take();
  });
  const money = stage.process({ journal: losable(refusing, away) });

  expect(await refusal(confirm({ money }, confirmation))).toEqual({ kind: "database_away" });
  expect((await stage.op(confirmation.op.id)).state).toBe("refused_local");
});

it("S4: a second tap during the request, while the database is away, is told of that tap alone", async () => {
  const { stage, away, money } = await openLosable();
  const confirmation = await prepared(stage);
  let second: unknown;
  stage.onRequest = async () => {
    away.is = true;
    second = await confirmed({ money }, confirmation).catch((error: unknown) => error);
    away.is = false;
  };

  expect((await confirmed({ money }, confirmation)).op.state).toBe("accepted");
  const told = errorReply(second as UserError, "pt-BR", "R");
  expect(JSON.stringify(told)).toContain("Este comando ou toque não moveu dinheiro.");
});

it("S4: an answer that came while the database was away for minutes is kept when it is back", async () => {
  const { stage, away, money } = await openLosable();
  const confirmation = await prepared(stage);
  stage.onRequest = () => void (away.is = true);

  await expect(confirmed({ money }, confirmation)).rejects.toThrow(DatabaseAwayError);
  for (let minutes = 0; minutes < 5; minutes++) {
    stage.clock.moveBy(MINUTE);
    await expect(stage.check(money)).rejects.toThrow(DatabaseAwayError);
  }
  away.is = false;
  await stage.check(money);

  const { id } = confirmation.op;
  expect(await stage.op(id)).toMatchObject({ state: "accepted", txid: "TX0001" });
  expect(await stage.messages()).toEqual([`withdrawal|${id}|accepted due`]);
  expect(stage.sent).toHaveLength(1);
});

it("S4: an answer that was kept late is told, also where its message could not be kept with it", async () => {
  const stage = await openMoneyStage();
  const failing = (name: string, event: string) =>
    sql
      .raw(`create trigger ${name} before ${event} begin select raise(abort, 'no room'); end`)
      .execute(stage.db);
  const confirmation = await prepared(stage);
  stage.answer = REFUSED;
  stage.onRequest = async () => {
    await failing("answers", "update on withdraw_op");
  };
  await expect(confirmed(stage, confirmation)).rejects.toThrow("no room");

  await sql.raw("drop trigger answers").execute(stage.db);
  await failing("messages", "insert on outbox");
  await stage.check();
  await sql.raw("drop trigger messages").execute(stage.db);
  await stage.check();
  await stage.check();

  const { id } = confirmation.op;
  expect((await stage.op(id)).state).toBe("rejected");
  expect(await stage.messages()).toEqual([`withdrawal|${id}|rejected due`]);
});

it("S3: an answer to a request whose step to sending was lost by a fail-over is kept", async () => {
  const stage = await openMoneyStage();
  stage.onRequest = async () => {
    await stage.db
      .updateTable("withdraw_op")
      .set((eb) => ({ state: "confirmed", version: eb("version", "-", 1), sent_at: null }))
      .execute();
    await stage.db.deleteFrom("withdraw_event").where("to_state", "=", "sending").execute();
  };
  const { op } = await confirmed(stage, await prepared(stage));
  expect(op).toMatchObject({ state: "accepted", txid: "TX0001" });
  expect(stage.sent).toHaveLength(1);
});

/** Takes the only operation back to its question, as a fail-over that lost both steps after it. */
const loseConfirmation = async ({ db }: MoneyStage, id: string): Promise<void> => {
  const draft = { state: "draft", version: 0, confirmations_left: 1 } as const;
  await db
    .updateTable("withdraw_op")
    .set({ ...draft, confirmed_at: null, sent_at: null, lease_until: null })
    .where("id", "=", id)
    .execute();
  await db.deleteFrom("withdraw_event").where("seq", ">", 0).execute();
};

it.each([
  ["accepted", undefined, "completed"],
  ["lost", LOST, "unknown"],
])(
  "S3: a refund whose confirmation a fail-over lost before its answer was %s is followed",
  async (_, answer, state) => {
    const stage = await sold();
    const asked = await ask(stage);
    stage.answer = answer;
    stage.onRequest = () => loseConfirmation(stage, asked.op.id);
    expect((await confirm(stage, asked)).op.state).toBe(state);
    expect(await refusal(ask(stage))).toMatchObject({
      kind: state === "unknown" ? "refund_busy" : "payment_refunded",
    });
    await stage.follow(MINUTE, 10_000);
    expect((await stage.op(asked.op.id)).state).toBe("completed");
    expect(stage.sent).toHaveLength(1);
  },
);

it("S3: a withdrawal in doubt whose confirmation a fail-over lost is told by message, as any other", async () => {
  const stage = await openMoneyStage();
  const asked = await prepared(stage);
  const { id } = asked.op;
  stage.answer = LOST;
  stage.onRequest = () => loseConfirmation(stage, id);
  await confirmed(stage, asked);
  expect(await stage.messages()).toEqual([`withdrawal|${id}|unknown due`]);
});

it("S3: a withdrawal whose confirmation a fail-over lost is followed once another one leaves its account", async () => {
  const stage = await openMoneyStage();
  const { journal } = stage.stores;
  const [asked, another] = [await prepared(stage), await prepared(stage)];
  stage.onRequest = async () => {
    await loseConfirmation(stage, asked.op.id);
    await journal.move(another.op, { to: "confirmed", reason: "confirmed" }, stage.clock.now());
  };
  await refusal(confirmed(stage, asked));

  const other = await stage.op(another.op.id);
  await journal.move(other, { to: "refused_local", reason: "money_locked" }, stage.clock.now());
  await stage.money.sweep(false);
  expect(await stage.op(asked.op.id)).toMatchObject({ state: "accepted", txid: "TX0001" });
});

/** As `loseConfirmation`; then the bot lets the question run out. */
const loseQuestion = async (stage: MoneyStage, id: string): Promise<void> => {
  await loseConfirmation(stage, id);
  await restore(stage, stage.clock.now());
  await stage.money.sweep(false);
};

it.each([
  ["confirmation a fail-over lost", "accepted", loseConfirmation, undefined, "accepted"],
  ["confirmation a fail-over lost", "lost", loseConfirmation, LOST, "unknown"],
  ["question ran out after a fail-over", "accepted", loseQuestion, undefined, "accepted"],
  ["question ran out after a fail-over", "lost", loseQuestion, LOST, "unknown"],
])(
  "S3: a withdrawal whose %s before its answer was %s is followed, and locks its account",
  async (_lost, _answer, lose, answer, state) => {
    const stage = await openMoneyStage();
    const asked = await prepared(stage);
    stage.answer = answer;
    stage.onRequest = () => lose(stage, asked.op.id);
    expect((await confirmed(stage, asked)).op.state).toBe(state);
    expect((await stage.stores.journal.openOf(asked.op.accountFp)).map(({ id }) => id)).toEqual([
      asked.op.id,
    ]);
    expect(stage.sent).toHaveLength(1);
  },
);

const full = Object.assign(new Error("database or disk is full"), { errcode: 13 });
const refused = (code: string) => Object.assign(new Error("PostgreSQL's refusal"), { code });

it.each([
  ["before", "refused_local", new DatabaseAwayError()],
  ["after", "not_sent", new DatabaseAwayError()],
  ["before", "refused_local", full],
  ["after", "not_sent", full],
  ["before", "refused_local", refused("55P03")],
  ["after", "not_sent", refused("57014")],
] as const)(
  "S4: a commit of sending whose answer is lost, %s it was made, sends nothing and ends as %s (%s)",
  async (when, state, failure) => {
    const stage = await openMoneyStage();
    const away = { is: false };
    const sending = atStep(stage.stores.journal, async ({ to }, take) => {
      if (to !== "sending") return await take();
      if (when === "after") await take();
      away.is = true;
      throw failure;
    });
    const money = stage.process({ journal: losable(sending, away, failure) });
    const confirmation = await prepared({ money });

    expect(await refusal(confirmed({ money }, confirmation))).toEqual({ kind: "database_away" });
    away.is = false;
    // Longer than the lease.
    stage.clock.moveBy(2 * MINUTE);
    await stage.check(money);

    const { id } = confirmation.op;
    expect(stage.sent).toEqual([]);
    expect((await stage.op(id)).state).toBe(state);
    expect(await stage.messages()).toEqual([`withdrawal|${id}|${state} due`]);
    expect((await withdrawn(stage)).op.state).toBe("accepted");
  },
);

const limitPages = ({ db }: MoneyStage, pages: number) =>
  sql.raw(`pragma max_page_count = ${pages}`).execute(db);

/** Stops the file's growth, then uses up the free pages with orders. */
const fill = async (stage: MoneyStage): Promise<void> => {
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(stage.db);
  await limitPages(stage, rows[0]?.page_count ?? 0);
  const full = async (): Promise<boolean> => {
    try {
      await prepared(stage);
      return false;
    } catch (error) {
      expect(sqliteCode(error)).toBe("SQLITE_FULL");
      return true;
    }
  };
  let orders = 0;
  while (!(await full())) orders += 1;
  expect(orders).toBeGreaterThan(0);
};

it("S16: on a full disk nothing leaves that the journal cannot hold, and reading goes on", async () => {
  const stage = await openMoneyStage();
  const orders = [];
  for (let index = 0; index < 40; index += 1) orders.push(await prepared(stage));
  await fill(stage);
  expect((await stage.money.balance.read(actor())).balance).toBeDefined();

  let refused = 0;
  for (const order of orders) {
    try {
      const { op } = await confirmed(stage, order);
      // Its end unlocks the account for the next order.
      stage.become(op.txid ?? "", { status: "completed" });
      await stage.follow(60_000);
    } catch {
      refused += 1;
    }
  }
  expect(refused).toBeGreaterThan(0);
  const requests = stage.sent.length;
  await limitPages(stage, 1_000_000);
  await stage.follow(10 * 60_000);

  const ops = await stage.stores.journal.list({ ownerId: ANA, limit: 100 });
  const left = ops.filter(({ sentAt }) => sentAt !== undefined);
  expect(left).toHaveLength(requests);
  // Where the disk was full before the service's answer was kept, its state is read.
  const known: readonly string[] = ["accepted", "processing", "completed"];
  expect(left.filter(({ state }) => !known.includes(state))).toEqual([]);
  for (const { txid } of left) stage.become(txid ?? "", { status: "completed" });
  await stage.follow(10 * 60_000);
  expect((await confirmed(stage, await prepared(stage))).op.state).toBe("accepted");
  expect(stage.sent).toHaveLength(requests + 1);
});
