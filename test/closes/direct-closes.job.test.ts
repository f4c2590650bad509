import { describe, expect, onTestFinished, test } from "vitest";
import { closeKey, type ClosePeriod, newestPeriod, periodBefore } from "#src/closes/close.ts";
import { storedInstant } from "#src/database/columns.ts";
import { daysOf } from "#src/reports/sales-period.ts";
import { closeOf } from "#src/shared/report-day.ts";
import { DAY, HOUR, MINUTE } from "#src/shared/time.ts";
import { noticeTo } from "../database/builders.ts";
import { databases } from "../support/databases.ts";
import { directChannel } from "../support/fake-channels.ts";
import { GUILD, openStage } from "../support/stage.ts";
import { salesDay, startJob } from "./close-samples.ts";

const WEEK = newestPeriod("week", Temporal.PlainDate.from("2026-11-22"));
const NEXT_WEEK = newestPeriod("week", Temporal.PlainDate.from("2026-11-29"));
const SINCE = Temporal.Instant.from("2026-11-17T12:00Z");
const BRUNO = "u-bruno";
/** Bruno with the same key as in the first server. */
const direct = { ownerId: BRUNO, isDirect: true, apiKey: `sk_sandbox_${GUILD}_${BRUNO}` };
/** Brasília's 08:00 on Monday, the hour that Bruno chose. */
const DUE = "2026-11-23T11:00:00Z";

describe.each(databases)("closes by direct message on $name", (kind) => {
  /** Bruno sells 100 a day and has his reports by direct message; Ana, when she is there, is in the channel. */
  const open = async (start = DUE) => {
    const database = await kind.create();
    onTestFinished(database.drop);
    const stage = await openStage(start, database.url);
    const { accounts, routes, salesDays } = stage.stores;
    const brunoId = await stage.addSeller({ ownerId: BRUNO, since: SINCE, isDirect: true });
    const { accountFp, watchId } = (await accounts.findById(brunoId))!;
    await routes.chooseDirectTime(watchId, Temporal.PlainTime.from("08:00"));
    const keep = async (fp: string, reais: number, ...weeks: readonly ClosePeriod[]) => {
      const kept = weeks.length === 0 ? [periodBefore(WEEK), WEEK] : weeks;
      for (const day of kept.flatMap(daysOf)) await salesDays.keep(fp, salesDay(day, reais));
    };
    await keep(accountFp, 100);
    const run = (closes = stage.stores.closes): Promise<void> => startJob(stage, closes).run();
    const beat = async (): Promise<void> => {
      await run();
      await stage.deliver();
    };
    const told = () => stage.textsIn(directChannel(BRUNO));
    return {
      ...stage,
      brunoId,
      accountFp,
      watchId,
      keep,
      run,
      beat,
      told,
      inChannel: () => stage.textsIn(),
    };
  };

  test("two processes at once, and a kill between the mark and the message, still send one", async () => {
    const stage = await open();
    await Promise.all([stage.run(), stage.run()]);
    stage.clock.moveBy(2 * HOUR);
    await stage.run();
    await Promise.all([stage.deliver(), stage.deliver()]);
    await stage.beat();
    expect(stage.told()).toHaveLength(1);
  });

  test("one that cannot be recorded holds up the next one, and both come", async () => {
    const stage = await open();
    await stage.keep(stage.accountFp, 100, NEXT_WEEK);
    stage.clock.moveBy(7 * DAY);
    const { closes } = stage.stores;
    const failures = [new Error("the disk is full")];
    const record: typeof closes.record = async (...given) => {
      for (const failure of failures.splice(0)) throw failure;
      return await closes.record(...given);
    };
    await stage.run({ ...closes, record });
    await stage.beat();
    expect(stage.told()).toHaveLength(2);
  });

  test("a kind that is switched off does not come, and takes back what waits", async () => {
    const stage = await open();
    const { closes, outbox } = stage.stores;
    await stage.run();
    const target = { kind: "person", userId: BRUNO } as const;
    const key = closeKey({ subscriberId: stage.watchId, target }, WEEK);
    expect(await outbox.state(key)).toBe("due");
    await closes.chooseDirect(stage.watchId, { week: false, month: true }, stage.clock.now());
    expect(await outbox.state(key)).toBe("obsolete");
    expect(await closes.choices(stage.brunoId)).toEqual({ week: false, month: true });
    await stage.keep(stage.accountFp, 100, NEXT_WEEK);
    stage.clock.moveBy(7 * DAY);
    await stage.beat();
    expect(stage.told()).toEqual([]);
    await closes.chooseDirect(stage.watchId, { week: true, month: true }, stage.clock.now());
    await stage.beat();
    expect(stage.told()).toEqual([]);
  });

  test("a further connection has the hour and the choices of the first, and goes on without it", async () => {
    const stage = await open();
    const { accounts, closes } = stage.stores;
    await closes.chooseDirect(stage.watchId, { week: true, month: false }, stage.clock.now());
    const second = await stage.addSeller({ ...direct, guildId: "g2", since: SINCE, agrees: false });
    await stage.beat();
    for (const choice of ["direct", "off", "direct"] as const)
      await accounts.chooseReport("g2", BRUNO, choice, stage.clock.now());
    await accounts.remove(GUILD, BRUNO, BRUNO, stage.clock.now());
    expect(await closes.choices(second)).toEqual({ week: true, month: false });
    await stage.keep(stage.accountFp, 10, NEXT_WEEK);
    stage.clock.moveBy(7 * DAY - 60_000);
    await stage.beat();
    expect(stage.told()).toHaveLength(1);
    stage.clock.moveBy(60_000);
    await stage.beat();
    expect(stage.told()).toEqual([
      expect.anything(),
      expect.stringContaining("**R$ 70,00** em 7 vendas"),
    ]);
  });

  test("is not sent once its seller wants it no more, or in the channel, or has disconnected", async () => {
    for (const leave of ["off", "channel", "disconnects"] as const) {
      const stage = await open();
      const { accounts } = stage.stores;
      await stage.run();
      if (leave === "disconnects") await accounts.remove(GUILD, BRUNO, BRUNO, stage.clock.now());
      else await accounts.chooseReport(GUILD, BRUNO, leave, stage.clock.now());
      await stage.beat();
      expect([leave, stage.told()]).toEqual([leave, []]);
    }
  });

  test("a new key of another wallet account keeps the choices, and tells no week again", async () => {
    const stage = await open();
    const { accounts, closes } = stage.stores;
    await closes.chooseDirect(stage.watchId, { week: true, month: false }, stage.clock.now());
    await stage.beat();
    const id = await stage.addSeller({ ...direct, since: SINCE, apiKey: "sk_sandbox_another" });
    await stage.keep((await accounts.findById(id))!.accountFp, 5);
    await stage.beat();
    expect(await closes.choices(id)).toEqual({ week: true, month: false });
    expect(stage.told()).toHaveLength(1);
  });

  test("a seller is read while a close lacks, however many there are, and not once none does", async () => {
    const stage = await open();
    const { db } = stage;
    const lacking = async () =>
      (await Array.fromAsync(stage.stores.closes.lacking(stage.clock.now()))).map(
        (page) => page.length,
      );
    const bruno = await db.selectFrom("account").selectAll().executeTakeFirstOrThrow();
    const others = Array.from({ length: 450 }, (_, place) => {
      const id = `seller-${place}`;
      return { ...bruno, id, owner_id: id, watch_id: id };
    });
    for (const some of [others.slice(0, 225), others.slice(225)])
      await db.insertInto("account").values(some).execute();
    expect(await lacking()).toEqual([200, 200, 51]);
    stage.clock.moveBy(-60_000);
    expect(await lacking()).toEqual([]);
    stage.clock.moveBy(60_000);
    const over = storedInstant(closeOf(WEEK.to));
    await db.updateTable("account").set({ report_consent_at: over }).execute();
    expect(await lacking()).toEqual([]);
    await db
      .updateTable("account")
      .set({ report_consent_at: storedInstant(SINCE) })
      .where("id", "=", bruno.id)
      .execute();
    expect(await lacking()).toEqual([1]);
    await stage.run();
    expect(await lacking()).toEqual([]);
  });

  // *.store.test.ts tests the other statements on both databases.
  if (kind !== databases[0]) return;

  test("a seller with direct reports gets the close of the own sales at the own hour, without any channel", async () => {
    const stage = await open("2026-11-23T10:59:00Z");
    await stage.beat();
    expect(stage.told()).toEqual([]);
    stage.clock.moveBy(60_000);
    await stage.beat();
    expect(stage.told()).toEqual([
      expect.stringMatching(
        /Fechamento da semana, 16\/11 a 22\/11[^]*\*\*R\$ 700,00\*\* em 7 vendas/,
      ),
    ]);
    expect(stage.told()[0]).toContain("Chave");
    expect(stage.told()[0]).not.toContain("Atrasado: a hora marcada era");
  });

  test("comes also where the closes of its server's channel were turned off while it waited", async () => {
    const stage = await open();
    await stage.run();
    const off = { week: false, month: false };
    await stage.stores.closes.choose(GUILD, off, BRUNO, stage.clock.now());
    await stage.deliver();
    expect(stage.told()).toHaveLength(1);
  });

  test("names its key in the sentence to a seller of several wallet accounts", async () => {
    const stage = await open();
    const sentence = () => stage.channels.inChannel(directChannel(BRUNO)).at(-1)?.content;
    await stage.beat();
    expect(sentence()).toMatch(/^Semana de/);
    await stage.addSeller({ ownerId: BRUNO, guildId: "g2", since: SINCE, userId: "other" });
    await stage.keep(stage.accountFp, 100, NEXT_WEEK);
    stage.clock.moveBy(7 * DAY);
    await stage.beat();
    expect(sentence()).toMatch(/^Chave final runo · Semana de 23\/11/);
  });

  test("is told in one place: the server's close has no part of the seller's", async () => {
    const stage = await open();
    await stage.saveRoute({ since: SINCE, time: "08:00" });
    const ana = await stage.addSeller({ ownerId: "u-ana", since: SINCE });
    await stage.keep((await stage.stores.accounts.findById(ana))!.accountFp, 1);
    await stage.beat();
    expect(stage.told()).toHaveLength(1);
    expect(stage.inChannel()).toEqual([expect.stringContaining("**R$ 7,00** em 7 vendas")]);
  });

  test("a wallet account with direct reports in two servers has one close, which goes on without the first", async () => {
    const stage = await open();
    const { accounts } = stage.stores;
    for (const guildId of ["g2", "g3"])
      await stage.addSeller({
        ...direct,
        guildId,
        since: SINCE.add({ hours: guildId === "g2" ? 1 : 2 }),
      });
    await stage.run();
    await accounts.remove(GUILD, BRUNO, BRUNO, stage.clock.now());
    await stage.beat();
    expect(stage.told()).toHaveLength(1);
    await accounts.remove("g2", BRUNO, BRUNO, stage.clock.now());
    await stage.beat();
    expect(stage.told()).toHaveLength(1);
    const rows = await stage.db.selectFrom("close_progress").select("progress_id").execute();
    expect(new Set(rows.map((row) => row.progress_id)).size).toBe(1);
  });

  test.each(["reports", "kind"])(
    "a seller who switches the %s off between the figures and the mark gets none",
    async (off) => {
      const stage = await open();
      const { accounts, closes } = stage.stores;
      await stage.run({
        ...closes,
        record: async (...close) => {
          const now = stage.clock.now();
          if (off === "reports") await accounts.chooseReport(GUILD, BRUNO, "off", now);
          else await closes.chooseDirect(stage.watchId, { week: false, month: true }, now);
          return await closes.record(...close);
        },
      });
      await stage.deliver();
      expect(stage.told()).toEqual([]);
    },
  );

  test("a connection that goes between the figures and the mark leaves the close to another one", async () => {
    const stage = await open();
    const { accounts, closes } = stage.stores;
    await stage.addSeller({ ...direct, guildId: "g2", since: SINCE, agrees: false });
    await accounts.chooseReport("g2", BRUNO, "direct", SINCE);
    let isGone = false;
    await stage.run({
      ...closes,
      record: async (...close) => {
        if (isGone) return false;
        isGone = true;
        const [{ route }] = close;
        await accounts.remove(route.guildId, BRUNO, BRUNO, stage.clock.now());
        return await closes.record(...close);
      },
    });
    await stage.beat();
    expect(stage.told()).toHaveLength(1);
  });

  test("a refused key waits with its close until it works again", async () => {
    const stage = await open();
    await stage.db.updateTable("account").set({ paused_at: "2026-11-22T00:00:00.000Z" }).execute();
    await stage.beat();
    expect(stage.told()).toEqual([]);
    await stage.db.updateTable("account").set({ paused_at: null }).execute();
    stage.clock.moveBy(DAY);
    await stage.beat();
    expect(stage.told()).toEqual([expect.stringContaining("Atrasado: a hora marcada era")]);
  });

  test("waits for days of which none is read yet", async () => {
    const stage = await open();
    await stage.db.deleteFrom("sales_day").execute();
    await stage.beat();
    expect(stage.told()).toEqual([]);
  });

  test("waits half an hour for the days of a refused key that works again, and then says which it lacks", async () => {
    for (const isRead of [true, false]) {
      const stage = await open();
      const { accounts } = stage.stores;
      const { run } = startJob(stage);
      const after = async (ms: number): Promise<readonly string[]> => {
        stage.clock.moveBy(ms);
        await run();
        await stage.deliver();
        return stage.told().filter((text) => text.includes("Fechamento"));
      };
      const missed = daysOf(WEEK).slice(-2).map(String);
      await stage.db.deleteFrom("sales_day").where("day", "in", missed).execute();
      await accounts.pause(stage.brunoId, stage.clock.now(), noticeTo(BRUNO, "refused"));
      for (let hours = 0; hours < 24; hours++) expect(await after(HOUR)).toEqual([]);
      await accounts.resume(stage.brunoId);
      expect(await after(MINUTE)).toEqual([]);
      if (isRead) await stage.keep(stage.accountFp, 100);
      else expect(await after(29 * MINUTE)).toEqual([]);
      expect(await after(MINUTE)).toEqual([
        expect.stringMatching(isRead ? /\*\*R\$ 700,00\*\*/ : /Parcial/),
      ]);
    }
  });
});
