import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { WalletError } from "#src/shared/errors.ts";
import { HOUR, MINUTE } from "#src/shared/time.ts";
import { databases } from "../support/databases.ts";
import {
  ANA,
  BRUNO,
  CHANNEL,
  GUILD,
  openSaleStage,
  restored,
  stageWithAna,
  sumOf,
} from "./sale-stage.ts";

const OTHER_GUILD = "900000000000000002";
const OTHER_CHANNEL = "910000000000000002";
const linesOf = (told: readonly { readonly line: string }[]) => told.map(({ line }) => line);

describe.each(databases)("sales on $name", (kind) => {
  test("of a refused key wait, and its owner is told once", async () => {
    const stage = await stageWithAna(kind);
    stage.service.listFails = "unauthorized";
    await stage.pass({ minutes: 20 }, { minutes: 1 });
    expect(stage.service.asked).toHaveLength(2);
    const { accounts } = stage.stores;
    expect((await accounts.find(GUILD, ANA))?.pausedAt).toBeDefined();
    const told = await stage.db
      .selectFrom("outbox")
      .select(["target_id", "state"])
      .where("dedupe_key", "like", "notice|key_refused|%")
      .execute();
    expect(told).toEqual([{ target_id: ANA, state: "due" }]);
  });

  test("of two processes are told once", async () => {
    const stage = await stageWithAna(kind);
    const second = stage.start();
    for (let round = 0; round < 10; round++) {
      stage.service.make(10 + round);
      stage.clock.moveBy(30_000);
      await Promise.all([stage.run(), second.run()]);
    }
    expect(sumOf(await stage.told())).toMatchObject({ sales: 10 });
    const lists = stage.service.asked.length;
    expect(lists).toBeLessThanOrEqual(12);
  });

  // *.store.test.ts tests the other statements on both databases.
  if (kind !== databases[0]) return;

  test("are told once, with product, amount, net and seller", async () => {
    const stage = await stageWithAna(kind);
    stage.service.make(79.9);
    await stage.pass({ minutes: 5 });
    expect(linesOf(await stage.told())).toEqual([
      `Venda: \`sale-1\` · **R$\u00a079,90** (líquido\u00a0R$\u00a075,11) · <@${ANA}>`,
    ]);
  });

  test("from before the consent are never told", async () => {
    const stage = await openSaleStage(kind);
    await stage.connect(ANA);
    await stage.route();
    for (let old = 0; old < 30; old++) stage.service.make(10);
    await stage.choose(ANA, "channel");
    await stage.pass({ minutes: 5 });
    expect(await stage.told()).toEqual([]);
    stage.service.make(20);
    await stage.pass({ minutes: 1 });
    expect(sumOf(await stage.told())).toMatchObject({ sales: 1, cents: 2_000 });
  });

  test("more than five within a minute are one line with their number and sum", async () => {
    const stage = await stageWithAna(kind);
    for (let each = 0; each < 7; each++) stage.service.make(10);
    await stage.pass({ minutes: 2 });
    expect(linesOf(await stage.told())).toEqual([
      `**7 vendas** em 1 minuto · **R$\u00a070,00** · <@${ANA}>`,
    ]);
  });

  test("below the channel's minimum do not count among those within a minute, which the channel never told", async () => {
    const stage = await stageWithAna(kind);
    await stage.route({ minimum: 50_000 });
    for (let each = 0; each < 5; each++) stage.service.make(19.9);
    await stage.pass({ seconds: 30 });
    stage.service.make(997);
    stage.service.make(1_497);
    await stage.pass({ minutes: 2 });
    expect(linesOf(await stage.told())).toEqual([
      expect.stringContaining("sale-6"),
      expect.stringContaining("sale-7"),
    ]);
  });

  test("refunds are told once, in a line of their own", async () => {
    const stage = await stageWithAna(kind);
    const sale = stage.service.make(50);
    await stage.pass({ minutes: 1 });
    stage.service.change(sale, "refunded");
    await stage.pass({ minutes: 5 });
    expect(linesOf(await stage.told())).toEqual([
      expect.stringContaining("Venda: `sale-1`"),
      `Estorno: \`sale-1\` · **R$\u00a050,00** · <@${ANA}>`,
    ]);
  });

  test.each([
    ["both", 1_000, [1, 2, 3, 4]],
    ["both", 0, [1, 2, 3, 4]],
    // Without times, a refund alone is told of a sale that was not seen before.
    ["none", 0, [2, 3, 4]],
  ] as const)("of one look, %s times, %i ms apart, keep their order", async (times, ms, told) => {
    const stage = await stageWithAna(kind);
    stage.service.form.times = times;
    await stage.pass({ minutes: 1 });
    const made = Array.from({ length: 4 }, () => {
      stage.clock.moveBy(ms);
      return stage.service.make(50);
    });
    stage.service.change(made[0]!, "refunded");
    await stage.pass({ minutes: 1 });
    expect(linesOf(await stage.told())).toEqual([
      ...told.map((nth) => expect.stringContaining(`Venda: \`sale-${nth}\``)),
      expect.stringContaining("Estorno: `sale-1`"),
    ]);
  });

  test("below the channel's minimum are not told there, and are by direct message", async () => {
    const stage = await stageWithAna(kind);
    await stage.route({ minimum: 5_000 });
    await stage.connect(BRUNO, GUILD, "sk_sandbox_two", ANA);
    await stage.choose(BRUNO, "direct");
    await stage.pass({ minutes: 1 });
    stage.service.make(49.99);
    stage.service.make(50);
    await stage.pass({ minutes: 2 });
    expect(linesOf(await stage.told(CHANNEL))).toEqual([expect.stringContaining("sale-2")]);
    expect(await stage.told(BRUNO)).toHaveLength(2);
  });

  test("of one wallet account in two servers are read once and told in each", async () => {
    const stage = await stageWithAna(kind);
    await stage.connect(ANA, OTHER_GUILD, "sk_sandbox_other", ANA);
    await stage.route({ guildId: OTHER_GUILD, channelId: OTHER_CHANNEL });
    await stage.choose(ANA, "channel", OTHER_GUILD);
    await stage.pass({ minutes: 1 });
    stage.service.make(30);
    const before = stage.service.asked.length;
    await stage.pass({ seconds: 30 });
    expect(stage.service.asked.length - before).toBe(1);
    for (const channel of [CHANNEL, OTHER_CHANNEL])
      expect(sumOf(await stage.told(channel))).toMatchObject({ sales: 1 });
  });

  test("stop with the consent, with the route and with the key; what waits is cancelled", async () => {
    const stage = await stageWithAna(kind);
    stage.service.make(10);
    await stage.pass({ minutes: 1 });
    await stage.choose(ANA, "off");
    const waiting = await stage.db
      .selectFrom("outbox")
      .select("state")
      .where("settled_at", "is", null)
      .execute();
    expect(waiting).toEqual([]);
    const asked = stage.service.asked.length;
    stage.service.make(10);
    await stage.pass({ hours: 1 }, { minutes: 1 });
    expect(stage.service.asked.length).toBe(asked);
    expect(await stage.db.selectFrom("sale_seen").selectAll().execute()).toEqual([]);
    await stage.choose(ANA, "channel");
    await stage.pass({ minutes: 1 });
    await stage.route({ active: false });
    expect(await stage.db.selectFrom("sale_watch").selectAll().execute()).toEqual([]);
    await stage.route();
    await stage.pass({ minutes: 1 });
    await stage.stores.accounts.remove(GUILD, ANA, ANA, stage.clock.now());
    expect(await stage.db.selectFrom("sale_watch").selectAll().execute()).toEqual([]);
    expect(await stage.db.selectFrom("sale_choice").selectAll().execute()).toEqual([]);
  });

  test("are told by their number while the list cannot be read, and by name when it is back", async () => {
    const stage = await stageWithAna(kind);
    const first = stage.service.make(10);
    await stage.pass({ minutes: 1 });
    stage.service.listFails = "malformed";
    await stage.pass({ minutes: 1 });
    stage.service.make(40);
    stage.service.make(80);
    await stage.pass({ minutes: 1 });
    stage.service.change(first, "refunded");
    await stage.pass({ minutes: 1 });
    stage.service.listFails = undefined;
    await stage.pass({ minutes: 20 });
    stage.service.make(5);
    await stage.pass({ minutes: 1 });
    expect(linesOf(await stage.told())).toEqual([
      expect.stringContaining("Venda: `sale-1`"),
      `**2 vendas** · **R$\u00a0120,00** · <@${ANA}> · pelo relatório do dia, sem detalhes`,
      `**1 estorno** · **R$\u00a010,00** · <@${ANA}> · pelo relatório do dia, sem detalhes`,
      expect.stringContaining("Venda: `sale-4`"),
    ]);
  });

  test("of a day that closes are counted once more after midnight", async () => {
    const stage = await stageWithAna(kind);
    stage.service.listFails = "malformed";
    await stage.pass({ minutes: 1 });
    stage.clock.moveBy(9 * HOUR - 17 * MINUTE);
    await stage.pass({ minutes: 15, seconds: 30 });
    stage.service.make(70);
    await stage.pass({ minutes: 30 });
    stage.service.make(30);
    await stage.pass({ minutes: 10 });
    const report = "pelo relatório do dia, sem detalhes";
    expect(linesOf(await stage.told())).toEqual([
      `**1 venda** · **R$\u00a070,00** · <@${ANA}> · ${report}`,
      `**1 venda** · **R$\u00a030,00** · <@${ANA}> · ${report}`,
    ]);
  });

  test("of two days that one look counts are told both", async () => {
    const stage = await stageWithAna(kind);
    stage.service.listFails = "malformed";
    await stage.pass({ minutes: 1 });
    stage.clock.moveBy(8 * HOUR + 50 * MINUTE);
    stage.service.make(70);
    stage.clock.moveBy(30 * MINUTE);
    stage.service.make(30);
    await stage.pass({ minutes: 10 });
    expect(sumOf(await stage.told())).toMatchObject({ sales: 2, cents: 10_000 });
  });

  test("put back with an older copy of the database are told in one line that says so, as of the last", async () => {
    const stage = await stageWithAna(kind);
    stage.service.make(10);
    stage.clock.moveBy(MINUTE);
    const { updatedAt } = stage.service.make(20);
    await restored(stage);
    await stage.pass({ minutes: 1 });
    stage.service.make(30);
    await stage.pass({ minutes: 1 });
    expect(linesOf(await stage.told())).toEqual([
      expect.stringMatching(
        /^\*\*2 vendas\*\* · \*\*R\$\u00a030,00\*\* · <@\d+> · talvez eu já tenha avisado: os dados do Balcão foram restaurados/,
      ),
      expect.stringContaining("sale-3"),
    ]);
    const [doubtful] = await stage.told();
    expect(doubtful?.timestamp).toBe(updatedAt.toString({ fractionalSecondDigits: 3 }));
  });

  test("put back are doubtful also on pages that the first look could not read", async () => {
    const stage = await stageWithAna(kind);
    stage.service.make(5);
    await stage.pass({ minutes: 1 });
    for (let each = 0; each < 30; each++) {
      stage.service.make(10);
      stage.clock.moveBy(MINUTE);
    }
    await restored(stage);
    Object.assign(stage.service, { listFails: "timeout", goodPages: 1 });
    await stage.pass({ minutes: 1 });
    stage.service.listFails = undefined;
    await stage.pass({ minutes: 1 });
    const [, ...told] = await stage.told();
    expect(sumOf(told)).toMatchObject({ sales: 30 });
    for (const { line } of told) expect(line).toContain("talvez eu já");
  });

  test("refunded before that are doubtful also on older pages, which later looks read", async () => {
    const stage = await stageWithAna(kind);
    const [sale] = Array.from({ length: 300 }, () => stage.service.make(5));
    await stage.pass({ minutes: 12 });
    stage.clock.moveBy(2 * HOUR);
    if (sale !== undefined) stage.service.change(sale, "refunded");
    await restored(stage);
    await stage.pass({ minutes: 10 });
    const refunds = (await stage.told()).filter((each) => each.refunds > 0);
    expect(linesOf(refunds)).toEqual([expect.stringContaining("talvez eu já")]);
  });

  test("without a time are doubtful too after an older copy was put back", async () => {
    const stage = await stageWithAna(kind);
    stage.service.form.times = "none";
    await stage.pass({ minutes: 1 });
    stage.service.make(10);
    await restored(stage);
    await stage.pass({ minutes: 1 });
    expect(linesOf(await stage.told())).toEqual([expect.stringContaining("talvez eu já")]);
  });
});

describe("the looks", () => {
  test("are every 30 seconds for who sold today, every two minutes in a week or of a failing list, then every ten", async () => {
    const stage = await stageWithAna();
    const gaps = async () => {
      const from = stage.service.asked.length;
      await stage.pass({ minutes: 25 }, { seconds: 10 });
      const times = stage.service.asked.slice(from).map(({ at }) => at.epochMilliseconds);
      return Math.round(
        Math.min(...times.slice(1).map((ms, index) => ms - (times[index] ?? 0))) / 1000,
      );
    };
    expect(await gaps()).toBe(30);
    await stage.pass({ hours: 1 });
    expect(await gaps()).toBe(600);
    stage.service.make(10);
    await stage.pass({ minutes: 10 });
    expect(await gaps()).toBe(30);
    stage.service.listFails = "unavailable";
    const from = stage.service.asked.length;
    await stage.pass({ minutes: 20 }, { seconds: 10 });
    expect(stage.service.asked.length - from).toBe(10);
    stage.service.listFails = undefined;
    stage.clock.moveBy(30 * HOUR);
    await stage.run();
    await stage.pass({ minutes: 3 });
    expect(await gaps()).toBe(120);
    stage.clock.moveBy(9 * 24 * HOUR);
    await stage.pass({ minutes: 15 });
    expect(await gaps()).toBe(600);
  });

  test("that run late leave no account out", async () => {
    const stage = await openSaleStage();
    const asked = new Map<string, number[]>();
    const answers: { readonly atMs: number; readonly give: () => void }[] = [];
    const { wallet } = stage.service;
    const read = wallet.transactions;
    // 100 accounts at 80 seconds an answer: a round takes as long as with 1,000 at eight.
    const slow: typeof read = async (...given) => {
      const nowMs = stage.clock.now().epochMilliseconds;
      const { fingerprint } = given[0] as { readonly fingerprint: string };
      asked.set(fingerprint, [...(asked.get(fingerprint) ?? []), nowMs]);
      await new Promise<void>((give) => answers.push({ atMs: nowMs + 80_000, give }));
      return await read(...given);
    };
    wallet.transactions = slow;
    await stage.route();
    for (let each = 0; each < 100; each++) {
      const owner = `93000000000000${String(1_000 + each)}`;
      await stage.connect(owner);
      await stage.choose(owner, "channel");
    }
    const job = stage.start();
    const runs: Promise<void>[] = [];
    for (let tick = 0; tick < 180; tick++) {
      runs.push(job.run());
      for (let turn = 0; turn < 40; turn++) await setImmediate();
      stage.clock.moveBy(20_000);
      const nowMs = stage.clock.now().epochMilliseconds;
      for (let next = answers[0]; next && next.atMs <= nowMs; next = answers[0]) {
        answers.shift();
        next.give();
      }
    }
    const endMs = stage.clock.now().epochMilliseconds;
    const longest = Math.max(
      ...[...asked.values()].flatMap((times) =>
        [...times.slice(1), endMs].map((ms, index) => ms - (times[index] ?? 0)),
      ),
    );
    wallet.transactions = read;
    for (const { give } of answers) give();
    await Promise.all(runs);
    expect(asked.size).toBe(100);
    expect(longest / 1000).toBeLessThan(1_200);
  });

  test("name the instant of the next one", async () => {
    const stage = await stageWithAna();
    stage.service.make(10);
    await stage.pass({ minutes: 10 });
    const last = stage.wakes.at(-1);
    const waitMs = (last?.epochMilliseconds ?? 0) - stage.clock.now().epochMilliseconds;
    expect(waitMs).toBeGreaterThanOrEqual(30_000);
    expect(waitMs).toBeLessThanOrEqual(32_000);
  });

  test("of an outage tell nothing and lose nothing", async () => {
    const stage = await stageWithAna();
    stage.service.make(10);
    await stage.pass({ minutes: 10 });
    stage.service.listFails = "unavailable";
    stage.service.reportFails = "unavailable";
    for (let each = 0; each < 12; each++) {
      stage.service.make(10);
      await stage.pass({ minutes: 5 });
    }
    stage.service.listFails = undefined;
    stage.service.reportFails = undefined;
    await stage.pass({ minutes: 5 });
    const told = await stage.told();
    expect(sumOf(told)).toMatchObject({ sales: 13 });
    expect(told[1]?.line).toMatch(
      /^\*\*1[01] vendas\*\* de <t:\d+:d> <t:\d+:t> a <t:\d+:d> <t:\d+:t> · /,
    );
  });

  test("that die before they are recorded are made again", async () => {
    let dies = false;
    const stage = await stageWithAna(undefined, {
      watches: (real) => ({
        ...real,
        record: (done, at) =>
          dies
            ? Promise.reject(new WalletError({ kind: "timeout", method: "GET", route: "death" }))
            : real.record(done, at),
      }),
    });
    stage.service.make(10);
    dies = true;
    await stage.pass({ minutes: 11 });
    expect(await stage.told()).toEqual([]);
    dies = false;
    await stage.pass({ minutes: 20 });
    const told = await stage.told();
    expect(sumOf(told)).toMatchObject({ sales: 1 });
    expect(told[0]?.line).toMatch(/^Venda de <t:\d+:d> <t:\d+:t>: `sale-1` · /);
  });
});
