import { describe, expect, it } from "vitest";
import type { ListedWithdrawal } from "#src/withdrawals/withdrawal.ts";
import type { WithdrawState } from "#src/withdrawals/withdraw-op.ts";
import { SECOND, MINUTE, HOUR, DAY } from "#src/shared/time.ts";
import { createBotMoney } from "#src/bot-money.ts";
import { checkOp } from "#src/withdrawals/withdraw-check.service.ts";
import { Secret } from "#src/shared/secret.ts";
import { outcomeNotice } from "#src/withdrawals/outcome-notice.view.ts";
import { withdrawStatusView } from "#src/withdrawals/withdraw-status.view.ts";
import { recordingLog } from "../discord/support/parts.ts";
import { labelsOf, readMessage } from "../ui/read-message.ts";
import { cents } from "#src/shared/money.ts";
import { withdrawalDetailView } from "#src/withdrawals/withdrawal-detail.view.ts";
import {
  actor,
  BRUNO,
  connect,
  disconnect,
  GUILD,
  listInSmall,
  lostOne,
  openMoneyStage,
  prepared,
  refusal,
  withdrawn,
} from "./money-stage.ts";
import { sampleDetail, sampleOp, sampleStatus } from "./withdraw-samples.ts";

const textOf = (message: Parameters<typeof readMessage>[0]): string =>
  readMessage(message).join("\n").replaceAll("\u00a0", " ");

const accepted = async (turbo = true) => {
  const stage = await openMoneyStage();
  const { op } = await withdrawn(stage, { turbo });
  return { stage, id: op.id, txid: op.txid ?? "" };
};

describe("following what was accepted", () => {
  it("keeps the question that came up while Discord took an edit about an earlier state", async () => {
    const { stage, id } = await accepted();
    const other = stage.process();
    const slow = stage.process({
      show: async () => {
        await disconnect(stage);
        await stage.follow(25 * HOUR, HOUR, other);
        return true;
      },
    });
    await stage.follow(5 * SECOND, 5 * SECOND, slow);
    expect((await stage.messages()).at(-1)).toBe(`withdrawal|${id}|manual|no_key due`);
  });

  it("reads a turbo withdrawal after seconds, and tells its end by edit or by message", async () => {
    const { stage, id, txid } = await accepted();
    await stage.follow(5 * SECOND, SECOND);
    expect((await stage.op(id)).state).toBe("processing");
    stage.become(txid, { status: "completed" });

    await stage.follow(MINUTE, SECOND);

    expect(await stage.op(id)).toMatchObject({ state: "completed", nextCheckAt: undefined });
    expect(stage.shown.map(({ op }) => op.state)).toEqual(["processing", "completed"]);
    expect(await stage.messages()).toEqual([`withdrawal|${id}|completed due`]);
  });

  it.each([
    ["completed", { status: "completed" }, "obsolete"],
    ["failed", { status: "failed", failReason: "@everyone" }, "due"],
    ["cancelled", { status: "cancelled", failReason: "@everyone" }, "due"],
    // Of another amount than confirmed.
    ["completed", { status: "completed", amount: cents(4_000), net: cents(3_650) }, "due"],
  ] as const)(
    "tells %s (%o) by a message that is %s although the reply was edited",
    async (state, end, message) => {
      const { stage, id, txid } = await accepted();
      stage.become(txid, end);
      stage.clock.moveBy(MINUTE);

      await stage.check(stage.process({ show: async () => true }));

      expect((await stage.op(id)).state).toBe(state);
      expect(JSON.stringify(await stage.op(id))).not.toContain("everyone");
      expect(await stage.messages()).toEqual([`withdrawal|${id}|${state} ${message}`]);
    },
  );

  it.each(["failed", "cancelled"] as const)(
    "of a split that has %s leaves no balance from before to show",
    async (status) => {
      const stage = await openMoneyStage();
      const what = { kind: "split", recipientId: BRUNO } as const;
      const { op } = await withdrawn(stage, { what });
      stage.become(op.txid ?? "", { status });
      await stage.follow(MINUTE);

      expect((await prepared(stage, { what })).lastSplitBalance).toBeUndefined();
    },
  );

  it("counts what the service took where another amount was confirmed", async () => {
    const stage = await openMoneyStage();
    await stage.money.guards.setDailyCap(actor(), cents(600_000));
    const { op } = await withdrawn(stage);
    const taken = { amount: cents(500_000), net: cents(499_650) };
    stage.become(op.txid ?? "", { ...taken, status: "completed" });
    await stage.follow(MINUTE);

    const { amount, fee, net } = await stage.op(op.id);
    expect([amount, fee, net]).toEqual([5_000, 350, 499_650]);
    const more = { kind: "own", amount: cents(100_001) } as const;
    expect(await refusal(prepared(stage, { what: more }))).toMatchObject({ left: 100_000 });
  });

  it.each([
    [
      "pt-BR",
      "Você confirmou R$ 50,00, e o serviço diz que o saque é de R$ 5.000,00.",
      "Saque concluído (R$ 5.000,00). Não é o valor que você confirmou.",
    ],
    [
      "en-US",
      "You confirmed R$ 50.00, and the service says that the withdrawal is of R$ 5,000.00.",
      "Withdrawal completed (R$ 5,000.00). It is not the amount that you confirmed.",
    ],
  ] as const)("warns in %s where another amount was confirmed", (locale, warns, alone) => {
    const state = "completed";
    const amounts = { amount: cents(5_000), fee: cents(350) };
    const op = sampleOp({ ...amounts, state, net: cents(499_650), kind: "turbo", locale });
    const told = outcomeNotice({ op, withdrawal: undefined, reference: "r" });
    const status = withdrawStatusView(sampleStatus({ op }), locale);
    const detail = withdrawalDetailView(sampleDetail({ op, locale, withdrawal: undefined }));
    for (const message of [status, told, detail]) expect(textOf(message)).toContain(warns);
    expect(told.content?.replaceAll("\u00a0", " ")).toContain(alone);
    const same = sampleStatus({ op: { ...op, net: cents(4_650) } });
    expect(textOf(withdrawStatusView(same, locale))).not.toContain(warns);
  });

  it("offers no other key in a server of another wallet, also once the reply there is edited", async () => {
    const stage = await openMoneyStage();
    await connect(stage, { guildId: "2" }, new Secret("sk_sandbox_ana_other_4f5a6b7c"), BRUNO);
    const edits: (readonly [string, readonly string[]])[] = [];
    const money = createBotMoney({
      ...stage.needs,
      stores: stage.stores,
      live: {
        edit: async (name, replyFor) => {
          edits.push([name, labelsOf(replyFor(false))]);
          return true;
        },
      },
    });
    const { op } = await withdrawn({ money });
    const checked = async (guildId: string) =>
      withdrawStatusView(await money.withdrawals.check(actor({ guildId }), op.id), "pt-BR");
    const [here, there, nowhere] = [await checked(GUILD), await checked("2"), await checked("3")];
    stage.become(op.txid ?? "", { status: "failed" });
    stage.clock.moveBy(MINUTE);
    await money.checkDue(new AbortController().signal);

    const names = [here, there, nowhere].map(({ live }) => live?.name ?? "");
    expect([names[0], names[1] === op.id, names[2]]).toEqual([op.id, false, names[1]]);
    const offered = new Map(edits);
    expect(offered.get(op.id)).toEqual(["Tentar com outra chave", "Mais detalhes"]);
    expect(offered.get(names[1] ?? "")).toEqual(["Mais detalhes"]);
    expect(labelsOf(await checked("2"))).toEqual(["Mais detalhes"]);
  });

  it.each([
    ["a list that holds it while it is not over", 50, true, 1],
    ["a list without it", 0, false, 3],
  ])("S6: learns from %s whether absence says anything", async (_, pageSize, known, reads) => {
    const { stage, id } = await accepted();
    stage.pageSize = pageSize;

    await stage.follow(MINUTE, SECOND);

    expect(stage.reads.filter((read) => read === "withdrawals background")).toHaveLength(reads);
    const { accountFp } = await stage.op(id);
    expect(await stage.stores.openListings.isKnown(accountFp, "turbo")).toBe(known);
    expect(await stage.stores.openListings.isKnown(accountFp, "normal")).toBe(false);
  });

  it("S6: learns from a list that writes its txid in another case", async () => {
    const { stage, id, txid } = await accepted();
    listInSmall(stage);
    expect(txid).not.toBe(txid.toLowerCase());
    stage.clock.moveBy(5 * SECOND);

    await stage.check();

    const { accountFp } = await stage.op(id);
    expect(await stage.stores.openListings.isKnown(accountFp, "turbo")).toBe(true);
  });

  it("tells a step before it learns from the list, which may have to wait for a turn", async () => {
    const { stage, id } = await accepted();
    const list = Promise.withResolvers<void>();
    const { wallet } = stage.needs;
    const withdrawals: typeof wallet.withdrawals = async (...given) => {
      await list.promise;
      return await wallet.withdrawals(...given);
    };
    const money = stage.process({ wallet: { ...wallet, withdrawals } });
    stage.clock.moveBy(5 * SECOND);

    const checked = stage.check(money);
    await expect.poll(async () => (await stage.op(id)).state).toBe("processing");
    list.resolve();
    await checked;
  });

  it.each([
    ["with its status", (row: ListedWithdrawal) => row],
    ["without", (row: ListedWithdrawal) => ({ ...row, status: undefined })],
  ])(
    "S6: learns nothing from one that was over by the time it was listed, %s",
    async (_, shown) => {
      const { stage, id, txid } = await accepted();
      const { wallet } = stage.needs;
      const withdrawals: typeof wallet.withdrawals = async (...given) => {
        stage.become(txid, { status: "completed" });
        const page = await wallet.withdrawals(...given);
        return { ...page, items: page.items.map(shown) };
      };
      stage.clock.moveBy(5 * SECOND);

      await stage.check(stage.process({ wallet: { ...wallet, withdrawals } }));

      const { accountFp, state } = await stage.op(id);
      expect(state).toBe("processing");
      expect(await stage.stores.openListings.isKnown(accountFp, "turbo")).toBe(false);
    },
  );

  it("S6: learns nothing from a withdrawal that is over", async () => {
    const { stage, id, txid } = await accepted();
    stage.become(txid, { status: "completed" });

    await stage.follow(5 * SECOND, SECOND);

    const { accountFp } = await stage.op(id);
    expect(await stage.stores.openListings.isKnown(accountFp, "turbo")).toBe(false);
  });

  it("reads a normal withdrawal around its plan", async () => {
    const { stage, id, txid } = await accepted(false);
    await stage.follow(20 * SECOND, 20 * SECOND);
    await stage.follow(HOUR, 20 * MINUTE);
    const { state, scheduledFor } = await stage.op(id);
    expect([state, scheduledFor?.toString()]).toEqual(["scheduled", "2026-11-21T11:00:00Z"]);
    stage.become(txid, { status: "completed" });

    await stage.follow(20 * HOUR, 20 * MINUTE);

    expect((await stage.op(id)).state).toBe("completed");
  });

  it("rule 30: follows by the transaction what has no detail, to its end", async () => {
    const { stage, id, txid } = await accepted();
    stage.become(txid, { status: "scheduled" });
    stage.failing.set("withdrawal", "not_found");
    await stage.follow(5 * SECOND, 5 * SECOND);
    expect((await stage.op(id)).state).toBe("scheduled");
    expect(await stage.messages()).toEqual([]);

    stage.become(txid, { status: "processing" });
    await stage.follow(DAY, 30 * MINUTE);
    expect((await stage.op(id)).state).toBe("processing");
    stage.become(txid, { status: "completed" });
    await stage.follow(HOUR, 5 * MINUTE);
    expect((await stage.op(id)).state).toBe("completed");
    expect(await stage.messages()).toEqual([`withdrawal|${id}|completed due`]);
  });

  it("rule 30: believes of a transaction no word that the document does not give it", async () => {
    const { stage, id, txid } = await accepted();
    stage.become(txid, { status: "failed" });
    stage.failing.set("withdrawal", "not_found");
    await stage.follow(5 * SECOND, 5 * SECOND);
    expect((await stage.op(id)).state).toBe("accepted");
  });

  it("waits through failures of the service, and a status that nobody knows", async () => {
    const { stage, id, txid } = await accepted();
    stage.failing.set("withdrawal", "unavailable");
    await stage.follow(10 * MINUTE);
    expect((await stage.op(id)).state).toBe("accepted");
    stage.failing.clear();
    stage.become(txid, { status: "on_the_moon" });
    await stage.follow(10 * MINUTE);

    expect((await stage.op(id)).state).toBe("accepted");
    expect(await stage.messages()).toEqual([]);
  });

  it("logs by its code a withdrawal that a job cannot read", async () => {
    const { stage, id } = await accepted();
    stage.failing.set("withdrawal", "unavailable");
    const { log, lines } = recordingLog();
    await checkOp({ ...stage.needs, log }, await stage.op(id), "job");
    const text = "a withdrawal cannot be read now";
    expect(lines).toMatchObject([
      { level: "warn", fields: { op: id, problem: "unavailable" }, text },
    ]);
  });

  it("reads hourly while the key is refused", async () => {
    const { stage, id } = await accepted();
    stage.failing.set("withdrawal", "unauthorized");

    await stage.follow(5 * SECOND, 5 * SECOND);

    expect((await stage.op(id)).nextCheckAt?.toString()).toBe("2026-11-20T16:00:05Z");
  });

  it("hands one that is still open after two days to its owner, and goes on reading for a month", async () => {
    const { stage, id, txid } = await accepted();
    await stage.follow(2 * DAY + HOUR, 7 * HOUR);
    expect((await stage.op(id)).state).toBe("manual");
    await stage.follow(27 * DAY, DAY);
    stage.become(txid, { status: "completed" });

    await stage.follow(HOUR, 30 * MINUTE);

    expect((await stage.op(id)).state).toBe("completed");
    expect(await stage.messages()).toEqual([
      `withdrawal|${id}|manual|taken obsolete`,
      `withdrawal|${id}|completed due`,
    ]);
  });

  it("finds one of unknown outcome that shows on its 28th day", async () => {
    const stage = await openMoneyStage();
    const op = await lostOne(stage, true);
    stage.failing.set("withdrawals", "unavailable");
    await stage.follow(28 * DAY, DAY);
    expect((await stage.op(op.id)).state).toBe("manual");
    stage.failing.clear();

    await stage.follow(HOUR, 30 * MINUTE);

    expect((await stage.op(op.id)).txid).toBe("TX0001");
  });

  it("stops reading one that nobody decides after a month", async () => {
    const { stage, id } = await accepted();
    stage.failing.set("withdrawal", "not_found");
    await stage.follow(3 * DAY, 6 * HOUR);

    stage.clock.moveBy(28 * DAY);
    await stage.check();

    expect(await stage.op(id)).toMatchObject({ state: "manual", nextCheckAt: undefined });
  });

  it.each([
    ["normal", "pt-BR", "Sigo conferindo até 30 dias depois do pedido"],
    ["normal", "en-US", "I keep checking until 30 days after the request"],
    ["refund", "pt-BR", "Sigo lendo a venda até 30 dias depois do pedido"],
    ["refund", "en-US", "I keep reading the sale until 30 days after the request"],
  ] as const)("of a %s tells in %s how long it reads", (kind, locale, words) => {
    const status = sampleStatus({ op: sampleOp({ kind, state: "manual" }) });
    expect(textOf(withdrawStatusView(status, locale))).toContain(words);
  });

  it("checks many at once, and one that fails keeps nobody else", async () => {
    const { stage, id } = await accepted();
    stage.clock.moveBy(5 * SECOND);
    const wallet = {
      ...stage.wallet,
      withdrawal: () => Promise.reject(new TypeError("our own mistake")),
    };

    await stage.check(stage.process({ wallet }));
    expect((await stage.op(id)).state satisfies WithdrawState).toBe("accepted");
    await stage.follow(3 * MINUTE);

    expect((await stage.op(id)).state).toBe("processing");
  });
});
