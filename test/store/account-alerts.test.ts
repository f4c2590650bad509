import { describe, expect, test } from "vitest";
import { MINUTE } from "#src/shared/duration.ts";
import { accountsStore } from "#src/store/accounts.ts";
import { outboxStore } from "#src/store/outbox.ts";
import { databases, standingClock } from "../support/databases.ts";
import {
  ANA,
  anaKey,
  anaOtherKey,
  BRUNO,
  brunoKey,
  CHANNEL,
  GUILD,
  later,
  NOON,
  reportOf,
  savedAccount,
  sent,
} from "./builders.ts";
import { alertKey, alertOf, alertTo, audited, owedIn } from "./dispute-builders.ts";
import { useStore } from "./use-store.ts";

describe.each(databases)("an account's choice of alerts on $name", (kind) => {
  const store = useStore(kind, standingClock(NOON.toString()));
  const accounts = () => accountsStore(store().db, store().vault);
  const outbox = () => outboxStore(store().db, store().open.leaseNow);
  const connect = () => accounts().save(savedAccount(), anaKey);
  const choose = (alerts: "channel" | "direct" | "off") =>
    accounts().setAlerts(GUILD, ANA, alerts, NOON);
  const claim = () => outbox().claim({ owner: "one", leaseMs: MINUTE, limit: 9, now: NOON });

  test("is the direct messages until the owner says otherwise, with the audit", async () => {
    const account = await connect();
    expect(account.alerts).toBe("direct");
    expect(await choose("channel")).toEqual({ ...account, alerts: "channel" });
    expect(await accounts().find(GUILD, ANA)).toEqual({ ...account, alerts: "channel" });
    expect(await accounts().setAlerts(GUILD, BRUNO, "off", NOON)).toBeUndefined();
    expect(await audited(store().db)).toEqual(["ana alerts_chosen"]);
  });

  test("keeps the owner's language with it, also under another key, until the owner speaks another", async () => {
    const saved = await accounts().save(savedAccount({ connectedBy: BRUNO }), anaKey);
    expect(saved.locale).toBeUndefined();
    await accounts().setAlerts(GUILD, ANA, "direct", NOON, "en-US");
    expect((await choose("channel"))?.locale).toBe("en-US");
    const again = await accounts().save(savedAccount({ connectedBy: BRUNO }), anaOtherKey);
    expect(again.locale).toBe("en-US");
    const own = await accounts().save(savedAccount({ locale: "pt-BR" }), anaOtherKey);
    expect(own.locale).toBe("pt-BR");
  });

  test("stays with the same key, and with another of the same service account", async () => {
    await connect();
    await choose("channel");
    expect((await accounts().save(savedAccount({ ownerVerified: false }), anaKey)).alerts).toBe(
      "channel",
    );
    await accounts().save(savedAccount(), anaKey);
    expect((await accounts().save(savedAccount(), anaOtherKey)).alerts).toBe("channel");
  });

  test.each([
    [true, false],
    [false, true],
  ])("begins anew when a key may be another's (%j, then %j)", async (before, after) => {
    await accounts().save(savedAccount({ ownerVerified: before }), anaKey);
    await choose("channel");
    const saved = await accounts().save(savedAccount({ ownerVerified: after }), anaOtherKey);
    expect(saved.alerts).toBe("direct");
  });

  test("of direct messages turns what waits for the channel to the owner, of that account only", async () => {
    const { id } = await connect();
    const bruno = await accounts().save(savedAccount({ ownerId: BRUNO }), brunoKey);
    await outbox().enqueue(alertOf(id, "48h"), NOON);
    const [head] = await claim();
    await outbox().settle(head!, sent);
    await outbox().enqueue(alertOf(id, "24h"), NOON);
    await outbox().enqueue(alertOf(bruno.id, "24h"), NOON);
    await choose("direct");
    expect(await owedIn(store().db)).toEqual({
      [alertKey(id, "48h")]: `channel ${CHANNEL} sent`,
      [alertKey(id, "24h")]: `person ${ANA} due`,
      [alertKey(bruno.id, "24h")]: `channel ${CHANNEL} due`,
    });
  });

  test("of none takes back the alerts that were not posted, and no report", async () => {
    const account = await connect();
    await outbox().enqueue(alertOf(account.id, "48h"), NOON);
    await outbox().enqueue(alertTo(ANA, account.id, "24h"), NOON);
    await outbox().enqueue(reportOf(account), NOON);
    await choose("off");
    expect(await outbox().state(alertKey(account.id, "48h"))).toBe("obsolete");
    expect(await outbox().state(alertKey(account.id, "24h"))).toBe("obsolete");
    expect(await outbox().state(reportOf(account).dedupeKey)).toBe("due");
  });

  test("is a matter of alerts that wait for nobody: not for a report, nor for each other", async () => {
    const account = await connect();
    await outbox().enqueue(reportOf(account), NOON);
    const [report] = await claim();
    await outbox().settle(report!, {
      state: "due",
      notBefore: later(MINUTE),
      error: "unclear",
      untouched: false,
    });
    await outbox().enqueue(alertOf(account.id, "6h"), NOON);
    await outbox().enqueue(alertOf(account.id, "new"), NOON);
    expect(await claim()).toHaveLength(2);
  });
});
