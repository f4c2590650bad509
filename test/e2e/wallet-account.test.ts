import { beforeEach, describe, expect, test } from "vitest";
import { extraGuildIds } from "#src/sandbox/discord/guilds.ts";
import { ANA, CHANNELS } from "#src/sandbox/world.ts";
import { oneDatabase } from "../support/databases.ts";
import { createWatch, type Watch } from "./support/disputes.ts";
import { ANAS_KEY, partWith } from "./support/money.ts";
import {
  buttonOf,
  connect,
  messageOf,
  openStage,
  type Stage,
  textOf,
  type,
} from "./support/stage.ts";

const NEXT_KEY = "sk_sandbox_ana_next_00112233445566";
const [ELSEWHERE = ""] = extraGuildIds(2);

describe.each(oneDatabase)("a wallet account in two servers on $name", (kind) => {
  let stage: Stage;
  let watch: Watch;
  let elsewhere: string;

  const ana = () => stage.sandbox.discord.person(ANA.id);
  const connectIn = async (channelId: string, apiKey: string): Promise<string> =>
    textOf(await connect(ana(), apiKey, channelId));
  const withdrawIn = async (channelId: string) =>
    messageOf(await type(ana(), "saque", { valor: "50", chave: ANAS_KEY }, channelId));

  beforeEach(async () => {
    stage = await openStage(kind, {
      sandbox: { discord: { guildCount: 2 } },
    });
    elsewhere = stage.sandbox.discord.addChannel("loja-dois", ELSEWHERE);
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
    expect(textOf(question)).toContain("ainda não terminou, e esta é a última chave da conta");
    await ana().click(question.id, buttonOf(question, /Apagar mesmo assim/));
    await connectIn(elsewhere, NEXT_KEY);
    expect(textOf(await withdrawIn(elsewhere))).toMatch(
      /Ainda não sei se o último saque foi feito/,
    );
    expect(partWith(await withdrawIn(elsewhere), "saques:")).toBeDefined();
  });
});
