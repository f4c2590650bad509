import { expect, test } from "vitest";
import { defineMessageCommand, messageHandler } from "#src/discord/command-kit.ts";
import { sameCommands } from "#src/discord/command-definitions.ts";
import { createCommandTable } from "#src/discord/command-table.ts";
import { parseInteraction } from "#src/discord/interaction.ts";
import { CHANNEL_ID, slashCommand } from "./support/interactions.ts";

const TARGET = "1180000000000000401";
const MESSAGE = {
  id: TARGET,
  channel_id: CHANNEL_ID,
  author: { id: "1180000000000000202", username: "bruno", global_name: "Bruno" },
  content: "Recebi o acesso, obrigado",
  timestamp: "2026-11-20T14:03:21.501000+00:00",
  edited_timestamp: null,
  attachments: [{ id: "9", url: "https://cdn.example.com/a.png?ex=1" }],
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
const deedOf = (raw: unknown) => parseInteraction(raw)?.deed;

const definition = { type: 3 as const, name: "Guardar como prova", contexts: [0] };
const command = defineMessageCommand({
  definition,
  onMessage: messageHandler({
    kind: "read",
    parse: ({ content }) => content,
    run: (content) => ({ kind: "reply", content }),
  }),
});

test("a command of a message's menu tells what the message says, who wrote it and when", () => {
  expect(deedOf(chosenOn(MESSAGE))).toEqual({
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
      attachments: ["https://cdn.example.com/a.png?ex=1"],
    },
  });
});

test("what a message does not have is absent, and what is no address is left out", () => {
  const author = { id: "7", username: "carla", global_name: null };
  const bare = { ...MESSAGE, author, content: 5, attachments: [{ url: "nowhere" }, {}, null] };
  const edited = { ...bare, edited_timestamp: "2026-11-20T15:00:00Z" };
  expect(deedOf(chosenOn(edited))).toMatchObject({
    message: {
      authorName: "carla",
      content: "",
      attachments: [],
      editedAt: Temporal.Instant.from("2026-11-20T15:00:00Z"),
    },
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
  expect(deedOf(chosenOn(message, data))).toEqual({ kind: "other" });
});

test("the menu of a person, which we have no command in, is none of ours", () => {
  expect(deedOf(chosenOn(MESSAGE, { type: 2 }))).toEqual({ kind: "other" });
});

test("its handler gets the message, under the command's name", async () => {
  const deed = deedOf(chosenOn(MESSAGE));
  const invocation = parseInteraction(chosenOn(MESSAGE))?.invocation;
  if (deed === undefined || invocation === undefined) throw new Error("It was not read");
  const route = createCommandTable([command]).find(deed);
  expect(route).toMatchObject({ label: "Guardar como prova", mode: "new" });
  expect(await route?.run(invocation, {} as never)).toMatchObject({ content: MESSAGE.content });
  expect(createCommandTable([]).find(deed)).toBeUndefined();
});

test("two in one menu cannot have the same name", () => {
  expect(() => createCommandTable([command, command])).toThrow("Guardar como prova");
});

test("Discord's empty description of it is no difference, its type is one", () => {
  const held = { ...definition, id: "1", description: "", nsfw: false, options: null };
  expect(sameCommands([held], [definition])).toBe(true);
  expect(sameCommands([{ ...held, type: 2 }], [definition])).toBe(false);
});
