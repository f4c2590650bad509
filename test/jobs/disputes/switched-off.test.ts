import { describe, expect, test } from "vitest";
import type { Dispute } from "#src/domain/dispute.ts";
import { oneDatabase } from "../../support/databases.ts";
import { TITLE, useDisputeStage, NIGHT } from "./dispute-stage.ts";

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
    await stage.pass({ hours: 10 }, { minutes: 5 });
    expect(stage.told()).toEqual([TITLE.new, title]);
  });

  test("tell of one whose state nobody knows, also when a poll was under way", async () => {
    const stage = await open("2026-11-20T01:30Z");
    await stage.route({ quiet: NIGHT });
    stage.service.add("i1", 200, { status: "novelty" });
    await stage.poll();
    stage.skip({ minutes: 10 });
    // Read for its own sake, so that its account has a poll under way.
    stage.service.add("i2", 300);
    stage.service.onRead = async () => {
      stage.service.onRead = async () => {};
      await stage.alerts("off");
      await stage.alerts("direct");
    };
    await stage.poll();
    await stage.pass({ hours: 10 }, { minutes: 5 });
    expect(stage.told()).toEqual([TITLE.new, TITLE.new]);
  });
});
