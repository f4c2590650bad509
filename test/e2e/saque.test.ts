import { beforeEach, describe, expect, test } from "vitest";
import { ANA, BRUNO, CARLA, CHANNELS } from "#src/sandbox/world.ts";
import { ANAS_KEY, createMoneyDriver, has, partWith, type MoneyDriver } from "./support/money.ts";
import { messageOf, openStage, type Stage, textOf } from "./support/stage.ts";

describe("/saque", () => {
  let stage: Stage;
  let moneyDriver: MoneyDriver;

  const executed = () => stage.sandbox.wallet.executed(ANA.id);

  beforeEach(async () => {
    stage = await openStage();
    await stage.connectAna();
    moneyDriver = createMoneyDriver(stage);
  });

  test("pays by turbo to its end, and the private reply follows it", async () => {
    const before = executed().length;
    const sent = await moneyDriver.withdraw({ modalidade: "turbo" });
    expect(executed()).toHaveLength(before + 1);
    await stage.later(2);
    expect(textOf(moneyDriver.again(sent))).toMatch(/concluído|caiu|chegou/i);
    await stage.later(2);
    expect(
      moneyDriver.directMessages().filter((message) => /W-/.test(textOf(message))),
    ).toHaveLength(0);
  });

  test("tells by direct message once the reply can no longer be edited", async () => {
    await moneyDriver.withdraw({ modalidade: "normal" });
    await stage.later(24 * 60 + 10);
    await stage.later(2);
    await stage.later(2);
    const told = moneyDriver.directMessages().map(textOf);
    expect(told.filter((text) => /concluído|caiu|chegou/i.test(text))).toHaveLength(1);
  });

  test("sends once however often it is clicked", async () => {
    const before = executed().length;
    const first = await moneyDriver.ask({ modalidade: "turbo" });
    const second = messageOf(await moneyDriver.press(first, "saque:confirmar:"));
    const confirm = partWith(second, "saque:confirmar:");
    const soon = messageOf(await moneyDriver.person.click(second.id, confirm));
    expect(textOf(soon)).toContain("Esse toque veio cedo demais");
    expect(partWith(moneyDriver.again(second), "saque:confirmar:")).toBe(confirm);
    expect(executed()).toHaveLength(before);
    stage.sandbox.clock.moveBy(2_000);
    await Promise.all([1, 2, 3].map(() => moneyDriver.person.click(second.id, confirm)));
    expect(executed()).toHaveLength(before + 1);
  });

  test("finds by reading a withdrawal whose answer was lost, and repeats nothing", async () => {
    const before = executed().length;
    stage.sandbox.faults.failNext("POST /v1/withdraw", { kind: "reset", at: "after" });
    const unclear = await moneyDriver.withdraw({ modalidade: "turbo" });
    expect(textOf(unclear)).toMatch(/pode ter sido feito[\s\S]*Não repita/);
    expect(textOf(await moneyDriver.ask({ valor: "20" }))).toMatch(/W-[0-9A-Z]{5}/);
    await stage.later(1);
    await stage.later(1);
    expect(textOf(moneyDriver.again(unclear))).not.toMatch(/pode ter sido feito/);
    expect(executed()).toHaveLength(before + 1);
  });

  test("survives a restart between the request and its end", async () => {
    await moneyDriver.withdraw({ modalidade: "turbo" });
    await stage.restart();
    await stage.later(2);
    await stage.later(2);
    expect(moneyDriver.directMessages().map(textOf).join("\n")).toMatch(/concluído|caiu|chegou/i);
  });

  test("begins at /saldo too: the form asks what /saque asks, and pays only after the same confirmations", async () => {
    const before = executed().length;
    const balance = messageOf(await moneyDriver.command("saldo"));
    const order = { valor: "50", chave: ANAS_KEY, modalidade: "turbo" };
    const asked = messageOf(await moneyDriver.fill(balance, "saque:formulario:", order));
    expect(textOf(asked)).toContain(ANAS_KEY);
    expect(textOf(asked)).toMatch(/46,50/);
    expect(executed()).toHaveLength(before);
    await moneyDriver.confirm(asked);
    expect(executed()).toHaveLength(before + 1);
    const meds = messageOf(await moneyDriver.press(balance, "meds:esperam:"));
    expect(meds.id).not.toBe(balance.id);
    expect(textOf(meds)).toMatch(/precisam? de resposta/);
    const all = messageOf(await moneyDriver.press(balance, "saques:todos:"));
    expect(textOf(all)).toContain("W-");
    const locked = await moneyDriver.command("travar");
    expect(textOf(locked)).toMatch(/travad/i);
    const again = await moneyDriver.fill(balance, "saque:formulario:", order);
    expect(textOf(again)).toMatch(/travad/i);
    expect(executed()).toHaveLength(before + 1);
  });

  test("S6: asks its owner about a lost request, and proves by days of reading that it was never carried out", async () => {
    // An earlier withdrawal appears in the list before it completes.
    await moneyDriver.withdraw({ modalidade: "normal" });
    await stage.later(1);
    await stage.later(25 * 60);
    await stage.later(25 * 60);
    const before = executed().length;
    stage.sandbox.faults.failNext("POST /v1/withdraw", { kind: "reset", at: "before" });
    await moneyDriver.withdraw({ modalidade: "normal" });
    for (let minute = 0; minute < 45; minute += 5) await stage.later(5);
    await stage.later(2);
    const asked = moneyDriver.directMessages().at(-1)!;
    expect(textOf(asked)).toMatch(/Preciso que você confira/);
    expect(has(asked, "saques:aconteceu:")).toBe(true);
    for (const hours of [71, 1, 1, 1]) await stage.later(hours * 60 + 1);
    expect(textOf(moneyDriver.directMessages().at(-1)!)).toMatch(/O saque não foi feito/);
    await stage.later(1);
    // The answer replaces the question, which loses its buttons.
    const shown = moneyDriver.directMessages().find(({ id }) => id === asked.id);
    expect(shown).toMatchObject({
      content: "Substituída: a mensagem mais nova sobre este saque está abaixo.",
      components: [],
    });
    expect(executed()).toHaveLength(before);
    await moneyDriver.withdraw({ modalidade: "turbo" });
    expect(executed()).toHaveLength(before + 1);
  });

  test("takes everything with tudo, and offers the keys that were kept", async () => {
    const sent = await moneyDriver.withdraw({ valor: "tudo" });
    await moneyDriver.press(sent, "saque:guardar:");
    const offered = await moneyDriver.person.autocomplete({
      channelId: CHANNELS.geral.id,
      name: "saque",
      options: { valor: "50", chave: "" },
      focused: "chave",
    });
    expect(offered).toHaveLength(1);
    expect(JSON.stringify(offered)).not.toContain(ANAS_KEY);
  });

  test("belongs to the person who typed it", async () => {
    const before = executed().length;
    const asked = await moneyDriver.ask({});
    const confirm = partWith(asked, "saque:confirmar:");
    const bruno = stage.sandbox.discord.person(BRUNO.id);
    expect((await bruno.click(asked.id, confirm)).kind).toBe("failed");
    stage.sandbox.clock.moveBy(2_000);
    await bruno.forgeClick(asked.id, confirm);
    expect(executed()).toHaveLength(before);
    expect(partWith(moneyDriver.again(asked), "saque:confirmar:")).toBe(confirm);
    const carla = createMoneyDriver(stage, CARLA.id);
    expect(textOf(await carla.command("saque", { valor: "50", chave: ANAS_KEY }))).toMatch(
      /\/conta conectar/,
    );
  });
});
