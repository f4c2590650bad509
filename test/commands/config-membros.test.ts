import { describe, expect, test } from "vitest";
import { Secret } from "#src/shared/secret.ts";
import type { Reply } from "#src/views/reply.ts";
import { directChannel } from "../jobs/fake-channels.ts";
import {
  ANA,
  ANA_KEY,
  BRUNO,
  CARLA,
  CHANNEL,
  GUILD,
  openGuild,
  OTHER_GUILD,
} from "../support/guild.ts";
import { opIn } from "../store/withdraw-builders.ts";
import { mistakeIn } from "../support/mistake-in.ts";
import { labelsOf, readMessage } from "../views/read-message.ts";
import { menuIn, partsOf } from "./parts.ts";

const read = (answer: unknown): string => readMessage(answer as Reply).join("\n");
const removeId = "config:remover:";

const opened = async (sellers: readonly string[] = [ANA, BRUNO]) => {
  const guild = await openGuild();
  guild.wallet.report = async (_, day) => ({
    day,
    userId: "user_8812",
    total: { sales: 0, fees: 0, net: 0 } as never,
    byOrigin: {} as never,
  });
  for (const ownerId of sellers) {
    await guild.services.accounts.connect({
      guildId: GUILD,
      ownerId,
      connectedBy: ownerId,
      apiKey: new Secret(`${ANA_KEY}${ownerId}`),
      guildLocale: "pt-BR",
      locale: "pt-BR",
    });
    guild.clock.moveBy(1000);
  }
  return { ...guild, carla: guild.person(CARLA, { manager: true }) };
};

describe("S14: /config ver", () => {
  test("shows who is connected, and of their keys and figures nothing", async () => {
    const { carla } = await opened();
    const shown = await carla.command("config ver");
    expect(read(shown)).toContain(`Quem conectou a chave: 1. <@${ANA}>\n2. <@${BRUNO}>`);
    expect(menuIn(shown, removeId)).toEqual([
      [ANA, "1. pessoa de id …0011"],
      [BRUNO, "2. pessoa de id …0012"],
    ]);
    expect(JSON.stringify(shown)).not.toContain(`…${ANA.slice(-4)}\``);
    await carla.command("config relatorio", {
      channel: { canal: { id: CHANNEL, type: 0, appPermissions: 84_992n } },
    });
    expect(read(await carla.command("config ver"))).toContain(`1. <@${ANA}>`);
  });

  test("shows no menu where nobody is", async () => {
    const { carla } = await opened([]);
    expect(menuIn(await carla.command("config ver"), removeId)).toEqual([]);
  });

  test("turns pages of twenty-five", async () => {
    const sellers = Array.from({ length: 27 }, (_, index) => `11800000000000020${10 + index}`);
    const { carla } = await opened(sellers);
    const first = await carla.command("config ver");
    expect(read(first)).toContain("Página 1 de 2.");
    expect(labelsOf(first as Reply)).toContain("Próximos");
    const second = await carla.act("config:membros:1");
    expect(menuIn(second, removeId)).toEqual([
      [sellers[25], "26. pessoa de id …2035"],
      [sellers[26], "27. pessoa de id …2036"],
    ]);
    expect(menuIn(await carla.act("config:membros:9"), removeId)).toHaveLength(2);
  });

  test("removes a member's connection after a question, and tells the member who did it", async () => {
    const guild = await opened();
    const { carla, stores } = guild;
    const question = await carla.act(removeId, { values: [ANA] });
    expect(read(question)).toMatch(new RegExp(`^Desconectar esta pessoa\\?\n.*<@${ANA}>`));
    expect(await stores.accounts.find(GUILD, ANA)).toBeDefined();
    const done = partsOf(question).find(({ id }) => id.startsWith("config:desligar:"))!;
    expect(read(await carla.act(done.id))).toContain("Pessoa desconectada");
    expect(await stores.accounts.find(GUILD, ANA)).toBeUndefined();
    expect(await stores.accounts.find(GUILD, BRUNO)).toBeDefined();
    await guild.delivered();
    const [told] = guild.channels.inChannel(directChannel(ANA));
    expect(told?.text).toMatch(new RegExp(`<@${CARLA}>.*Isso não mexeu no seu dinheiro`));
    expect(await mistakeIn(carla.act(done.id))).toBe("member_not_connected");
    await guild.delivered();
    expect(guild.channels.inChannel(directChannel(ANA))).toHaveLength(1);
  });

  test.each([
    [ANA, (id: string) => `O saque \`${id}\` ainda não terminou`],
    [BRUNO, () => "Um saque desta conta ainda não terminou"],
  ])(
    "S2: removes it in spite of a withdrawal of %s, which is told to the member alone",
    async (ownerId, words) => {
      const guild = await opened([ANA]);
      const { carla, stores } = guild;
      const { id: accountId, accountFp } = (await stores.accounts.find(GUILD, ANA))!;
      const quiet = read(await carla.act(removeId, { values: [ANA] }));
      const op = await opIn(stores.journal, "unknown", { accountFp, accountId, ownerId });
      const question = await carla.act(removeId, { values: [ANA] });
      expect(read(question)).toBe(quiet);
      const done = partsOf(question).find(({ id }) => id.startsWith("config:desligar:"))!;
      expect(read(await carla.act(done.id))).not.toContain(op.id);
      await guild.delivered();
      const [told] = guild.channels.inChannel(directChannel(ANA));
      expect(told?.text).toContain(words(op.id));
      expect(await stores.journal.lockOf(accountFp)).toEqual(op);
    },
  );

  test("says nothing of a withdrawal that another key of the member follows", async () => {
    const guild = await opened([ANA]);
    const { carla, stores, services } = guild;
    await services.accounts.connect({
      guildId: OTHER_GUILD,
      ownerId: ANA,
      connectedBy: ANA,
      apiKey: new Secret(`${ANA_KEY}${ANA}`),
      guildLocale: "pt-BR",
      locale: "pt-BR",
    });
    const { id: accountId, accountFp } = (await stores.accounts.find(GUILD, ANA))!;
    await opIn(stores.journal, "unknown", { accountFp, accountId, ownerId: ANA });
    await carla.act(`config:desligar:${ANA}`);
    await guild.delivered();
    const [told] = guild.channels.inChannel(directChannel(ANA));
    expect(told?.text).toContain("Desconectaram a sua chave");
    expect(told?.text).not.toContain("ainda não terminou");
  });

  test.each([
    ["config:membros:0", []],
    [removeId, [ANA]],
    [`config:desligar:${ANA}`, []],
  ])("%s is for who manages the server", async (id, values) => {
    const { person, stores } = await opened();
    expect(await mistakeIn(person(BRUNO).act(id, { values }))).toBe("manage_server_required");
    expect(await stores.accounts.find(GUILD, ANA)).toBeDefined();
  });

  test.each(["config:membros:-1", "config:membros:x", "config:desligar:x", "config:remover:"])(
    "%s is out of date",
    async (id) => {
      const { carla } = await opened();
      expect(await mistakeIn(carla.act(id))).toBe("outdated_component");
    },
  );
});
