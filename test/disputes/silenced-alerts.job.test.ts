import { describe, expect, test } from "vitest";
import type { Dispute } from "#src/disputes/dispute.ts";
import { oneDatabase } from "../support/databases.ts";
import { savedRoute } from "../database/builders.ts";
import { type DisputeStage, NIGHT, TITLE, useDisputeStage } from "./dispute-stage.ts";

const ends: readonly (readonly [string, Partial<Dispute>])[] = [
  [TITLE.answered, { status: "disagreed" }],
  [TITLE.won, { analysisStatus: "rejected" }],
  [TITLE.lost, { analysisStatus: "accepted" }],
  [TITLE.cancelled, { status: "canceled" }],
];

describe.each(oneDatabase)("alerts switched off in the night and on again, on $name", (kind) => {
  const open = useDisputeStage(kind);

  test.each(ends)("still tell: %s", async (title, change) => {
    const stage = await open("2026-11-20T00:30Z");
    await stage.route({ quiet: NIGHT });
    stage.service.add("i1", 200);
    await stage.pass({ minutes: 20 }, { minutes: 5 });
    await stage.pass({ minutes: 30 }, { minutes: 5 });
    stage.service.change("i1", change);
    await stage.pass({ minutes: 20 }, { minutes: 5 });
    await stage.alerts("off");
    await stage.pass({ minutes: 20 }, { minutes: 5 });
    await stage.alerts("direct");
    await stage.pass({ hours: 10 }, { hours: 1 });
    expect(stage.told()).toEqual([TITLE.new, title]);
  });

  test("still tell: an answer that came again", async () => {
    const stage = await open("2026-11-19T20:30Z");
    await stage.route({ quiet: NIGHT });
    stage.service.add("i1", 200);
    await stage.pass({ minutes: 6 });
    for (const status of ["disagreed", "pending"] as const) {
      stage.service.change("i1", { status });
      await stage.pass({ minutes: 18 });
    }
    stage.skip({ hours: 6 });
    stage.service.change("i1", { status: "disagreed" });
    await stage.pass({ minutes: 20 });
    await stage.alerts("off");
    await stage.pass({ minutes: 20 }, { minutes: 5 });
    await stage.alerts("direct");
    await stage.pass({ hours: 10 }, { hours: 1 });
    expect(stage.told()).toEqual([TITLE.new, TITLE.answered, TITLE.answered]);
  });
});

describe.each(oneDatabase)("what its owner says while an alert is queued, on $name", (kind) => {
  const open = useDisputeStage(kind);
  /** At 06:00 an alert enqueued at 02:00 still waits for the end of the quiet hours; a reminder came due meanwhile. */
  const queuedByNight = async (hoursLeft: number): Promise<DisputeStage> => {
    const stage = await open("2026-11-20T04:50Z");
    await stage.route({ quiet: NIGHT });
    stage.service.add("i1", hoursLeft + 4.2);
    await stage.pass({ minutes: 6 });
    stage.channels.mishap = undefined;
    await stage.pass({ hours: 4, minutes: 8 }, { minutes: 31 });
    return stage;
  };

  test("Adiar keeps back what the night held, and after it the newest is told once", async () => {
    const stage = await queuedByNight(44);
    expect(stage.told()).toEqual([]);
    await stage.wish("snooze");
    await stage.pass({ hours: 5, minutes: 50 }, { minutes: 50 });
    expect(stage.told()).toEqual([]);
    await stage.pass({ minutes: 30 }, { minutes: 5 });
    expect(stage.told()).toEqual([TITLE.new]);
    await stage.pass({ hours: 3 }, { minutes: 30 });
    expect(stage.told()).toHaveLength(1);
  });

  test("Adiar keeps back what waits for its channel, and what passes then takes its place", async () => {
    const stage = await open();
    stage.service.add("i1", 49);
    await stage.pass({ minutes: 6 });
    stage.hold();
    await stage.pass({ hours: 20 }, { hours: 1 });
    expect(stage.told()).toEqual([TITLE.new]);
    await stage.wish("snooze");
    stage.channels.mishap = undefined;
    await stage.pass({ hours: 5, minutes: 50 }, { minutes: 50 });
    expect(stage.told()).toEqual([TITLE.new]);
    await stage.pass({ minutes: 20 });
    expect(stage.told()).toEqual([TITLE.new, TITLE["24h"]]);
  });

  test("Voltar a lembrar takes the word back, and what its silence skipped is told once", async () => {
    const stage = await open();
    stage.service.add("i1", 25);
    await stage.pass({ minutes: 6 });
    await stage.wish("mute");
    await stage.pass({ hours: 2 }, { minutes: 30 });
    expect(stage.told()).toEqual([TITLE.new]);
    await stage.wish("resume");
    await stage.pass({ hours: 2 }, { minutes: 30 });
    expect(stage.told()).toEqual([TITLE.new, TITLE["24h"]]);
  });

  test("Já respondi takes back what was queued, until the word fails six hours before", async () => {
    const stage = await open();
    stage.service.add("i1", 25);
    await stage.pass({ minutes: 6 });
    stage.hold();
    await stage.pass({ hours: 2 }, { minutes: 30 });
    await stage.wish("mute");
    stage.channels.mishap = undefined;
    await stage.pass({ hours: 16 }, { hours: 1 });
    expect(stage.told()).toEqual([TITLE.new]);
    await stage.pass({ hours: 1, minutes: 10 }, { minutes: 5 });
    expect(stage.told()).toEqual([TITLE.new, TITLE["6h"]]);
    await stage.pass({ hours: 6 }, { minutes: 30 });
    expect(stage.told().slice(2)).toEqual([TITLE["1h"], TITLE.overdue]);
  });

  test("Já respondi takes back the last call too, which is told when the word fails", async () => {
    const stage = await open();
    stage.service.add("i1", 6.5);
    await stage.pass({ minutes: 6 });
    stage.hold();
    await stage.pass({ minutes: 30 });
    await stage.wish("mute");
    stage.channels.mishap = undefined;
    await stage.pass({ minutes: 14 });
    expect(stage.told()).toEqual([TITLE.new]);
    await stage.pass({ minutes: 10 });
    expect(stage.told()).toEqual([TITLE.new, TITLE["6h"]]);
    await stage.pass({ hours: 1 });
    expect(stage.told()).toHaveLength(2);
  });

  test("Já respondi that fails is told of, though the last call was made needless", async () => {
    const stage = await open();
    stage.service.add("i1", 5);
    await stage.pass({ minutes: 6 });
    await stage.wish("mute");
    await stage.pass({ minutes: 30 });
    expect(stage.told()).toEqual([TITLE.new, TITLE["6h"]]);
  });

  test("Já respondi said under the last call has it told again each time the word fails", async () => {
    const stage = await open();
    stage.service.add("i1", 6.2);
    await stage.pass({ minutes: 20 });
    expect(stage.told()).toEqual([TITLE.new, TITLE["6h"]]);
    await stage.wish("mute");
    await stage.pass({ minutes: 14 });
    expect(stage.told()).toHaveLength(2);
    await stage.pass({ minutes: 7 });
    expect(stage.told()).toEqual([TITLE.new, TITLE["6h"], TITLE["6h"]]);
    await stage.wish("mute");
    await stage.pass({ minutes: 21 });
    expect(stage.told()).toEqual([TITLE.new, TITLE["6h"], TITLE["6h"], TITLE["6h"]]);
    await stage.pass({ hours: 4 }, { minutes: 15 });
    expect(stage.told()).toHaveLength(4);
  });

  test("Já respondi under a last call that may not have arrived has it told when the word fails", async () => {
    const stage = await open();
    stage.channels.searchMishap = () => ({ kind: "unreadable", lasting: true });
    stage.service.add("i1", 6.2);
    await stage.pass({ minutes: 6 });
    stage.channels.mishap = () => ({ outcome: { kind: "unclear", reason: "reset" }, made: true });
    await stage.pass({ minutes: 8 });
    await stage.wish("mute");
    stage.channels.mishap = undefined;
    const before = stage.told().length;
    await stage.pass({ minutes: 21 });
    expect(stage.told().slice(before)).toEqual([TITLE["6h"]]);
  });

  test("Já respondi under the reminder called the last one brings no other", async () => {
    const stage = await open();
    stage.service.add("i1", 1.2);
    await stage.pass({ minutes: 20 });
    expect(stage.told()).toEqual([TITLE.new, TITLE["1h"]]);
    await stage.wish("mute");
    await stage.pass({ minutes: 40 });
    expect(stage.told()).toHaveLength(2);
  });

  test.each(["disagreed", "canceled"])(
    "Já respondi ends with a MED that is %s, and silences it no more where it awaits an answer again",
    async (status) => {
      const stage = await open();
      stage.service.add("i1", 25);
      await stage.pass({ minutes: 6 });
      await stage.wish("mute");
      for (const turn of [status, "pending"]) {
        stage.service.change("i1", { status: turn });
        await stage.pass({ minutes: 10 }, { minutes: 5 });
      }
      await stage.pass({ hours: 2 }, { minutes: 30 });
      expect(stage.told().slice(2)).toEqual([TITLE["24h"]]);
    },
  );
});

describe.each(oneDatabase)("a first alert that waits for the morning, on $name", (kind) => {
  const open = useDisputeStage(kind);

  test.each([{ quiet: undefined }, { quiet: NIGHT, active: false }])(
    "does not wait for it once an admin saves %o",
    async (given) => {
      const stage = await open("2026-11-20T01:30Z");
      await stage.route({ quiet: NIGHT });
      stage.service.add("i1", 80);
      await stage.pass({ minutes: 6 });
      expect(stage.told()).toEqual([]);
      await stage.route({ quiet: NIGHT, pingSteps: ["new"] });
      await stage.pass({ minutes: 1 });
      expect(stage.told()).toEqual([]);
      await stage.route(given);
      await stage.pass({ minutes: 1 });
      expect(stage.told()).toEqual([TITLE.new]);
    },
  );

  test("does not wait for it once an admin ends the quiet hours, also where an earlier attempt may have posted it", async () => {
    const stage = await open("2026-11-20T00:58Z");
    await stage.route({ quiet: NIGHT });
    stage.channels.mishap = () => ({ outcome: { kind: "unclear", reason: "reset" }, made: false });
    stage.service.add("i1", 80);
    await stage.poll();
    await stage.pass({ minutes: 15 });
    stage.channels.mishap = undefined;
    await stage.pass({ minutes: 1 });
    expect(stage.told()).toEqual([]);
    await stage.route({ quiet: undefined });
    await stage.pass({ minutes: 1 });
    expect(stage.told()).toEqual([TITLE.new]);
  });

  test("waits for that of the zone that an admin saves for the report", async () => {
    const stage = await open("2026-11-20T01:30Z");
    await stage.route({ quiet: NIGHT });
    stage.service.add("i1", 80);
    await stage.pass({ minutes: 6 });
    await stage.stores.routes.save(...savedRoute({ timeZone: "Europe/Lisbon" }), stage.clock.now());
    await stage.pass({ hours: 5, minutes: 20 }, { minutes: 40 });
    expect(stage.told()).toEqual([]);
    await stage.pass({ minutes: 10 });
    expect(stage.told()).toEqual([TITLE.new]);
  });

  test("is told at once where its deadline comes nearer, with all that is owed after it", async () => {
    const stage = await open("2026-11-20T01:30Z");
    await stage.route({ quiet: NIGHT });
    const { dueAt } = stage.service.add("i1", 34);
    await stage.pass({ minutes: 10 }, { minutes: 5 });
    stage.service.change("i1", { dueAt: dueAt.subtract({ hours: 12 }) });
    await stage.pass({ minutes: 10 });
    expect(stage.told()).toEqual([TITLE.new]);
    await stage.pass({ hours: 34 }, { minutes: 30 });
    expect(stage.told().slice(1)).toEqual([TITLE["6h"], TITLE["1h"], TITLE.overdue]);
  });
});
