import { describe, expect, test } from "vitest";
import { alertKey } from "#src/domain/dispute-alert.ts";
import { oneDatabase } from "../../support/databases.ts";
import { TITLE } from "./alert-titles.ts";
import { type DisputeStage, useDisputeStage } from "./dispute-stage.ts";

describe.each(oneDatabase)(
  "an alert whose dispute is read again before its post, on $name",
  (kind) => {
    const open = useDisputeStage(kind);
    /** A reminder is handed over, and nothing was posted of it. */
    const owed = async (): Promise<DisputeStage> => {
      const stage = await open();
      stage.service.add("i1", 25);
      await stage.pass({ minutes: 6 });
      stage.skip({ hours: 1 });
      await stage.remind();
      return stage;
    };
    const stateOf = async (stage: DisputeStage) =>
      stage.stores.outbox.state(alertKey(await stage.watched("i1"), "24h"));

    test("is posted when it still stands so", async () => {
      const stage = await owed();
      await stage.deliver();
      expect(stage.told()).toEqual([TITLE.new, TITLE["24h"]]);
    });

    test.each([
      ["answered", { status: "disagreed" }],
      ["won", { status: "disagreed", analysisStatus: "rejected" }],
      ["cancelled", { status: "canceled" }],
    ] as const)(
      "is not posted when it was %s meanwhile, which is told instead",
      async (step, change) => {
        const stage = await owed();
        stage.service.change("i1", change);
        await stage.deliver();
        expect(await stateOf(stage)).toBe("obsolete");
        await stage.deliver();
        expect(stage.told()).toEqual([TITLE.new, TITLE[step]]);
      },
    );

    test.each(["timeout", "unauthorized", "not_found"] as const)(
      "is posted when it cannot be read again (%s)",
      async (failure) => {
        const stage = await owed();
        stage.service.failing = () => failure;
        await stage.deliver();
        expect(stage.told()).toEqual([TITLE.new, TITLE["24h"]]);
      },
    );

    test("waits for a turn to be read when its account's quota is used up", async () => {
      const stage = await owed();
      stage.service.failing = () => "rate_limited";
      await stage.deliver();
      expect(stage.told()).toEqual([TITLE.new]);
      stage.service.change("i1", { status: "disagreed" });
      stage.service.failing = () => undefined;
      stage.skip({ seconds: 15 });
      await stage.deliver();
      expect(stage.told()).toEqual([TITLE.new, TITLE.answered]);
    });

    test("is posted unread when there is no turn for minutes", async () => {
      const stage = await owed();
      stage.service.failing = () => "rate_limited";
      for (let turn = 0; turn < 8; turn++) {
        await stage.deliver();
        expect(stage.told()).toEqual([TITLE.new]);
        stage.skip({ seconds: 15 });
      }
      await stage.deliver();
      expect(stage.told()).toEqual([TITLE.new, TITLE["24h"]]);
    });

    test("is not posted unread when what was read last speaks against it", async () => {
      const stage = await owed();
      stage.skip({ hours: 18, minutes: 30 });
      stage.service.failing = () => "timeout";
      await stage.deliver();
      expect(await stateOf(stage)).toBe("obsolete");
      await stage.remind();
      await stage.deliver();
      expect(stage.told()).toEqual([TITLE.new, TITLE["6h"]]);
    });

    test("is posted once when whoever reads it is overtaken by another process", async () => {
      const stage = await owed();
      const other = stage.process();
      let reads = 0;
      stage.service.onRead = async () => {
        reads++;
        if (reads > 1) return;
        stage.skip({ minutes: 3 });
        await other.deliver();
      };
      await stage.deliver();
      stage.skip({ minutes: 10 });
      await Promise.all([stage.deliver(), other.deliver()]);
      expect(stage.told()).toEqual([TITLE.new, TITLE["24h"]]);
    });
  },
);
