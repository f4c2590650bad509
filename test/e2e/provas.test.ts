import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { StoredMessage } from "#src/sandbox/discord/state.ts";
import { ANA, BRUNO, CHANNELS } from "#src/sandbox/world.ts";
import { createMoneyDriver, has, partWith, type MoneyDriver } from "./support/money.ts";
import { formOf, keepProof, messageOf, openStage, type Stage, textOf } from "./support/stage.ts";

const TXID = "a41f07c98e2d4b6391d05c7f";

describe("proofs", () => {
  let stage: Stage;
  let moneyDriver: MoneyDriver;
  let written: StoredMessage;

  const keep = async (txid: string): Promise<StoredMessage> =>
    messageOf(await keepProof(moneyDriver.person, written, txid));
  const list = async () => messageOf(await moneyDriver.command("provas"));

  beforeEach(async () => {
    stage = await openStage();
    moneyDriver = createMoneyDriver(stage);
    const file = { name: "tela.png", type: "image/png", data: Buffer.from("png") };
    written = stage.sandbox.discord
      .person(BRUNO.id)
      .write(CHANNELS.geral.id, "Recebi o acesso, tudo certo. @everyone", [file]);
  });

  test("are kept for a sale that is chosen from the form's menu, which the sale's detail selects", async () => {
    await stage.connectAna();
    const txid = stage.sandbox.wallet.sale({
      owner: ANA.id,
      origin: "api",
      reais: 50,
      product: "Arte @everyone",
    });
    stage.sandbox.wallet.sale({ owner: ANA.id, origin: "api", reais: 60 });
    const open = async () =>
      formOf(await moneyDriver.person.messageCommand(written.id, "Guardar como prova"));
    const form = await open();
    const [menu] = form.fields;
    const option = menu?.options?.find(({ value }) => value === txid);
    expect(option?.label).toMatch(/^“Arte everyone” · R\$\u00a050,00/);
    expect(menu?.value).toBeUndefined();
    expect(await moneyDriver.person.submitModal(form, { venda: "outra" })).toMatchObject({
      kind: "failed",
    });
    const kept = messageOf(await moneyDriver.person.submitModal(form, { venda: txid }));
    expect(textOf(kept)).toContain(`\`${txid}\``);

    const nothing = await moneyDriver.person.submitModal(await open(), {});
    expect(textOf(nothing)).toContain("Isso não parece um txid");

    const detail = messageOf(await moneyDriver.command("transacoes", { txid }));
    await moneyDriver.press(detail, "transacoes:prova:");
    expect((await open()).fields[0]?.value).toBe(txid);
  });

  test("are kept from a message's menu, listed, opened and deleted; nothing downloads their files or shows an address that opens for nobody", async () => {
    const asked: string[] = [];
    const note = (served: unknown): void =>
      void asked.push((served as { request: IncomingMessage }).request.url ?? "");
    subscribe("http.server.request.start", note);
    onTestFinished(() => void unsubscribe("http.server.request.start", note));
    await stage.connectAna();
    const none = await list();
    expect(textOf(none)).toContain("Você ainda não guardou nenhuma prova.");
    expect(none.components).toEqual([]);

    const kept = await keep(TXID);
    expect(kept.privateTo).toBe(ANA.id);
    expect(textOf(kept)).toContain("`Recebi o acesso, tudo certo. @everyone`");
    expect(textOf(kept)).toContain("Dos anexos guardo só o nome, não o arquivo");
    expect(kept.mentionsEveryone).toBe(false);

    const repeated = await keep(` ${TXID}`);
    expect(textOf(repeated)).toContain("Você já guardou esta mensagem");
    expect(textOf(repeated)).toContain("Nada mais foi guardado.");

    const one = await list();
    expect(textOf(one)).toContain("**1 prova guardada.**");
    expect(textOf(one)).toContain("Dos anexos guardo só o nome, não o arquivo");
    const open = partWith(one, "provas:abrir:");
    const [id] = [...JSON.stringify(one.components).matchAll(/"value":"([\w-]+)"/g)].map(
      ([, value]) => value ?? "",
    );
    const detail = messageOf(await moneyDriver.person.select(one.id, open, [id ?? ""]));
    expect(textOf(detail)).toContain(`\`${TXID}\``);
    expect(textOf(detail)).toContain("`tela.png`");
    expect(textOf(detail)).not.toContain("/attachments/");
    expect(textOf(detail)).toContain("Dos anexos guardo só o nome, não o arquivo");
    expect(textOf(detail)).toMatch(/`[0-9a-f]{64}`/);
    expect(textOf(detail)).toContain(`/${CHANNELS.geral.id}/${written.id}`);

    const asks = messageOf(await moneyDriver.press(detail, "provas:perguntar:"));
    expect(textOf(asks)).toContain("Apagar esta prova?");
    expect(textOf(await list())).toContain("**1 prova guardada.**");
    const after = messageOf(await moneyDriver.press(asks, "provas:apagar:"));
    expect(textOf(after)).toContain("Prova apagada.");
    expect(has(after, "provas:abrir:")).toBe(false);
    const again = await moneyDriver.person.forgeClick(asks.id, partWith(asks, "provas:apagar:"));
    expect(textOf(again)).toContain("Não achei essa prova");

    expect(asked.filter((url) => url.endsWith("/callback"))).not.toEqual([]);
    expect(asked.filter((url) => url.startsWith("/attachments/"))).toEqual([]);
  });
});
