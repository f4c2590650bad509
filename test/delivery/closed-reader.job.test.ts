import { expect, test } from "vitest";
import { directChannel } from "../support/fake-channels.ts";
import { noticeTo } from "../database/builders.ts";
import { ADMIN, CHANNEL, GUILD, type Stage, stageWithAna } from "../support/stage.ts";
import { HOUR, MINUTE } from "#src/shared/time.ts";
import { type NewDelivery, referenceOf } from "#src/delivery/delivery.ts";

/** Delivers a message to Ana, and tells what became of it. */
const send = async (stage: Stage, dedupeKey: string, changes: Partial<NewDelivery> = {}) => {
  const notBefore = stage.clock.now();
  const payload = { content: referenceOf(dedupeKey) };
  const message = { ...noticeTo("u-ana", dedupeKey), payload, notBefore, ...changes };
  await stage.stores.outbox.enqueue(message, notBefore);
  await stage.deliver();
  return await stage.stores.outbox.state(dedupeKey);
};

test.each(["notice", "sale_notice"] as const)(
  "Discord is asked once in ten minutes about a person who takes no messages of kind %s",
  async (kind) => {
    const stage = await stageWithAna("2026-11-20T00:05Z");
    const { channels, clock, deliver, stores } = stage;
    let asked = 0;
    channels.openMishap = () => (asked++, { kind: "unreachable_person", code: 50_007 });
    const press = async (minute: number): Promise<void> => {
      await send(stage, `notice|u-ana|${minute}`, { kind });
      clock.moveBy(MINUTE);
    };
    const statesOf = (...minutes: readonly number[]) =>
      Promise.all(minutes.map((minute) => stores.outbox.state(`notice|u-ana|${minute}`)));

    for (let minute = 0; minute <= 9; minute++) await press(minute);
    expect(asked).toBe(1);
    expect(await statesOf(0, 1, 9)).toEqual(["dead", "due", "due"]);

    await press(10);
    expect(asked).toBe(2);
    expect(await statesOf(1, 9, 10)).toEqual(["dead", "dead", "dead"]);

    const refusing = channels.openMishap;
    channels.openMishap = () => undefined;
    await send(stage, "test|u-ana", { kind: "test" });
    await press(11);
    expect(await statesOf(11)).toEqual(["sent"]);

    channels.openMishap = refusing;
    await press(12);
    channels.openMishap = () => undefined;
    await press(13);
    expect(await statesOf(12, 13)).toEqual(["dead", "due"]);
    clock.moveBy(10 * MINUTE);
    await deliver();
    expect(await statesOf(13)).toEqual(["sent"]);
    expect(channels.inChannel(directChannel("u-ana"))).toHaveLength(3);
  },
);

const REFUSED = { kind: "unreachable_person", code: 50_007 } as const;

test("a refusal of before the clock was set back holds no message up", async () => {
  const stage = await stageWithAna("2026-11-20T00:05Z");
  stage.channels.openMishap = () => REFUSED;
  expect(await send(stage, "one")).toBe("dead");
  stage.channels.openMishap = undefined;
  stage.clock.moveBy(-HOUR);

  expect(await send(stage, "two")).toBe("sent");
});

test("an offered key's admin is told at once that its owner takes no messages", async () => {
  const stage = await stageWithAna("2026-11-20T00:05Z");
  stage.channels.openMishap = () => REFUSED;
  expect(await send(stage, "one")).toBe("dead");
  stage.clock.moveBy(MINUTE);

  expect(await send(stage, "offer", { offerId: "offer-1" })).toBe("dead");
});

test("a message that may have come before the refusal is looked for", async () => {
  const stage = await stageWithAna("2026-11-20T00:05Z");
  stage.channels.mishap = () => ({ outcome: { kind: "unclear", reason: "503" }, made: true });
  expect(await send(stage, "one")).toBe("due");
  stage.channels.mishap = undefined;
  stage.channels.openMishap = () => REFUSED;
  expect(await send(stage, "test", { kind: "test" })).toBe("dead");
  stage.channels.openMishap = undefined;
  stage.clock.moveBy(5 * MINUTE);

  await stage.deliver();

  expect(await stage.stores.outbox.state("one")).toBe("sent");
  expect(stage.channels.messages).toHaveLength(1);
});

test("the sellers of a large server that removed the bot refuse its message some a minute, as many stop all posts", async () => {
  const stage = await stageWithAna("2026-11-20T00:05Z");
  const { channels, clock } = stage;
  const since = clock.now();
  for (let place = 1; place < 120; place++) await stage.addSeller({ ownerId: `u-${place}`, since });
  let refused = 0;
  channels.mishap = (channelId) => {
    const code = channelId === CHANNEL ? 50_001 : 50_278;
    if (channelId !== CHANNEL) refused++;
    const kind = channelId === CHANNEL ? "lost_channel" : "unreachable_person";
    return { outcome: { kind, code }, made: false };
  };
  const inChannel = { target: { kind: "channel", channelId: CHANNEL }, guildId: GUILD } as const;
  await send(stage, "report", { ...inChannel, kind: "sales_report" });
  const byMinute = [refused];
  for (let minute = 1; minute < 63; minute++) {
    clock.moveBy(MINUTE);
    await stage.deliver();
    byMinute.push(refused - byMinute.reduce((sum, each) => sum + each, 0));
  }

  // With the admin, and once more each after an hour.
  expect(byMinute.filter((each) => each > 0)).toEqual([50, 50, 21, 50, 50, 21]);
});

test("the admin of a large server learns first that its channel is lost", async () => {
  const stage = await stageWithAna("2026-11-20T00:05Z");
  const { channels, clock } = stage;
  const since = clock.now();
  for (let place = 1; place < 60; place++) await stage.addSeller({ ownerId: `u-${place}`, since });
  channels.mishap = (channelId) =>
    channelId === CHANNEL
      ? { outcome: { kind: "lost_channel", code: 10_003 }, made: false }
      : undefined;
  const inChannel = { target: { kind: "channel", channelId: CHANNEL }, guildId: GUILD } as const;
  await send(stage, "report", { ...inChannel, kind: "sales_report" });
  await stage.deliver();
  expect(channels.inChannel(directChannel(ADMIN))).toHaveLength(1);
});
