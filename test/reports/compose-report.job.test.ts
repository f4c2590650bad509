import { describe, expect, test } from "vitest";
import { cents } from "#src/shared/money.ts";
import type { DailyReport } from "#src/reports/daily-report.ts";
import { DAY, HOUR, MINUTE } from "#src/shared/time.ts";
import { reportSettlement } from "#src/reports/daily-sales-report.job.ts";
import { claimedDelivery, noticeTo } from "../database/builders.ts";
import { sellerOf, storeOf } from "./report-samples.ts";
import { BRUNO, failing, FIRST, SINCE, withBruno } from "./report-stage.ts";
import { directChannel } from "../support/fake-channels.ts";
import {
  CHANNEL,
  GUILD,
  openStage,
  sold,
  soldDay,
  stageWithAna,
  type Stage,
} from "../support/stage.ts";

const lacking = async ({ stores }: Pick<Stage, "stores">, day: string) =>
  (await stores.ledger.sellersOf(GUILD))
    .filter(({ lastDay }) => lastDay?.toString() !== day)
    .map(({ ownerId }) => ownerId);

/** Carla owns Bruno's wallet account too, and her key is refused. */
const withCarlaRefused = async () => {
  const stage = await withBruno();
  const carlaId = await stage.addSeller({
    ownerId: "u-carla",
    since: SINCE,
    apiKey: `sk_sandbox_${GUILD}_${BRUNO}`,
  });
  await stage.stores.accounts.pause(carlaId, SINCE, noticeTo("u-carla", "paused"));
  return { stage, carlaId };
};

describe("a server's report", () => {
  test("tells all sellers of a day in one post, and marks each of them", async () => {
    const stage = await withBruno();
    await stage.beat();
    await stage.beat(MINUTE);
    expect(stage.posts()).toHaveLength(1);
    expect(stage.posts()[0]).toMatch(/R\$ 150,00.*1\. <@u-ana>.*2\. <@u-bruno>/);
    expect(await lacking(stage, "2026-11-18")).toEqual([]);
  });

  test("calls its days by the clocks of the server's zone", async () => {
    const stage = await withBruno("2026-11-19T04:30Z");
    await stage.saveRoute({ time: "23:30", timeZone: "America/Rio_Branco", since: SINCE });
    await stage.beat();
    expect(stage.posts()[0]).toContain("(vendas ontem: ainda não li)");
  });

  test("tells the goal of the month of those who show it", async () => {
    const stage = await withBruno();
    const at = stage.clock.now();
    await stage.stores.goals.save(GUILD, "u-ana", { amount: cents(500_00), shown: true }, at);
    await stage.stores.goals.save(GUILD, BRUNO, { amount: cents(700_00), shown: false }, at);
    await stage.beat();
    expect(stage.posts()[0]).toMatch(
      /"Meta do mês","value":"<@u-ana>: ▰▰▱▱▱▱▱▱▱▱\\n\*\*R\$ 100\*\* de R\$ 500 \(20%\) · faltam R\$ 400 em 12 dias/,
    );
    expect(stage.posts()[0]).not.toContain("R$ 700");
  });

  test("waits for a seller who cannot be read, for fifteen minutes, and then names the seller", async () => {
    const stage = await withBruno();
    stage.trouble.kind = "timeout";
    await stage.beat();
    await stage.beat(14 * MINUTE);
    expect(stage.posts()).toEqual([]);
    await stage.beat(MINUTE);
    expect(stage.posts()).toHaveLength(1);
    expect(stage.posts()[0]).toContain("Falta <@u-bruno>: ainda não consegui ler");
    expect(await lacking(stage, "2026-11-18")).toEqual([BRUNO]);
  });

  test("waits no longer because those who were read ask for the day again", async () => {
    const stage = await withBruno();
    const { accountFp } = (await stage.stores.accounts.findById(stage.anaId))!;
    stage.trouble.kind = "timeout";
    await stage.beat();
    for (const minutes of [5, 5, 5]) {
      expect(stage.posts()).toEqual([]);
      const again = soldDay(stage.clock.now(), Temporal.PlainDate.from("2026-11-18"));
      await stage.stores.salesDays.keep(accountFp, again);
      await stage.beat(minutes * MINUTE);
    }
    expect(stage.posts()).toHaveLength(1);
  });

  test("does not wait for a refused key", async () => {
    const stage = await withBruno();
    stage.trouble.kind = "unauthorized";
    await stage.beat();
    expect(stage.posts()).toHaveLength(1);
    expect(stage.posts()[0]).toContain("Falta <@u-bruno>: a chave foi recusada");
  });

  test("has no figures of a refused key's seller that another seller's key read", async () => {
    const stage = await withBruno();
    const carla = { ownerId: "u-carla", guildId: "2", since: SINCE, isDirect: true };
    await stage.addSeller({ ...carla, apiKey: `sk_sandbox_${GUILD}_${BRUNO}` });
    await stage.stores.accounts.pause(stage.brunoId, SINCE, noticeTo(BRUNO, "paused"));
    await stage.beat();
    expect(stage.reads).toContain("u-carla");
    expect(stage.posts()[0]).toContain("Falta <@u-bruno>: a chave foi recusada");
  });

  test("names no owner of a refused key whose wallet account is counted by another owner's", async () => {
    const { stage } = await withCarlaRefused();
    await stage.beat();
    expect(stage.posts()).toHaveLength(1);
    expect(stage.posts()[0]).toMatch(/R\$ 150,00.*1\. <@u-ana>.*2\. <@u-bruno>/);
    expect(stage.posts()[0]).not.toMatch(/Falta|sem contar|u-carla/);
    await stage.saveRoute({ emptyChoice: "skip", since: SINCE });
    stage.wallet.read = async (_, day) => sold(day, 0);
    await stage.beat(DAY);
    expect(stage.posts()).toHaveLength(1);
  });

  test("is not completed by an owner whose wallet account another owner's key had in its sums", async () => {
    const { stage, carlaId } = await withCarlaRefused();
    await stage.beat();
    await stage.stores.accounts.resume(carlaId);
    await stage.beat(30 * MINUTE);
    expect(stage.posts()).toHaveLength(1);
    expect(await lacking(stage, "2026-11-18")).toEqual([]);
    await stage.beat(DAY);
    expect(stage.posts()).toHaveLength(2);
    expect(stage.posts()[1]).toMatch(/Fechamento de quinta, 19\/11/);
  });

  test("is not split by an outage of the whole service, however long", async () => {
    const stage = await withBruno();
    const { read } = stage.wallet;
    stage.wallet.read = failing("unavailable");
    for (let minutes = 0; minutes < 60; minutes += 1) await stage.beat(MINUTE);
    stage.wallet.read = read;
    for (let minutes = 0; minutes < 30; minutes += 1) await stage.beat(MINUTE);
    expect(stage.posts()).toHaveLength(1);
    expect(stage.posts()[0]).not.toContain("Falta");
  });

  test("is completed once by the seller who was missing, with the new sum", async () => {
    const stage = await withBruno();
    stage.trouble.kind = "unauthorized";
    await stage.beat();
    stage.trouble.kind = undefined;
    await stage.stores.accounts.resume(stage.brunoId);
    await stage.beat(30 * MINUTE);
    await stage.beat(30 * MINUTE);
    expect(stage.posts()).toHaveLength(2);
    expect(stage.posts()[1]).toMatch(
      /Complemento do fechamento de quarta, 18\/11.*<@u-bruno> \*\*R\$ 50,00/,
    );
    expect(stage.posts()[1]).toContain("Loja Aurora fecha o dia com **R$ 150,00** em 2 vendas");
    expect(await lacking(stage, "2026-11-18")).toEqual([]);
  });

  test("of the next day leaves out a seller who lacks the day before, so that no day is lost", async () => {
    const stage = await withBruno();
    stage.trouble.kind = "timeout";
    await stage.beat();
    await stage.beat(15 * MINUTE);
    await stage.beat(DAY);
    await stage.beat(15 * MINUTE);
    stage.trouble.kind = undefined;
    await stage.beat(HOUR);
    const told = stage
      .posts()
      .map((text) => [
        /(?:Fechamento|Complemento do fechamento) de \p{L}+, (\d\d)/u.exec(text)?.[1],
        text.startsWith('[{"color"') && /Complemento/.test(text),
      ]);
    expect(told).toEqual([
      ["18", false],
      ["19", false],
      ["18", true],
      ["19", true],
    ]);
  });

  test("reads nobody again after a kill between reading and recording", async () => {
    const stage = await withBruno();
    stage.trouble.kind = "timeout";
    await stage.prepare();
    stage.trouble.kind = undefined;
    const next = stage.startProcess();
    await next.tick();
    await next.stop();
    expect(stage.reads.toSorted()).toEqual(["u-ana", BRUNO, BRUNO]);
    expect(stage.posts()).toHaveLength(1);
  });

  test("is written once by two processes", async () => {
    const stage = await withBruno();
    const processes = [stage.startProcess(), stage.startProcess()];
    await Promise.all(processes.map((each) => each.tick()));
    for (const each of processes) await each.stop();
    expect(stage.posts()).toHaveLength(1);
  });

  test("is not posted if its route is switched off after it was claimed", async () => {
    const stage = await stageWithAna("2026-11-20T00:05Z");
    await stage.prepare();
    const { outbox } = stage.stores;
    const { claim } = outbox;
    Object.assign(outbox, {
      claim: async (...given: Parameters<typeof claim>) => {
        const claims = await claim(...given);
        await stage.saveRoute({ since: stage.clock.now(), active: false });
        return claims;
      },
    });
    await stage.deliver();
    expect(stage.channels.messages).toEqual([]);
  });

  test("is posted whole where the first sellers sold nothing and others are missing", async () => {
    const stage = await withBruno();
    await stage.saveRoute({ emptyChoice: "skip", since: SINCE });
    stage.trouble.kind = "unauthorized";
    const { read } = stage.wallet;
    stage.wallet.read = async (account, day) =>
      account.id === stage.brunoId ? await read(account, day) : sold(day, 0);
    await stage.beat();
    expect(stage.posts()).toHaveLength(1);
    expect(stage.posts()[0]).toContain("Falta <@u-bruno>");
  });
});

test("a completion after a restore from a copy says that it may have been told before, a store's report does not", async () => {
  const { clock, stores } = await stageWithAna(FIRST);
  const { payloadOf } = reportSettlement({ clock, ...stores });
  const said = (completes: string | undefined, cause: "gap" | "restored") => {
    const report = storeOf([sellerOf(1, [100_00]), sellerOf(2, [200_00])], { completes });
    const lostLives = [{ cause, since: clock.now(), until: clock.now() }];
    return JSON.stringify(
      payloadOf?.(claimedDelivery("report|1", clock.now(), { payload: { report }, lostLives }), []),
    );
  };
  expect(said("account-1", "restored")).toContain(
    "Talvez eu já tenha postado isto: os dados do Balcão foram restaurados de um backup.",
  );
  expect(said("account-1", "gap")).not.toContain("Talvez");
  expect(said(undefined, "restored")).not.toContain("Talvez");
});

describe("a lost channel", () => {
  const LOST = { made: false, outcome: { kind: "lost_channel", code: 50_001 } } as const;
  const lost = async () => {
    const stage = await stageWithAna(FIRST);
    stage.channels.mishap = (channelId) => (channelId === CHANNEL ? LOST : undefined);
    const isSuspended = async (): Promise<boolean> =>
      (await stage.stores.routes.find(GUILD))?.suspendedAt !== undefined;
    const days = (): readonly string[] =>
      stage.channels
        .inChannel(CHANNEL)
        .flatMap(({ text }) => /Fechamento de \S+, (\d\d\/\d\d)/.exec(text)?.[1] ?? []);
    const told = (): number => stage.channels.inChannel(directChannel("u-ana")).length;
    await stage.beat();
    expect(await isSuspended()).toBe(true);
    return { ...stage, isSuspended, days, told };
  };

  test("whose last report its seller took back is tried by the next report that is due", async () => {
    const stage = await lost();
    const { accounts } = stage.stores;
    await accounts.chooseReport(GUILD, "u-ana", "off", stage.clock.now());
    await accounts.chooseReport(GUILD, "u-ana", "channel", stage.clock.now());
    await stage.beat(DAY);
    expect(stage.days()).toEqual([]);
    expect(await stage.isSuspended()).toBe(true);
    await accounts.chooseReport(GUILD, "u-ana", "off", stage.clock.now());
    await accounts.chooseReport(GUILD, "u-ana", "channel", stage.clock.now());
    stage.channels.mishap = undefined;
    await stage.beat(DAY);
    expect(stage.days()).toEqual(["20/11"]);
    expect(await stage.isSuspended()).toBe(false);
    expect(stage.told()).toBe(1);
  });

  test("is tried for as long as it is lost, and then gets the reports of the last seven days and later", async () => {
    const stage = await lost();
    for (let hours = 0; hours < 20 * 24; hours += 8) await stage.beat(8 * HOUR);
    expect(stage.days()).toEqual([]);
    stage.channels.mishap = undefined;
    for (let hours = 0; hours < 2 * 24; hours += 8) await stage.beat(8 * HOUR);
    expect(await stage.isSuspended()).toBe(false);
    expect(stage.days().slice(-8)).toEqual([
      "03/12",
      "04/12",
      "05/12",
      "06/12",
      "07/12",
      "08/12",
      "09/12",
      "10/12",
    ]);
    expect(stage.told()).toBe(1);
  });
});

describe("a report that is not posted yet", () => {
  test("says at posting of which day it is, and that it is late", async () => {
    const stage = await withBruno();
    await stage.prepare();
    stage.clock.moveBy(3 * DAY);
    await stage.deliver();
    expect(stage.posts()[0]).toContain("(vendas na véspera: ainda não li)");
    expect(stage.posts()[0]).toMatch(/"Atrasado: a hora marcada era".*<t:/);
  });

  test("loses the figures of a seller who withdraws consent, and keeps the others'", async () => {
    const stage = await withBruno();
    await stage.prepare();
    await stage.stores.accounts.chooseReport(GUILD, BRUNO, "off", stage.clock.now());
    await stage.beat();
    expect(stage.posts()).toHaveLength(1);
    expect(stage.posts()[0]).toContain("R$ 100,00");
    expect(stage.posts()[0]).not.toMatch(/u-bruno|150,00|50,00/);
  });

  test("loses those of a seller who disconnects", async () => {
    const stage = await withBruno();
    await stage.prepare();
    await stage.stores.accounts.remove(GUILD, BRUNO, BRUNO, stage.clock.now());
    const rows = await stage.db.selectFrom("outbox").select("payload").execute();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(stage.brunoId);
  });

  test("loses a goal that its seller hides", async () => {
    const stage = await withBruno();
    const at = stage.clock.now();
    await stage.stores.goals.save(GUILD, "u-ana", { amount: cents(500_00), shown: true }, at);
    await stage.prepare();
    await stage.stores.goals.save(GUILD, "u-ana", { shown: false }, at);
    await stage.deliver();
    expect(stage.posts()[0]).toContain("<@u-ana>");
    expect(stage.posts()[0]).not.toContain("Meta do mês");
  });

  test("is not posted when its last seller disconnects", async () => {
    const stage = await stageWithAna(FIRST);
    await stage.prepare();
    await stage.stores.accounts.remove(GUILD, "u-ana", "u-ana", stage.clock.now());
    await stage.deliver();
    expect(stage.channels.messages).toEqual([]);
    expect(await stage.db.selectFrom("outbox").selectAll().execute()).toEqual([]);
  });

  test("is not posted of a day without sales where the server skips these, once who sold has gone", async () => {
    const stage = await withBruno();
    await stage.saveRoute({ emptyChoice: "skip", since: SINCE });
    stage.wallet.read = async ({ id }, day) => sold(day, id === stage.brunoId ? 50 : 0);
    await stage.prepare();
    const before = await stage.db.selectFrom("outbox").select("payload").executeTakeFirst();
    await stage.stores.accounts.chooseReport(GUILD, BRUNO, "off", stage.clock.now());
    await stage.deliver();
    await stage.beat(MINUTE);
    expect(stage.posts()).toEqual([]);
    expect(await lacking(stage, "2026-11-18")).toEqual([]);
    const { payloadOf } = reportSettlement({ clock: stage.clock, ...stage.stores });
    const claim = claimedDelivery("report|g1|c1|2026-11-18", stage.clock.now(), {
      payload: JSON.parse(before!.payload),
    });
    expect(payloadOf?.(claim, [stage.brunoId])).toBeUndefined();
    expect(JSON.stringify(payloadOf?.(claim, [stage.anaId]))).toMatch(/50,00/);
  });

  test("of a day without sales goes out for a correction, or a seller who is missing, once who sold has gone", async () => {
    const { clock, stores } = await stageWithAna(FIRST);
    const { payloadOf } = reportSettlement({ clock, ...stores });
    const [quiet, gone] = [sellerOf(1, [0]), sellerOf(2, [200_00])];
    const textOf = (report: DailyReport) =>
      JSON.stringify(
        payloadOf?.(claimedDelivery("r", clock.now(), { payload: { report } }), ["account-2"]),
      );
    const corrections = [{ day: "2026-11-17", before: cents(9_00), now: cents(1_00) }];
    const corrected = [{ ...quiet, corrections }, gone];
    expect(textOf(storeOf(corrected, { emptyChoice: "skip" }))).toContain("9,00");
    const missing = [{ accountId: "account-3", ownerId: "u-missing", isRefused: true }];
    expect(textOf(storeOf([quiet, gone], { emptyChoice: "skip", missing }))).toMatch(/u-missing/);
    for (const emptyChoice of ["line", "send"] as const)
      expect(textOf(storeOf([quiet, gone], { emptyChoice }))).toMatch(/nenhuma venda/i);
  });
});

describe("reports after an outage of days", () => {
  const afterAnOutage = async (): Promise<Stage> => {
    const stage = await openStage("2026-11-26T00:10Z");
    const since = Temporal.Instant.from("2026-11-19T12:00Z");
    await stage.saveRoute({ since });
    await stage.addSeller({ ownerId: "u-ana", since });
    return stage;
  };
  const postedDays = async ({ db, channels }: Stage): Promise<readonly string[]> => {
    const rows = await db.selectFrom("outbox").select(["day", "message_id"]).execute();
    const dayOf = new Map(rows.map((row) => [row.message_id, row.day?.slice(-2) ?? ""]));
    return channels.inChannel(CHANNEL).map(({ id }) => dayOf.get(id) ?? "");
  };
  const deliverFor = async (stage: Stage, hours: number): Promise<void> => {
    for (let hour = 0; hour <= hours; hour++) {
      await stage.deliver();
      stage.clock.moveBy(HOUR);
    }
  };

  test("posts a day after the late ones before it, which an outage of days has spread over hours", async () => {
    const stage = await afterAnOutage();
    await stage.prepare();
    await deliverFor(stage, 3);
    expect(await postedDays(stage)).toEqual(["19", "20", "21", "22", "23", "24", "25"]);
  });

  test("posts late days in order also when some could be read only later", async () => {
    const stage = await afterAnOutage();
    stage.wallet.read = async (_, day) => {
      if (day.day === 23) await failing("unavailable")();
      return sold(day);
    };
    await stage.prepare();
    stage.wallet.read = async (_, day) => sold(day);
    stage.clock.moveBy(MINUTE);
    await stage.prepare();
    await deliverFor(stage, 4);
    expect(await postedDays(stage)).toEqual(["19", "20", "21", "22", "23", "24", "25"]);
  });
});
