import { expect, it } from "vitest";
import { followedDispute } from "#src/disputes/dispute-watch.ts";
import { sampleDispute } from "../disputes/dispute-samples.ts";
import type { Locale } from "#src/shared/locale.ts";
import { balanceView } from "#src/balance/balance.view.ts";
import {
  actor,
  ANA,
  BRUNO,
  connect,
  GUILD,
  openMoneyStage,
  withdrawn,
} from "../withdrawals/money-stage.ts";
import { cents } from "#src/shared/money.ts";
import { HOUR, MINUTE } from "#src/shared/time.ts";
import { salesDay } from "../closes/close-samples.ts";
import { opIn } from "../withdrawals/withdraw-builders.ts";
import { LOST } from "../withdrawals/plain-wallet.ts";
import { readMessage } from "../ui/read-message.ts";

it("tells no MED as waiting while nobody reads whether it still does, because alerts are off", async () => {
  const stage = await openMoneyStage();
  const { accounts, disputeWatch } = stage.stores;
  const now = stage.clock.now();
  const dueAt = now.add({ hours: 18 });
  const { watchId } = (await accounts.find(GUILD, ANA))!;
  await disputeWatch.keep(followedDispute(watchId, sampleDispute({ dueAt }), now), [], now);
  const waiting = async () => (await stage.money.balance.read(actor())).disputes;
  expect(await waiting()).toEqual({ count: 1, overdue: 0, firstDueAt: dueAt });

  await accounts.setAlerts(GUILD, ANA, "off", now);
  expect(await waiting()).toEqual({ count: 0, overdue: 0, firstDueAt: undefined });

  await accounts.setAlerts(GUILD, ANA, "direct", now);
  expect(await waiting()).toEqual({ count: 1, overdue: 0, firstDueAt: dueAt });
});

it("tells that the daily limit frees with a raise that comes before what was sent is a day old", async () => {
  const stage = await openMoneyStage();
  const { guards } = stage.money;
  await guards.setDailyCap(actor(), cents(5_000));
  const { pendingCap } = await guards.setDailyCap(actor(), cents(50_000));
  stage.clock.moveBy(20 * HOUR);
  await withdrawn(stage);

  const { cap } = await stage.money.balance.read(actor());
  expect(cap).toEqual({ cap: 5_000, left: 0, freesAt: pendingCap?.from });
});

it("tells that the daily limit frees with an old withdrawal behind a hundred refunds", async () => {
  const stage = await openMoneyStage();
  const { clock, stores } = stage;
  await stage.money.guards.setDailyCap(actor(), cents(5_100));
  const { op } = await withdrawn(stage);
  clock.moveBy(20 * HOUR);
  const refund = { ownerId: ANA, kind: "refund", amount: cents(1) } as const;
  for (let place = 0; place < 100; place++) {
    const one = { ...refund, targetTxid: `sale-${place}` };
    await opIn(stores.journal, "completed", one, {}, clock.now());
  }

  const { cap } = await stage.money.balance.read(actor());
  expect(cap).toEqual({ cap: 5_100, left: 0, freesAt: op.sentAt?.add({ hours: 24 }) });
});

it("sends to /saques only the person who asked for the withdrawal in doubt", async () => {
  const stage = await openMoneyStage();
  await connect(stage, { ownerId: BRUNO });
  stage.answer = LOST;
  await withdrawn(stage);
  const told = async (userId: string, locale: Locale) => {
    const facts = await stage.money.balance.read(actor({ userId }));
    return readMessage(balanceView({ ...facts, inGuild: true, locale })).join("\n");
  };

  expect(await told(ANA, "pt-BR")).toContain("se o último foi feito: veja `/saques`.");
  const byAnother = {
    "pt-BR":
      "Novo saque só depois de saber se o último, pedido por outra pessoa desta conta, foi feito.",
    "en-US":
      "A new withdrawal only once it is known whether the last one, which another person on this account asked for, was made.",
  };
  for (const locale of ["pt-BR", "en-US"] as const) {
    const words = await told(BRUNO, locale);
    expect(words).toContain(byAnother[locale]);
    expect(words).not.toContain("`/saques`");
  }
});

it.each(["failed", "cancelled"] as const)(
  "tells one that is %s as not paid, unless another of that day may have been",
  async (status) => {
    const stage = await openMoneyStage();
    const { op } = await withdrawn(stage);
    const unpaid = async () => (await stage.money.balance.read(actor())).recent?.isUnpaid;
    expect(await unpaid()).toBe(false);

    stage.become(op.txid ?? "", { status });
    await stage.follow(MINUTE);
    expect(await unpaid()).toBe(true);

    stage.add({ status: "completed", requestedAt: stage.clock.now().subtract({ hours: 3 }) });
    expect(await unpaid()).toBe(false);
  },
);

it("tells no sales of the open day that a refund has lowered since they were read", async () => {
  const stage = await openMoneyStage();
  const { accounts, salesDays } = stage.stores;
  const { accountFp } = (await accounts.find(GUILD, ANA))!;
  const day = new Temporal.PlainDate(2026, 11, 20);
  const readAt = stage.clock.now();
  await salesDays.keep(accountFp, salesDay(day, 80, { readAt }));
  const sold = async () => (await stage.money.balance.read(actor())).today?.sales;
  expect(await sold()).toBe(8_000);

  await salesDays.readAgain(accountFp, day, day, stage.clock.now().add({ minutes: 1 }));
  expect(await sold()).toBeUndefined();
});
