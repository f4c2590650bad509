import { afterAll, beforeAll, expect, test } from "vitest";
import { ANA, CHANNELS } from "#src/sandbox/world.ts";
import { type RunningPostgres, startPostgres } from "../support/start-postgres.ts";
import { freePort } from "#src/sandbox/free-port.ts";
import { buttonOf, messageOf, startStage, type Stage, textOf, type } from "./support/stage.ts";

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
