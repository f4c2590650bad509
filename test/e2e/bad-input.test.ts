import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Fault } from "#src/sandbox/faults.ts";
import { ANA, BRUNO } from "#src/sandbox/world.ts";
import { startStage, type Stage, textOf, type, openStage } from "./support/stage.ts";
import { createMoneyDriver } from "./support/money.ts";

const REPORT_ROUTE = "GET /v1/sales/report";

let stage: Stage;

beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

const vendas = (data?: string) =>
  type(stage.sandbox.discord.person(ANA.id), "vendas", data === undefined ? {} : { data });

test("a key with spaces around it is taken", async () => {
  expect(textOf(await stage.connectAna(`  ${ANA.apiKey}\n`))).toContain("Chave conectada");
});

test.each(["o de ontem", "../meds", "W X"])(
  "a withdrawal asked for as %j leads to the list, and to no support",
  async (txid) => {
    const text = textOf(await type(stage.sandbox.discord.person(ANA.id), "saques", { txid }));
    expect(text).toMatch(/Não achei esse saque[^]*\/saques/);
    expect(text).not.toContain("suporte");
  },
);

describe("a wallet service that answers", () => {
  const faults: readonly (readonly [string, Fault, RegExp])[] = [
    ["500", { kind: "status", status: 500, at: "before" }, /está com problemas/],
    ["with a reset", { kind: "reset", at: "after" }, /Não consegui falar|demorou|problemas/],
    ["HTML", { kind: "html", at: "after" }, /não entendi/],
    ["JSON cut short", { kind: "broken_json", at: "after" }, /não entendi/],
  ];

  test.each(faults)("%s is explained without its own words", async (_, fault, sentence) => {
    stage.sandbox.faults.setPlan({
      seed: 1,
      share: 1,
      faults: [fault],
      appliesTo: (route) => route === REPORT_ROUTE,
    });
    const text = textOf(await vendas("ontem"));
    stage.sandbox.faults.setPlan(undefined);
    expect(text).toMatch(sentence);
    expect(text).toContain("nenhum dinheiro se moveu");
    expect(text).not.toMatch(/Error|ECONN|undefined|<html/i);
    stage.sandbox.clock.moveBy(3_000);
  });

  test("401 is told to the owner, who stays connected", async () => {
    stage.sandbox.wallet.revoke(ANA.apiKey);
    expect(textOf(await vendas("ontem"))).toMatch(/recusou a sua chave[\s\S]*Código de suporte/);
    stage.sandbox.wallet.restore(ANA.apiKey);
  });
});

test("S9: who floods the bot reads how long to wait, and can lock withdrawals all the same", async () => {
  const stage = await openStage(undefined, {
    settings: { COMMANDS_PER_PERSON: "", COMMANDS_PER_SERVER: "" },
  });
  const bruno = createMoneyDriver(stage, BRUNO.id);
  const shown = await Promise.all(Array.from({ length: 13 }, () => bruno.command("ajuda")));
  const refused = shown.map(textOf).filter((text) => text.startsWith("Muitos comandos seguidos"));
  expect(refused).toHaveLength(3);
  for (const text of refused) expect(text).toMatch(/Tente de novo em \d+ segundos?\./);
  expect(textOf(await bruno.command("travar"))).toContain("Saques travados");
  expect(textOf(await createMoneyDriver(stage).command("ajuda"))).not.toContain("Muitos comandos");
});
