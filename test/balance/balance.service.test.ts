import { expect, it } from "vitest";
import { followedDispute } from "#src/disputes/dispute-watch.ts";
import { sampleDispute } from "../disputes/dispute-samples.ts";
import { actor, ANA, GUILD, openMoneyStage } from "../withdrawals/money-stage.ts";

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
