import { describe, expect, test } from "vitest";
import { CHANNEL } from "../../store/builders.ts";
import { OTHER_CHANNEL } from "../../store/dispute-builders.ts";
import { oneDatabase } from "../../support/databases.ts";
import { TITLE } from "./alert-titles.ts";
import { type DisputeStage, useDisputeStage } from "./dispute-stage.ts";

const NIGHT = { from: Temporal.PlainTime.from("22:00"), to: Temporal.PlainTime.from("07:00") };

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
