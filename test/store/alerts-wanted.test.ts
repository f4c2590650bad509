import { describe, expect, test } from "vitest";
import type { AlertChoice } from "#src/domain/dispute-alert.ts";
import type { NewDelivery } from "#src/domain/delivery.ts";
import { accountsStore } from "#src/store/accounts.ts";
import { alertRoutes } from "#src/store/alert-routes.ts";
import { disputeWatch } from "#src/store/dispute-watch.ts";
import { databases, standingClock } from "../support/databases.ts";
import { ANA, anaKey, CARLA, CHANNEL, GUILD, NOON, noticeTo, savedAccount } from "./builders.ts";
import {
  alertOf,
  alertTo,
  chosenAlertRoute,
  newDispute,
  OTHER_CHANNEL,
  owedIn,
} from "./dispute-builders.ts";
import { useStore } from "./use-store.ts";

const ROUNDS = 20;

type Routed = "none" | "on" | "off" | "elsewhere" | "suspended";

describe.each(databases)("an alert that is owed on $name", (kind) => {
  const store = useStore(kind, standingClock(NOON.toString()));
  const watch = () => disputeWatch(store().db);
  const routes = () => alertRoutes(store().db);
  const accounts = () => accountsStore(store().db, store().vault);

  const stage = async (alerts: AlertChoice, routed: Routed): Promise<string> => {
    const { id } = await accounts().save(savedAccount(), anaKey);
    await accounts().setAlerts(GUILD, ANA, alerts, NOON);
    if (routed === "none") return id;
    const channelId = routed === "elsewhere" ? OTHER_CHANNEL : CHANNEL;
    await routes().save(chosenAlertRoute({ channelId, active: routed !== "off" }), NOON, CARLA);
    if (routed === "suspended") await routes().suspend(GUILD, CHANNEL, NOON, []);
    return id;
  };
  /** Whether each of the two ways to owe it took it. */
  const taken = async (id: string, delivery: NewDelivery): Promise<readonly boolean[]> => {
    const keeping = await watch().keep(newDispute(id), [delivery], NOON);
    const quietly = keeping ?? (await watch().keep(newDispute(id), [], NOON));
    const again = { ...delivery, dedupeKey: `${delivery.dedupeKey}|step` };
    const step = await watch().step(quietly!, { doneSteps: ["24h"] }, [again], NOON);
    return [keeping !== undefined, step !== undefined];
  };

  test.each([
    ["channel", "on", true],
    ["channel", "none", false],
    ["channel", "off", false],
    ["channel", "elsewhere", false],
    ["channel", "suspended", false],
    ["direct", "on", false],
    ["off", "on", false],
  ] as const)("to the channel, with the choice %s and a route that is %s: %j", async (...given) => {
    const [alerts, routed, wanted] = given;
    const id = await stage(alerts, routed);
    expect(await taken(id, alertOf(id, "24h"))).toEqual([wanted, wanted]);
    expect(Object.keys(await owedIn(store().db))).toHaveLength(wanted ? 2 : 0);
  });

  test.each([
    ["channel", "suspended", true],
    ["direct", "none", true],
    ["off", "none", false],
  ] as const)("to its owner, with the choice %s and a route that is %s: %j", async (...given) => {
    const [alerts, routed, wanted] = given;
    const id = await stage(alerts, routed);
    expect(await taken(id, alertTo(ANA, id, "24h"))).toEqual([wanted, wanted]);
  });

  test("is no matter of other notices", async () => {
    const id = await stage("off", "none");
    expect(await taken(id, noticeTo(ANA, "notice"))).toEqual([true, true]);
  });

  test("never stays in a channel that its owner leaves at the same moment", async () => {
    const id = await stage("channel", "on");
    for (let round = 0; round < ROUNDS; round += 1) {
      const infractionId = `infraction-${round}`;
      const delivery = alertOf(id, "new", { dedupeKey: `med|${round}` });
      const leave = () =>
        round % 2 === 0
          ? accounts().setAlerts(GUILD, ANA, "direct", NOON)
          : routes().save(chosenAlertRoute({ active: false }), NOON, CARLA);
      await Promise.all([
        watch().keep(newDispute(id, { infractionId }), [delivery], NOON),
        leave(),
      ]);
      const to = Object.values(await owedIn(store().db));
      expect(to.filter((where) => where.startsWith("channel"))).toEqual([]);
      await accounts().setAlerts(GUILD, ANA, "channel", NOON);
      await routes().save(chosenAlertRoute(), NOON, CARLA);
    }
  });
});
