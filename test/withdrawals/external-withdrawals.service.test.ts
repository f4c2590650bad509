import { describe, expect, it } from "vitest";
import { cents } from "#src/shared/money.ts";
import { DAY, MINUTE } from "#src/shared/time.ts";
import type { WithdrawOp } from "#src/withdrawals/withdraw-op.ts";
import { databases } from "../support/databases.ts";
import { anaKey, delivery } from "../database/builders.ts";
import {
  actor,
  ANA,
  BRUNO,
  connect,
  decided,
  disconnect,
  ghostsOf,
  GUILD,
  look,
  lostOne,
  type MoneyStage,
  openMoneyStage,
  openMoneyStageOn,
  textsOf,
  withdrawn,
} from "./money-stage.ts";

/** Ana says that a withdrawal of unknown outcome was made. */
const answeredFor = async (): Promise<MoneyStage> => {
  const stage = await openMoneyStage();
  await look(stage);
  stage.failing.set("withdrawal", "timeout");
  const op = await lostOne(stage, true);
  await stage.follow(25 * 3_600_000, 5 * 3_600_000);
  stage.failing.clear();
  await decided(stage, op.id, true);
  return stage;
};

describe("a withdrawal that the bot did not begin", () => {
  it("is told once, also to who disconnects meanwhile, and nothing that was there before", async () => {
    const stage = await openMoneyStage();
    stage.add({ txid: "BEFORE" });
    await look(stage);
    stage.add({ txid: "GHOST" });

    await look(stage);
    await look(stage);

    expect(await ghostsOf(stage)).toEqual([`GHOST|${ANA}`]);
    expect(await textsOf(stage)).toContain("50,00");
    // Its owner may have several.
    const [own] = await stage.stores.accounts.ofOwner(ANA);
    expect(await textsOf(stage)).toContain(`a da chave da API \`…${own?.keyLast4}\``);
    await disconnect(stage);
    expect(await ghostsOf(stage)).toEqual([`GHOST|${ANA}`]);
  });

  it("is not told where a row that left the list lets one of long before the first reading move up", async () => {
    const stage = await openMoneyStage();
    await look(stage);
    stage.clock.moveBy(DAY);
    const now = stage.clock.now();
    stage.add({ txid: "OLD", status: "completed", requestedAt: now.subtract({ hours: 5 * 24 }) });
    stage.add({ txid: "LATE", requestedAt: now.subtract({ hours: 2 * 24 }) });
    await look(stage);
    expect(await ghostsOf(stage)).toEqual([`LATE|${ANA}`]);
  });

  it.each(databases)(
    "is counted in the owner's list for a week where Discord refused its message, as is an end, on $name",
    async (kind) => {
      const stage = await openMoneyStageOn(kind);
      const { outbox } = stage.stores;
      const missed = async (userId = ANA) =>
        (await stage.money.withdrawals.list(actor({ userId }), undefined)).undelivered;
      await look(stage);
      for (const txid of ["GHOST", "TOLD"]) stage.add({ txid });
      await look(stage);
      const { op } = await withdrawn(stage);
      stage.become(op.txid ?? "", { status: "failed" });
      await stage.follow(MINUTE);
      expect(await missed()).toBe(0);
      stage.clock.moveBy(MINUTE);
      const refused = { state: "dead", error: "unreachable_person 50007" } as const;
      for (const _ of ["ghost", "told", "failed"]) {
        const now = stage.clock.now();
        const [held] = await outbox.claim({ owner: "one", leaseMs: MINUTE, limit: 1, now });
        const isTold = held!.dedupeKey.includes("TOLD");
        await outbox.settle(held!, isTold ? { state: "sent", messageId: "1" } : refused);
      }

      expect([await missed(), await missed(BRUNO)]).toEqual([2, 0]);
      stage.failing.set("withdrawals", "timeout");
      expect(await missed()).toBe(1);
      stage.clock.moveBy(7 * DAY + 1);
      expect(await missed()).toBe(0);
    },
  );

  it("is told to everybody who connected the account, in whatever server", async () => {
    const stage = await openMoneyStage();
    await look(stage);
    await connect(stage, { guildId: "2", ownerId: BRUNO, ownerVerified: false });
    stage.add({ txid: "GHOST" });

    await look(stage);

    expect(await ghostsOf(stage)).toEqual([`GHOST|${ANA}`, `GHOST|${BRUNO}`]);
  });

  it("is told in its owner's language, which any of the owner's connections knows", async () => {
    const stage = await openMoneyStage();
    await look(stage);
    const { accounts } = stage.stores;
    for (const guildId of ["2", "3", "4"]) {
      await connect(stage, { guildId, ownerId: BRUNO, ownerVerified: false });
    }
    await accounts.setAlerts("3", BRUNO, "direct", stage.clock.now(), "en-US");
    await accounts.setAlerts(GUILD, ANA, "direct", stage.clock.now(), "en-US");
    stage.add({ txid: "GHOST" });

    await look(stage);

    expect(await ghostsOf(stage)).toHaveLength(2);
    expect(await textsOf(stage)).not.toContain("saque");
  });

  it("is told in the language of its owner's /conta ver, also after a withdrawal in another", async () => {
    const stage = await openMoneyStage();
    await withdrawn(stage);
    await look(stage);
    await stage.stores.accounts.setLocale(ANA, "en-US");
    stage.add({ txid: "GHOST" });

    await look(stage);

    expect(await ghostsOf(stage)).toHaveLength(1);
    expect(await textsOf(stage)).not.toContain("saque");
  });

  it("is told to nobody whose key the service refuses while another's is accepted", async () => {
    const stage = await openMoneyStage();
    await look(stage);
    const bruno = await connect(stage, { guildId: "2", ownerId: BRUNO, ownerVerified: false });
    await stage.stores.accounts.pause(bruno.id, stage.clock.now(), delivery("refused"));
    stage.add({ txid: "GHOST" });

    await look(stage);

    expect(await ghostsOf(stage)).toEqual([`GHOST|${ANA}`]);
  });

  it("is not one that its owner has answered for", async () => {
    const stage = await answeredFor();
    stage.add({ txid: "GHOST", pixKey: "carla@example.com" });

    await look(stage);

    expect(await ghostsOf(stage)).toEqual([`GHOST|${ANA}`]);
  });

  it("is not one that its owner has answered for, known by the hash of its key once that was erased", async () => {
    const stage = await openMoneyStage();
    await connect(stage, { guildId: "2", ownerId: BRUNO, ownerVerified: false });
    await look(stage);
    const op = await lostOne(stage, false);
    await stage.follow(3_600_000, 900_000);
    await decided(stage, op.id, true);
    await disconnect(stage);
    await connect(stage);
    expect(await stage.stores.journal.pixKeyOf(op.id)).toBeUndefined();
    stage.add({ txid: "LATE", ...(op.sentAt && { requestedAt: op.sentAt }) });

    await look(stage);

    expect(await ghostsOf(stage)).toEqual([]);
  });

  it("is not one that an owner has answered for whose key is refused since", async () => {
    const stage = await answeredFor();
    const bruno = await connect(stage, { ownerId: BRUNO, ownerVerified: false });
    const ana = await stage.stores.accounts.find(GUILD, ANA);
    await stage.stores.accounts.pause(ana?.id ?? "", stage.clock.now(), delivery("refused"));

    await stage.money.watchExternal(bruno, anaKey);

    expect(await ghostsOf(stage)).toEqual([]);
  });

  describe("while its owner leaves another one undecided", () => {
    /** The undecided one was not made, as far as anybody can tell. */
    const undecided = async (): Promise<{
      readonly stage: MoneyStage;
      readonly op: WithdrawOp;
    }> => {
      const stage = await openMoneyStage();
      await connect(stage, { guildId: "2", ownerId: BRUNO, ownerVerified: false });
      await look(stage);
      const op = await lostOne(stage, false);
      await stage.follow(3_600_000, 900_000);
      expect((await stage.op(op.id)).state).toBe("manual");
      return { stage, op };
    };
    const toBoth = (txid: string) => [`${txid}|${ANA}`, `${txid}|${BRUNO}`];

    it.each([
      ["another amount", { amount: cents(9_900) }],
      ["another key", { pixKey: "carla@example.com" }],
    ])("is told at once when it has %s", async (_, changes) => {
      const { stage } = await undecided();
      stage.add({ txid: "THEFT", ...changes });
      await look(stage);
      await look(stage);
      expect(await ghostsOf(stage)).toEqual(toBoth("THEFT"));
    });

    it.each([
      ["when its detail cannot be read", "unavailable", ["SAME"]],
      [
        "behind more that may be the undecided one than are read",
        undefined,
        ["A", "B", "C", "D", "E"],
      ],
    ] as const)("is told at once by its listed amount %s", async (_, failing, others) => {
      const { stage } = await undecided();
      stage.add({ txid: "THEFT", amount: cents(9_900) });
      for (const txid of others) stage.add({ txid });
      if (failing !== undefined) stage.failing.set("withdrawal", failing);
      await look(stage);
      expect(await ghostsOf(stage)).toEqual(toBoth("THEFT"));
    });

    it("is told at once by its amount when the key of the undecided one was erased", async () => {
      const { stage } = await undecided();
      await disconnect(stage);
      const bruno = await stage.stores.accounts.find("2", BRUNO);
      if (bruno === undefined) throw new Error("Bruno is not connected");
      stage.add({ txid: "THEFT", amount: cents(9_900) });
      stage.add({ txid: "SAME AMOUNT", pixKey: "carla@example.com" });
      await stage.money.watchExternal(bruno, anaKey);
      expect(await ghostsOf(stage)).toEqual([`THEFT|${BRUNO}`]);
    });

    it("is told only after the decision when it may be the undecided one, or cannot be read", async () => {
      const { stage, op } = await undecided();
      stage.add({ txid: "LATE" });
      stage.add({ txid: "UNREAD", pixKey: "carla@example.com" });
      const { wallet } = stage;
      const halfRead = stage.process({
        wallet: {
          ...wallet,
          withdrawal: async (key, txid, priority) => {
            const read = await wallet.withdrawal(key, txid, priority);
            return txid === "UNREAD" ? await wallet.withdrawal(key, "NONE", priority) : read;
          },
        },
      });
      await look({ ...stage, money: halfRead });
      expect(await ghostsOf(stage)).toEqual([]);
      await decided(stage, op.id, true);
      await look(stage);
      expect(await ghostsOf(stage)).toEqual([...toBoth("LATE"), ...toBoth("UNREAD")]);
    });
  });

  describe("while an undecided one is older than the first look", () => {
    /** Ana's first withdrawal of the account lost its answer before a look. */
    const unread = async () => {
      const stage = await openMoneyStage();
      stage.add({ txid: "BEFORE", amount: cents(9_900) });
      stage.add({ txid: "SAME BEFORE" });
      const op = await lostOne(stage, false);
      return { stage, op };
    };
    const decidedAndLooked = async (
      stage: MoneyStage,
      opId: string,
      happened: boolean,
    ): Promise<void> => {
      await decided(stage, opId, happened);
      await look(stage);
    };

    it("is told when it came after the list that was read for that one", async () => {
      const { stage, op } = await unread();
      stage.add({ txid: "THEFT", amount: cents(9_900) });
      await look(stage);
      expect(await ghostsOf(stage)).toEqual([]);
      await stage.follow(3_600_000, 900_000);
      stage.add({ txid: "LATE", ...(op.sentAt && { requestedAt: op.sentAt }) });
      await look(stage);
      expect(await ghostsOf(stage)).toEqual([`THEFT|${ANA}`]);
      expect(await textsOf(stage)).toContain("99,00");
      await decidedAndLooked(stage, op.id, true);
      expect(await ghostsOf(stage)).toEqual([`THEFT|${ANA}`]);
    });

    it.each([
      ["with its list", undefined],
      ["though its list could not be read", "unavailable"],
    ] as const)("is told from the first look after a reconnection on, %s", async (_, failing) => {
      const stage = await openMoneyStage();
      stage.add({ txid: "SAME BEFORE" });
      if (failing !== undefined) stage.failing.set("withdrawals", failing);
      const op = await lostOne(stage, false);
      stage.failing.clear();
      await stage.follow(3_600_000, 900_000);
      expect((await stage.op(op.id)).state).toBe("manual");
      await look(stage);
      await disconnect(stage);
      stage.add({ txid: "AWAY", amount: cents(9_900) });
      stage.add({ txid: "AWAY TO ANOTHER", pixKey: "carla@example.com" });
      await connect(stage);
      await look(stage);
      await look(stage);
      expect(await ghostsOf(stage)).toEqual([]);
      stage.add({ txid: "THEFT", amount: cents(9_900) });
      await look(stage);
      expect(await ghostsOf(stage)).toEqual([`THEFT|${ANA}`]);
      await decidedAndLooked(stage, op.id, false);
      if (failing === undefined) expect(await ghostsOf(stage)).toEqual([`THEFT|${ANA}`]);
    });

    it.each([
      ["to another key", { pixKey: "carla@example.com" }, undefined],
      ["to the same key", {}, undefined],
      ["that cannot be read at first", {}, "timeout"],
    ] as const)("is not told of equal ones while away, %s", async (_, same, failing) => {
      const { stage, op } = await unread();
      await stage.follow(3_600_000, 900_000);
      await disconnect(stage);
      for (let week = 1; week <= 8; week++) {
        stage.clock.moveBy(7 * DAY);
        stage.add({ txid: `AWAY${week}`, ...same });
      }
      await connect(stage);
      if (failing !== undefined) stage.failing.set("withdrawal", failing);
      await look(stage);
      stage.failing.clear();
      await look(stage);
      expect(await ghostsOf(stage)).toEqual([]);
      await decidedAndLooked(stage, op.id, false);
      await look(stage);
      expect(await ghostsOf(stage)).toEqual([]);
    });
  });

  it("is not concluded from a list that cannot be read", async () => {
    const stage = await openMoneyStage();
    stage.failing.set("withdrawals", "unavailable");
    await look(stage);
    stage.failing.clear();
    stage.add({ txid: "FIRST" });

    await look(stage);

    expect(await ghostsOf(stage)).toEqual([]);
  });
});

it("Of a long list only what is new is read in full, also by a process that has just begun", async () => {
  const stage = await openMoneyStage();
  stage.pageSize = 2_000;
  for (let count = 0; count < 1_000; count++) stage.add({ txid: `OLD${count}` });
  const { wallet } = stage.needs;
  const read: string[] = [];
  const counting: typeof wallet = {
    ...wallet,
    withdrawal: (key, txid, priority) => {
      read.push(txid);
      return wallet.withdrawal(key, txid, priority);
    },
  };
  const lookInNewProcess = async (): Promise<void> => {
    const account = await stage.stores.accounts.find(GUILD, ANA);
    if (account === undefined) throw new Error("Ana is not connected");
    await stage.process({ wallet: counting }).watchExternal(account, anaKey);
  };
  await lookInNewProcess();
  await lookInNewProcess();
  expect(read).toEqual([]);

  stage.add({ txid: "GHOST" });
  await lookInNewProcess();

  expect(read).toEqual(["GHOST"]);
  expect((await stage.messages()).join()).toContain("GHOST");
});
