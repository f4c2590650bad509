import { describe, expect, test } from "vitest";
import { HOUR } from "#src/shared/time.ts";
import { Secret } from "#src/shared/secret.ts";
import type { Reply } from "#src/views/reply.ts";
import {
  ANA,
  ANA_KEY,
  BRUNO,
  GUILD,
  type Guild,
  openGuild,
  OTHER_GUILD,
} from "../support/guild.ts";
import { opIn } from "../store/withdraw-builders.ts";
import { mistakeIn } from "../support/mistake-in.ts";
import { labelsOf, readMessage } from "../views/read-message.ts";
import { idOf, menuIn } from "./parts.ts";

const read = (answer: unknown): string => readMessage(answer as Reply).join("\n");

const opened = async (guilds: readonly string[] = [GUILD, OTHER_GUILD]) => {
  const guild = await openGuild();
  for (const guildId of guilds) {
    await guild.services.accounts.connect({
      guildId,
      ownerId: ANA,
      connectedBy: ANA,
      apiKey: new Secret(ANA_KEY),
      guildLocale: "pt-BR",
      locale: "pt-BR",
    });
    // So far apart that no number of keys is too many.
    guild.clock.moveBy(HOUR / 5);
  }
  return { ...guild, ana: guild.person(ANA, { guildId: "" }) };
};
const guildsOf = async ({ stores }: Guild, userId = ANA): Promise<readonly string[]> =>
  (await stores.accounts.ofOwner(userId)).map(({ guildId }) => guildId);

describe("S14: /conta in the bot's direct message", () => {
  test("ver lists every connection, by the server's name where Discord tells it", async () => {
    const { ana } = await opened();
    const shown = await ana.command("conta ver");
    expect(read(shown)).toMatch(
      /^Suas chaves conectadas\n[^]*1\. Servidor: \*\*`Loja Aurora`\*\*\nChave `…6789`, conectada em <t:\d+:F>\n[^]*2\. Servidor: \*\*`…0002`\*\*/,
    );
    expect(menuIn(shown)).toEqual([
      [GUILD, "1. servidor …0001"],
      [OTHER_GUILD, "2. servidor …0002"],
    ]);
    expect(JSON.stringify(shown)).not.toContain(ANA_KEY);
  });

  test("says of each whether its report is posted, and who has left where", async () => {
    const guild = await opened();
    const { presences } = guild.stores;
    await guild.services.accounts.setReportConsent(GUILD, ANA, true);
    await presences.keep(OTHER_GUILD, ANA, "left", guild.clock.now(), undefined);
    expect(read(await guild.ana.command("conta ver"))).toMatch(
      /pode sair no canal\.[^]*Você saiu deste servidor/,
    );
  });

  test("desconectar asks of one connection whether, and deletes it only then", async () => {
    const guild = await opened([GUILD]);
    const question = await guild.ana.command("conta desconectar");
    expect(read(question)).toMatch(/^Desconectar esta chave\?\nDo servidor `Loja Aurora` apago/);
    expect(labelsOf(question as Reply)).toEqual(["Apagar a chave", "Manter"]);
    expect(await guildsOf(guild)).toEqual([GUILD]);
    const after = await guild.ana.act(idOf(question, "Apagar a chave"));
    expect(read(after)).toMatch(/^Chave apagada\n.*`Loja Aurora`/);
    expect(await guildsOf(guild)).toEqual([]);
  });

  test("desconectar asks of several which, and deletes that one alone", async () => {
    const guild = await opened();
    const list = await guild.ana.command("conta desconectar");
    expect(read(list)).toContain("Suas chaves conectadas");
    const question = await guild.ana.act(idOf(list), { values: [OTHER_GUILD] });
    expect(read(question)).toContain("Do servidor `…0002` apago");
    expect(read(await guild.ana.act(idOf(question, "Manter")))).toContain("Suas chaves conectadas");
    await guild.ana.act(idOf(question, "Apagar a chave"));
    expect(await guildsOf(guild)).toEqual([GUILD]);
  });

  const underWay = async (guild: Guild) => {
    const { id: accountId, accountFp } = (await guild.stores.accounts.find(GUILD, ANA))!;
    return await opIn(guild.stores.journal, "unknown", { accountFp, accountId, ownerId: ANA });
  };

  test("S2: a withdrawal under way is told before its last key is deleted, and only then is the key deleted", async () => {
    const guild = await opened([GUILD]);
    const asked = await guild.ana.command("conta desconectar");
    const op = await underWay(guild);
    expect(await mistakeIn(guild.ana.act(idOf(asked, "Apagar a chave")))).toBe(
      "withdrawal_unfinished",
    );
    const question = await guild.ana.command("conta desconectar");
    expect(read(question)).toContain(`O saque \`${op.id}\` ainda não terminou`);
    expect(read(question)).toContain("Do servidor `Loja Aurora` apago");
    await guild.ana.act(idOf(question, "Apagar mesmo assim"));
    expect(await guildsOf(guild)).toEqual([]);
    expect(await guild.stores.journal.lockOf(op.accountFp)).toEqual(op);
  });

  test("S2: a withdrawal that another of the keys follows hinders nothing", async () => {
    const guild = await opened();
    await underWay(guild);
    const question = await guild.ana.act("conta:qual", { values: [GUILD] });
    await guild.ana.act(idOf(question, "Apagar a chave"));
    expect(await guildsOf(guild)).toEqual([OTHER_GUILD]);
  });

  test("the report alone is stopped by who agreed to it", async () => {
    const guild = await opened([GUILD]);
    await guild.services.accounts.setReportConsent(GUILD, ANA, true);
    const question = await guild.ana.command("conta desconectar");
    const after = await guild.ana.act(idOf(question, "Só parar o relatório"));
    expect(read(after)).toMatch(/^Relatório parado\n.*`Loja Aurora`/);
    expect(await guild.stores.accounts.find(GUILD, ANA)).toMatchObject({ reportConsent: false });
  });

  test("conectar says where a key is connected", async () => {
    const { ana } = await opened([]);
    expect(await mistakeIn(ana.command("conta conectar"))).toBe("connect_in_server");
  });

  test.each(["conta ver", "conta desconectar"])("%s says so when there is none", async (typed) => {
    const { ana } = await opened([]);
    expect(await mistakeIn(ana.command(typed))).toBe("nothing_connected");
  });

  test.each(["conta:apagar-de", "conta:largar-de", "conta:parar-em", "conta:qual"])(
    "%s with another's server or a forged id reaches nobody's key",
    async (action) => {
      const guild = await opened([GUILD]);
      const bruno = guild.person(BRUNO, { guildId: "" });
      const kind = action === "conta:parar-em" ? "not_connected" : "nothing_connected";
      expect(await mistakeIn(bruno.act(`${action}:${GUILD}`))).toBe(kind);
      expect(await mistakeIn(bruno.act(`${action}:x`))).toBe("outdated_component");
      expect(await guildsOf(guild)).toEqual([GUILD]);
    },
  );

  test("thirty connections fit, with a word about those that do not", async () => {
    const guilds = Array.from({ length: 30 }, (_, index) => `11800000000000010${10 + index}`);
    const guild = await opened(guilds);
    const shown = await guild.ana.command("conta ver");
    expect(menuIn(shown)).toHaveLength(25);
    expect(read(shown)).toContain("Há mais 5, que não couberam aqui.");
  });
});
