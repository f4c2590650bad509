import { expect, test } from "vitest";
import type { NewDelivery } from "#src/domain/delivery.ts";
import { createAftermath } from "#src/jobs/delivery/aftermath.ts";
import type { Posting } from "#src/jobs/delivery/attempt.ts";
import { createDeliver } from "#src/jobs/delivery/deliver.ts";
import { MINUTE } from "#src/shared/time.ts";
import { noMetrics } from "#src/shared/metrics.ts";
import { quietLog } from "../../support/databases.ts";
import { directChannel } from "../fake-channels.ts";
import { CHANNEL, GUILD, stageWithAna, type Stage } from "../stage.ts";

/** A second process of the same bot, whose calls to Discord the test may hold up. */
const deliverWith = (stage: Stage, changed: Partial<Posting>): Promise<void> => {
  const { clock, channels, stores, stopping, news } = stage;
  const deliver = createDeliver({
    clock,
    log: quietLog,
    metrics: noMetrics,
    owner: "slow",
    outbox: stores.outbox,
    posting: { ...channels, ...changed },
    aftermath: createAftermath({ clock, ...stores }),
    stillTrue: async () => ({ kind: "holds" }),
  });
  return deliver({ stopping: stopping.signal, news, retryAt: () => {} });
};

const delivery = (stage: Stage, target: NewDelivery["target"]): NewDelivery => ({
  dedupeKey: `notice|${target.kind}`,
  kind: "notice",
  target,
  guildId: GUILD,
  accountId: null,
  payload: { content: "Aviso" },
  notBefore: stage.clock.now(),
});

/** The machine sleeps past its lease; the other process delivers; then Discord has long forgotten the nonce. */
const sleep = async (stage: Stage): Promise<void> => {
  stage.clock.moveBy(2 * MINUTE);
  await stage.deliver();
  stage.clock.moveBy(10 * MINUTE);
};

test("a process that slept past its lease between the search and the post does not post", async () => {
  const stage = await stageWithAna("2026-11-20T00:00Z");
  await stage.stores.outbox.enqueue(
    delivery(stage, { kind: "channel", channelId: CHANNEL }),
    stage.clock.now(),
  );
  stage.channels.mishap = () => ({ outcome: { kind: "unclear", reason: "x" }, made: false });
  await stage.deliver();
  stage.channels.mishap = undefined;
  stage.clock.moveBy(3 * MINUTE);

  await deliverWith(stage, {
    findPosted: async () => {
      await sleep(stage);
      return { kind: "absent" };
    },
  });

  expect(stage.channels.inChannel(CHANNEL)).toHaveLength(1);
});

test("nor does one that slept while it opened a direct message", async () => {
  const stage = await stageWithAna("2026-11-20T00:00Z");
  await stage.stores.outbox.enqueue(
    delivery(stage, { kind: "person", userId: "u" }),
    stage.clock.now(),
  );

  await deliverWith(stage, {
    openDirectMessage: async (userId) => {
      await sleep(stage);
      return { channelId: directChannel(userId) };
    },
  });

  expect(stage.channels.inChannel(directChannel("u"))).toHaveLength(1);
});

test("a delivery that nobody took over is attempted again after such a sleep", async () => {
  const stage = await stageWithAna("2026-11-20T00:00Z");
  await stage.stores.outbox.enqueue(
    delivery(stage, { kind: "person", userId: "u" }),
    stage.clock.now(),
  );
  await deliverWith(stage, {
    openDirectMessage: async (userId) => {
      stage.clock.moveBy(10 * MINUTE);
      return { channelId: directChannel(userId) };
    },
  });
  expect(stage.channels.messages).toHaveLength(0);

  stage.clock.moveBy(MINUTE);
  await stage.deliver();

  expect(stage.channels.inChannel(directChannel("u"))).toHaveLength(1);
});
