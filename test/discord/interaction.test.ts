import { describe, expect, test } from "vitest";
import { type InteractionData, parseInteraction } from "#src/discord/interaction.ts";
import { type MessageCommand, messageHandler } from "#src/discord/command.ts";
import { sameCommands } from "#src/discord/register-commands.ts";
import { createCommandTable } from "#src/discord/command-table.ts";
import { commandType } from "#src/shared/discord-enums.ts";
import {
  autocompletion,
  CHANNEL_ID,
  click,
  GUILD_ID,
  modalSubmit,
  slashCommand,
  USER_ID,
} from "./support/interactions.ts";
import { NOW } from "./support/parts.ts";

const dataOf = <Kind extends InteractionData["kind"]>(raw: unknown, kind: Kind) => {
  const data = parseInteraction(raw)?.data;
  if (data?.kind !== kind) throw new Error(`It was read as ${data?.kind}`);
  return data as Extract<InteractionData, { kind: Kind }>;
};

test("an interaction tells who did it, where, when and in which language", () => {
  const raw = { ...slashCommand("vendas"), locale: "en-GB" };
  expect(parseInteraction(raw)?.invocation).toEqual({
    interactionId: raw.id,
    guildId: GUILD_ID,
    channelId: CHANNEL_ID,
    userId: USER_ID,
    memberPermissions: 2_147_483_648n,
    appPermissions: 84_992n,
    locale: "en-US",
    guildLocale: "en-US",
    createdAt: NOW,
  });
});

test.each([
  [
    "an ordinary server, which Discord calls English, is of who acts",
    [],
    "en-US",
    "pt-BR",
    "pt-BR",
  ],
  ["an ordinary server is English for who acts in English", [], "en-US", "en-GB", "en-US"],
  ["a Community server is its own", ["COMMUNITY", "NEWS"], "en-US", "pt-BR", "en-US"],
  ["a Community server is Portuguese for everybody", ["COMMUNITY"], "pt-BR", "en-US", "pt-BR"],
  [
    "a server of which Discord tells no features is of who acts",
    undefined,
    "en-US",
    "pt-BR",
    "pt-BR",
  ],
])("the language of %s", (_, features, ofServer, ofPerson, expected) => {
  const guild = { id: GUILD_ID, locale: ofServer, features };
  const raw = { ...slashCommand("vendas"), guild, guild_locale: ofServer, locale: ofPerson };
  expect(parseInteraction(raw)?.invocation?.guildLocale).toBe(expected);
});

test.each([
  ["no permissions", { permissions: undefined }],
  ["permissions that are a number", { permissions: 8 }],
  ["permissions that are no number", { permissions: "admin" }],
])("%s are none", (_, member) => {
  const raw = slashCommand("vendas");
  const parsed = parseInteraction({ ...raw, member: { ...raw.member, ...member } });
  expect(parsed?.invocation?.memberPermissions).toBe(0n);
});

test.each([
  [10, true],
  [11, true],
  [12, true],
  [0, undefined],
  ["11", undefined],
  [undefined, undefined],
])("an interaction in a channel of type %s is in a thread: %s", (type, inThread) => {
  const parsed = parseInteraction({ ...slashCommand("vendas"), channel: { id: CHANNEL_ID, type } });
  expect(parsed?.invocation?.inThread).toBe(inThread);
});

test.each([true, false])("an interaction in a thread tells whether it is locked: %s", (locked) => {
  const raw = { ...slashCommand("vendas"), channel: { type: 11, thread_metadata: { locked } } };
  expect(parseInteraction(raw)?.invocation?.isLocked).toBe(locked || undefined);
});

test.each([
  ["without a guild", { guild_id: undefined }],
  ["without a member", { member: undefined, user: { id: USER_ID } }],
])("an interaction %s has no invocation and can still be answered", (_, fields) => {
  const parsed = parseInteraction({ ...slashCommand("vendas"), ...fields });
  expect(parsed).toMatchObject({ invocation: undefined, data: { kind: "command" } });
});

test.each([
  ["id", { id: "x" }],
  ["token", { token: "a b/../" }],
  ["application", { application_id: null }],
])("an interaction whose %s is not one is not read", (_, fields) => {
  expect(parseInteraction({ ...slashCommand("vendas"), ...fields })).toBeUndefined();
});

describe("options", () => {
  const raw = slashCommand("config", [
    {
      name: "relatorio",
      type: 1,
      options: [
        { name: "horario", type: 3, value: "21:05" },
        { name: "ativo", type: 5, value: false },
        { name: "canal", type: 7, value: "11" },
        { name: "outro", type: 7, value: "12" },
        { name: "membro", type: 6, value: "21" },
      ],
    },
  ]);
  const resolved = {
    channels: { "11": { id: "11", type: 5, app_permissions: "84992" } },
    users: { "21": { id: "21", bot: true } },
  };
  const { subcommand, options } = dataOf({ ...raw, data: { ...raw.data, resolved } }, "command");

  test("are those of the subcommand, by name and type", () => {
    expect(subcommand).toBe("relatorio");
    expect(options.string("horario")).toBe("21:05");
    expect(options.boolean("ativo")).toBe(false);
    expect(options.string("ativo")).toBeUndefined();
    expect(options.boolean("nada")).toBeUndefined();
  });

  test("tell what Discord says of a chosen channel and a chosen person", () => {
    expect(options.channel("canal")).toEqual({ id: "11", type: 5, appPermissions: 84_992n });
    expect(options.user("membro")).toEqual({ id: "21", bot: true, isMember: false });
  });

  test("leave open what Discord does not say", () => {
    expect(options.channel("outro")).toEqual({ id: "12", type: -1, appPermissions: undefined });
  });
});

test("an autocomplete tells what is being typed in which option", () => {
  const options = [
    { name: "fuso", type: 3, value: "Ame", focused: true },
    { name: "ativo", type: 5, value: true },
  ];
  const raw = autocompletion("config", [{ name: "relatorio", type: 1, options }]);
  expect(dataOf(raw, "autocomplete")).toMatchObject({
    name: "config",
    typed: { option: "fuso", text: "Ame" },
  });
});

test("a select tells what was chosen", () => {
  const raw = click("meds:ver:pagina:2");
  const data = dataOf({ ...raw, data: { ...raw.data, values: ["a", 1, "b"] } }, "action");
  expect(data).toMatchObject({ customId: "meds:ver:pagina:2", message: raw.message.id });
  expect(data.input.values).toEqual(["a", "b"]);
  expect(data.input.channel).toBeUndefined();
});

test.each([
  [{ "11": { id: "11", type: 5, app_permissions: "84992" } }, 5, 84_992n],
  [{}, -1, undefined],
])(
  "a select of channels tells what Discord says of the first: %j",
  (channels, kind, permissions) => {
    const raw = click("config:relatorio-canal:");
    const chosen = { component_type: 8, values: ["11", "12"], resolved: { channels } };
    const data = dataOf({ ...raw, data: { ...raw.data, ...chosen } }, "action");
    expect(data.input.channel).toEqual({ id: "11", type: kind, appPermissions: permissions });
  },
);

test.each([[[]], [["x"]], [[11]]])("a select of channels with %j chose none", (values) => {
  const raw = click("config:relatorio-canal:");
  const chosen = { component_type: 8, values };
  const data = dataOf({ ...raw, data: { ...raw.data, ...chosen } }, "action");
  expect(data.input.channel).toBeUndefined();
});

test.each([
  ["labels", [{ type: 18, component: { type: 4, custom_id: "api_key", value: "sk" } }]],
  ["rows", [{ type: 1, components: [{ type: 4, custom_id: "api_key", value: "sk" }] }]],
  ["menus", [{ type: 18, component: { type: 3, custom_id: "api_key", values: ["sk"] } }]],
])("a form in %s tells what was typed", (_, components) => {
  const raw = modalSubmit("conta:chave", {});
  const data = dataOf({ ...raw, data: { ...raw.data, components } }, "action");
  expect([...data.input.fields]).toEqual([["api_key", "sk"]]);
  expect(data.message).toBeUndefined();
});

test("a form's menu from which nothing was chosen reads as absent", () => {
  const components = [{ type: 18, component: { type: 3, custom_id: "venda", values: [] } }];
  const raw = modalSubmit("conta:chave", {});
  const data = dataOf({ ...raw, data: { ...raw.data, components } }, "action");
  expect([...data.input.fields]).toEqual([]);
});

test("a message goes by the interaction that brought it forth, whose first answer it is", () => {
  const raw = click("meds:ver");
  const message = { ...raw.message, interaction_metadata: { id: "1180000000000000777" } };
  expect(dataOf({ ...raw, message }, "action").message).toBe("1180000000000000777");
});

const TARGET = "1180000000000000401";
const MESSAGE = {
  id: TARGET,
  channel_id: CHANNEL_ID,
  author: { id: "1180000000000000202", username: "bruno", global_name: "Bruno" },
  content: "Recebi o acesso, obrigado",
  timestamp: "2026-11-20T14:03:21.501000+00:00",
  edited_timestamp: null,
  attachments: [{ id: "9", filename: "a.png", url: "https://cdn.example.com/a.png?ex=1" }],
};

const chosenOn = (message: unknown, data: object = {}) => ({
  ...slashCommand("x"),
  data: {
    id: "1180000000000000301",
    name: "Guardar como prova",
    type: 3,
    target_id: TARGET,
    resolved: { messages: { [TARGET]: message } },
    ...data,
  },
});
const chosenData = (raw: unknown) => parseInteraction(raw)?.data;

const definition = { type: commandType.message, name: "Guardar como prova", contexts: [0] };
const command: MessageCommand = {
  definition,
  onMessage: messageHandler({
    kind: "read",
    parse: ({ content }) => content,
    run: (content) => ({ kind: "reply", content }),
  }),
};

test("a command of a message's menu tells what the message says, who wrote it and when", () => {
  expect(chosenData(chosenOn(MESSAGE))).toEqual({
    kind: "message_command",
    name: "Guardar como prova",
    message: {
      id: TARGET,
      channelId: CHANNEL_ID,
      authorId: "1180000000000000202",
      authorName: "Bruno",
      content: "Recebi o acesso, obrigado",
      writtenAt: Temporal.Instant.from("2026-11-20T14:03:21.501Z"),
      editedAt: undefined,
      attachments: ["a.png"],
      forwarded: false,
    },
  });
});

test("what a message does not have is absent, and a file without a name is left out", () => {
  const author = { id: "7", username: "carla", global_name: null };
  const bare = { ...MESSAGE, author, content: 5, attachments: [{ filename: "" }, {}, null] };
  const edited = { ...bare, edited_timestamp: "2026-11-20T15:00:00Z" };
  expect(chosenData(chosenOn(edited))).toMatchObject({
    message: {
      authorName: "carla",
      content: "",
      attachments: [],
      editedAt: Temporal.Instant.from("2026-11-20T15:00:00Z"),
    },
  });
});

const embeds = [
  { type: "article", title: "Página", description: "O que o site diz" },
  {
    type: "rich",
    title: "Pedido 42",
    description: "Entregue",
    fields: [{ name: "Cliente", value: "@everyone" }, { name: 5, value: "só o valor" }, null],
    footer: { text: "rodapé" },
  },
  "no embed",
];
const components = [
  { type: 10, content: "Acesso liberado" },
  {
    type: 17,
    components: [
      { type: 9, components: [{ type: 10, content: "Plano VIP" }], accessory: { type: 2 } },
      { type: 14 },
      { type: 10, content: 7 },
      { type: 1, components: [{ type: 2, label: "Abrir", content: "no text" }] },
    ],
  },
];
const byBot = { author: { ...MESSAGE.author, bot: true } };
const tweet = {
  type: "rich",
  url: "https://twitter.com/loja/status/12345",
  description: "O que outra pessoa publicou",
  author: { name: "Loja (@loja)" },
};
const LINK = "Veja https://mobile.twitter.com/loja/status/12345?s=20";
const EMBED_TEXT = "Pedido 42\nEntregue\nCliente: @everyone\nsó o valor";

test.each([
  [
    "in its embeds, after its own text",
    { ...byBot, content: "Veja", embeds },
    `Veja\n${EMBED_TEXT}`,
  ],
  ["in its embeds alone", { ...byBot, content: "", embeds }, EMBED_TEXT],
  ["in the embeds of a webhook", { webhook_id: "8", content: "", embeds }, EMBED_TEXT],
  ["in it, and not in the preview of a link", { content: LINK, embeds: [tweet] }, LINK],
  ["in text displays, however nested", { content: "", components }, "Acesso liberado\nPlano VIP"],
  [
    "in what it forwards",
    { content: "", message_snapshots: [{ message: { content: "Chegou", embeds } }, {}] },
    `Chegou\n${EMBED_TEXT}`,
  ],
  [
    "in what it forwards, and not in the preview of a link there",
    {
      content: "",
      message_snapshots: [{ message: { content: LINK, embeds: [tweet, ...embeds] } }],
    },
    `${LINK}\n${EMBED_TEXT}`,
  ],
  [
    "in a forwarded embed with a link of its own",
    {
      content: LINK,
      message_snapshots: [{ message: { content: "https://a.example/outro", embeds: [tweet] } }],
    },
    `${LINK}\nhttps://a.example/outro\nO que outra pessoa publicou`,
  ],
])("a message says what stands %s", (_, given, content) => {
  expect(chosenData(chosenOn({ ...MESSAGE, ...given }))).toMatchObject({ message: { content } });
});

test.each([
  ["a preview", "[https://loja.example](https://x.com/loja/status/12345).", tweet.url],
  ["a preview", "<https://x.com/loja/status/12345/?s=20>", tweet.url],
  ["a preview", 'Veja "https://x.com/loja/status/12345"', tweet.url],
  ["a preview", "“https://x.com/loja/status/12345/”…", tweet.url],
  ["a preview", "||https://loja.example||", "https://loja.example"],
  ["a preview", "https://loja.example/", "https://loja.example"],
  ["no preview", "https://a.example/loja/status/12345", "https://a.example/loja/status"],
  ["no preview", "https://a.example", "https://loja.example"],
])("an embed in a forward is %s beside %s, by the address %s", (kind, content, url) => {
  const snapshot = { content, embeds: [{ ...tweet, url }] };
  const forward = { ...MESSAGE, content: "", message_snapshots: [{ message: snapshot }] };
  const said = kind === "a preview" ? content : `${content}\n${tweet.description}`;
  expect(chosenData(chosenOn(forward))).toMatchObject({ message: { content: said } });
});

test("a forward has the files of what it forwards, and is told as one", () => {
  const message_snapshots = [{ message: { content: "", attachments: MESSAGE.attachments } }];
  const forward = { ...MESSAGE, content: "", attachments: [], message_snapshots };
  expect(chosenData(chosenOn(forward))).toMatchObject({
    message: { content: "", attachments: ["a.png"], forwarded: true },
  });
});

const uploaded = (name: string) => ({ url: `https://cdn.discordapp.com/attachments/1/2/${name}` });

test("a message has the files that it shows in embeds and components, which Discord lists nowhere else", () => {
  const logo = { url: "https://loja.example/attachments/1/2/logo.png" };
  const shown = {
    ...byBot,
    attachments: [],
    embeds: [{ type: "rich", image: uploaded("nota.png"), thumbnail: logo }],
    components: [
      { type: 12, items: [{ media: uploaded("1.png") }, { media: logo }] },
      { type: 13, file: uploaded("2.pdf?ex=6") },
      { type: 17, components: [{ type: 9, accessory: { media: uploaded("3.png") } }] },
    ],
  };
  const attachments = ["nota.png", "1.png", "2.pdf", "3.png"];
  for (const given of [shown, { attachments: [], message_snapshots: [{ message: shown }] }])
    expect(chosenData(chosenOn({ ...MESSAGE, ...given }))).toMatchObject({
      message: { attachments },
    });
});

test("a message is read however deeply its components are nested", () => {
  let nested: object = { type: 10, content: "deep" };
  for (let depth = 0; depth < 100_000; depth++) nested = { type: 17, components: [nested] };
  expect(chosenData(chosenOn({ ...MESSAGE, components: [nested] }))).toMatchObject({
    message: { content: MESSAGE.content },
  });
});

test.each([
  ["that is not there", undefined, {}],
  ["of another id", MESSAGE, { target_id: "1180000000000000999" }],
  ["without a target", MESSAGE, { target_id: undefined }],
  ["without an author", { ...MESSAGE, author: undefined }, {}],
  ["without a time", { ...MESSAGE, timestamp: "yesterday" }, {}],
  ["without a channel", { ...MESSAGE, channel_id: null }, {}],
])("a message %s is none that we offered anything on", (_, message, data) => {
  expect(chosenData(chosenOn(message, data))).toEqual({ kind: "other" });
});

test("the menu of a person, which we have no command in, is none of ours", () => {
  expect(chosenData(chosenOn(MESSAGE, { type: 2 }))).toEqual({ kind: "other" });
});

test("its handler gets the message, under the command's name", async () => {
  const { data, invocation } = parseInteraction(chosenOn(MESSAGE)) ?? {};
  if (data === undefined || invocation === undefined) throw new Error("It was not read");
  const route = createCommandTable([command]).find(data);
  expect(route).toMatchObject({ label: "Guardar como prova", mode: "new" });
  expect(await route?.run(invocation, {} as never)).toMatchObject({ content: MESSAGE.content });
  expect(createCommandTable([]).find(data)).toBeUndefined();
});

test("two in one menu cannot have the same name", () => {
  expect(() => createCommandTable([command, command])).toThrow("Guardar como prova");
});

test("Discord's empty description of it is no difference, its type is one", () => {
  const held = { ...definition, id: "1", description: "", nsfw: false, options: null };
  expect(sameCommands([held], [definition])).toBe(true);
  expect(sameCommands([{ ...held, type: 2 }], [definition])).toBe(false);
});
