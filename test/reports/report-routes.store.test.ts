import { describe, expect, test } from "vitest";
import { presences } from "#src/accounts/presences.store.ts";
import { closesStore } from "#src/closes/closes.store.ts";
import { goalsStore } from "#src/goals/goals.store.ts";
import { cents } from "#src/shared/money.ts";
import { DAY, HOUR, MINUTE } from "#src/shared/time.ts";
import type { DailyReport } from "#src/reports/daily-report.ts";
import { reportLedger } from "#src/reports/report-ledger.store.ts";
import { databases } from "../support/databases.ts";
import {
  ANA,
  anaKey,
  blocked,
  BRUNO,
  brunoKey,
  CARLA,
  CHANNEL,
  chosenRoute,
  savedRoute,
  delivery,
  GUILD,
  later,
  NOON,
  noticeTo,
  savedAccount,
} from "../database/builders.ts";
import { useStores } from "../database/use-store.ts";

const OTHER_CHANNEL = "910000000000000002";
const day = Temporal.PlainDate.from("2026-11-18");

describe.each(databases)("report routes on $name", (kind) => {
  const { store, accounts, routes, outbox } = useStores(kind);
  const save = (changes: Parameters<typeof chosenRoute>[0] = {}, at = NOON) =>
    routes().save(...savedRoute(changes), at);

  const leave = (n: number, choice: "direct" | "off") =>
    accounts().chooseReport(GUILD, ANA, choice, later(n));

  const hideGoal = async () => {
    const goals = goalsStore(store().db);
    await goals.save(GUILD, ANA, { amount: cents(1), shown: true }, NOON);
    await goals.remove(GUILD, ANA, NOON);
  };

  test("come back as they were saved, and begin when they are saved", async () => {
    const saved = await save({ time: Temporal.PlainTime.from("09:30"), timeZone: "Asia/Tokyo" });
    expect(await routes().find(GUILD)).toEqual(saved);
    expect(saved).toMatchObject({ ...chosenRoute({ timeZone: "Asia/Tokyo" }), time: saved.time });
    expect(saved.time.toString()).toBe("09:30:00");
    expect(saved.activeSince.equals(NOON)).toBe(true);
    expect(saved.suspendedAt).toBeUndefined();
    expect(await routes().find("nowhere")).toBeUndefined();
  });

  test("changed by many at once, the first time too, lose no change", async () => {
    const time = Temporal.PlainTime.from("00:00");
    const change = { hours: 1 };
    await Promise.all(
      Array.from({ length: 12 }, () =>
        routes().save(
          GUILD,
          (before) => chosenRoute({ time: (before?.time ?? time).add(change) }),
          NOON,
        ),
      ),
    );
    expect((await routes().find(GUILD))?.time.toString()).toBe("12:00:00");
  });

  test("changed while they are on keep their beginning", async () => {
    await save();
    const changes = { channelId: OTHER_CHANNEL, time: Temporal.PlainTime.from("22:00") };
    const changed = await save({ ...changes, locale: "en-US" }, later(HOUR));
    expect(changed).toMatchObject({ channelId: OTHER_CHANNEL, locale: "en-US" });
    expect(changed.activeSince.equals(NOON)).toBe(true);
  });

  test("given another channel take along the reports that wait for it, not those to a seller", async () => {
    await save();
    const direct = { kind: "person", userId: ANA } as const;
    await outbox().enqueue(delivery("report"), NOON);
    await outbox().enqueue(delivery("direct", { target: direct }), NOON);
    await save({ channelId: OTHER_CHANNEL }, later(1));
    const claimed = await outbox().claim({
      owner: "one",
      leaseMs: MINUTE,
      limit: 9,
      now: later(1),
    });
    const targets = new Map(claimed.map(({ dedupeKey, target }) => [dedupeKey, target]));
    expect(targets.get("report")).toEqual({ kind: "channel", channelId: OTHER_CHANNEL });
    expect(targets.get("direct")).toEqual(direct);
  });

  test("switched off and on again begin anew", async () => {
    await save();
    expect((await save({ active: false }, later(HOUR))).active).toBe(false);
    const on = await save({}, later(2 * HOUR));
    expect(on.activeSince.equals(later(2 * HOUR))).toBe(true);
  });

  test("switched off take back the reports and closes that wait, not the notices or another guild's", async () => {
    await save();
    await outbox().enqueue(delivery("report"), NOON);
    await outbox().enqueue(delivery("close", { kind: "close" }), NOON);
    await outbox().enqueue({ ...noticeTo(ANA, "notice"), guildId: GUILD }, NOON);
    await outbox().enqueue(delivery("elsewhere", { guildId: "other" }), NOON);
    await save({ active: false }, later(1));
    expect(await outbox().state("report")).toBe("obsolete");
    expect(await outbox().state("close")).toBe("obsolete");
    expect(await outbox().state("notice")).toBe("due");
    expect(await outbox().state("elsewhere")).toBe("due");
  });

  test("are suspended once, with the notices in the same transaction", async () => {
    await save();
    const asked = [1, 2, 3].map((n) =>
      routes().suspend(GUILD, CHANNEL, later(n), [
        noticeTo(ANA, `ana|${n}`),
        noticeTo(BRUNO, `bruno|${n}`),
      ]),
    );
    const first = await Promise.all(asked);
    expect(first.filter(Boolean)).toHaveLength(1);
    const winner = first.indexOf(true) + 1;
    const told = await store()
      .db.selectFrom("outbox")
      .select("dedupe_key")
      .orderBy("dedupe_key")
      .execute();
    expect(told.map((row) => row.dedupe_key)).toEqual([`ana|${winner}`, `bruno|${winner}`]);
    expect((await routes().find(GUILD))?.suspendedAt?.equals(later(winner))).toBe(true);
  });

  test("are not suspended for a channel that is no longer theirs", async () => {
    await save();
    expect(await routes().suspend(GUILD, OTHER_CHANNEL, NOON, [])).toBe(false);
    expect(await routes().suspend("nowhere", CHANNEL, NOON, [])).toBe(false);
    expect((await routes().find(GUILD))?.suspendedAt).toBeUndefined();
  });

  test("are lifted once, and by being saved with their channel, not by another change", async () => {
    await save();
    expect(await routes().lift(GUILD, CHANNEL)).toBe(false);
    await routes().suspend(GUILD, CHANNEL, NOON, []);
    expect(await routes().lift(GUILD, OTHER_CHANNEL)).toBe(false);
    expect(await routes().lift(GUILD, CHANNEL)).toBe(true);
    expect(await routes().lift(GUILD, CHANNEL)).toBe(false);
    await routes().suspend(GUILD, CHANNEL, NOON, []);
    expect((await save({ emptyChoice: "skip" }, later(1))).suspendedAt?.equals(NOON)).toBe(true);
    expect((await save({ liftsSuspension: true }, later(1))).suspendedAt).toBeUndefined();
    await routes().suspend(GUILD, CHANNEL, NOON, []);
    expect((await save({ channelId: OTHER_CHANNEL })).suspendedAt).toBeUndefined();
  });

  test("suspended have no reports and closes while one waits for the lost channel, and again once none does", async () => {
    const ledger = reportLedger(store().db);
    await save();
    await accounts().save(savedAccount(), anaKey);
    const hour = { time: Temporal.PlainTime.from("21:05"), timeZone: "America/Sao_Paulo" };
    const closed = Temporal.PlainDate.from("2026-11-19");
    const found = async () => [
      (await Array.fromAsync(ledger.owing(closed))).flat().length,
      (await ledger.sellersOf(GUILD)).length,
      (await ledger.hours()).length,
      (await ledger.guildsAt([hour])).length,
      (await Array.fromAsync(closesStore(store().db).lacking(later(30 * DAY)))).flat().length,
    ];
    await outbox().enqueue(delivery("held"), NOON);
    expect(await found()).toEqual([1, 1, 1, 1, 1]);
    await routes().suspend(GUILD, CHANNEL, NOON, []);
    expect(await found()).toEqual([0, 0, 0, 0, 0]);
    await outbox().cancelUnsent("held", NOON);
    const elsewhere = { kind: "channel", channelId: OTHER_CHANNEL } as const;
    await outbox().enqueue(delivery("of another channel", { target: elsewhere }), NOON);
    await outbox().enqueue(delivery("a sale", { kind: "sale_notice" }), NOON);
    expect(await found()).toEqual([1, 1, 1, 1, 1]);
    await outbox().enqueue(delivery("a close", { kind: "close" }), NOON);
    expect(await found()).toEqual([0, 0, 0, 0, 0]);
  });

  test("saved again give what their lost channel held back its next attempt at once, and leave an attempt under way", async () => {
    await save();
    await outbox().enqueue(delivery("held"), NOON);
    const request = { owner: "one", leaseMs: MINUTE, limit: 1, now: later(1) };
    const [head] = await outbox().claim(request);
    await save();
    expect(await outbox().state("held")).toBe("sending");
    await outbox().settle(head!, blocked(later(HOUR)));
    await save({}, later(1));
    expect(await outbox().claim(request)).toHaveLength(1);
  });

  test("saved in another language have the reports that wait told in it, and no other server's", async () => {
    await save({ locale: "en-US" });
    const report = { locale: "en-US", sellers: [], missing: [] } as unknown as DailyReport;
    for (const guildId of [GUILD, "g2"])
      await outbox().enqueue(delivery(guildId, { guildId, payload: { report } }), NOON);
    await routes().suspend(GUILD, CHANNEL, NOON, []);
    await save({ locale: "pt-BR", channelId: OTHER_CHANNEL });
    const request = { owner: "one", leaseMs: MINUTE, limit: 2, now: later(1) };
    const told = (await outbox().claim(request)).map(
      ({ guildId, payload }) => [guildId, payload.report?.locale] as const,
    );
    expect(new Map(told)).toEqual(
      new Map([
        [GUILD, "pt-BR"],
        ["g2", "en-US"],
      ]),
    );
  });

  // SQLite has one transaction.
  test.runIf(kind.name === "PostgreSQL").each([
    ["takes back the consent", (n: number) => leave(n, "off")],
    ["changes to direct messages", (n: number) => leave(n, "direct")],
    ["hides the goal", () => hideGoal()],
    ["disconnects", () => accounts().remove(GUILD, ANA, ANA, NOON)],
  ])("get another channel while a seller of the waiting posts %s", async (_, go) => {
    const [one, other] = [CHANNEL, OTHER_CHANNEL];
    await save();
    await accounts().save(savedAccount({ ownerId: BRUNO }), brunoKey);
    for (let round = 0; round < 20; round += 1) {
      const [from, to] = round % 2 === 0 ? [one, other] : [other, one];
      const { id } = await accounts().save(savedAccount(), anaKey);
      await accounts().chooseReport(GUILD, ANA, "channel", later(round * 2));
      const sellers = [{ accountId: id }, { accountId: "of another seller" }];
      const report = { sellers, missing: [] } as unknown as DailyReport;
      const post = { target: { kind: "channel", channelId: from }, day } as const;
      for (let each = 0; each < 4; each += 1) {
        const [close, daily] = [`close|${round}|${each}`, `report|${round}|${each}`];
        const ofSeller = each === 0 ? { accountId: id } : {};
        await outbox().enqueue(
          delivery(close, { ...post, kind: "close", closeKind: "week" }),
          later(round * 2 + 1),
        );
        await outbox().enqueue(
          delivery(daily, { ...post, ...ofSeller, payload: { report } }),
          later(round * 2 + 1),
        );
      }
      await Promise.all([save({ channelId: to }), go(round * 2 + 2)]);
      await store().db.deleteFrom("outbox").execute();
    }
  });

  test("concern the sellers who agreed and the admin who set them, each once", async () => {
    await accounts().save(savedAccount(), anaKey);
    await accounts().save(savedAccount({ ownerId: BRUNO, reportConsent: false }), brunoKey);
    const owners = async () => (await routes().owners(GUILD)).map(({ id }) => id);
    expect(await owners()).toEqual([ANA]);
    await save();
    expect(await owners()).toEqual([ANA, CARLA]);
    await save({ updatedBy: ANA });
    expect(await owners()).toEqual([ANA]);
  });

  test("concern an admin in the language known in this server, or else of the latest connection", async () => {
    await save();
    const owner = { ownerId: CARLA, locale: "en-US" } as const;
    await accounts().save(savedAccount({ ...owner, guildId: "g2", connectedAt: later(1) }), anaKey);
    await accounts().save(savedAccount({ ...owner, guildId: "g3", locale: "pt-BR" }), anaKey);
    expect(await routes().owners(GUILD)).toEqual([{ id: CARLA, locale: "en-US" }]);
    await accounts().save(savedAccount({ ...owner, locale: "pt-BR" }), anaKey);
    expect(await routes().owners(GUILD)).toEqual([{ id: CARLA, locale: "pt-BR" }]);
  });

  test("concern a seller whom an admin connected here in the language known in another server", async () => {
    const seller = { ownerId: BRUNO, connectedBy: CARLA, locale: undefined };
    await accounts().save(savedAccount(seller), anaKey);
    await accounts().save(
      savedAccount({ guildId: "g2", ownerId: BRUNO, locale: "en-US" }),
      brunoKey,
    );
    expect(await routes().owners(GUILD)).toEqual([{ id: BRUNO, locale: "en-US" }]);
  });

  test("concern neither admin nor seller of another server", async () => {
    await save();
    await save({ guildId: "g2", updatedBy: BRUNO });
    await accounts().save(savedAccount({ guildId: "g2" }), anaKey);
    expect(await routes().owners(GUILD)).toEqual([{ id: CARLA, locale: undefined }]);
  });

  test("concern a seller who has left another server alone", async () => {
    for (const guildId of [GUILD, "g2"]) await accounts().save(savedAccount({ guildId }), anaKey);
    await save();
    await presences(store().db).keep("g2", ANA, "left", later(1), undefined);
    expect(await routes().owners(GUILD)).toMatchObject([{ id: ANA }, { id: CARLA }]);
  });

  test("concern no seller who has left the server", async () => {
    await accounts().save(savedAccount(), anaKey);
    await accounts().save(savedAccount({ ownerId: BRUNO }), brunoKey);
    await save();
    const { keep } = presences(store().db);
    const owners = async () => (await routes().owners(GUILD)).map(({ id }) => id);
    await keep(GUILD, ANA, "left", later(1), undefined);
    expect(await owners()).toEqual([BRUNO, CARLA]);
    await keep(GUILD, ANA, "here", later(2), undefined);
    expect(await owners()).toEqual([ANA, BRUNO, CARLA]);
  });
});
