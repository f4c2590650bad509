import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { StoredMessage } from "#src/sandbox/discord/state.ts";
import { ANA, BRUNO, CHANNELS } from "#src/sandbox/world.ts";
import { oneDatabase } from "../support/databases.ts";
import { createMoneyDriver, has, partWith, type MoneyDriver } from "./support/money.ts";
import { messageOf, openStage, type Stage, textOf } from "./support/stage.ts";

const KEEP = "Guardar como prova";
const TXID = "a41f07c98e2d4b6391d05c7f";
const MINUTE_LATER = "2026-11-17T12:01:00Z";
const TOO_LATE = "2026-11-17T12:31:00Z";

describe.each(oneDatabase)("proofs on $name", (kind) => {
  let stage: Stage;
  let moneyDriver: MoneyDriver;
  let written: StoredMessage;

  const form = async (message = written) => {
    const shown = await moneyDriver.person.messageCommand(message.id, KEEP);
    if (shown.kind !== "modal") throw new Error(`No form: ${JSON.stringify(shown)}`);
    return shown.modal;
  };
  const keep = async (txid = TXID, message = written): Promise<StoredMessage> =>
    messageOf(await moneyDriver.person.submitModal(await form(message), { txid }));
  const list = async () => messageOf(await moneyDriver.command("provas"));

  beforeEach(async () => {
    stage = await openStage(kind);
    moneyDriver = createMoneyDriver(stage);
    const file = { name: "tela.png", type: "image/png", data: Buffer.from("png") };
    written = stage.sandbox.discord
      .person(BRUNO.id)
      .write(CHANNELS.geral.id, "Recebi o acesso, tudo certo. @everyone", [file]);
  });

  afterEach(() => stage.close());

  test("are kept from a message's menu, listed, opened and deleted", async () => {
    await stage.connectAna();
    const none = await list();
    expect(textOf(none)).toContain("Você ainda não guardou nenhuma prova.");
    expect(none.components).toEqual([]);

    const kept = await keep();
    expect(kept.privateTo).toBe(ANA.id);
    expect(textOf(kept)).toContain("`Recebi o acesso, tudo certo. @everyone`");
    expect(textOf(kept)).toContain("tela.png`");
    expect(textOf(kept)).toMatch(/`[0-9a-f]{64}`/);
    expect(kept.mentionsEveryone).toBe(false);

    const repeated = await keep(` ${TXID}`);
    expect(textOf(repeated)).toContain("Você já guardou esta mensagem");
    expect(textOf(repeated)).toContain("Nada mais foi guardado.");

    const one = await list();
    expect(textOf(one)).toContain("**1 prova guardada.**");
    const open = partWith(one, "provas:abrir:");
    const [id] = [...JSON.stringify(one.components).matchAll(/"value":"([\w-]+)"/g)].map(
      ([, value]) => value ?? "",
    );
    const detail = messageOf(await moneyDriver.person.select(one.id, open, [id ?? ""]));
    expect(textOf(detail)).toContain(`\`${TXID}\``);
    expect(textOf(detail)).toContain(`/${CHANNELS.geral.id}/${written.id}`);

    const after = messageOf(await moneyDriver.press(detail, "provas:apagar:"));
    expect(textOf(after)).toContain("Prova apagada.");
    expect(has(after, "provas:abrir:")).toBe(false);
    const again = await moneyDriver.person.forgeClick(
      detail.id,
      partWith(detail, "provas:apagar:"),
    );
    expect(textOf(again)).toContain("Não achei essa prova");
  });

  test("name what is attached, which nothing downloads", async () => {
    const asked: string[] = [];
    const note = (served: unknown): void =>
      void asked.push((served as { request: IncomingMessage }).request.url ?? "");
    subscribe("http.server.request.start", note);
    onTestFinished(() => void unsubscribe("http.server.request.start", note));
    await stage.connectAna();
    await keep();
    expect(asked.filter((url) => url.endsWith("/callback"))).not.toEqual([]);
    expect(asked.filter((url) => url.startsWith("/attachments/"))).toEqual([]);
  });

  test("need a connection that their end can follow", async () => {
    const refused = messageOf(await moneyDriver.person.messageCommand(written.id, KEEP));
    expect(textOf(refused)).toContain("Você ainda não conectou a sua chave");
  });

  test("wait a quarter of an hour for a txid that can be one, over a restart", async () => {
    await stage.connectAna();
    const early = await form();
    await stage.restart();
    expect(textOf(await moneyDriver.person.submitModal(early, { txid: "com espaço" }))).toContain(
      "Isso não parece um txid",
    );
    await stage.moveTo(MINUTE_LATER);
    expect(textOf(await keep(` ${TXID} `))).toContain("Prova guardada");
    const late = await form();
    await stage.moveTo(TOO_LATE);
    expect(textOf(await moneyDriver.person.submitModal(late, { txid: TXID }))).toContain(
      "Essa mensagem já não espera um txid",
    );
    expect(textOf(await list())).toContain("**1 prova guardada.**");
  });

  test("are nobody else's, and go with the account", async () => {
    await stage.connectAna();
    const kept = await keep();
    expect(kept.components).not.toEqual([]);
    const bruno = createMoneyDriver(stage, BRUNO.id);
    expect(textOf(messageOf(await bruno.command("provas")))).toContain("nenhuma prova");

    const asked = messageOf(
      await moneyDriver.person.command({
        channelId: CHANNELS.geral.id,
        name: "conta",
        subcommand: "desconectar",
      }),
    );
    await moneyDriver.press(asked, "conta:apagar:");
    expect(textOf(await list())).toContain("nenhuma prova");
  });

  test("are not kept of what says nothing", async () => {
    await stage.connectAna();
    const empty = stage.sandbox.discord.person(BRUNO.id).write(CHANNELS.geral.id, " ");
    const refused = messageOf(await moneyDriver.person.messageCommand(empty.id, KEEP));
    expect(textOf(refused)).toContain("Não há o que guardar nesta mensagem");
  });

  test("leave no word of theirs in the log", async () => {
    await stage.connectAna();
    await keep();
    expect(stage.logged()).not.toContain("Recebi o acesso");
    expect(stage.logged()).toContain(KEEP);
  });
});
