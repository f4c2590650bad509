import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { peopleIds, reportChannelNotice } from "#src/accounts/notices.view.ts";
import { reportMoveNotice } from "#src/reports/report-route.view.ts";
import { Secret } from "#src/shared/secret.ts";
import { MINUTE } from "#src/shared/time.ts";
import { delivery, noticeTo, savedAccount } from "../database/builders.ts";
import { directChannel } from "../support/fake-channels.ts";
import {
  ANA,
  ANA_KEY,
  BRUNO,
  CARLA,
  CHANNEL,
  connect,
  GUILD,
  type Guild,
  openGuild,
} from "../support/guild.ts";
import { idOf } from "../commands/components.ts";
import { labelsOf, readMessage } from "../ui/read-message.ts";
import { mistakeIn } from "../support/mistake-in.ts";
import { sampleReport, sampleRoute, asRoute } from "../support/samples.ts";

const DAVI = "920000000000000004";
const OTHER_CHANNEL = "1180000000000000999";

const save = ({ services }: Guild, given: Parameters<typeof sampleRoute>[0] = {}) =>
  services.reportRoutes.save(
    ...asRoute(sampleRoute({ guildId: GUILD, channelId: CHANNEL, updatedBy: CARLA, ...given })),
  );

/** Connects each person with a key and a wallet account of their own. */
const connectEach = async (guild: Guild, ...userIds: readonly string[]): Promise<void> => {
  for (const userId of userIds) {
    guild.wallet.report = async () => ({ ...sampleReport(), userId });
    await connect(guild.person(userId), `${ANA_KEY}${userId}`);
  }
};

const tester = (interactionId: string) => ({ guildId: GUILD, userId: CARLA, interactionId });

describe("the first channel of a server", () => {
  const asked = async (guild: Guild, userId: string): Promise<number> => {
    await guild.delivered();
    return guild.channels.inChannel(directChannel(userId)).length;
  };

  test("is put to each seller who has not answered, once, and posts nothing of theirs by itself", async () => {
    const guild = await openGuild();
    await connectEach(guild, ANA, BRUNO, CARLA, DAVI);
    for (const userId of [BRUNO, DAVI])
      await guild.services.accounts.chooseReport(GUILD, userId, "channel");
    await guild.services.accounts.chooseReport(GUILD, DAVI, "off");
    await guild.stores.presences.keep(GUILD, CARLA, "left", guild.clock.now(), undefined);
    await save(guild);
    await save(guild, { active: false });
    await save(guild);
    const questions: number[] = [];
    for (const userId of [ANA, BRUNO, CARLA, DAVI]) questions.push(await asked(guild, userId));
    // Bruno agreed before there was a channel to name, and reads which it is.
    expect(questions).toEqual([1, 1, 0, 0]);
    expect((await guild.stores.accounts.find(GUILD, ANA))?.reportConsent).toBe(false);

    await guild.person(ANA, { guildId: "" }).act(peopleIds.postFrom(GUILD));
    expect((await guild.stores.accounts.find(GUILD, ANA))?.reportConsent).toBe(true);
    const another = guild.person("1180000000000000019", { guildId: "" });
    expect(await mistakeIn(another.act(peopleIds.postFrom(GUILD)))).toBe("not_connected");
  });
});

test("the question is answered no by its second button, and names the other way", async () => {
  const guild = await openGuild();
  await connect(guild.person(ANA), ANA_KEY);
  const facts = { guildId: GUILD, channelId: CHANNEL, locale: "pt-BR", reference: "R" } as const;
  const question = reportChannelNotice(facts);
  expect(readMessage(question).join("\n")).toMatch(
    /`\/conta ver` no servidor; lá .* só para você, por mensagem direta/,
  );
  expect(labelsOf(question)).toEqual(["Pode postar", "Agora não"]);
  await guild.services.accounts.chooseReport(GUILD, ANA, "channel");
  const answer = await guild.person(ANA, { guildId: "" }).act(idOf(question, "Agora não"));
  expect(readMessage(answer)[1]).toMatch(/^O seu total diário não sai no canal do servidor/);
  expect((await guild.stores.accounts.find(GUILD, ANA))?.reportConsent).toBe(false);
});

test.each([
  ["the question", "Agora não"],
  ["a message about another channel", "Parar o relatório"],
])("a no under %s leaves a report by direct message that was chosen since", async (_, label) => {
  const guild = await openGuild();
  await connect(guild.person(ANA), ANA_KEY);
  const facts = { guildId: GUILD, channelId: CHANNEL, locale: "pt-BR", reference: "R" } as const;
  const about = [reportChannelNotice(facts), reportMoveNotice({ ...facts, guildName: undefined })];
  const old = about.find((each) => labelsOf(each).includes(label))!;
  await guild.services.accounts.chooseReport(GUILD, ANA, "direct");
  const answer = await guild.person(ANA, { guildId: "" }).act(idOf(old, label));
  expect(readMessage(answer).join("\n")).toMatch(
    /^O seu total não sai no canal\n.*O relatório por mensagem direta continua.*`\/conta ver` no/,
  );
  expect((await guild.stores.accounts.find(GUILD, ANA))?.reportDirect).toBe(true);
});

const withOldQuestion = async () => {
  const guild = await openGuild();
  await connect(guild.person(ANA), ANA_KEY);
  const agreed = async () =>
    readMessage(await guild.person(ANA, { guildId: "" }).act(peopleIds.postFrom(GUILD))).join("\n");
  return { guild, agreed };
};

test("agreeing under an old question says where the server posts no report by now", async () => {
  const { guild, agreed } = await withOldQuestion();
  expect(await agreed()).toMatch(/`Loja Aurora`[\s\S]*ainda não escolheu um canal/);
  await save(guild);
  expect(await agreed()).toMatch(`sai em <#${CHANNEL}>, o canal do relatório do servidor \`Loja`);
  await save(guild, { channelId: OTHER_CHANNEL });
  expect(await agreed()).toContain(`sai em <#${OTHER_CHANNEL}>`);
  await guild.stores.routes.suspend(GUILD, OTHER_CHANNEL, guild.clock.now(), []);
  expect(await agreed()).toMatch(/`Loja Aurora`[\s\S]*não consigo postar em/);
  await save(guild, { active: false });
  expect(await agreed()).toMatch(/`Loja Aurora`[\s\S]*Está desligado/);
});

test("agreeing under an old question says that nothing is posted of a refused key, or of who has left", async () => {
  const { guild, agreed } = await withOldQuestion();
  const { accounts, presences } = guild.stores;
  await save(guild);
  const { id } = (await accounts.find(GUILD, ANA))!;
  await accounts.pause(id, guild.clock.now(), noticeTo(ANA, "paused"));
  expect(await agreed()).toMatch(
    /`Loja Aurora`\*\*\n\*\*Parado até a chave voltar\.\*\* Você aceitou\. Sai em/,
  );
  await presences.keep(GUILD, ANA, "left", guild.clock.now(), undefined);
  guild.outside.add(ANA);
  expect(await agreed()).toMatch(
    /`Loja Aurora`\*\*\nVocê aceitou\. Você saiu deste servidor, e nada seu sai no canal\.$/,
  );
  // Back in the server, before Discord is asked again by itself.
  guild.outside.delete(ANA);
  expect(await agreed()).toContain("Sai em");
  expect(await agreed()).not.toContain("Você saiu");
});

describe("another channel of a server", () => {
  const withBoth = async () => {
    const guild = await openGuild();
    await connectEach(guild, ANA, BRUNO);
    await save(guild);
    await guild.services.accounts.chooseReport(GUILD, ANA, "channel");
    await guild.services.accounts.chooseReport(GUILD, BRUNO, "direct");
    await guild.delivered();
    const before = guild.channels.messages.length;
    const told = async (userId: string): Promise<readonly string[]> => {
      await guild.delivered();
      const later = guild.channels.messages.slice(before);
      return later
        .filter(({ channelId }) => channelId === directChannel(userId))
        .map(({ text }) => text);
    };
    return { guild, told };
  };

  test("is told once to the sellers who agreed, with a button that stops their reports", async () => {
    const { guild, told } = await withBoth();
    await save(guild, { emptyChoice: "skip" });
    expect(await told(ANA)).toEqual([]);
    for (const channelId of [OTHER_CHANNEL, OTHER_CHANNEL]) await save(guild, { channelId });
    expect(await told(ANA)).toEqual([
      expect.stringContaining(`servidor \`Loja Aurora\` agora sai em <#${OTHER_CHANNEL}>`),
    ]);
    expect(await told(BRUNO)).toEqual([]);
    const facts = { guildId: GUILD, guildName: "Loja Aurora", channelId: OTHER_CHANNEL } as const;
    const notice = reportMoveNotice({ ...facts, locale: "pt-BR", reference: "R" });
    await guild.person(ANA, { guildId: "" }).act(idOf(notice, "Parar o relatório"));
    expect((await guild.stores.accounts.find(GUILD, ANA))?.reportConsent).toBe(false);
  });

  test("that was chosen while the report was off is told when it is on again", async () => {
    const { guild, told } = await withBoth();
    await save(guild, { active: false });
    await save(guild, { active: false, channelId: OTHER_CHANNEL });
    expect(await told(ANA)).toEqual([]);
    await save(guild, { active: true, channelId: OTHER_CHANNEL });
    expect(await told(ANA)).toEqual([expect.stringContaining(`<#${OTHER_CHANNEL}>`)]);
  });

  test("is told to no seller who has left the server", async () => {
    const { guild, told } = await withBoth();
    await guild.stores.presences.keep(GUILD, ANA, "left", guild.clock.now(), undefined);
    await save(guild, { channelId: OTHER_CHANNEL });
    expect(await told(ANA)).toEqual([]);
  });
});

/** Connects sellers who have not answered yet. */
const connectMany = async ({ stores }: Guild, sellers: number): Promise<void> => {
  for (let place = 0; place < sellers; place++) {
    await stores.accounts.save(
      savedAccount({
        guildId: GUILD,
        ownerId: `${920_000_000_000_000_000n + BigInt(place)}`,
        reportConsent: false,
        reportConsentAt: undefined,
      }),
      new Secret(`sk_sandbox_${place}_4f9c2d7e1b`),
      `seller_${place}`,
    );
  }
};

test("asking the many sellers of a large server leaves turns to other work", async () => {
  const guild = await openGuild();
  await connectMany(guild, 200);
  let turns = 0;
  let isAsking = true;
  const count = (): void => {
    turns++;
    if (isAsking) globalThis.setImmediate(count);
  };
  count();
  await save(guild);
  isAsking = false;
  expect(turns).toBeGreaterThanOrEqual(4);
  await guild.delivered();
  expect(guild.channels.messages).toHaveLength(200);
});

test("a server's sellers beyond a thousand are told of its channel ten minutes after the first", async () => {
  const guild = await openGuild();
  const { channels, clock } = guild;
  await connectMany(guild, 1_001);
  await save(guild);
  await guild.delivered();
  expect(channels.messages).toHaveLength(1_000);
  clock.moveBy(10 * MINUTE);
  await guild.deliver();
  expect(channels.messages).toHaveLength(1_001);
});

describe("a test post", () => {
  test("goes through the outbox to the route's channel, marked", async () => {
    const guild = await openGuild();
    await save(guild);
    expect(await guild.services.reportRoutes.test(tester("1"))).toEqual({
      result: "posted",
      channelId: CHANNEL,
    });
    const [message] = guild.channels.inChannel(CHANNEL);
    expect(message?.text).toMatch(/só um teste[\s\S]*ref [0-9a-f]{8}/);
  });

  test("is made once for one interaction, and again for another", async () => {
    const guild = await openGuild();
    await save(guild);
    for (const interaction of ["1", "1", "2"])
      await guild.services.reportRoutes.test(tester(interaction));
    expect(guild.channels.inChannel(CHANNEL)).toHaveLength(2);
  });

  test("is told while another channel's report is still being posted", async () => {
    const guild = await openGuild();
    await save(guild);
    const { post } = guild.channels;
    const hung = Promise.withResolvers<void>();
    guild.channels.post = async (channelId, ...rest) => {
      if (channelId !== CHANNEL) await hung.promise;
      return await post(channelId, ...rest);
    };
    const target = { kind: "channel", channelId: "1180000000000000103" } as const;
    const at = guild.clock.now();
    await guild.stores.outbox.enqueue(delivery("report", { target, notBefore: at }), at);
    let result = "still waits for the other channel";
    const tested = guild.services.reportRoutes.test(tester("1")).then((test) => {
      result = test.result;
    });
    await expect.poll(() => guild.channels.inChannel(CHANNEL)).toHaveLength(1);
    for (let turns = 0; turns < 100; turns++) await setImmediate();
    const resultMeanwhile = result;
    hung.resolve();
    await tested;
    expect(resultMeanwhile).toBe("posted");
  });

  test.each([
    ["may not be seen", { kind: "lost_channel", code: 50_001 }],
    ["is a locked thread", { kind: "rejected", status: 400, code: 50_083 }],
  ] as const)("that a channel that %s does not take is told as lost", async (_, outcome) => {
    const guild = await openGuild();
    await save(guild);
    guild.channels.mishap = () => ({ made: false, outcome });
    expect(await guild.services.reportRoutes.test(tester("1"))).toMatchObject({
      result: "lost_channel",
    });
  });

  test("of which Discord said nothing is still being tried", async () => {
    const guild = await openGuild();
    await save(guild);
    guild.channels.mishap = () => ({ made: true, outcome: { kind: "unclear", reason: "reset" } });
    expect(await guild.services.reportRoutes.test(tester("1"))).toMatchObject({
      result: "waiting",
    });
  });

  test("that arrives ends the suspension of its channel", async () => {
    const guild = await openGuild();
    await save(guild);
    await guild.stores.routes.suspend(GUILD, CHANNEL, guild.clock.now(), []);
    await guild.services.reportRoutes.test(tester("1"));
    expect((await guild.services.reportRoutes.find(GUILD))?.suspendedAt).toBeUndefined();
  });

  test("needs a route", async () => {
    const { services } = await openGuild();
    expect(await mistakeIn(services.reportRoutes.test(tester("1")))).toBe("report_not_configured");
  });

  test.each([
    ["the server's channel", { kind: "lost_channel", code: 50_013 }],
    ["a person without direct messages", { kind: "unreachable_person", code: 50_007 }],
  ] as const)("to %s is asked of Discord five times in ten minutes at most", async (_, refusal) => {
    const guild = await openGuild();
    const { channels, clock, person } = guild;
    await save(guild);
    await connect(person(ANA), ANA_KEY);
    await guild.services.accounts.chooseReport(GUILD, ANA, "direct");
    await guild.delivered();
    let refused = 0;
    channels.mishap = () => {
      refused++;
      return { outcome: refusal, made: false };
    };
    const press = async () =>
      refusal.kind === "lost_channel"
        ? await person(CARLA, { manager: true }).command("config testar")
        : await person(ANA).act(`conta:direto-testar:${ANA}`);
    for (let tries = 0; tries < 5; tries++) await press();
    expect(await mistakeIn(press())).toBe("too_many_failed_posts");
    expect(refused).toBe(5);

    clock.moveBy(10 * MINUTE);
    channels.mishap = undefined;
    for (let tries = 0; tries < 7; tries++)
      expect(readMessage(await press())[0]).toMatch(/^Teste enviado$/);
  });

  test("that Discord refuses by mistake and is tried again counts like one that it refused for good", async () => {
    const guild = await openGuild();
    const { channels, person } = guild;
    await connect(person(ANA), ANA_KEY);
    await guild.services.accounts.chooseReport(GUILD, ANA, "direct");
    await guild.delivered();
    channels.openMishap = () => ({ kind: "lost_channel", code: 20_026 });
    const press = async () => await person(ANA).act(`conta:direto-testar:${ANA}`);
    for (let tries = 0; tries < 5; tries++) await press();
    expect(await mistakeIn(press())).toBe("too_many_failed_posts");
  });
});
