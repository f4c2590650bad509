import { decodeQR } from "qr/decode.js";
import { PermissionFlagsBits } from "discord-api-types/v10";
import { PNG } from "pngjs";
import { beforeEach, describe, expect, test } from "vitest";
import type { StoredMessage } from "#src/sandbox/discord/state.ts";
import { BOT_INVITED } from "#src/sandbox/discord/permissions.ts";
import { ANA, BRUNO, CHANNELS } from "#src/sandbox/world.ts";
import { english } from "./support/english.ts";
import { createMoneyDriver, has, type MoneyDriver, partWith } from "./support/money.ts";
import { rowsOf } from "../support/rows-of.ts";
import { formOf, messageOf, openStage, type Stage, textOf } from "./support/stage.ts";

const CREATE = "POST /v1/payment/create";
const ANSWER = "PATCH /webhooks/{id}/{token}/messages/@original";

describe("/cobrar", () => {
  let stage: Stage;
  let driver: MoneyDriver;

  beforeEach(async () => {
    stage = await openStage();
    await stage.connectAna();
    driver = createMoneyDriver(stage);
  });

  const charges = () => stage.sandbox.wallet.charges(ANA.id);
  /** Requests that reached the service, with or without an effect. */
  const asked = () =>
    stage.sandbox.wallet.requests.filter(({ path }) => path === "/v1/payment/create").length;
  const command = (options: Readonly<Record<string, string>> = {}) =>
    driver.command("cobrar", { valor: "79,90", descricao: "Plano VIP mensal", ...options });
  /** The private answer; the code alone follows it. */
  const charge = async (options: Readonly<Record<string, string>> = {}) => {
    await command(options);
    return answerOf();
  };
  const visible = (): readonly StoredMessage[] =>
    stage.sandbox.discord.visibleTo(ANA.id).channels.flatMap(({ messages }) => messages);
  const answerOf = (): StoredMessage => {
    const found = visible().findLast(
      (message) => message.privateTo === ANA.id && message.embeds.length > 0,
    );
    if (found === undefined) throw new Error("No private answer");
    return found;
  };
  const codeAlone = () =>
    visible().findLast((message) => message.content.startsWith("000201"))?.content;
  const cards = (): readonly StoredMessage[] =>
    visible().filter(
      (message) =>
        message.channelId === CHANNELS.geral.id &&
        message.privateTo === undefined &&
        /R\$/.test(textOf(message)),
    );
  const told = (): readonly string[] => driver.directMessages().map(textOf);
  const qrIn = (message: StoredMessage): string => {
    const file = message.attachments.find(({ filename }) => filename === "pix.png");
    const data = stage.sandbox.discord.attachmentData(file?.id ?? "");
    if (data === undefined) throw new Error(`No picture under ${textOf(message)}`);
    const { width, height, data: pixels } = PNG.sync.read(data);
    return decodeQR({ width, height, data: pixels });
  };
  /** The card; on a busy machine a beat later than the click's own delivery. */
  const posted = async (): Promise<StoredMessage> => {
    for (let beats = 0; beats < 4 && cards().length === 0; beats++) await stage.later(1);
    const [card] = cards();
    if (card === undefined) throw new Error("No card");
    return card;
  };
  const publish = async (message: StoredMessage): Promise<StoredMessage> => {
    await driver.press(message, "cobrar:publicar:");
    return await posted();
  };
  const cardRow = async () =>
    (await rowsOf(stage.databaseUrl, "outbox")).find(({ kind }) => kind === "charge");
  /** Until the click's own delivery has ended: a clock that moves meanwhile would end its lease. */
  const clickAndDeliver = async (answer: StoredMessage): Promise<void> => {
    const attempts = Number((await cardRow())?.["attempts"] ?? 0);
    await driver.press(driver.again(answer), "cobrar:publicar:");
    const isOver = async () => {
      const row = await cardRow();
      return Number(row?.["attempts"]) > attempts && row?.["lease_until"] === null;
    };
    await expect.poll(isOver).toBe(true);
  };
  /** On a busy machine what is due comes some beats later. */
  const later = async (isOver: () => boolean | Promise<boolean>): Promise<void> => {
    for (let minutes = 0; minutes < 12 && !(await isOver()); minutes++) await stage.later(1);
    expect(await isOver()).toBe(true);
  };
  /** The alerts of the first look are out, which would otherwise meet the next post's fault. */
  const alertsAreOut = () =>
    later(async () => {
      const rows = await rowsOf(stage.databaseUrl, "outbox");
      const alerts = rows.filter(({ kind }) => kind === "dispute_alert");
      return alerts.length === 2 && alerts.every(({ state }) => state === "sent");
    });
  const pay = async (): Promise<void> => {
    const [first] = charges();
    expect(stage.sandbox.wallet.payCharge(ANA.id, first?.txid ?? "")).toBe("done");
    for (const minutes of [1, 2, 3]) await stage.later(minutes);
  };

  test.each(["after", "before"] as const)(
    "never repeats a request whose answer was lost %s its effect, and looks for the charge",
    async (at) => {
      stage.sandbox.faults.failNext(CREATE, { kind: "reset", at });
      const answer = await charge();
      expect(textOf(answer)).toContain("A cobrança pode ter sido criada");
      expect(codeAlone()).toBeUndefined();
      for (const minutes of [1, 2, 4, 4, 4, 11, 2]) await stage.later(minutes);
      expect(asked()).toBe(1);
      expect(charges()).toHaveLength(at === "after" ? 1 : 0);
      const now = [textOf(driver.again(answer)), ...told()].join("\n");
      if (at === "after") {
        expect(qrIn(driver.again(answer))).toBe(charges()[0]?.code);
        expect(has(driver.again(answer), "cobrar:publicar:")).toBe(true);
      } else expect(now).toContain("Não achei a cobrança");
    },
  );

  test("is published once however often it is clicked, and shows that it was paid, once", async () => {
    const answer = await charge();
    const button = partWith(answer, "cobrar:publicar:");
    await Promise.all([1, 2, 3].map(() => driver.person.click(answer.id, button)));
    const card = await posted();
    await stage.later(1);
    expect(cards()).toHaveLength(1);
    expect(qrIn(card)).toBe(charges()[0]?.code);
    expect(textOf(card)).toContain(charges()[0]?.code);
    expect(textOf(card)).not.toMatch(/75,11|taxa|Pagador/);
    const bruno = stage.sandbox.discord.person(BRUNO.id);
    const copied = messageOf(await bruno.click(card.id, partWith(card, "cobrar:codigo:")));
    expect(copied.content).toBe(charges()[0]?.code);

    await pay();
    const [paid, ...others] = cards();
    expect(others).toEqual([]);
    expect(paid?.id).toBe(card.id);
    expect(textOf(paid ?? card)).toMatch(/Pago: R\$\u00a079,90/);
    expect(textOf(paid ?? card)).not.toMatch(/00020126|Pagador/);
    expect(paid?.attachments).toEqual([]);
    const edits = stage.sandbox.discord
      .requests()
      .filter(({ route }) => route === "PATCH /channels/{id}/messages/{message}");
    expect(edits).toHaveLength(1);
    expect(textOf(driver.again(answer))).toContain("Pago: R$\u00a079,90");
    await stage.later(60);
    expect(told().filter((text) => text.includes("Pago: R$\u00a079,90"))).toHaveLength(1);
    expect(asked()).toBe(1);
  });

  test("is followed over a restart", async () => {
    const card = await publish(await charge());
    await stage.restart();
    await pay();
    expect(textOf(driver.again(card))).toContain("Pago: R$\u00a079,90");
    await stage.restart();
    await stage.later(2);
    expect(told().filter((text) => text.includes("Pago: R$\u00a079,90"))).toHaveLength(1);
  });

  test("answers in private with the amount, the net, the QR, and the code alone after it", async () => {
    const answer = await charge();
    const [made] = charges();
    expect(asked()).toBe(1);
    expect(textOf(answer)).toContain("Cobrança de R$\u00a079,90");
    expect(textOf(answer)).toContain("R$\u00a075,11");
    expect(textOf(answer)).toContain("`Plano VIP mensal`");
    expect(qrIn(answer)).toBe(made?.code);
    // The code follows the answer that the person has seen.
    await expect.poll(codeAlone).toBe(made?.code);
    expect(cards()).toEqual([]);
  });

  test.each([
    ["the answer that Discord did not take", 5],
    ["no answer that Discord took", 0],
  ])("comes by message in the place of %s", async (_, refusals) => {
    const routes = ["POST /interactions/{id}/{token}/callback", ANSWER];
    const fault = { kind: "status", status: 500, at: "before" } as const;
    const waiting = stage.sandbox.faults.failNext(routes, fault, refusals);
    // It may never be answered.
    void command().catch(() => undefined);
    const state = refusals === 0 ? "obsolete" : "due";
    const messages = async () =>
      (await rowsOf(stage.databaseUrl, "outbox")).filter(
        (row) => String(row["dedupe_key"]).includes("charge_found") && row["state"] === state,
      );
    await expect.poll(messages).toHaveLength(1);
    await expect.poll(() => refusals - waiting.left()).toBe(Math.min(refusals, 2));
    waiting.cancel();
    for (const minutes of [1, 1, 1]) await stage.later(minutes);
    const codes = told().filter((text) => text.includes(charges()[0]?.code ?? ""));
    expect(codes).toHaveLength(refusals === 0 ? 0 : 1);
  });

  test("reads in English from the answer to its end", async () => {
    driver.person.setLocale("en-US");
    const answer = await charge({ descricao: "Monthly VIP plan" });
    english(textOf(answer));
    const card = await publish(answer);
    english(textOf(card).replace(/000201.*/, ""));
    await pay();
    english(textOf(driver.again(card)));
    expect(textOf(driver.again(card))).toContain("Paid: R$");
    english(told().join("\n"));
  });

  test("tells a seller whose key the service refuses that nothing was created, and connects the present one", async () => {
    stage.sandbox.wallet.revoke(ANA.apiKey);
    const answer = await charge();
    expect(textOf(answer)).toContain("O serviço recusou a cobrança");
    expect(textOf(answer)).toContain("Nada foi criado");
    expect(charges()).toEqual([]);
    expect(textOf(answer)).toMatch(/não aceitou a sua chave da API[^]*Conecte a atual/);
    expect(textOf(answer)).not.toContain("Corrija");
    const form = formOf(await driver.press(answer, "conta:formulario:"));
    stage.sandbox.wallet.restore(ANA.apiKey);
    const connected = await driver.person.submitModal(form, { api_key: ANA.apiKey });
    expect(textOf(connected)).toContain("Chave conectada");
  });

  test("promises no card that cannot be posted, tells its seller of one that may not have been, and posts it once when it can", async () => {
    const answer = await charge();
    const permissions = (bits: bigint) =>
      stage.sandbox.discord.setBotPermissions(CHANNELS.geral.id, bits);
    const unsure = () =>
      told().filter((text) => text.includes("Não sei se o cartão da cobrança saiu"));
    await alertsAreOut();
    const fault = { kind: "reset", at: "before" } as const;
    const outage = stage.sandbox.faults.failNext("POST /channels/{id}/messages", fault, 99);
    await clickAndDeliver(answer);
    permissions(0n);
    outage.cancel();
    await later(() => unsure().length === 1);
    expect(cards()).toEqual([]);
    const unpromised = messageOf(await driver.press(driver.again(answer), "cobrar:publicar:"));
    expect(textOf(unpromised)).toMatch(/Não consigo postar[^]*Ver canal/);
    permissions(BOT_INVITED & ~PermissionFlagsBits.ReadMessageHistory);
    await clickAndDeliver(answer);
    await later(() => cards().length > 0);
    await driver.press(driver.again(answer), "cobrar:publicar:");
    await stage.later(1);
    expect(cards()).toHaveLength(1);
    expect(unsure()).toHaveLength(1);
    expect(unsure()[0]).toContain("toque de novo em **Publicar no canal**");
    expect(has(driver.again(answer), "cobrar:publicar:")).toBe(false);
  });

  test("shows its end once the bot sees its channel again", async () => {
    await publish(await charge());
    const permissions = (bits: bigint) =>
      stage.sandbox.discord.setBotPermissions(CHANNELS.geral.id, bits);
    permissions(0n);
    await pay();
    permissions(BOT_INVITED);
    await later(() => cards().map(textOf).join("\n").includes("Pago: R$\u00a079,90"));
  });

  test("that was lost and found has no button to publish for a seller who may not write", async () => {
    const { discord, faults } = stage.sandbox;
    discord.denyEveryone(CHANNELS.geral.id, PermissionFlagsBits.SendMessages);
    faults.failNext(CREATE, { kind: "reset", at: "after" });
    const answer = await charge();
    await later(() => textOf(driver.again(answer)).includes("Cobrança de R$"));
    expect(qrIn(driver.again(answer))).toBe(charges()[0]?.code);
    expect(has(driver.again(answer), "cobrar:publicar:")).toBe(false);
    expect(has(driver.again(answer), "cobrar:codigo:")).toBe(true);
    await pay();
    expect(textOf(driver.again(answer))).toContain("Pago: R$\u00a079,90");
  });

  test("is never posted twice when a refusal follows a post that may have arrived", async () => {
    const answer = await charge();
    const permissions = (bits: bigint) =>
      stage.sandbox.discord.setBotPermissions(CHANNELS.geral.id, bits);
    await alertsAreOut();
    stage.sandbox.faults.failNext("POST /channels/{id}/messages", { kind: "reset", at: "after" });
    await clickAndDeliver(answer);
    permissions(0n);
    await later(() => told().join("\n").includes("Não sei se o cartão da cobrança saiu"));
    permissions(BOT_INVITED);
    await clickAndDeliver(answer);
    for (const minutes of [1, 1, 1]) await stage.later(minutes);
    expect(cards()).toHaveLength(1);
    await pay();
    // The bot found the one that had arrived.
    await later(() => cards().map(textOf).join("\n").includes("Pago: R$\u00a079,90"));
    expect(cards()).toHaveLength(1);
  });
});
