import { expect, test } from "vitest";
import { ANA, BRUNO, CARLA, CHANNELS, GUILD } from "#src/sandbox/world.ts";
import { startPlainBot } from "./plain-bot.ts";
import { startDiscord } from "./running.ts";

const CONTA = { name: "conta", description: "Conta", contexts: [0, 1], integration_types: [0] };
const VENDAS = { name: "vendas", description: "Vendas", contexts: [0], integration_types: [0] };

test("a member who leaves is unknown there, sees no channel of it and may come back", async () => {
  const running = await startDiscord();
  const ana = running.discord.person(ANA.id);
  const path = `/guilds/${GUILD.id}/members/${ANA.id}`;
  expect((await running.rest("GET", path)).body).toMatchObject({ user: { id: ANA.id } });
  ana.setInGuild(false);
  const gone = await running.rest("GET", path);
  expect([gone.status, gone.body.code]).toEqual([404, 10007]);
  expect(running.discord.visibleTo(ANA.id)).toMatchObject({ channels: [], commands: [] });
  ana.setInGuild(true);
  expect((await running.rest("GET", path)).status).toBe(200);
});

test("a guild is shown to a bot that is in it", async () => {
  const running = await startDiscord();
  const shown = await running.rest("GET", `/guilds/${GUILD.id}`);
  expect(shown.body).toMatchObject({ id: GUILD.id, name: GUILD.name });
  const other = await running.rest("GET", "/guilds/1180000000000000999");
  expect(other.body.code).toBe(10004);
  running.discord.setBotInGuild(false);
  const left = await running.rest("GET", `/guilds/${GUILD.id}/members/${ANA.id}`);
  expect([left.status, left.body.code]).toEqual([403, 50001]);
});

test("a command of direct messages is typed there, by the person that they are of, also after leaving", async () => {
  const running = await startDiscord();
  const exchanges = await startPlainBot(running, ({ answer }) =>
    answer(4, { content: "oi", flags: 64 }),
  );
  await running.rest("PUT", `/applications/1180000000000000301/commands`, [CONTA, VENDAS]);
  const ana = running.discord.person(ANA.id);
  const channelId = ana.openDirectMessages();
  ana.setInGuild(false);
  expect(await ana.command({ channelId, name: "conta" })).toMatchObject({
    kind: "message",
    message: { content: "oi", channelId },
  });
  const received = exchanges[0]?.interaction;
  expect(received).toMatchObject({ type: 2, context: 1, user: { id: ANA.id } });
  expect(received).not.toHaveProperty("guild_id");
  expect(running.discord.visibleTo(ANA.id).directCommands.map(({ name }) => name)).toEqual([
    "conta",
  ]);
  for (const [person, name, where] of [
    [ana, "vendas", channelId],
    [running.discord.person(BRUNO.id), "conta", channelId],
    [ana, "conta", CHANNELS.geral.id],
  ] as const) {
    expect(await person.command({ channelId: where, name })).toMatchObject({ kind: "failed" });
  }
  expect(running.discord.person(CARLA.id).openDirectMessages()).not.toBe(channelId);
});
