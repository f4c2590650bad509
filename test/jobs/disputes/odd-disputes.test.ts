import { describe, expect, test } from "vitest";
import type { ListedDispute } from "#src/domain/dispute-list.ts";
import { oneDatabase } from "../../support/databases.ts";
import { TITLE } from "./alert-titles.ts";
import { useDisputeStage } from "./dispute-stage.ts";

describe.each(oneDatabase)("disputes that are not as one expects, on $name", (kind) => {
  const open = useDisputeStage(kind);

  test.each(["9999-12-31T23:59:59-03:00", "0000-01-01T00:00:00+14:00"])(
    "one with its deadline at %s is told, once",
    async (dueDate) => {
      const stage = await open();
      stage.service.add("i1", 80, { dueAt: Temporal.Instant.from(dueDate) });
      await stage.pass({ hours: 2 }, { minutes: 5 });
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
