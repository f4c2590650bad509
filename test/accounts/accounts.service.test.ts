import { describe, expect, test } from "vitest";
import type { ConnectRequest } from "#src/accounts/accounts.service.ts";
import { pauseRefusedKey } from "#src/accounts/account-notices.job.ts";
import { WalletError, type WalletErrorKind } from "#src/shared/errors.ts";
import { Secret } from "#src/shared/secret.ts";
import {
  connectRequest,
  ANA,
  ANA_KEY,
  CARLA,
  disconnect,
  GUILD,
  type Guild,
  openGuild,
  OTHER_GUILD,
} from "../support/guild.ts";
import { followedDispute } from "#src/disputes/dispute-watch.ts";
import { sampleCharge } from "../charges/charge-samples.ts";
import { sampleDispute } from "../disputes/dispute-samples.ts";
import { noticeTo } from "../database/builders.ts";
import { quietLog } from "../support/databases.ts";
import { mistakeIn } from "../support/mistake-in.ts";
import { chosenAlertRoute } from "../disputes/dispute-builders.ts";
import { opIn } from "../withdrawals/withdraw-builders.ts";
import { sampleReport, asRoute } from "../support/samples.ts";

const owned = (userId: string) => async () => ({ ...sampleReport(), userId });
const failing = (kind: WalletErrorKind) => async () => {
  throw new WalletError({ kind, method: "GET", route: "/v1/sales/report" });
};
const kept = ({ stores }: Guild) => stores.accounts.find(GUILD, ANA);
/** Another key than `connectRequest()` has. */
const other = (given: Partial<ConnectRequest> = {}) =>
  connectRequest({ apiKey: new Secret("sk_test_other_0123456789"), ...given });

describe("connecting a key", () => {
  test("asks the service for the day that is open, with that very key", async () => {
    const guild = await openGuild();
    const asked: string[] = [];
    guild.wallet.report = async ({ apiKey }, day, priority) => {
      asked.push(`${apiKey.reveal()} ${day.toString()} ${priority}`);
      return sampleReport();
    };
    await guild.services.accounts.connect(connectRequest({ apiKey: new Secret(`  ${ANA_KEY}\n`) }));
    expect(asked).toEqual([`${ANA_KEY} 2026-11-20 interactive`]);
    const withKey = await guild.stores.accounts.findWithKey(GUILD, ANA);
    expect([withKey?.apiKey.reveal(), withKey?.account.keyLast4]).toEqual([ANA_KEY, "6789"]);
  });

  test("that cannot be one is refused before anybody is asked", async () => {
    const guild = await openGuild();
    guild.wallet.report = async () => {
      throw new Error("The service was asked");
    };
    const work = guild.services.accounts.connect(connectRequest({ apiKey: new Secret("short") }));
    expect(await mistakeIn(work)).toBe("malformed_api_key");
    expect(await kept(guild)).toBeUndefined();
  });

  test("S9: more than five times an hour asks the service nothing, whoever's key it is", async () => {
    const guild = await openGuild();
    let asked = 0;
    guild.wallet.report = async () => {
      asked++;
      return await failing("unauthorized")();
    };
    const attempt = async (given: Partial<ConnectRequest> = {}) =>
      await mistakeIn(guild.services.accounts.connect(connectRequest(given)));
    const typo = { apiKey: new Secret("short") };
    const told = [];
    for (let typed = 0; typed < 5; typed++) told.push(await attempt(typo), await attempt());
    expect(new Set(told)).toEqual(new Set(["malformed_api_key", "api_key_refused"]));

    expect(await attempt({ ownerId: CARLA, connectedBy: ANA })).toBe("too_many_keys");
    expect(asked).toBe(5);
    expect(await attempt({ connectedBy: CARLA })).toBe("api_key_refused");
    guild.clock.moveBy(3_600_000);
    expect(await attempt()).toBe("api_key_refused");
  });

  test("that the service does not take keeps nothing, and the key before it stays", async () => {
    const guild = await openGuild();
    const before = await guild.services.accounts.connect(connectRequest());
    guild.wallet.report = failing("unauthorized");
    expect(await mistakeIn(guild.services.accounts.connect(other()))).toBe("api_key_refused");
    expect(await kept(guild)).toEqual(before);
  });

  test.each(["timeout", "unavailable", "malformed", "rate_limited", "unreachable"] as const)(
    "keeps nothing when the service cannot be asked: %s",
    async (kind) => {
      const guild = await openGuild();
      guild.wallet.report = failing(kind);
      await expect(guild.services.accounts.connect(connectRequest())).rejects.toMatchObject({
        kind,
      });
      expect(await kept(guild)).toBeUndefined();
    },
  );

  test("of another account is refused", async () => {
    const guild = await openGuild();
    guild.wallet.report = owned(CARLA);
    expect(await mistakeIn(guild.services.accounts.connect(connectRequest()))).toBe(
      "api_key_of_another_account",
    );
    expect(await kept(guild)).toBeUndefined();
  });

  test("whose owner the service names otherwise is taken, and marked as not verified", async () => {
    const guild = await openGuild();
    guild.wallet.report = owned("user_8812");
    expect((await guild.services.accounts.connect(connectRequest())).ownerVerified).toBe(false);
  });
});

describe("S2: a withdrawal that is under way", () => {
  const GONE = { directGoesOn: false };
  const underWay = async (userId = "user_1", ownerId = ANA) => {
    const guild = await openGuild();
    guild.wallet.report = owned(userId);
    const account = await guild.services.accounts.connect(connectRequest());
    const early = await guild.services.accounts.disconnection(account);
    const { id, accountFp } = account;
    const op = await opIn(guild.stores.journal, "unknown", { accountFp, accountId: id, ownerId });
    return { guild, op, early };
  };

  test("S2: keeps the last key of its account from being replaced by another account's", async () => {
    const { guild, op } = await underWay();
    const before = await kept(guild);
    guild.wallet.report = owned("user_2");
    const refused = guild.services.accounts.connect(other());
    await expect(refused).rejects.toMatchObject({
      reason: { kind: "withdrawal_unfinished", opId: op.id },
    });
    expect(await kept(guild)).toEqual(before);
  });

  test("S2: keeps it from a key whose owner the service has begun to name by the Discord id", async () => {
    const { guild, op } = await underWay();
    guild.wallet.report = owned(ANA);
    const before = await guild.services.accounts.connect(connectRequest());
    const refused = guild.services.accounts.connect(other());
    await expect(refused).rejects.toMatchObject({
      reason: { kind: "withdrawal_unfinished", opId: op.id },
    });
    expect(await kept(guild)).toEqual(before);
  });

  test("S2: of somebody else is not named", async () => {
    const { guild } = await underWay("user_1", CARLA);
    guild.wallet.report = owned("user_2");
    await expect(guild.services.accounts.connect(other())).rejects.toMatchObject({
      reason: { kind: "withdrawal_unfinished", opId: undefined },
    });
  });

  test("S2: is told before its last key is deleted, and only then is the key deleted", async () => {
    const { guild, op, early } = await underWay();
    const { accounts } = guild.services;
    const account = await kept(guild);
    const { questionId, unfinished } = await accounts.disconnection(account!);
    expect(unfinished).toEqual({ opId: op.id, kind: op.kind, others: 0 });
    expect(await accounts.disconnect(GUILD, ANA, early.questionId)).toBe("changed");
    expect(await accounts.disconnect(GUILD, ANA, questionId)).toMatchObject(GONE);
    expect(await guild.stores.journal.lockOf(op.accountFp)).toEqual(op);
    await accounts.connect(other());
    const open = await guild.stores.journal.lockOf((await kept(guild))!.accountFp);
    expect(open).toEqual(op);
  });

  test("S2: is told before the last key that is not refused is deleted or replaced", async () => {
    const { guild, op } = await underWay();
    const { accounts } = guild.services;
    const refused = (await kept(guild))!;
    const working = await accounts.connect(other({ guildId: OTHER_GUILD }));
    const early = await accounts.disconnection(working);
    await guild.stores.accounts.pause(refused.id, guild.clock.now(), noticeTo(ANA, "paused"));
    expect(await accounts.disconnect(OTHER_GUILD, ANA, early.questionId)).toBe("changed");
    guild.wallet.report = owned("user_2");
    const replacing = accounts.connect(
      connectRequest({ guildId: OTHER_GUILD, apiKey: new Secret("sk_test_third_0123456789") }),
    );
    expect(await mistakeIn(replacing)).toBe("withdrawal_unfinished");
    expect(await disconnect(guild.services)).toMatchObject(GONE);
    expect(await disconnect(guild.services, OTHER_GUILD)).toMatchObject(GONE);
    expect(await guild.stores.journal.lockOf(op.accountFp)).toMatchObject({ id: op.id });
  });

  test("S2: hinders nothing once it has ended", async () => {
    const { guild } = await underWay();
    const { accountFp } = (await kept(guild))!;
    const open = (await guild.stores.journal.lockOf(accountFp))!;
    const change = { txid: "TX1" };
    await guild.stores.journal.move(
      open,
      { to: "completed", change, reason: "t" },
      guild.clock.now(),
    );
    expect(await disconnect(guild.services)).toMatchObject(GONE);
  });
});

test("a refused key in another server takes over neither charges nor alerts of a key that goes", async () => {
  const { services, stores, clock } = await openGuild();
  const { id: accountId, watchId } = await services.accounts.connect(connectRequest());
  const there = await services.accounts.connect(other({ guildId: OTHER_GUILD }));
  expect(there.watchId).toBe(watchId);
  const now = clock.now();
  await stores.disputeWatch.keep(followedDispute(watchId, sampleDispute(), now), [], now);
  await stores.charges.begin(sampleCharge({ ownerId: ANA, accountId, createdAt: now }), "i1");
  const elsewhere = { id: "charge2", txid: "tx2", accountId: there.id };
  await stores.charges.begin(sampleCharge({ ownerId: ANA, ...elsewhere, createdAt: now }), "i2");
  const lost = async () =>
    await services.accounts.losses((await stores.accounts.find(GUILD, ANA))!);
  expect(await lost()).toMatchObject({ disputes: 0, charges: 0 });
  await stores.accounts.pause(there.id, now, noticeTo(ANA, "paused"));
  expect(await lost()).toMatchObject({ disputes: 1, charges: 2 });
  await stores.accounts.pause(accountId, now, noticeTo(ANA, "paused too"));
  expect(await lost()).toMatchObject({ disputes: 0, charges: 0 });
});

describe("S11: MED alerts that end with a key although another server has one of its account", () => {
  type Elsewhere = "direct" | "off" | "refused";
  const losses = async (here: "direct" | "off", elsewhere: Elsewhere, isRefused = false) => {
    const { services, stores, clock } = await openGuild();
    const now = clock.now();
    const { id, watchId } = await services.accounts.connect(connectRequest());
    const there = await services.accounts.connect(other({ guildId: OTHER_GUILD }));
    await stores.disputeWatch.keep(followedDispute(watchId, sampleDispute(), now), [], now);
    await services.accounts.setAlerts(GUILD, ANA, here, "pt-BR");
    const choice = elsewhere === "off" ? "off" : "direct";
    await services.accounts.setAlerts(OTHER_GUILD, ANA, choice, "pt-BR");
    if (elsewhere === "refused") await stores.accounts.pause(there.id, now, noticeTo(ANA, "one"));
    if (isRefused) await stores.accounts.pause(id, now, noticeTo(ANA, "two"));
    return await services.accounts.losses((await stores.accounts.find(GUILD, ANA))!);
  };

  test.each([
    ["direct", "off", false],
    ["direct", "refused", false],
    ["off", "refused", false],
    ["direct", "off", true],
  ] as const)("are told: %s here, %s there, refused here: %s", async (here, there, isRefused) => {
    const lost = await losses(here, there, isRefused);
    expect(lost).toMatchObject({ alertsEnd: true, disputes: 1 });
    expect(lost.dueAt).toBeDefined();
  });

  test.each([
    ["direct", "direct", false],
    ["off", "off", false],
    ["off", "direct", true],
    ["direct", "refused", true],
  ] as const)("do not end: %s here, %s there, refused here: %s", async (here, there, isRefused) => {
    expect(await losses(here, there, isRefused)).toMatchObject({ alertsEnd: false, disputes: 0 });
  });
});

test.each([
  ["direct", "direct", false, false],
  ["direct", "off", false, true],
  ["channel", "direct", false, true],
  ["direct", "direct", true, true],
  ["off", "direct", false, false],
] as const)(
  "with sale notices %s here and %s there, refused there: %s, disconnecting loses them: %s",
  async (here, there, isRefused, isLost) => {
    const { services, stores, clock } = await openGuild();
    const { accounts, saleNotices } = services;
    const account = await accounts.connect(connectRequest());
    const { id } = await accounts.connect(other({ guildId: OTHER_GUILD }));
    await saleNotices.choose(GUILD, ANA, here, "pt-BR");
    await saleNotices.choose(OTHER_GUILD, ANA, there, "pt-BR");
    if (isRefused) await stores.accounts.pause(id, clock.now(), noticeTo(ANA, "paused"));
    expect((await accounts.losses(account)).saleNotices).toBe(isLost);
  },
);

test("S11: alerts are not said to go to a channel of a server that their owner left", async () => {
  const guild = await openGuild();
  const { accounts } = guild.services;
  const { stores, clock } = guild;
  await accounts.connect(connectRequest());
  const here = await accounts.connect(connectRequest({ guildId: OTHER_GUILD }));
  await stores.alertRoutes.save(...asRoute(chosenAlertRoute({ guildId: GUILD })), clock.now());
  await accounts.setAlerts(GUILD, ANA, "channel", "pt-BR");
  await accounts.setAlerts(OTHER_GUILD, ANA, "off", "pt-BR");
  expect(await accounts.alertsElsewhere(here)).toMatchObject({ kind: "channel" });
  await stores.presences.keep(GUILD, ANA, "left", clock.now(), undefined);
  expect(await accounts.alertsElsewhere(here)).toEqual({ kind: "direct" });
});

test.each([
  [ANA_KEY, true],
  ["sk_test_other_0123456789", false],
])("a refused key beside the accepted key %s leaves all on hold: %s", async (accepted, isHeld) => {
  const guild = await openGuild();
  const { accounts } = guild.services;
  const { id } = await accounts.connect(connectRequest());
  await accounts.connect(connectRequest({ guildId: OTHER_GUILD, apiKey: new Secret(accepted) }));
  const isOnHold = async () => await accounts.isOnHold((await kept(guild))!);
  expect(await isOnHold()).toBe(false);
  await guild.stores.accounts.pause(id, guild.clock.now(), noticeTo(ANA, "paused"));
  expect(await isOnHold()).toBe(isHeld);
  const lost = { api_key: "v1.lost.key", api_key_kid: "lost" };
  await guild.db.updateTable("account").set(lost).where("id", "<>", id).execute();
  expect(await isOnHold()).toBe(true);
});

test("a change of key counts the servers that still have the refused one", async () => {
  const guild = await openGuild();
  const { accounts } = guild.services;
  const { stores, clock } = guild;
  await accounts.connect(connectRequest());
  const old = connectRequest({
    guildId: OTHER_GUILD,
    apiKey: new Secret("sk_test_old_0123456789"),
  });
  const { id } = await accounts.connect(old);
  await stores.accounts.pause(id, clock.now(), noticeTo(ANA, "paused"));
  const refused = async () => await accounts.refusedElsewhere((await kept(guild))!);
  expect(await refused()).toBe(1);
  await stores.presences.keep(OTHER_GUILD, ANA, "left", clock.now(), undefined);
  expect(await refused()).toBe(0);
});

test("a key refused in several servers is told in one message, which counts the others", async () => {
  const { services, stores, clock, channels, deliver } = await openGuild();
  for (const guildId of [GUILD, OTHER_GUILD, "1180000000000000003"])
    await services.accounts.connect(connectRequest({ guildId }));
  const needs = { ...stores, clock, log: quietLog, onOwed: () => {} };
  for (const account of await stores.accounts.ofOwner(ANA))
    await pauseRefusedKey(needs, account, "pt-BR");
  await deliver();
  expect(channels.messages.map(({ text }) => text)).toEqual([
    expect.stringContaining("Em outros 2 servidores, a chave desta conta foi recusada"),
  ]);
});

describe("consent to the report", () => {
  const agreed = async (firstOwner: string) => {
    const guild = await openGuild();
    guild.wallet.report = owned(firstOwner);
    await guild.services.accounts.connect(connectRequest());
    const { reportConsentAt } = await guild.services.accounts.chooseReport(GUILD, ANA, "channel");
    guild.clock.moveBy(60_000);
    return { guild, reportConsentAt };
  };

  test("survives the same key as it was", async () => {
    const { guild, reportConsentAt } = await agreed(ANA);
    const again = await guild.services.accounts.connect(connectRequest());
    expect([again.reportConsent, again.reportConsentAt]).toEqual([true, reportConsentAt]);
  });

  test("survives another key of the same account as it was, so that the days owed meanwhile stay owed", async () => {
    const { guild, reportConsentAt } = await agreed(ANA);
    const after = await guild.services.accounts.connect(other());
    expect([after.reportConsent, after.reportConsentAt]).toEqual([true, reportConsentAt]);
  });

  test("for direct messages survives like that for the channel", async () => {
    const { guild } = await agreed(ANA);
    await guild.services.accounts.chooseReport(GUILD, ANA, "direct");
    expect(await guild.services.accounts.connect(other())).toMatchObject({
      reportConsent: false,
      reportDirect: true,
    });
  });

  test.each([
    ["was not verified before", "user_8812", ANA],
    ["is not verified now", ANA, "user_8812"],
  ])("is gone with a key whose owner %s", async (_, before, now) => {
    const { guild } = await agreed(before);
    guild.wallet.report = owned(now);
    expect((await guild.services.accounts.connect(other())).reportConsent).toBe(false);
  });

  test("needs a connected key", async () => {
    const { services } = await openGuild();
    expect(await mistakeIn(services.accounts.chooseReport(GUILD, ANA, "channel"))).toBe(
      "not_connected",
    );
  });
});

test("the language is the owner's, never that of an admin who connected the key", async () => {
  const { services } = await openGuild();
  const { accounts } = services;
  const english = { locale: "en-US" } as const;
  const byAdmin = await accounts.connect(connectRequest({ connectedBy: CARLA, ...english }));
  expect(byAdmin.locale).toBeUndefined();
  expect((await accounts.connect(connectRequest(english))).locale).toBe("en-US");
  expect((await accounts.setAlerts(GUILD, ANA, "off", "pt-BR")).locale).toBe("pt-BR");
});

describe("a key that an admin connected", () => {
  test("is told to its owner by direct message, without more of it than its end", async () => {
    const guild = await openGuild();
    await guild.services.accounts.connect(connectRequest({ connectedBy: CARLA }));
    await guild.delivered();
    const [message, another] = guild.channels.messages;
    expect(another).toBeUndefined();
    expect(message?.channelId).toContain(ANA);
    expect(message?.text).toContain(`<@${CARLA}>`);
    expect(message?.text).not.toContain(ANA_KEY);
  });

  test("is told with where alerts go only where no choice in another server decides it", async () => {
    const { services, channels, delivered } = await openGuild();
    for (const guildId of [GUILD, OTHER_GUILD])
      await services.accounts.connect(connectRequest({ connectedBy: CARLA, guildId }));
    await delivered();
    expect(channels.messages.map(({ text }) => text.includes("seus MEDs"))).toEqual([true, false]);
  });

  test("is told as not confirmed where the service does not name its owner", async () => {
    const guild = await openGuild();
    guild.wallet.report = owned("user_8812");
    await guild.services.accounts.connect(connectRequest({ connectedBy: CARLA }));
    await guild.delivered();
    const text = guild.channels.messages[0]?.text;
    expect(text).toContain("Não confirmado");
    expect(text).not.toContain("a sua chave");
  });

  test("is told to nobody when the owner did it", async () => {
    const guild = await openGuild();
    await guild.services.accounts.connect(connectRequest());
    expect(await guild.stores.outbox.pendingAgeMs(guild.clock.now().add({ hours: 1 }))).toBe(0);
  });
});
