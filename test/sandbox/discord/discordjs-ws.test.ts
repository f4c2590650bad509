import { REST } from "@discordjs/rest";
import { CompressionMethod, WebSocketManager, WebSocketShardEvents } from "@discordjs/ws";
import type { OptionalWebSocketManagerOptions } from "@discordjs/ws";
import { GatewayDispatchEvents } from "discord-api-types/v10";
import { expect, onTestFinished, test } from "vitest";
import { ANA, APPLICATION, CHANNELS } from "#src/sandbox/world.ts";
import { COMMANDS } from "./plain-bot.ts";
import { startDiscord } from "./running.ts";
import type { Running } from "./running.ts";

interface Connected {
  readonly manager: WebSocketManager;
  readonly rest: REST;
}

const connect = async (
  { discord }: Running,
  options: Partial<OptionalWebSocketManagerOptions> = {},
): Promise<Connected> => {
  const rest = new REST({ api: discord.apiUrl, version: "10" }).setToken(APPLICATION.token);
  const manager = new WebSocketManager({ token: APPLICATION.token, intents: 0, rest, ...options });
  onTestFinished(() => manager.destroy());
  manager.on(WebSocketShardEvents.Dispatch, (event) => {
    if (event.t !== GatewayDispatchEvents.InteractionCreate) return;
    const { id, token } = event.d;
    const body = { type: 4, data: { content: "respondi" } };
    void rest.post(`/interactions/${id}/${token}/callback`, { auth: false, body });
  });
  await manager.connect();
  await rest.put(`/applications/${APPLICATION.id}/commands`, { body: COMMANDS });
  return { manager, rest };
};

const ask = { channelId: CHANNELS.geral.id, name: "vendas" };
const answered = { kind: "message", message: { content: "respondi" } };

test("@discordjs/ws and @discordjs/rest serve interactions without any intent", async () => {
  const running = await startDiscord();
  await connect(running);
  expect(await running.discord.person(ANA.id).command(ask)).toMatchObject(answered);
  expect(running.discord.gateway.intents()).toEqual([0]);
});

test("the gateway compresses its stream for a client that asks for it", async () => {
  const running = await startDiscord();
  await connect(running, { compression: CompressionMethod.ZlibNative });
  const ana = running.discord.person(ANA.id);
  const shown = await Promise.all(Array.from({ length: 20 }, () => ana.command(ask)));
  expect(shown).toHaveLength(20);
  for (const one of shown) expect(one).toMatchObject(answered);
});

test("each shard of @discordjs/ws hears of its own guilds only", async () => {
  const running = await startDiscord({ guildCount: 4, recommendedShards: 4 });
  await connect(running);
  expect(running.discord.gateway.connections()).toBe(4);
  expect(await running.discord.person(ANA.id).command(ask)).toMatchObject(answered);
  expect(running.discord.requests().filter(({ route }) => route.includes("callback"))).toHaveLength(
    1,
  );
});

test.for([["asked to reconnect"], ["dropped"]])(
  "a client that is %s resumes and gets what it missed",
  async ([how]) => {
    const running = await startDiscord();
    const { gateway } = running.discord;
    const { manager } = await connect(running);
    const resumed = new Promise((resolve) => {
      manager.once(WebSocketShardEvents.Resumed, resolve);
    });
    gateway.misbehave({ holdEvents: true });
    const shown = running.discord.person(ANA.id).command(ask);
    gateway.misbehave({ holdEvents: false });
    if (how === "dropped") gateway.drop(4000);
    else gateway.askReconnect();
    await resumed;
    expect(await shown).toMatchObject(answered);
    expect(gateway.identifyCount()).toBe(1);
    expect(gateway.resumeCount()).toBe(1);
  },
);
