import { afterEach, beforeEach, describe, expect, test } from "vitest";
import pg from "pg";
import { shardOf } from "#src/sandbox/discord/guilds.ts";
import { freePort } from "#src/sandbox/free-port.ts";
import { type Sandbox, startSandbox } from "#src/sandbox/start-sandbox.ts";
import { ANA, CARLA, CHANNELS, GUILD } from "#src/sandbox/world.ts";
import { databases, type TestDatabase } from "../support/databases.ts";
import { buttonOf, connect, messageOf, recording, textOf, type } from "./support/stage.ts";
import { startProgram } from "./support/start-program.ts";

const READY = '"msg":"ready"';
const BEGUN = /"shards":\[([\d,]+)\],"pid":(\d+),"msg":"a process has begun"/g;
const ENDED = /"shards":\[([\d,]+)\],"code":(\d+|null),"signal":(\w+|"\w+"|null)/g;
type Program = ReturnType<typeof startProgram>;

let sandbox: Sandbox;
let database: TestDatabase;
let cleanups: (() => unknown)[];

beforeEach(async () => {
  const start = Temporal.Instant.from("2026-11-17T12:00:00Z");
  sandbox = await startSandbox({ start, discord: { recommendedShards: 4 }, ...recording() });
  database = await databases[1]!.create();
  cleanups = [() => sandbox.stop(), database.drop];
});
afterEach(async () => {
  for (const cleanup of cleanups.toReversed()) await cleanup();
});

/** A clock for all processes, passed on by the supervisor's options. */
const clockOption = (): string =>
  `data:text/javascript,const now = Temporal.Now.instant.bind(Temporal.Now); Object.defineProperty(Temporal.Now, "instant", { value: () => now().add({ milliseconds: ${Math.round(sandbox.clock.offsetMs())} }) });`;

const supervise = (env: Readonly<Record<string, string>> = {}): Program => {
  const settings = { ...sandbox.botEnvironment(database.url), LOG_LEVEL: "info", ...env };
  const program = startProgram("src/shards.js", settings, ["--import", clockOption()]);
  cleanups.push(program.kill);
  return program;
};
const begun = ({ output }: Program) =>
  [...output().matchAll(BEGUN)].map(([, shards, pid]) => ({ shards, pid: Number(pid) }));
const timesOf = ({ output }: Program, message: string) =>
  output()
    .split("\n")
    .filter((line) => line.includes(message))
    .map((line) => Number(/"time":(\d+)/.exec(line)?.[1]));
const ended = ({ output }: Program) =>
  [...output().matchAll(ENDED)].map(([, shards, code]) => `${shards}: ${code}`).sort();
const connections = () => sandbox.discord.gateway.connections();

/** Direct messages belong to shard 0. */
const inDirect = () => {
  const ana = sandbox.discord.person(ANA.id);
  return type(ana, "conta ver", {}, ana.openDirectMessages());
};

describe("npm run start:shards", () => {
  test("shares four shards between two processes, which answer, post one report and end with 0", async () => {
    const port = await freePort(2);
    const first = supervise({ HTTP_PORT: String(port) });
    await first.written(READY, 2);
    for (const each of [port, port + 1])
      expect((await fetch(`http://127.0.0.1:${each}/readyz`)).status).toBe(200);
    expect(begun(first).map(({ shards }) => shards)).toEqual(["0,1", "2,3"]);
    // The second waits for the first: by the times of the lines, because each process writes a turn's lines after it.
    expect(timesOf(first, READY)[0]).toBeLessThanOrEqual(timesOf(first, "a process has begun")[1]!);
    expect(connections()).toBe(4);
    expect(shardOf(GUILD.id, 4)).toBe(3);
    expect(textOf(await inDirect())).toContain("Você não tem nenhuma chave conectada");

    const carla = sandbox.discord.person(CARLA.id);
    await type(carla, "config relatorio", { canal: CHANNELS.vendas.id });
    const ana = sandbox.discord.person(ANA.id);
    const connected = messageOf(await connect(ana, ANA.apiKey));
    await ana.click(connected.id, buttonOf(connected, /pode postar/i));
    expect(textOf(await inDirect())).toContain(ANA.apiKey.slice(-4));
    first.child.kill("SIGTERM");
    expect(await first.exited).toBe(0);
    expect(ended(first)).toEqual(["0,1: 0", "2,3: 0"]);
    expect(connections()).toBe(0);

    sandbox.clock.moveTo(Temporal.Instant.from("2026-11-18T00:05:30Z"));
    const second = supervise();
    await second.written(READY, 2);
    const posted = () => sandbox.discord.messages(CHANNELS.vendas.id);
    await expect.poll(() => posted().length).toBe(1);
    // A terminal signals all of them.
    for (const { pid } of begun(second)) process.kill(pid, "SIGINT");
    second.child.kill("SIGINT");
    expect(await second.exited).toBe(0);
    expect(ended(second)).toEqual(["0,1: 0", "2,3: 0"]);
    expect(posted().map(textOf)).toEqual([expect.stringContaining("Fechamento de terça, 17/11")]);
  });

  test("brings back a process that was killed, while the other one serves, and stops all with 78 when it finds a wrong setting", async () => {
    const program = supervise();
    await program.written(READY, 2);
    process.kill(begun(program)[1]!.pid, "SIGKILL");
    await program.written("a process has ended");
    expect(textOf(await inDirect())).toContain("Você não tem nenhuma chave conectada");
    await program.written(READY, 3);
    expect(begun(program).map(({ shards }) => shards)).toEqual(["0,1", "2,3", "2,3"]);
    expect(textOf(await type(sandbox.discord.person(ANA.id), "ajuda"))).toContain("Balcão");

    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(
      "update meta set value = 'https://another.example' where name = 'wallet_environment'",
    );
    await client.end();
    process.kill(begun(program)[2]!.pid, "SIGKILL");
    expect(await program.exited).toBe(78);
    expect(ended(program)).toEqual(["0,1: 0", "2,3: 78", "2,3: null", "2,3: null"]);
  });

  test("outgrown by the bot, ends with 75 where Discord chose the number of shards, and with 78 where the operator did", async () => {
    const grown = async (program: Program): Promise<number | null> => {
      await program.written(READY);
      sandbox.discord.gateway.misbehave({ leastShards: 8 });
      sandbox.discord.gateway.invalidate();
      const code = await program.exited;
      sandbox.discord.gateway.misbehave({ leastShards: 0 });
      return code;
    };
    const one = { SHARD_PROCESSES: "1" };
    expect(await grown(supervise(one))).toBe(75);
    expect(await grown(supervise({ ...one, SHARDS: "0-3", SHARD_COUNT: "4" }))).toBe(78);
  });

  test("leaves none behind when it is killed itself", async () => {
    const program = supervise();
    await program.written(READY, 2);
    program.child.kill("SIGKILL");
    await expect.poll(connections).toBe(0);
    for (const { pid } of begun(program)) await expect.poll(() => isAlive(pid)).toBe(false);
  });

  test("starts one again that exits 75, until it is told to stop", async () => {
    const program = supervise({
      DATABASE_URL: "postgres://u:p@127.0.0.1:1/x",
      SHARDS: "0-1",
      SHARD_COUNT: "4",
    });
    await program.written("a process of the bot is started again", 2);
    program.child.kill("SIGTERM");
    expect(await program.exited).toBe(0);
    expect(ended(program).slice(0, 2)).toEqual(["0: 75", "0: 75"]);
  });

  test("told to stop while it asks Discord for the number of shards, starts none and ends with 0", async () => {
    const failed = sandbox.faults.failNext("GET /gateway/bot", { kind: "reset", at: "before" });
    const program = supervise();
    await expect.poll(failed.left).toBe(0);
    program.child.kill("SIGTERM");
    expect(await program.exited).toBe(0);
    expect(begun(program)).toEqual([]);
  });

  test.each([
    ["SQLite", { DATABASE_URL: "sqlite::memory:" }, /^Several processes need PostgreSQL: .*\n$/],
    [
      "a token that Discord refuses",
      { DISCORD_TOKEN: "another-sandbox-token-000000" },
      /Discord refuses DISCORD_TOKEN/,
    ],
  ])("with %s says so and exits 78", async (_, env, sentence) => {
    const program = supervise(env);
    expect(await program.exited).toBe(78);
    expect(program.output()).toMatch(sentence);
    expect(begun(program)).toEqual([]);
  });
});

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
