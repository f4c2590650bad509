import { beforeEach, describe, expect, test } from "vitest";
import type { StoredMessage } from "#src/sandbox/discord/state.ts";
import { ANA, BRUNO, CHANNELS } from "#src/sandbox/world.ts";
import { databases } from "../support/databases.ts";
import { english } from "./support/english.ts";
import {
  buttonOf,
  formOf,
  messageOf,
  openStage,
  type Stage,
  textOf,
  type,
} from "./support/stage.ts";

describe.each(databases)("/meta on $name", (kind) => {
  let stage: Stage;
  const ana = () => stage.sandbox.discord.person(ANA.id);
  const meta = async (options: Record<string, string> = {}, channelId?: string) =>
    messageOf(await type(ana(), "meta", options, channelId));
  const press = async (message: StoredMessage, label: RegExp): Promise<StoredMessage> =>
    messageOf(await ana().click(message.id, buttonOf(message, label)));

  beforeEach(async () => {
    stage = await openStage(kind);
    await stage.connectAna();
  });

  test("is set, seen by Ana alone, changed by its form after a restart, and removed", async () => {
    const first = await meta({ valor: "40.000" });
    expect(first.privateTo).toBe(ANA.id);
    expect(textOf(first)).toMatch(
      /^Meta de novembro\n[▰▱]{10}\n\*\*R\$\s[\d.,]+\*\* de R\$\s40\.000 \(\d+%\) · faltam R\$\s[\d.,]+ em 14 dias/,
    );
    await stage.restart();
    const form = formOf(await ana().click(first.id, buttonOf(first, /^Mudar/)));
    const changed = messageOf(await ana().submitModal(form, { valor: "1" }));
    expect(changed.id).toBe(first.id);
    expect(textOf(changed)).toMatch(/Meta batida: [^]*Parabéns/);
    const removed = await press(changed, /^Tirar/);
    expect(removed.id).toBe(first.id);
    expect(textOf(await meta())).toContain("Você ainda não tem uma meta");
  });

  test("is there in the direct message, and a line of /vendas for this month", async () => {
    await meta({ valor: "40.000" });
    const direct = ana().openDirectMessages();
    expect(textOf(await meta({}, direct))).toContain("40.000");
    for (const channelId of [CHANNELS.geral.id, direct]) {
      const month = messageOf(await type(ana(), "vendas", { periodo: "este mês" }, channelId));
      expect(textOf(month)).toMatch(/\nMeta: \*\*R\$\s[\d.,]+\*\* de R\$\s40\.000/);
      expect(month.privateTo).toBe(ANA.id);
    }
  });

  test("is in English for who reads English, its form too", async () => {
    ana().setLocale("en-US");
    const none = await meta();
    english(textOf(none));
    const form = formOf(await ana().click(none.id, buttonOf(none, /^Set a goal/)));
    english(form.title);
    const saved = messageOf(await ana().submitModal(form, { valor: "40,000.00" }));
    english(textOf(saved));
    expect(textOf(saved)).toMatch(/^Goal for November\n.*\n.*R\$\s40,000 /);
    english(textOf(messageOf(await type(ana(), "vendas", { periodo: "this month" }))));
    english(textOf(await press(saved, /^Remove/)));
  });

  test("ends with the connection, and shows another seller nothing", async () => {
    await meta({ valor: "40.000" });
    const bruno = stage.sandbox.discord.person(BRUNO.id);
    expect(textOf(await type(bruno, "meta"))).toContain("ainda não conectou");
    const question = messageOf(await type(ana(), "conta desconectar"));
    await press(question, /^Apagar/);
    await stage.connectAna();
    expect(textOf(await meta())).toContain("Você ainda não tem uma meta");
  });
});
