import { describe, expect, test } from "vitest";
import { UserError } from "#src/shared/errors.ts";
import { errorReply } from "#src/help/error.view.ts";
import type { Reply } from "#src/ui/reply.ts";
import { followedDispute } from "#src/disputes/dispute-watch.ts";
import { HOUR } from "#src/shared/time.ts";
import { Secret } from "#src/shared/secret.ts";
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
  OTHER_GUILD,
} from "../support/guild.ts";
import { mistakeIn } from "../support/mistake-in.ts";
import { proofContent } from "../disputes/dispute-builders.ts";
import { sampleCharge } from "../charges/charge-samples.ts";
import { cents } from "#src/shared/money.ts";
import { sampleDispute } from "../disputes/dispute-samples.ts";
import { opIn } from "../withdrawals/withdraw-builders.ts";
import { sampleReport, sampleRoute } from "../support/samples.ts";
import { labelsOf, readMessage } from "../ui/read-message.ts";
import { idOf, menuIn } from "./components.ts";

const linesOf = (answer: unknown): string[] => readMessage(answer as Reply);
const buttonIdOf = (answer: unknown, label: string): string => {
  const pieces = ((answer as Reply).components ?? []).flatMap(({ components }) => components);
  const found = pieces.find((piece) => "label" in piece && piece.label === label);
  if (found === undefined || !("custom_id" in found)) throw new Error(`No button ${label}`);
  return found.custom_id;
};
const openWithChannel = async () => {
  const guild = await openGuild();
  await guild.services.reportRoutes.save(sampleRoute({ guildId: GUILD, channelId: CHANNEL }));
  return guild;
};
const ofBruno = (bot = false) => ({ user: { membro: { id: BRUNO, bot } } });

describe("/conta conectar", () => {
  test("opens a form with the field that holds the key", async () => {
    const { person } = await openGuild();
    expect(await person(ANA).command("conta conectar")).toMatchObject({
      kind: "modal",
      fields: [{ id: "api_key", required: true }],
    });
  });

  test("opens by the button under what needs a key, for whoever presses it", async () => {
    const { person } = await openGuild();
    const refusal = errorReply(new UserError({ kind: "not_connected" }), "pt-BR", "R");
    expect(await person(ANA).act(buttonIdOf(refusal, "Conectar minha chave"))).toEqual(
      await person(ANA).command("conta conectar"),
    );
  });

  test("keeps the key, shows its end alone and asks for consent", async () => {
    const { person, stores } = await openWithChannel();
    const answer = await connect(person(ANA), ANA_KEY);
    expect(linesOf(answer)[0]).toBe("Chave conectada");
    expect(JSON.stringify(answer)).not.toContain(ANA_KEY);
    expect(labelsOf(answer as Reply)).toEqual(["Pode postar", "Agora não"]);
    expect((await stores.accounts.find(GUILD, ANA))?.reportConsent).toBe(false);
  });

  test.each([
    ["Pode postar", true],
    ["Agora não", false],
  ])("takes %j for an answer", async (label, consent) => {
    const { person, stores } = await openWithChannel();
    await person(ANA).act(buttonIdOf(await connect(person(ANA), ANA_KEY), label));
    expect((await stores.accounts.find(GUILD, ANA))?.reportConsent).toBe(consent);
  });

  test.each([
    ["the same account", ANA, [/Desligados/, false], "direct"],
    [
      "an account that may be another person's",
      "loja-aurora",
      [/Desligados.*\/conta ver/, true],
      "off",
    ],
  ] as const)("says whether a key of %s ends the sale notices", async (_, userId, says, choice) => {
    const { person, stores, services, wallet } = await openWithChannel();
    wallet.report = async () => ({ ...sampleReport(), userId: ANA });
    await connect(person(ANA), ANA_KEY);
    await services.saleNotices.choose(GUILD, ANA, "direct", "pt-BR");
    wallet.report = async () => ({ ...sampleReport(), userId });
    const lines = linesOf(await connect(person(ANA), `${ANA_KEY}_other`)).join("\n");
    expect([says[0], says[0].test(lines)]).toEqual(says);
    const account = await stores.accounts.find(GUILD, ANA);
    expect(await stores.saleRoutes.choiceOf(account?.id ?? "")).toBe(choice);
  });

  test("with the wrong text keeps nothing", async () => {
    const { person, stores } = await openGuild();
    expect(await mistakeIn(connect(person(ANA), "not a key"))).toBe("malformed_api_key");
    expect(await stores.accounts.find(GUILD, ANA)).toBeUndefined();
  });
});

describe("/conta conectar membro:", () => {
  test("is for who manages the server", async () => {
    const { person } = await openGuild();
    expect(await mistakeIn(person(ANA).command("conta conectar", ofBruno()))).toBe(
      "manage_server_required",
    );
  });

  test("is checked again when the form comes back", async () => {
    const { person } = await openGuild();
    const form = await person(CARLA, { manager: true }).command("conta conectar", ofBruno());
    const id = form.kind === "modal" ? form.customId : "";
    const sent = person(CARLA).act(id, { fields: new Map([["api_key", ANA_KEY]]) });
    expect(await mistakeIn(sent)).toBe("manage_server_required");
  });

  test("is not for bots", async () => {
    const { person } = await openGuild();
    const work = person(CARLA, { manager: true }).command("conta conectar", ofBruno(true));
    expect(await mistakeIn(work)).toBe("member_is_bot");
  });

  test("connects the member, who alone can use the key and decides alone", async () => {
    const { person, wallet, stores } = await openGuild();
    wallet.report = async () => ({ ...sampleReport(), userId: BRUNO });
    const answer = await connect(
      person(CARLA, { manager: true }),
      "sk_test_bruno_0123456789",
      ofBruno(),
    );
    expect(linesOf(answer).join()).toContain(`<@${BRUNO}>`);
    expect(labelsOf(answer as Reply)).toEqual([]);
    expect(await stores.accounts.find(GUILD, BRUNO)).toMatchObject({
      connectedBy: CARLA,
      reportConsent: false,
    });
    expect(await mistakeIn(person(CARLA, { manager: true }).command("vendas"))).toBe(
      "not_connected",
    );
  });

  test("naming oneself is no privilege", async () => {
    const { person } = await openGuild();
    const self = { user: { membro: { id: ANA, bot: false } } };
    expect(linesOf(await connect(person(ANA), ANA_KEY, self))[0]).toBe("Chave conectada");
  });

  test("with a form that names nobody is out of date", async () => {
    const { person } = await openGuild();
    const sent = person(CARLA, { manager: true }).act("conta:conectar:", { fields: new Map() });
    expect(await mistakeIn(sent)).toBe("outdated_component");
  });
});

describe("/conta ver and /conta desconectar", () => {
  test("ver says how to connect to who has not", async () => {
    const { person } = await openGuild();
    expect(await mistakeIn(person(ANA).command("conta ver"))).toBe("not_connected");
  });

  test("desconectar says that there is nothing to disconnect to who has not connected", async () => {
    const { person } = await openGuild();
    const asked = person(ANA).command("conta desconectar");
    expect(await mistakeIn(asked)).toBe("nothing_to_disconnect");
  });

  test("ver takes the consent back at once by its menu, and gives it, to its owner alone", async () => {
    const { person, services } = await openGuild();
    await connect(person(ANA), ANA_KEY);
    await services.accounts.chooseReport(GUILD, ANA, "channel");
    const menu = `conta:relatorio:${ANA}`;
    const after = await person(ANA).act(menu, { values: ["off"] });
    expect(linesOf(after).join("\n")).toContain("ainda não aceitou");
    expect((await services.accounts.find(GUILD, ANA))?.reportConsent).toBe(false);
    await person(ANA).act(menu, { values: ["channel"] });
    expect((await services.accounts.find(GUILD, ANA))?.reportConsent).toBe(true);
    expect(await mistakeIn(person(ANA).act(menu, { values: ["x"] }))).toBe("outdated_component");
    const stranger = person(CARLA, { manager: true }).act(menu, { values: ["off"] });
    expect(await mistakeIn(stranger)).toBe("not_your_button");
    expect((await services.accounts.find(GUILD, ANA))?.reportConsent).toBe(true);
  });

  test("desconectar deletes only after the question was answered", async () => {
    const { person, stores } = await openGuild();
    await connect(person(ANA), ANA_KEY);
    const question = await person(ANA).command("conta desconectar");
    expect(await stores.accounts.find(GUILD, ANA)).toBeDefined();
    expect(linesOf(await person(ANA).act(buttonIdOf(question, "Manter")))[0]).toBe(
      "Chave conectada",
    );
    expect(linesOf(await person(ANA).act(buttonIdOf(question, "Apagar a chave")))[0]).toBe(
      "Chave apagada",
    );
    expect(await stores.accounts.find(GUILD, ANA)).toBeUndefined();
  });

  test("desconectar counts what goes with the last key, and gives the proofs as a file first", async () => {
    const { person, stores, clock } = await openGuild();
    const ana = person(ANA);
    await connect(ana, ANA_KEY);
    const now = clock.now();
    const { id: accountId, watchId, accountFp } = (await stores.accounts.find(GUILD, ANA))!;
    for (const txid of ["txid-1", "TXID-2"]) {
      const text = `Recebi ${txid}`;
      const content = proofContent({ text, sha256: txid });
      await stores.proofs.tie(
        ANA,
        await stores.proofs.keepPending(ANA, GUILD, content, now),
        txid,
        now,
      );
    }
    const pixKey = {
      hash: "hash",
      type: "email" as const,
      masked: "a***@l***",
      value: "ana@example.com",
    };
    await stores.pixKeys.save(ANA, pixKey, now);
    await stores.disputeWatch.keep(followedDispute(watchId, sampleDispute(), now), [], now);
    await stores.charges.begin(sampleCharge({ ownerId: ANA, accountId, createdAt: now }), "i1");
    await stores.webhooks.replace({ accountFp, ownerId: ANA }, "hash", now);
    await stores.goals.save(GUILD, ANA, { amount: cents(1_500_00) }, now);

    await stores.saleRoutes.choose(GUILD, ANA, "direct", now, "pt-BR");
    const question = await ana.command("conta desconectar");
    expect(linesOf(question).at(-1)).toMatch(
      /2 provas\*[^]*1 chave PIX\*[^]*1 MED\*[^]*vence <t:[^]*1 cobrança em aberto\*[^]*endereço de aviso\*[^]*R\$ 1\.500,00[^]*avisos de venda/,
    );
    const answer = (await ana.act(buttonIdOf(question, "Baixar minhas provas"))) as Reply;
    const file = new TextDecoder().decode(answer.files?.[0]?.data);
    expect(file).toMatch(/Prova 1[^]*Prova 2/);
    for (const kept of ["Recebi txid-1", "Txid da venda: TXID-2", "SHA-256: txid-1"])
      expect(file).toContain(kept);

    await connect(person(ANA, { guildId: OTHER_GUILD }), ANA_KEY);
    const another = await ana.command("conta desconectar");
    expect(linesOf(another).join("\n")).not.toMatch(
      /provas?\*|PIX\*|MEDs?\*|cobrança|endereço de aviso/,
    );
    expect(linesOf(another).at(-1)).toMatch(/R\$ 1\.500,00/);
  });

  test("desconectar offers to replace the key alone, by the form that keeps the rest", async () => {
    const { person } = await openGuild();
    await connect(person(ANA), ANA_KEY);
    const question = await person(ANA).command("conta desconectar");
    const form = await person(ANA).act(buttonIdOf(question, "Só trocar a chave"));
    expect(form).toMatchObject({ kind: "modal", customId: `conta:conectar:${ANA}` });
  });

  test("S2: desconectar says what it can no longer follow, and asks for it once more", async () => {
    const { person, stores } = await openGuild();
    await connect(person(ANA), ANA_KEY);
    const early = await person(ANA).command("conta desconectar");
    const { id, accountFp } = (await stores.accounts.find(GUILD, ANA))!;
    const op = await opIn(stores.journal, "unknown", { accountFp, accountId: id, ownerId: ANA });
    expect(await mistakeIn(person(ANA).act(buttonIdOf(early, "Apagar a chave")))).toBe(
      "withdrawal_unfinished",
    );
    const question = await person(ANA).command("conta desconectar");
    const text = linesOf(question).join("\n");
    expect(text).toContain(`O saque \`${op.id}\` ainda não terminou`);
    expect(text).toContain("apagar a chave não cancela o saque");
    expect(await stores.accounts.find(GUILD, ANA)).toBeDefined();
    expect(linesOf(await person(ANA).act(buttonIdOf(question, "Apagar mesmo assim")))[0]).toBe(
      "Chave apagada",
    );
    expect(await stores.accounts.find(GUILD, ANA)).toBeUndefined();
  });

  test.each(["Manter", "Apagar a chave", "Só trocar a chave"])(
    "%s is nobody else's button",
    async (label) => {
      const { person, stores } = await openGuild();
      await connect(person(ANA), ANA_KEY);
      const id = buttonIdOf(await person(ANA).command("conta desconectar"), label);
      expect(await mistakeIn(person(BRUNO).act(id))).toBe("not_your_button");
      expect(await stores.accounts.find(GUILD, ANA)).toBeDefined();
    },
  );
});

const read = (answer: unknown): string => readMessage(answer as Reply).join("\n");

const openedDirect = async (guilds: readonly string[] = [GUILD, OTHER_GUILD]) => {
  const guild = await openGuild();
  for (const guildId of guilds) {
    await guild.services.accounts.connect({
      guildId,
      ownerId: ANA,
      connectedBy: ANA,
      apiKey: new Secret(ANA_KEY),
      guildLocale: "pt-BR",
      locale: "pt-BR",
    });
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
    expect(read(shown)).toMatch(
      /^Suas chaves conectadas\n[^]*1\. Servidor: \*\*`Loja Aurora`\*\*\nChave `…6789`, conectada em <t:\d+:d> <t:\d+:t>\n[^]*2\. Servidor: \*\*`…0002`\*\*/,
    );
    expect(menuIn(shown)).toEqual([
      [GUILD, "1. Loja Aurora"],
      [OTHER_GUILD, "2. servidor …0002"],
    ]);
    expect(JSON.stringify(shown)).not.toContain(ANA_KEY);
  });

  test("shows no server's name in the menu that could be read as something else", async () => {
    const { ana, names } = await openedDirect();
    names.set(GUILD, "[aqui](https://evil.example) @everyone");
    expect(menuIn(await ana.command("conta ver"))[0]).toEqual([GUILD, "1. servidor …0001"]);
  });

  test("says of each whether its report is posted, and who has left where", async () => {
    const guild = await openedDirect();
    const { presences } = guild.stores;
    await guild.services.accounts.chooseReport(GUILD, ANA, "channel");
    await presences.keep(OTHER_GUILD, ANA, "left", guild.clock.now(), undefined);
    expect(read(await guild.ana.command("conta ver"))).toMatch(
      /pode sair no canal\.[^]*Você saiu deste servidor/,
    );
  });

  test("desconectar asks of one connection whether, and deletes it only then", async () => {
    const guild = await openedDirect([GUILD]);
    const question = await guild.ana.command("conta desconectar");
    expect(read(question)).toMatch(/^Desconectar esta chave\?\nDo servidor `Loja Aurora` apago/);
    expect(labelsOf(question as Reply)).toEqual(["Apagar a chave", "Manter"]);
    expect(await guildsOf(guild)).toEqual([GUILD]);
    const after = await guild.ana.act(idOf(question, "Apagar a chave"));
    expect(read(after)).toMatch(/^Chave apagada\n.*`Loja Aurora`/);
    expect(await guildsOf(guild)).toEqual([]);
  });

  test("desconectar asks of several which, and deletes that one alone", async () => {
    const guild = await openedDirect();
    const list = await guild.ana.command("conta desconectar");
    expect(read(list)).toContain("Suas chaves conectadas");
    const question = await guild.ana.act(idOf(list), { values: [OTHER_GUILD] });
    expect(read(question)).toContain("Do servidor `…0002` apago");
    expect(read(await guild.ana.act(idOf(question, "Manter")))).toContain("Suas chaves conectadas");
    await guild.ana.act(idOf(question, "Apagar a chave"));
    expect(await guildsOf(guild)).toEqual([GUILD]);
  });

  const underWay = async (guild: Guild) => {
    const { id: accountId, accountFp } = (await guild.stores.accounts.find(GUILD, ANA))!;
    return await opIn(guild.stores.journal, "unknown", { accountFp, accountId, ownerId: ANA });
  };

  test("S2: a withdrawal under way is told before its last key is deleted, and only then is the key deleted", async () => {
    const guild = await openedDirect([GUILD]);
    const asked = await guild.ana.command("conta desconectar");
    const op = await underWay(guild);
    expect(await mistakeIn(guild.ana.act(idOf(asked, "Apagar a chave")))).toBe(
      "withdrawal_unfinished",
    );
    const question = await guild.ana.command("conta desconectar");
    expect(read(question)).toContain(`O saque \`${op.id}\` ainda não terminou`);
    expect(read(question)).toContain("Do servidor `Loja Aurora` apago");
    await guild.ana.act(idOf(question, "Apagar mesmo assim"));
    expect(await guildsOf(guild)).toEqual([]);
    expect(await guild.stores.journal.lockOf(op.accountFp)).toEqual(op);
  });

  test("S2: a withdrawal that another of the keys follows hinders nothing", async () => {
    const guild = await openedDirect();
    await underWay(guild);
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
    expect(read(await guild.ana.command("conta ver"))).toContain(listed);
    const question = await guild.ana.command("conta desconectar");
    const after = await guild.ana.act(idOf(question, "Só parar o relatório"));
    expect(read(after)).toMatch(/^Relatório parado\n.*`Loja Aurora`/);
    expect(await guild.stores.accounts.find(GUILD, ANA)).toMatchObject({
      reportConsent: false,
      reportDirect: false,
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

  test.each(["conta:apagar-de", "conta:largar-de", "conta:parar-em", "conta:qual"])(
    "%s with another's server or a forged id reaches nobody's key",
    async (action) => {
      const guild = await openedDirect([GUILD]);
      const bruno = guild.person(BRUNO, { guildId: "" });
      const kind = action === "conta:parar-em" ? "not_connected" : "nothing_connected";
      expect(await mistakeIn(bruno.act(`${action}:${GUILD}`))).toBe(kind);
      expect(await mistakeIn(bruno.act(`${action}:x`))).toBe("outdated_component");
      expect(await guildsOf(guild)).toEqual([GUILD]);
    },
  );

  test("thirty connections fit, with a word about those that do not", async () => {
    const guilds = Array.from({ length: 30 }, (_, index) => `11800000000000010${10 + index}`);
    const guild = await openedDirect(guilds);
    const shown = await guild.ana.command("conta ver");
    expect(menuIn(shown)).toHaveLength(25);
    expect(read(shown)).toContain("Há mais 5, que não couberam aqui.");
  });
});
