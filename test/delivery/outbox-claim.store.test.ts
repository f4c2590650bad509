import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { NewDelivery } from "#src/delivery/delivery.ts";
import { reportKinds } from "#src/delivery/delivery-policies.ts";
import { MINUTE } from "#src/shared/time.ts";
import { withdrawFromCloses } from "#src/closes/closes.store.ts";
import {
  cancelDeliveries,
  cancelUnsettled,
  deleteDeliveriesOf,
  leaveDailyReports,
  reassignAlerts,
} from "#src/delivery/outbox-cancel.store.ts";
import {
  redirectAlerts,
  redirectAlertsToOwners,
  redirectReports,
} from "#src/delivery/outbox-redirect.store.ts";
import { outboxStore } from "#src/delivery/outbox.store.ts";
import { databases, standingClock } from "../support/databases.ts";
import { directChannel, testDeliver } from "../support/fake-channels.ts";
import { stageWithAna } from "../support/stage.ts";
import {
  ANA,
  BRUNO,
  CHANNEL,
  delivery,
  dueAgain,
  GUILD,
  keysOf,
  later,
  NOON,
  noticeTo,
  sent,
} from "../database/builders.ts";
import { disputeWatch } from "#src/disputes/dispute-watch.store.ts";
import { useQueryPlans } from "../database/query-plans.ts";
import { useStores } from "../database/use-store.ts";

describe.each(databases)("a claim on $name", (kind) => {
  const { outbox } = useStores(kind);
  const claim = (now: Temporal.Instant, limit: number, reserved = 0) =>
    outbox().claim({ owner: "one", leaseMs: MINUTE, limit, reserved, now });
  const reportTo = (userId: string, key: string): NewDelivery =>
    delivery(key, { target: { kind: "person", userId }, accountId: "account" });
  const alert = delivery("alert", { kind: "dispute_alert", notBefore: later(8) });
  const aboutMoney = { ...noticeTo(ANA, "money"), notBefore: later(9) };
  /** Direct reports of an earlier hour, one after the other. */
  const enqueueReports = async (...userIds: readonly string[]): Promise<void> => {
    for (const [milliseconds, userId] of userIds.entries())
      await outbox().enqueue(reportTo(userId, `to ${userId}`), NOON.add({ milliseconds }));
  };

  test("takes what has been due for longest, and a retry by its own time", async () => {
    await outbox().enqueue(noticeTo(ANA, "retried"), NOON);
    const [first] = await claim(NOON, 1);
    await outbox().settle(first!, dueAgain(later(2)));
    await outbox().enqueue({ ...noticeTo(BRUNO, "fresh"), notBefore: later(1) }, NOON);
    expect(keysOf(await claim(later(2), 1))).toEqual(["fresh"]);
    expect(keysOf(await claim(later(2), 1))).toEqual(["retried"]);
  });

  test("takes alerts and messages about money before the reports of an earlier hour", async () => {
    await enqueueReports("p1", "p2", "p3");
    await outbox().enqueue({ ...noticeTo(BRUNO, "of a key"), accountId: "account" }, NOON);
    for (const urgent of [alert, aboutMoney]) await outbox().enqueue(urgent, later(9));
    expect(keysOf(await claim(later(9), 2))).toEqual(["alert", "money"]);
    expect(keysOf(await claim(later(9), 9))).toEqual(["of a key", "to p1", "to p2", "to p3"]);
  });

  test("brings on the line of a message about money, in its order", async () => {
    await enqueueReports("p1", "p2", ANA);
    await outbox().enqueue(aboutMoney, later(9));
    for (const key of [`to ${ANA}`, "money", "to p1"]) {
      const [head] = await claim(later(9), 1);
      expect(head?.dedupeKey).toBe(key);
      await outbox().settle(head!, sent);
    }
  });

  test("takes no alert before its hour, nor while its retry waits", async () => {
    await enqueueReports("p1", "p2");
    await outbox().enqueue(alert, NOON);
    expect(keysOf(await claim(later(7), 1))).toEqual(["to p1"]);
    const [early] = await claim(later(8), 1);
    await outbox().settle(early!, dueAgain(later(20)));
    expect(keysOf(await claim(later(19), 9))).toEqual(["to p2"]);
  });

  test("keeps places free for them", async () => {
    await enqueueReports("p1", "p2", "p3");
    expect(keysOf(await claim(later(1), 3, 2))).toEqual(["to p1"]);
    expect(await claim(later(1), 2, 2)).toEqual([]);
    await outbox().enqueue(alert, NOON);
    expect(keysOf(await claim(later(9), 2, 2))).toEqual(["alert"]);
  });
});

test("An alert is posted while a rush of reports gets no answer", async () => {
  const stage = await stageWithAna(NOON.toString());
  const { post } = stage.channels;
  const answered = Promise.withResolvers<void>();
  const told = Promise.withResolvers<void>();
  stage.channels.post = async (channelId, ...call) => {
    if (channelId === directChannel(ANA)) told.resolve();
    else await answered.promise;
    return await post(channelId, ...call);
  };
  const { outbox } = stage.stores;
  for (let index = 0; index < 50; index += 1) {
    const target = { kind: "person", userId: `p${index}` } as const;
    await outbox.enqueue(delivery(`report ${index}`, { target, accountId: stage.anaId }), NOON);
  }
  const delivered = stage.deliver();
  const [none, one] = [0, 1].map((count) => ({ count, notified: count }));
  await stage.stores.disputeWatch.saveUnlisted(stage.anaId, none!, one!, [], NOON);
  const target = { kind: "person", userId: ANA } as const;
  const alert = { kind: "dispute_alert", accountId: stage.anaId, target } as const;
  await outbox.enqueue(delivery("alert", alert), NOON);
  stage.news.ring();
  await told.promise;
  answered.resolve();
  await delivered;
});

test("What waited behind a post that ended during a claim is delivered by the same run", async () => {
  const stage = await stageWithAna(NOON.toString());
  const { clock, channels, news, stopping } = stage;
  const { outbox } = stage.stores;
  for (const key of ["first", "second"])
    await outbox.enqueue(delivery(key, { kind: "notice", payload: { content: key } }), NOON);
  const answered = Promise.withResolvers<void>();
  const settled = Promise.withResolvers<void>();
  let claims = 0;
  const deliver = testDeliver({
    clock,
    posting: {
      ...channels,
      post: async (...call) => {
        news.ring();
        await answered.promise;
        return await channels.post(...call);
      },
    },
    outbox: {
      claim: async (request) => {
        const claimed = await outbox.claim(request);
        if (++claims !== 2) return claimed;
        answered.resolve();
        await settled.promise;
        // The run hears of the end of the attempt before the answer of its claim.
        await setImmediate();
        return claimed;
      },
      settle: async (...settling) => {
        const ours = await outbox.settle(...settling);
        settled.resolve();
        return ours;
      },
    },
  });
  await deliver({ stopping: stopping.signal, news, retryAt: () => {} });
  expect(channels.inChannel(CHANNEL).map(({ text }) => text)).toEqual(['"first"', '"second"']);
});

/** Steps that find one delivery, one line, or what is due, was being sent or is put off. */
const READS_FEW =
  /USING (?:COVERING )?INDEX (?:sqlite_autoindex_outbox_1 \(dedupe_key=\?\)|outbox_lines \(line=\?|outbox_due \(not_before<\?\)|outbox_tried \(state=\?|outbox_urgent \(not_before<\?\)|outbox_untried \(created_at>\?\))/;

test("A claim reads no delivery that waits for its time", async () => {
  const { db, open, plans } = await useQueryPlans(standingClock(NOON.toString()));
  const outbox = outboxStore(db, open.leaseNow);
  await outbox.claim({ owner: "one", leaseMs: MINUTE, limit: 32, now: NOON });
  const steps = plans(/"outbox"/)
    .flatMap((plan) => plan.steps)
    .filter((step) => /^(?:SCAN|SEARCH) (?:outbox|head|earlier)/.test(step));
  expect(steps.length).toBeGreaterThan(5);
  expect(steps.filter((step) => !READS_FEW.test(step))).toEqual([]);
  // What cannot wait is not looked for among all that is due.
  for (const index of ["outbox_urgent", "outbox_due"])
    expect(steps.filter((step) => step.includes(index))).toHaveLength(1);
});

/** One delivery, the unsettled ones of a server, connection or line, the alerts of a watch, or what did not arrive. */
const READS_A_PART =
  /^SEARCH \w+ USING (?:COVERING )?INDEX (?:sqlite_autoindex_outbox_1 \(dedupe_key=\?|outbox_(?:of_guild|of_account|lines|alerts|repeats|undelivered) \(\w+=\?)/;

test("No change of a server or a connection reads all deliveries", async () => {
  const { db, plans } = await useQueryPlans(standingClock(NOON.toString()));
  const seller = { id: "account", guild_id: GUILD, report_consent_at: null };
  for (const whose of [
    { guildId: GUILD },
    { guildId: GUILD, channelId: CHANNEL },
    { accountId: "a" },
  ])
    await redirectAlertsToOwners(db, whose);
  await redirectAlerts(db, GUILD, CHANNEL, "other");
  await redirectReports(db, GUILD, CHANNEL, "other");
  await cancelDeliveries(db, reportKinds, { guildId: GUILD }, NOON, "route_off");
  const closes = cancelUnsettled(db, { guildId: GUILD }, NOON, "closes_off");
  await closes.where("close_kind", "=", "week").execute();
  await withdrawFromCloses(db, seller, NOON);
  await leaveDailyReports(db, seller);
  await deleteDeliveriesOf(db, { id: "account", watch_id: "watch" });
  await reassignAlerts(db, "account", { id: "other", guild_id: GUILD });
  await disputeWatch(db).undelivered("account", NOON);
  const found = plans(/"outbox"/);
  expect(found.length).toBeGreaterThan(12);
  const steps = found.flatMap((plan) => plan.steps).filter((step) => /outbox|refused/.test(step));
  expect(steps.filter((step) => !READS_A_PART.test(step))).toEqual([]);
});
