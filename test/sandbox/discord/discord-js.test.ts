import { createRequire } from "node:module";
import {
  ButtonStyle,
  Client,
  type ClientOptions,
  ComponentType,
  Events,
  GatewayIntentBits,
  type Interaction,
  MessageFlags,
  type RESTOptions,
  TextInputStyle,
} from "discord.js";
import { expect, onTestFinished, test } from "vitest";
import { REST } from "@discordjs/rest";
import {
  CompressionMethod,
  type OptionalWebSocketManagerOptions,
  WebSocketManager,
  WebSocketShardEvents,
} from "@discordjs/ws";
import { GatewayDispatchEvents } from "discord-api-types/v10";
import { ANA, APPLICATION, CARLA, CHANNELS, GUILD } from "#src/sandbox/world.ts";
import type { ActionResult } from "#src/sandbox/discord/state.ts";
import { COMMANDS } from "./plain-bot.ts";
import { type Running, startDiscord } from "./running.ts";

/**
 * An own dispatcher: the process-wide default belongs to the undici copy that was loaded first, which may be unable to
 * send this form.
 */
const { Agent } = createRequire(import.meta.resolve("@discordjs/rest"))("undici") as {
  readonly Agent: new () => NonNullable<RESTOptions["agent"]>;
};

const BUTTON = {
  type: ComponentType.Button,
  style: ButtonStyle.Primary,
  custom_id: "b",
  label: "Ok",
} as const;

const INPUT = {
  type: ComponentType.TextInput,
  style: TextInputStyle.Short,
  custom_id: "api_key",
  label: "Chave",
} as const;

const login = async (
  { discord }: Running,
  handle: (interaction: Interaction) => Promise<unknown>,
  options: Partial<ClientOptions> = {},
): Promise<Client<true>> => {
  const client = new Client({
    intents: [GatewayIntentBits.Guilds],
    rest: { api: discord.apiUrl, agent: new Agent() },
    ...options,
  });
  onTestFinished(() => client.destroy());
  const ready = new Promise<Client<true>>((resolve) => {
    client.once(Events.ClientReady, resolve);
  });
  client.on(Events.InteractionCreate, (interaction) => void handle(interaction));
  await client.login(APPLICATION.token);
  const logged = await ready;
  await logged.application.commands.set(COMMANDS);
  return logged;
};

const messageOf = (shown: ActionResult): Extract<ActionResult, { kind: "message" }> => {
  expect(shown.kind).toBe("message");
  return shown as Extract<ActionResult, { kind: "message" }>;
};

test("an unmodified discord.js client logs in and knows the guild and its channels", async () => {
  const client = await login(await startDiscord({ guildCount: 3 }), async () => {});
  expect(client.user.id).toBe(APPLICATION.id);
  expect(client.guilds.cache.size).toBe(3);
  const guild = client.guilds.cache.get(GUILD.id);
  expect(guild?.name).toBe(GUILD.name);
  expect(guild?.channels.cache.map(({ name }) => name)).toContain("vendas");
});

test("discord.js answers a command, and a button edits the same message", async () => {
  const running = await startDiscord();
  await login(running, async (interaction) => {
    if (interaction.isChatInputCommand()) {
      const who = interaction.memberPermissions?.has("ManageGuild") === true ? "chefe" : "pessoa";
      await interaction.reply({
        content: `${who} ${interaction.options.getString("data")}`,
        components: [{ type: ComponentType.ActionRow, components: [BUTTON] }],
      });
    } else if (interaction.isButton()) await interaction.update({ content: "ok", components: [] });
  });
  const ana = running.discord.person(ANA.id);
  const options = { data: "hoje" };
  const shown = messageOf(
    await ana.command({ channelId: CHANNELS.geral.id, name: "vendas", options }),
  );
  expect(shown.message.content).toBe("pessoa hoje");
  const clicked = messageOf(await ana.click(shown.message.id, "b"));
  expect(clicked.message).toMatchObject({ id: shown.message.id, content: "ok", components: [] });
  expect(running.discord.messages(CHANNELS.geral.id)).toEqual([clicked.message]);
});

test("discord.js defers privately, edits, and follows up with a file", async () => {
  const running = await startDiscord();
  const followed = Promise.withResolvers<void>();
  await login(running, async (interaction) => {
    if (!interaction.isChatInputCommand()) return;
    await interaction.deferReply({ flags: MessageFlags.Ephemeral });
    await interaction.editReply("pronto");
    await interaction.followUp({ files: [{ name: "a.txt", attachment: Buffer.from("olá") }] });
    followed.resolve();
  });
  const shown = await running.discord
    .person(ANA.id)
    .command({ channelId: CHANNELS.geral.id, name: "vendas" });
  expect(messageOf(shown)).toMatchObject({ private: true, message: { content: "pronto" } });
  await followed.promise;
  const file = running.discord.messages(CHANNELS.geral.id)[0]?.attachments[0];
  expect(await (await fetch(file?.url ?? "")).text()).toBe("olá");
});

test("discord.js opens a modal and reads what was typed in it", async () => {
  const running = await startDiscord();
  await login(running, async (interaction) => {
    if (interaction.isChatInputCommand()) {
      await interaction.showModal({
        title: "Conectar",
        custom_id: "m",
        components: [{ type: ComponentType.ActionRow, components: [INPUT] }],
      });
    } else if (interaction.isModalSubmit()) {
      await interaction.reply(`li ${interaction.fields.getTextInputValue("api_key")}`);
    }
  });
  const carla = running.discord.person(CARLA.id);
  const opened = await carla.command({ channelId: CHANNELS.geral.id, name: "vendas" });
  if (opened.kind !== "modal") throw new Error(`Not a modal: ${opened.kind}`);
  expect(opened.modal.fields).toMatchObject([
    { customId: "api_key", label: "Chave", required: true },
  ]);
  const answered = await carla.submitModal(opened.modal, { api_key: "abc" });
  expect(messageOf(answered).message.content).toBe("li abc");
});

test("discord.js suggests, reads chosen channels and people, and writes to channels and people", async () => {
  const running = await startDiscord();
  const client = await login(running, async (interaction) => {
    if (interaction.isAutocomplete()) await interaction.respond([{ name: "Hoje", value: "hoje" }]);
    if (!interaction.isChatInputCommand()) return;
    const channel = interaction.options.getChannel("canal");
    await interaction.reply(`${channel?.name} ${interaction.options.getUser("membro")?.username}`);
  });
  const ana = running.discord.person(ANA.id);
  const typed = { channelId: CHANNELS.geral.id, name: "vendas", options: { data: "ho" } };
  expect(await ana.autocomplete({ ...typed, focused: "data" })).toEqual([
    { name: "Hoje", value: "hoje" },
  ]);
  const options = { canal: CHANNELS.vendas.id, membro: CARLA.id };
  const shown = await ana.command({ ...typed, options });
  expect(messageOf(shown).message.content).toBe("vendas carla");

  const channel = await client.channels.fetch(CHANNELS.avisos.id);
  if (channel?.isSendable() !== true) throw new Error("Not a text channel");
  const posted = await channel.send({ content: "um", nonce: "n", enforceNonce: true });
  const again = await channel.send({ content: "dois", nonce: "n", enforceNonce: true });
  expect(again.id).toBe(posted.id);
  const direct = await client.users.createDM(ANA.id);
  await direct.send("aviso");
  expect(running.discord.directMessages(ANA.id)).toMatchObject([{ content: "aviso" }]);
});

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

test("a client that is dropped resumes and gets what it missed", async () => {
  const running = await startDiscord();
  const { gateway } = running.discord;
  const { manager } = await connect(running);
  const resumed = new Promise((resolve) => {
    manager.once(WebSocketShardEvents.Resumed, resolve);
  });
  gateway.drop(4000);
  const shown = running.discord.person(ANA.id).command(ask);
  await resumed;
  expect(await shown).toMatchObject(answered);
  expect(gateway.identifyCount()).toBe(1);
  expect(gateway.resumeCount()).toBe(1);
});
