import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ANA, APPLICATION, BRUNO, CARLA, CHANNELS } from "#src/sandbox/world.ts";
import { databases, oneDatabase } from "../support/databases.ts";
import { ANAS_KEY, createMoneyDriver, has, partWith, type MoneyDriver } from "./support/money.ts";
import { messageOf, openStage, type Stage, textOf } from "./support/stage.ts";

describe.each(databases)("/saque on $name", (kind) => {
  let stage: Stage;
  let moneyDriver: MoneyDriver;

  const executed = () => stage.sandbox.wallet.executed(ANA.id);
  const later = (minutes: number): Promise<void> =>
    stage.moveTo(stage.sandbox.clock.now().add({ minutes }).toString());

  beforeEach(async () => {
    stage = await openStage(kind);
    await stage.connectAna();
    moneyDriver = createMoneyDriver(stage);
  });

  afterEach(() => stage.close());

  test("shows what it costs before anything moves, and moves nothing until it is confirmed", async () => {
    const before = executed().length;
    const asked = await moneyDriver.ask({ valor: "1.234,56", modalidade: "turbo" });
    expect(textOf(asked)).toMatch(/R\$\u00a01\.234,56[\s\S]*R\$\u00a03,50/);
    expect(textOf(asked)).toContain("R$\u00a01.231,06");
    expect(JSON.stringify(asked.components)).toContain("R$\u00a01.234,06");
    expect(textOf(asked)).toContain(ANAS_KEY);
    expect(executed()).toHaveLength(before);
  });

  test("pays by turbo to its end, and the private reply follows it", async () => {
    const before = executed().length;
    const sent = await moneyDriver.withdraw({ modalidade: "turbo" });
    expect(executed()).toHaveLength(before + 1);
    await later(2);
    expect(textOf(moneyDriver.again(sent))).toMatch(/concluído|caiu|chegou/i);
    await later(2);
    expect(
      moneyDriver.directMessages().filter((message) => /W-/.test(textOf(message))),
    ).toHaveLength(0);
  });

  test("tells by direct message once the reply can no longer be edited", async () => {
    await moneyDriver.withdraw({ modalidade: "normal" });
    await later(24 * 60 + 10);
    await later(2);
    await later(2);
    const told = moneyDriver.directMessages().map(textOf);
    expect(told.filter((text) => /concluído|caiu|chegou/i.test(text))).toHaveLength(1);
  });

  test("asks a second time for a key never used before, and not for one that was", async () => {
    const first = await moneyDriver.ask({ modalidade: "turbo" });
    const second = messageOf(await moneyDriver.press(first, "saque:confirmar:"));
    expect(has(second, "saque:confirmar:")).toBe(true);
    expect(partWith(second, "saque:confirmar:")).not.toBe(partWith(first, "saque:confirmar:"));
    await moneyDriver.press(second, "saque:confirmar:");
    await later(24 * 60 + 5);
    const again = await moneyDriver.ask({ modalidade: "turbo" });
    expect(
      has(messageOf(await moneyDriver.press(again, "saque:confirmar:")), "saque:confirmar:"),
    ).toBe(false);
  });

  test("sends once however often it is clicked", async () => {
    const before = executed().length;
    const first = await moneyDriver.ask({ modalidade: "turbo" });
    const second = messageOf(await moneyDriver.press(first, "saque:confirmar:"));
    const confirm = partWith(second, "saque:confirmar:");
    const soon = messageOf(await moneyDriver.person.click(second.id, confirm));
    expect(textOf(soon)).toContain("Esse clique veio cedo demais");
    expect(partWith(moneyDriver.again(second), "saque:confirmar:")).toBe(confirm);
    expect(executed()).toHaveLength(before);
    stage.sandbox.clock.moveBy(2_000);
    await Promise.all([1, 2, 3].map(() => moneyDriver.person.click(second.id, confirm)));
    expect(executed()).toHaveLength(before + 1);
  });

  test("goes stale after two minutes", async () => {
    const before = executed().length;
    const asked = await moneyDriver.ask({});
    const confirm = partWith(asked, "saque:confirmar:");
    await later(3);
    const shown = messageOf(await moneyDriver.person.forgeClick(asked.id, confirm));
    expect(textOf(shown)).toContain("Expirou");
    expect(has(moneyDriver.again(asked), "saque:confirmar:")).toBe(false);
    const anew = messageOf(await moneyDriver.press(moneyDriver.again(asked), "saque:refazer:"));
    expect(textOf(anew)).toContain("Confirme o saque");
    expect(executed()).toHaveLength(before);
  });

  test("finds by reading a withdrawal whose answer was lost, and repeats nothing", async () => {
    const before = executed().length;
    stage.sandbox.faults.failNext("POST /v1/withdraw", { kind: "reset", at: "after" });
    const unclear = await moneyDriver.withdraw({ modalidade: "turbo" });
    expect(textOf(unclear)).toMatch(/pode ter sido feito[\s\S]*Não repita/);
    expect(textOf(await moneyDriver.ask({ valor: "20" }))).toMatch(/W-[0-9A-Z]{5}/);
    await later(1);
    await later(1);
    expect(textOf(moneyDriver.again(unclear))).not.toMatch(/pode ter sido feito/);
    expect(executed()).toHaveLength(before + 1);
  });

  test("S6: asks its owner about a lost request, and proves by days of reading that it was never carried out", async () => {
    // An earlier withdrawal appears in the list before it completes.
    await moneyDriver.withdraw({ modalidade: "normal" });
    await later(1);
    await later(25 * 60);
    await later(25 * 60);
    const before = executed().length;
    stage.sandbox.faults.failNext("POST /v1/withdraw", { kind: "reset", at: "before" });
    await moneyDriver.withdraw({ modalidade: "normal" });
    for (let minute = 0; minute < 45; minute += 5) await later(5);
    await later(2);
    expect(moneyDriver.directMessages().map(textOf).join("\n")).toMatch(/Preciso que você confira/);
    for (const hours of [71, 1, 1, 1]) await later(hours * 60 + 1);
    expect(moneyDriver.directMessages().map(textOf).join("\n")).toMatch(/O saque não foi feito/);
    expect(executed()).toHaveLength(before);
    await moneyDriver.withdraw({ modalidade: "turbo" });
    expect(executed()).toHaveLength(before + 1);
  });

  test("says why a withdrawal failed and that the value went back", async () => {
    stage.sandbox.wallet.failNextWithdrawal(ANA.id, { reason: "Conta de destino encerrada" });
    const sent = await moneyDriver.withdraw({ modalidade: "turbo" });
    await later(2);
    expect(textOf(moneyDriver.again(sent))).toMatch(/`Conta de destino encerrada`/);
    expect(textOf(moneyDriver.again(sent))).toMatch(/voltou/i);
  });

  test("survives a restart between the request and its end", async () => {
    await moneyDriver.withdraw({ modalidade: "turbo" });
    await stage.restart();
    await later(2);
    await later(2);
    expect(moneyDriver.directMessages().map(textOf).join("\n")).toMatch(/concluído|caiu|chegou/i);
  });

  test("takes everything with tudo, and offers the keys that were kept", async () => {
    const asked = await moneyDriver.ask({ valor: "tudo" });
    expect(has(asked, "saque:confirmar:")).toBe(true);
    const sent = await moneyDriver.confirm(asked);
    await moneyDriver.press(sent, "saque:guardar:");
    const offered = await moneyDriver.person.autocomplete({
      channelId: CHANNELS.geral.id,
      name: "saque",
      options: { valor: "50", chave: "" },
      focused: "chave",
    });
    expect(offered.length).toBe(1);
    expect(JSON.stringify(offered)).not.toContain(ANAS_KEY);
  });

  // The remaining tests are independent of the database.
  if (kind !== databases[0]) return;

  test("refuses what is no amount or no key with a text that says what to do", async () => {
    const before = executed().length;
    for (const options of [
      { valor: "abc" },
      { valor: "1,234" },
      { valor: "5" },
      { valor: "99.999.999" },
      { chave: " " },
    ]) {
      const asked = await moneyDriver.ask(options);
      expect([options, has(asked, "saque:confirmar:")]).toEqual([options, false]);
      expect(textOf(asked).length).toBeGreaterThan(30);
    }
    expect(executed()).toHaveLength(before);
  });

  test("asks whether eleven digits are a CPF or a phone", async () => {
    const asked = await moneyDriver.ask({ chave: "11987654374" });
    const chosen = has(asked, "saque:cpf:")
      ? messageOf(await moneyDriver.press(asked, "saque:celular:"))
      : asked;
    expect(has(chosen, "saque:confirmar:")).toBe(true);
  });

  test("belongs to the person who typed it", async () => {
    const asked = await moneyDriver.ask({});
    const bruno = stage.sandbox.discord.person(BRUNO.id);
    const shown = await bruno.click(asked.id, partWith(asked, "saque:confirmar:"));
    expect(shown.kind).toBe("failed");
    const carla = createMoneyDriver(stage, CARLA.id);
    expect(textOf(await carla.command("saque", { valor: "50", chave: ANAS_KEY }))).toMatch(
      /\/conta conectar/,
    );
  });
});

describe.each(oneDatabase)("/split-saque on $name", (kind) => {
  let stage: Stage;
  let moneyDriver: MoneyDriver;

  const executed = () => stage.sandbox.wallet.executed(ANA.id);
  const ask = async (recebedor: string, options = {}) =>
    messageOf(await moneyDriver.command("split-saque", { recebedor, chave: ANAS_KEY, ...options }));

  beforeEach(async () => {
    stage = await openStage(kind);
    await stage.connectAna();
    moneyDriver = createMoneyDriver(stage);
  });

  afterEach(() => stage.close());

  test("says that everything goes, twice, and shows the balance before and after", async () => {
    const asked = await ask(BRUNO.id, { modalidade: "turbo" });
    expect(textOf(asked)).toMatch(/todo o saldo/i);
    const again = messageOf(await moneyDriver.press(asked, "saque:confirmar:"));
    expect(has(again, "saque:confirmar:")).toBe(true);
    const before = executed().length;
    const receipt = await moneyDriver.confirm(again);
    expect(executed()).toHaveLength(before + 1);
    expect(textOf(receipt)).toContain("R$\u00a01.250,80");
    expect(textOf(receipt)).toContain("R$\u00a00,00");
  });

  test("always says which speed it wants", async () => {
    await moneyDriver.confirm(await ask(BRUNO.id));
    expect(executed().at(-1)).toMatchObject({ turbo: false });
  });

  test("shows what is missing to the minimum", async () => {
    const refused = await moneyDriver.confirm(await ask(CARLA.id));
    expect(textOf(refused)).toMatch(/R\$\u00a00,00[\s\S]*R\$\u00a010,00/);
  });

  test.each([
    ["oneself", ANA.id],
    ["a bot", APPLICATION.id],
  ])("does not ask the service about %s", async (_, recipient) => {
    const asked = stage.sandbox.wallet.requests.length;
    expect(has(await ask(recipient), "saque:confirmar:")).toBe(false);
    const posts = stage.sandbox.wallet.requests
      .slice(asked)
      .filter(({ path }) => path === "/v1/split/withdraw");
    expect(posts).toEqual([]);
  });

  test("tells an account without split what the service said", async () => {
    const bruno = createMoneyDriver(stage, BRUNO.id);
    const form = await stage.sandbox.discord
      .person(BRUNO.id)
      .command({ channelId: "1180000000000000101", name: "conta", subcommand: "conectar" });
    if (form.kind !== "modal") throw new Error("No form");
    await bruno.person.submitModal(form.modal, { api_key: BRUNO.apiKey });
    const asked = await bruno.command("split-saque", { recebedor: CARLA.id, chave: ANAS_KEY });
    expect(textOf(await bruno.confirm(messageOf(asked)))).toMatch(
      /^O serviço recusou: “[^”]*split[^”]*”/,
    );
  });
});
