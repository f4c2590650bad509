import { describe, expect, test } from "vitest";
import type { Account } from "#src/accounts/account.ts";
import type { UnopenedChannel } from "#src/delivery/delivery.ts";
import type { Reply } from "#src/ui/reply.ts";
import { directChannel } from "../support/fake-channels.ts";
import {
  connectRequest,
  ANA,
  ANA_KEY,
  BRUNO,
  CARLA,
  CHANNEL,
  connect,
  GUILD,
  openGuild,
  type Guild,
  OTHER_GUILD,
} from "../support/guild.ts";
import { mistakeIn } from "../support/mistake-in.ts";
import { asRoute, sampleReport, sampleRoute } from "../support/samples.ts";
import { labelsOf, readMessage, textOf } from "../ui/read-message.ts";
import { idOf, menuIn, partsOf } from "./components.ts";
import { Secret } from "#src/shared/secret.ts";
import { DAY, HOUR } from "#src/shared/time.ts";
import { noticeTo } from "../database/builders.ts";
import { opIn } from "../withdrawals/withdraw-builders.ts";

const NEXT_KEY = "sk_test_next_987654wxyz";

describe("the report by direct message", () => {
  const withDirect = async () => {
    const guild = await openGuild();
    await guild.services.reportRoutes.save(
      ...asRoute(sampleRoute({ guildId: GUILD, channelId: CHANNEL })),
    );
    await connect(guild.person(ANA), ANA_KEY);
    const shown = await guild.person(ANA).act(`conta:relatorio:${ANA}`, { values: ["direct"] });
    return {
      ...guild,
      ana: guild.person(ANA),
      settings: idOf(shown, "Ajustes do relatório"),
    };
  };

  test("comes at the hour that its menu chooses, whatever the server's is", async () => {
    const { ana, settings, stores, person } = await withDirect();
    const shown = await ana.act(settings);
    expect(readMessage(shown).join("\n")).toMatch(
      /Horário: 21:05\nFuso: horário de Brasília\nPróximo/,
    );
    const menu = `conta:direto-hora:${ANA}`;
    expect(menuIn(shown, menu)).toContainEqual(["07:00", "Sai às 07:00"]);
    const saved = await ana.act(menu, { values: ["07:00"] });
    expect(readMessage(saved).slice(0, 2)).toEqual([
      "O seu relatório está salvo",
      "Horário: 07:00",
    ]);
    expect(readMessage(await ana.command("conta ver")).join("\n")).toContain("às 07:00");
    await connect(ana, ANA_KEY);
    const { watchId } = (await stores.accounts.find(GUILD, ANA))!;
    expect(String((await stores.ledger.sellersOf(watchId))[0]?.time)).toBe("07:00:00");
    expect(await mistakeIn(ana.act(menu, { values: ["x"] }))).toBe("outdated_component");
    expect(await mistakeIn(person(BRUNO).act(menu, { values: ["08:00"] }))).toBe("not_your_button");
  });

  test("goes out at once where its new hour is past already, or waits for the key, which the answer says", async () => {
    const { ana, clock, stores } = await withDirect();
    clock.moveBy(DAY);
    const chosen = async (time: string) =>
      readMessage(await ana.act(`conta:direto-hora:${ANA}`, { values: [time] })).join("\n");
    expect(await chosen("16:00")).not.toContain("em instantes");
    expect(await chosen("14:00")).toMatch(
      /Próximo relatório: O de 20\/11\/2026 sai em instantes\.\n.*com as vendas de 21\/11\/2026/,
    );
    const closes = await ana.act(`conta:direto-fechamentos:${ANA}`, { values: ["month"] });
    expect(readMessage(closes).join("\n")).not.toContain("em instantes");
    const { id } = (await stores.accounts.find(GUILD, ANA))!;
    await stores.accounts.pause(id, clock.now(), noticeTo(ANA, "paused"));
    expect(await chosen("15:00")).toMatch(
      /Próximo relatório: \*\*Parado até a chave voltar\.\*\*$/,
    );
  });

  test("switches its closes by a menu, for its owner alone", async () => {
    const { ana, settings, services, stores, person } = await withDirect();
    const menu = `conta:direto-fechamentos:${ANA}`;
    expect(menuIn(await ana.act(settings), menu)).toContainEqual([
      "week",
      "Fechamento da semana, na segunda",
    ]);
    await ana.act(menu, { values: ["month"] });
    const { id } = (await stores.accounts.find(GUILD, ANA))!;
    expect(await services.closes.choices(id)).toEqual({ week: false, month: true });
    expect(await services.closes.choices(GUILD)).toEqual({ week: true, month: true });
    expect(await mistakeIn(ana.act(menu, { values: ["x"] }))).toBe("outdated_component");
    expect(await mistakeIn(person(BRUNO).act(menu, { values: [] }))).toBe("not_your_button");
  });

  test("is tested by a sample to its reader alone", async () => {
    const { ana, settings, channels } = await withDirect();
    const answer = await ana.act(idOf(await ana.act(settings), "Testar"));
    expect(readMessage(answer)[0]).toBe("Teste enviado");
    const [post, ...more] = channels.inChannel(directChannel(ANA));
    expect(post?.text).toMatch(/Exemplo, com números inventados[^]*812,50/);
    expect([more, channels.inChannel(CHANNEL)]).toEqual([[], []]);
  });

  test.each<[string, string, UnopenedChannel]>([
    [
      "direct messages are closed",
      "Não consegui enviar",
      { kind: "unreachable_person", code: 50_007 },
    ],
    ["it waits for a quarantined bot", "Teste na fila", { kind: "lost_channel", code: 20_026 }],
  ])("says after a test that %s", async (_, title, outcome) => {
    const { ana, channels } = await withDirect();
    channels.openMishap = () => outcome;
    expect(readMessage(await ana.act(`conta:direto-testar:${ANA}`))[0]).toBe(title);
  });

  test("has no settings while it goes elsewhere", async () => {
    const { ana, settings, services } = await withDirect();
    await services.accounts.chooseReport(GUILD, ANA, "channel");
    expect(readMessage(await ana.act(settings))[0]).toBe("Chave conectada");
    expect(labelsOf((await ana.command("conta ver")) as Reply)).toEqual([]);
    expect(await mistakeIn(ana.act(`conta:direto-testar:${ANA}`))).toBe("outdated_component");
  });
});

const openedDirect = async (guilds: readonly string[] = [GUILD, OTHER_GUILD]) => {
  const guild = await openGuild();
  for (const guildId of guilds) {
    await guild.services.accounts.connect(connectRequest({ guildId }));
    // So far apart that no number of keys is too many.
    guild.clock.moveBy(HOUR / 5);
  }
  return { ...guild, ana: guild.person(ANA, { guildId: "" }) };
};
const guildsOf = async ({ stores }: Guild, userId = ANA): Promise<readonly string[]> =>
  (await stores.accounts.ofOwner(userId)).map(({ guildId }) => guildId);

describe("S14: /conta in the bot's direct message", () => {
  test("ver lists every connection, by the server's name where Discord tells it", async () => {
    const { ana } = await openedDirect();
    const shown = await ana.command("conta ver");
    expect(textOf(shown)).toMatch(
      /^Suas chaves conectadas\n[^]*1\. Servidor: \*\*`Loja Aurora`\*\*\nChave `…6789`, conta conectada em <t:\d+:d> <t:\d+:t>\n[^]*2\. Servidor: \*\*`…0002`\*\*/,
    );
    expect(menuIn(shown)).toEqual([
      [GUILD, "1. Loja Aurora"],
      [OTHER_GUILD, "2. servidor …0002"],
    ]);
    expect(JSON.stringify(shown)).not.toContain(ANA_KEY);
  });

  test("says of each whether its report is posted, and who has left where", async () => {
    const guild = await openedDirect();
    const { presences } = guild.stores;
    await guild.services.accounts.chooseReport(GUILD, ANA, "channel");
    await presences.keep(OTHER_GUILD, ANA, "left", guild.clock.now(), undefined);
    guild.outside.add(`${OTHER_GUILD} ${ANA}`);
    expect(textOf(await guild.ana.command("conta ver"))).toMatch(
      /pode sair no canal\.[^]*Você saiu deste servidor/,
    );
  });

  test("does not say of a server that who is back in it has left it", async () => {
    const { ana, clock, stores } = await openedDirect([GUILD]);
    await stores.presences.keep(GUILD, ANA, "left", clock.now(), undefined);
    expect(textOf(await ana.command("conta ver"))).not.toMatch(/saiu deste|não entrega/);
  });

  test("desconectar asks of one connection whether, and deletes it only then", async () => {
    const guild = await openedDirect([GUILD]);
    const question = await guild.ana.command("conta desconectar");
    expect(textOf(question)).toMatch(/^Desconectar esta chave\?\nDo servidor `Loja Aurora` apago/);
    expect(labelsOf(question as Reply)).toEqual(["Apagar a chave", "Manter"]);
    expect(await guildsOf(guild)).toEqual([GUILD]);
    const after = await guild.ana.act(idOf(question, "Apagar a chave"));
    expect(textOf(after)).toMatch(/^Chave apagada\n.*`Loja Aurora`/);
    expect(await guildsOf(guild)).toEqual([]);
  });

  test("desconectar asks of several which, and deletes that one alone", async () => {
    const guild = await openedDirect();
    const list = await guild.ana.command("conta desconectar");
    expect(textOf(list)).toContain("Suas chaves conectadas");
    const question = await guild.ana.act(idOf(list), { values: [OTHER_GUILD] });
    expect(textOf(question)).toContain("Do servidor `…0002` apago");
    expect(textOf(await guild.ana.act(idOf(question, "Manter")))).toContain(
      "Suas chaves conectadas",
    );
    await guild.ana.act(idOf(question, "Apagar a chave"));
    expect(await guildsOf(guild)).toEqual([GUILD]);
  });

  test("S2: a withdrawal that another of the keys follows hinders nothing", async () => {
    const guild = await openedDirect();
    const { id: accountId, accountFp } = (await guild.stores.accounts.find(GUILD, ANA))!;
    await opIn(guild.stores.journal, "unknown", { accountFp, accountId, ownerId: ANA });
    const question = await guild.ana.act("conta:qual", { values: [GUILD] });
    await guild.ana.act(idOf(question, "Apagar a chave"));
    expect(await guildsOf(guild)).toEqual([OTHER_GUILD]);
  });

  test.each([
    ["channel", "pode sair no canal."],
    ["direct", "vai por mensagem direta."],
  ] as const)("the report alone, by %s, is stopped by its seller", async (choice, listed) => {
    const guild = await openedDirect([GUILD]);
    await guild.services.accounts.chooseReport(GUILD, ANA, choice);
    expect(textOf(await guild.ana.command("conta ver"))).toContain(listed);
    const question = await guild.ana.command("conta desconectar");
    const after = await guild.ana.act(idOf(question, "Só parar o relatório"));
    expect(textOf(after)).toMatch(/^Relatório desligado\n.*`Loja Aurora`/);
    expect(await guild.stores.accounts.find(GUILD, ANA)).toMatchObject({
      reportConsent: false,
      reportDirect: false,
    });
  });

  test("the report alone, stopped in one of two servers, is said to go on by the other", async () => {
    const guild = await openedDirect();
    for (const guildId of [GUILD, OTHER_GUILD])
      await guild.services.accounts.chooseReport(guildId, ANA, "direct");
    const stop = async (guildId: string) => {
      const question = await guild.ana.act("conta:qual", { values: [guildId] });
      return textOf(await guild.ana.act(idOf(question, "Só parar o relatório")));
    };
    expect(await stop(GUILD)).toMatch(
      /^O seu total não sai no canal\n.*O relatório por mensagem direta continua.*`\/conta ver` lá/,
    );
    const here = textOf(await guild.person(ANA).command("conta ver"));
    expect(here).toMatch(/Ele vai por mensagem direta, às 21:05.*outro servidor/);
    expect(await stop(OTHER_GUILD)).toMatch(/^Relatório desligado\n.*nem por mensagem direta/);
    expect(textOf(await guild.person(ANA).command("conta ver"))).not.toContain("outro servidor");
  });

  test("the report alone, stopped beside a refused key of another server, is not said to go on", async () => {
    const guild = await openedDirect([GUILD]);
    const there = connectRequest({ guildId: OTHER_GUILD, apiKey: new Secret(NEXT_KEY) });
    const { id } = await guild.services.accounts.connect(there);
    await guild.services.accounts.chooseReport(GUILD, ANA, "channel");
    await guild.services.accounts.chooseReport(OTHER_GUILD, ANA, "direct");
    await guild.stores.accounts.pause(id, guild.clock.now(), noticeTo(ANA, "paused"));
    const question = await guild.ana.act("conta:qual", { values: [GUILD] });
    const after = await guild.ana.act(idOf(question, "Só parar o relatório"));
    expect(textOf(after)).not.toContain(GOES_ON);
  });

  const GOES_ON = "O relatório por mensagem direta continua";

  describe.each([
    ["direct", true],
    ["channel", false],
  ] as const)("with the report %s in another server", (elsewhere, goesOn) => {
    const opened = async () => {
      const guild = await openedDirect();
      await guild.delivered();
      await guild.services.accounts.chooseReport(GUILD, ANA, "direct");
      await guild.services.accounts.chooseReport(OTHER_GUILD, ANA, elsewhere);
      return guild;
    };

    test.each(["in the server", "from outside"])("a key deleted %s says so", async (where) => {
      const { ana, person } = await opened();
      const isOutside = where === "from outside";
      const owner = isOutside ? ana : person(ANA);
      const question = isOutside
        ? await ana.act("conta:qual", { values: [GUILD] })
        : await owner.command("conta desconectar");
      const after = await owner.act(idOf(question, "Apagar a chave"));
      const said = [question, after].map((shown) => textOf(shown).includes(GOES_ON));
      expect(said).toEqual([goesOn, goesOn]);
      expect(textOf(after).includes("o seu relatório não sai mais. ")).toBe(!goesOn);
    });

    test("a key that an admin deletes says so to its owner", async () => {
      const { person, delivered, channels } = await opened();
      const carla = person(CARLA, { manager: true });
      const question = await carla.act("config:remover:", { values: [ANA] });
      await carla.act(idOf(question, "Desconectar"));
      await delivered();
      const [told] = channels.inChannel(directChannel(ANA));
      expect(told?.text).toContain("Desconectaram a sua chave");
      expect(told?.text.includes(GOES_ON)).toBe(goesOn);
    });
  });

  test.each([
    ["not of the other, which is refused", [OTHER_GUILD], false],
    ["of the other, though both are refused: it owes the same reports", [OTHER_GUILD, GUILD], true],
  ] as const)(
    "a key deleted says that the direct report goes on %s",
    async (_, refused, goesOn) => {
      const { person, services, stores, clock, delivered } = await openedDirect();
      await delivered();
      for (const guildId of [GUILD, OTHER_GUILD])
        await services.accounts.chooseReport(guildId, ANA, "direct");
      for (const guildId of refused) {
        const there = (await stores.accounts.find(guildId, ANA))!;
        const kept = { ...there, connectedAt: clock.now() };
        const key = new Secret(`sk_test_other_${guildId}`);
        const { id } = await stores.accounts.save(kept, key, sampleReport().userId);
        await stores.accounts.pause(id, clock.now(), noticeTo(ANA, `refused|${id}`));
      }
      const question = await person(ANA).command("conta desconectar");
      const after = await person(ANA).act(idOf(question, "Apagar a chave"));
      const said = [question, after].map((shown) => textOf(shown).includes(GOES_ON));
      expect(said).toEqual([goesOn, goesOn]);
    },
  );

  test("a question that was shown before another key went is asked anew, with all that the last key takes along", async () => {
    const guild = await openedDirect();
    const key = { hash: "h", masked: "a***", type: "email", value: "ana@example.com" } as const;
    await guild.stores.pixKeys.save(ANA, key, guild.clock.now());
    const ask = (guildId: string) => guild.ana.act("conta:qual", { values: [guildId] });
    const [first, second] = [await ask(GUILD), await ask(OTHER_GUILD)];
    await guild.ana.act(idOf(first, "Apagar a chave"));
    const anew = await guild.ana.act(idOf(second, "Apagar a chave"));
    expect(textOf(anew)).toMatch(/mudaram depois dessa pergunta[^]*chave PIX/);
    expect(await guildsOf(guild)).toEqual([OTHER_GUILD]);
    await guild.ana.act(idOf(anew, "Apagar a chave"));
    expect(await guildsOf(guild)).toEqual([]);
  });

  describe.each(["in the server", "from outside"])("asked %s about a key", (where) => {
    const asked = async () => {
      const guild = await openGuild();
      const connected = async (userId: string, key: string) => {
        guild.wallet.report = async () => ({ ...sampleReport(), userId });
        await connect(guild.person(ANA), key);
        return (await guild.stores.accounts.find(GUILD, ANA))!;
      };
      const begun = ({ id: accountId, accountFp }: Account, at?: Temporal.Instant) => {
        const given = { accountFp, accountId, ownerId: ANA };
        return opIn(guild.stores.journal, "processing", given, {}, at);
      };
      const owner = guild.person(ANA, where === "in the server" ? {} : { guildId: "" });
      const account = await connected("loja-a", ANA_KEY);
      const question = () => owner.command("conta desconectar");
      return { ...guild, owner, account, connected, begun, question };
    };
    const ANEW = "mudaram depois dessa pergunta, e não apaguei nada";

    test.each(["loja-a", "loja-b"])(
      "an old question deletes none that %s has in its place, at a second tap neither, and asks about that one",
      async (userId) => {
        const { owner, connected, question, stores } = await asked();
        const old = await question();
        expect(textOf(old)).not.toContain(ANEW);
        await connected(userId, NEXT_KEY);
        const anew = await owner.act(idOf(old, "Apagar a chave"));
        expect(textOf(anew)).toMatch(new RegExp(`${ANEW}[^]*…wxyz`));
        await owner.act(partsOf(anew)[0]!.id);
        expect(await stores.accounts.find(GUILD, ANA)).toMatchObject({ keyLast4: "wxyz" });
        const after = await owner.act(idOf(anew, "Apagar a chave"));
        expect(textOf(after)).toMatch(/^Chave apagada/);
        expect(await stores.accounts.find(GUILD, ANA)).toBeUndefined();
      },
    );

    test("S2: an old warning drops no withdrawal but those that it named", async () => {
      const { owner, account, begun, question, stores } = await asked();
      const early = await question();
      const first = await begun(account);
      const old = await owner.act(idOf(early, "Apagar a chave"));
      expect(textOf(old)).toContain(`O saque \`${first.id}\` ainda não terminou`);
      expect(textOf(old)).toContain("apagar a chave não o cancela");
      const { kind } = await stores.journal.move(
        first,
        { to: "completed", change: { txid: "TX1" }, reason: "t" },
        first.updatedAt,
      );
      const second = await begun(account);
      const anew = await owner.act(idOf(old, "Apagar mesmo assim"));
      expect([kind, await stores.accounts.find(GUILD, ANA)]).toEqual(["moved", account]);
      expect(textOf(anew)).toMatch(new RegExp(`${ANEW}[^]*\`${second.id}\` ainda não terminou`));
      await owner.act(idOf(anew, "Apagar mesmo assim"));
      expect(await stores.accounts.find(GUILD, ANA)).toBeUndefined();
      expect(await stores.journal.find(second.id)).toEqual(second);
    });

    test("S2: a withdrawal begun beside the named one is counted before both are dropped", async () => {
      const { owner, account, begun, question, stores } = await asked();
      const first = await begun(account);
      const old = await question();
      await begun(account, first.updatedAt.add({ minutes: 1 }));
      const anew = await owner.act(idOf(old, "Apagar mesmo assim"));
      expect(textOf(anew)).toContain(`O saque \`${first.id}\` e mais 1 ainda não terminaram`);
      expect(await stores.accounts.find(GUILD, ANA)).toEqual(account);
    });

    test("a button of before, which names no question, is out of date", async () => {
      const { owner, account, stores } = await asked();
      const id = where === "in the server" ? `apagar:${ANA}` : `apagar-de:${GUILD}`;
      expect(await mistakeIn(owner.act(`conta:${id}`))).toBe("outdated_component");
      expect(await stores.accounts.find(GUILD, ANA)).toEqual(account);
    });
  });

  test("conectar says where a key is connected", async () => {
    const { ana } = await openedDirect([]);
    expect(await mistakeIn(ana.command("conta conectar"))).toBe("connect_in_server");
  });

  test.each(["conta ver", "conta desconectar"])("%s says so when there is none", async (typed) => {
    const { ana } = await openedDirect([]);
    expect(await mistakeIn(ana.command(typed))).toBe("nothing_connected");
  });

  test.each([
    ["conta:apagar-de", ".0123456789"],
    ["conta:parar-em", ""],
    ["conta:qual", ""],
  ])("%s with another's server or a forged id reaches nobody's key", async (action, questionId) => {
    const guild = await openedDirect([GUILD]);
    const bruno = guild.person(BRUNO, { guildId: "" });
    const kind = action === "conta:parar-em" ? "not_connected" : "nothing_connected";
    expect(await mistakeIn(bruno.act(`${action}:${GUILD}${questionId}`))).toBe(kind);
    expect(await mistakeIn(bruno.act(`${action}:x`))).toBe("outdated_component");
    expect(await guildsOf(guild)).toEqual([GUILD]);
  });

  test("thirty connections fit, with a word about those that do not", async () => {
    const guilds = Array.from({ length: 30 }, (_, index) => `11800000000000010${10 + index}`);
    const guild = await openedDirect(guilds);
    const shown = await guild.ana.command("conta ver");
    expect(menuIn(shown)).toHaveLength(25);
    expect(textOf(shown)).toContain("Há mais 5, que não couberam aqui.");
  });
});
