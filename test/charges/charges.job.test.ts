import { expect, test } from "vitest";
import { chargeNotice, chargeView } from "#src/charges/charge.view.ts";
import { WalletError } from "#src/shared/errors.ts";
import { cents } from "#src/shared/money.ts";
import { wireTime } from "#src/wallet/wire.ts";
import { ANA, anaKey, anaOtherKey, noticeTo, savedAccount } from "../database/builders.ts";
import { DAY, HOUR, MINUTE } from "#src/shared/time.ts";
import { NOW } from "../support/samples.ts";
import { CODE, sampleCharge } from "./charge-samples.ts";

import {
  hint,
  listed,
  missing,
  payment,
  setUp,
  unauthorized,
  unavailable,
} from "./charge-stage.ts";

const LOST = { txid: undefined, code: undefined } as const;

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

test("a quick look that cannot be read delays no payment", async () => {
  const stage = await setUp({});
  stage.service.status = unavailable;
  stage.service.detail = () => payment("refunded");
  await stage.look();
  expect(await stage.charge()).toMatchObject({ state: "refunded" });
});

test("the payment of a charge that never expires is told", async () => {
  const stage = await setUp({ expiresAt: undefined });
  const expiresAt = wireTime.parse("9999-12-31T23:59:59-03:00");
  stage.service.status = () => hint("pending", { expiresAt });
  stage.service.detail = () => payment("approved");
  await stage.look(5);
  expect(await stage.charge()).toMatchObject({ state: "paid" });
});

test("a charge expires when its time is over or the service says so, and the detail shows no payment", async () => {
  const early = await setUp({ expiresAt: undefined });
  early.service.status = () => hint("expired");
  await early.look();
  expect(await early.charge()).toMatchObject({ state: "expired" });

  const unread = await setUp({ expiresAt: NOW.subtract({ minutes: 15 }) });
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

test.each([
  ["open", ["card"]],
  ["unknown", []],
] as const)(
  "a charge that is %s while its seller's only key is refused is left after three days, with its card, and told once",
  async (state, cards) => {
    const stage = await setUp({ expiresAt: undefined, state, ...(state === "unknown" && LOST) });
    for (const card of cards) await stage.charges.posted("charge0", "c", card);
    await stage.accounts.pause(stage.account.id, NOW, noticeTo(ANA, "notice|paused"));
    stage.clock.moveBy(3 * DAY - 1);
    await stage.follow();
    expect(await stage.charge()).toMatchObject({ state, checks: 0 });
    stage.clock.moveBy(1);
    await stage.follow();
    expect(await stage.charge()).toMatchObject({ state: "unfollowed", nextCheckAt: undefined });
    expect(await stage.told("end")).toBe("due");
    expect(stage.edits).toEqual(cards);
    expect(stage.reads).toEqual([]);
  },
);

test("an expired charge of a refused key is not left: its payment may still be told", async () => {
  const stage = await setUp({ state: "expired" });
  await stage.accounts.pause(stage.account.id, NOW, noticeTo(ANA, "notice|paused"));
  stage.clock.moveBy(3 * DAY);
  await stage.follow();
  expect(await stage.charge()).toMatchObject({ state: "expired", checks: 0 });
});

test.each([[[]], [["900000000000000002"]]])(
  "that a charge was paid is told although its seller disconnects meanwhile, also elsewhere (%s)",
  async (others) => {
    const stage = await setUp({});
    const { accounts, account, clock } = stage;
    for (const guildId of others) await accounts.save(savedAccount({ guildId }), anaKey, ANA);
    stage.service.detail = () => payment("approved");
    await stage.look(4);
    await accounts.remove(account.guildId, account.ownerId, account.ownerId, clock.now());
    expect(await stage.told("end")).toBe("due");
  },
);

test("a charge whose detail cannot be read for days is not left, and its payment is told", async () => {
  const stage = await setUp({ expiresAt: undefined });
  stage.service.detail = unavailable;
  stage.clock.moveBy(4 * DAY);
  await stage.look(2);
  expect(await stage.charge()).toMatchObject({ state: "open" });
  stage.service.detail = () => payment("approved");
  await stage.look();
  expect(await stage.charge()).toMatchObject({ state: "paid" });
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

test("a code that a look brings after an answer without one is shown in the reply", async () => {
  const stage = await setUp({ code: undefined, problem: "no_code" });
  stage.stayLive();
  await stage.look();
  expect(stage.shown).toEqual([]);
  stage.service.status = () => hint("pending", { code: CODE });
  await stage.look(2);
  expect(await stage.charge()).toMatchObject({ state: "open", code: CODE, problem: undefined });
  expect(stage.shown).toEqual(["charge:charge0"]);
});

test.each([
  ["a sale that was paid before it was seen", ["one"], "approved"],
  ["several payments", ["one", "two"], "pending"],
] as const)("a lost charge is not taken for %s", async (_, txids, status) => {
  const stage = await setUp({ state: "unknown", txid: undefined, code: undefined });
  stage.service.list = () => txids.map(listed);
  stage.service.detail = (txid) => payment(status, { txid });
  await stage.look(9);
  expect(await stage.charge()).toMatchObject({
    state: "missing",
    problem: "unclear",
    txid: undefined,
  });
  expect(await stage.told("found")).toBe("due");
  expect(await stage.told("end")).toBeUndefined();
});

test("a lost charge is looked for behind all that was sold since", async () => {
  const stage = await setUp({ state: "unknown", txid: undefined, code: undefined });
  const sold = (page: number) => ({
    ...listed(`sold-${page}`),
    amount: cents(1),
    createdAt: NOW.subtract({ hours: page - 6 }),
  });
  stage.service.list = () => [sold(0)];
  stage.service.next = "p";
  // The list has no end: pages older than the charge are not read.
  stage.service.further = ({ length: page }) => [page === 6 ? listed("found") : sold(page)];
  await stage.look();
  expect(await stage.charge()).toMatchObject({ state: "open", txid: "found" });
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

test("a charge without a txid keeps its code while its txid is looked for", async () => {
  const stage = await setUp({ txid: undefined });
  await stage.look(9);
  expect(await stage.charge()).toMatchObject({ state: "open", code: CODE });
  const other = await setUp({ txid: undefined });
  other.service.list = () => [listed("found")];
  await other.look();
  expect(await other.charge()).toMatchObject({ state: "open", code: CODE, txid: "found" });
  expect(await other.told("found")).toBeUndefined();
});

const WRONG_ID = "customer-77";

test("a charge whose id names no payment is looked for in the list, and its payment is told", async () => {
  const stage = await setUp({ txid: WRONG_ID });
  stage.service.status = missing;
  stage.service.detail = (txid) => (txid === WRONG_ID ? missing() : payment("pending", { txid }));
  await stage.look();
  expect(await stage.charge()).toMatchObject({ state: "open", txid: WRONG_ID });
  stage.service.list = () => [listed("found")];
  stage.clock.moveBy(2 * 60_000);
  await stage.look();
  expect(await stage.charge()).toMatchObject({ state: "open", code: CODE, txid: "found" });
  expect(await stage.told("found")).toBeUndefined();
  stage.service.detail = (txid) => payment("approved", { txid });
  await stage.look();
  expect(await stage.charge()).toMatchObject({ state: "paid" });
});

test("a charge whose own payment is listed does not take another's, while its detail is not there yet", async () => {
  const stage = await setUp({ txid: "own" });
  stage.service.status = missing;
  stage.service.detail = (txid) => (txid === "own" ? missing() : payment("pending", { txid }));
  stage.service.list = () => [listed("own"), listed("other")];
  await stage.look();
  stage.clock.moveBy(5 * 60_000);
  await stage.look();
  stage.service.detail = (txid) => payment(txid === "own" ? "pending" : "approved", { txid });
  await stage.look(3);
  expect(await stage.charge()).toMatchObject({ state: "open", txid: "own" });
});

test.each([undefined, "expired"])(
  "a charge takes no other payment in the minutes in which its own may be yet to show (hint: %s)",
  async (status) => {
    const stage = await setUp({ txid: "own" });
    stage.service.status = () => hint(status);
    stage.service.detail = (txid) => (txid === "own" ? missing() : payment("pending", { txid }));
    stage.service.list = () => [listed("other")];
    // Calls of the service make it due again and again.
    for (let call = 0; call < 5; call++) {
      await stage.charges.makeDue([stage.account.id], stage.clock.now());
      await stage.follow();
    }
    await stage.look(4);
    stage.service.detail = (txid) => payment("approved", { txid });
    await stage.look();
    expect(await stage.charge()).toMatchObject({ state: "paid", txid: "own" });
  },
);

test("a key that the service refuses changes nothing", async () => {
  const stage = await setUp({});
  stage.service.status = unauthorized;
  await stage.look(3);
  expect(await stage.charge()).toMatchObject({ state: "open", checks: 0 });
});

test("a charge is looked at with its own key, and with another one of its seller while that is refused", async () => {
  const stage = await setUp();
  const { accounts, charges, service } = stage;
  const elsewhere = savedAccount({ guildId: "900000000000000002", connectedAt: NOW });
  const { id: accountId, ownerId } = await accounts.save(elsewhere, anaOtherKey, ANA);
  await charges.begin(sampleCharge({ id: "charge0", accountId, ownerId }), "i0");
  // The refusal is yet to be noticed.
  service.refused.add(anaKey.reveal());
  await stage.look();
  expect(await stage.charge()).toMatchObject({ state: "open", checks: 1 });

  service.refused.clear();
  service.refused.add(anaOtherKey.reveal());
  await accounts.pause(accountId, NOW, noticeTo(ANA, "notice|paused"));
  service.status = () => hint("paid");
  service.detail = () => payment("approved");
  await stage.look();
  expect(await stage.charge()).toMatchObject({ state: "paid", accountId });
});

test("an answer is kept whatever the looks found out while it was on its way", async () => {
  const answer = { state: "open", txid: "c5d1f08e27ab", code: CODE, fee: 479 };

  const called = await setUp();
  const woken = await called.ask(async () => {
    // A call of the service about any sale of the account.
    await called.charges.makeDue([called.account.id], called.clock.now());
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

const UNKEPT = ["unfollowed", "not_sent"] as const;
test.each(UNKEPT)("a seller who has disconnected meanwhile reads a charge as %s", async (state) => {
  const stage = await setUp();
  stage.service.isAway = state === "not_sent";
  const { guildId, ownerId } = stage.account;
  const { kept, shown } = await stage.ask(async () => {
    await stage.accounts.remove(guildId, ownerId, ownerId, stage.clock.now());
  });
  expect(kept).toBeUndefined();
  expect(shown.state).toBe(state);
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
  expect(kept).toMatchObject({ locale: "pt-BR", cardLocale: "en-US" });
  expect(kept?.nextCheckAt).toBeDefined();
});

test.each(["approved", "refunded"])(
  "another amount that is %s is told, never as the charge's",
  async (status) => {
    const stage = await setUp({ expiresAt: undefined });
    stage.service.detail = () =>
      payment(status, { amount: cents(1), fee: cents(0), net: cents(1) });
    await stage.look(4);
    const charge = await stage.charge();
    expect(charge).toMatchObject({ state: "unfollowed", received: 1, nextCheckAt: undefined });
    expect(JSON.stringify(chargeNotice(charge, "ref"))).toContain(
      "Entrou um valor diferente: R$\u00a00,01",
    );
    const shown = JSON.stringify(chargeView({ charge: charge, qr: undefined }, "pt-BR"));
    expect(shown.includes("Você recebe")).toBe(status === "approved");
    expect(await stage.told("end")).toBe("due");
  },
);

test("a withdrawal under the charge's txid ends nothing", async () => {
  const stage = await setUp({ expiresAt: undefined });
  stage.service.detail = () => payment("approved", { type: "withdrawal" });
  await stage.look(8);
  expect(await stage.charge()).toMatchObject({ state: "open" });
});

test("a charge that the service says to wait is not expired by our clock for a quarter of an hour", async () => {
  const stage = await setUp({ expiresAt: NOW.subtract({ minutes: 2 }), nextCheckAt: NOW });
  await stage.look();
  expect(await stage.charge()).toMatchObject({ state: "open" });
  stage.clock.moveBy(15 * 60_000);
  await stage.look();
  expect(await stage.charge()).toMatchObject({ state: "expired" });
});

test("an expired charge is read for a day or an outage, and a payment after all is told", async () => {
  const given = { expiresAt: undefined };
  const stage = await setUp(given, { ...given, txid: "late" }, { ...given, txid: "away" });
  stage.service.status = () => hint("expired");
  await stage.look();
  expect(await stage.charge(1)).toMatchObject({ state: "expired" });
  stage.service.detail = (txid) =>
    txid === "away" ? unavailable() : payment(txid === "late" ? "approved" : "pending", { txid });
  await stage.look(99);
  expect(await stage.charge(1)).toMatchObject({ state: "paid", nextCheckAt: undefined });
  expect(await stage.told("late", 1)).toBe("due");
  expect(await stage.charge(0)).toMatchObject({ state: "expired", nextCheckAt: undefined });
  expect(stage.clock.now().since(NOW).total("hours")).toBeGreaterThan(24);
  stage.service.detail = (txid) => payment("approved", { txid });
  await stage.look();
  expect(await stage.charge(2)).toMatchObject({ state: "paid", nextCheckAt: undefined });
  expect(await stage.told("late", 2)).toBe("due");
});

test("an expired charge is read on while a proxy's page stands in for the service, and a payment after all is told", async () => {
  const stage = await setUp({ state: "expired" });
  stage.service.detail = () => {
    const page = { kind: "malformed", isForeign: true } as const;
    throw new WalletError({ ...page, method: "GET", route: "/v1/x" });
  };
  await stage.look(9);
  stage.service.detail = () => payment("approved");
  await stage.look();
  expect(await stage.charge()).toMatchObject({ state: "paid", nextCheckAt: undefined });
  expect(await stage.told("late")).toBe("due");
});

test.each([2 * HOUR, DAY])(
  "a payment is told within minutes after the clock was set back by %s ms",
  async (ms) => {
    const stage = await setUp({ expiresAt: undefined });
    stage.clock.moveBy(ms);
    await stage.follow();
    stage.clock.moveBy(-ms);
    stage.service.detail = () => payment("approved");
    stage.service.status = () => hint("paid");
    stage.clock.moveBy(MINUTE);
    await stage.follow();
    expect((await stage.charge()).state).toBe("paid");
  },
);
