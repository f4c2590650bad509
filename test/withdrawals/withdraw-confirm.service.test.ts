import { describe, expect, it, vi } from "vitest";
import { cents } from "#src/shared/money.ts";
import { asCpf, asPhone, maskPixKey } from "#src/withdrawals/pix-key.ts";
import type { Confirmation } from "#src/withdrawals/withdraw-facts.ts";
import {
  actor,
  ANA,
  atStep,
  BRUNO,
  confirmationIn,
  confirmed,
  connect,
  disconnect,
  openMoneyStage,
  prepared,
  refusal,
  withdrawn,
} from "./money-stage.ts";

const GONE = { kind: "confirmation_gone" };
const TOO_SOON = { kind: "clicked_too_soon" };

describe("confirming a withdrawal", () => {
  it("sends exactly what was shown, and says that it was taken", async () => {
    const stage = await openMoneyStage();

    const { op, sent, keySavable } = await withdrawn(stage);

    expect(stage.sent).toEqual([{ amount: 5_000, pixKey: "bruno@example.com", turbo: true }]);
    expect(op).toMatchObject({
      state: "accepted",
      txid: "TX0001",
      fee: 350,
      net: 4_650,
      httpStatus: 200,
      requestId: "req-1",
      preTxids: [],
    });
    expect(sent?.rejected).toBeUndefined();
    expect(keySavable).toBe(true);
    expect(await stage.messages()).toEqual([]);
  });

  it("sends a split withdrawal without an amount, and learns it from the answer", async () => {
    const stage = await openMoneyStage();

    const status = await withdrawn(stage, {
      what: { kind: "split", recipientId: BRUNO },
      turbo: false,
    });

    expect(stage.sent).toEqual([
      { recipientUserId: BRUNO, pixKey: "bruno@example.com", turbo: false },
    ]);
    expect(status.op).toMatchObject({ kind: "split_normal", amount: 9_000, state: "accepted" });
    expect(status.sent).toMatchObject({ previousSplitBalance: 9_000, newSplitBalance: 0 });
    const last = await stage.stores.splitBalances.last(status.op.accountFp, BRUNO);
    expect(last?.balance).toBe(0);
  });

  it("keeps no split balance of an account whose last key goes before the answer", async () => {
    const stage = await openMoneyStage();
    stage.onRequest = async () => void (await disconnect(stage));

    const { op } = await withdrawn(stage, { what: { kind: "split", recipientId: BRUNO } });

    expect(await stage.stores.splitBalances.last(op.accountFp, BRUNO)).toBeUndefined();
  });

  it.each([
    ["unavailable", "unreachable"],
    ["proxy_page", "proxy_page"],
  ] as const)(
    "S22: is refused before anything is confirmed when both reads are %s and %s, and may be clicked again",
    async (balance, list) => {
      const stage = await openMoneyStage();
      const confirmation = await prepared(stage);
      stage.failing.set("balance", balance);
      stage.failing.set("withdrawals", list);

      const refused = confirmed(stage, confirmation);
      await expect(refused).rejects.toHaveProperty("cause.requestId", expect.any(String));
      expect(await refusal(refused)).toEqual({ kind: "service_down" });

      expect((await stage.op(confirmation.op.id)).state).toBe("draft");
      expect(stage.sent).toEqual([]);
      stage.failing.clear();
      expect((await confirmed(stage, confirmation)).op.state).toBe("accepted");
    },
  );

  it.each([
    ["the balance has another form than the document's", "malformed", "malformed"],
    ["the list has another form than the document's", undefined, "proxy_page"],
    ["one of the two reads is answered, were it by a refusal", "unavailable", "not_found"],
  ] as const)("S22: goes on where %s", async (_, balance, list) => {
    const stage = await openMoneyStage();
    const confirmation = await prepared(stage);
    if (balance !== undefined) stage.failing.set("balance", balance);
    stage.failing.set("withdrawals", list);

    expect((await confirmed(stage, confirmation)).op.state).toBe("accepted");
  });

  it("keeps the balance that a refused split named", async () => {
    const stage = await openMoneyStage();
    stage.works = false;
    const shortfall = { available: cents(500), minimum: cents(1_000) };
    stage.answer = {
      state: "rejected",
      reason: "insufficient_split_balance",
      httpStatus: 400,
      requestId: undefined,
      message: "no",
      retryAfterMs: undefined,
      shortfall,
    };
    const what = { kind: "split", recipientId: BRUNO } as const;

    const { op, sent } = await withdrawn(stage, { what });
    const again = await prepared(stage, { what });

    expect(op).toMatchObject({ state: "rejected", errorCode: "insufficient_split_balance" });
    expect(sent?.rejected?.shortfall).toEqual(shortfall);
    expect(again.lastSplitBalance?.balance).toBe(500);
  });

  it("needs two clicks for a new key, the second with another token", async () => {
    const stage = await openMoneyStage(false);
    const first = await prepared(stage);

    const second = confirmationIn(
      await stage.money.withdrawals.confirm(actor(), first.token, undefined),
    );

    expect(stage.sent).toEqual([]);
    expect(second).toMatchObject({ confirmationsLeft: 1, askedTwice: ["new_key"] });
    expect(second.token).not.toBe(first.token);
    expect((await confirmed(stage, second)).op.state).toBe("accepted");
    const known = await stage.stores.pixKeys.noteSeen(
      first.op.ownerId,
      { hash: first.op.pixKeyHash, type: "email", masked: "" },
      stage.clock.now(),
    );
    expect(known.lastUsedAt).toBeDefined();
  });

  it("sends to the CPF that was shown, though its wrong last digits make a stranger's phone of it", async () => {
    const stage = await openMoneyStage();
    stage.failing.set("checkPixKey", "unavailable");
    const pixKey = "119.876.543-21";
    const shown = ({ pixKey: { value, type }, askedTwice }: Confirmation) => [
      value.reveal(),
      type,
      askedTwice.includes("suspect_key"),
    ];
    const cpf = ["11987654321", "cpf", true];

    const first = await prepared(stage, { pixKey });
    const faster = confirmationIn(await stage.money.withdrawals.switchSpeed(actor(), first.token));
    const second = confirmationIn(
      await stage.money.withdrawals.confirm(actor(), faster.token, undefined),
    );
    expect([first, faster, second].map(shown)).toEqual([cpf, cpf, cpf]);
    expect(second.askedTwice).toContain("suspect_key");
    const { op } = await confirmed(stage, second);

    expect(stage.sent).toEqual([{ amount: 5_000, pixKey: "11987654321", turbo: false }]);
    await stage.money.withdrawals.saveKey(actor(), op.id);
    const [saved] = await stage.money.withdrawals.savedKeys(actor(), "");
    const third = await prepared(stage, { pixKey: saved?.value ?? "" });
    await stage.money.withdrawals.abandon(actor(), third.token);
    const redone = confirmationIn(await stage.money.withdrawals.redo(actor(), third.op.id));
    expect([third, redone].map(shown)).toEqual([cpf, cpf]);
  });

  it("saves no key of an owner who disconnects just then", async () => {
    const stage = await openMoneyStage();
    const { op } = await withdrawn(stage);
    const ofOwner: typeof stage.needs.ofOwner = async (ownerId) => {
      const owned = await stage.needs.ofOwner(ownerId);
      await disconnect(stage);
      return owned;
    };
    const { saveKey } = stage.process({ ofOwner }).withdrawals;

    expect(await refusal(saveKey(actor(), op.id))).toEqual({ kind: "not_connected" });

    expect(await stage.stores.pixKeys.saved(ANA)).toEqual([]);
  });

  it("sends nothing to a key that is not the one of the journal's hash", async () => {
    const stage = await openMoneyStage();
    const confirmation = await prepared(stage);
    const { id, ownerId } = confirmation.op;
    const pix_key_enc = stage.stores.vault.sealPixKey({ rowId: id, ownerId }, "carla@example.com");
    await stage.db.updateTable("withdraw_op").set({ pix_key_enc }).where("id", "=", id).execute();

    expect(await refusal(confirmed(stage, confirmation))).toEqual(GONE);
    expect(stage.sent).toEqual([]);
  });

  it.each(["confirm", "switchSpeed"] as const)(
    "refuses a key that the service says does not exist with the second question too (%s)",
    async (click) => {
      const stage = await openMoneyStage(click === "switchSpeed");
      stage.failing.set("checkPixKey", "unavailable");
      const first = await prepared(stage);
      stage.failing.delete("checkPixKey");
      stage.validKey = false;
      const { withdrawals } = stage.money;

      const second =
        click === "confirm"
          ? withdrawals.confirm(actor(), first.token, undefined)
          : withdrawals.switchSpeed(actor(), first.token);

      expect(await refusal(second)).toEqual({ kind: "pix_key_refused", ofSplit: false });
      expect(await refusal(confirmed(stage, first))).toEqual(GONE);
      expect(stage.sent).toEqual([]);
    },
  );

  it("asks for no saved key that is not the one of its mask and hash", async () => {
    const stage = await openMoneyStage();
    const other = asCpf("11987654321");
    const hash = stage.needs.hashPixKey(other.value);
    const masked = maskPixKey(other);
    const { type, value } = asPhone("11987654321");
    await stage.stores.pixKeys.save(ANA, { hash, masked, type, value }, stage.clock.now());
    const [saved] = await stage.money.withdrawals.savedKeys(actor(), "");

    const asked = prepared(stage, { pixKey: saved?.value ?? "" });

    expect(await refusal(asked)).toEqual({ kind: "pix_key_gone" });
  });

  it("sends nothing for two clicks 600 ms apart, and keeps the second question", async () => {
    const stage = await openMoneyStage(false);
    const { withdrawals } = stage.process({ readingMs: 2_000 });
    const first = await prepared(stage);
    stage.clock.moveBy(20_000);
    const second = confirmationIn(await withdrawals.confirm(actor(), first.token, undefined));
    const click = () => withdrawals.confirm(actor(), second.token, undefined);
    stage.clock.moveBy(600);

    expect(await refusal(click())).toEqual(TOO_SOON);
    stage.clock.moveBy(1_399);
    expect(await refusal(click())).toEqual(TOO_SOON);
    expect(stage.sent).toEqual([]);
    expect((await stage.op(second.op.id)).version).toBe(second.op.version);
    stage.clock.moveBy(1);
    expect(await click()).toMatchObject({ kind: "status", op: { state: "accepted" } });
  });

  it("lets no clock that was set back hold a click up", async () => {
    const stage = await openMoneyStage();
    const money = stage.process({ readingMs: 2_000 });
    const confirmation = await prepared(stage);
    stage.clock.moveBy(-3_600_000);

    expect((await confirmed({ money }, confirmation)).op.state).toBe("accepted");
  });

  it("gives each of the two clicks its own two minutes", async () => {
    const stage = await openMoneyStage(false);
    const first = await prepared(stage);
    stage.clock.moveBy(110_000);
    const second = await stage.money.withdrawals.confirm(actor(), first.token, undefined);
    stage.clock.moveBy(110_000);

    const status = await stage.money.withdrawals.confirm(
      actor(),
      second.kind === "status" ? "" : second.token,
      undefined,
    );

    expect(status).toMatchObject({ kind: "status", op: { state: "accepted" } });
  });

  it("answers a second click on the first token with the confirmation that took its place", async () => {
    const stage = await openMoneyStage(false);
    const first = await prepared(stage);
    const second = await stage.money.withdrawals.confirm(actor(), first.token, undefined);

    expect(await stage.money.withdrawals.confirm(actor(), first.token, undefined)).toEqual(second);
    expect(stage.sent).toEqual([]);
  });

  it("answers two first clicks at once with one and the same question", async () => {
    const stage = await openMoneyStage(false);
    const { token } = await prepared(stage);
    const click = () => stage.money.withdrawals.confirm(actor(), token, undefined);

    const [first, second] = await Promise.all([click(), click()]);

    expect(first).toMatchObject({ kind: "confirmation", confirmationsLeft: 1 });
    expect(second).toEqual(first);
    expect(stage.sent).toEqual([]);
  });

  it("is asked again by a click that follows a failure", async () => {
    const stage = await openMoneyStage(false);
    const { journal } = stage.needs;
    const amend = vi.fn(journal.amend).mockRejectedValueOnce(new Error("away"));
    const { withdrawals } = stage.process({ journal: { ...journal, amend } });
    const { token } = await prepared(stage);
    const click = () => withdrawals.confirm(actor(), token, undefined);
    await refusal(click());

    expect(await click()).toMatchObject({ kind: "confirmation", confirmationsLeft: 1 });
  });

  it("shows no confirmation again whose speed was switched since", async () => {
    const stage = await openMoneyStage(false);
    const { withdrawals } = stage.money;
    const first = await prepared(stage);
    const second = confirmationIn(await withdrawals.confirm(actor(), first.token, undefined));
    const slower = await withdrawals.switchSpeed(actor(), second.token);

    expect(await refusal(withdrawals.confirm(actor(), first.token, undefined))).toEqual(GONE);
    expect(await withdrawals.switchSpeed(actor(), second.token)).toEqual(slower);
    expect(stage.sent).toEqual([]);
  });

  it.each([
    ["another person", { userId: BRUNO }],
    ["another channel", { channelId: "1" }],
    ["another server", { guildId: "2" }],
  ])("is nothing for %s", async (_, stranger) => {
    const stage = await openMoneyStage();
    const { token, op } = await prepared(stage);

    const answer = stage.money.withdrawals.confirm(actor(stranger), token, undefined);

    expect(await refusal(answer)).toEqual({ kind: "not_your_button" });
    expect(await stage.op(op.id)).toEqual(op);
    expect(stage.sent).toEqual([]);
  });

  it("is over after two minutes, and the draft is given up", async () => {
    const stage = await openMoneyStage();
    const confirmation = await prepared(stage);
    stage.clock.moveBy(120_000);

    expect((await confirmed(stage, confirmation)).op.state).toBe("abandoned");
    expect(await stage.op(confirmation.op.id)).toMatchObject({ state: "abandoned" });
    expect((await confirmed(stage, confirmation)).op.state).toBe("abandoned");
    expect(stage.sent).toEqual([]);
  });

  it("is shown to be over without a click, and a click after that says so again", async () => {
    const stage = await openMoneyStage();
    const confirmation = await prepared(stage);
    stage.clock.moveBy(120_000);
    await stage.money.sweep(false);

    expect(stage.shown.map(({ op }) => [op.id, op.state])).toEqual([
      [confirmation.op.id, "abandoned"],
    ]);
    expect((await confirmed(stage, confirmation)).op.state).toBe("abandoned");
    expect(
      await refusal(
        stage.money.withdrawals.confirm(actor({ userId: BRUNO }), confirmation.token, undefined),
      ),
    ).toEqual({ kind: "not_your_button" });
    expect(stage.sent).toEqual([]);
    expect(await stage.messages()).toEqual([]);
  });

  it("knows no token but its own", async () => {
    const { money } = await openMoneyStage();

    expect(await refusal(money.withdrawals.confirm(actor(), "x".repeat(22), undefined))).toEqual(
      GONE,
    );
  });

  it("sends once for two clicks at once, and tells the second one how it stands", async () => {
    const stage = await openMoneyStage();
    const { token } = await prepared(stage);
    const click = () => stage.money.withdrawals.confirm(actor(), token, undefined);

    const [first, second] = await Promise.all([click(), click()]);

    expect(stage.sent).toHaveLength(1);
    expect([first.kind, second.kind]).toEqual(["status", "status"]);
    expect(await click()).toMatchObject({ kind: "status", op: { state: "accepted" } });
    expect(stage.sent).toHaveLength(1);
  });

  it("tells a click that comes to confirm what another one has sent how it stands", async () => {
    const stage = await openMoneyStage();
    const confirmation = await prepared(stage);
    const journal = atStep(stage.needs.journal, async ({ to }, take) => {
      if (to === "confirmed") await confirmed(stage, confirmation);
      return await take();
    });

    const { op } = await confirmed({ money: stage.process({ journal }) }, confirmation);

    expect(op).toMatchObject({ id: confirmation.op.id, state: "accepted" });
    expect(stage.sent).toHaveLength(1);
  });

  it("sends one of two orders that were prepared together", async () => {
    const stage = await openMoneyStage();
    const [first, second] = [await prepared(stage), await prepared(stage)];

    const outcomes = await Promise.all([
      confirmed(stage, first),
      refusal(confirmed({ money: stage.process() }, second)),
    ]);

    expect(stage.sent).toHaveLength(1);
    expect(outcomes.some((outcome) => (outcome as { kind?: string }).kind === "account_busy")).toBe(
      true,
    );
  });
  it("is gone once its server's key was removed, while another server has the account", async () => {
    const stage = await openMoneyStage();
    const confirmation = await prepared(stage);
    await connect(stage, { guildId: "900000000000000002" });
    await disconnect(stage);

    expect(await refusal(confirmed(stage, confirmation))).toEqual(GONE);
    expect(stage.sent).toEqual([]);
  });
});
