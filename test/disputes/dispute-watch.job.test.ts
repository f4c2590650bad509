import { describe, expect, test } from "vitest";
import type { Dispute } from "#src/disputes/dispute.ts";
import { createDisputeWatch } from "#src/disputes/dispute-watch.job.ts";
import { snowflakeAt } from "#src/shared/ids.ts";
import { recordingLog } from "../discord/support/parts.ts";
import { oneDatabase } from "../support/databases.ts";
import { newDispute } from "./dispute-builders.ts";
import { type DisputeStage, NIGHT, TITLE, useDisputeStage } from "./dispute-stage.ts";
import { idAlone } from "./model-disputes.ts";

const won: Partial<Dispute> = { status: "disagreed", analysisStatus: "rejected" };

/** Dates the ids of messages by Discord's clock. Returns a function that sets the stage's clock ahead of it, in hours. */
const byDiscordsClock = (stage: DisputeStage): ((hours: number) => void) => {
  const { channels, clock } = stage;
  const { post } = channels;
  let ahead = 0;
  channels.post = async (...call) => {
    const outcome = await post(...call);
    const at = clock.now().subtract({ minutes: ahead });
    return outcome.kind === "posted" ? { ...outcome, messageId: snowflakeAt(at) } : outcome;
  };
  return (hours) => {
    stage.skip({ minutes: hours * 60 - ahead });
    ahead = hours * 60;
  };
};

describe.each(oneDatabase)("the watch of disputes on $name", (kind) => {
  const open = useDisputeStage(kind);
  const poll = (stage: DisputeStage): Promise<void> => stage.pass({ minutes: 6 });

  test("announces at its first look what awaits an answer, and only keeps the rest", async () => {
    const stage = await open();
    stage.service.add("pending", 100);
    stage.service.add("overdue", -5);
    stage.service.add("defended", 50, { status: "disagreed" });
    stage.service.add("won", 50, won);
    stage.service.listed = (dispute) =>
      dispute.infractionId === "defended" ? idAlone(dispute) : dispute;
    await poll(stage);
    expect(stage.told().toSorted()).toEqual([TITLE.overdue, TITLE.new].toSorted());
    expect((await stage.watched("won")).closedAt).toBeDefined();
    expect((await stage.watched("defended")).doneSteps).toContain("answered");
    expect(stage.service.reads).not.toContain("won");
  });

  test("tells of one that was decided before it was ever seen", async () => {
    const stage = await open();
    await poll(stage);
    stage.service.add("i1", 100, won);
    await poll(stage);
    await poll(stage);
    expect(stage.told()).toEqual([TITLE.won]);
  });

  test.each([
    ["cancelled", { status: "canceled" }],
    ["won", won],
  ] as const)(
    "tells one that was %s as lost, once, when the bank accepts it later",
    async (step, end) => {
      const stage = await open();
      stage.service.add("old", 100, end);
      stage.service.add("i1", 100);
      await poll(stage);
      stage.service.change("i1", end);
      await poll(stage);
      const { closedAt } = await stage.watched("i1");
      for (const id of ["old", "i1"]) stage.service.change(id, { analysisStatus: "accepted" });
      await stage.pass({ minutes: 30 });
      expect(stage.told()).toEqual([TITLE.new, TITLE[step], TITLE.lost, TITLE.lost]);
      const after = (await stage.watched("i1")).closedAt!;
      expect(Temporal.Instant.compare(after, closedAt!)).toBe(1);
      stage.service.add("i2", 100);
      await poll(stage);
      expect(stage.told().slice(4)).toEqual([TITLE.new]);
    },
  );

  test("tells an end once though the service went back on it for a moment in quiet hours", async () => {
    const stage = await open("2026-11-20T00:30Z");
    await stage.route({ quiet: NIGHT });
    stage.service.add("i1", 200);
    await poll(stage);
    stage.service.change("i1", { status: "disagreed", analysisStatus: "rejected" });
    await stage.pass({ minutes: 18 });
    stage.skip({ hours: 2 });
    for (const analysisStatus of ["pending", "rejected"] as const) {
      stage.service.change("i1", { analysisStatus });
      await stage.pass({ minutes: 18 });
    }
    await stage.pass({ hours: 9 }, { hours: 1 });
    expect(stage.told()).toEqual([TITLE.new, TITLE.won]);
  });

  test("tells once, after quiet hours, of a new one whose reminder came due in them", async () => {
    const stage = await open("2026-11-20T02:00Z");
    await stage.route({ quiet: NIGHT });
    stage.service.add("i1", 76);
    await stage.pass({ hours: 9 }, { hours: 1 });
    expect(stage.told()).toEqual([TITLE.new]);
    await stage.pass({ hours: 24 }, { hours: 1 });
    expect(stage.told()).toEqual([TITLE.new, TITLE["48h"]]);
  });

  test("reminds again of one that was cancelled and awaits an answer again", async () => {
    const stage = await open();
    stage.service.add("i1", 80);
    await poll(stage);
    stage.service.change("i1", { status: "canceled" });
    await poll(stage);
    stage.service.change("i1", { status: "pending" });
    await stage.pass({ hours: 9 }, { minutes: 30 });
    expect(stage.told()).toEqual([TITLE.new, TITLE.cancelled, TITLE["72h"]]);
  });

  test.each([
    ["defended, then agreed to", ["disagreed", "agreed"], [TITLE.answered, TITLE.conceded]],
    ["answered twice", ["agreed", "pending", "agreed"], [TITLE.conceded, TITLE.conceded]],
  ] as const)("tells each turn of one that is %s, once", async (_, turns, titles) => {
    const stage = await open();
    stage.service.add("i1", 100);
    await poll(stage);
    for (const status of turns) {
      stage.service.change("i1", { status });
      await stage.pass({ minutes: 18 });
    }
    expect(stage.told()).toEqual([TITLE.new, ...titles]);
  });

  test("tells nothing of one that was kept as cancelled and accepted before", async () => {
    const stage = await open();
    stage.service.add("i1", 100, { status: "canceled", analysisStatus: "accepted" });
    await poll(stage);
    const { disputeWatch } = stage.stores;
    const kept = await stage.watched("i1");
    const before = { doneSteps: ["new", "answered", "cancelled"], saleTxid: undefined } as const;
    await disputeWatch.step(kept, before, [], stage.clock.now());
    await stage.db.updateTable("dispute_poll").set({ counts: null }).execute();
    await poll(stage);
    expect(await stage.watched("i1")).toMatchObject({ saleTxid: expect.any(String) });
    expect(stage.told()).toEqual([]);
  });

  test("tells nothing of an old one that its list alone called cancelled", async () => {
    const stage = await open();
    stage.service.listed = (dispute) => ({ ...dispute, analysisStatus: "pending" });
    stage.service.add("old", 100, { status: "canceled", analysisStatus: "accepted" });
    await stage.pass({ minutes: 20 });
    expect(await stage.watched("old")).toMatchObject({ analysisStatus: "accepted" });
    expect(stage.told()).toEqual([]);
  });

  test("reads no closed one again for a list in other words, or in none", async () => {
    const stage = await open();
    const listed = [idAlone, (dispute: Dispute) => ({ ...dispute, status: "CANCELADO" })];
    stage.service.add("old", 100, { status: "canceled" });
    await poll(stage);
    for (const [index, words] of listed.entries()) {
      stage.service.listed = words;
      stage.service.reads.length = 0;
      stage.service.add(`i${index}`, 100);
      await poll(stage);
      expect(stage.service.reads).toContain(`i${index}`);
      expect(stage.service.reads).not.toContain("old");
    }
  });

  test("reads what the list names without a word about how it stands", async () => {
    const stage = await open();
    stage.service.listed = idAlone;
    stage.service.add("i1", 100);
    stage.service.add("old", 100, won);
    await poll(stage);
    expect(stage.told()).toEqual([TITLE.new]);
    stage.service.change("i1", won);
    await poll(stage);
    expect(stage.told()).toEqual([TITLE.new, TITLE.won]);
  });

  test("goes on reading what it watches while the list cannot be read, and announces nothing twice", async () => {
    const stage = await open();
    stage.service.add("i1", 60);
    await poll(stage);
    stage.service.failing = (what) => (what === "list" ? "refused" : undefined);
    await poll(stage);
    stage.service.change("i1", { status: "agreed" });
    await poll(stage);
    stage.service.failing = () => undefined;
    await poll(stage);
    expect(stage.told()).toEqual([TITLE.new, TITLE.conceded]);
  });

  test("pauses an account whose key is refused, and says so once", async () => {
    const stage = await open();
    stage.service.add("i1", 72.5);
    await poll(stage);
    stage.service.failing = () => "unauthorized";
    stage.skip({ minutes: 6 });
    await Promise.all([stage.poll(), stage.process().poll()]);
    await poll(stage);
    const reads = stage.service.reads.filter((what) => what === "summary").length;
    await stage.pass({ minutes: 30 }, { minutes: 5 });
    expect(stage.service.reads.filter((what) => what === "summary")).toHaveLength(reads);
    expect((await stage.stores.accounts.findById(stage.accountId))?.pausedAt).toBeDefined();
    // Follows from the clock alone, and is posted although the dispute cannot be read again.
    expect(stage.told().filter((title) => title === TITLE["72h"])).toHaveLength(1);
    expect(stage.told()).toHaveLength(3);
  });

  test("resumes the reminders when an answer is taken back, and announces it no second time", async () => {
    const stage = await open();
    stage.service.add("i1", 80);
    await poll(stage);
    stage.service.change("i1", { status: "disagreed" });
    await poll(stage);
    stage.service.change("i1", { status: "pending" });
    await poll(stage);
    expect(stage.told()).toEqual([TITLE.new, TITLE.answered]);
    await stage.pass({ hours: 80 }, { hours: 1 });
    const { "72h": three, "48h": two, "24h": one, "6h": six, "1h": last, overdue } = TITLE;
    expect(stage.told().slice(2)).toEqual([three, two, one, six, last, overdue]);
  });

  test("tells a reminder that was owed before the answer that was taken back", async () => {
    const stage = await open();
    stage.service.add("i1", 24.3);
    await poll(stage);
    stage.hold();
    await stage.pass({ minutes: 15 });
    stage.service.change("i1", { status: "disagreed" });
    stage.channels.mishap = undefined;
    await poll(stage);
    stage.service.change("i1", { status: "pending" });
    await poll(stage);
    expect(stage.told()).toEqual([TITLE.new, TITLE.answered, TITLE["24h"]]);
  });

  test.each([
    ["an early reminder of six hours", 8, TITLE["6h"], 12],
    ["an early word that the deadline has passed", 13, TITLE.overdue, 12],
    ["one that was early by minutes", 0.5, TITLE["6h"], 6.4],
  ] as const)("tells again in time what a clock ahead told: %s", async (_, ahead, early, left) => {
    const stage = await open();
    const setAhead = byDiscordsClock(stage);
    stage.service.add("i1", left);
    await stage.pass({ minutes: 6 });
    setAhead(ahead);
    await stage.pass({ minutes: 3 });
    setAhead(0);
    await stage.pass({ hours: 13 }, { minutes: 10 });
    const { "6h": six, "1h": last, overdue } = TITLE;
    expect(stage.told()).toEqual([TITLE.new, early, six, last, overdue]);
  });

  test("tells once what it told in time, whatever its clock and the deadline do then", async () => {
    const stage = await open();
    const setAhead = byDiscordsClock(stage);
    stage.service.add("i1", 24.2);
    await stage.pass({ minutes: 20 });
    setAhead(-1);
    await stage.pass({ minutes: 10 });
    setAhead(0);
    await stage.pass({ minutes: 10 });
    const { dueAt } = await stage.watched("i1");
    for (const at of [dueAt.add({ hours: 24 }), dueAt]) {
      stage.service.change("i1", { dueAt: at });
      await stage.pass({ minutes: 10 });
    }
    expect(stage.told()).toEqual([TITLE.new, TITLE["24h"]]);
  });

  test("tells again once alone what a clock ahead told", async () => {
    const stage = await open();
    const setAhead = byDiscordsClock(stage);
    stage.service.add("i1", 26);
    await stage.pass({ minutes: 6 });
    setAhead(8);
    await stage.pass({ minutes: 3 });
    setAhead(0);
    await stage.pass({ hours: 2 }, { minutes: 5 });
    const { dueAt } = await stage.watched("i1");
    for (const at of [dueAt.add({ hours: 24 }), dueAt]) {
      stage.service.change("i1", { dueAt: at });
      await stage.pass({ minutes: 10 });
    }
    expect(stage.told()).toEqual([TITLE.new, TITLE["24h"], TITLE["24h"]]);
  });
});

test("the line of a reminder that fails names its MED, and no wallet account as a connection", async () => {
  const { log, lines } = recordingLog();
  const now = Temporal.Instant.from("2026-11-19T15:00Z");
  const awaiting = { ...newDispute("w-ana"), dueAt: now.add({ hours: 20 }), version: 1 };
  const { remind } = createDisputeWatch({
    clock: { now: () => now },
    log,
    accounts: { ofWatch: () => Promise.reject(new Error("away")) },
    watch: { awaitingBefore: async () => [awaiting] },
  } as unknown as Parameters<typeof createDisputeWatch>[0]);
  await remind();
  const { watchId: watch, infractionId: infraction } = awaiting;
  const err = new Error("away");
  expect(lines.map(({ fields }) => fields)).toEqual([{ watch, infraction, err }]);
});
