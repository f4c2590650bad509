import { describe, expect, test } from "vitest";
import { oneDatabase } from "../../support/databases.ts";
import { type DisputeStage, TITLE, useDisputeStage, NIGHT } from "./dispute-stage.ts";

describe.each(oneDatabase)("a deadline that moves, on $name", (kind) => {
  const open = useDisputeStage(kind);
  const move = (stage: DisputeStage, hours: number): void => {
    const dueAt = stage.clock.now().add({ minutes: hours * 60 });
    stage.service.change("i1", { dueAt });
  };

  test("later has its reminders told again, each when its time comes", async () => {
    const stage = await open();
    stage.service.add("i1", 50);
    await stage.pass({ minutes: 6 });
    await stage.pass({ hours: 27 }, { minutes: 30 });
    expect(stage.told()).toEqual([TITLE.new, TITLE["48h"], TITLE["24h"]]);
    move(stage, 60);
    await stage.pass({ minutes: 10 });
    expect(stage.told()).toHaveLength(3);
    await stage.pass({ hours: 61 }, { minutes: 30 });
    expect(stage.told().slice(3)).toEqual([
      TITLE["48h"],
      TITLE["24h"],
      TITLE["6h"],
      TITLE["1h"],
      TITLE.overdue,
    ]);
  });

  test("later than one that was overdue is told of anew", async () => {
    const stage = await open();
    stage.service.add("i1", 1.5);
    await stage.pass({ hours: 2 }, { minutes: 5 });
    expect(stage.told()).toEqual([TITLE.new, TITLE["1h"], TITLE.overdue]);
    move(stage, 2);
    await stage.pass({ hours: 3 }, { minutes: 5 });
    expect(stage.told().slice(3)).toEqual([TITLE["1h"], TITLE.overdue]);
  });

  test("earlier has the newest that has passed told at once", async () => {
    const stage = await open();
    stage.service.add("i1", 60);
    await stage.pass({ minutes: 6 });
    move(stage, 20);
    await stage.pass({ minutes: 6 });
    expect(stage.told()).toEqual([TITLE.new, TITLE["24h"]]);
  });

  test("far before its reminders is noticed within the hour", async () => {
    const stage = await open();
    stage.service.add("i1", 200);
    await stage.pass({ minutes: 6 });
    move(stage, 30);
    await stage.pass({ minutes: 70 }, { minutes: 5 });
    expect(stage.told()).toEqual([TITLE.new, TITLE["48h"]]);
  });

  test("leaves nothing to be posted of the old one", async () => {
    const stage = await open("2026-11-20T00:50Z");
    await stage.route({ quiet: NIGHT });
    stage.service.add("i1", 24.2);
    await stage.pass({ minutes: 6 });
    await stage.pass({ hours: 2 }, { minutes: 5 });
    expect(stage.told()).toEqual([TITLE.new]);
    move(stage, 70);
    await stage.pass({ hours: 12 }, { minutes: 15 });
    expect(stage.told()).toEqual([TITLE.new]);
  });

  test("while the first alert waits has that told of the new one, once", async () => {
    const stage = await open("2026-11-20T09:00Z");
    await stage.route({ quiet: NIGHT });
    stage.service.add("i1", 150);
    await stage.pass({ minutes: 6 });
    move(stage, 250);
    const due = stage.service.there.get("i1")!.dueAt.epochMilliseconds / 1_000;
    await stage.pass({ hours: 2 }, { minutes: 5 });
    expect(stage.told()).toEqual([TITLE.new]);
    expect(stage.channels.messages[0]?.text).toContain(`<t:${due}:F>`);
  });
});
