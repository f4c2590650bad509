import { describe, expect, test } from "vitest";
import { MINUTE } from "#src/shared/time.ts";
import { ANA, GUILD } from "../../store/builders.ts";
import { oneDatabase } from "../../support/databases.ts";
import { type DisputeStage, TITLE, useDisputeStage, NIGHT } from "./dispute-stage.ts";

describe.each(oneDatabase)("an alert that was claimed before, on $name", (kind) => {
  const open = useDisputeStage(kind);
  const claimedByTheDead = async ({ stores, clock }: DisputeStage): Promise<void> => {
    const claim = { owner: "dead", leaseMs: MINUTE, limit: 10, now: clock.now() };
    expect(await stores.outbox.claim(claim)).toHaveLength(1);
  };

  test("is read again when a process died over it before it asked", async () => {
    const stage = await open();
    stage.service.add("i1", 80);
    await stage.poll();
    await claimedByTheDead(stage);
    stage.service.change("i1", { status: "disagreed" });
    stage.skip({ seconds: 61 });
    await stage.deliver();
    await stage.deliver();
    expect(stage.told()).toEqual([TITLE.answered]);
  });

  test("is done when the history shows it, whatever has become of its dispute", async () => {
    const stage = await open();
    stage.service.add("i1", 80);
    await stage.poll();
    stage.channels.mishap = () => ({ outcome: { kind: "unclear", reason: "reset" }, made: true });
    await stage.deliver();
    stage.channels.mishap = undefined;
    stage.service.change("i1", { status: "disagreed" });
    stage.skip({ seconds: 30 });
    await stage.deliver();
    const states = await stage.db.selectFrom("outbox").select("state").orderBy("state").execute();
    expect(states.map(({ state }) => state)).toEqual(["sent", "sent"]);
    expect(stage.told()).toEqual([TITLE.new, TITLE.answered]);
  });

  test("waits for the morning when the quiet hours began meanwhile", async () => {
    const stage = await open("2026-11-20T00:58Z");
    await stage.route({ quiet: NIGHT });
    stage.service.add("i1", 80);
    await stage.poll();
    await claimedByTheDead(stage);
    stage.skip({ minutes: 3 });
    await stage.deliver();
    expect(stage.told()).toEqual([]);
    await stage.pass({ hours: 8, minutes: 50 }, { minutes: 10 });
    expect(stage.told()).toEqual([]);
    await stage.pass({ minutes: 20 }, { minutes: 10 });
    expect(stage.told()).toContain(TITLE.new);
  });

  test("is repeated until Discord is back where its history is closed to the bot", async () => {
    const stage = await open();
    stage.channels.searchMishap = () => ({ kind: "unreadable", lasting: true });
    stage.channels.mishap = () => ({ outcome: { kind: "unclear", reason: "away" }, made: false });
    stage.service.add("i1", 80);
    await stage.pass({ minutes: 30 });
    expect(stage.told()).toEqual([]);
    stage.channels.mishap = undefined;
    await stage.pass({ minutes: 15 });
    expect(stage.told()).toEqual([`${TITLE.new} (reenvio)`]);
  });

  test("of one that was overdue when it came leaves it to be announced once its deadline has moved", async () => {
    const stage = await open();
    stage.service.add("i1", -1);
    await stage.poll();
    await claimedByTheDead(stage);
    stage.service.change("i1", { dueAt: stage.clock.now().add({ hours: 60 }) });
    stage.skip({ seconds: 61 });
    await stage.deliver();
    await stage.pass({ minutes: 10 });
    expect(stage.told()).toEqual([TITLE.new]);
  });

  test("and whose repeat was taken back too is told when the word fails", async () => {
    const stage = await open();
    stage.channels.searchMishap = () => ({ kind: "unreadable", lasting: true });
    stage.channels.mishap = () => ({ outcome: { kind: "unclear", reason: "away" }, made: false });
    stage.service.add("i1", 10);
    await stage.pass({ minutes: 2 });
    const owner = { guildId: GUILD, userId: ANA, locale: "pt-BR" } as const;
    await stage.reminders.mute(owner, { accountId: stage.accountId, infractionId: "i1" });
    stage.channels.mishap = undefined;
    await stage.pass({ hours: 3, minutes: 40 }, { minutes: 5 });
    expect(stage.told()).toEqual([]);
    await stage.pass({ minutes: 40 }, { minutes: 5 });
    expect(stage.told()).toEqual([`${TITLE.new} (reenvio)`]);
  });
});
