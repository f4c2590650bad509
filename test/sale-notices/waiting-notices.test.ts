import { describe, expect, test } from "vitest";
import type { SaleWatches } from "#src/sale-notices/sale-watch.store.ts";
import { HOUR, MINUTE } from "#src/shared/time.ts";
import { CARLA, delivery } from "../database/builders.ts";
import { databases, oneDatabase, waitingStatements } from "../support/databases.ts";
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
  stageWithAna,
  sumOf,
  withKeys,
} from "./sale-stage.ts";

const OTHER = "910000000000000777";

/** A stage's options, with `change` made during the look that finds a sale. */
const whenFound = (change: () => Promise<unknown> | undefined) => ({
  watches: (real: SaleWatches): SaleWatches => ({
    ...real,
    record: async (done, at) => {
      if (done.deliveries.length > 0) await change();
      return await real.record(done, at);
    },
  }),
});

describe.each(databases)("a sale that waits for Discord on $name", (kind) => {
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

  // *.store.test.ts tests the other statements on both databases.
  if (kind !== databases[0]) return;

  test("of who has left the server ends, and its seller is told that these notices stopped there", async () => {
    const stage = await stageWithAna(kind);
    const discord = discordOf(stage, ANA);
    await sell(stage);
    await discord.deliver();
    await discord.deliver();
    expect(discord.in(CHANNEL)).toEqual([]);
    expect(discord.in(directChannel(ANA))).toEqual([
      expect.stringContaining("Os avisos das suas vendas pararam de sair lá."),
    ]);
  });

  test("shows when it was made", async () => {
    const stage = await stageWithAna(kind);
    const discord = discordOf(stage);
    await sell(stage);
    const soldAt = stage.service.sales.at(-1)?.updatedAt.toString({ smallestUnit: "millisecond" });
    stage.clock.moveBy(5 * 60 * MINUTE);
    await discord.deliver();
    expect(discord.in(CHANNEL)).toEqual([expect.stringContaining(`"timestamp":"${soldAt}"`)]);
  });

  test.each([
    [1, 5 * HOUR, "Venda de R$\u00a0123,45, qui 19/11 12:02 (horário de Brasília)."],
    [1, 9 * MINUTE, "Venda de R$\u00a0123,45."],
    [6, 5 * HOUR, "6 vendas, R$\u00a0740,70, qui 19/11 12:02 (horário de Brasília)."],
  ] as const)(
    "says in the notification of %i sales after %i ms when it was made, if long ago",
    async (sales, ms, words) => {
      const stage = await stageWithAna(kind);
      const discord = discordOf(stage);
      await stage.pass({ minutes: 2 });
      for (let made = 0; made < sales; made++) stage.service.make(123.45);
      await stage.pass({ minutes: 1 });
      stage.clock.moveBy(ms);
      await discord.deliver();
      expect(discord.channels.messages.map(({ content }) => content)).toEqual([words]);
    },
  );

  test("and is known from the report alone is told hours later with the hour of the look", async () => {
    const stage = await stageWithAna(kind);
    const discord = discordOf(stage);
    stage.service.listFails = "malformed";
    await stage.pass({ minutes: 20 });
    stage.service.make(123.45);
    await stage.pass({ minutes: 10 });
    stage.clock.moveBy(5 * HOUR);
    await discord.deliver();
    expect(discord.channels.messages.map(({ content }) => content)).toEqual([
      "1 venda, R$\u00a0123,45, qui 19/11 12:20 (horário de Brasília).",
    ]);
  });

  test("goes to the new channel when the admin changes it during the look that finds it", async () => {
    let change: (() => Promise<unknown>) | undefined;
    const stage = await stageWithAna(
      kind,
      whenFound(() => change?.()),
    );
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

  test("ends with its lost channel, which its sellers read of in their own language, though a report waits there", async () => {
    const stage = await stageWithAna(kind);
    const { clock, stores } = stage;
    await stage.route({ locale: "en-US" });
    await stores.saleRoutes.choose(GUILD, ANA, "channel", clock.now(), "pt-BR");
    await stores.outbox.enqueue(delivery("report", { notBefore: clock.now() }), clock.now());
    const discord = discordOf(stage);
    const lost = { outcome: { kind: "lost_channel", code: 10_003 }, made: false } as const;
    discord.channels.mishap = (channelId) => (channelId === CHANNEL ? lost : undefined);
    await discord.deliver();
    await sell(stage);
    await discord.deliver();
    await discord.deliver();
    expect(await stores.saleRoutes.find(GUILD)).toHaveProperty("suspendedAt", expect.anything());
    for (const [reader, words] of [
      [ANA, "Os avisos de venda pararam"],
      [CARLA, "The sale notices stopped"],
    ] as const)
      expect(discord.in(directChannel(reader))).toEqual([expect.stringContaining(words)]);
    expect(await stores.outbox.state("report")).toBe("blocked");
  });

  /** The bot is removed from its only server, a sale happens, and the bot is invited again. */
  const removedForAWhile = async () => {
    const stage = await stageWithAna(kind);
    const discord = discordOf(stage);
    const lost = { kind: "lost_channel", code: 50_001 } as const;
    const unreachable = { kind: "unreachable_person", code: 50_278 } as const;
    discord.channels.mishap = (channelId) => ({
      outcome: channelId === CHANNEL ? lost : unreachable,
      made: false,
    });
    await sell(stage);
    for (const _ of [1, 2, 3]) await discord.deliver();
    discord.channels.mishap = undefined;
    stage.clock.moveBy(HOUR);
    return { ...stage, ...discord };
  };

  test("ends with the bot's removal from the server, which its sellers read of once the bot is back", async () => {
    const stage = await removedForAWhile();
    await stage.deliver();
    for (const reader of [ANA, CARLA])
      expect(stage.in(directChannel(reader))).toEqual([
        expect.stringContaining("Os avisos de venda pararam"),
      ]);
  });

  test.each([
    ["the channel was chosen again", { channelId: OTHER }],
    ["notices were switched off", { active: false }],
  ])("ends with the bot's removal, of which nobody reads any more once %s", async (_, saved) => {
    const stage = await removedForAWhile();
    await stage.route(saved);
    await stage.deliver();
    expect(stage.channels.messages).toEqual([]);
  });

  test("is told by direct message though its seller goes over to the channel, and back again", async () => {
    const stage = await openSaleStage(kind);
    await stage.connect(ANA, GUILD, "sk_sandbox_shared_one", SHARED_WALLET);
    await stage.route();
    await stage.choose(ANA, "direct");
    await stage.run();
    await sell(stage);
    const discord = discordOf(stage);
    await stage.choose(ANA, "channel");
    await stage.choose(ANA, "direct");
    await discord.deliver();
    expect(discord.in(directChannel(ANA))).toEqual([expect.stringContaining("123,45")]);
  });

  test("is told by direct message though its seller goes over to the channel during the look that finds it", async () => {
    let change: (() => Promise<unknown>) | undefined;
    const stage = await openSaleStage(
      kind,
      whenFound(() => change?.()),
    );
    await stage.connect(ANA, GUILD, "sk_sandbox_shared_one", SHARED_WALLET);
    await stage.route();
    await stage.choose(ANA, "direct");
    await stage.run();
    const discord = discordOf(stage);
    change = () => stage.choose(ANA, "channel");
    await sell(stage);
    await stage.pass({ minutes: 12 });
    await discord.deliver();
    await discord.deliver();
    expect(discord.channels.messages.map(({ text }) => text)).toEqual([
      expect.stringContaining("123,45"),
    ]);
  });
});

test.each(databases)("a direct notice names one key of several on $name", async (kind) => {
  const stage = await stageWithAna(kind);
  await stage.choose(ANA, "direct");
  await sell(stage);
  await stage.connect(ANA, SECOND_GUILD, "sk_sandbox_other", SHARED_WALLET);
  await sell(stage);
  const { channels, deliver, in: told } = discordOf(stage);
  await deliver();
  const isKeyed = told(directChannel(ANA)).map((text) => text.includes("Chave"));
  expect(isKeyed).toEqual([false, true]);
  const sentences = channels.inChannel(directChannel(ANA)).map(({ content }) => content);
  expect(sentences).toEqual([
    expect.stringMatching(/^Venda de/),
    expect.stringMatching(/^Chave final \w{4} · Venda de/),
  ]);
});

describe.each(oneDatabase)("sales that wait for the list on $name", (kind) => {
  test.each([
    [ANA, BRUNO],
    [BRUNO, ANA],
  ])("are told once, by %s who agreed first, though %s agrees meanwhile", async (first, then) => {
    const stage = await withKeys(kind);
    await stage.choose(first, "channel");
    await stage.run();
    for (let sale = 1; sale <= 7; sale++) {
      stage.clock.moveBy(4 * MINUTE);
      stage.service.make(sale);
    }
    stage.clock.moveBy(6 * MINUTE);
    await stage.choose(then, "channel");
    await stage.pass({ minutes: 5 });
    const told = await stage.told(CHANNEL);
    expect(sumOf(told)).toMatchObject({ sales: 7, cents: 2_800 });
    expect(told.every(({ line }) => line.includes(first))).toBe(true);
  });
});

/** Notices are found and consents taken back in two connections of PostgreSQL at once; SQLite has one. */
describe("a sale that is found while its seller goes", () => {
  const kind = databases.find(({ name }) => name === "PostgreSQL")!;

  test.each([
    ["takes the consent back", (stage: SaleStage) => stage.choose(ANA, "off")],
    [
      "disconnects",
      ({ stores, clock }: SaleStage) => stores.accounts.remove(GUILD, ANA, ANA, clock.now()),
    ],
  ])("is not told in the channel once its seller %s", async (_, goes) => {
    const stage = await openSaleStage(kind);
    await stage.connect(ANA, GUILD, "sk_sandbox_shared_one", SHARED_WALLET);
    await stage.connect(BRUNO, GUILD, "sk_sandbox_shared_two", SHARED_WALLET);
    await stage.route();
    await stage.choose(ANA, "channel");
    await stage.choose(BRUNO, "direct");
    await stage.run();
    await sell(stage);
    await stage.db.deleteFrom("outbox").where("target_kind", "=", "person").execute();
    const told = await stage.db.selectFrom("outbox").selectAll().executeTakeFirstOrThrow();
    // The notice of the second sale waits for another row of its key, which is never committed.
    const key = told.dedupe_key.replace(
      stage.stores.vault.hashTxid("sale-1"),
      stage.stores.vault.hashTxid("sale-2"),
    );
    const [held, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holder = stage.db.transaction().execute(async (trx) => {
      await trx
        .insertInto("outbox")
        .values({ ...told, dedupe_key: key, nonce: "held" })
        .execute();
      held.resolve();
      await ended.promise;
      throw new Error("Never committed");
    });
    await held.promise;
    stage.service.make(67.89);
    const found = stage.pass({ minutes: 1 }, { minutes: 1 });
    while ((await waitingStatements(stage.db)) < 1);
    const change = { isOver: false };
    const gone = goes(stage).finally(() => (change.isOver = true));
    while (!change.isOver && (await waitingStatements(stage.db)) < 2);
    ended.resolve();
    await expect(holder).rejects.toThrow("Never committed");
    await Promise.all([found, gone]);

    const discord = discordOf(stage);
    await discord.deliver();
    expect(discord.in(CHANNEL)).toEqual([]);
    expect(discord.in(directChannel(BRUNO))).toEqual([expect.stringContaining("67,89")]);
  });
});
