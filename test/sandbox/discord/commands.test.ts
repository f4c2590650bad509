import { expect, test } from "vitest";
import { DAY } from "#src/shared/time.ts";
import { ANA, APPLICATION, BRUNO, CARLA, CHANNELS } from "#src/sandbox/world.ts";
import { COMMANDS, startPlainBot } from "./plain-bot.ts";
import { type Json, type Running, startDiscord } from "./running.ts";

const PATH = `/applications/${APPLICATION.id}/commands`;
const command = (more: object = {}): object => ({ name: "vendas", description: "d", ...more });
const option = (more: object = {}): object => ({ type: 3, name: "o", description: "d", ...more });
const withOptions = (...options: object[]): object => command({ options });

test.for<[string, object]>([
  ["an upper-case name", command({ name: "Vendas" })],
  ["a name with a space", command({ name: "split saque" })],
  ["no description", command({ description: "" })],
  ["a description over 100", command({ description: "d".repeat(101) })],
  ["26 options", withOptions(...Array.from({ length: 26 }, (_, n) => option({ name: `o${n}` })))],
  ["an option name twice", withOptions(option(), option())],
  ["required after optional", withOptions(option(), option({ name: "p", required: true }))],
  ["options beside subcommands", withOptions(option({ type: 1 }), option({ name: "p" }))],
  [
    "choices with autocomplete",
    withOptions(option({ autocomplete: true, choices: [{ name: "a", value: "a" }] })),
  ],
  [
    "26 choices",
    withOptions(
      option({ choices: Array.from({ length: 26 }, (_, n) => ({ name: `c${n}`, value: `${n}` })) }),
    ),
  ],
  [
    "a choice twice",
    withOptions(
      option({
        choices: [
          { name: "a", value: "1" },
          { name: "a", value: "2" },
        ],
      }),
    ),
  ],
  ["a number among texts", withOptions(option({ choices: [{ name: "a", value: 1 }] }))],
  ["autocomplete of a channel", withOptions(option({ type: 7, autocomplete: true }))],
  ["a localized name in capitals", command({ name_localizations: { "en-US": "Sales" } })],
  ["an option of no known type", withOptions(option({ type: 99 }))],
])("Discord refuses a command with %s", async ([, definition]) => {
  const { rest, discord } = await startDiscord();
  const answer = await rest("PUT", PATH, [definition]);
  expect([answer.status, answer.body.code]).toEqual([400, 50035]);
  expect(answer.body["errors"]).toHaveProperty("0");
  expect(discord.commands()).toEqual([]);
});

test("two commands of one name, or 101 of them, are refused", async () => {
  const { rest } = await startDiscord();
  const names = Array.from({ length: 101 }, (_, n) => command({ name: `c${n}` }));
  expect((await rest("PUT", PATH, [command(), command()])).body.code).toBe(50035);
  expect((await rest("PUT", PATH, names)).body.code).toBe(50035);
  expect((await rest("PUT", PATH, names.slice(1))).status).toBe(200);
});

test("replacing with the same definitions keeps ids and versions; a change keeps the id only", async () => {
  const { rest } = await startDiscord();
  const first = await rest<Json[]>("PUT", PATH, COMMANDS);
  const same = await rest<Json[]>("PUT", PATH, COMMANDS);
  expect(same.body).toEqual(first.body);
  const changed = await rest<Json[]>("PUT", PATH, [command({ description: "outra" })]);
  expect(changed.body).toHaveLength(1);
  expect(changed.body[0]?.id).toBe(first.body[0]?.id);
  expect(changed.body[0]?.["version"]).not.toBe(first.body[0]?.["version"]);
});

test("localizations are listed only when asked for", async () => {
  const { rest } = await startDiscord();
  await rest("PUT", PATH, [command({ description_localizations: { "en-US": "Sales" } })]);
  const plain = await rest<Json[]>("GET", PATH);
  expect(plain.body[0]).not.toHaveProperty("description_localizations");
  const full = await rest<Json[]>("GET", `${PATH}?with_localizations=true`);
  expect(full.body[0]).toMatchObject({ description_localizations: { "en-US": "Sales" } });
});

test("200 commands may be created in a day of the clock, and replacing is free", async () => {
  const { rest, clock } = await startDiscord();
  const named = (from: number) =>
    Array.from({ length: 100 }, (_, n) => command({ name: `c${from + n}` }));
  await rest("PUT", PATH, named(0));
  await rest("PUT", PATH, named(0));
  await rest("PUT", PATH, named(100));
  expect((await rest("PUT", PATH, named(150))).body.code).toBe(30034);
  clock.moveBy(DAY);
  expect((await rest("PUT", PATH, named(150))).status).toBe(200);
});

test("a command for managers is offered to them alone, and refused to others", async () => {
  const { rest, discord } = await startDiscord();
  await rest("PUT", PATH, COMMANDS);
  const offered = (id: string) => discord.visibleTo(id).commands.map(({ name }) => name);
  expect(offered(ANA.id)).toEqual(["vendas"]);
  expect(offered(CARLA.id)).toEqual(["vendas", "config"]);
  const input = { channelId: CHANNELS.geral.id, name: "config", subcommand: "relatorio" };
  expect(await discord.person(ANA.id).command(input)).toMatchObject({ reason: "not_permitted" });
});

test("another application's commands are none of this bot's", async () => {
  const { rest } = await startDiscord();
  expect((await rest("GET", "/applications/1/commands")).body.code).toBe(50001);
});

const KEEP = { type: 3, name: "Guardar como prova", contexts: [0] };
const register = ({ rest }: Running, ...commands: object[]) => rest("PUT", PATH, commands);

test("a command of a message's menu is held beside a slash command of the same name", async () => {
  const running = await startDiscord();
  const slash = { name: "prova", description: "d" };
  const { status, body } = await register(running, KEEP, slash, { type: 3, name: "prova" });
  expect(status).toBe(200);
  const held = running.discord.commands().map(({ type, name, description }) => ({
    type,
    name,
    description,
  }));
  expect(held).toEqual([
    { type: 3, name: KEEP.name, description: "" },
    { type: 1, name: "prova", description: "d" },
    { type: 3, name: "prova", description: "" },
  ]);
  expect(body).toHaveLength(3);
});

test.each([
  ["a description", { ...KEEP, description: "d" }],
  ["options", { ...KEEP, options: [{ type: 3, name: "o", description: "d" }] }],
  ["a name over 32", { ...KEEP, name: "n".repeat(33) }],
])("one with %s is refused", async (_, definition) => {
  const running = await startDiscord();
  expect((await register(running, definition)).status).toBe(400);
});

test("chosen on a message it tells the bot all of it, which reading the channel does not", async () => {
  const running = await startDiscord();
  const exchanges = await startPlainBot(running, ({ answer }) =>
    answer(4, { content: "Guardado", flags: 64 }),
  );
  await register(running, KEEP);
  const file = { name: "recibo.png", type: "image/png", data: Buffer.from("png") };
  const written = running.discord
    .person(BRUNO.id)
    .write(CHANNELS.geral.id, "Recebi, obrigado", [file]);

  const ana = running.discord.person(ANA.id);
  expect(await ana.messageCommand(written.id, KEEP.name)).toMatchObject({
    kind: "message",
    private: true,
    message: { content: "Guardado" },
  });
  const received = exchanges[0]?.interaction;
  expect(received).toMatchObject({ type: 2, data: { type: 3, target_id: written.id } });
  expect(received?.data["resolved"]).toMatchObject({
    messages: {
      [written.id]: {
        content: "Recebi, obrigado",
        author: { id: BRUNO.id, global_name: "Bruno" },
        attachments: [{ filename: "recibo.png" }],
      },
    },
  });
  const read = await running.rest("GET", `/channels/${CHANNELS.geral.id}/messages`);
  expect(read.body).toMatchObject([{ id: written.id, content: "", attachments: [] }]);
});

test("it is offered neither on a message that is not there, nor under another name", async () => {
  const running = await startDiscord();
  await startPlainBot(running);
  await register(running, KEEP, { name: "vendas", description: "d" });
  const ana = running.discord.person(ANA.id);
  const written = ana.write(CHANNELS.geral.id, "Oi");
  const failed = [
    await ana.messageCommand("1180000000000000999", KEEP.name),
    await ana.messageCommand(written.id, "vendas"),
    await ana.command({ channelId: CHANNELS.geral.id, name: KEEP.name }),
  ];
  expect(failed.map((shown) => shown.kind === "failed" && shown.reason)).toEqual([
    "unknown_component",
    "unknown_command",
    "unknown_command",
  ]);
});
