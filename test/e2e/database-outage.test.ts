import { closeSync, openSync, writeSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ANA, CHANNELS } from "#src/sandbox/world.ts";
import { openSqliteFile, pragma } from "#src/database/sqlite.ts";
import { databases } from "../support/databases.ts";
import { type RunningPostgres, startPostgres } from "../support/start-postgres.ts";
import { freePort } from "#src/sandbox/free-port.ts";
import {
  buttonOf,
  messageOf,
  openStage,
  startStage,
  type Stage,
  textOf,
  type,
} from "./support/stage.ts";

/** Overwrites the table's first page in the file of a running bot, whose cache a later commit of another program ends. */
const damage = (file: string, table: string): void => {
  const tool = openSqliteFile(file);
  const { at } = tool
    .prepare("select (rootpage - 1) * 4096 as at from sqlite_schema where name = ?")
    .get(table) as { at: number };
  pragma(tool, "wal_checkpoint(truncate)");
  const opened = openSync(file, "r+");
  writeSync(opened, Buffer.alloc(4_096, 0xff), 0, 4_096, at);
  closeSync(opened);
  tool.exec("insert into meta values ('written by', 'another program')");
  tool.close();
};

test("S16: a file that is damaged under the bot fails its health pages, and ends it with 78 and a sentence", async () => {
  const port = await freePort();
  const settings = { HTTP_PORT: String(port) };
  const broken = await openStage(databases[0], { settings });
  const page = `http://127.0.0.1:${port}/healthz`;
  expect((await fetch(page)).status).toBe(200);
  damage(broken.databaseUrl.slice("sqlite:".length), "storage_state");
  expect((await fetch(page)).status).toBe(503);
  await broken.bot().tick();
  expect(broken.logged()).toMatch(
    /^exit 78 The database is damaged or is no database: put a backup back/m,
  );
});

test("S16: damage that a person's command alone meets ends the bot too", async () => {
  const broken = await openStage(databases[0]);
  await broken.connectAna();
  damage(broken.databaseUrl.slice("sqlite:".length), "goal");
  const goal = { channelId: CHANNELS.geral.id, name: "meta", options: { valor: "40.000" } };
  await broken.sandbox.discord.person(ANA.id).command(goal);
  expect(broken.logged()).toMatch(/^exit 78 The database is damaged or is no database/m);
});

/** A dedicated server, because the test kills it. */
let server: RunningPostgres;
let stage: Stage;
let health: string;

beforeAll(async () => {
  server = await startPostgres();
  const port = await freePort();
  health = `http://127.0.0.1:${port}`;
  const create = async () => ({ url: await server.create("balcao"), drop: async () => {} });
  const settings = { HTTP_PORT: String(port) };
  stage = await startStage({ name: "PostgreSQL", create }, { settings });
  await stage.setReport();
  const message = messageOf(await stage.connectAna());
  await stage.sandbox.discord.person(ANA.id).click(message.id, buttonOf(message, /pode postar/i));
});
afterAll(async () => {
  await stage.close();
  await server.stop();
});

const statusOf = async (page: string): Promise<number> => (await fetch(`${health}${page}`)).status;

const ask = async (name: string, options: Readonly<Record<string, string>> = {}) =>
  textOf(await type(stage.sandbox.discord.person(ANA.id), name, options));

test("S4: a killed database is told to people and to health checks, and all goes on when it is back", async () => {
  expect(await statusOf("/readyz")).toBe(200);
  await server.kill();

  expect(await ask("vendas")).toMatch(
    /O banco de dados não responde agora[\s\S]*não moveu dinheiro\. Tente em um minuto/,
  );
  expect(await ask("saque", { valor: "50,00", chave: "ana@example.com" })).toContain(
    "O banco de dados não responde agora",
  );
  expect([await statusOf("/healthz"), await statusOf("/readyz")]).toEqual([503, 503]);
  expect(await statusOf("/metrics")).toBe(200);
  // A report falls due, and every job of the minute meets the outage.
  await stage.moveTo("2026-11-18T00:05:30Z");
  expect(stage.sandbox.discord.messages(CHANNELS.vendas.id)).toEqual([]);

  await server.start();
  while ((await statusOf("/readyz")) !== 200);
  expect(await ask("vendas")).toContain("Vendas de");
  await stage.bot().tick();
  expect(stage.sandbox.discord.messages(CHANNELS.vendas.id)).toHaveLength(1);
  expect(stage.logged()).not.toContain("exit ");
  const lines = stage.logged().split("\n");
  const count = (message: string) => lines.filter((line) => line.includes(message)).length;
  expect(count('"msg":"the database is away"')).toBe(1);
  expect(count('"msg":"the database answers again"')).toBe(1);
});
