import { expect, onTestFinished, test } from "vitest";
import type { Charge, ChargeStatus } from "#src/charges/charge.ts";
import { chargeNoticeKey } from "#src/charges/charge.ts";
import { createFollowCharges } from "#src/charges/charges.job.ts";
import { createCharges } from "#src/charges/charges.service.ts";
import { WalletError } from "#src/shared/errors.ts";
import { cents } from "#src/shared/money.ts";
import { Secret } from "#src/shared/secret.ts";
import { openStores } from "#src/stores.ts";
import type { ListedTransaction, Transaction } from "#src/transactions/transaction.ts";
import { savedAccount } from "../database/builders.ts";
import { ringLine, WALLET } from "../database/use-store.ts";
import { openTestDatabase, quietLog, standingClock, testRandom } from "../support/databases.ts";
import { NOW } from "../support/samples.ts";
import { CODE, sampleCharge } from "./charge-samples.ts";

const unavailable = (): never => {
  throw new WalletError({ kind: "unavailable", method: "GET", route: "/v1/x" });
};
const missing = (): never => {
  throw new WalletError({ kind: "not_found", method: "GET", route: "/v1/x" });
};

const payment = (status: string, given: Partial<Transaction> = {}): Transaction => ({
  txid: "c5d1f08e27ab",
  amount: cents(7_990),
  fee: cents(479),
  net: cents(7_511),
  type: "payment",
  status,
  modality: "link",
  redirectUrl: undefined,
  providerId: undefined,
  description: "Plano VIP mensal",
  payer: undefined,
  withdrawal: undefined,
  createdAt: NOW,
  updatedAt: NOW.add({ minutes: 1 }),
  ...given,
});

const listed = (txid: string): ListedTransaction => ({
  txid,
  amount: cents(7_990),
  net: undefined,
  type: "payment",
  status: "pending",
  description: "Plano VIP mensal",
  createdAt: NOW,
  updatedAt: undefined,
});

const hint = (status: string | undefined, given: Partial<ChargeStatus> = {}): ChargeStatus => ({
  status,
  expiresAt: undefined,
  code: undefined,
  ...given,
});

/** The real stores, with the service and Discord as functions. */
const setUp = async (...given: readonly Partial<Charge>[]) => {
  const clock = standingClock(NOW.toString());
  const database = await openTestDatabase("sqlite::memory:", clock);
  onTestFinished(database.close);
  const stores = await openStores(database, new Secret(ringLine("first")), WALLET, testRandom);
  const { accounts, charges, outbox } = stores;
  const account = await accounts.save(savedAccount(), new Secret("sk_sandbox_ana_4f9c2d7e1b"));
  const made = given.map((each, index) =>
    sampleCharge({
      id: `charge${index}`,
      accountId: account.id,
      ownerId: account.ownerId,
      ...each,
    }),
  );
  for (const charge of made) await charges.begin(charge, `i${charge.id}`);
  const service = {
    status: (_txid: string): ChargeStatus => hint("pending"),
    detail: (_txid: string): Transaction => payment("pending"),
    list: (): readonly ListedTransaction[] => [],
  };
  const reads: string[] = [];
  let live = false;
  const shown: string[] = [];
  const follow = createFollowCharges({
    clock,
    log: quietLog,
    charges,
    accounts,
    outbox,
    wallet: {
      chargeStatus: async (_key, txid, _wanted, priority) => {
        reads.push(`status ${txid} ${priority}`);
        return service.status(txid);
      },
      transaction: async (_key, txid) => {
        reads.push(`detail ${txid}`);
        return service.detail(txid);
      },
      transactions: async () => ({ items: service.list(), unnamed: 0, next: undefined }),
    },
    edit: async () => "edited",
    show: async (name) => {
      shown.push(name);
      return live;
    },
    onOwed: () => {},
  });
  const { signal } = new AbortController();
  /** Asks for a charge; `during` happens while the request is on its way. */
  const ask = async (during: (charge: Charge) => Promise<void>) => {
    const wallet = {
      createCharge: async () => {
        const last = await database.db
          .selectFrom("charge")
          .select("id")
          .where("state", "=", "creating")
          .executeTakeFirstOrThrow();
        const charge = await charges.find(last.id);
        if (charge !== undefined) await during(charge);
        return {
          state: "accepted",
          httpStatus: 200,
          requestId: undefined,
          value: {
            txid: "c5d1f08e27ab",
            code: CODE,
            amount: undefined,
            fee: cents(479),
            net: undefined,
            expiresAt: undefined,
            problem: undefined,
          },
        } as const;
      },
    };
    const cardOf = () => ({ content: "" });
    const needs = { clock, log: quietLog, random: testRandom, accounts, charges, outbox };
    const { guildId, ownerId: userId } = account;
    const charger = {
      guildId,
      userId,
      channelId: "1",
      interactionId: "i1",
      locale: "pt-BR",
    } as const;
    const { charge } = await createCharges({ ...needs, wallet, cardOf, wake: () => {} }).create(
      charger,
      { amount: cents(7_990), description: "Plano VIP mensal" },
    );
    return { shown: charge, kept: await charges.find(charge.id) };
  };
  return {
    ask,
    charges,
    account,
    service,
    reads,
    shown,
    clock,
    accounts,
    stayLive: () => {
      live = true;
    },
    follow: () => follow(signal),
    /** Looks when it is due, `times` over. */
    look: async (times = 1) => {
      for (let time = 0; time < times; time++) {
        const next = await charges.nextCheckAt();
        if (next === undefined) return;
        const waitMs = next.epochMilliseconds - clock.now().epochMilliseconds;
        clock.moveBy(Math.max(0, waitMs));
        await follow(signal);
      }
    },
    charge: async (index = 0) => {
      const charge = await charges.find(`charge${index}`);
      if (charge === undefined) throw new Error("The charge is gone");
      return charge;
    },
    told: (about: "end" | "found", index = 0) =>
      outbox.state(chargeNoticeKey({ id: `charge${index}` }, about)),
  };
};

test("a payment is proved by the documented detail, never by the quick look", async () => {
  const stage = await setUp({});
  stage.service.status = () => hint("approved");
  await stage.look(3);
  expect(await stage.charge()).toMatchObject({ state: "open", checks: 3 });
  stage.service.detail = () => payment("approved");
  await stage.look();
  expect(await stage.charge()).toMatchObject({
    state: "paid",
    fee: 479,
    net: 7_511,
    nextCheckAt: undefined,
  });
  expect(await stage.told("end")).toBe("due");
  expect(stage.reads[0]).toBe("status c5d1f08e27ab background");
});

test("a quick look that is wrong or cannot be read delays a payment by a few looks", async () => {
  const stage = await setUp({});
  stage.service.detail = () => payment("approved");
  await stage.look(4);
  expect(await stage.charge()).toMatchObject({ state: "paid" });
  const other = await setUp({});
  other.service.status = unavailable;
  other.service.detail = () => payment("refunded");
  await other.look();
  expect(await other.charge()).toMatchObject({ state: "refunded" });
});

test("a charge expires when its time is over or the service says so, and the detail shows no payment", async () => {
  const early = await setUp({ expiresAt: undefined });
  early.service.status = () => hint("expired");
  await early.look();
  expect(await early.charge()).toMatchObject({ state: "expired" });

  const unread = await setUp({ expiresAt: NOW.subtract({ minutes: 5 }) });
  unread.service.detail = unavailable;
  await unread.look(3);
  expect(await unread.charge()).toMatchObject({ state: "open" });
  unread.service.detail = missing;
  await unread.look();
  expect(await unread.charge()).toMatchObject({ state: "expired" });

  const paid = await setUp({ expiresAt: NOW.subtract({ minutes: 5 }) });
  paid.service.status = () => hint("expired");
  paid.service.detail = () => payment("approved");
  await paid.look();
  expect(await paid.charge()).toMatchObject({ state: "paid" });
});

test("a charge that nobody pays is left after three days, and told once", async () => {
  const stage = await setUp({ expiresAt: undefined });
  await stage.look(400);
  expect(await stage.charge()).toMatchObject({ state: "unfollowed", nextCheckAt: undefined });
  expect(await stage.told("end")).toBe("due");
  expect(stage.reads.length).toBeLessThan(350);
});

test("a charge left by a crash before its answer is found by list and detail, with its code", async () => {
  const stage = await setUp({ state: "creating", txid: undefined, code: undefined });
  stage.service.list = () => [listed("found")];
  stage.service.detail = (txid) => payment("pending", { txid });
  stage.service.status = () => hint("pending", { code: CODE });
  await stage.look();
  expect(await stage.charge()).toMatchObject({ state: "open", txid: "found", code: CODE });
  expect(await stage.told("found")).toBe("due");
});

test("a found charge is told by direct message only where the reply can no longer say it", async () => {
  const stage = await setUp({ state: "unknown", txid: undefined, code: undefined });
  stage.stayLive();
  stage.service.list = () => [listed("found")];
  await stage.look();
  expect(stage.shown).toEqual(["charge:charge0"]);
  expect(await stage.told("found")).toBe("obsolete");
});

test("two lost charges of the same amount and text are two payments of the service", async () => {
  const lost = { state: "unknown", txid: undefined, code: undefined } as const;
  const stage = await setUp(lost, lost);
  stage.service.list = () => [listed("one"), listed("two")];
  stage.service.detail = (txid) => payment("pending", { txid });
  await stage.look(12);
  const txids = [(await stage.charge(0)).txid, (await stage.charge(1)).txid];
  expect(new Set(txids)).toEqual(new Set(["one", "two"]));
});

test.each([
  ["is not listed", () => [], payment("pending")],
  ["has another text", () => [listed("x")], payment("pending", { description: "Outro" })],
  ["has another amount", () => [listed("x")], payment("pending", { amount: cents(1) })],
  [
    "is of another day",
    () => [listed("x")],
    payment("pending", { createdAt: NOW.add({ hours: 30 }) }),
  ],
] as const)(
  "a lost charge whose only payment %s is missing after its looks",
  async (_, list, detail) => {
    const stage = await setUp({ state: "unknown", txid: undefined, code: undefined });
    stage.service.list = list;
    stage.service.detail = () => detail;
    await stage.look(4);
    expect(await stage.charge()).toMatchObject({ state: "unknown" });
    await stage.look(5);
    expect(await stage.charge()).toMatchObject({ state: "missing", nextCheckAt: undefined });
    expect(await stage.told("found")).toBe("due");
  },
);

test("a list that cannot be read proves no absence", async () => {
  const stage = await setUp({ state: "unknown", txid: undefined, code: undefined });
  stage.service.list = unavailable;
  await stage.look(30);
  expect(await stage.charge()).toMatchObject({ state: "unknown", checks: 0 });
  stage.service.list = () => [listed("found")];
  await stage.look();
  expect(await stage.charge()).toMatchObject({ state: "open", txid: "found" });
});

test("a charge without a txid keeps its code while its txid is looked for", async () => {
  const stage = await setUp({ txid: undefined });
  await stage.look(9);
  expect(await stage.charge()).toMatchObject({ state: "open", code: CODE, nextCheckAt: undefined });
  const other = await setUp({ txid: undefined });
  other.service.list = () => [listed("found")];
  await other.look();
  expect(await other.charge()).toMatchObject({ state: "open", code: CODE, txid: "found" });
  expect(await other.told("found")).toBeUndefined();
});

test("a key that the service refuses changes nothing", async () => {
  const stage = await setUp({});
  stage.service.status = () => {
    throw new WalletError({ kind: "unauthorized", method: "GET", route: "/v1/x" });
  };
  await stage.look(3);
  expect(await stage.charge()).toMatchObject({ state: "open", checks: 0 });
});

test("an answer is kept whatever the looks found out while it was on its way", async () => {
  const answer = { state: "open", txid: "c5d1f08e27ab", code: CODE, fee: 479 };

  const called = await setUp();
  const woken = await called.ask(async () => {
    // A call of the service about any sale of the account.
    await called.charges.checkNow([called.account.id], called.clock.now());
    await called.follow();
  });
  expect(woken.kept).toMatchObject(answer);

  const late = await setUp();
  const lost = await late.ask(async () => late.look(3));
  expect(lost.shown).toMatchObject(answer);
  expect(lost.kept).toMatchObject(answer);

  const early = await setUp();
  early.service.list = () => [listed("c5d1f08e27ab")];
  const found = await early.ask(async () => early.look());
  expect(found.kept).toMatchObject(answer);
});

test("an answer fills what a look could not find", async () => {
  const stage = await setUp();
  const { kept } = await stage.ask(async (charge) => {
    for (const checks of [1, 2, 3]) {
      const current = (await stage.charges.find(charge.id)) ?? charge;
      await stage.charges.change(current, { state: "open", checks }, [], stage.clock.now());
    }
  });
  expect(kept).toMatchObject({ state: "open", txid: "c5d1f08e27ab", code: CODE, checks: 3 });
  expect(kept?.nextCheckAt).toBeDefined();
});
