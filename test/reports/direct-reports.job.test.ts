import { describe, expect, test } from "vitest";
import { storedDay } from "#src/database/columns.ts";
import { cents } from "#src/shared/money.ts";
import { DAY, HOUR, MINUTE } from "#src/shared/time.ts";
import { directChannel } from "../support/fake-channels.ts";
import { CHANNEL, GUILD, sold, stageWithAna } from "../support/stage.ts";
import { BRUNO, failing, FIRST, SINCE } from "./report-stage.ts";

/** Bruno by a key of one wallet account, in whatever server. */
const ONE_WALLET = {
  ownerId: BRUNO,
  isDirect: true,
  apiKey: "sk_sandbox_one_wallet",
  userId: "wallet-of-bruno",
};

/** Ana is in the channel's report; Bruno sells half as much and has his own by direct message. */
const withBruno = async (start = FIRST) => {
  const stage = await stageWithAna(start);
  const brunoId = await stage.addSeller({ ownerId: BRUNO, since: SINCE, isDirect: true });
  stage.wallet.read = async ({ ownerId }, day) => sold(day, ownerId === BRUNO ? 50 : 100);
  const choose = (choice: "channel" | "direct" | "off", locale?: "en-US") =>
    stage.stores.accounts.chooseReport(GUILD, BRUNO, choice, stage.clock.now(), locale);
  return {
    ...stage,
    brunoId,
    choose,
    inChannel: () => stage.textsIn(),
    direct: () => stage.textsIn(directChannel(BRUNO)),
  };
};

/** Turns of the event loop that others have during the work. */
const turnsDuring = async (work: () => Promise<unknown>): Promise<number> => {
  let [turns, isDone] = [0, false];
  const count = (): void => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await work();
  isDone = true;
  return turns;
};

describe("a seller's own report by direct message", () => {
  test("is found among hundreds of sellers who lack none, with turns of the event loop between", async () => {
    const { db, stores, brunoId } = await withBruno();
    const bruno = db.selectFrom("account").selectAll().where("id", "=", brunoId);
    const row = await bruno.executeTakeFirstOrThrow();
    const others = Array.from({ length: 450 }, (_, place) => {
      const id = `seller-${place}`;
      return { ...row, id, owner_id: id, watch_id: id };
    });
    for (const some of [others.slice(0, 225), others.slice(225)])
      await db.insertInto("account").values(some).execute();
    const day = Temporal.PlainDate.from("2026-11-18");
    const told = others.map(({ id }) => ({ account_id: id, last_day: storedDay(day) }));
    await db.insertInto("report_progress").values(told).execute();
    const { ledger } = stores;
    const { hours } = ledger;
    const owed = async () => (await Array.fromAsync(ledger.owing(day, await hours()))).flat();
    const found = (await owed()).filter(({ target }) => target.kind === "person");
    expect(found.map(({ accountId }) => accountId)).toEqual([brunoId]);
    expect(await turnsDuring(hours)).toBeGreaterThanOrEqual(2);
    expect(await turnsDuring(owed)).toBeGreaterThanOrEqual(5);
  });

  test("has the own figures alone, and the channel's has no part of them", async () => {
    const stage = await withBruno();
    await stage.beat();
    await stage.beat(MINUTE);
    expect(stage.direct()).toHaveLength(1);
    expect(stage.direct()[0]).toMatch(
      /Fechamento de quarta, 18\/11.*R\$ 50,00.*API R\$ 50,00 \(1 venda\)/,
    );
    expect(stage.direct()[0]).not.toMatch(/u-ana|100,00|Vendedores/);
    expect(stage.inChannel()).toHaveLength(1);
    expect(stage.inChannel()[0]).not.toMatch(/u-bruno|150,00| 50,00/);
  });

  test("is counted for a week as not arrived where Discord refuses it", async () => {
    const { stores, channels, brunoId, beat, clock } = await withBruno();
    channels.openMishap = () => ({ kind: "unreachable_person", code: 50_007 });
    const lost = (accountId: string) =>
      stores.outbox.undeliveredReports(accountId, clock.now().subtract({ milliseconds: 7 * DAY }));
    await beat();
    await beat(DAY);
    expect(await lost(brunoId)).toBe(2);
    channels.openMishap = undefined;
    await beat(DAY);
    expect(await lost(brunoId)).toBe(2);
    clock.moveBy(7 * DAY);
    expect(await lost(brunoId)).toBe(0);
  });

  test("has arrived also while the channel of another server waits for its part of the same seller", async () => {
    const { addSeller, beat, channels, clock, stores, textsIn, wallet } = await stageWithAna(FIRST);
    await addSeller({ ...ONE_WALLET, isDirect: false, since: SINCE });
    const directId = await addSeller({ ...ONE_WALLET, guildId: "g2", since: SINCE });
    wallet.read = async ({ ownerId }, day) =>
      ownerId === BRUNO ? await failing("unavailable")() : sold(day, 100);
    await beat();
    await beat(20 * MINUTE);
    expect(textsIn()).toEqual([expect.stringContaining("Falta <@u-bruno>")]);
    wallet.read = async (_, day) => sold(day, 50);
    const outcome = { kind: "lost_channel", code: 10_003 } as const;
    channels.mishap = (id) => (id === CHANNEL ? { outcome, made: false } : undefined);
    await beat(HOUR);
    await beat(HOUR);
    expect(textsIn(directChannel(BRUNO))[0]).toContain("Fechamento de quarta");
    const since = clock.now().subtract({ milliseconds: 7 * DAY });
    expect(await stores.outbox.undeliveredReports(directId, since)).toBe(0);
  });

  test("takes no day away from the channel of another server that is chosen after it", async () => {
    const stage = await stageWithAna(FIRST);
    stage.wallet.read = async ({ ownerId }, day) => sold(day, ownerId === BRUNO ? 50 : 100);
    await stage.saveRoute({ guildId: "g2", channelId: "c2", time: "08:00", since: SINCE });
    await stage.addSeller({ ownerId: "u-carla", guildId: "g2", since: SINCE });
    await stage.addSeller({ ...ONE_WALLET, since: SINCE.subtract({ hours: 1 }) });
    await stage.addSeller({ ...ONE_WALLET, guildId: "g2", since: SINCE });
    await stage.beat();
    stage.clock.moveBy(HOUR);
    await stage.stores.accounts.chooseReport("g2", BRUNO, "channel", stage.clock.now());
    await stage.beat(10 * HOUR);
    expect(stage.textsIn("c2")).toEqual([expect.stringContaining("R$ 150,00")]);
  });

  test("names its key in the sentence once its seller has several wallet accounts", async () => {
    const stage = await withBruno();
    await stage.beat();
    const other = { apiKey: "sk_sandbox_other_1a2b", userId: "other", guildId: "g2" };
    await stage.addSeller({ ...other, ownerId: BRUNO, since: stage.clock.now(), isDirect: true });
    await stage.beat(DAY);
    const told = stage.channels.inChannel(directChannel(BRUNO));
    const sentences = told.map(
      ({ content }) => content.replaceAll("\u00a0", " ").split(" hoje")[0],
    );
    expect(new Set(sentences)).toEqual(
      new Set([
        "Chave final 1a2b · Você vendeu R$ 50,00",
        "Chave final runo · Você vendeu R$ 50,00",
        "Você vendeu R$ 50,00",
      ]),
    );
  });

  test("has a goal that is kept from the server, and a corrected day once", async () => {
    const stage = await withBruno();
    const at = stage.clock.now();
    await stage.stores.goals.save(GUILD, BRUNO, { amount: cents(500_00), shown: false }, at);
    await stage.beat();
    expect(stage.direct()[0]).toContain(
      '"Meta do mês","value":"▰▱▱▱▱▱▱▱▱▱\\n**R$ 50** de R$ 500 (10%)',
    );
    const told = Temporal.PlainDate.from("2026-11-18");
    const bruno = await stage.stores.accounts.findById(stage.brunoId);
    const readAt = stage.clock.now().add({ hours: 1 });
    const [figures] = await stage.stores.salesDays.between(bruno?.accountFp ?? "", told, told);
    await stage.stores.salesDays.keep(bruno?.accountFp ?? "", {
      ...figures!,
      sales: cents(20_00),
      net: cents(19_60),
      readAt,
    });
    await stage.beat(DAY);
    await stage.beat(DAY);
    const corrected = stage.direct().map((text) => text.includes("caiu de R$ 50,00 para R$ 20,00"));
    expect(corrected).toEqual([false, true, false]);
  });

  test.each([
    ["set in the server where it was chosen", { g2: 900, g3: 500 }],
    ["set in another server of the same wallet account", { g2: 500 }],
  ])("has a goal that was %s", async (_, goals) => {
    const stage = await withBruno();
    await stage.choose("off");
    for (const guildId of ["g2", "g3"])
      await stage.addSeller({ ...ONE_WALLET, guildId, since: SINCE, agrees: guildId === "g3" });
    const at = stage.clock.now();
    for (const [guildId, reais] of Object.entries(goals))
      await stage.stores.goals.save(guildId, BRUNO, { amount: cents(reais * 100) }, at);
    await stage.beat();
    expect(stage.direct()[0]).toContain("**R$ 50** de R$ 500 (10%)");
  });

  test("comes at the hour that its seller chose, and not again at an earlier one", async () => {
    const stage = await withBruno();
    const at = (time: string) => Temporal.PlainTime.from(time);
    const { watchId } = (await stage.stores.accounts.findById(stage.brunoId))!;
    await stage.stores.routes.chooseDirectTime(watchId, at("23:00"));
    await stage.beat(HOUR);
    expect([stage.direct().length, stage.inChannel().length]).toEqual([0, 1]);
    await stage.beat(HOUR);
    expect(stage.direct()).toHaveLength(1);
    await stage.stores.routes.chooseDirectTime(watchId, at("21:30"));
    await stage.beat(MINUTE);
    expect(stage.direct()).toHaveLength(1);
  });

  test("is in the seller's language", async () => {
    const stage = await withBruno();
    await stage.choose("off");
    await stage.choose("direct", "en-US");
    await stage.beat(DAY);
    expect(stage.direct()[0]).toContain("Daily close: Thursday, Nov 19");
  });

  test("is told in one place: who changes from the channel to direct messages leaves the post that waits", async () => {
    const stage = await withBruno();
    await stage.choose("channel");
    await stage.beat(DAY);
    expect(stage.inChannel().at(-1)).toContain("150,00");
    stage.clock.moveBy(DAY);
    await stage.prepare();
    await stage.choose("direct");
    await stage.deliver();
    await stage.beat(DAY);
    expect(stage.inChannel().slice(-2).join()).not.toMatch(/u-bruno|150,00/);
    expect(stage.direct()).toHaveLength(1);
    expect(stage.direct()[0]).toContain("21/11");
  });

  test.each(["has direct reports", "disconnects", "is in none"])(
    "is not told in the channel again, whatever its new hour, because its seller %s in between",
    async (way) => {
      const stage = await withBruno();
      await stage.choose("channel");
      await stage.beat();
      await stage.beat(DAY);
      if (way === "is in none") await stage.choose("off");
      await stage.beat(DAY);
      const since = stage.clock.now();
      if (way === "disconnects") {
        await stage.stores.accounts.remove(GUILD, BRUNO, BRUNO, since);
        await stage.addSeller({ ownerId: BRUNO, since, agrees: false });
      }
      if (way === "has direct reports") await stage.choose("direct");
      stage.clock.moveBy(MINUTE);
      await stage.choose("channel");
      await stage.saveRoute({ since, time: "22:00" });
      await stage.beat(HOUR);
      await stage.beat(DAY);
      const told = stage.inChannel().map((text) => /"title":"(.*?)"/.exec(text)?.[1]);
      expect(told).toEqual(
        ["quarta, 18", "quinta, 19", "sexta, 20", "sábado, 21"].map(
          (day) => `Fechamento de ${day}/11`,
        ),
      );
      expect(stage.inChannel()[3]).toContain("150,00");
    },
  );

  test("that Discord refuses ends there, and holds back nothing else", async () => {
    const stage = await withBruno();
    stage.channels.mishap = (channelId) =>
      channelId === CHANNEL
        ? undefined
        : { outcome: { kind: "unreachable_person", code: 50_007 }, made: false };
    await stage.beat();
    stage.channels.mishap = undefined;
    await stage.beat(HOUR);
    expect(stage.direct()).toEqual([]);
    expect(stage.counted).toContain("sales_report dead");
    await stage.beat(DAY);
    expect(stage.direct()).toHaveLength(1);
  });
});
