import { describe, expect, it } from "vitest";
import { type NewDelivery, type PostOutcome, referenceOf } from "#src/delivery/delivery.ts";
import { HOUR, MINUTE, SECOND } from "#src/shared/time.ts";
import { type Mishap, testDeliver } from "../support/fake-channels.ts";
import { CHANNEL, GUILD, stageWithAna } from "../support/stage.ts";

const START = "2026-11-20T00:05Z";
const unclear: PostOutcome = { kind: "unclear", reason: "timeout" };
const lost: Mishap = { outcome: { kind: "lost_channel", code: 10_003 }, made: false };

describe("a delivery that its first attempt may have posted", () => {
  type Changed = Partial<Parameters<typeof testDeliver>[0]>;
  const ELSEWHERE = { kind: "channel", channelId: "c2" } as const;
  const card = { kind: "charge", payload: { charge: { id: "c", code: "code" } } } as const;
  const untrue: Changed = { revalidate: async () => ({ kind: "untrue", unsent: undefined }) };
  const moved: Changed = {
    revalidate: async ({ target }) =>
      target.kind === "channel" && target.channelId === ELSEWHERE.channelId
        ? { kind: "holds" }
        : { kind: "moved", target: ELSEWHERE },
  };
  const textGone: Changed = { hooks: { notice: { payloadOf: () => undefined } } };

  const enqueued = async (given: Partial<NewDelivery>) => {
    const stage = await stageWithAna(START);
    const { clock, channels, stores, stopping, news } = stage;
    const delivery: NewDelivery = {
      dedupeKey: "notice|1",
      kind: "notice",
      target: { kind: "channel", channelId: CHANNEL },
      guildId: GUILD,
      accountId: null,
      payload: { content: "Aviso" },
      notBefore: clock.now(),
      ...given,
    };
    await stores.outbox.enqueue(delivery, clock.now());
    const again = async (ms: number, changed: Changed = {}) => {
      clock.moveBy(ms);
      const deliver = testDeliver({ clock, outbox: stores.outbox, posting: channels, ...changed });
      const retries: string[] = [];
      const retryAt = (instant: Temporal.Instant) => void retries.push(instant.toString());
      await deliver({ stopping: stopping.signal, news, retryAt });
      return { retries, state: await stores.outbox.state(delivery.dedupeKey) };
    };
    return { stage, again };
  };
  /** Ends the first attempt unclear. */
  const tried = async (given: Partial<NewDelivery>, made = false) => {
    const { stage, again } = await enqueued(given);
    stage.channels.mishap = () => ({ outcome: unclear, made });
    await again(0);
    stage.channels.mishap = undefined;
    return { stage, again };
  };

  it.each([
    ["goes to another channel", moved, "sent"],
    ["is let go", untrue, "obsolete"],
  ])("is unlike one without an attempt, which %s at once", async (_, by, expected) => {
    const { again } = await enqueued({});
    expect(await again(0, by)).toMatchObject({ state: expected });
  });

  it("is posted although the history is closed, where it is the repeat of an alert", async () => {
    const { stage, again } = await tried({ kind: "dispute_alert", repeatOf: "alert|1" });
    stage.channels.searchMishap = () => ({ kind: "unreadable", lasting: true });
    expect((await again(3 * MINUTE)).state).toBe("sent");
  });

  it.each([
    ["whose channel was replaced", {}, moved],
    ["of which nothing may be told now", {}, textGone],
    ["whose card's charge is over", card, untrue],
    ["that is no longer true and does not stand there yet", {}, untrue, 1],
  ] as const)("waits, %s, until Discord posts no more and can be asked", async (...cases) => {
    const [, given, by, looks = 0] = cases;
    const { stage, again } = await tried(given);
    let searches = 0;
    stage.channels.searchMishap = () => void searches++;

    const { retries, state } = await again(10 * SECOND, by);

    expect([state, searches]).toEqual(["due", looks]);
    expect(retries).toEqual(["2026-11-20T00:07:10Z"]);
  });

  it.each([
    ["is posted where it stands", true, 10 * SECOND, "sent"],
    ["is let go where a search shows that it does not", false, 5 * MINUTE, "obsolete"],
  ])("that is no longer true %s", async (_, made, ms, expected) => {
    const { again } = await tried({ payload: { content: referenceOf("notice|1") } }, made);
    expect((await again(ms, untrue)).state).toBe(expected);
  });

  it.each([
    ["one that is no longer true is let go", {}, 10 * SECOND, untrue, "obsolete"],
    ["a test that is too old is let go", { kind: "test" }, 2 * HOUR, {}, "obsolete"],
    ["a card that is too old stays in doubt", card, 2 * HOUR, {}, "unknown"],
  ] as const)("where nobody may look for it: %s", async (_, given, ms, by, expected) => {
    const { stage, again } = await tried(given);
    stage.channels.searchMishap = () => ({ kind: "unreadable", lasting: true });

    expect((await again(ms, by)).state).toBe(expected);
    expect(stage.channels.messages).toEqual([]);
  });

  it("stays in doubt where too many messages came after it, and is not posted twice", async () => {
    const { stage, again } = await tried({ kind: "sale_notice" }, true);
    stage.channels.searchMishap = () => ({ kind: "too_long" });

    expect((await again(10 * MINUTE)).state).toBe("unknown");
    expect(stage.channels.messages).toHaveLength(1);
  });

  it("goes to another channel at once, as an alert, where a search shows that it does not stand", async () => {
    const { again } = await tried({ kind: "dispute_alert" });
    expect((await again(10 * SECOND, moved)).state).toBe("sent");
  });

  const report = { kind: "sales_report", day: Temporal.PlainDate.from("2026-11-19") } as const;

  it.each([
    ["goes there at once after its first attempt", enqueued, "sent"],
    ["waits for a search where an earlier attempt may have posted it", tried, "due"],
  ])("whose channel is replaced while Discord refuses it there %s", async (_, before, expected) => {
    const { stage, again } = await before(report);
    let isReplaced = false;
    stage.channels.mishap = (id) => {
      if (id !== CHANNEL) return undefined;
      isReplaced = true;
      return { outcome: { kind: "rejected", status: 400, code: 200_000 }, made: false };
    };
    const revalidate: Changed["revalidate"] = async (claim) =>
      isReplaced && moved.revalidate ? await moved.revalidate(claim) : { kind: "holds" };
    expect((await again(10 * SECOND, { revalidate })).state).toBe(expected);
    expect((await again(5 * MINUTE, { revalidate })).state).toBe("sent");
    expect(stage.channels.inChannel(ELSEWHERE.channelId)).toHaveLength(1);
  });

  it.each([
    ["a report that nobody may look for stays in doubt", report, true, "unknown"],
    ["a report that is found there is posted", report, false, "sent"],
    ["an alert waits to go to its owner", { kind: "dispute_alert" }, true, "blocked"],
  ] as const)(
    "where its channel was lost and replaced: %s",
    async (_, given, isClosed, expected) => {
      const payload = { content: referenceOf("notice|1") };
      const { stage, again } = await tried({ ...given, payload }, true);
      stage.channels.mishap = () => lost;
      expect((await again(10 * SECOND)).state).toBe("blocked");
      stage.channels.searchMishap = () =>
        isClosed ? { kind: "unreadable", lasting: true } : undefined;

      expect((await again(HOUR, moved)).state).toBe(expected);
      expect(stage.channels.messages).toHaveLength(1);
    },
  );
});
