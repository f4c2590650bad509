import { beforeEach, describe, expect, test, vi } from "vitest";
import type { StoredMessage } from "#src/sandbox/discord/state.ts";
import { CARLA, CHANNELS, ROLES } from "#src/sandbox/world.ts";
import { english } from "./support/english.ts";
import { partWith } from "./support/money.ts";
import { buttonOf, messageOf, openStage, type Stage, textOf, type } from "./support/stage.ts";

let stage: Stage;
const carla = () => stage.sandbox.discord.person(CARLA.id);
const ask = async (name: string) => messageOf(await type(carla(), `config ${name}`));
const choose = async (message: StoredMessage, menu: string, value: string) =>
  messageOf(await carla().select(message.id, partWith(message, menu), [value]));
const labelsIn = (message: StoredMessage): string =>
  JSON.stringify(message.components).replaceAll(/"(custom_id|value|id|type)":"?[^",}]*"?/g, "");

beforeEach(async () => {
  stage = await openStage();
});

describe.each(["pt-BR", "en-US"] as const)("settings without typing in %s", (locale) => {
  beforeEach(() => carla().setLocale(locale));
  const check = (message: StoredMessage): void => {
    expect(message.privateTo).toBe(CARLA.id);
    if (locale === "en-US") english(`${textOf(message)} ${labelsIn(message)}`);
  };

  test("set up the report from its question to a test post, over a restart", async () => {
    const question = await ask("relatorio");
    check(question);
    const saved = await choose(question, "config:relatorio-canal", CHANNELS.vendas.id);
    expect(saved.id).toBe(question.id);
    check(saved);
    await stage.restart();
    const later = await choose(saved, "config:relatorio-hora", "22:30");
    expect(textOf(later)).toMatch(/22:30|10:30 PM/);
    check(later);
    const tested = messageOf(await carla().click(later.id, buttonOf(later, /^Test/)));
    expect(tested.id).not.toBe(question.id);
    check(tested);
    // The bot's waits take no time here, so that its answer may come before the post.
    const posted = () => stage.sandbox.discord.messages(CHANNELS.vendas.id);
    const [post, ...more] = await vi.waitUntil(() => posted().length > 0 && posted(), 10_000);
    expect(more).toEqual([]);
    // A server that is no Community has the language of who set it up.
    expect(textOf(post!)).toMatch(
      locale === "pt-BR"
        ? /^Exemplo, com números inventados: A loja vendeu/
        : /^Sample, with made-up figures: The store sold/,
    );
    const off = messageOf(await carla().click(later.id, buttonOf(later, /^(Desligar|Switch off)/)));
    expect(textOf(off)).toMatch(/Desligado|Off\./);
    check(off);
  });

  test("set up the alerts and the sale notices", async () => {
    const alerts = await choose(await ask("alertas"), "config:alertas-canal", CHANNELS.avisos.id);
    const pinging = await choose(alerts, "config:alertas-cargo", ROLES.equipe.id);
    expect(textOf(pinging)).toContain(`<@&${ROLES.equipe.id}>`);
    check(pinging);
    const question = await ask("vendas");
    check(question);
    const sales = await choose(question, "config:vendas-canal", CHANNELS.vendas.id);
    const large = await choose(sales, "config:vendas-minimo", "10000");
    expect(textOf(large)).toMatch(/R\$\s100/);
    check(large);
  });
});
