import { expect, test, vi } from "vitest";
import { parsePeriod } from "#src/reports/typed-period.ts";
import { salesPeriodView } from "#src/reports/sales-period.view.ts";
import { WalletError } from "#src/shared/errors.ts";
import { brunoKey, noticeTo, savedAccount } from "../database/builders.ts";
import { connectRequest, ANA, ANA_KEY, BRUNO, GUILD, openGuild } from "../support/guild.ts";
import { mistakeIn } from "../support/mistake-in.ts";
import { sampleReport } from "../support/samples.ts";
import { readMessage } from "../ui/read-message.ts";
import { failing } from "./report-stage.ts";

const DAY = Temporal.PlainDate.from("2026-11-19");

const guildWithAna = async () => {
  const guild = await openGuild();
  const account = await guild.services.accounts.connect(connectRequest());
  const pause = async () => {
    const now = guild.clock.now();
    await guild.stores.accounts.pause(account.id, now, noticeTo(ANA, "notice"));
  };
  const pausedAt = async () => (await guild.stores.accounts.findById(account.id))?.pausedAt;
  return { ...guild, account, pause, pausedAt };
};

test("sales are read with the key of whoever asks, and carry the instant of asking", async () => {
  const { services, wallet, clock, account } = await guildWithAna();
  const asked: unknown[] = [];
  wallet.report = async ({ apiKey, fingerprint }, day) => {
    asked.push([apiKey.reveal(), fingerprint, day.toString()]);
    clock.moveBy(400);
    return sampleReport();
  };
  const before = clock.now();
  const { readAt } = await services.sales.report(GUILD, ANA, DAY);
  expect(asked).toEqual([[ANA_KEY, account.accountFp, "2026-11-19"]]);
  // Sales made while the answer was in flight may be missing.
  expect(readAt).toEqual(before);
});

test("an answer that two requests share is as old as the first of them", async () => {
  const { services, wallet, clock } = await guildWithAna();
  const answer = Promise.withResolvers<ReturnType<typeof sampleReport>>();
  wallet.report = () => answer.promise;
  const before = clock.now();
  const first = services.sales.report(GUILD, ANA, DAY);
  await new Promise((resolve) => setImmediate(resolve));
  clock.moveBy(1_900);
  const second = services.sales.report(GUILD, ANA, DAY);
  await new Promise((resolve) => setImmediate(resolve));
  answer.resolve(sampleReport());
  expect((await first).readAt).toEqual(before);
  expect((await second).readAt).toEqual(before);
  expect((await services.sales.report(GUILD, ANA, DAY)).readAt).toEqual(before);
});

test("the same figures read again are as old as the second reading", async () => {
  const { services, wallet, clock } = await guildWithAna();
  wallet.report = async () => sampleReport();
  await services.sales.report(GUILD, ANA, DAY);
  clock.moveBy(3_000);
  expect((await services.sales.report(GUILD, ANA, DAY)).readAt).toEqual(clock.now());
});

test("a day that was read after its close is shown as it was while the service does not answer", async () => {
  const { services, wallet, clock } = await guildWithAna();
  wallet.report = failing("unavailable");
  await expect(services.sales.day(GUILD, ANA, DAY)).rejects.toThrow(WalletError);
  wallet.report = async (_, day) => ({ ...sampleReport(), day });
  const read = await services.sales.day(GUILD, ANA, DAY);
  expect(read.isKept).toBe(false);
  clock.moveBy(3_600_000);

  wallet.report = failing("unavailable");
  const kept = await services.sales.day(GUILD, ANA, DAY, DAY.add({ days: 1 }));
  expect(kept.isKept).toBe(true);
  expect(kept.known.get("2026-11-19")).toEqual(read.known.get("2026-11-19"));
  expect(kept.known.get("2026-11-20")).toBeUndefined();
  const [, text] = readMessage(salesPeriodView(kept, "pt-BR"));
  expect(text).toMatch(
    /^\*\*O serviço de pagamentos não responde agora:\*\* mostro o que li antes\.\n/,
  );
  for (const kind of ["unauthorized", "rate_limited", "malformed"] as const) {
    wallet.report = failing(kind);
    await expect(services.sales.day(GUILD, ANA, DAY)).rejects.toThrow(WalletError);
  }
});

test("a day is not compared with one of which a sale was refunded since it was read", async () => {
  const { services, stores, wallet, clock, account } = await guildWithAna();
  wallet.report = async (_, day) => ({ ...sampleReport(), day });
  const before = DAY.subtract({ days: 1 });
  await services.sales.day(GUILD, ANA, before);
  expect((await services.sales.day(GUILD, ANA, DAY)).days.before).toEqual([before]);
  await stores.salesDays.readAgain(account.accountFp, before, DAY, clock.now());
  expect((await services.sales.day(GUILD, ANA, DAY)).days.before).toEqual([]);
  wallet.report = failing("unavailable");
  expect((await services.sales.day(GUILD, ANA, DAY)).isKept).toBe(true);
});

test("a day that another owner's key reads is not shown to the owner of a refused key while the service does not answer", async () => {
  const { services, stores, wallet, account, pause } = await guildWithAna();
  wallet.report = async (_, day) => ({ ...sampleReport(), day });
  await services.sales.day(GUILD, ANA, DAY);
  await pause();
  wallet.report = failing("unavailable");
  expect((await services.sales.day(GUILD, ANA, DAY)).isKept).toBe(true);

  const other = savedAccount({ guildId: GUILD, ownerId: BRUNO, ownerVerified: false });
  const { accountFp } = await stores.accounts.save(other, brunoKey, ANA);
  expect(accountFp).toBe(account.accountFp);
  await expect(services.sales.day(GUILD, ANA, DAY)).rejects.toMatchObject({ kind: "unavailable" });
});

test("nobody reads with the key of another, nor with one of another guild", async () => {
  const { services } = await guildWithAna();
  expect(await mistakeIn(services.sales.report(GUILD, BRUNO, DAY))).toBe("not_connected");
  expect(await mistakeIn(services.sales.report("1180000000000000009", ANA, DAY))).toBe(
    "not_connected",
  );
});

test("a key that works again goes back to its jobs", async () => {
  const { services, pause, pausedAt } = await guildWithAna();
  await pause();
  await services.sales.report(GUILD, ANA, DAY);
  expect(await pausedAt()).toBeUndefined();
});

test("a key that is still refused stays paused", async () => {
  const { services, wallet, pause, pausedAt, clock } = await guildWithAna();
  await pause();
  wallet.report = failing("unauthorized");
  await expect(services.sales.report(GUILD, ANA, DAY)).rejects.toThrow(WalletError);
  expect(await pausedAt()).toEqual(clock.now());
});

test("one refusal in front of a person leaves the jobs to find out for themselves", async () => {
  const { services, wallet, pausedAt } = await guildWithAna();
  wallet.report = failing("unauthorized");
  await expect(services.sales.report(GUILD, ANA, DAY)).rejects.toThrow(WalletError);
  expect(await pausedAt()).toBeUndefined();
});

test("figures that were read are shown though a paused key cannot be used by jobs again", async () => {
  const { services, wallet, stores, clock, pause, pausedAt } = await guildWithAna();
  wallet.report = async () => sampleReport();
  await pause();
  vi.spyOn(stores.accounts, "resume").mockRejectedValue(new Error("database or disk is full"));
  expect(await services.sales.report(GUILD, ANA, DAY)).toMatchObject(sampleReport());
  const period = parsePeriod("7 dias", clock.now());
  expect((await services.sales.period(GUILD, ANA, period)).missing).toBe(0);
  expect(await pausedAt()).toBeDefined();
});
