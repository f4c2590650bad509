import { expect, test } from "vitest";
import type { Reply } from "#src/views/reply.ts";
import { ANA, ANA_KEY, connect, GUILD, openGuild } from "../support/guild.ts";
import { brokenLimits } from "../views/message-limits.ts";
import { readMessage } from "../views/read-message.ts";

const help = async (person: { command: (name: string) => Promise<unknown> }): Promise<Reply> =>
  (await person.command("ajuda")) as Reply;
const read = async (person: Parameters<typeof help>[0]) =>
  readMessage(await help(person)).join("\n");

test("/ajuda tells who has not connected where to begin", async () => {
  const { person } = await openGuild();
  expect(await read(person(ANA))).toContain("**Você ainda não conectou a sua chave.**");
});

test("/ajuda tells who has connected what to ask, by the key's end alone", async () => {
  const { person } = await openGuild();
  await connect(person(ANA), ANA_KEY);
  const text = await read(person(ANA));
  expect(text).toContain("A sua chave `…6789` está conectada");
  expect(text).not.toContain("ainda não conectou");
  expect(text).not.toContain(ANA_KEY);
});

test("/ajuda tells the owner of a refused key to connect another", async () => {
  const { person, services, stores, clock } = await openGuild();
  await connect(person(ANA), ANA_KEY);
  const account = await services.accounts.find(GUILD, ANA);
  await stores.accounts.pause(account?.id ?? "", clock.now(), {
    dedupeKey: "n",
    kind: "notice",
    target: { kind: "person", userId: ANA },
    guildId: GUILD,
    accountId: account?.id ?? "",
    payload: {},
    notBefore: clock.now(),
  });
  expect(await read(person(ANA))).toContain("O serviço recusou a sua chave `…6789`");
});

test.each([
  ["pt-BR", "aviso dos seus MEDs antes do prazo", "Quem responde é você, no painel do serviço."],
  ["en-US", "remind you of your MEDs (PIX disputes)", "You answer, in the service's dashboard."],
] as const)(
  "/ajuda in %s says what is done of disputes and what is not",
  async (locale, ...words) => {
    const { person } = await openGuild();
    const text = await read(person(ANA, { locale }));
    for (const each of [...words, "`/meds`", "`/conta ver`"]) expect(text).toContain(each);
  },
);

test("/ajuda speaks of the report to who manages the server, and to nobody else", async () => {
  const { person } = await openGuild();
  const text = await read(person(ANA, { manager: true }));
  expect(text).toContain("Você gerencia este servidor");
  expect(text).toContain("`/config alertas` escolhe o canal e o cargo dos alertas de MED");
  const seller = await read(person(ANA));
  expect(seller).not.toContain("Você gerencia este servidor");
  expect(seller).not.toContain("/config");
});

test.each(["pt-BR", "en-US"] as const)(
  "/ajuda in %s fits and lists a manager every command",
  async (locale) => {
    const { person } = await openGuild();
    const reply = await help(person(ANA, { manager: true, locale }));
    expect(brokenLimits(reply)).toEqual([]);
    for (const name of ["conta conectar", "vendas", "config testar", "ajuda"])
      expect(readMessage(reply).join("\n")).toContain(`\`/${name}\``);
  },
);
