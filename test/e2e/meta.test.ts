import { beforeEach, describe, expect, test } from "vitest";
import type { StoredMessage } from "#src/sandbox/discord/state.ts";
import { ANA } from "#src/sandbox/world.ts";
import { oneDatabase } from "../support/databases.ts";
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

describe.each(oneDatabase)("/meta on $name", (kind) => {
  let stage: Stage;
  const ana = () => stage.sandbox.discord.person(ANA.id);
  const meta = async (options: Record<string, string> = {}) =>
    messageOf(await type(ana(), "meta", options));
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
});
