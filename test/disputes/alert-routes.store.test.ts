import { describe, expect, test } from "vitest";
import { HOUR, MINUTE } from "#src/shared/time.ts";
import { alertRoutes } from "#src/disputes/alert-routes.store.ts";
import { alertSteps } from "#src/disputes/dispute-alert.ts";
import { databases } from "../support/databases.ts";
import {
  ANA,
  anaKey,
  blocked,
  dueAgain,
  BRUNO,
  brunoKey,
  CARLA,
  CHANNEL,
  savedRoute,
  delivery,
  GUILD,
  later,
  NOON,
  noticeTo,
  savedAccount,
} from "../database/builders.ts";
import { alertKey, alertOf, chosenAlertRoute, OTHER_CHANNEL, owedIn } from "./dispute-builders.ts";
import { useStores } from "../database/use-store.ts";
import { asRoute } from "../support/samples.ts";

describe.each(databases)("alert routes on $name", (kind) => {
  const { store, outbox, accounts, routes: reports } = useStores(kind);
  const routes = () => alertRoutes(store().db);
  const save = (changes: Parameters<typeof chosenAlertRoute>[0] = {}, at = NOON) =>
    routes().save(...asRoute(chosenAlertRoute(changes)), at);
  const claim = (now = later(1)) =>
    outbox().claim({ owner: "one", leaseMs: MINUTE, limit: 10, now });
  const connect = async (): Promise<string> => {
    const { id } = await accounts().save(savedAccount(), anaKey);
    return id;
  };

  test("come back as they were saved, with the audit", async () => {
    const saved = await save();
    expect(saved).toEqual({ ...chosenAlertRoute(), suspendedAt: undefined });
    expect(await routes().find(GUILD)).toEqual(saved);
    expect(saved.quiet?.to.toString()).toBe("07:30:00");
    expect(await routes().find("nowhere")).toBeUndefined();
    const plain = { roleId: undefined, quiet: undefined, pingSteps: [], slowNights: false };
    expect(await save(plain, later(HOUR))).toMatchObject(plain);
    const audit = await store().db.selectFrom("audit_event").selectAll().execute();
    expect(audit).toHaveLength(2);
    expect(audit[0]).toMatchObject({ actor: CARLA, action: "alert_route_saved", subject: GUILD });
  });

  test("changed by many at once, the first time too, lose no change", async () => {
    await Promise.all(
      alertSteps.map((step) =>
        routes().save(
          GUILD,
          (before) => chosenAlertRoute({ pingSteps: [...(before?.pingSteps ?? []), step] }),
          NOON,
        ),
      ),
    );
    expect((await routes().find(GUILD))?.pingSteps.toSorted()).toEqual(alertSteps.toSorted());
  });

  test("lose a suspension with their channel", async () => {
    await save();
    await routes().suspend(GUILD, CHANNEL, NOON, []);
    expect((await save({ quiet: undefined })).suspendedAt?.equals(NOON)).toBe(true);
    const changed = await save({ channelId: OTHER_CHANNEL }, later(HOUR));
    expect(changed.suspendedAt).toBeUndefined();
  });

  test("are in the zone of the server's report, also when it changes after them", async () => {
    await reports().save(...savedRoute({ timeZone: "America/Rio_Branco" }), NOON);
    const saved = await save({ timeZone: "America/Sao_Paulo" });
    expect(saved.timeZone).toBe("America/Rio_Branco");
    expect(await routes().find(GUILD)).toEqual(saved);
    await reports().save(...savedRoute({ timeZone: "America/Manaus" }), NOON);
    expect((await routes().find(GUILD))?.timeZone).toBe("America/Manaus");
  });

  test("given another channel take along what was not attempted, and leave the rest", async () => {
    const id = await connect();
    await save();
    await outbox().enqueue(alertOf(id, "new"), NOON);
    const [attempted] = await claim();
    await outbox().settle(attempted!, dueAgain(later(HOUR)));
    await outbox().enqueue(alertOf(id, "72h"), NOON);
    await claim();
    await outbox().enqueue(alertOf(id, "48h"), NOON);
    await outbox().enqueue(alertOf(id, "6h", { target: { kind: "person", userId: ANA } }), NOON);
    await outbox().enqueue(alertOf(id, "24h", { guildId: "elsewhere" }), NOON);
    await outbox().enqueue(delivery("report"), NOON);
    await save({ channelId: OTHER_CHANNEL });
    expect(await owedIn(store().db)).toEqual({
      [alertKey(id, "new")]: `channel ${CHANNEL} due`,
      [alertKey(id, "72h")]: `channel ${CHANNEL} sending`,
      [alertKey(id, "48h")]: `channel ${OTHER_CHANNEL} due`,
      [alertKey(id, "6h")]: `person ${ANA} due`,
      [alertKey(id, "24h")]: `channel ${CHANNEL} due`,
      report: `channel ${CHANNEL} due`,
    });
  });

  test("switched off turn all that waits in their server to its owner, without the ping", async () => {
    const id = await connect();
    const bruno = await accounts().save(savedAccount({ ownerId: BRUNO }), brunoKey);
    await save();
    await outbox().enqueue(alertOf(id, "24h"), NOON);
    await outbox().enqueue(alertOf(bruno.id, "new"), NOON);
    await outbox().enqueue(alertOf(id, "48h", { guildId: "elsewhere" }), NOON);
    await outbox().enqueue(delivery("report"), NOON);
    await save({ active: false });
    expect(await owedIn(store().db)).toEqual({
      [alertKey(id, "24h")]: `person ${ANA} due`,
      [alertKey(bruno.id, "new")]: `person ${BRUNO} due`,
      [alertKey(id, "48h")]: `channel ${CHANNEL} due`,
      report: `channel ${CHANNEL} due`,
    });
    const claimed = await claim();
    const alerts = claimed.filter(({ target }) => target.kind === "person");
    expect(alerts).toHaveLength(2);
    for (const { payload } of alerts) {
      expect(payload).toMatchObject({ content: "MED", embeds: [{}] });
      expect(payload).not.toHaveProperty("pings");
    }
  });

  test("of a lost channel give a blocked alert to its owner at once, whoever asks", async () => {
    const id = await connect();
    await save();
    for (const step of ["48h", "24h"]) {
      await outbox().enqueue(alertOf(id, step), NOON);
      const [head] = await claim();
      expect(await outbox().settle(head!, blocked(later(HOUR)))).toBe(true);
      const isFirst = step === "48h";
      expect(
        await routes().suspend(GUILD, CHANNEL, later(1), [noticeTo(CARLA, `notice ${step}`)]),
      ).toBe(isFirst);
      expect((await owedIn(store().db))[alertKey(id, step)]).toBe(`person ${ANA} due`);
      const claimed = await claim();
      expect(claimed.map(({ dedupeKey }) => dedupeKey)).toContain(alertKey(id, step));
    }
    expect((await routes().find(GUILD))?.suspendedAt?.equals(later(1))).toBe(true);
    expect(Object.keys(await owedIn(store().db))).not.toContain("notice 24h");
  });

  test("turn an alert to its owner also while an attempt at the channel is on its way", async () => {
    const id = await connect();
    await save();
    await outbox().enqueue(alertOf(id, "6h"), NOON);
    const [head] = await claim();
    await routes().suspend(GUILD, CHANNEL, NOON, []);
    expect(await claim()).toEqual([]);
    await outbox().settle(head!, blocked(later(HOUR)));
    await routes().suspend(GUILD, CHANNEL, NOON, []);
    expect(await claim()).toMatchObject([
      { target: { kind: "person", userId: ANA }, wasBlocked: false },
    ]);
  });

  test("suspended for one channel leave an alert that waits for another one", async () => {
    const id = await connect();
    await save();
    const target = { kind: "channel", channelId: OTHER_CHANNEL } as const;
    await outbox().enqueue(alertOf(id, "6h", { target }), NOON);
    const [head] = await claim();
    await outbox().settle(head!, blocked(later(HOUR)));
    await routes().suspend(GUILD, CHANNEL, NOON, []);
    expect(await owedIn(store().db)).toEqual({
      [alertKey(id, "6h")]: `channel ${OTHER_CHANNEL} blocked`,
    });
  });

  test("concern the sellers whose alerts go there and the admin who set them", async () => {
    await connect();
    await accounts().save(savedAccount({ ownerId: BRUNO }), brunoKey);
    await save();
    const carla = { id: CARLA, locale: undefined };
    expect(await routes().owners(GUILD)).toEqual([carla]);
    await accounts().setAlerts(GUILD, ANA, "channel", NOON, "en-US");
    expect(await routes().owners(GUILD)).toEqual([{ id: ANA, locale: "en-US" }, carla]);
  });
});
