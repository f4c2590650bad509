import { expect, test } from "vitest";
import { ANA, APPLICATION, BRUNO, CARLA, CHANNELS, GUILD, ROLES } from "#src/sandbox/world.ts";
import { type Exchange, type Received, startPlainBot } from "./plain-bot.ts";
import { type Running, startDiscord } from "./running.ts";
import { extraGuildIds } from "#src/sandbox/discord/guilds.ts";

const [EXTRA = ""] = extraGuildIds(2);

const ASK = { channelId: CHANNELS.geral.id, name: "vendas" };
const BUTTON = { type: 2, style: 1, custom_id: "b", label: "Ok" };
const SELECT = {
  type: 3,
  custom_id: "s",
  options: [
    { label: "Um", value: "1" },
    { label: "Dois", value: "2" },
  ],
};
const MODAL = {
  custom_id: "m",
  title: "Conectar",
  components: [
    { type: 18, label: "Chave", component: { type: 4, custom_id: "k", style: 1, min_length: 3 } },
  ],
};

interface Setting extends Running {
  readonly exchanges: readonly Exchange[];
}

const start = async (type: number, data: object): Promise<Setting> => {
  const running = await startDiscord();
  return {
    ...running,
    exchanges: await startPlainBot(running, ({ answer }) => answer(type, data)),
  };
};

const last = ({ exchanges }: Setting): Received => exchanges.at(-1)?.interaction as Received;

test("an interaction says who acts, where, in which language and with which permissions", async () => {
  const setting = await start(4, { content: "ok" });
  await setting.discord.person(ANA.id).command(ASK);
  expect(last(setting)).toMatchObject({
    type: 2,
    version: 1,
    application_id: APPLICATION.id,
    guild_id: GUILD.id,
    guild: { id: GUILD.id, locale: "en-US", features: [] },
    guild_locale: "en-US",
    channel_id: CHANNELS.geral.id,
    locale: "pt-BR",
    context: 0,
    entitlements: [],
    authorizing_integration_owners: { 0: GUILD.id },
    app_permissions: "274878024704",
    member: { user: { id: ANA.id, username: "ana" } },
  });
  setting.discord.person(CARLA.id).setLocale("en-US");
  await setting.discord.person(CARLA.id).command(ASK);
  expect(last(setting).locale).toBe("en-US");
  expect(BigInt(last(setting).member.permissions) & 32n).toBe(32n);
});

test("chosen channels and people come resolved, with the bot's permissions there", async () => {
  const setting = await start(4, { content: "ok" });
  const options = { canal: CHANNELS.equipe.id, membro: BRUNO.id, quantos: 3, modo: "1" };
  await setting.discord.person(ANA.id).command({ ...ASK, options });
  expect(last(setting).data).toMatchObject({
    name: "vendas",
    options: [
      { name: "canal", type: 7, value: CHANNELS.equipe.id },
      { name: "membro", type: 6, value: BRUNO.id },
      { name: "quantos", type: 4, value: 3 },
      { name: "modo", type: 3, value: "1" },
    ],
    resolved: {
      channels: { [CHANNELS.equipe.id]: { name: "equipe", app_permissions: "274878022656" } },
      users: { [BRUNO.id]: { username: "bruno" } },
      members: { [BRUNO.id]: { permissions: expect.any(String) } },
    },
  });
});

test("Discord's client does not send what an option does not take", async () => {
  const setting = await start(4, { content: "ok" });
  const ana = setting.discord.person(ANA.id);
  const refused = {
    "an option that is not there": { nada: "x" },
    "a number for text": { data: 5 },
    "text over the most": { data: "01/01/20260" },
    "a number over the most": { quantos: 6 },
    "a fraction for an integer": { quantos: 1.5 },
    "a value that is no choice": { modo: "2" },
    "a channel that does not exist": { canal: "1" },
    "somebody who does not exist": { membro: "1" },
  };
  for (const [what, options] of Object.entries(refused)) {
    const shown = await ana.command({ ...ASK, options });
    expect(shown, what).toMatchObject({ kind: "failed", reason: "invalid_input" });
  }
  expect(setting.exchanges).toEqual([]);
});

test("a subcommand goes with its own options, required ones included", async () => {
  const setting = await start(4, { content: "ok" });
  const carla = setting.discord.person(CARLA.id);
  const config = { channelId: CHANNELS.geral.id, name: "config" };
  expect(await carla.command(config)).toMatchObject({ reason: "invalid_input" });
  expect(await carla.command({ ...config, subcommand: "relatorio" })).toMatchObject({
    reason: "invalid_input",
  });
  const options = { canal: CHANNELS.vendas.id };
  await carla.command({ ...config, subcommand: "relatorio", options });
  expect(last(setting).data).toMatchObject({
    options: [{ type: 1, name: "relatorio", options: [{ name: "canal", type: 7 }] }],
  });
});

test("a select sends the chosen values with its message, and only values that it offers", async () => {
  const components = [{ type: 1, components: [SELECT] }];
  const setting = await start(4, { content: "escolha", components });
  const ana = setting.discord.person(ANA.id);
  const shown = await ana.command(ASK);
  if (shown.kind !== "message") throw new Error("No message");
  await ana.select(shown.message.id, "s", ["2"]);
  expect(last(setting)).toMatchObject({
    type: 3,
    data: { custom_id: "s", component_type: 3, values: ["2"] },
    message: { id: shown.message.id, content: "escolha" },
  });
  for (const values of [["3"], [], ["1", "2"]]) {
    const refused = await ana.select(shown.message.id, "s", values);
    expect(refused).toMatchObject({ reason: "invalid_input" });
  }
});

test("only who sees a message can use its buttons, and only buttons that are enabled", async () => {
  const off = { ...BUTTON, custom_id: "off", disabled: true };
  const components = [{ type: 1, components: [BUTTON, off] }];
  const setting = await start(4, { content: "x", components, flags: 64 });
  const { discord } = setting;
  const shown = await discord.person(ANA.id).command(ASK);
  if (shown.kind !== "message") throw new Error("No message");
  const { id } = shown.message;
  const refused = { kind: "failed", reason: "unknown_component" };
  expect(await discord.person(BRUNO.id).click(id, "b")).toMatchObject(refused);
  expect(await discord.person(ANA.id).click(id, "off")).toMatchObject(refused);
  expect(await discord.person(ANA.id).click(id, "b")).toMatchObject({ kind: "message" });
  discord.deleteMessage(id);
  expect(await discord.person(ANA.id).click(id, "b")).toMatchObject(refused);
});

test("a form is open on its owner's screen until it is answered or dismissed", async () => {
  const running = await startDiscord();
  await startPlainBot(running, ({ interaction, answer }) =>
    interaction.type === 2 ? answer(9, MODAL) : answer(4, { content: "recebi" }),
  );
  const ana = running.discord.person(ANA.id);
  const open = async () => {
    const shown = await ana.command(ASK);
    if (shown.kind !== "modal") throw new Error("No modal");
    return shown.modal;
  };
  const onScreen = (id: string) => running.discord.visibleTo(id).modals.length;
  const modal = await open();
  expect([onScreen(ANA.id), onScreen(BRUNO.id)]).toEqual([1, 0]);
  expect(await ana.submitModal(modal, { k: "ab" })).toMatchObject({ reason: "invalid_input" });
  expect(await ana.submitModal(modal, {})).toMatchObject({ reason: "invalid_input" });
  expect(await ana.submitModal(modal, { k: "abc" })).toMatchObject({ kind: "message" });
  expect(onScreen(ANA.id)).toBe(0);
  expect(await ana.submitModal(modal, { k: "abc" })).toMatchObject({ reason: "unknown_component" });
  ana.dismissModal(await open());
  expect(onScreen(ANA.id)).toBe(0);
});

test("a form that the bot does not answer stays open with what was typed", async () => {
  // Long enough for a busy machine to open the form.
  const running = await startDiscord({ answerWithinMs: 1_000 });
  await startPlainBot(running, ({ interaction, answer }) =>
    interaction.type === 2 ? answer(9, MODAL) : undefined,
  );
  const ana = running.discord.person(ANA.id);
  const shown = await ana.command(ASK);
  if (shown.kind !== "modal") throw new Error("No modal");
  expect(await ana.submitModal(shown.modal, { k: "abc" })).toMatchObject({ reason: "no_answer" });
  expect(running.discord.visibleTo(ANA.id).modals).toEqual([shown.modal]);
});

test("every change of a screen is told, until the listener leaves", async () => {
  const { discord, rest } = await startDiscord();
  let told = 0;
  const leave = discord.onChange(() => told++);
  await rest("POST", `/channels/${CHANNELS.geral.id}/messages`, { content: "oi" });
  expect(told).toBe(1);
  leave();
  await rest("POST", `/channels/${CHANNELS.geral.id}/messages`, { content: "oi" });
  expect(told).toBe(1);
});

test("further people and channels can be added", async () => {
  const { discord, rest } = await startDiscord();
  const id = "1180000000000000299";
  discord.addPerson({ id, username: "x", displayName: "X", manageGuild: false });
  const channelId = discord.addChannel("extra");
  await rest("POST", `/channels/${channelId}/messages`, { content: "oi" });
  const channel = discord.visibleTo(id).channels.find(({ name }) => name === "extra");
  expect(channel?.messages).toHaveLength(1);
  expect(() => discord.person("1")).toThrow(RangeError);
});

const BUTTONS = [
  { type: 1, components: [{ type: 2, style: 4, custom_id: "travar", label: "Travar" }] },
];
const PRIVATE = 64;

const writeToAna = async ({ rest }: Running): Promise<string> => {
  const channel = await rest("POST", "/users/@me/channels", { recipient_id: ANA.id });
  const path = `/channels/${channel.body.id}/messages`;
  const { body } = await rest("POST", path, { content: "Aviso", components: BUTTONS });
  return body.id;
};

test("a button in a direct message works, and says that there is no guild", async () => {
  const running = await startDiscord();
  const exchanges = await startPlainBot(running, ({ answer }) =>
    answer(7, { content: "Travado", components: [] }),
  );
  const id = await writeToAna(running);
  const shown = await running.discord.person(ANA.id).click(id, "travar");
  expect(shown).toMatchObject({ kind: "message", message: { id, content: "Travado" } });
  const received = exchanges[0]?.interaction;
  expect(received).toMatchObject({ context: 1, user: { id: ANA.id }, data: { component_type: 2 } });
  expect(received).not.toHaveProperty("guild_id");
  expect(received).not.toHaveProperty("member");
});

test("nobody clicks in another person's direct messages", async () => {
  const running = await startDiscord();
  await startPlainBot(running);
  const id = await writeToAna(running);
  const shown = await running.discord.person(BRUNO.id).click(id, "travar");
  expect(shown).toMatchObject({ kind: "failed", reason: "unknown_component" });
});

test("a forged click reaches the bot from a message that the person does not see, with any id", async () => {
  const running = await startDiscord();
  const exchanges = await startPlainBot(running, ({ interaction, answer }) =>
    answer(4, { content: `Oi ${interaction.type}`, components: BUTTONS, flags: PRIVATE }),
  );
  const asked = { channelId: CHANNELS.geral.id, name: "vendas" };
  const anas = await running.discord.person(ANA.id).command(asked);
  if (anas.kind !== "message") throw new Error("Ana saw no message");
  const bruno = running.discord.person(BRUNO.id);
  expect((await bruno.click(anas.message.id, "travar")).kind).toBe("failed");
  const shown = await bruno.forgeClick(anas.message.id, "travar:de:ana");
  expect(shown).toMatchObject({ kind: "message", private: true });
  expect(exchanges.at(-1)?.interaction).toMatchObject({
    type: 3,
    data: { custom_id: "travar:de:ana" },
    message: { id: anas.message.id },
    member: { user: { id: BRUNO.id } },
  });
});

test("a chosen role comes with all that Discord tells of it", async () => {
  const running = await startDiscord();
  const exchanges = await startPlainBot(running, ({ answer }) => answer(4, { content: "oi" }));
  const options = [{ type: 8, name: "cargo", description: "Cargo" }];
  await running.rest("PUT", `/applications/1180000000000000301/commands`, [{ ...CONTA, options }]);
  await running.discord.person(ANA.id).command({
    channelId: CHANNELS.geral.id,
    name: "conta",
    options: { cargo: ROLES.equipe.id },
  });
  expect(exchanges[0]?.interaction.data["resolved"]).toMatchObject({
    roles: {
      [ROLES.equipe.id]: { mentionable: true, managed: false, hoist: false, flags: 0, colors: {} },
    },
  });
});

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

test("a person is a member of each guild by itself", async () => {
  const running = await startDiscord({ guildCount: 2 });
  const memberIn = async (guildId: string) =>
    (await running.rest("GET", `/guilds/${guildId}/members/${ANA.id}`)).body.code ?? "member";
  expect([await memberIn(GUILD.id), await memberIn(EXTRA)]).toEqual(["member", 10007]);
  const ana = running.discord.person(ANA.id);
  ana.setInGuild(true, EXTRA);
  ana.setInGuild(false);
  expect([await memberIn(GUILD.id), await memberIn(EXTRA)]).toEqual([10007, "member"]);
});

test("who has left a guild uses no message and no form of it, and is none of the members there", async () => {
  const running = await startDiscord({ guildCount: 2 });
  const exchanges = await startPlainBot(running, ({ interaction, answer }) =>
    interaction.type === 2
      ? answer(4, { content: "Aviso", components: BUTTONS, flags: PRIVATE })
      : answer(9, MODAL),
  );
  const channelId = running.discord.addChannel("loja-dois", EXTRA);
  const ana = running.discord.person(ANA.id);
  ana.setInGuild(true, EXTRA);
  const shown = await ana.command({ ...ASK, channelId });
  if (shown.kind !== "message") throw new Error("No message");
  const form = await ana.click(shown.message.id, "travar");
  if (form.kind !== "modal") throw new Error("No form");
  ana.setInGuild(false, EXTRA);
  const sent = exchanges.length;
  const refused = { kind: "failed", reason: "unknown_component" };
  expect(await ana.click(shown.message.id, "travar")).toMatchObject(refused);
  expect(await ana.submitModal(form.modal, { k: "abc" })).toMatchObject(refused);
  expect(exchanges).toHaveLength(sent);
  const bruno = running.discord.person(BRUNO.id);
  bruno.setInGuild(true, EXTRA);
  await bruno.command({ ...ASK, channelId, options: { membro: ANA.id } });
  expect(exchanges.at(-1)?.interaction.data["resolved"]).toEqual({
    users: { [ANA.id]: expect.objectContaining({ username: "ana" }) },
  });
});

test("a channel of another guild is not offered", async () => {
  const running = await startDiscord({ guildCount: 2 });
  await startPlainBot(running);
  const channelId = running.discord.addChannel("loja-dois", EXTRA);
  const ana = running.discord.person(ANA.id);
  ana.setInGuild(true, EXTRA);
  const refused = { kind: "failed", reason: "invalid_input" };
  expect(await ana.command({ ...ASK, options: { canal: channelId } })).toMatchObject(refused);
  const options = { canal: CHANNELS.geral.id };
  expect(await ana.command({ ...ASK, channelId, options })).toMatchObject(refused);
});

test("the guilds that the bot is in are shown", async () => {
  const running = await startDiscord({ guildCount: 2 });
  const extra = await running.rest("GET", `/guilds/${EXTRA}`);
  expect(extra.body).toMatchObject({ id: EXTRA, name: `Guild ${EXTRA}` });
  const shown = await running.rest("GET", `/guilds/${GUILD.id}`);
  expect(shown.body).toMatchObject({ id: GUILD.id, name: GUILD.name });
  const other = await running.rest("GET", "/guilds/1180000000000000999");
  expect(other.body.code).toBe(10004);
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
