import { describe, expect, test } from "vitest";
import { UserError } from "#src/shared/errors.ts";
import { errorReply } from "#src/help/error.view.ts";
import type { Answer } from "#src/discord/command.ts";
import type { Reply } from "#src/ui/reply.ts";
import { followedDispute } from "#src/disputes/dispute-watch.ts";
import {
  ANA,
  ANA_KEY,
  BRUNO,
  CARLA,
  CHANNEL,
  connect,
  disconnect,
  GUILD,
  openGuild,
  OTHER_GUILD,
} from "../support/guild.ts";
import { mistakeIn } from "../support/mistake-in.ts";
import { chosenAlertRoute, proofContent } from "../disputes/dispute-builders.ts";
import { sampleCharge } from "../charges/charge-samples.ts";
import { cents } from "#src/shared/money.ts";
import { sampleDispute } from "../disputes/dispute-samples.ts";
import { sampleReport, sampleRoute, asRoute } from "../support/samples.ts";
import { directChannel } from "../support/fake-channels.ts";
import { labelsOf, readMessage, textOf } from "../ui/read-message.ts";
import { idOf } from "./components.ts";

const openWithChannel = async () => {
  const guild = await openGuild();
  await guild.services.reportRoutes.save(
    ...asRoute(sampleRoute({ guildId: GUILD, channelId: CHANNEL })),
  );
  return guild;
};
const ofBruno = (bot = false, isMember = true) => ({
  user: { membro: { id: BRUNO, bot, isMember } },
});

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
    expect(await person(ANA).act(idOf(refusal, "Conectar minha chave"))).toEqual(
      await person(ANA).command("conta conectar"),
    );
  });

  test("keeps the key, shows its end alone and asks for consent", async () => {
    const { person, stores } = await openWithChannel();
    const answer = await connect(person(ANA), ANA_KEY);
    expect(readMessage(answer)[0]).toBe("Chave conectada");
    expect(JSON.stringify(answer)).not.toContain(ANA_KEY);
    expect(labelsOf(answer as Reply)).toEqual(["Pode postar", "Agora não"]);
    expect((await stores.accounts.find(GUILD, ANA))?.reportConsent).toBe(false);
  });

  test.each([
    ["Pode postar", true],
    ["Agora não", false],
  ])("takes %j for an answer", async (label, consent) => {
    const { person, stores } = await openWithChannel();
    await person(ANA).act(idOf(await connect(person(ANA), ANA_KEY), label));
    expect((await stores.accounts.find(GUILD, ANA))?.reportConsent).toBe(consent);
  });

  test("takes a late no for the channel alone, not for a report by direct message chosen since", async () => {
    const { person, stores, services } = await openWithChannel();
    const asked = await connect(person(ANA), ANA_KEY);
    await services.accounts.chooseReport(GUILD, ANA, "direct");
    await person(ANA).act(idOf(asked, "Agora não"));
    expect((await stores.accounts.find(GUILD, ANA))?.reportDirect).toBe(true);
  });

  test.each([
    ["the same account", ANA, [/avisos de venda/, false], "direct"],
    [
      "an account that may be another person's",
      "loja-aurora",
      [/avisos de venda.*\/conta ver/, true],
      "off",
    ],
  ] as const)("says whether a key of %s ends the sale notices", async (_, userId, says, choice) => {
    const { person, stores, services, wallet } = await openWithChannel();
    wallet.report = async () => ({ ...sampleReport(), userId: ANA });
    await connect(person(ANA), ANA_KEY);
    await services.saleNotices.choose(GUILD, ANA, "direct", "pt-BR");
    wallet.report = async () => ({ ...sampleReport(), userId });
    const lines = readMessage(await connect(person(ANA), `${ANA_KEY}_other`)).join("\n");
    expect([says[0], says[0].test(lines)]).toEqual(says);
    const account = await stores.accounts.find(GUILD, ANA);
    expect(await stores.saleRoutes.choiceOf(account?.id ?? "")).toBe(choice);
  });

  test.each([
    ["channel", "off", "loja-do-mar", true],
    ["channel", "direct", "loja-do-mar", true],
    ["direct", "off", "loja-do-mar", true],
    ["direct", "direct", "loja-do-mar", false],
    ["off", "off", "loja-do-mar", false],
    ["channel", "off", "loja-aurora", false],
  ] as const)(
    "with the report %s here and %s elsewhere, by a key of %s in place of loja-aurora's, says that it ends: %s",
    async (here, there, userId, says) => {
      const { person, services, wallet } = await openWithChannel();
      wallet.report = async () => ({ ...sampleReport(), userId: "loja-aurora" });
      await connect(person(ANA), ANA_KEY);
      await connect(person(ANA, { guildId: OTHER_GUILD }), ANA_KEY);
      await services.accounts.chooseReport(GUILD, ANA, here);
      await services.accounts.chooseReport(OTHER_GUILD, ANA, there);
      wallet.report = async () => ({ ...sampleReport(), userId });
      const said = readMessage(await connect(person(ANA), `${ANA_KEY}_other`)).join("\n");
      const ends =
        "o seu **relatório diário** e os **fechamentos**: escolha de novo em `/conta ver`";
      expect(said.includes(ends)).toBe(says);
    },
  );
});

describe("/conta conectar membro:", () => {
  test("is for who manages the server, also when the form comes back", async () => {
    const { person } = await openGuild();
    const asked = person(ANA).command("conta conectar", ofBruno());
    const form = await person(CARLA, { manager: true }).command("conta conectar", ofBruno());
    const id = form.kind === "modal" ? form.customId : "";
    const sent = person(CARLA).act(id, { fields: new Map([["api_key", ANA_KEY]]) });
    for (const work of [asked, sent]) expect(await mistakeIn(work)).toBe("manage_server_required");
  });

  test("is not for bots, and for who is in the server, by what Discord says of the option", async () => {
    const { person } = await openGuild();
    const connectOf = (bot: boolean, isMember: boolean) =>
      person(CARLA, { manager: true }).command("conta conectar", ofBruno(bot, isMember));
    expect(await mistakeIn(connectOf(true, true))).toBe("member_is_bot");
    expect(await mistakeIn(connectOf(false, false))).toBe("member_not_found");
  });

  test.each(["without a key", "who has one"])(
    "of a person %s outside of the server is refused when the form comes back, and no message goes out",
    async (which) => {
      const { person, wallet, stores, outside, channels, delivered } = await openGuild();
      wallet.report = async () => ({ ...sampleReport(), userId: "loja" });
      if (which === "who has one") await connect(person(BRUNO), ANA_KEY);
      outside.add(BRUNO);
      const carla = person(CARLA, { manager: true });
      const fields = new Map([["api_key", "sk_test_other_0123456789"]]);
      const sent = carla.act(`conta:conectar:${BRUNO}`, { fields });
      expect(await mistakeIn(sent)).toBe("member_not_found");
      await delivered();
      const kept = await stores.accounts.findWithKey(GUILD, BRUNO);
      expect(kept?.apiKey.reveal()).toBe(which === "who has one" ? ANA_KEY : undefined);
      expect(channels.messages).toEqual([]);
    },
  );

  test("connects the member, who alone can use the key and decides alone", async () => {
    const { person, wallet, stores } = await openGuild();
    wallet.report = async () => ({ ...sampleReport(), userId: BRUNO });
    const answer = await connect(
      person(CARLA, { manager: true }),
      "sk_test_bruno_0123456789",
      ofBruno(),
    );
    expect(readMessage(answer).join()).toContain(`<@${BRUNO}>`);
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
    const self = { user: { membro: { id: ANA, bot: false, isMember: true } } };
    expect(readMessage(await connect(person(ANA), ANA_KEY, self))[0]).toBe("Chave conectada");
  });

  test("with a form that names nobody is out of date", async () => {
    const { person } = await openGuild();
    const sent = person(CARLA, { manager: true }).act("conta:conectar:", { fields: new Map() });
    expect(await mistakeIn(sent)).toBe("outdated_component");
  });
});

describe("/conta ver and /conta desconectar", () => {
  test("has the messages of a server where an admin connects a key later come in the person's language", async () => {
    const { channels, delivered, person, stores } = await openGuild();
    await connect(person(ANA, { locale: "en-US" }), ANA_KEY);
    const carla = person(CARLA, { manager: true, guildId: OTHER_GUILD });
    const forAna = { user: { membro: { id: ANA, bot: false, isMember: true } } };
    await connect(carla, "sk_test_ana_elsewhere_01", forAna);
    await delivered();
    const [told] = channels.inChannel(directChannel(ANA));
    expect(told?.text).toContain("A key was connected for you");
    expect((await stores.accounts.find(OTHER_GUILD, ANA))?.locale).toBe("en-US");
  });

  test.each([GUILD, ""])(
    "has the messages of every server come in the person's new language, asked in %j",
    async (guildId) => {
      const { channels, delivered, person, services, stores } = await openGuild();
      await connect(person(ANA), ANA_KEY);
      await connect(person(ANA, { guildId: OTHER_GUILD }), ANA_KEY);
      await services.accounts.chooseReport(OTHER_GUILD, ANA, "direct", "pt-BR");
      await person(ANA, { locale: "en-US", guildId }).command("conta ver");
      const owned = await stores.accounts.ofOwner(ANA);
      expect(owned.map(({ locale }) => locale)).toEqual(["en-US", "en-US"]);
      const carla = person(CARLA, { manager: true });
      const question = await carla.act("config:remover:", { values: [ANA] });
      await carla.act(idOf(question, "Desconectar"));
      await delivered();
      const [told] = channels.inChannel(directChannel(ANA));
      expect(told?.text).toContain("Your key was disconnected");
    },
  );

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
    expect(readMessage(after).join("\n")).toContain("ainda não aceitou");
    expect((await services.accounts.find(GUILD, ANA))?.reportConsent).toBe(false);
    await person(ANA).act(menu, { values: ["channel"] });
    expect((await services.accounts.find(GUILD, ANA))?.reportConsent).toBe(true);
    expect(await mistakeIn(person(ANA).act(menu, { values: ["x"] }))).toBe("outdated_component");
    const stranger = person(CARLA, { manager: true }).act(menu, { values: ["off"] });
    expect(await mistakeIn(stranger)).toBe("not_your_button");
    expect((await services.accounts.find(GUILD, ANA))?.reportConsent).toBe(true);
  });

  test("ver, asked in a server that its owner had left, sends alerts to the channel there again", async () => {
    const { person, services, stores, clock } = await openGuild();
    await connect(person(ANA), ANA_KEY);
    await connect(person(ANA, { guildId: OTHER_GUILD }), ANA_KEY);
    await stores.alertRoutes.save(...asRoute(chosenAlertRoute({ guildId: GUILD })), clock.now());
    const { watchId } = await services.accounts.setAlerts(GUILD, ANA, "channel", "pt-BR");
    const toldIn = async () => (await stores.accounts.ofWatch(watchId))?.told.guildId;
    await stores.presences.keep(GUILD, ANA, "left", clock.now(), undefined);
    expect(await toldIn()).toBe(OTHER_GUILD);
    const alerts = readMessage(await person(ANA).command("conta ver")).join("\n");
    expect(alerts).toContain("Alertas de MED: Saem em <#");
    expect(await toldIn()).toBe(GUILD);
    expect(await services.accounts.ofOwner(ANA)).not.toContainEqual(
      expect.objectContaining({ hasLeft: true }),
    );
  });

  test("desconectar deletes only after the question was answered", async () => {
    const { person, stores } = await openGuild();
    await connect(person(ANA), ANA_KEY);
    const question = await person(ANA).command("conta desconectar");
    expect(await stores.accounts.find(GUILD, ANA)).toBeDefined();
    expect(readMessage(await person(ANA).act(idOf(question, "Manter")))[0]).toBe("Chave conectada");
    expect(readMessage(await person(ANA).act(idOf(question, "Apagar a chave")))[0]).toBe(
      "Chave apagada",
    );
    expect(await stores.accounts.find(GUILD, ANA)).toBeUndefined();
  });

  /** Ana's key follows a MED, a charge, an address and a goal. */
  const openWithMuch = async () => {
    const guild = await openGuild();
    const { stores, clock } = guild;
    await connect(guild.person(ANA), ANA_KEY);
    const now = clock.now();
    const before = (await stores.accounts.find(GUILD, ANA))!;
    const { id: accountId, watchId, accountFp } = before;
    await stores.disputeWatch.keep(followedDispute(watchId, sampleDispute(), now), [], now);
    await stores.charges.begin(sampleCharge({ ownerId: ANA, accountId, createdAt: now }), "i1");
    await stores.webhooks.make({ accountFp, ownerId: ANA }, "hash", now);
    await stores.goals.save(GUILD, ANA, { amount: cents(1_500_00) }, now);
    /** The form under the question that replaces the key alone. */
    const form = async (): Promise<(key: string) => Promise<Answer>> => {
      const ana = guild.person(ANA);
      const question = await ana.command("conta desconectar");
      const opened = await ana.act(idOf(question, "Só trocar a chave"));
      if (opened.kind !== "modal") throw new Error("No form was opened");
      return (key) => ana.act(opened.customId, { fields: new Map([["api_key", key]]) });
    };
    const kept = async () => {
      const after = await stores.accounts.findWithKey(GUILD, ANA);
      return [after?.account.id, after?.apiKey.reveal()];
    };
    return { ...guild, before, form, kept };
  };

  test("desconectar counts what goes with the last key, and gives the proofs as a file first", async () => {
    const { person, stores, clock } = await openWithMuch();
    const ana = person(ANA);
    const now = clock.now();
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
    await stores.pixKeys.noteSeen(ANA, { ...pixKey, hash: "used" }, now);
    await stores.pixKeys.markUsed(ANA, "used", now);
    await stores.saleRoutes.choose(GUILD, ANA, "direct", now, "pt-BR");
    const question = await ana.command("conta desconectar");
    expect(readMessage(question).at(-1)).toMatch(
      /2 provas\*[^]*2 chaves PIX\*[^]*1 MED\*[^]*prazo até <t:[^]*1 cobrança em aberto\*[^]*endereço de aviso\*[^]*R\$ 1\.500,00[^]*avisos de venda/,
    );
    const answer = (await ana.act(idOf(question, "Baixar minhas provas"))) as Reply;
    const file = new TextDecoder().decode(answer.files?.[0]?.data);
    expect(file).toMatch(/Prova 1[^]*Prova 2/);
    for (const kept of ["Recebi txid-1", "Txid da venda: TXID-2", "SHA-256: txid-1"])
      expect(file).toContain(kept);

    await connect(person(ANA, { guildId: OTHER_GUILD }), ANA_KEY);
    const another = await ana.command("conta desconectar");
    expect(readMessage(another).join("\n")).not.toMatch(
      /provas?\*|PIX\*|MEDs?\*|cobrança|endereço de aviso/,
    );
    expect(readMessage(another).at(-1)).toMatch(/R\$ 1\.500,00/);
  });

  const NEXT_KEY = "sk_test_next_0123456789";
  const ofOtherWallet = async () => ({ ...sampleReport(), userId: "user_2" });

  test("desconectar offers to replace the key alone, by a form that keeps the rest", async () => {
    const { before, form, kept } = await openWithMuch();
    const send = await form();
    expect(textOf(await send(NEXT_KEY))).not.toContain("outra conta");
    expect(await kept()).toEqual([before.id, NEXT_KEY]);
  });

  test("desconectar replaces the key alone by none of another account, under which nothing would stay", async () => {
    const { stores, wallet, before, form, kept } = await openWithMuch();
    const send = await form();
    wallet.report = ofOtherWallet;
    expect(await mistakeIn(send(NEXT_KEY))).toBe("key_of_other_wallet");
    expect(await kept()).toEqual([before.id, ANA_KEY]);
    expect(await stores.disputeWatch.awaiting(before.watchId)).toHaveLength(1);
  });

  test("desconectar replaces the key alone by none of any account, once the key was deleted elsewhere", async () => {
    const { services, form, kept } = await openWithMuch();
    const send = await form();
    await disconnect(services);
    expect(await mistakeIn(send(NEXT_KEY))).toBe("not_connected");
    expect(await kept()).toEqual([undefined, undefined]);
  });

  test.each([
    [
      "pt-BR",
      /Esta chave é de outra conta[^]*Com ela também se perdeu: [^]*1 MED\*[^]*prazo até <t:[^]*1 cobrança em aberto\*[^]*endereço de aviso\*[^]*R\$ 1\.500,00/,
    ],
    [
      "en-US",
      /This key is of another account[^]*Lost with it: [^]*1 MED\*[^]*due <t:[^]*1 open charge\*[^]*webhook address\*[^]*R\$\s?1,500\.00/,
    ],
  ] as const)(
    "conectar says in %s what went with a key of another account",
    async (locale, words) => {
      const { person, wallet } = await openWithMuch();
      wallet.report = ofOtherWallet;
      const answer = textOf(await connect(person(ANA, { locale }), NEXT_KEY));
      expect(answer).toMatch(words);
      expect(answer).not.toMatch(/prova|PIX|evidence/);
    },
  );

  test("no button under the question is anybody else's", async () => {
    const { person, stores } = await openGuild();
    await connect(person(ANA), ANA_KEY);
    const question = await person(ANA).command("conta desconectar");
    for (const label of ["Manter", "Apagar a chave", "Só trocar a chave"])
      expect(await mistakeIn(person(BRUNO).act(idOf(question, label)))).toBe("not_your_button");
    expect(await stores.accounts.find(GUILD, ANA)).toBeDefined();
  });
});
