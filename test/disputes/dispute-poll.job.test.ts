import { describe, expect, test } from "vitest";
import type { ListedDispute } from "#src/disputes/dispute-list.ts";
import { wireInstant } from "#src/wallet/wire.ts";
import { oneDatabase } from "../support/databases.ts";
import { type DisputeStage, TITLE, useDisputeStage } from "./dispute-stage.ts";
import { pollState } from "./dispute-builders.ts";
import { idAlone } from "./model-disputes.ts";

describe.each(oneDatabase)("an account with many disputes, on $name", (kind) => {
  const open = useDisputeStage(kind);
  const addMany = ({ service }: DisputeStage, count: number, hours: number): void => {
    for (let index = 0; index < count; index++) service.add(`many-${index}`, hours);
  };
  const told = (stage: DisputeStage, id: string): number =>
    stage.channels.messages.filter(({ text }) => text.includes(`${id}\``)).length;
  const poll = async (stage: DisputeStage): Promise<void> => stage.pass({ minutes: 6 });

  test("has a new one announced though more await an answer than one poll may read", async () => {
    const stage = await open();
    addMany(stage, 25, 60);
    await poll(stage);
    expect(stage.told()).toHaveLength(25);
    await poll(stage);
    stage.service.add("newcomer", 100);
    await poll(stage);
    expect(told(stage, "newcomer")).toBe(1);
  });

  test("has each of them read in turn, so that an answer to the last is seen", async () => {
    const stage = await open();
    addMany(stage, 65, 60);
    await stage.pass({ minutes: 10 });
    stage.service.change("many-64", { status: "disagreed" });
    stage.service.change("many-0", { status: "disagreed" });
    await stage.pass({ minutes: 6 });
    expect(stage.told().filter((title) => title === TITLE.answered)).toHaveLength(2);
  });

  test("has each of them read every five minutes, not at each minute", async () => {
    const stage = await open();
    addMany(stage, 25, 60);
    await stage.pass({ minutes: 10 });
    stage.service.reads.length = 0;
    await stage.pass({ minutes: 30 });
    for (let index = 0; index < 25; index++) {
      const readings = stage.service.reads.filter((what) => what === `many-${index}`);
      expect(readings.length).toBeGreaterThanOrEqual(5);
      expect(readings.length).toBeLessThanOrEqual(7);
    }
  });

  test("is asked for its summary alone once all were read and their deadlines are far", async () => {
    const stage = await open();
    addMany(stage, 25, 100);
    await stage.pass({ minutes: 12 });
    stage.service.reads.length = 0;
    await stage.pass({ minutes: 30 });
    expect(new Set(stage.service.reads)).toEqual(new Set(["summary"]));
    expect(stage.service.reads.length).toBeLessThanOrEqual(7);
  });

  test.each([
    ["was refused", (what: string) => what === "many-0", TITLE.new, 25],
    ["has changed since the round's first poll", () => false, TITLE.answered, 1],
  ] as const)("reads again, in the next round, what %s", async (_, isRefused, title, times) => {
    const stage = await open();
    stage.service.listed = idAlone;
    await stage.pass({ minutes: 6 });
    addMany(stage, 25, 100);
    stage.service.failing = (what) => (isRefused(what) ? "refused" : undefined);
    while (!stage.service.reads.includes("many-19")) await stage.pass({ minutes: 1 });
    expect(stage.service.reads).not.toContain("many-20");
    stage.service.change("many-1", { status: "disagreed" });
    while (!stage.service.reads.includes("many-24")) await stage.pass({ minutes: 1 });
    stage.service.failing = () => undefined;
    await stage.pass({ minutes: 7 });
    expect(stage.told().filter((each) => each === title)).toHaveLength(times);
  });

  test("has its history closed once all were read, and then decided ones are news", async () => {
    const stage = await open();
    addMany(stage, 30, 60);
    await stage.pass({ minutes: 10 });
    const poll = await pollState(stage.db, stage.accountId);
    expect(poll?.baselineAt).toBeDefined();
    stage.service.add("lost-at-once", 60, { analysisStatus: "accepted" });
    await stage.pass({ minutes: 6 });
    expect(stage.told().filter((title) => title === TITLE.lost)).toHaveLength(1);
  });

  test("has those that only the list told read in full, a few at each poll and silently", async () => {
    const stage = await open();
    stage.service.listed = (dispute) => ({ ...dispute, txid: `E-${dispute.infractionId}` });
    for (let index = 0; index < 30; index++) {
      const bank = index % 2 === 0 ? "accepted" : "pending";
      stage.service.add(`old-${index}`, 20, { status: "disagreed", analysisStatus: bank });
    }
    stage.service.add("won", 20, { status: "disagreed", analysisStatus: "rejected" });
    const txids = async (): Promise<readonly string[]> =>
      (await stage.stores.disputeWatch.of(stage.accountId)).map(({ txid }) => txid);
    stage.skip({ minutes: 6 });
    await stage.poll();
    const poll = await pollState(stage.db, stage.accountId);
    expect(poll?.baselineAt).toBeDefined();
    expect((await txids()).filter((txid) => txid === "")).toHaveLength(10);
    stage.service.add("i1", 60);
    await stage.pass({ minutes: 10 });
    const { txid: named } = stage.service.there.get("i1")!;
    expect((await txids()).toSorted()).toEqual([
      "E-won",
      ...Array.from({ length: 31 }, () => named),
    ]);
    expect(stage.service.reads.filter((what) => what.startsWith("old-"))).toHaveLength(30);
    expect(stage.told()).toEqual([TITLE.new]);
  });

  test("has those read once more, and silently, whose sale's txid was not kept", async () => {
    const stage = await open();
    const { disputeWatch } = stage.stores;
    const decided = { status: "disagreed", analysisStatus: "accepted", sale: undefined } as const;
    for (let index = 0; index < 30; index++) stage.service.add(`old-${index}`, 20, decided);
    stage.service.add("won", 20, { ...decided, analysisStatus: "rejected" });
    await stage.pass({ minutes: 10 });
    for (const kept of await disputeWatch.of(stage.accountId))
      await disputeWatch.step(kept, { saleTxid: undefined }, [], stage.clock.now());
    stage.service.reads.length = 0;
    for (const news of ["i1", "i2"]) {
      stage.service.add(news, 100);
      await stage.pass({ minutes: 10 });
      const reads = stage.service.reads.filter((what) => what.startsWith("old-"));
      expect(reads).toHaveLength(30);
    }
    expect(stage.service.reads).not.toContain("won");
    const kept = await disputeWatch.of(stage.accountId);
    expect(kept.filter(({ saleTxid }) => saleTxid === undefined)).toMatchObject([
      { infractionId: "won" },
    ]);
    expect(stage.told()).toEqual([TITLE.new, TITLE.new]);
  });

  test("has them read without news too, where a migration left no counts", async () => {
    const stage = await open();
    const { disputeWatch } = stage.stores;
    stage.service.add("old", 20, { status: "disagreed", analysisStatus: "accepted" });
    await stage.pass({ minutes: 10 });
    const kept = await stage.watched("old");
    await disputeWatch.step(kept, { saleTxid: undefined }, [], stage.clock.now());
    stage.service.reads.length = 0;
    await stage.pass({ minutes: 10 });
    expect(stage.service.reads).not.toContain("old");
    await stage.db.updateTable("dispute_poll").set({ counts: null }).execute();
    await stage.pass({ minutes: 10 });
    expect(stage.service.reads.filter((what) => what === "old")).toHaveLength(1);
    expect((await stage.watched("old")).saleTxid).toBeDefined();
    expect(stage.told()).toEqual([]);
  });

  test("has none of them held up by those that cannot be read", async () => {
    const stage = await open();
    stage.service.listed = idAlone;
    addMany(stage, 25, 60);
    stage.service.failing = (what) => (what.startsWith("many-") ? "refused" : undefined);
    await stage.pass({ minutes: 3 });
    stage.service.add("readable", 60);
    await stage.pass({ minutes: 6 });
    expect(told(stage, "readable")).toBe(1);
    const poll = await pollState(stage.db, stage.accountId);
    expect(poll?.baselineAt).toBeDefined();
  });

  test("has none of them held up by one that cannot be kept", async () => {
    const stage = await open();
    stage.service.add("poison", 60, { dueAt: Temporal.Instant.from("+012026-11-20T00:00Z") });
    stage.service.add("sound", 60);
    await poll(stage);
    expect(told(stage, "sound")).toBe(1);
    stage.service.add("later", 60);
    await poll(stage);
    expect(told(stage, "later")).toBe(1);
  });

  test("is asked for its list though the summary cannot be read any more", async () => {
    const stage = await open();
    stage.service.add("first", 100);
    await poll(stage);
    stage.service.failing = (what) => (what === "summary" ? "refused" : undefined);
    stage.service.add("second", 100);
    await poll(stage);
    expect(told(stage, "second")).toBe(1);
  });

  test("what was found while the database was away is kept when it answers again", async () => {
    const stage = await open();
    const { disputeWatch } = stage.stores;
    const { savePolls } = disputeWatch;
    Object.assign(disputeWatch, {
      savePolls: async () => {
        Object.assign(disputeWatch, { savePolls });
        throw new Error("the database is away");
      },
    });
    stage.skip({ minutes: 6 });
    await expect(stage.poll()).rejects.toThrow("the database is away");
    stage.skip({ minutes: 1 });
    await stage.poll();
    expect(await pollState(stage.db, stage.accountId)).toMatchObject({
      baselineAt: expect.any(Temporal.Instant),
    });
  });
});

describe.each(oneDatabase)("disputes that are not as one expects, on $name", (kind) => {
  const open = useDisputeStage(kind);

  test.each(["9999-12-31T23:59:59-03:00", "0000-01-01T00:00:00+14:00"])(
    "one with its deadline at %s is told, once",
    async (dueDate) => {
      const stage = await open();
      stage.service.add("i1", 80, { dueAt: wireInstant.parse(dueDate) });
      await stage.pass({ hours: 2 }, { minutes: 15 });
      expect(stage.told()).toEqual([dueDate.startsWith("9") ? TITLE.new : TITLE.overdue]);
    },
  );

  test("one whose words have a zero byte is told, and not changed by each reading", async () => {
    const stage = await open();
    stage.service.add("i1", 60, { txid: "a\u0000b" });
    await stage.pass({ minutes: 10 });
    expect(stage.told()).toEqual([TITLE.new]);
    const { version } = await stage.watched("i1");
    await stage.pass({ minutes: 30 }, { minutes: 5 });
    expect(stage.told()).toEqual([TITLE.new]);
    expect(await stage.watched("i1")).toMatchObject({ txid: "ab", version });
  });

  test("one that awaits an answer is read before a long history that stands before it", async () => {
    const stage = await open();
    for (let index = 0; index < 100; index++) {
      stage.service.add(`old-${index}`, -100, { analysisStatus: "accepted" });
    }
    stage.service.add("i1", 5);
    stage.service.listed = ({ infractionId, status, analysisStatus }) =>
      ({ infractionId, status, analysisStatus }) as ListedDispute;
    await stage.poll();
    await stage.deliver();
    expect(stage.told()).toEqual([TITLE.new]);
  });
});
