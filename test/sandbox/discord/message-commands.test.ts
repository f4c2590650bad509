import { expect, test } from "vitest";
import { ANA, APPLICATION, BRUNO, CHANNELS } from "#src/sandbox/world.ts";
import { startPlainBot } from "./plain-bot.ts";
import { startDiscord, type Running } from "./running.ts";

const PATH = `/applications/${APPLICATION.id}/commands`;
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
