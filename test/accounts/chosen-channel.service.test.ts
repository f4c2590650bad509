import { sql } from "kysely";
import { expect, test } from "vitest";
import type { Services } from "#src/services.ts";
import { HOUR, SECOND } from "#src/shared/time.ts";
import { directChannel } from "../support/fake-channels.ts";
import {
  ANA,
  ANA_KEY,
  CARLA,
  CHANNEL,
  connect,
  GUILD,
  openGuild,
  OTHER_GUILD,
} from "../support/guild.ts";
import { mistakeIn } from "../support/mistake-in.ts";
import { sampleReport } from "../support/samples.ts";
import { opIn } from "../withdrawals/withdraw-builders.ts";

const OTHER = "1180000000000000103";
const FULL = "begin select raise(abort, 'no room'); end";
const QUESTION = "Posso postar o seu total";

const choices = [
  [
    "relatorio",
    ({ accounts }: Services) => accounts.chooseReport(GUILD, ANA, "channel"),
    "O relatório diário do servidor `Loja Aurora` agora sai em",
  ],
  [
    "alertas",
    ({ accounts }: Services) => accounts.setAlerts(GUILD, ANA, "channel", "pt-BR"),
    "Os alertas de MED do servidor `Loja Aurora` agora saem em",
  ],
  [
    "vendas",
    ({ saleNotices }: Services) => saleNotices.choose(GUILD, ANA, "channel", "pt-BR"),
    "Os avisos de venda do servidor `Loja Aurora` agora saem em",
  ],
] as const;
type Part = (typeof choices)[number][0];

const opened = async () => {
  const guild = await openGuild();
  const { channels, clock, delivered } = guild;
  const carla = guild.person(CARLA, { manager: true });
  return {
    ...guild,
    /** Each choice comes some time after the one before. */
    move: async (part: Part, id: string, manager = carla) => {
      clock.moveBy(SECOND);
      const channel = { id, type: 0, appPermissions: 84_992n };
      await manager.act(`config:${part}-canal:`, { values: [id], channel });
    },
    /** Ana is away long enough for another try of a message that Discord refused. */
    away: async () => {
      clock.moveBy(HOUR);
      await guild.stores.presences.keep(GUILD, ANA, "left", clock.now(), undefined);
    },
    back: async () =>
      await guild.services.accounts.confirmPresence(
        (await guild.stores.accounts.find(GUILD, ANA))!,
      ),
    told: async (words: string): Promise<readonly string[]> => {
      await delivered();
      const messages = channels.inChannel(directChannel(ANA)).map(({ text }) => text);
      return messages.filter((text) => text.includes(words));
    },
  };
};

test.each(choices)(
  "another channel in /config %s is told to each seller whose posts go there, and back again too",
  async (part, choose, words) => {
    const { move, person, services, told } = await opened();
    await connect(person(ANA), ANA_KEY);
    await move(part, CHANNEL);
    await choose(services);
    expect(await told(words)).toEqual([]);
    for (const id of [OTHER, OTHER, CHANNEL, OTHER]) await move(part, id);
    expect(await told(words)).toEqual(
      [OTHER, CHANNEL, OTHER].map((id) => expect.stringContaining(`${words} <#${id}>`) as unknown),
    );
  },
);

/** Ana chose the part's channel; the database failed after another one was chosen, before she was told. */
const failedAfterChoice = async (part: Part, choose: (typeof choices)[number][1]) => {
  const guild = await opened();
  const { db, move, person, services } = guild;
  await connect(person(ANA), ANA_KEY);
  await move(part, CHANNEL);
  await choose(services);
  await sql.raw(`create trigger messages before insert on outbox ${FULL}`).execute(db);
  await expect(move(part, OTHER)).rejects.toThrow("no room");
  await sql.raw("drop trigger messages").execute(db);
  return guild;
};

test.each(choices)(
  "where the database fails after the choice in /config %s, the same choice made again tells the sellers, once",
  async (part, choose, words) => {
    const { move, told } = await failedAfterChoice(part, choose);
    for (const _ of [1, 2]) await move(part, OTHER);
    expect(await told(words)).toEqual([expect.stringContaining(`${words} <#${OTHER}>`)]);
  },
);

test("where the database fails after a choice of the channel of sale notices, a raised minimum there tells the sellers", async () => {
  const [part, choose, words] = choices[2];
  const { person, told } = await failedAfterChoice(part, choose);
  const carla = person(CARLA, { manager: true });
  for (const values of [["10000"], ["20000"]]) await carla.act("config:vendas-minimo:", { values });
  expect(await told(words)).toEqual([
    expect.stringContaining(`${words} <#${OTHER}>, a partir de R$\u00a0100,00.`),
  ]);
});

test("where the database fails after the first choice in /config relatorio, another channel asks the sellers about reports, once", async () => {
  const { db, move, person, told } = await opened();
  await connect(person(ANA), ANA_KEY);
  await sql.raw(`create trigger messages before insert on outbox ${FULL}`).execute(db);
  await expect(move("relatorio", CHANNEL)).rejects.toThrow("no room");
  await sql.raw("drop trigger messages").execute(db);
  for (const id of [OTHER, CHANNEL]) await move("relatorio", id);
  expect(await told(QUESTION)).toEqual([expect.stringContaining(`<#${OTHER}>`)]);
});

/** Ana chose the part's channel, and left before another one was chosen. */
const movedWhileAway = async (part: Part, choose: (typeof choices)[number][1]) => {
  const guild = await opened();
  const { clock, move, person, services, stores } = guild;
  await connect(person(ANA), ANA_KEY);
  await move(part, CHANNEL);
  await choose(services);
  await stores.presences.keep(GUILD, ANA, "left", clock.now(), undefined);
  await move(part, OTHER);
  return guild;
};

test.each(choices)(
  "who is back in the server is told the channel that was chosen meanwhile in /config %s, once",
  async (part, choose, words) => {
    const { services, stores, told } = await movedWhileAway(part, choose);
    const ana = await stores.accounts.find(GUILD, ANA);
    if (ana === undefined) throw new Error("Ana is not connected");
    expect(await told(words)).toEqual([]);
    for (const _ of [1, 2]) await services.accounts.confirmPresence(ana);
    expect(await told(words)).toEqual([expect.stringContaining(`${words} <#${OTHER}>`)]);
  },
);

test.each(choices)(
  "who is back while the database fails is told the channel of /config %s once it works, once",
  async (part, choose, words) => {
    const { back, db, told } = await movedWhileAway(part, choose);
    await sql.raw(`create trigger messages before insert on outbox ${FULL}`).execute(db);
    await expect(back()).rejects.toThrow("no room");
    await sql.raw("drop trigger messages").execute(db);
    for (const _ of [1, 2]) await back();
    expect(await told(words)).toEqual([expect.stringContaining(`${words} <#${OTHER}>`)]);
  },
);

test.each(choices)(
  "who is back and first connects another key is told the channel of /config %s too",
  async (part, choose, words) => {
    const { person, told } = await movedWhileAway(part, choose);
    await connect(person(ANA), "sk_test_ana_of_today_0123");
    expect(await told(words)).toEqual([expect.stringContaining(`${words} <#${OTHER}>`)]);
  },
);

test("who is back and types another wallet account's key, which is refused, is told with the next command", async () => {
  const [part, choose, words] = choices[1];
  const { person, stores, told, wallet } = await movedWhileAway(part, choose);
  const { id: accountId, accountFp } = (await stores.accounts.find(GUILD, ANA))!;
  await opIn(stores.journal, "unknown", { accountFp, accountId, ownerId: ANA });
  wallet.report = async () => ({ ...sampleReport(), userId: "user_8812" });
  const refused = connect(person(ANA), "sk_test_other_account_0123");
  expect(await mistakeIn(refused)).toBe("withdrawal_unfinished");
  expect(await told(words)).toEqual([]);
  await person(ANA).command("conta ver");
  expect(await told(words)).toHaveLength(1);
});

test.each([
  [
    "pt-BR",
    "Os avisos de venda do servidor `Loja Aurora` agora saem em",
    [", a partir de R$\u00a0100,00.", ": toda venda sai."],
  ],
  [
    "en-US",
    "The sale notices of the server `Loja Aurora` are now posted in",
    [", R$\u00a0100.00 and up.", ": every sale appears."],
  ],
] as const)(
  "a lower minimum of sale notices is told in %s to each seller who chose the channel, a higher one is not",
  async (locale, words, minimums) => {
    const { clock, move, person, services, told } = await opened();
    await connect(person(ANA), ANA_KEY);
    await move("vendas", CHANNEL);
    await services.saleNotices.choose(GUILD, ANA, "channel", locale);
    const carla = person(CARLA, { manager: true });
    for (const centavos of ["50000", "10000", "10000", "0"]) {
      clock.moveBy(SECOND);
      await carla.act("config:vendas-minimo:", { values: [centavos] });
    }
    expect(await told(words)).toEqual(
      minimums.map((from) => expect.stringContaining(`${words} <#${CHANNEL}>${from}`) as unknown),
    );
  },
);

test("alerts that come back to a channel that was lost are told", async () => {
  const { clock, move, person, services, stores, told } = await opened();
  await connect(person(ANA), ANA_KEY);
  await move("alertas", CHANNEL);
  await services.accounts.setAlerts(GUILD, ANA, "channel", "pt-BR");
  await stores.alertRoutes.suspend(GUILD, CHANNEL, clock.now(), []);
  await move("alertas", CHANNEL);
  expect(await told("agora saem em")).toHaveLength(1);
});

test("a server's other alert channel is told also to a seller whose alerts may come back to it from another server", async () => {
  const { move, person, services, told } = await opened();
  const there = person(CARLA, { manager: true, guildId: OTHER_GUILD });
  for (const [guildId, manager] of [
    [GUILD, undefined],
    [OTHER_GUILD, there],
  ] as const) {
    await connect(person(ANA, { guildId }), ANA_KEY);
    await move("alertas", CHANNEL, manager);
    await services.accounts.setAlerts(guildId, ANA, "channel", "pt-BR");
  }
  await move("alertas", OTHER, there);
  expect(await told("agora saem em")).toHaveLength(1);
});

test("who is back in a server that began reports meanwhile is asked about them, once", async () => {
  const { away, back, move, person, told } = await opened();
  await connect(person(ANA), ANA_KEY);
  for (const part of ["relatorio", "alertas"] as const) {
    await away();
    await move(part, CHANNEL);
    await back();
    expect(await told(QUESTION)).toHaveLength(1);
  }
});

test("who is back and never got the question about reports is asked once more", async () => {
  const { away, back, channels, move, person, told } = await opened();
  await connect(person(ANA), ANA_KEY);
  channels.mishap = () => ({ outcome: { kind: "unreachable_person", code: 50_278 }, made: false });
  await move("relatorio", CHANNEL);
  expect(await told(QUESTION)).toEqual([]);
  channels.mishap = undefined;
  for (const _ of [1, 2]) {
    await away();
    await back();
    expect(await told(QUESTION)).toHaveLength(1);
  }
});

test("who is back is asked about reports whose lost channel was replaced meanwhile", async () => {
  const { away, back, clock, move, person, stores, told } = await opened();
  await move("relatorio", CHANNEL);
  await stores.routes.suspend(GUILD, CHANNEL, clock.now(), []);
  await connect(person(ANA), ANA_KEY);
  await away();
  await move("relatorio", OTHER);
  await back();
  expect(await told(QUESTION)).toHaveLength(1);
});

test("who is back while the chosen channel is lost is asked about reports all the same", async () => {
  const { away, back, clock, move, person, stores, told } = await opened();
  await connect(person(ANA), ANA_KEY);
  await away();
  await move("relatorio", OTHER);
  await stores.routes.suspend(GUILD, OTHER, clock.now(), []);
  await back();
  expect(await told(QUESTION)).toHaveLength(1);
});

const storeOf = { relatorio: "routes", alertas: "alertRoutes", vendas: "saleRoutes" } as const;

test.each(choices)(
  "who is back while another channel of /config %s is lost is told which one, once",
  async (part, choose, words) => {
    const { away, back, clock, move, person, services, stores, told } = await opened();
    await connect(person(ANA), ANA_KEY);
    await move(part, CHANNEL);
    await choose(services);
    await away();
    await move(part, OTHER);
    await stores[storeOf[part]].suspend(GUILD, OTHER, clock.now(), []);
    for (const _ of [1, 2]) await back();
    expect(await told(`<#${OTHER}>`)).toEqual([expect.stringContaining("Não consigo mais postar")]);
    expect(await told(words)).toEqual([]);
  },
);

test("a seller who left the question about reports open is not asked again because the channel moves", async () => {
  const { move, person, told } = await opened();
  await move("relatorio", CHANNEL);
  await connect(person(ANA), ANA_KEY);
  await move("relatorio", OTHER);
  expect(await told(QUESTION)).toEqual([]);
});

test("a seller who declined right after connecting is not asked again once back", async () => {
  const { away, back, move, person, services, told } = await opened();
  await move("relatorio", CHANNEL);
  await connect(person(ANA), ANA_KEY);
  await services.accounts.chooseReport(GUILD, ANA, "off");
  await away();
  await back();
  expect(await told(QUESTION)).toEqual([]);
});
