import { describe, expect, test } from "vitest";
import { config } from "#commands/config.ts";
import type { Invocation } from "#src/discord/command.ts";
import type { Services } from "#src/services.ts";
import type { Reply } from "#src/ui/reply.ts";
import { Secret } from "#src/shared/secret.ts";
import {
  ANA,
  ANA_KEY,
  BRUNO,
  CARLA,
  CHANNEL,
  connectRequest,
  disconnect,
  GUILD,
  openGuild,
  type Person,
  OTHER_GUILD,
} from "../support/guild.ts";
import { mistakeIn } from "../support/mistake-in.ts";
import { labelsOf, textOf } from "../ui/read-message.ts";
import { directChannel } from "../support/fake-channels.ts";
import { cents } from "#src/shared/money.ts";
import { followedDispute } from "#src/disputes/dispute-watch.ts";
import { sampleCharge } from "../charges/charge-samples.ts";
import { sampleReport } from "../support/samples.ts";
import { sampleDispute } from "../disputes/dispute-samples.ts";
import { proofContent } from "../disputes/dispute-builders.ts";
import { noticeTo } from "../database/builders.ts";
import { opIn } from "../withdrawals/withdraw-builders.ts";
import { canal, idOf, menuIn, partsOf } from "./components.ts";

const opened = async () => {
  const guild = await openGuild();
  const carla = guild.person(CARLA, { manager: true });
  const route = () => guild.stores.routes.find(GUILD);
  return { ...guild, carla, route };
};

describe("/config relatorio", () => {
  test("at 21:00 has sellers read that the report comes at 21:05: here, by direct message, with a refused key", async () => {
    const { carla, person, services, stores, clock } = await opened();
    const shown = async () => textOf(await person(ANA).command("conta ver"));
    await carla.command("config relatorio", { ...canal(), string: { horario: "21:00" } });
    const { id } = await services.accounts.connect(connectRequest());
    expect(await shown()).toContain(`Sairia em <#${CHANNEL}>, às 21:05 (horário de Brasília).`);
    await services.accounts.chooseReport(GUILD, ANA, "direct");
    expect(await shown()).toContain("por mensagem direta, às 21:05 (horário de Brasília)");
    await services.accounts.chooseReport(GUILD, ANA, "off");
    await stores.accounts.pause(id, clock.now(), noticeTo(ANA, "refused"));
    const agreed = await person(ANA, { guildId: "" }).act(`conta:postar-em:${GUILD}`);
    expect(textOf(agreed)).toContain("às 21:05 (horário de Brasília)");
  });

  test("begins with a channel, at 21:05 in Brasília, in the guild's language", async () => {
    const { carla, route } = await opened();
    expect(textOf(await carla.command("config relatorio", canal()))).toMatch(
      /^Relatório diário salvo[\s\S]*Horário: 21:05\n[\s\S]*Próximo relatório: Começa quando/,
    );
    expect(await route()).toMatchObject({
      channelId: CHANNEL,
      timeZone: "America/Sao_Paulo",
      active: true,
      emptyChoice: "line",
      locale: "pt-BR",
      updatedBy: CARLA,
    });
    expect((await route())?.time.toString()).toBe("21:05:00");
  });

  test("changes what was typed and keeps the rest", async () => {
    const { carla, route } = await opened();
    await carla.command("config relatorio", canal());
    await carla.command("config relatorio", {
      string: { horario: "8h30", fuso: "america/manaus" },
    });
    expect(await route()).toMatchObject({
      channelId: CHANNEL,
      timeZone: "America/Manaus",
      active: true,
    });
    expect((await route())?.time.toString()).toBe("08:30:00");
  });

  test("stays off, once switched off, until it is switched on", async () => {
    const { carla, route } = await opened();
    await carla.command("config relatorio", { ...canal(), boolean: { ativo: false } });
    await carla.command("config relatorio", canal());
    expect((await route())?.active).toBe(false);
    await carla.command("config relatorio", { boolean: { ativo: true } });
    expect((await route())?.active).toBe(true);
  });

  test("takes a channel of which Discord did not say what is allowed", async () => {
    const { carla, route } = await opened();
    const channel = { canal: { id: CHANNEL, type: 0, appPermissions: undefined } };
    await carla.command("config relatorio", { channel });
    expect((await route())?.channelId).toBe(CHANNEL);
  });

  test.each([
    [{ horario: "25:00" }, "invalid_time"],
    [{ fuso: "-03:00" }, "invalid_time_zone"],
  ])("with %j changes nothing", async (string, kind) => {
    const { carla, route } = await opened();
    expect(await mistakeIn(carla.command("config relatorio", { ...canal(), string }))).toBe(kind);
    expect(await route()).toBeUndefined();
  });
});

describe("every part of /config", () => {
  test("is for who manages the server", async () => {
    const { person } = await opened();
    const typed = { ...canal(CHANNEL, 0n), string: { horario: "25:00" } };
    for (const part of ["relatorio", "ver", "testar"])
      expect(await mistakeIn(person(ANA).command(`config ${part}`, typed)), part).toBe(
        "manage_server_required",
      );
  });

  test("ver tells of the report and of the alerts, whichever of them is set", async () => {
    const { carla } = await opened();
    const shown = async () => textOf(await carla.command("config ver"));
    const cargo = { role: { cargo: "1180000000000000301" } };
    expect(await shown()).toMatch(
      /O relatório diário ainda não tem canal[^]*Alertas de MED: Ainda sem canal: vão por mensagem direta/,
    );
    await carla.command("config alertas", { ...canal(), ...cargo });
    const posted = `Alertas de MED: Saem em <#${CHANNEL}>, mencionando <@&1180000000000000301>.`;
    expect(await shown()).toContain(posted);
    await carla.command("config relatorio", canal());
    expect(await shown()).toMatch(/^Relatório diário\n[^]*Próximo relatório/);
    expect(await shown()).toContain(`${posted}\nPara ver ou mudar: \`/config alertas\``);
    await carla.command("config alertas", { boolean: { ativo: false } });
    expect(await shown()).toContain("Alertas de MED: Desligados");
  });
});

describe("/config vendas", () => {
  test.each([
    ["49,999", "amount_too_fine"],
    ["tudo", "minimum_unreadable"],
  ])("refuses the minimum %j as %s", async (minimo, kind) => {
    const { carla, stores } = await opened();
    const typed = { ...canal(), string: { minimo } };
    expect(await mistakeIn(carla.command("config vendas", typed))).toBe(kind);
    expect(await stores.saleRoutes.find(GUILD)).toBeUndefined();
  });
});

describe("the menu for days without sales", () => {
  test("changes that alone", async () => {
    const { carla, route } = await opened();
    await carla.command("config relatorio", { ...canal(), string: { horario: "22:00" } });
    const before = await route();
    expect(textOf(await carla.act("config:vazio:", { values: ["skip"] }))).toContain(
      "Relatório diário salvo",
    );
    expect(await route()).toEqual({ ...before, emptyChoice: "skip" });
  });
});

test.each([
  ["", 25, "America/Sao_Paulo"],
  ["acre", 1, "America/Rio_Branco"],
  ["nowhere", 0, undefined],
])("%j suggests %i zones, %s first", async (text, count, first) => {
  const suggest = config.autocomplete!;
  const zones = await suggest({ option: "fuso", text }, {} as Invocation, {} as Services);
  expect([zones.length, zones[0]?.value]).toEqual([count, first]);
  expect(zones.filter(({ name }) => name.length > 100)).toEqual([]);
});

const removeId = "config:remover:";

/** Ana's connection, after the question about it. */
const removedBy = async (admin: Person) =>
  textOf(await admin.act(idOf(await admin.act(removeId, { values: [ANA] }), "Desconectar")));

const openedByMembers = async (sellers: readonly string[] = [ANA, BRUNO]) => {
  const guild = await openGuild();
  guild.wallet.report = async () => ({ ...sampleReport(), userId: "user_8812" });
  for (const ownerId of sellers) {
    const apiKey = new Secret(`${ANA_KEY}${ownerId}`);
    await guild.services.accounts.connect(connectRequest({ ownerId, apiKey }));
    guild.clock.moveBy(1000);
  }
  return { ...guild, carla: guild.person(CARLA, { manager: true }) };
};

describe("S14: /config ver", () => {
  test("shows who is connected, and of their keys and figures nothing", async () => {
    const { carla } = await openedByMembers();
    const shown = await carla.command("config ver");
    expect(textOf(shown)).toContain(`Quem conectou a chave: 1. <@${ANA}>\n2. <@${BRUNO}>`);
    expect(menuIn(shown, removeId)).toEqual([
      [ANA, "Pessoa 1 da lista acima (id …0011)"],
      [BRUNO, "Pessoa 2 da lista acima (id …0012)"],
    ]);
    expect(JSON.stringify(shown)).not.toContain(`…${ANA.slice(-4)}\``);
    await carla.command("config relatorio", canal());
    expect(textOf(await carla.command("config ver"))).toContain(`1. <@${ANA}>`);
  });

  test("shows no menu where nobody is", async () => {
    const { carla } = await openedByMembers([]);
    expect(menuIn(await carla.command("config ver"), removeId)).toEqual([]);
  });

  test("turns pages of twenty-five", async () => {
    const sellers = Array.from({ length: 27 }, (_, index) => `11800000000000020${10 + index}`);
    const { carla } = await openedByMembers(sellers);
    const first = await carla.command("config ver");
    expect(textOf(first)).toContain("Página 1 de 2.");
    expect(labelsOf(first as Reply)).toContain("Próximos");
    const second = await carla.act("config:membros:1");
    expect(menuIn(second, removeId)).toEqual([
      [sellers[25], "Pessoa 26 da lista acima (id …2035)"],
      [sellers[26], "Pessoa 27 da lista acima (id …2036)"],
    ]);
    expect(menuIn(await carla.act("config:membros:9"), removeId)).toHaveLength(2);
  });

  test("removes a member's connection after a question, and tells the member who did it", async () => {
    const guild = await openedByMembers();
    const { carla, stores } = guild;
    const question = await carla.act(removeId, { values: [ANA] });
    expect(textOf(question)).toMatch(new RegExp(`^Desconectar esta pessoa\\?\n.*<@${ANA}>`));
    expect(await stores.accounts.find(GUILD, ANA)).toBeDefined();
    const button = idOf(question, "Desconectar");
    expect(textOf(await carla.act(button))).toContain("Pessoa desconectada");
    expect(await stores.accounts.find(GUILD, ANA)).toBeUndefined();
    expect(await stores.accounts.find(GUILD, BRUNO)).toBeDefined();
    await guild.delivered();
    const told = () =>
      guild.channels
        .inChannel(directChannel(ANA))
        .filter(({ text }) => text.includes("Isso não mexeu no seu dinheiro"));
    expect(told()[0]?.text).toContain(`<@${CARLA}>`);
    expect(await mistakeIn(carla.act(button))).toBe("member_not_connected");
    await guild.delivered();
    expect(told()).toHaveLength(1);
  });

  test.each([
    ["replaced", "sk_test_next_987654wxyz"],
    ["connected again", `${ANA_KEY}${ANA}`],
  ])("deletes no key that was %s after the question, and asks about that one", async (how, key) => {
    const { carla, services, stores } = await openedByMembers([ANA]);
    const question = await carla.act(removeId, { values: [ANA] });
    const ANEW = "A chave dessa pessoa mudou depois dessa pergunta, e não apaguei nada";
    expect(textOf(question)).not.toContain(ANEW);
    if (how === "connected again") await disconnect(services);
    await services.accounts.connect(connectRequest({ apiKey: new Secret(key) }));
    const anew = await carla.act(idOf(question, "Desconectar"));
    expect(await stores.accounts.find(GUILD, ANA)).toBeDefined();
    expect(textOf(anew)).toContain(ANEW);
    await carla.act(idOf(anew, "Desconectar"));
    expect(await stores.accounts.find(GUILD, ANA)).toBeUndefined();
  });

  test("deletes nothing at a second tap in the place of an old question's button", async () => {
    const { carla, services, stores } = await openedByMembers([ANA]);
    const question = await carla.act(removeId, { values: [ANA] });
    const apiKey = new Secret("sk_test_next_987654wxyz");
    await services.accounts.connect(connectRequest({ apiKey }));
    const anew = await carla.act(idOf(question, "Desconectar"));
    await carla.act(partsOf(anew)[0]!.id);
    expect(await stores.accounts.find(GUILD, ANA)).toMatchObject({ keyLast4: "wxyz" });
  });

  test.each([
    [ANA, (id: string) => `O saque \`${id}\` ainda não terminou`],
    [BRUNO, () => "Um saque desta conta ainda não terminou"],
  ])(
    "S2: removes it in spite of a withdrawal of %s, which is told to the member alone",
    async (ownerId, words) => {
      const guild = await openedByMembers([ANA]);
      const { carla, stores } = guild;
      const { id: accountId, accountFp } = (await stores.accounts.find(GUILD, ANA))!;
      const quiet = await carla.act(removeId, { values: [ANA] });
      const op = await opIn(stores.journal, "unknown", { accountFp, accountId, ownerId });
      expect(await carla.act(removeId, { values: [ANA] })).toEqual(quiet);
      expect(await removedBy(carla)).not.toContain(op.id);
      await guild.delivered();
      const [told] = guild.channels.inChannel(directChannel(ANA));
      expect(told?.text).toContain(words(op.id));
      expect(await stores.journal.lockOf(accountFp)).toEqual(op);
    },
  );

  test("asks an admin about an own key as its owner: with the withdrawal and the proofs that it costs", async () => {
    const guild = await openedByMembers([ANA]);
    const { clock, stores } = guild;
    const admin = guild.person(ANA, { manager: true });
    const { id: accountId, accountFp } = (await stores.accounts.find(GUILD, ANA))!;
    const op = await opIn(stores.journal, "unknown", { accountFp, accountId, ownerId: ANA });
    const content = proofContent({ text: "Recebi" });
    const proof = await stores.proofs.keepPending(ANA, GUILD, content, clock.now());
    await stores.proofs.tie(ANA, proof, "txid-1", clock.now());
    const question = await admin.act(removeId, { values: [ANA] });
    expect(textOf(question)).toMatch(new RegExp(`O saque \`${op.id}\`[^]*\\*\\*1 prova`));
    expect(question).toEqual(await admin.command("conta desconectar"));
  });

  test("S2: tells the member of a withdrawal that was confirmed while the admin removed it", async () => {
    const guild = await openedByMembers([ANA]);
    const { accounts, journal } = guild.stores;
    const { id: accountId, accountFp } = (await accounts.find(GUILD, ANA))!;
    const { remove } = accounts;
    Object.assign(accounts, {
      remove: async (...asked: Parameters<typeof remove>) => {
        await opIn(journal, "confirmed", { accountFp, accountId, ownerId: ANA });
        return await remove(...asked);
      },
    });
    await removedBy(guild.carla);
    expect(await accounts.find(GUILD, ANA)).toBeUndefined();
    await guild.delivered();
    const [told] = guild.channels.inChannel(directChannel(ANA));
    const op = await journal.lockOf(accountFp);
    expect(told?.text).toContain(`O saque \`${op?.id}\` ainda não terminou`);
  });

  test("tells the member alone what went with the last key and what is not followed any more", async () => {
    const guild = await openedByMembers([ANA]);
    const { carla, stores, clock } = guild;
    const now = clock.now();
    const quiet = textOf(await carla.act(removeId, { values: [ANA] }));
    expect(quiet).toMatch(/outra chave em nenhum servidor, apago também as provas e as chaves PIX/);
    const { id: accountId, watchId } = (await stores.accounts.find(GUILD, ANA))!;
    const content = proofContent({ text: "Recebi" });
    const proof = await stores.proofs.keepPending(ANA, GUILD, content, now);
    await stores.proofs.tie(ANA, proof, "txid-1", now);
    const key = { type: "email", masked: "a***@l***" } as const;
    for (const hash of ["one", "two"])
      await stores.pixKeys.save(ANA, { ...key, hash, value: `${hash}@example.com` }, now);
    const dispute = sampleDispute();
    await stores.disputeWatch.keep(followedDispute(watchId, dispute, now), [], now);
    await stores.charges.begin(sampleCharge({ ownerId: ANA, accountId, createdAt: now }), "i1");
    await stores.goals.save(GUILD, ANA, { amount: cents(1_500_00) }, now);
    expect(textOf(await carla.act(removeId, { values: [ANA] }))).toBe(quiet);
    expect(await removedBy(carla)).not.toMatch(/prova|PIX|MED|cobrança|meta/);
    await guild.delivered();
    const [told] = guild.channels.inChannel(directChannel(ANA));
    expect(told?.text).toContain("**1 prova** guardada. Não há volta.");
    expect(told?.text).toContain("**2 chaves PIX** que você guardou ou usou");
    expect(told?.text).toContain("`/conta conectar`");
    const due = Math.trunc(dispute.dueAt.epochMilliseconds / 1_000);
    expect(told?.text).toMatch(
      new RegExp(`1 MED\\*.*prazo até <t:${due}:d>[^]*1 cobrança em aberto\\*[^]*meta do mês`),
    );
  });

  test("says nothing of a withdrawal that another key of the member follows", async () => {
    const guild = await openedByMembers([ANA]);
    const { carla, stores, services } = guild;
    const apiKey = new Secret(`${ANA_KEY}${ANA}`);
    await services.accounts.connect(connectRequest({ guildId: OTHER_GUILD, apiKey }));
    const { id: accountId, accountFp } = (await stores.accounts.find(GUILD, ANA))!;
    await opIn(stores.journal, "unknown", { accountFp, accountId, ownerId: ANA });
    await stores.pixKeys.save(
      ANA,
      { hash: "one", type: "email", masked: "a***@l***", value: "a@example.com" },
      guild.clock.now(),
    );
    await removedBy(carla);
    await guild.delivered();
    const [told] = guild.channels.inChannel(directChannel(ANA));
    expect(told?.text).toContain("Desconectaram a sua chave");
    expect(told?.text).not.toMatch(/ainda não terminou|chave PIX/);
  });

  test("has buttons for who manages the server alone", async () => {
    const { person, stores } = await openedByMembers();
    for (const id of ["config:membros:0", removeId, `config:desligar:${ANA}`])
      expect(await mistakeIn(person(BRUNO).act(id, { values: [ANA] })), id).toBe(
        "manage_server_required",
      );
    expect(await stores.accounts.find(GUILD, ANA)).toBeDefined();
  });

  test("takes no edited button", async () => {
    const { carla } = await openedByMembers();
    for (const id of ["membros:-1", "membros:x", "desligar:x", "remover:"])
      expect(await mistakeIn(carla.act(`config:${id}`)), id).toBe("outdated_component");
  });
});
