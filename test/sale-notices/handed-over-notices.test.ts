import { describe, expect, test } from "vitest";
import { delivery } from "../database/builders.ts";
import { databases } from "../support/databases.ts";
import { directChannel } from "../support/fake-channels.ts";
import {
  ANA,
  BRUNO,
  CHANNEL,
  discordOf,
  GUILD,
  openSaleStage,
  type SaleStage,
  SECOND_GUILD,
  sell,
  SHARED_WALLET,
  withKeys,
} from "./sale-stage.ts";

describe.each(databases)(
  "a sale that waits for Discord, and whose seller goes, on $name",
  (kind) => {
    const disconnect = async ({ stores, clock }: SaleStage, ownerId = ANA): Promise<void> => {
      await stores.accounts.remove(GUILD, ownerId, ownerId, clock.now());
    };
    /** Ana and Bruno show the sales of their wallet account in the channel. */
    const withBoth = async (agreesFirst = true): Promise<SaleStage> => {
      const stage = await withKeys(kind);
      await stage.choose(ANA, "channel");
      if (agreesFirst) await stage.choose(BRUNO, "channel");
      await stage.run();
      await sell(stage);
      if (!agreesFirst) await stage.choose(BRUNO, "channel");
      return stage;
    };

    test.each([
      ["disconnects", (stage: SaleStage) => disconnect(stage)],
      ["takes the consent back", (stage: SaleStage) => stage.choose(ANA, "off")],
      ["goes over to direct messages", (stage: SaleStage) => stage.choose(ANA, "direct")],
      [
        "connects another wallet account",
        (stage: SaleStage) =>
          stage.connect(ANA, GUILD, "sk_sandbox_ana_own", "1180000000000000501"),
      ],
    ])("is told by the other seller of its wallet account when one %s", async (_, goes) => {
      const stage = await withBoth();
      const discord = discordOf(stage);
      await goes(stage);
      await stage.pass({ minutes: 5 });
      await discord.deliver();
      expect(discord.channels.messages.map(({ text }) => text)).toEqual([
        expect.stringMatching(`123,45[^]*<@${BRUNO}>`),
      ]);
      expect(discord.in(CHANNEL)[0]).not.toContain(ANA);
    });

    // *.store.test.ts tests the other statements on both databases.
    if (kind !== databases[0]) return;

    test.each([
      ["disconnects", (stage: SaleStage) => disconnect(stage), []],
      ["takes the consent back", (stage: SaleStage) => stage.choose(ANA, "off"), []],
      ["has left the server", async () => {}, [ANA]],
    ] as const)(
      "is not told by the other seller, whose key is refused, when one %s",
      async (_, goes, left) => {
        const stage = await withBoth();
        const bruno = await stage.stores.accounts.find(GUILD, BRUNO);
        const refused = delivery("refused", { target: { kind: "person", userId: BRUNO } });
        await stage.stores.accounts.pause(bruno?.id ?? "", stage.clock.now(), refused);
        const discord = discordOf(stage, ...left);
        await goes(stage);
        await stage.pass({ minutes: 5 });
        await discord.deliver();
        expect(discord.in(CHANNEL)).toEqual([]);
      },
    );

    test("is not told by the other seller who shows the wallet account in another server", async () => {
      const stage = await openSaleStage(kind);
      await stage.connect(ANA, GUILD, "sk_sandbox_shared_one", SHARED_WALLET);
      await stage.connect(BRUNO, SECOND_GUILD, "sk_sandbox_shared_two", SHARED_WALLET);
      await stage.route();
      await stage.route({ guildId: SECOND_GUILD, channelId: "910000000000000777" });
      await stage.choose(ANA, "channel");
      await stage.choose(BRUNO, "channel", SECOND_GUILD);
      await stage.run();
      await sell(stage);
      const discord = discordOf(stage);
      await disconnect(stage);
      await stage.pass({ minutes: 5 });
      await discord.deliver();
      expect(discord.channels.messages.map(({ channelId, text }) => [channelId, text])).toEqual([
        ["910000000000000777", expect.stringMatching(`123,45[^]*<@${BRUNO}>`)],
      ]);
    });

    test("is told by the other seller of its wallet account when one has left the server", async () => {
      const stage = await withBoth();
      const discord = discordOf(stage, ANA);
      await discord.deliver();
      stage.service.make(67.89);
      await stage.pass({ minutes: 1 });
      await discord.deliver();
      expect(discord.in(CHANNEL)).toEqual([
        expect.stringMatching(`123,45[^]*<@${BRUNO}>`),
        expect.stringMatching(`67,89[^]*<@${BRUNO}>`),
      ]);
    });

    test("is not told in a server that all of its sellers have left", async () => {
      const stage = await withBoth();
      const discord = discordOf(stage, ANA, BRUNO);
      await discord.deliver();
      expect(discord.in(CHANNEL)).toEqual([]);
    });

    test("is not told by a seller who agreed after it", async () => {
      const stage = await withBoth(false);
      const discord = discordOf(stage);
      await disconnect(stage);
      await discord.deliver();
      expect(discord.channels.messages).toEqual([]);
    });

    test("is told by direct message to who disconnects the one of two keys that works", async () => {
      const stage = await openSaleStage(kind);
      for (const [guildId, key] of [
        [GUILD, "sk_sandbox_shared_one"],
        [SECOND_GUILD, "sk_sandbox_shared_two"],
      ] as const) {
        await stage.connect(ANA, guildId, key, SHARED_WALLET);
        await stage.choose(ANA, "direct", guildId);
        stage.clock.moveBy(1_000);
      }
      await stage.run();
      await sell(stage);
      const other = await stage.stores.accounts.find(SECOND_GUILD, ANA);
      const refused = delivery("refused", { target: { kind: "channel", channelId: "1" } });
      await stage.stores.accounts.pause(other?.id ?? "", stage.clock.now(), refused);
      const discord = discordOf(stage);
      await disconnect(stage);
      await stage.pass({ minutes: 5 });
      await discord.deliver();
      expect(discord.in(directChannel(ANA))).toEqual([expect.stringContaining("123,45")]);
    });

    test.each([
      ["disconnects", disconnect],
      ["takes the consent back", (stage: SaleStage) => stage.choose(ANA, "off")],
    ])("is told by direct message when its seller %s in one of two servers", async (_, goes) => {
      const stage = await openSaleStage(kind);
      for (const guildId of [GUILD, SECOND_GUILD]) {
        await stage.connect(ANA, guildId, "sk_sandbox_shared_one", SHARED_WALLET);
        await stage.choose(ANA, "direct", guildId);
        stage.clock.moveBy(1_000);
      }
      await stage.run();
      await sell(stage);
      const discord = discordOf(stage);
      await goes(stage);
      await stage.pass({ minutes: 5 });
      await discord.deliver();
      expect(discord.in(directChannel(ANA))).toEqual([expect.stringContaining("123,45")]);
    });
  },
);
