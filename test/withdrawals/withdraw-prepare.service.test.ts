import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { cents } from "#src/shared/money.ts";
import { MINUTE } from "#src/shared/time.ts";
import {
  actor,
  ANA,
  beforeList,
  BRUNO,
  confirmed,
  disconnect,
  KEY,
  lostOne,
  openMoneyStage,
  order,
  prepared,
  refusal,
  restore,
  withdrawn,
  confirmationIn,
} from "./money-stage.ts";

/** A CPF that is also a valid São Paulo mobile number. */
const BOTH = "11987654374";
const FULL_WIDTH = "１１９８７６５４３７４";

describe("preparing a withdrawal", () => {
  it("shows all that will happen and sends nothing", async () => {
    const stage = await openMoneyStage();

    const confirmation = await prepared(stage);

    expect(confirmation).toMatchObject({
      confirmationsLeft: 1,
      askedTwice: [],
      pinRequired: false,
      pixKey: { type: "email" },
      holderName: "Bruno",
      available: 100_000,
      recent: undefined,
      underWay: [],
      night: false,
      keySaved: false,
    });
    expect(confirmation.op).toMatchObject({ state: "draft", kind: "turbo", amount: 5_000 });
    expect(confirmation.op.pixKeyMasked).toBe("b***@e***");
    expect(confirmation.pixKey.value.reveal()).toBe(KEY);
    expect(inspect(confirmation, { depth: 9 })).not.toContain(KEY);
    expect(JSON.stringify(confirmation)).not.toContain(KEY);
    expect(confirmation.token).toMatch(/^[\w-]{22}$/);
    expect(stage.sent).toEqual([]);
  });

  it("takes the whole balance of this moment for `all`", async () => {
    const stage = await openMoneyStage();
    stage.available = 43_210;

    const { op } = await prepared(stage, { what: { kind: "own", amount: "all" } });
    stage.available = 99_999;

    expect((await stage.op(op.id)).amount).toBe(43_210);
  });

  it("needs the balance only when the whole of it is to go", async () => {
    const stage = await openMoneyStage();
    stage.failing.set("balance", "unavailable");

    expect((await prepared(stage)).available).toBeUndefined();
    expect(await refusal(prepared(stage, { what: { kind: "own", amount: "all" } }))).toMatchObject({
      kind: "unavailable",
    });
  });

  it.each([
    ["below the minimum", { what: { kind: "own", amount: cents(999) } }, "amount_below_minimum"],
    [
      "above the balance",
      { what: { kind: "own", amount: cents(100_001) } },
      "amount_above_balance",
    ],
    ["to no key", { pixKey: " " }, "pix_key_unusable"],
    ["to a saved key that is gone", { pixKey: "salva:nothing" }, "pix_key_gone"],
    ["to oneself", { what: { kind: "split", recipientId: ANA } }, "recipient_is_self"],
    ["to nobody", { what: { kind: "split", recipientId: "12" } }, "recipient_invalid"],
    ["without a connection", { actor: actor({ userId: BRUNO }) }, "not_connected"],
  ] as const)("refuses one %s", async (_, changes, kind) => {
    const { money } = await openMoneyStage();

    expect(await refusal(money.withdrawals.prepare(order(changes)))).toMatchObject({ kind });
  });

  it.each(["all", cents(5_000), cents(1_000)] as const)(
    "refuses %s of a balance that is below the minimum itself, whatever is asked for",
    async (amount) => {
      const stage = await openMoneyStage();
      stage.available = 999;

      expect(await refusal(prepared(stage, { what: { kind: "own", amount } }))).toEqual({
        kind: "balance_below_minimum",
        available: 999,
        minimum: 1_000,
      });
    },
  );

  it.each(["all", cents(1_000)] as const)(
    "asks for %s when that is the least amount, and all there is",
    async (amount) => {
      const stage = await openMoneyStage();
      stage.available = 1_000;
      expect((await prepared(stage, { what: { kind: "own", amount } })).op.amount).toBe(1_000);
    },
  );

  it("asks for a split whatever the own balance is, which a split does not take from", async () => {
    const stage = await openMoneyStage();
    stage.available = 500;
    const what = { kind: "split", recipientId: "920000000000000002" } as const;

    expect((await prepared(stage, { what })).op.state).toBe("draft");
  });

  it.each([
    ["unavailable", "timeout"],
    ["proxy_page", "proxy_page"],
    ["proxy_page", "unreachable"],
  ] as const)(
    "S22: goes no further when balance and list are %s and %s, and does when the list is refused",
    async (balance, list) => {
      const stage = await openMoneyStage();
      stage.failing.set("balance", balance);
      stage.failing.set("withdrawals", list);

      expect(await refusal(prepared(stage))).toEqual({ kind: "service_down" });
      await expect(prepared(stage)).rejects.toHaveProperty("cause.requestId", `req_${balance}`);
      stage.failing.set("withdrawals", "not_found");
      expect((await prepared(stage)).op.state).toBe("draft");
    },
  );

  it("refuses a key that the service says does not exist", async () => {
    const stage = await openMoneyStage();
    stage.validKey = false;

    expect(await refusal(prepared(stage))).toMatchObject({ kind: "pix_key_refused" });
  });

  it("goes on without the key check, which is not documented", async () => {
    const stage = await openMoneyStage();
    stage.failing.set("checkPixKey", "not_found");

    expect((await prepared(stage)).holderName).toBeUndefined();
  });

  it("needs the operator's word for what is not documented, and not for a split", async () => {
    const stage = await openMoneyStage();
    const money = stage.process({ withdrawEnabled: false });

    expect(await refusal(money.withdrawals.prepare(order()))).toMatchObject({
      kind: "withdrawals_disabled",
    });
    const split = await prepared({ money }, { what: { kind: "split", recipientId: BRUNO } });
    expect(split).toMatchObject({ askedTwice: ["split"], confirmationsLeft: 2 });
  });

  it("asks twice for a new key, a list that cannot be read and a key that looks wrong", async () => {
    const stage = await openMoneyStage();
    expect((await prepared(stage, { pixKey: "carla@example.com" })).askedTwice).toEqual([
      "new_key",
    ]);
    expect((await prepared(stage, { pixKey: "not@an-address" })).askedTwice).toContain(
      "suspect_key",
    );
    stage.failing.set("withdrawals", "malformed");
    const unreadable = await prepared(stage);
    expect(unreadable).toMatchObject({ askedTwice: ["unreadable_list"], confirmationsLeft: 2 });
    expect(unreadable.op.preTxids).toBeUndefined();
  });

  it("sends nobody to the service for a second one where it was switched off over one in doubt", async () => {
    const stage = await openMoneyStage();
    const shown = await prepared(stage);
    const { id: opId } = await lostOne(stage, true);
    const off = { money: stage.process({ withdrawEnabled: false }) };
    const busy = { kind: "account_busy", opId, why: "unknown" };

    expect(await refusal(prepared(off))).toEqual(busy);
    expect(await refusal(confirmed(off, shown))).toEqual(busy);
  });

  it("sends nobody to the service over one that a restore may have lost either", async () => {
    const stage = await openMoneyStage();
    const shown = await prepared(stage);
    stage.add({ txid: "LOST" });
    await restore(stage, stage.clock.now());
    const off = { money: stage.process({ withdrawEnabled: false }) };
    const question = { kind: "restored_database", withdrawals: [{ txid: "LOST" }] };

    expect(await refusal(prepared(off))).toMatchObject(question);
    expect(await refusal(confirmed(off, shown))).toMatchObject(question);
  });

  it.each([
    ["failed", true],
    ["cancelled", true],
    ["completed", false],
  ] as const)(
    "tells one less than a day ago that is %s as unpaid: %s",
    async (status, isUnpaid) => {
      const stage = await openMoneyStage();
      const { op } = await withdrawn(stage);
      stage.become(op.txid ?? "", { status });
      await stage.follow(MINUTE);

      expect((await prepared(stage)).recent).toMatchObject({ isUnpaid });
    },
  );

  it("keeps no key of an owner who disconnects while the service is asked", async () => {
    const stage = await openMoneyStage(false);
    const wallet = beforeList(stage, () => disconnect(stage));
    const { prepare } = stage.process({ wallet }).withdrawals;

    expect(await refusal(prepare(order()))).toEqual({ kind: "not_connected" });

    expect(await stage.db.selectFrom("pix_key").selectAll().execute()).toEqual([]);
  });

  it("tells a refused key at once", async () => {
    const stage = await openMoneyStage();
    stage.failing.set("withdrawals", "unauthorized");

    expect(await refusal(prepared(stage))).toMatchObject({ kind: "unauthorized" });
  });
});

describe("eleven digits that are a CPF and a phone", () => {
  it.each([BOTH, FULL_WIDTH])(
    "are asked about, and go on as the person says: %s",
    async (typed) => {
      const { money, op } = await openMoneyStage();
      const question = await money.withdrawals.prepare(order({ pixKey: typed }));
      expect(question.kind).toBe("key_question");

      const answer = confirmationIn(
        await money.withdrawals.chooseKeyType(actor(), question.token ?? "", "phone"),
      );

      expect(answer.pixKey.type).toBe("phone");
      expect(answer.pixKey.value.reveal()).toBe(`+55${BOTH}`);
      expect((await op(answer.op.id)).amount).toBe(5_000);
    },
  );

  it("cannot be confirmed, answered by somebody else, or answered twice in two ways", async () => {
    const { money, sent } = await openMoneyStage();
    const question = await money.withdrawals.prepare(order({ pixKey: BOTH }));
    const token = question.token ?? "";

    const gone = { kind: "confirmation_gone" };
    expect(await refusal(money.withdrawals.confirm(actor(), token, undefined))).toEqual(gone);
    const bruno = actor({ userId: BRUNO });
    expect(await refusal(money.withdrawals.chooseKeyType(bruno, token, "cpf"))).toEqual({
      kind: "not_your_button",
    });
    await money.withdrawals.chooseKeyType(actor(), token, "cpf");
    expect(await refusal(money.withdrawals.chooseKeyType(actor(), token, "phone"))).toEqual(gone);
    expect(sent).toEqual([]);
  });

  it("are asked about once for clicks at once and after", async () => {
    const { money } = await openMoneyStage();
    const { token } = await money.withdrawals.prepare(order({ pixKey: BOTH }));
    const choose = () => money.withdrawals.chooseKeyType(actor(), token, "cpf");

    const [first, second] = await Promise.all([choose(), choose()]);

    expect(first.kind).toBe("confirmation");
    expect([second, await choose()]).toEqual([first, first]);
  });

  it("keep the whole balance and the recipient that were asked for", async () => {
    const { money } = await openMoneyStage();
    const all = await money.withdrawals.prepare(
      order({ pixKey: BOTH, what: { kind: "own", amount: "all" } }),
    );
    const split = await money.withdrawals.prepare(
      order({ pixKey: BOTH, what: { kind: "split", recipientId: BRUNO }, turbo: false }),
    );

    const first = await money.withdrawals.chooseKeyType(actor(), all.token ?? "", "cpf");
    const second = await money.withdrawals.chooseKeyType(actor(), split.token ?? "", "cpf");

    expect(first.op).toMatchObject({ kind: "turbo", amount: 100_000 });
    expect(second.op).toMatchObject({ kind: "split_normal", recipientId: BRUNO });
  });
});

describe("giving up", () => {
  it("ends the draft, and only for whoever asked, where they asked", async () => {
    const stage = await openMoneyStage();
    const { token, op } = await prepared(stage);

    for (const stranger of [{ userId: BRUNO }, { channelId: "1" }, { guildId: "2" }]) {
      expect(await refusal(stage.money.withdrawals.abandon(actor(stranger), token))).toEqual({
        kind: "not_your_button",
      });
    }
    expect((await stage.money.withdrawals.abandon(actor(), token)).state).toBe("abandoned");
    expect(await refusal(stage.money.withdrawals.confirm(actor(), token, undefined))).toEqual({
      kind: "confirmation_gone",
    });
    expect((await stage.op(op.id)).state).toBe("abandoned");
    expect(stage.sent).toEqual([]);
  });
});
