import { expect, test, vi } from "vitest";
import { accountingBook } from "#src/accounting-files/accounting-book.view.ts";
import { accountingReply } from "#src/accounting-files/accounting-reply.view.ts";
import { goalView } from "#src/goals/goal.view.ts";
import { salesPeriodView } from "#src/reports/sales-period.view.ts";
import type { Services } from "#src/services.ts";
import { cents } from "#src/shared/money.ts";
import type { Reply } from "#src/ui/reply.ts";
import { WalletError } from "#src/shared/errors.ts";
import { parsePeriod } from "#src/reports/typed-period.ts";
import type { SalesDay } from "#src/reports/sales-days.ts";
import { shownFigures } from "#src/reports/sales-period.ts";
import { MINUTE, SECOND } from "#src/shared/time.ts";
import { noticeTo } from "../database/builders.ts";
import { ANA, ANA_KEY, BRUNO, connect, GUILD, openGuild } from "../support/guild.ts";
import { mistakeIn } from "../support/mistake-in.ts";
import { NOW, sampleReport, sold } from "../support/samples.ts";
import { failing } from "./report-stage.ts";

const withAna = async () => {
  const guild = await openGuild();
  await connect(guild.person(ANA), ANA_KEY);
  const asked: string[] = [];
  const answer = (sales: (day: Temporal.PlainDate) => number) => {
    guild.wallet.report = async (_, day, priority) => {
      asked.push(`${day.toString()} ${priority}`);
      const amount = sales(day);
      return sampleReport(sold(amount === 0 ? 0 : 1, amount, 0), sold(0, 0, 0), day.toString());
    };
  };
  answer(() => 100);
  const { accountFp } = (await guild.stores.accounts.find(GUILD, ANA))!;
  const isKept = async ({ day, readAt }: SalesDay) => {
    const [kept] = await guild.stores.salesDays.between(accountFp, day, day);
    return kept?.readAt.equals(readAt) === true;
  };
  const period = async (typed: string) => {
    asked.length = 0;
    const now = guild.clock.now();
    const reading = await guild.services.sales.period(GUILD, ANA, parsePeriod(typed, now));
    // People do not wait until the figures are kept.
    const known = [...reading.known.values()];
    await vi.waitFor(async () => expect(await Promise.all(known.map(isKept))).not.toContain(false));
    return reading;
  };
  return { ...guild, asked, answer, period, accountFp };
};

test("a period is read once: its days first and newest first, as a person, ten at a time", async () => {
  const { period, asked } = await withAna();
  const first = await period("7 dias");
  expect(asked[0]).toBe("2026-11-20 interactive");
  expect(asked.map((each) => each.slice(8, 10))).toEqual([
    "20",
    "19",
    "18",
    "17",
    "16",
    "15",
    "14",
    "07",
    "08",
    "09",
  ]);
  expect(first.missing).toBe(0);
  expect(shownFigures(first).map(({ sales }) => sales)).toEqual(Array(7).fill(100));
  await period("7 dias");
  // The open day is read again, and what was missing of the days before.
  expect(asked.map((each) => each.slice(8, 10))).toEqual(["20", "10", "11", "12"]);
  await period("7 dias");
  expect(asked).toHaveLength(1);
});

test("a month comes in parts, and missing days are missing, not zero", async () => {
  const { period } = await withAna();
  const missing = [];
  for (let asked = 0; asked < 3; asked += 1) missing.push((await period("30 dias")).missing);
  expect(missing).toEqual([20, 11, 2]);
  expect((await period("30 dias")).missing).toBe(0);
});

test("kept days of a short period are read again after a minute, and stay where that fails", async () => {
  const { period, asked, answer, clock, wallet } = await withAna();
  await period("ontem");
  clock.moveBy(59 * SECOND);
  await period("ontem");
  expect(asked).toEqual([]);
  clock.moveBy(SECOND);
  answer(() => 60);
  const again = shownFigures(await period("ontem"));
  expect(again.map(({ sales, readAt }) => [sales, readAt])).toEqual([[60, clock.now()]]);
  clock.moveBy(MINUTE);
  wallet.report = failing("unavailable");
  expect(shownFigures(await period("ontem"))).toEqual(again);
});

test("figures that an outage leaves as they were are said to be earlier ones, missing days or not", async () => {
  const { period, clock, wallet } = await withAna();
  expect((await period("ontem")).isKept).toBe(false);
  clock.moveBy(MINUTE);
  wallet.report = failing("rate_limited");
  expect((await period("ontem")).isKept).toBe(false);
  wallet.report = failing("unavailable");
  expect(await period("ontem")).toMatchObject({ isKept: true, missing: 0 });
  expect(await period("7 dias")).toMatchObject({ isKept: true, missing: 5 });
});

test("kept days of a longer period are not read again", async () => {
  const { period, asked, clock } = await withAna();
  const typed = "2026-11-01/2026-11-11";
  for (let times = 0; times < 3; times += 1) await period(typed);
  clock.moveBy(MINUTE);
  await period(typed);
  expect(asked).toEqual([]);
});

test("a day with a refund since is read again in a longer period, and is missing where that fails", async () => {
  const { period, asked, answer, clock, stores, accountFp, wallet } = await withAna();
  const typed = "2026-11-01/2026-11-11";
  for (let times = 0; times < 3; times += 1) await period(typed);
  const refunded = Temporal.PlainDate.from("2026-11-05");
  await stores.salesDays.readAgain(accountFp, refunded, refunded, clock.now());
  clock.moveBy(SECOND);
  const figures = async () => {
    const { known, missing } = await period(typed);
    return [known.get("2026-11-05")?.sales, missing];
  };
  wallet.report = failing("unavailable");
  expect(await figures()).toEqual([undefined, 1]);
  answer(() => 60);
  expect(await figures()).toEqual([60, 0]);
  expect(asked).toEqual(["2026-11-05 interactive"]);
  expect(await figures()).toEqual([60, 0]);
  expect(asked).toEqual([]);
});

test("figures that another command read are not read again", async () => {
  const { period, asked, services } = await withAna();
  const day = Temporal.PlainDate.from("2026-11-19");
  await services.sales.report(GUILD, ANA, day);
  await new Promise((resolve) => setImmediate(resolve));
  await period("ontem");
  expect(asked).not.toContain("2026-11-19 interactive");
});

test("days that cannot be read are missing; when none is known the service's answer is told", async () => {
  const { period, wallet } = await withAna();
  wallet.report = failing("unavailable");
  await expect(period("7 dias")).rejects.toThrow(WalletError);
  wallet.report = async (_, day) =>
    day.day % 2 === 0 ? await failing("unavailable")() : { ...sampleReport(), day };
  expect((await period("7 dias")).missing).toBe(4);
});

/** Answers about the days of the present month or week. */
const answers: Readonly<Record<string, (services: Services) => Promise<Reply>>> = {
  "the period": async ({ sales }) =>
    salesPeriodView(await sales.period(GUILD, ANA, parsePeriod("7 dias", NOW)), "pt-BR"),
  "the goal": async ({ goals }) => {
    await goals.save(GUILD, ANA, { amount: cents(4_000_000) });
    return goalView(await goals.read(GUILD, ANA), "pt-BR");
  },
  "the files": async ({ sales }) => {
    const reading = await sales.period(GUILD, ANA, parsePeriod("7 dias", NOW));
    const elsewhere = { kind: "unread" } as const;
    const facts = { reading, keyLast4: "7b7c", withdrawals: [], underWay: 0, elsewhere };
    const printed = { workbook: undefined, page: undefined };
    return accountingReply(facts, accountingBook(facts, "pt-BR"), printed, "pt-BR");
  },
};

test.each(Object.entries(answers))(
  "the answer about %s that lacks a day has the code for the service's support",
  async (_, answer) => {
    const { wallet, services } = await withAna();
    wallet.report = async (_, day) =>
      day.day === 18 ? await failing("malformed")() : { ...sampleReport(), day };
    const fields = (await answer(services)).embeds?.[0]?.fields;
    expect(fields).toContainEqual({ name: "Código de suporte", value: "`req-7`" });
  },
);

test("the answer with the files has the code of a list of withdrawals that could not be read", async () => {
  const { services } = await withAna();
  const reading = await services.sales.period(GUILD, ANA, parsePeriod("7 dias", NOW));
  const elsewhere = { kind: "unread", supportCode: "req_5b1d" } as const;
  const facts = { reading, keyLast4: "7b7c", withdrawals: [], underWay: 0, elsewhere };
  const printed = { workbook: undefined, page: undefined };
  const answer = accountingReply(facts, accountingBook(facts, "pt-BR"), printed, "pt-BR");
  const field = { name: "Código de suporte", value: "`req_5b1d`" };
  expect(answer.embeds?.[0]?.fields).toContainEqual(field);
});

test("a refused key is told although figures are kept", async () => {
  const { period, wallet } = await withAna();
  await period("7 dias");
  wallet.report = failing("unauthorized");
  await expect(period("7 dias")).rejects.toMatchObject({ kind: "unauthorized" });
});

test("a key that was refused has to work before it shows days that another's key may have read", async () => {
  const { period, asked, answer, clock, stores, wallet } = await withAna();
  const typed = "2026-11-01/2026-11-11";
  for (let times = 0; times < 3; times += 1) await period(typed);
  const { id } = (await stores.accounts.find(GUILD, ANA))!;
  const isPaused = async () => (await stores.accounts.findById(id))?.pausedAt !== undefined;
  await stores.accounts.pause(id, clock.now(), noticeTo(ANA, "paused"));
  for (const kind of ["unauthorized", "unavailable"] as const) {
    wallet.report = failing(kind);
    await expect(period(typed)).rejects.toMatchObject({ kind });
  }
  expect(await isPaused()).toBe(true);

  answer(() => 100);
  expect((await period(typed)).missing).toBe(0);
  expect(asked).toEqual(["2026-11-11 interactive"]);
  expect(await isPaused()).toBe(false);
});

test("a period of which one day was refused resumes no key", async () => {
  const { period, answer, clock, stores, wallet } = await withAna();
  const { id } = (await stores.accounts.find(GUILD, ANA))!;
  await stores.accounts.pause(id, clock.now(), noticeTo(ANA, "paused"));
  answer(() => 100);
  const { report } = wallet;
  const refused = failing("unauthorized");
  wallet.report = (key, day, priority) => (day.day === 18 ? refused() : report(key, day, priority));
  await period("7 dias").catch(() => undefined);
  expect((await stores.accounts.findById(id))?.pausedAt).toBeDefined();
});

test("people without a key are asked for one, and nobody reads with another's", async () => {
  const { services, clock } = await withAna();
  const week = parsePeriod("7 dias", clock.now());
  expect(await mistakeIn(services.sales.period(GUILD, BRUNO, week))).toBe("not_connected");
});

test("who asks for a period has the rest read in the background", async () => {
  const { period, stores, clock } = await withAna();
  expect(await Array.fromAsync(stores.salesDays.due(clock.now(), 9))).toEqual([]);
  await period("7 dias");
  expect(await Array.fromAsync(stores.salesDays.due(clock.now(), 9))).toMatchObject([
    { asked: true },
  ]);
});
