import { describe, expect, test } from "vitest";
import { alertKey } from "#src/domain/dispute-alert.ts";
import { oneDatabase } from "../../support/databases.ts";
import { type DisputeStage, TITLE, useDisputeStage, NIGHT } from "./dispute-stage.ts";
import { ANA, CHANNEL, GUILD } from "../../store/builders.ts";
import { OTHER_CHANNEL } from "../../store/dispute-builders.ts";

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

describe.each(oneDatabase)(
  "an alert to a channel that is taken back on its way, on $name",
  (kind) => {
    const open = useDisputeStage(kind);
    const owedToChannel = async (start?: string): Promise<DisputeStage> => {
      const stage = await open(start);
      await stage.route();
      await stage.alerts("channel");
      stage.service.add("i1", 100);
      await stage.poll();
      return stage;
    };
    const whileRead = ({ service }: DisputeStage, act: () => Promise<void>): void => {
      service.onRead = async () => {
        service.onRead = async () => {};
        await act();
      };
    };

    test("goes to its owner, who chose direct messages while it was read", async () => {
      const stage = await owedToChannel();
      whileRead(stage, () => stage.alerts("direct"));
      await stage.deliver();
      expect(stage.told(CHANNEL)).toEqual([]);
      expect(stage.told()).toEqual([TITLE.new]);
    });

    test("goes to its owner once the admin has switched the channel off, and pings nobody there", async () => {
      const stage = await open();
      const ping = { roleId: "940000000000000001", pingSteps: ["new"] as const };
      await stage.route(ping);
      await stage.alerts("channel");
      stage.service.add("i1", 100);
      await stage.poll();
      whileRead(stage, () => stage.route({ ...ping, active: false }));
      await stage.deliver();
      expect(stage.told(CHANNEL)).toEqual([]);
      expect(stage.told()).toEqual([TITLE.new]);
      const row = await stage.db.selectFrom("outbox").select("payload").executeTakeFirstOrThrow();
      expect(row.payload).not.toContain("<@&");
    });

    test("waits for the morning in the channel that was chosen instead", async () => {
      const stage = await owedToChannel("2026-11-20T00:59Z");
      whileRead(stage, async () => {
        await stage.route({ channelId: OTHER_CHANNEL, quiet: NIGHT });
        stage.skip({ minutes: 2 });
      });
      await stage.deliver();
      expect(stage.channels.messages).toEqual([]);
      await stage.pass({ hours: 10 }, { minutes: 10 });
      expect(stage.told(CHANNEL)).toEqual([]);
      expect(stage.told(OTHER_CHANNEL)).toEqual([TITLE.new]);
    });
  },
);

describe.each(oneDatabase)("an alert whose account goes, on $name", (kind) => {
  const open = useDisputeStage(kind);

  test("is not kept as its repeat, when the history was searched meanwhile", async () => {
    const stage = await open();
    stage.service.add("i1", 80);
    await stage.poll();
    stage.channels.mishap = () => ({ outcome: { kind: "unclear", reason: "reset" }, made: false });
    await stage.deliver();
    stage.channels.mishap = undefined;
    stage.skip({ minutes: 3 });
    Object.assign(stage.channels, {
      findPosted: async () => {
        await stage.stores.accounts.remove(GUILD, ANA, ANA, stage.clock.now());
        return { kind: "unreadable", lasting: true };
      },
    });
    await stage.deliver();
    expect(await stage.db.selectFrom("outbox").selectAll().execute()).toEqual([]);
    expect(stage.channels.messages).toEqual([]);
  });
});
