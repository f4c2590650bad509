import { describe, expect, test } from "vitest";
import { createMemberLookup, withPresence } from "#src/accounts/presence.job.ts";
import { settlementHooks } from "#src/bot-jobs.ts";
import { createDeliver, createSignal } from "#src/delivery/deliver.job.ts";
import { noMetrics } from "#src/shared/metrics.ts";
import { databases, quietLog } from "../support/databases.ts";
import { createFakeChannels } from "../support/fake-channels.ts";
import { CHANNEL, type SaleStage, stageWithAna } from "./sale-stage.ts";

const OTHER = "910000000000000777";

/** Discord, which has taken nothing so far. */
const discordOf = ({ clock, stores }: SaleStage) => {
  const { accounts, outbox, presences, routes } = stores;
  const channels = createFakeChannels(clock);
  const lookUpMember = createMemberLookup({
    clock,
    routes,
    presences,
    askPresence: async () => ({ kind: "here" }),
    guildName: async () => "Loja",
    onOwed: () => {},
  });
  const deliver = createDeliver({
    clock,
    log: quietLog,
    metrics: noMetrics,
    owner: "p",
    outbox,
    posting: channels,
    hooks: settlementHooks({ ...stores, clock }),
    revalidate: withPresence(
      { clock, log: quietLog, accounts, presences },
      lookUpMember,
      async () => ({ kind: "holds" }),
    ),
  });
  const { signal } = new AbortController();
  return {
    channels,
    deliver: () => deliver({ stopping: signal, news: createSignal(), retryAt: () => {} }),
    in: (channelId: string) => channels.inChannel(channelId).map(({ text }) => text),
  };
};

describe.each(databases)("a sale that waits for Discord on $name", (kind) => {
  const sell = async (stage: SaleStage): Promise<void> => {
    await stage.pass({ minutes: 2 });
    stage.service.make(123.45);
    await stage.pass({ minutes: 1 });
  };

  test("goes to the channel that the admin chooses meanwhile, and not to the one before", async () => {
    const stage = await stageWithAna(kind);
    const discord = discordOf(stage);
    await sell(stage);
    await stage.route({ channelId: OTHER });
    await stage.route({ channelId: "910000000000000888" });
    await stage.route({ channelId: OTHER, minimum: 50_000 });
    await discord.deliver();
    expect(discord.in(OTHER)).toEqual([expect.stringContaining("123,45")]);
    expect(discord.channels.messages).toHaveLength(1);
  });

  test("goes to the new channel when the admin changes it during the look that finds it", async () => {
    let change: (() => Promise<unknown>) | undefined;
    const stage = await stageWithAna(kind, {
      watches: (real) => ({
        ...real,
        record: async (done, at) => {
          if (done.deliveries.length > 0) await change?.();
          return await real.record(done, at);
        },
      }),
    });
    const discord = discordOf(stage);
    change = () => stage.route({ channelId: OTHER });
    await sell(stage);
    await discord.deliver();
    expect(discord.in(OTHER)).toEqual([expect.stringContaining("123,45")]);
    expect(discord.in(CHANNEL)).toEqual([]);
  });

  test.each([true, false])(
    "and may be in the old channel (%s) is told nowhere else, nor there again",
    async (made) => {
      const stage = await stageWithAna(kind);
      const discord = discordOf(stage);
      discord.channels.mishap = () => ({ outcome: { kind: "unclear", reason: "reset" }, made });
      await sell(stage);
      await discord.deliver();
      await stage.route({ channelId: OTHER });
      discord.channels.mishap = () => undefined;
      await stage.pass({ minutes: 10 });
      await discord.deliver();
      expect(discord.in(CHANNEL)).toHaveLength(made ? 1 : 0);
      expect(discord.in(OTHER)).toEqual([]);
    },
  );
});
