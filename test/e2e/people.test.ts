import { beforeEach, describe, expect, test } from "vitest";
import type { Person } from "#src/sandbox/discord/people/person.ts";
import type { ActionResult } from "#src/sandbox/discord/state.ts";
import { ANA, BRUNO, CARLA, CHANNELS } from "#src/sandbox/world.ts";
import { createWatch, type Watch } from "./support/disputes.ts";
import { partWith, ANAS_KEY } from "./support/money.ts";
import {
  buttonOf,
  formOf,
  isAlert,
  messageOf,
  openStage,
  type Stage,
  textOf,
  type,
  connect,
} from "./support/stage.ts";
import { extraGuildIds } from "#src/sandbox/discord/guilds.ts";

/** 21:05 in Brasília on the stage's first days. */
const REPORTS = ["2026-11-18T00:05:30Z", "2026-11-19T00:05:30Z", "2026-11-20T00:05:30Z"] as const;

const [ELSEWHERE = ""] = extraGuildIds(2);

describe("people and servers", () => {
  let stage: Stage;
  let ana: Person;
  let carla: Person;

  const posted = () => stage.sandbox.discord.messages(CHANNELS.vendas.id);
  const told = (userId: string) =>
    stage.sandbox.discord.directMessages(userId).filter((message) => !isAlert(message));
  const inDirect = (person: Person, typed: string): Promise<ActionResult> =>
    type(person, typed, {}, person.openDirectMessages());
  const presenceQuestions = () =>
    stage.sandbox.discord
      .requests()
      .filter(({ route }) => route === "GET /guilds/{id}/members/{user}");

  beforeEach(async () => {
    stage = await openStage();
    ana = stage.sandbox.discord.person(ANA.id);
    carla = stage.sandbox.discord.person(CARLA.id);
    await stage.setReport();
    const message = messageOf(await stage.connectAna());
    await ana.click(message.id, buttonOf(message, /pode postar/i));
  });

  test("S14: who left a server is not posted there, is told once, and disconnects in the direct message", async () => {
    await stage.moveTo(REPORTS[0]);
    expect(posted()).toHaveLength(1);
    ana.setInGuild(true, ELSEWHERE);
    ana.setInGuild(false);
    await stage.moveTo(REPORTS[1]);
    await stage.bot().tick();
    await stage.moveTo(REPORTS[2]);
    await stage.bot().tick();
    expect(posted()).toHaveLength(1);
    expect(presenceQuestions()).toHaveLength(3);
    const [notice, another] = told(ANA.id);
    expect(another).toBeUndefined();
    expect(textOf(notice!)).toMatch(/Você saiu de um servidor\n[^]*`Loja Aurora`/);
    const question = messageOf(await ana.click(notice!.id, partWith(notice!, "conta:qual")));
    expect(textOf(question)).toContain("Desconectar esta chave?");
    const list = messageOf(await inDirect(ana, "conta ver"));
    expect(textOf(list)).toMatch(/`Loja Aurora`[^]*Você saiu deste servidor/);
    const again = messageOf(await inDirect(ana, "conta desconectar"));
    expect(textOf(await ana.click(again.id, buttonOf(again, /^Apagar a chave$/)))).toContain(
      "Chave apagada",
    );
    expect(textOf(await inDirect(ana, "conta ver"))).toContain(
      "Você não tem nenhuma chave conectada",
    );
  });

  test("S14: alerts of a MED leave the channel of a server that their owner left", async () => {
    const watch = createWatch(stage);
    await watch.setRoute({ canal: CHANNELS.avisos.id });
    await watch.choose("channel");
    await watch.later(6);
    ana.setInGuild(true, ELSEWHERE);
    ana.setInGuild(false);
    // An earlier alert has already asked Discord on that day.
    await watch.later(24 * 60);
    const id = watch.open(100);
    await watch.later(6);
    expect(watch.told(id, watch.inChannel())).toEqual([]);
    expect(watch.told(id)).toEqual(["Novo MED"]);
  });

  test("S14: alerts of a MED are back in the channel once their owner uses a command in the server again", async () => {
    const watch = createWatch(stage);
    await watch.setRoute({ canal: CHANNELS.avisos.id });
    await watch.choose("channel");
    ana.setInGuild(false);
    const away = watch.open(100);
    await watch.later(6);
    expect(watch.told(away, watch.inChannel())).toEqual([]);
    ana.setInGuild(true);
    await type(ana, "meds");
    const back = watch.open(100);
    await watch.later(6);
    expect(watch.told(back, watch.inChannel())).toEqual(["Novo MED"]);
  });

  test("S14: who shares no server with the bot any more cannot be written to: `/conta` says so, and the key stays", async () => {
    await stage.moveTo(REPORTS[0]);
    ana.setInGuild(false);
    const watch = createWatch(stage);
    const id = watch.open(100);
    const refusals = () =>
      stage.sandbox.discord.requests().filter(({ code }) => code === 50278).length;
    await stage.moveTo(REPORTS[1]);
    await stage.bot().tick();
    const tried = refusals();
    expect(tried).toBeGreaterThan(0);
    for (let ticks = 0; ticks < 5; ticks++) await stage.bot().tick();
    expect(refusals()).toBe(tried);
    expect(told(ANA.id)).toEqual([]);
    expect(stage.logged()).toContain("unreachable_person 50278");
    const list = textOf(await inDirect(ana, "conta ver"));
    expect(list).toContain("Você saiu deste servidor");
    expect(list).toContain("o Discord não entrega as minhas mensagens diretas");
    ana.setInGuild(true);
    expect(textOf(await type(ana, "conta ver"))).toMatch(/alertas? dos últimos 7 dias não cheg/);
    expect(textOf(await type(ana, "meds"))).toContain(id.slice(0, 8));
  });

  test("S18: a member's key is replaced only by the member's click in the direct message", async () => {
    // The service's user id differs from the Discord id, so the key's owner is unproven.
    const second = "sk_sandbox_another_key_of_ana_77wxyz";
    stage.sandbox.wallet.open({ userId: "user_8812", apiKey: second });
    const form = formOf(await type(carla, "conta conectar", { membro: ANA.id }));
    expect(textOf(await carla.submitModal(form, { api_key: second }))).toContain(
      "Perguntei a essa pessoa",
    );
    await stage.bot().tick();
    const [question] = told(ANA.id);
    const yes = partWith(question!, "conta:trocar");
    for (const other of [carla, stage.sandbox.discord.person(BRUNO.id)]) {
      expect(textOf(await other.forgeClick(question!.id, yes))).toContain("não vale mais");
    }
    expect(textOf(await ana.click(question!.id, yes))).toContain("Chave aceita");
    expect(textOf(await inDirect(ana, "conta ver"))).toContain(`\`…${second.slice(-4)}\``);
    await stage.bot().tick();
    expect(textOf(told(CARLA.id)[0]!)).toContain("A troca de chave foi aceita");
    expect(stage.logged()).not.toContain(second);
  });
});

const NEXT_KEY = "sk_sandbox_ana_next_00112233445566";
describe("a wallet account in two servers", () => {
  let stage: Stage;
  let watch: Watch;
  let elsewhere: string;

  const ana = () => stage.sandbox.discord.person(ANA.id);
  const connectIn = async (channelId: string, apiKey: string): Promise<string> =>
    textOf(await connect(ana(), apiKey, channelId));
  const withdrawIn = async (channelId: string) =>
    messageOf(await type(ana(), "saque", { valor: "50", chave: ANAS_KEY }, channelId));

  beforeEach(async () => {
    stage = await openStage(undefined, {
      sandbox: { discord: { guildCount: 2 } },
    });
    elsewhere = stage.sandbox.discord.addChannel("loja-dois", ELSEWHERE);
    ana().setInGuild(true, ELSEWHERE);
    stage.sandbox.wallet.issueKey(ANA.id, NEXT_KEY);
    await stage.connectAna();
    watch = createWatch(stage);
    await watch.later(6);
  });

  test("S11: two servers, one key: one alert", async () => {
    await connectIn(elsewhere, ANA.apiKey);
    const id = watch.open(100);
    await watch.later(6);
    await watch.later(30 * 60);
    expect(watch.told(id)).toEqual(["Novo MED", "MED: menos de 3 dias para responder"]);
    await stage.restart();
    await watch.later(6);
    expect(watch.told(id)).toHaveLength(2);
  });

  test("S11: `/conta ver` says in each server where the alerts go", async () => {
    await connectIn(elsewhere, NEXT_KEY);
    await watch.setRoute({ canal: CHANNELS.avisos.id });
    expect(await watch.choose("channel")).toContain(
      `Saem em <#${CHANNELS.avisos.id}>, e mencionam você.`,
    );
    const there = textOf(await type(ana(), "conta ver", {}, elsewhere));
    expect(there).toContain(`Saem uma vez só, em <#${CHANNELS.avisos.id}>`);
    const id = watch.open(100);
    await watch.later(6);
    expect(watch.told(id, watch.inChannel())).toEqual(["Novo MED"]);
    expect(watch.told(id)).toEqual([]);
    expect(await watch.choose("off")).toContain(
      "Desligados neste servidor, mas vão por mensagem direta",
    );
    const next = watch.open(100);
    await watch.later(6);
    expect(watch.told(next)).toEqual(["Novo MED"]);
  });

  test("S2: a withdrawal whose answer was lost keeps the next key, here and elsewhere, from withdrawing", async () => {
    const { faults, wallet } = stage.sandbox;
    faults.failNext("POST /v1/withdraw", { kind: "reset", at: "after" });
    const lost = await watch.moneyDriver.withdraw();
    expect(textOf(lost)).toContain("Ainda não sei se o saque foi feito");
    expect(wallet.executed(ANA.id)).toHaveLength(1);
    await connectIn(CHANNELS.geral.id, NEXT_KEY);
    await connectIn(elsewhere, NEXT_KEY);
    for (const channelId of [CHANNELS.geral.id, elsewhere]) {
      expect(textOf(await withdrawIn(channelId))).toMatch(
        /Ainda não sei se o último saque foi feito/,
      );
    }
    expect(wallet.executed(ANA.id)).toHaveLength(1);
    await stage.restart();
    expect(textOf(await withdrawIn(elsewhere))).toContain("Não enviei nada agora");
  });

  test("S2: the last key is deleted only by somebody who knows what is not followed any more", async () => {
    stage.sandbox.faults.failNext("POST /v1/withdraw", { kind: "reset", at: "after" });
    await watch.moneyDriver.withdraw();
    const question = messageOf(await type(ana(), "conta desconectar"));
    expect(textOf(question)).toContain("ainda não terminou, e não tenho outra chave da conta");
    await ana().click(question.id, buttonOf(question, /Apagar mesmo assim/));
    await connectIn(elsewhere, NEXT_KEY);
    expect(textOf(await withdrawIn(elsewhere))).toMatch(
      /Ainda não sei se o último saque foi feito/,
    );
    expect(partWith(await withdrawIn(elsewhere), "saques:")).toBeDefined();
  });
});
