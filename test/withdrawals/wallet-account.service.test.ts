import { describe, expect, it } from "vitest";
import { Secret } from "#src/shared/secret.ts";
import type { WalletKey } from "#src/accounts/wallet-key.ts";
import type { WithdrawOp } from "#src/withdrawals/withdraw-op.ts";
import type { MoneyWallet } from "#src/withdrawals/money-services.service.ts";
import { WalletError } from "#src/shared/errors.ts";
import { anaKey, noticeTo } from "../database/builders.ts";
import {
  actor,
  ANA,
  BRUNO,
  confirmed,
  connect,
  decided,
  ghostsOf,
  GUILD,
  lostOne,
  type MoneyStage,
  openMoneyStage,
  order,
  prepared,
  refusal,
  withdrawn,
} from "./money-stage.ts";
import { ask, SALE, sale } from "./refunds/refund-stage.ts";

const ELSEWHERE = "900000000000000002";
const NEXT_KEY = new Secret("sk_sandbox_ana_next_2b3c4d5e");

describe("S2: a wallet account is one, whichever of its keys is used", () => {
  const connectBy = (
    stage: MoneyStage,
    key: Secret,
    { ownerId = ANA, guildId = GUILD, userId = ANA } = {},
  ) => connect(stage, { ownerId, guildId, ownerVerified: ownerId === userId }, key, userId);
  /** Ana's key is known, and the answer to her withdrawal is lost. */
  const unknown = async (): Promise<{ stage: MoneyStage; opId: string }> => {
    const stage = await openMoneyStage();
    await connectBy(stage, anaKey);
    const op = await lostOne(stage, true);
    expect([op.state, stage.sent.length]).toEqual(["unknown", 1]);
    return { stage, opId: op.id };
  };
  const refused = (stage: MoneyStage, changes = {}) =>
    refusal(stage.money.withdrawals.prepare(order({ actor: actor(changes) })));

  it.each<[string, { ownerId?: string; guildId?: string }, isKnown: boolean]>([
    ["in its place", {}, true],
    ["in another guild", { guildId: ELSEWHERE }, true],
    [
      "of somebody else, who is not told whose it is,",
      { ownerId: BRUNO, guildId: ELSEWHERE },
      false,
    ],
  ])(
    "S2: another key %s finds the withdrawal whose answer was lost still open",
    async (_, by, isKnown) => {
      const { stage, opId } = await unknown();
      await connectBy(stage, NEXT_KEY, by);
      const { ownerId: userId = ANA, guildId = GUILD } = by;
      const busy = { kind: "account_busy", opId: isKnown ? opId : undefined, why: "unknown" };
      expect(await refused(stage, { userId, guildId })).toEqual(busy);
      expect(stage.sent).toHaveLength(1);
    },
  );

  it("S2: the operation goes on with the key that took the other's place, to its end", async () => {
    const { stage, opId } = await unknown();
    await connectBy(stage, NEXT_KEY);
    const keys = new Set<string>();
    const wallet: MoneyWallet = {
      ...stage.wallet,
      withdrawal: (...asked) => {
        keys.add(asked[0].apiKey.reveal());
        return stage.wallet.withdrawal(...asked);
      },
    };
    stage.become("TX0001", { status: "completed", completedAt: stage.clock.now() });
    const money = stage.process({ wallet });
    await stage.follow(30 * 60_000, 60_000, money);
    expect((await stage.op(opId)).state).toBe("completed");
    expect([...keys]).toEqual([NEXT_KEY.reveal()]);
    expect(stage.executed.size).toBe(1);
  });

  /** The service refuses the key from now on. */
  const revoked = (stage: MoneyStage, key = anaKey) => {
    const { wallet } = stage;
    const refuse = ({ apiKey }: WalletKey): void => {
      if (apiKey.reveal() === key.reveal())
        throw new WalletError({ kind: "unauthorized", method: "GET", route: "/v1/withdrawals" });
    };
    const judged: Partial<MoneyWallet> = {
      withdrawals: async (...asked) => (refuse(asked[0]), await wallet.withdrawals(...asked)),
      withdrawal: async (...asked) => (refuse(asked[0]), await wallet.withdrawal(...asked)),
      balance: async (...asked) => (refuse(asked[0]), await wallet.balance(...asked)),
    };
    return stage.process({ wallet: { ...wallet, ...judged } });
  };
  /** The same, and a job has noticed it. */
  const refusing = async (stage: MoneyStage) => {
    const now = stage.clock.now();
    const ana = await stage.stores.accounts.find(GUILD, ANA);
    await stage.stores.accounts.pause(ana!.id, now, noticeTo(ANA, "paused"));
    return revoked(stage);
  };
  /** Connections whose owner was told that the key is refused. */
  const refusals = async (stage: MoneyStage): Promise<readonly (string | undefined)[]> =>
    (await stage.messages())
      .filter((message) => message.startsWith("notice|key_refused|"))
      .map((message) => message.split("|")[2]);
  const connectBruno = (stage: MoneyStage) =>
    connectBy(stage, NEXT_KEY, { ownerId: BRUNO, guildId: ELSEWHERE });

  it("S2: the operation goes on with somebody else's key while its owner's is refused", async () => {
    const { stage, opId } = await unknown();
    const money = await refusing(stage);
    await connectBruno(stage);
    stage.become("TX0001", { status: "completed", completedAt: stage.clock.now() });
    await stage.follow(30 * 60_000, 60_000, money);
    expect((await stage.op(opId)).state).toBe("completed");
  });

  it("S2: its owner's word that it was not made is compared by a key that is not refused", async () => {
    const { stage, opId } = await unknown();
    const money = await refusing(stage);
    await stage.follow(60 * 60_000, 5 * 60_000, money);
    expect((await stage.op(opId)).state).toBe("manual");
    await connectBruno(stage);
    expect((await decided({ money }, opId, false)).op.state).toBe("processing");
  });

  it("S2: the operation goes on with its owner's other key at once when the first is revoked, and the owner is told", async () => {
    const { stage, opId } = await unknown();
    await connectBy(stage, NEXT_KEY, { guildId: ELSEWHERE });
    const { accountFp } = await stage.op(opId);
    const first = await stage.stores.accounts.findByFingerprint(accountFp, ANA, "working");
    const money = revoked(stage, first?.apiKey);
    stage.clock.moveBy(60_000);
    await stage.check(money);
    expect((await stage.op(opId)).state).toBe("processing");
    expect(await refusals(stage)).toEqual([first?.account.id]);
  });

  it("S2: its owner's word that it was not made is compared by another key when the first proves revoked", async () => {
    const { stage, opId } = await unknown();
    stage.failing.set("withdrawals", "timeout");
    await stage.follow(60 * 60_000, 5 * 60_000);
    expect((await stage.op(opId)).state).toBe("manual");
    stage.failing.clear();
    await connectBruno(stage);
    const money = revoked(stage);
    expect((await decided({ money }, opId, false)).op.state).toBe("processing");
  });

  it("S2: a withdrawal made elsewhere is told by the next key of the account when one proves revoked", async () => {
    const stage = await openMoneyStage();
    const { accountFp } = await connectBy(stage, anaKey);
    const there = await connectBy(stage, NEXT_KEY, { guildId: ELSEWHERE });
    await stage.money.watchExternal(there, NEXT_KEY);
    stage.add({ txid: "DASHBOARD" });
    const reader = () => stage.stores.accounts.findByFingerprint(accountFp, "");
    const first = await reader();
    const { watchExternal } = revoked(stage, first?.apiKey);
    if (first !== undefined) await watchExternal(first.account, first.apiKey);
    const next = await reader();
    if (next !== undefined) await watchExternal(next.account, next.apiKey);
    expect(await refusals(stage)).toEqual([first?.account.id]);
    expect(await ghostsOf(stage)).toEqual([`DASHBOARD|${ANA}`]);
  });

  it("S2: a question that was asked under one key is answered under the next of the same account", async () => {
    const stage = await openMoneyStage();
    await connectBy(stage, anaKey);
    const asked = await prepared(stage);
    await connectBy(stage, NEXT_KEY);
    expect((await confirmed(stage, asked)).op.state).toBe("accepted");
    expect(stage.sent).toHaveLength(1);
  });

  it("S2: but not under a key of another account", async () => {
    const stage = await openMoneyStage();
    await connectBy(stage, anaKey);
    const asked = await prepared(stage);
    await connectBy(stage, NEXT_KEY, { userId: "user_of_another_account" });
    expect(await refusal(confirmed(stage, asked))).toEqual({ kind: "confirmation_gone" });
    expect(stage.sent).toEqual([]);
  });

  /** Each waits for its last click, which reads the balance before it is committed. */
  const asks: readonly (readonly [
    string,
    (stage: MoneyStage) => Promise<{ readonly op: WithdrawOp; readonly token: string }>,
  ])[] = [
    ["a withdrawal", (stage) => prepared(stage)],
    [
      "a split",
      async (stage) => {
        const what = { kind: "split", recipientId: BRUNO } as const;
        const { token } = await prepared(stage, { what });
        const next = await stage.money.withdrawals.confirm(actor(), token, undefined);
        if (next.kind === "status") throw new Error("A split was asked about once");
        return next;
      },
    ],
    [
      "a refund",
      (stage) => {
        stage.payments.set(SALE, sale());
        return ask(stage);
      },
    ],
    [
      "a cancellation",
      (stage) => {
        stage.add({ txid: "TX-PLANNED", status: "scheduled" });
        return stage.money.withdrawals.prepareCancel(actor(), "TX-PLANNED");
      },
    ],
  ];
  const meanwhile = (stage: MoneyStage, change: () => Promise<unknown>) => {
    let reads = 0;
    const balance: MoneyWallet["balance"] = async (...asked) => {
      if (asked[1] === "money" && ++reads === 1) await change();
      return await stage.wallet.balance(...asked);
    };
    return stage.process({ wallet: { ...stage.wallet, balance } }).withdrawals;
  };

  it.each(asks)(
    "S2: %s whose key is deleted or replaced by another account's while its confirmation reads is not sent",
    async (_, asking) => {
      const stage = await openMoneyStage();
      await connectBy(stage, anaKey);
      const asked = await asking(stage);
      const { accounts } = stage.stores;
      const removing = meanwhile(stage, () => accounts.remove(GUILD, ANA, ANA, stage.clock.now()));
      const gone = { kind: "not_connected" };
      expect(await refusal(removing.confirm(actor(), asked.token, undefined))).toEqual(gone);
      await connectBy(stage, anaKey);
      const replacing = meanwhile(stage, () =>
        connectBy(stage, NEXT_KEY, { userId: "user_of_another_account" }),
      );
      expect(await refusal(replacing.confirm(actor(), asked.token, undefined))).toEqual(
        asked.op.kind === "cancel" ? gone : { kind: "confirmation_gone" },
      );
      expect(stage.sent).toEqual([]);
      expect((await stage.op(asked.op.id)).state).toBe("draft");
    },
  );

  it("S2: a confirmation goes on though its key is replaced meanwhile by another of the account", async () => {
    const stage = await openMoneyStage();
    await connectBy(stage, anaKey);
    const { token } = await prepared(stage);
    const replacing = meanwhile(stage, () => connectBy(stage, NEXT_KEY));
    const done = await replacing.confirm(actor(), token, undefined);
    expect(done).toMatchObject({ kind: "status", op: { state: "accepted" } });
    expect(stage.sent).toHaveLength(1);
  });

  it("S2: the list tells which account this server is connected to, beside withdrawals of the other", async () => {
    const stage = await openMoneyStage();
    const { accountFp } = await connectBy(stage, anaKey);
    const there = await connectBy(stage, NEXT_KEY, { guildId: ELSEWHERE, userId: "user_b" });
    const { op } = await withdrawn(stage);
    const list = (changes = {}) => stage.money.withdrawals.list(actor(changes), undefined);
    expect(await list()).toMatchObject({ ops: [op], accountFp });
    const elsewhere = await list({ guildId: ELSEWHERE });
    expect(elsewhere).toMatchObject({ ops: [op], accountFp: there.accountFp });
    stage.failing.set("withdrawals", "timeout");
    expect(await list({ guildId: ELSEWHERE })).toMatchObject({ accountFp: there.accountFp });
  });

  it("S2: what one key withdrew is nothing that somebody else did, for the other", async () => {
    const stage = await openMoneyStage();
    const here = await connectBy(stage, anaKey);
    const there = await connectBy(stage, NEXT_KEY, { guildId: ELSEWHERE });
    await stage.money.watchExternal(here, anaKey);
    await withdrawn(stage);
    await stage.money.watchExternal(there, NEXT_KEY);
    stage.add({ txid: "DASHBOARD" });
    await stage.money.watchExternal(there, NEXT_KEY);
    await stage.money.watchExternal(here, anaKey);
    expect(await ghostsOf(stage)).toEqual([`DASHBOARD|${ANA}`]);
  });
});
