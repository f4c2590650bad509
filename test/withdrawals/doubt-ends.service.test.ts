import { describe, expect, it } from "vitest";
import type { WithdrawState } from "#src/withdrawals/withdraw-op.ts";
import type { Withdrawal } from "#src/withdrawals/withdrawal.ts";
import { withdrawStatusView } from "#src/withdrawals/withdraw-status.view.ts";
import { withdrawalSummaryView } from "#src/withdrawals/withdrawal-detail.view.ts";
import { DAY, MINUTE as LEASE_MS, SECOND, MINUTE, HOUR } from "#src/shared/time.ts";
import {
  actor,
  addOldOne,
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
  prepared,
  withdrawn,
} from "./money-stage.ts";
import { LOST } from "./plain-wallet.ts";
import { sampleDetail, sampleOp, sampleStatus } from "./withdraw-samples.ts";
import { readMessage } from "../ui/read-message.ts";
import { ask, sold } from "./refunds/refund-stage.ts";

const claim = async ({ stores, clock }: MoneyStage) =>
  await stores.outbox.claim({ owner: "post", leaseMs: LEASE_MS, limit: 9, now: clock.now() });

/** Lets Discord accept every due direct message. */
const deliver = async (stage: MoneyStage): Promise<void> => {
  const due = await claim(stage);
  for (const each of due) {
    await stage.stores.outbox.settle(each, { state: "sent", messageId: "1" });
  }
  if (due.length > 0) await deliver(stage);
};

/** An answer was lost; private replies are still editable, so the outcome would need no message. */
const inDoubt = async (works: boolean) => {
  const stage = await openMoneyStage();
  stage.add({
    txid: "OLD",
    status: "completed",
    requestedAt: stage.clock.now().subtract({ hours: 30 }),
  });
  const money = stage.process({ show: async () => true });
  const op = await lostOne(stage, works);
  const follow = (ms: number, stepMs = MINUTE) => stage.follow(ms, stepMs, money);
  return { stage, money, id: op.id, follow };
};

const messagesOf = async (stage: MoneyStage, id: string): Promise<readonly string[]> =>
  (await stage.messages()).flatMap((message) => message.split(`withdrawal|${id}|`)[1] ?? []);

describe("S13: a doubt that was told by direct message", () => {
  it.each<[WithdrawState, Partial<Withdrawal>]>([
    ["accepted", {}],
    ["completed", { status: "completed" }],
    ["failed", { status: "failed" }],
    ["cancelled", { status: "cancelled" }],
  ])("ends there when it is found as %s, though the reply was edited", async (state, changes) => {
    const { stage, id, follow } = await inDoubt(true);
    stage.become("TX0001", changes);
    stage.clock.moveBy(31 * SECOND);
    await deliver(stage);

    await follow(MINUTE, 30 * SECOND);

    expect(await messagesOf(stage, id)).toEqual(["unknown sent", `${state} due`]);
  });

  it("is not told where it is found as failed first, and the reply cannot be edited", async () => {
    const { stage, id } = await inDoubt(true);
    stage.become("TX0001", { status: "failed" });
    stage.clock.moveBy(MINUTE);

    await stage.check(stage.money);

    expect(await messagesOf(stage, id)).toEqual(["unknown obsolete", "failed due"]);
  });

  it("is followed there to the end of what was found", async () => {
    const { stage, id, follow } = await inDoubt(true);
    stage.clock.moveBy(31 * SECOND);
    await deliver(stage);
    await follow(MINUTE, 30 * SECOND);
    await deliver(stage);
    stage.become("TX0001", { status: "completed" });

    await follow(10 * MINUTE);
    await deliver(stage);

    expect(await messagesOf(stage, id)).toEqual([
      "unknown sent",
      "accepted sent",
      "completed sent",
    ]);
  });

  it("ends there when it was handed to its owner", async () => {
    const { stage, id, follow } = await inDoubt(true);
    stage.add();
    stage.clock.moveBy(31 * SECOND);
    await deliver(stage);

    await follow(MINUTE, 30 * SECOND);

    expect(await messagesOf(stage, id)).toEqual(["unknown sent", "manual due"]);
  });

  it("is handed to its owner although each check of it fails for a reason that is not the service's", async () => {
    const { stage, id } = await inDoubt(true);
    const broken = stage.process({
      wallet: { ...stage.wallet, withdrawals: () => Promise.reject(new RangeError("broken")) },
    });
    await stage.follow(46 * MINUTE, MINUTE, broken);

    expect(await stage.op(id)).toMatchObject({ state: "manual" });
    expect(await messagesOf(stage, id)).toEqual(["unknown obsolete", "manual due"]);
  });

  it("ends there while Discord is just being asked to post it", async () => {
    const { stage, id, follow } = await inDoubt(true);
    stage.clock.moveBy(31 * SECOND);
    await claim(stage);

    await follow(MINUTE, 30 * SECOND);

    expect(await messagesOf(stage, id)).toEqual(["unknown sending", "accepted due"]);
  });

  it("ends there when its answer comes late", async () => {
    const stage = await openMoneyStage();
    const confirmation = await prepared(stage);
    const other = stage.process();
    stage.onRequest = async () => {
      stage.clock.moveBy(2 * MINUTE);
      await other.sweep(true);
      stage.clock.moveBy(31 * SECOND);
      await deliver(stage);
    };

    const status = await stage.money.withdrawals.confirm(actor(), confirmation.token, undefined);

    expect(status).toMatchObject({ kind: "status", op: { state: "accepted" } });
    expect(await messagesOf(stage, confirmation.op.id)).toEqual(["unknown sent", "accepted due"]);
  });

  it("ends when its answer comes after the owner was asked, as of a process that was cut off", async () => {
    const stage = await openMoneyStage();
    const { op, token } = await prepared(stage);
    const other = stage.process();
    stage.onRequest = async () => {
      stage.failing.set("withdrawals", "unavailable");
      await stage.follow(HOUR, MINUTE, other);
      expect(await stage.op(op.id)).toMatchObject({ state: "manual", txid: undefined });
      stage.failing.clear();
    };

    await stage.money.withdrawals.confirm(actor(), token, undefined);

    expect(await stage.op(op.id)).toMatchObject({ state: "accepted", txid: "TX0001" });
    expect(await messagesOf(stage, op.id)).toEqual([
      "unknown obsolete",
      "manual obsolete",
      "accepted due",
    ]);
  });

  it("comes again for one that was found and has no end after two days", async () => {
    const { stage, id } = await inDoubt(true);
    stage.failing.set("withdrawals", "unavailable");
    await stage.follow(46 * MINUTE, 23 * MINUTE);
    stage.failing.clear();
    await stage.follow(2 * HOUR, 10 * MINUTE);
    expect(await stage.op(id)).toMatchObject({ state: "processing", txid: "TX0001" });

    await stage.follow(2 * DAY + HOUR, 7 * HOUR);

    expect(await stage.op(id)).toMatchObject({ state: "manual" });
    expect(await messagesOf(stage, id)).toEqual([
      "unknown obsolete",
      "manual obsolete",
      "accepted due",
      "manual|taken due",
    ]);
  });

  /** A second click whose answer, of while the request went on, Discord takes once the first one's answer is there. */
  const clickedTwice = async () => {
    const stage = await openMoneyStage();
    const { token } = await prepared(stage);
    const click = () => stage.money.withdrawals.confirm(actor(), token, undefined);
    const second = Promise.withResolvers<Awaited<ReturnType<typeof click>>>();
    stage.onRequest = async () => second.resolve(await click());
    Object.assign(stage, { answer: LOST, works: false });
    const { op } = await click();
    await stage.money.withdrawals.answered((await second.promise).op);
    return { stage, op };
  };

  it("goes on there where Discord took an answer of before it late", async () => {
    const { stage, op } = await clickedTwice();
    expect(await messagesOf(stage, op.id)).toEqual(["unknown due"]);

    await stage.follow(46 * MINUTE, 23 * MINUTE);
    await stage.money.withdrawals.answered(op);
    expect(await messagesOf(stage, op.id)).toEqual(["unknown obsolete", "manual due"]);
  });

  it("is shown in the place of an answer of before it that Discord took late", async () => {
    const { stage } = await clickedTwice();
    expect(stage.shown.map(({ op: { state } }) => state)).toEqual(["unknown"]);
  });

  it("is not needed there when the reply showed its end first", async () => {
    const { stage, id, follow } = await inDoubt(true);

    await follow(5 * SECOND, 5 * SECOND);

    expect(await messagesOf(stage, id)).toEqual(["unknown obsolete", "accepted obsolete"]);
  });

  it.each([
    ["its detail", true],
    ["its transaction alone", false],
  ])("ends there when what its owner was to decide is read after all, by %s", async (_, shown) => {
    const stage = await openMoneyStage();
    const money = stage.process({ show: async () => true });
    const { op } = await withdrawn(stage, { turbo: false });
    await stage.follow(MINUTE);
    await disconnect(stage);
    await stage.follow(25 * HOUR, HOUR);
    await deliver(stage);
    expect(await messagesOf(stage, op.id)).toEqual(["manual|no_key sent"]);
    await connect(stage);
    if (!shown) stage.failing.set("withdrawal", "not_found");

    stage.clock.moveBy(2 * HOUR);
    await stage.check(money);

    expect((await stage.op(op.id)).state).toBe("accepted");
    expect(await messagesOf(stage, op.id)).toEqual(["manual|no_key sent", "accepted due"]);
  });

  it("comes again where it was followed anew by another key and has no end after two days", async () => {
    const stage = await openMoneyStage();
    const { op } = await withdrawn(stage, { turbo: false });
    await stage.follow(MINUTE);
    await disconnect(stage);
    await stage.follow(25 * HOUR, HOUR);
    await deliver(stage);
    await connect(stage);
    await stage.follow(4 * DAY, 6 * HOUR);
    expect(await stage.op(op.id)).toMatchObject({ state: "manual" });
    expect(await messagesOf(stage, op.id)).toEqual([
      "manual|no_key sent",
      "accepted due",
      "manual|taken due",
    ]);
  });

  it("comes again for a refund that was taken after its owner was asked, and has no end", async () => {
    const stage = await sold();
    stage.works = false;
    const { op, token } = await ask(stage);
    const other = stage.process();
    stage.onRequest = async () => await stage.follow(HOUR, MINUTE, other);
    await stage.money.withdrawals.confirm(actor(), token, undefined);
    expect(await messagesOf(stage, op.id)).toContain("manual obsolete");
    await stage.follow(4 * DAY, 6 * HOUR);
    expect((await messagesOf(stage, op.id)).at(-1)).toBe("manual|taken due");
  });
});

describe("S13: a doubt whose owner has no key of the account any more", () => {
  const BLOCKED = "Enquanto eu não souber, novos saques desta conta ficam bloqueados.";
  const NO_KEY =
    "Sem uma chave sua desta conta não consigo conferir. Conecte com `/conta conectar`.";
  const PROMISED = /[Cc]onferi |Conferi agora|[Vv]ou conferir|confiro sozinho|Sigo conferindo/;
  const removed = async () => {
    const { stage, id } = await inDoubt(false);
    await disconnect(stage);
    const checked = async (locale: "pt-BR" | "en-US" = "pt-BR") => {
      const status = await stage.money.withdrawals.check(actor({ guildId: "" }), id);
      return readMessage(withdrawStatusView(status, locale, false)).join("\n");
    };
    return { stage, id, checked };
  };

  it("is not said to be checked by a click that reads nothing, nor while another person has a key", async () => {
    const { stage, id, checked } = await removed();

    expect(await checked()).toContain(`**Não repita.** ${BLOCKED}\n${NO_KEY}\n`);
    expect(await checked()).not.toMatch(PROMISED);
    expect(await checked("en-US")).toContain(
      "Without a key of yours for this account I cannot check. Connect one with `/conta conectar`.",
    );
    expect(await checked("en-US")).not.toMatch(/I checked|I will check/);
    const detail = await stage.money.withdrawals.detail(actor({ guildId: "" }), id);
    const facts = { ...detail, op: await stage.op(id), hasGuild: false, locale: "pt-BR" } as const;
    const summary = readMessage(withdrawalSummaryView(facts)).join("\n");
    expect(summary).toContain(NO_KEY);
    expect(summary).not.toMatch(PROMISED);

    await connect(stage, { ownerId: BRUNO });
    expect(await checked()).toContain(NO_KEY);
    expect(await checked()).not.toMatch(PROMISED);
  });

  it.each(["turbo", "split_normal", "cancel", "refund"] as const)(
    "is not said to be checked or read while it is one of a %s either",
    (kind) => {
      for (const state of ["unknown", "manual"] as const) {
        const status = sampleStatus({ op: sampleOp({ kind, state }), withoutKey: true });
        const words = readMessage(withdrawStatusView(status, "pt-BR")).join("\n");
        expect(words).toContain(NO_KEY);
        expect(words).not.toMatch(PROMISED);
        expect(words).not.toMatch(/[Vv]ou ler|Sigo lendo/);
      }
    },
  );

  it.each(["normal", "turbo", "split_normal", "cancel", "refund"] as const)(
    "is not promised to be followed as a %s that the service accepted either",
    (kind) => {
      for (const state of ["accepted", "scheduled", "processing"] as const) {
        for (const locale of ["pt-BR", "en-US"] as const) {
          const op = sampleOp({ kind, state });
          const status = withdrawStatusView(sampleStatus({ op, withoutKey: true }), locale);
          const summary = withdrawalSummaryView({
            ...sampleDetail({ withoutKey: true, locale }),
            op,
          });
          for (const shown of [status, summary]) {
            const words = readMessage(shown).join("\n");
            expect(words).toMatch(/Sem uma chave sua|Without a key of yours/);
            expect(words).toMatch(/[Nn]ão repita|[Dd]o not repeat/);
            expect(words).not.toMatch(
              /acompanho|e aviso|conferindo|vou ler|leio|Confiro|I (will|am|follow|keep|read|check)|tell you/,
            );
          }
        }
      }
    },
  );

  it("is handed to its owner after a day with the same said, and checked again with a key", async () => {
    const { stage, id, checked } = await removed();
    await stage.follow(DAY + HOUR, HOUR);

    expect(await messagesOf(stage, id)).toContain("manual due");
    const [{ payload } = {}] = await claim(stage);
    const told = readMessage(payload).join("\n");
    for (const words of [told, await checked()]) {
      expect(words).toContain("Preciso que você confira este saque");
      expect(words).toContain(NO_KEY);
      expect(words).not.toMatch(PROMISED);
    }
    await connect(stage);
    expect(await checked()).toContain("Sigo conferindo até 30 dias");
    expect(await checked()).not.toContain(NO_KEY);
  });
});

describe("S13: what its owner decided", () => {
  const told = async (guildId: string, isAsked: boolean) => {
    const { stage, id, follow } = await inDoubt(true);
    stage.add();
    await follow(5 * SECOND, 5 * SECOND);
    // The message asks half a minute after the reply.
    stage.clock.moveBy((isAsked ? 31 : 20) * SECOND);
    await deliver(stage);
    await decided(stage, id, true, actor({ guildId }));
    return (await messagesOf(stage, id)).slice(1);
  };

  it("is told by direct message where the question was", async () => {
    expect(await told(GUILD, true)).toEqual(["manual sent", "resolved_manual due"]);
  });

  it("takes the question's place when it was answered in the direct message", async () => {
    expect(await told("", true)).toEqual(["manual sent", "resolved_manual obsolete"]);
  });

  it("is no stranger's withdrawal, of two within minutes by a service's clock that is minutes behind", async () => {
    const stage = await openMoneyStage();
    await look(stage);
    for (const txid of ["FIRST", "SECOND"]) {
      stage.failing.set("withdrawals", "unavailable");
      const { id } = await lostOne(stage, false);
      stage.failing.clear();
      stage.add({ txid, requestedAt: stage.clock.now().subtract({ minutes: 6 }) });
      await stage.follow(15_000, 5_000);
      await decided(stage, id, true);
      stage.clock.moveBy(3 * MINUTE);
    }
    await look(stage);
    expect(await ghostsOf(stage)).toEqual([]);
  });

  it("needs no direct message when the reply was answered before one asked", async () => {
    expect(await told(GUILD, false)).toEqual(["manual obsolete", "resolved_manual obsolete"]);
  });
});

const lost = async () => {
  const stage = await openMoneyStage();
  await addOldOne(stage);
  return { stage, id: (await lostOne(stage, false)).id };
};

it("A list that was read too early is no absence, however late its details come", async () => {
  const { stage, id } = await lost();
  stage.clock.moveBy((72 * 60 - 0.5) * 60_000);
  stage.add({ pixKey: "carla@example.com", amount: stage.executed.get("OLD")!.amount });
  const { wallet } = stage;
  const slow = stage.process({
    wallet: {
      ...wallet,
      withdrawal: (...asked) => {
        stage.clock.moveBy(60_000);
        return wallet.withdrawal(...asked);
      },
    },
  });

  await slow.withdrawals.check(actor(), id);

  expect(await stage.op(id)).toMatchObject({ state: "manual", absences: 0 });
});

it("A clock that jumps ahead does not make an absence older than it is by the service's clock", async () => {
  const { stage, id } = await lost();
  const { wallet } = stage;
  const jumped = stage.process({
    wallet: {
      ...wallet,
      withdrawals: async (...asked) => ({
        ...(await wallet.withdrawals(...asked)),
        skewMs: -60 * 60_000,
      }),
    },
  });
  stage.clock.moveBy(72 * 60 * 60_000);

  await jumped.withdrawals.check(actor(), id);
  stage.clock.moveBy(3 * 60_000);
  await jumped.withdrawals.check(actor(), id);

  expect(await stage.op(id)).toMatchObject({ state: "manual", absences: 0 });
});
