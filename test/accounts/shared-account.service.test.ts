import { describe, expect, test } from "vitest";
import type { ConnectRequest } from "#src/accounts/accounts.service.ts";
import { cents } from "#src/shared/money.ts";
import { openReportDay } from "#src/shared/report-day.ts";
import { Secret } from "#src/shared/secret.ts";
import { noticeTo } from "../database/builders.ts";
import { directChannel } from "../support/fake-channels.ts";
import {
  ANA,
  BRUNO,
  CARLA,
  connect,
  connectRequest,
  disconnect,
  GUILD,
  openGuild,
  OTHER_GUILD,
} from "../support/guild.ts";
import { mistakeIn } from "../support/mistake-in.ts";
import { sampleReport } from "../support/samples.ts";
import { textOf } from "../ui/read-message.ts";

describe("a wallet account that another person connects", () => {
  const opened = async () => {
    const guild = await openGuild();
    guild.wallet.report = async () => ({ ...sampleReport(), userId: "user_8812" });
    let read = 0;
    return {
      ...guild,
      connect: (ownerId: string, given: Partial<ConnectRequest> = {}) =>
        guild.services.accounts.connect(
          connectRequest({ ownerId, connectedBy: ownerId, ...given }),
        ),
      /** Readers of the messages since the last call, and their texts. */
      told: async () => {
        await guild.delivered();
        const news = guild.channels.messages.slice(read);
        read += news.length;
        return news.map(({ channelId, text }) => [channelId, text] as const);
      },
    };
  };
  const anotherKey = { apiKey: new Secret("sk_test_other_0123456789") };

  test("is told to each other owner and of each to that person, once, not of further connections and keys", async () => {
    const { connect, told } = await opened();
    await connect(ANA);
    await connect(ANA, { guildId: OTHER_GUILD });
    expect(await told()).toEqual([]);

    await connect(BRUNO, { guildId: OTHER_GUILD });
    const of = (...pairs: [reader: string, other: string][]) =>
      new Set(pairs.map(([reader, other]) => `${directChannel(reader)} of ${other}`));
    const namedIn = (texts: Awaited<ReturnType<typeof told>>) =>
      new Set(texts.map(([reader, text]) => `${reader} of ${/<@(\d+)>/.exec(text)?.[1]}`));
    expect(namedIn(await told())).toEqual(of([ANA, BRUNO], [BRUNO, ANA]));
    await connect(BRUNO);
    await connect(BRUNO, anotherKey);
    expect(await told()).toEqual([]);

    await connect(CARLA, anotherKey);
    expect(namedIn(await told())).toEqual(
      of([ANA, CARLA], [BRUNO, CARLA], [CARLA, ANA], [CARLA, BRUNO]),
    );
  });

  test("is told in the reader's language, with the admin who typed the key", async () => {
    const { connect, told } = await opened();
    await connect(ANA, { locale: "en-US" });
    await connect(BRUNO, { connectedBy: CARLA });
    const [, [reader, text] = []] = await told();
    expect(reader).toBe(directChannel(ANA));
    expect(text).toMatch(`<@${CARLA}> connected, for <@${BRUNO}>`);
  });

  test("is told to nobody whose keys are all refused, or who typed the key", async () => {
    const { connect, told, stores, clock } = await opened();
    const ana = await connect(ANA);
    await connect(CARLA);
    await stores.accounts.pause(ana.id, clock.now(), noticeTo(ANA, "refused"));
    await told();
    await connect(BRUNO, { connectedBy: CARLA });
    expect((await told()).map(([reader]) => reader)).toEqual([directChannel(BRUNO)]);
  });

  test("is told once both have keys that work, also again after both were revoked", async () => {
    const { connect, told, stores, clock, deliver } = await opened();
    const readers = async () => new Set((await told()).map(([reader]) => reader));
    let refused = 0;
    const refuse = async (id: string) => {
      await stores.accounts.pause(id, clock.now(), noticeTo(ANA, `refused ${++refused}`));
      await deliver();
      await told();
    };
    const ana = await connect(ANA);
    await refuse(ana.id);
    const bruno = await connect(BRUNO, anotherKey);
    expect(await readers()).toEqual(new Set());
    const both = new Set([directChannel(ANA), directChannel(BRUNO)]);
    const nextKey = (place: number) => ({ apiKey: new Secret(`sk_test_next_012345678${place}`) });
    await connect(ANA, nextKey(1));
    expect(await readers()).toEqual(both);
    for (const { id } of [ana, bruno]) await refuse(id);
    await connect(BRUNO, nextKey(2));
    expect(await readers()).toEqual(new Set());
    await connect(ANA, nextKey(3));
    expect(await readers()).toEqual(both);
  });

  test("is told once a refused key works again: the other came meanwhile", async () => {
    const { connect, told, stores, services, clock, deliver } = await opened();
    const ana = await connect(ANA);
    await stores.accounts.pause(ana.id, clock.now(), noticeTo(ANA, "refused"));
    await connect(BRUNO, anotherKey);
    await deliver();
    await told();
    for (let time = 0; time < 2; time++) {
      await services.sales.report(GUILD, ANA, openReportDay(clock.now()));
      await deliver();
      const readers = new Set((await told()).map(([reader]) => reader));
      expect(readers).toEqual(new Set(time === 0 ? [ANA, BRUNO].map(directChannel) : []));
    }
  });

  test("is told although its owner disconnects before the message goes out", async () => {
    const { connect, told, channels, services, clock, delivered, deliver } = await opened();
    await connect(ANA);
    channels.openMishap = () => ({ kind: "throttled", retryAfterMs: 1000 });
    await connect(BRUNO);
    await delivered();
    await disconnect(services);
    channels.openMishap = undefined;
    clock.moveBy(60_000);
    await deliver();
    const readers = new Set((await told()).map(([reader]) => reader));
    expect(readers).toEqual(new Set([directChannel(ANA), directChannel(BRUNO)]));
  });
});

test("members whose keys one admin removes are each told directly", async () => {
  const { services, channels, delivered, wallet } = await openGuild();
  const { accounts } = services;
  for (const ownerId of [ANA, BRUNO]) {
    const apiKey = new Secret(`sk_test_${ownerId}`);
    wallet.report = async () => ({ ...sampleReport(), userId: ownerId });
    await accounts.connect(connectRequest({ ownerId, connectedBy: ownerId, apiKey }));
    const questionId = await accounts.memberQuestion(GUILD, ownerId);
    const removal = { guildId: GUILD, ownerId, adminId: CARLA, questionId };
    expect(await accounts.removeMember({ ...removal, guildLocale: "pt-BR" })).toBe(true);
  }
  await delivered();
  for (const ownerId of [ANA, BRUNO])
    expect(channels.inChannel(directChannel(ownerId)).map(({ text }) => text)).toContainEqual(
      expect.stringContaining(`<@${CARLA}>`),
    );
});

test("a direct command goes by the connection whose key is accepted", async () => {
  const { services, stores, clock } = await openGuild();
  const { accounts } = services;
  for (const guildId of [GUILD, OTHER_GUILD])
    await accounts.connect(connectRequest({ guildId, apiKey: new Secret(`sk_test_${guildId}`) }));
  const [first, second] = await stores.accounts.ofOwner(ANA);
  await stores.accounts.pause(first!.id, clock.now(), noticeTo(ANA, "paused"));
  expect(await accounts.guildOf(ANA)).toBe(second?.guildId);
});

test("the members of a server without any are one empty page", async () => {
  const { services } = await openGuild();
  const empty = { owners: [], firstPlace: 1, page: 0, pages: 1 };
  expect(await services.accounts.members(GUILD, 3)).toMatchObject(empty);
});

describe("a key that the service once named otherwise", () => {
  const GOAL = cents(500_000);
  /** Ana's key is in the server, with a goal; her new key was seen before, as `earlier`'s. */
  const opened = async (first: string, verified: string, earlier: string | undefined) => {
    const guild = await openGuild();
    const named = (userId: string) => {
      guild.wallet.report = async () => ({ ...sampleReport(), userId });
    };
    const { accounts } = guild.services;
    const newKey = { apiKey: new Secret("sk_test_other_0123456789") };
    if (earlier !== undefined) {
      named(earlier);
      await accounts.connect(connectRequest({ ...newKey, guildId: OTHER_GUILD }));
      await disconnect(guild.services, OTHER_GUILD);
    }
    named(first);
    await accounts.connect(connectRequest());
    named(verified);
    await accounts.connect(connectRequest());
    await guild.stores.goals.save(GUILD, ANA, { amount: GOAL }, guild.clock.now());
    return { ...guild, connectNew: () => accounts.connect(connectRequest(newKey)), newKey };
  };

  test.each([
    ["as another wallet's", "user_1", "user_1", "user_2"],
    ["by another id than its owner's", "user_1", ANA, undefined],
  ])("%s tells what ends with the key that it replaces", async (_, first, verified, earlier) => {
    const { connectNew } = await opened(first, verified, earlier);
    expect((await connectNew()).lost).toMatchObject({ goal: GOAL });
  });

  test("tells it beside a report that goes on", async () => {
    const guild = await opened("user_1", ANA, undefined);
    const { stores, clock, newKey } = guild;
    await stores.accounts.chooseReport(GUILD, ANA, "channel", clock.now());
    const answer = textOf(await connect(guild.person(ANA), newKey.apiKey.reveal()));
    expect(answer).toMatch(/outra conta[^]*Você aceitou[^]*meta do mês\*\*, de R\$\s5\.000,00/);
  });

  test("replaces no key where the same wallet account is to stay", async () => {
    const { services, stores, newKey } = await opened("user_1", ANA, undefined);
    const replacing = services.accounts.connect(connectRequest({ ...newKey, keepsWallet: true }));
    expect(await mistakeIn(replacing)).toBe("key_of_other_wallet");
    expect(await stores.goals.find(GUILD, ANA)).toMatchObject({ amount: GOAL });
  });
});
