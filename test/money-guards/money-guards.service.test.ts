import { describe, expect, it } from "vitest";
import type { MoneyGuards } from "#src/money-guards/money-guards.ts";
import type { Services } from "#src/services.ts";
import type { Confirmation } from "#src/withdrawals/withdraw-facts.ts";
import { cents } from "#src/shared/money.ts";
import { Secret } from "#src/shared/secret.ts";
import { HOUR, DAY } from "#src/shared/time.ts";
import { fullAndRelative } from "#src/ui/format.ts";
import {
  actor,
  ANA,
  beforeList,
  confirmed,
  KEY,
  openMoneyStage,
  prepared,
  refusal,
  textsOf,
  withdrawn,
} from "../withdrawals/money-stage.ts";

describe("the lock", () => {
  it("stops what is prepared and what waits to be confirmed, at once", async () => {
    const stage = await openMoneyStage();
    const confirmation = await prepared(stage);

    await stage.money.guards.lock(actor({ guildId: "another server" }));

    const locked = { kind: "money_locked", until: undefined };
    expect(await refusal(confirmed(stage, confirmation))).toEqual(locked);
    expect(await refusal(prepared(stage))).toEqual(locked);
    expect(stage.sent).toEqual([]);
    stage.clock.moveBy(HOUR);
    await stage.money.guards.lock(actor());
    expect(await stage.messages()).toEqual([`guard|${ANA}|locked|2026-11-20T15:00:00Z due`]);
  });

  it("stops what was confirmed and is about to be sent", async () => {
    const stage = await openMoneyStage();
    const confirmation = await prepared(stage);
    const wallet = beforeList(stage, () => stage.money.guards.lock(actor()));

    const { op } = await confirmed({ money: stage.process({ wallet }) }, confirmation);

    expect(op).toMatchObject({ state: "refused_local", errorCode: "money_locked" });
    expect(stage.sent).toEqual([]);
  });

  it("opens a day after it was asked for, and locking again takes that back", async () => {
    const stage = await openMoneyStage();
    const { guards } = stage.money;
    expect(await refusal(guards.askUnlock(actor()))).toEqual({ kind: "money_not_locked" });
    const { lockedAt } = await guards.lock(actor());

    const { unlockAt } = await guards.askUnlock(actor());
    expect(unlockAt?.toString()).toBe("2026-11-21T15:00:00Z");
    stage.clock.moveBy(HOUR);
    expect((await guards.askUnlock(actor())).unlockAt).toEqual(unlockAt);
    const again = await guards.lock(actor());
    expect([again.lockedAt, again.unlockAt]).toEqual([lockedAt, undefined]);
    await guards.askUnlock(actor());
    stage.clock.moveBy(DAY);

    expect((await guards.find(ANA)).lockedAt).toBeUndefined();
    expect(await refusal(prepared(stage))).toBe("was not refused");
  });
});

describe("the cap of a day", () => {
  it("counts what may have been sent in the last 24 hours", async () => {
    const stage = await openMoneyStage();
    await stage.money.guards.setDailyCap(actor(), cents(8_000));
    const { op } = await withdrawn(stage);
    stage.become(op.txid ?? "", { status: "completed" });
    await stage.follow(60_000);

    expect(await refusal(prepared(stage))).toEqual({
      kind: "daily_cap_exceeded",
      amount: 5_000,
      cap: 8_000,
      left: 3_000,
      noLess: undefined,
    });
    expect((await prepared(stage, { what: { kind: "own", amount: cents(3_000) } })).kind).toBe(
      "confirmation",
    );
    stage.clock.moveBy(DAY);
    expect(await refusal(prepared(stage))).toBe("was not refused");
  });

  it.each([
    [4_000, 0, "below_minimum"],
    [5_999, 999, "below_minimum"],
    [6_000, 1_000, undefined],
  ])("of %i leaves %i, and says whether less is a way out: %s", async (cap, left, noLess) => {
    const stage = await openMoneyStage();
    await withdrawn(stage);
    await stage.money.guards.setDailyCap(actor(), cents(cap));

    expect(await refusal(prepared(stage))).toMatchObject({ left, noLess });
  });

  it("holds for what was prepared before it", async () => {
    const stage = await openMoneyStage();
    const confirmation = await prepared(stage);
    await stage.money.guards.setDailyCap(actor(), cents(4_999));

    expect(await refusal(confirmed(stage, confirmation))).toMatchObject({
      kind: "daily_cap_exceeded",
    });
  });

  it("lets no split through, whose amount nobody knows", async () => {
    const stage = await openMoneyStage();
    await stage.money.guards.setDailyCap(actor(), cents(8_000));

    const split = prepared(stage, { what: { kind: "split", recipientId: "920000000000000002" } });

    expect(await refusal(split)).toEqual({ kind: "split_under_cap", cap: 8_000 });
  });

  it("is lowered at once, and raised or ended a day later, until when a raised one stays", async () => {
    const stage = await openMoneyStage();
    const { guards } = stage.money;
    expect((await guards.setDailyCap(actor(), cents(8_000))).dailyCap).toBe(8_000);
    expect((await guards.setDailyCap(actor(), cents(5_000))).dailyCap).toBe(5_000);

    expect(await guards.setDailyCap(actor(), cents(9_000))).toMatchObject({
      dailyCap: 5_000,
      pendingCap: { cap: 9_000 },
    });
    stage.clock.moveBy(DAY);
    expect((await guards.find(ANA)).dailyCap).toBe(9_000);
    await guards.setDailyCap(actor(), cents(90_000));
    expect((await guards.find(ANA)).dailyCap).toBe(9_000);
    await guards.setDailyCap(actor(), undefined);
    expect((await guards.find(ANA)).dailyCap).toBe(9_000);
    expect((await guards.setDailyCap(actor(), cents(9_000))).pendingCap).toBeUndefined();
  });

  it("is told, where it is to be raised, with the amount, and as ended where its owner asks for none", async () => {
    const stage = await openMoneyStage();
    const { guards } = stage.money;
    await guards.setDailyCap(actor(), cents(5_000));
    await guards.setDailyCap(actor(), cents(900_000));
    const raise = `guard|${ANA}|cap_raise_asked|2026-11-20T15:00:00Z due`;
    expect(await stage.messages()).toEqual([raise]);
    expect(await textsOf(stage)).toMatch(/"name":"Limite diário","value":"R\$\u00a09\.000,00"/);
    await guards.setDailyCap(actor(), undefined);

    expect(await stage.messages()).toEqual([
      `guard|${ANA}|cap_end_asked|2026-11-20T15:00:00Z due`,
      raise,
    ]);
  });

  it("comes no later where the same one is asked for again, and is told once", async () => {
    const stage = await openMoneyStage();
    const { guards } = stage.money;
    await guards.setDailyCap(actor(), undefined);
    expect(await stage.messages()).toEqual([]);
    for (const later of [cents(9_000), undefined]) {
      await guards.setDailyCap(actor(), cents(5_000));
      const asked = await guards.setDailyCap(actor(), later);
      const told = await stage.messages();
      stage.clock.moveBy(HOUR);
      expect(await guards.setDailyCap(actor(), later)).toEqual(asked);
      expect(await stage.messages()).toEqual(told);
    }
  });
});

describe("the wait of a new key", () => {
  const newKeyMessage = ({ op }: Confirmation, firstSeen: string): string =>
    `guard|${ANA}|new_key|${op.pixKeyHash}|${firstSeen} due`;

  it("begins when it is first typed, is told once, with the amount, and ends after a day", async () => {
    const stage = await openMoneyStage(false);
    await stage.money.guards.setNewKeyWait(actor(), true);

    const until = Temporal.Instant.from("2026-11-21T15:00Z");
    const waits = { kind: "new_key_waits", pixKeyMasked: "b***@e***", until };
    expect(await refusal(prepared(stage))).toEqual(waits);
    stage.clock.moveBy(HOUR);
    expect(await refusal(prepared(stage))).toEqual(waits);
    const told = await stage.db.selectFrom("outbox").select("payload").execute();
    expect(told).toHaveLength(1);
    expect(told[0]?.payload).toContain("`b***@e***`");
    expect(told[0]?.payload).not.toContain(KEY);
    expect(told[0]?.payload).toMatch(/"name":"Valor pedido","value":"R\$\u00a050,00"/);
    stage.clock.moveBy(23 * HOUR);

    expect((await withdrawn(stage)).op.state).toBe("accepted");
  });

  it("holds for what was prepared before it, and not for a key that was used", async () => {
    const stage = await openMoneyStage();
    const known = await prepared(stage);
    const fresh = await prepared(stage, { pixKey: "carla@example.com" });
    await stage.money.guards.setNewKeyWait(actor(), true);

    expect(await refusal(confirmed(stage, fresh))).toMatchObject({ kind: "new_key_waits" });
    expect((await confirmed(stage, known)).op.state).toBe("accepted");
    expect(known.op.pixKeyHash).toBe(stage.stores.vault.hashPixKey(KEY));
    expect(await stage.messages()).toEqual([newKeyMessage(fresh, "2026-11-20T15:00:00Z")]);
  });

  it("begins, and is told, for a key that was only typed before it was switched on", async () => {
    const stage = await openMoneyStage(false);
    const { withdrawals, guards } = stage.money;
    const typed = await prepared(stage);
    await withdrawals.abandon(actor(), typed.token);
    stage.clock.moveBy(DAY);
    await guards.setNewKeyWait(actor(), true);
    stage.clock.moveBy(DAY);

    const until = Temporal.Instant.from("2026-11-23T15:00Z");
    expect(await refusal(prepared(stage))).toMatchObject({ kind: "new_key_waits", until });
    await guards.setNewKeyWait(actor(), false);
    await guards.setNewKeyWait(actor(), true);
    expect(await refusal(prepared(stage))).toMatchObject({ kind: "new_key_waits", until });
    expect(await stage.messages()).toContain(newKeyMessage(typed, "2026-11-22T15:00:00Z"));
    stage.clock.moveBy(DAY);
    expect((await withdrawn(stage)).op.state).toBe("accepted");
  });

  it("goes on where its owner sets a cap, and takes back the end of the wait", async () => {
    const stage = await openMoneyStage(false);
    const { guards } = stage.money;
    await guards.setNewKeyWait(actor(), true);
    const until = Temporal.Instant.from("2026-11-21T15:00Z");
    expect(await refusal(prepared(stage))).toMatchObject({ kind: "new_key_waits", until });
    stage.clock.moveBy(HOUR);

    await guards.setDailyCap(actor(), cents(9_000));
    expect(await refusal(prepared(stage))).toMatchObject({ kind: "new_key_waits", until });
    await guards.setNewKeyWait(actor(), false);
    await guards.setNewKeyWait(actor(), true);

    expect(await refusal(prepared(stage))).toMatchObject({ kind: "new_key_waits", until });
  });

  it("is told to end with the wait of all new keys where that one ends first", async () => {
    const stage = await openMoneyStage(false);
    const { guards } = stage.money;
    await guards.setNewKeyWait(actor(), true);
    await guards.setNewKeyWait(actor(), false);
    stage.clock.moveBy(23 * HOUR);

    const until = Temporal.Instant.from("2026-11-21T15:00Z");
    expect(await refusal(prepared(stage))).toMatchObject({ kind: "new_key_waits", until });
    const news = (await textsOf(stage)).split("Uma chave PIX nova vai poder receber").at(-1);
    expect(news).toContain(fullAndRelative(until));
    stage.clock.moveBy(HOUR);
    expect((await withdrawn(stage)).op.state).toBe("accepted");
  });

  it("is on record once where it is switched on twice", async () => {
    const stage = await openMoneyStage();
    const on = await stage.money.guards.setNewKeyWait(actor(), true);
    expect(await stage.money.guards.setNewKeyWait(actor(), true)).toEqual(on);
    const audit = await stage.db.selectFrom("audit_event").select("action").execute();
    expect(audit.filter(({ action }) => action === "new_key_wait_set")).toHaveLength(1);
  });

  it("is switched off a day later, unless it is switched on again before", async () => {
    const stage = await openMoneyStage();
    const { guards } = stage.money;
    await guards.setNewKeyWait(actor(), true);
    await guards.setNewKeyWait(actor(), false);
    expect((await guards.setNewKeyWait(actor(), true)).newKeyWaitEndsAt).toBeUndefined();

    expect(await guards.setNewKeyWait(actor(), false)).toMatchObject({ newKeyWait: true });
    stage.clock.moveBy(DAY / 2);
    await guards.setNewKeyWait(actor(), false);
    stage.clock.moveBy(DAY / 2);

    expect((await guards.find(ANA)).newKeyWait).toBe(false);
    expect(await guards.setNewKeyWait(actor(), false)).toMatchObject({ newKeyWait: false });
  });
});

describe("S8: a clock that is a day ahead", () => {
  /** All guards with a loosening asked for, and the clock then ahead of it. */
  const openLoosened = async () => {
    const stage = await openMoneyStage();
    const { guards } = stage.money;
    await guards.setPin(actor(), new Secret("4071"), undefined);
    await guards.setDailyCap(actor(), cents(10_000));
    await guards.setNewKeyWait(actor(), true);
    await guards.lock(actor());
    await guards.askUnlock(actor());
    await guards.removePin(actor(), undefined);
    await guards.setDailyCap(actor(), cents(50_000));
    await guards.setNewKeyWait(actor(), false);
    const asked = await guards.find(ANA);
    stage.clock.moveBy(DAY);
    return { stage, guards, asked };
  };

  it("ends no guard for good, whichever other one is changed meanwhile", async () => {
    const changes = [
      (guards: Services["guards"]) => guards.lock(actor()),
      (guards: Services["guards"]) => guards.setPin(actor(), new Secret("8350"), undefined),
      (guards: Services["guards"]) => guards.setDailyCap(actor(), cents(20_000)),
      (guards: Services["guards"]) => guards.setNewKeyWait(actor(), true),
    ];
    const fields = [
      "lockedAt unlockAt",
      "pin",
      "dailyCap pendingCap",
      "newKeyWait newKeyWaitEndsAt",
    ];
    for (const [index, change] of changes.entries()) {
      const { stage, guards, asked } = await openLoosened();
      await change(guards);
      stage.clock.moveBy(-DAY);
      const { [index]: _, ...others } = fields;
      for (const field of Object.values(others).join(" ").split(" ") as (keyof MoneyGuards)[])
        expect({ [field]: (await guards.find(ANA))[field] }).toEqual({ [field]: asked[field] });
    }
  });

  it("raises no cap for good that is lowered from what seems to be in force", async () => {
    const { stage, guards } = await openLoosened();
    expect(await guards.setDailyCap(actor(), cents(20_000))).toMatchObject({ dailyCap: 20_000 });
    stage.clock.moveBy(-DAY);
    expect((await guards.find(ANA)).dailyCap).toBe(10_000);
    stage.clock.moveBy(DAY);
    expect((await guards.find(ANA)).dailyCap).toBe(20_000);
    await guards.setDailyCap(actor(), cents(9_000));
    stage.clock.moveBy(-DAY);
    expect(await guards.find(ANA)).toMatchObject({ dailyCap: 9_000, pendingCap: undefined });
  });

  it("ends them once it is right and their time has come", async () => {
    const { stage, guards } = await openLoosened();
    await guards.lock(actor());
    stage.clock.moveBy(-DAY);
    stage.clock.moveBy(DAY);
    expect(await guards.find(ANA)).toMatchObject({
      pin: undefined,
      dailyCap: 50_000,
      pendingCap: undefined,
      newKeyWait: false,
    });
  });

  it("lets an unlock that was asked for by it wait longer, never shorter", async () => {
    const stage = await openMoneyStage();
    await stage.money.guards.lock(actor());
    stage.clock.moveBy(DAY);
    await stage.money.guards.askUnlock(actor());
    stage.clock.moveBy(-DAY);
    stage.clock.moveBy(2 * DAY - 1);
    expect((await stage.money.guards.find(ANA)).lockedAt).toBeDefined();
    stage.clock.moveBy(1);
    expect((await stage.money.guards.find(ANA)).lockedAt).toBeUndefined();
  });
});

it("changes at once are all made", async () => {
  const { money } = await openMoneyStage();

  await Promise.all([
    money.guards.lock(actor()),
    money.guards.setDailyCap(actor(), cents(8_000)),
    money.guards.setNewKeyWait(actor(), true),
  ]);

  const guards = await money.guards.find(ANA);
  expect(guards).toMatchObject({ dailyCap: 8_000, newKeyWait: true });
  expect(guards.lockedAt).toBeDefined();
});
