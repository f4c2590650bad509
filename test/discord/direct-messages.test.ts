import { beforeEach, expect, test } from "vitest";
import { action, defineCommand, type Invocation } from "#src/discord/command.ts";
import { WalletError } from "#src/shared/errors.ts";
import { says, startBotEdge, type BotEdge } from "./support/bot-edge.ts";
import {
  autocompletion,
  CHANNEL_ID,
  click,
  slashCommand,
  USER_ID,
} from "./support/interactions.ts";

let edge: BotEdge;
let seen: Invocation[];
const lock = (inDirectMessages?: true) =>
  action({
    kind: "write",
    answers: "new",
    ...(inDirectMessages && { inDirectMessages }),
    parse: () => undefined,
    run: (_, invocation) => {
      seen.push(invocation);
      return says("travado");
    },
  });

const refused = action({
  kind: "read",
  answers: "new",
  inDirectMessages: true,
  parse: () => undefined,
  run: () => {
    throw new WalletError({ kind: "unauthorized", method: "GET", route: "/", requestId: "req-1" });
  },
});

beforeEach(async () => {
  seen = [];
  edge = await startBotEdge({}, [
    defineCommand({
      definition: { name: "travar", description: "Travar" },
      handlers: {},
      actions: { agora: lock(true), destravar: lock(), recusada: refused },
    }),
    defineCommand({
      inDirectMessages: true,
      definition: { name: "provas", description: "Provas" },
      handlers: {},
      autocomplete: async () => [{ name: "hoje", value: "hoje" }],
    }),
  ]);
});

/** The interaction as sent from the bot's direct message. */
const direct = (raw: object): object => ({
  ...raw,
  guild_id: undefined,
  member: undefined,
  user: { id: USER_ID, username: "ana" },
});

const served = async (raw: object): Promise<unknown> => {
  await edge.route(raw, performance.now());
  return edge.discord.requests.map(
    ({ body }) => (body as { data: { content?: string } }).data.content,
  );
};

test("an action that is made for it runs in a direct message, with no guild and no permissions", async () => {
  expect(await served(direct(click("travar:agora:1")))).toEqual(["travado"]);
  expect(seen).toMatchObject([
    { guildId: "", channelId: CHANNEL_ID, userId: USER_ID, memberPermissions: 0n },
  ]);
});

test("an error is explained with its place, where not all advice can be followed", async () => {
  await served(click("travar:recusada:1"));
  expect(await served(direct(click("travar:recusada:2")))).toEqual([
    "pt-BR unauthorized req-1",
    "pt-BR unauthorized direct",
  ]);
});

test("permissions that come without a guild count for nothing", async () => {
  const raw = {
    ...direct(click("travar:agora:1")),
    permissions: "8",
    member: { permissions: "8" },
  };
  await served(raw);
  expect(seen).toMatchObject([{ memberPermissions: 0n }]);
});

test.each([
  ["an action that is not made for it", click("travar:destravar:1")],
  ["a command", slashCommand("vendas", [{ name: "ler", type: 1 }])],
])("%s stays in guilds", async (_, raw) => {
  expect(await served(direct(raw))).toEqual(["pt-BR guild_only"]);
  expect(seen).toEqual([]);
});

test("a button of another version is out of date, and sends nobody to a server", async () => {
  expect(await served(direct(click("travar:sumiu:1")))).toEqual(["pt-BR outdated_component"]);
});

test("suggestions of what is not made for it stay in guilds", async () => {
  edge.script.suggest = async () => [{ name: "hoje", value: "hoje" }];
  await edge.route(direct(autocompletion("vendas", [])), performance.now());
  expect(edge.discord.requests.map(({ body }) => body)).toEqual([
    { type: 8, data: { choices: [] } },
  ]);
});

test("suggestions of a command that works in direct messages come there", async () => {
  await edge.route(direct(autocompletion("provas", [])), performance.now());
  expect(edge.discord.requests.map(({ body }) => body)).toEqual([
    { type: 8, data: { choices: [{ name: "hoje", value: "hoje" }] } },
  ]);
});
