import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ANA, APPLICATION, BRUNO, CARLA } from "#src/sandbox/world.ts";
import { oneDatabase } from "../support/databases.ts";
import { ANAS_KEY, createTill, has, type Till } from "./support/money.ts";
import { messageOf, openStage, type Stage, textOf } from "./support/stage.ts";

describe.each(oneDatabase)("/split-saque on $name", (kind) => {
  let stage: Stage;
  let till: Till;

  const executed = () => stage.sandbox.wallet.executed(ANA.id);
  const ask = async (recebedor: string, options = {}) =>
    messageOf(await till.command("split-saque", { recebedor, chave: ANAS_KEY, ...options }));

  beforeEach(async () => {
    stage = await openStage(kind);
    await stage.connectAna();
    till = createTill(stage);
  });

  afterEach(() => stage.close());

  test("says that everything goes, twice, and shows the balance before and after", async () => {
    const asked = await ask(BRUNO.id, { modalidade: "turbo" });
    expect(textOf(asked)).toMatch(/todo o saldo/i);
    const again = messageOf(await till.press(asked, "saque:confirmar:"));
    expect(has(again, "saque:confirmar:")).toBe(true);
    const before = executed().length;
    const receipt = await till.confirm(again);
    expect(executed()).toHaveLength(before + 1);
    expect(textOf(receipt)).toContain("R$\u00a01.250,80");
    expect(textOf(receipt)).toContain("R$\u00a00,00");
  });

  test("always says which speed it wants", async () => {
    await till.confirm(await ask(BRUNO.id));
    expect(executed().at(-1)).toMatchObject({ turbo: false });
  });

  test("shows what is missing to the minimum", async () => {
    const refused = await till.confirm(await ask(CARLA.id));
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
    const bruno = createTill(stage, BRUNO.id);
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
