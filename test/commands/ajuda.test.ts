import { describe, expect, test } from "vitest";
import { listCommands } from "#commands/ajuda.ts";
import { commands } from "#commands/index.ts";
import type { Reply } from "#src/ui/reply.ts";
import { noticeTo } from "../database/builders.ts";
import { ANA, ANA_KEY, connect, GUILD, openGuild, OTHER_GUILD } from "../support/guild.ts";
import { brokenLimits } from "../ui/message-limits.ts";
import { buttonsOf, labelsOf, readMessage } from "../ui/read-message.ts";

const help = async (person: { command: (name: string) => Promise<unknown> }): Promise<Reply> =>
  (await person.command("ajuda")) as Reply;
const read = async (person: Parameters<typeof help>[0]) =>
  readMessage(await help(person)).join("\n");

/** As a person counts them: names of commands are words. */
const wordsIn = (reply: Reply): number =>
  readMessage(reply)
    .join(" ")
    .split(/\s+/)
    .filter((word) => /[\p{L}\d]/u.test(word)).length;

test("/ajuda tells what is next: to connect, what to ask, to connect another key for a refused one", async () => {
  const { person, stores, clock } = await openGuild();
  const without = await help(person(ANA));
  expect(readMessage(without).join("\n")).toContain(
    "**Falta conectar a sua chave da API.** Toque no botão e cole a chave; ela fica cifrada. Nunca a envie em uma mensagem.",
  );
  expect(labelsOf(without)).toEqual(["Conectar minha chave", "Todos os comandos"]);

  await connect(person(ANA), ANA_KEY);
  const connected = await help(person(ANA));
  const text = readMessage(connected).join("\n");
  expect(text).toContain("A sua chave `…6789` está conectada");
  expect(text).toContain("`/travar`: barra na hora seus saques e estornos daqui, não os de fora");
  expect(text).not.toContain("Falta conectar");
  expect(text).not.toContain(ANA_KEY);
  expect(labelsOf(connected)).toEqual(["Vendas de hoje", "Todos os comandos"]);
  const sales = await person(ANA).act(buttonsOf(connected)["Vendas de hoje"] ?? "");
  expect(readMessage(sales)[0]).toBe("Vendas de sexta, 20/11");

  const { id } = (await stores.accounts.find(GUILD, ANA))!;
  await stores.accounts.pause(id, clock.now(), noticeTo(ANA, "refused"));
  const refused = await help(person(ANA));
  expect(readMessage(refused).join("\n")).toContain("O serviço recusou a sua chave `…6789`");
  expect(labelsOf(refused)).toEqual(["Conectar minha chave", "Todos os comandos"]);
});

test("/ajuda in a direct message speaks of a key that works before an older one that is refused", async () => {
  const { person, stores, clock } = await openGuild();
  await connect(person(ANA), ANA_KEY);
  const oldest = (await stores.accounts.find(GUILD, ANA))!;
  await stores.accounts.pause(oldest.id, clock.now(), noticeTo(ANA, "refused"));
  const direct = person(ANA, { guildId: "" });
  expect(await read(direct)).toContain("O serviço recusou a sua chave `…6789`");
  clock.moveBy(1);
  await connect(person(ANA, { guildId: OTHER_GUILD }), "sk_test_newer_0123456wxyz");
  expect(await read(direct)).toContain("A sua chave `…wxyz` está conectada");
  expect(labelsOf(await help(direct))).toEqual(["Vendas de hoje", "Todos os comandos"]);
});

test("/ajuda in a direct message names no command of servers alone, and sends who has no key to one", async () => {
  const { person, stores, clock } = await openGuild();
  const direct = person(ANA, { guildId: "" });
  const without = await help(direct);
  expect(readMessage(without)[1]).toContain("no servidor em que você vende");
  expect(labelsOf(without)).toEqual(["Todos os comandos"]);
  await connect(person(ANA), ANA_KEY);
  expect(await read(person(ANA))).toContain("`/saque`");
  expect(await read(direct)).not.toContain("`/saque`");
  expect(await read(direct)).toContain("`/meds`");
  await stores.accounts.pause(
    (await stores.accounts.find(GUILD, ANA))!.id,
    clock.now(),
    noticeTo(ANA, "refused"),
  );
  expect(await read(direct)).toContain("`/conta conectar` no servidor");
});

test.each([
  ["pt-BR", "Mostro as suas vendas por PIX e aviso dos seus MEDs antes do prazo."],
  ["en-US", "I show your PIX sales and remind you of your MEDs"],
] as const)(
  "/ajuda in %s offers no withdrawals in a bot that makes none",
  async (locale, about) => {
    const read = async (withdrawEnabled: boolean): Promise<string> => {
      const { person } = await openGuild({ withdrawEnabled });
      return readMessage(await help(person(ANA, { locale }))).join("\n");
    };
    expect(await read(true)).not.toContain(about);
    const without = await read(false);
    expect(without).toContain(about);
    expect(without).toMatch(/\n`\/cobrar`: [^·\n]+\n/);
    expect(without).not.toContain("`/saque`");
  },
);

test("/ajuda begins with the server for who manages it, and speaks of it to nobody else", async () => {
  const { person } = await openGuild();
  const [, text] = readMessage(await help(person(ANA, { manager: true })));
  expect(text).toMatch(
    /^Posto o relatório diário das vendas por PIX[^\n]*\n\*\*Você gerencia este servidor:\*\*\n`\/config relatorio`: o canal e a hora do relatório diário\n/,
  );
  expect(await read(person(ANA))).not.toContain("/config");
  expect(await read(person(ANA))).toContain("`/cobrar`");
  await connect(person(ANA), ANA_KEY);
  const [, known] = readMessage(await help(person(ANA, { manager: true })));
  expect(known).toMatch(/^\*\*Você gerencia este servidor:/);
});

test.each(["pt-BR", "en-US"] as const)("/ajuda in %s is short for everybody", async (locale) => {
  const { person } = await openGuild();
  const readers = [person(ANA, { locale }), person(ANA, { locale, manager: true })];
  const before = await Promise.all(readers.map(help));
  await connect(person(ANA), ANA_KEY);
  const replies = [...before, ...(await Promise.all(readers.map(help)))];
  for (const reply of replies) expect(wordsIn(reply)).toBeLessThanOrEqual(90);
});

describe.each(["pt-BR", "en-US"] as const)("all commands in %s", (locale) => {
  const all = async (manager: boolean): Promise<Reply> => {
    const { person } = await openGuild();
    const reader = person(ANA, { manager, locale });
    const { [texts[locale]]: id = "" } = buttonsOf(await help(reader));
    return (await reader.act(id)) as Reply;
  };
  const texts = { "pt-BR": "Todos os comandos", "en-US": "All commands" };

  test("fit and have every command for a manager", async () => {
    const reply = await all(true);
    expect(brokenLimits(reply)).toEqual([]);
    const slash = commands.flatMap((each) => ("handlers" in each ? [each.definition] : []));
    for (const { name } of listCommands(slash, locale))
      expect(readMessage(reply).join("\n")).toContain(`\`/${name}\``);
  });

  test("have none of the server's for a seller", async () => {
    expect(readMessage(await all(false)).join("\n")).not.toContain("/config");
  });

  test("say of disputes what is done and what is not", async () => {
    const words = { "pt-BR": "Quem responde é você, no painel", "en-US": "You answer, in the" };
    expect(readMessage(await all(false)).join("\n")).toContain(words[locale]);
  });
});
