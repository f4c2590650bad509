import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { shardOf } from "#src/sandbox/discord/guilds.ts";
import { freePort } from "#src/sandbox/free-port.ts";
import { type Sandbox, startSandbox } from "#src/sandbox/start-sandbox.ts";
import { ANA, CHANNELS, GUILD } from "#src/sandbox/world.ts";
import { databases } from "../support/databases.ts";
import { buttonOf, messageOf, openStage, recording, textOf, type } from "./support/stage.ts";
import { startProgram } from "./support/start-program.ts";

const READY = '"msg":"ready"';
const BEGUN = /"shards":\[([\d,]+)\],"pid":(\d+),"msg":"a process has begun"/g;
const ENDED = /"shards":\[([\d,]+)\],"code":(\d+|null),"signal":(\w+|"\w+"|null)/g;
type Program = ReturnType<typeof startProgram>;

const discord = { recommendedShards: 4 };
let sandbox: Sandbox;
let databaseUrl: string;
let cleanups: (() => unknown)[];

beforeEach(async () => {
  sandbox = await startSandbox({ discord, ...recording() });
  const database = await databases[1]!.create();
  databaseUrl = database.url;
  cleanups = [sandbox.stop, database.drop];
});
afterEach(async () => {
  for (const cleanup of cleanups.toReversed()) await cleanup();
});

/** Runs a program in each process before its own: the supervisor passes its options on. */
const preload = (program: string): readonly string[] => [
  "--import",
  `data:text/javascript,${encodeURIComponent(program)}`,
];
const sandboxClock = () =>
  preload(
    `const now = Temporal.Now.instant.bind(Temporal.Now); Object.defineProperty(Temporal.Now, "instant", { value: () => now().add({ milliseconds: ${Math.round(sandbox.clock.offsetMs())} }) });`,
  );
/** Runs a program in the place of each bot, for what is the supervisor's alone. */
const insteadOfBots = (program: string) =>
  preload(`if (process.argv[1].endsWith("start.js")) { ${program} }`);
/** Is ready at once, and ends as it is told: by SIGHUP as one that finds a wrong setting. */
const SERVE = `
  process.on("SIGTERM", () => process.exit(0));
  process.on("SIGHUP", () => process.exit(78));
  // Keeps it alive while the supervisor is.
  process.on("message", () => {});
  process.send({ _ready: true });
  console.error('${READY}');
  await new Promise(() => {});
`;

const supervise = (
  env: Readonly<Record<string, string>> = {},
  options: readonly string[] = sandboxClock(),
): Program => {
  const settings = { ...sandbox.botEnvironment(databaseUrl), LOG_LEVEL: "info", ...env };
  const program = startProgram("src/shards.js", settings, options);
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
const inDirect = async () => {
  const ana = sandbox.discord.person(ANA.id);
  return textOf(await type(ana, "conta ver", {}, ana.openDirectMessages()));
};

describe("npm run start:shards", () => {
  test("shares four shards between two processes, which answer, post one report and end with 0", async () => {
    const settings = { SHARDS: "3", SHARD_COUNT: "4" };
    const stage = await openStage(databases[1], { sandbox: { discord }, settings });
    ({ sandbox, databaseUrl } = stage);
    expect(shardOf(GUILD.id, 4)).toBe(3);
    await stage.setReport();
    const connected = messageOf(await stage.connectAna());
    const ana = sandbox.discord.person(ANA.id);
    await ana.click(connected.id, buttonOf(connected, /pode postar/i));
    await stage.bot().stop();

    sandbox.clock.moveTo(Temporal.Instant.from("2026-11-18T00:05:30Z"));
    const port = await freePort(2);
    const program = supervise({ HTTP_PORT: String(port) });
    await program.written(READY, 2);
    for (const each of [port, port + 1])
      expect((await fetch(`http://127.0.0.1:${each}/readyz`)).status).toBe(200);
    expect(begun(program).map(({ shards }) => shards)).toEqual(["0,1", "2,3"]);
    // The second waits for the first: by the times of the lines, because each process writes a turn's lines after it.
    expect(timesOf(program, READY)[0]).toBeLessThanOrEqual(
      timesOf(program, "a process has begun")[1]!,
    );
    expect(connections()).toBe(4);
    expect(await inDirect()).toContain(ANA.apiKey.slice(-4));
    const posted = () => sandbox.discord.messages(CHANNELS.vendas.id);
    await expect.poll(() => posted().length).toBe(1);

    // A terminal signals all of them.
    for (const { pid } of begun(program)) process.kill(pid, "SIGINT");
    program.child.kill("SIGINT");
    expect(await program.exited).toBe(0);
    expect(ended(program)).toEqual(["0,1: 0", "2,3: 0"]);
    expect(connections()).toBe(0);
    expect(posted().map(textOf)).toEqual([expect.stringContaining("Fechamento de terça, 17/11")]);
  });

  test("brings back a process that was killed, while the other one serves, and leaves none behind when it is killed itself", async () => {
    const program = supervise();
    await program.written(READY, 2);
    process.kill(begun(program)[1]!.pid, "SIGKILL");
    await program.written("a process has ended");
    expect(await inDirect()).toContain("Você não tem nenhuma chave conectada");
    await program.written(READY, 3);
    expect(begun(program).map(({ shards }) => shards)).toEqual(["0,1", "2,3", "2,3"]);
    expect(textOf(await type(sandbox.discord.person(ANA.id), "ajuda"))).toContain("Balcão");

    program.child.kill("SIGKILL");
    await expect.poll(connections).toBe(0);
    for (const { pid } of begun(program)) await expect.poll(() => isAlive(pid)).toBe(false);
  });

  test.each([
    ["stops all with 78 when it finds a wrong setting", {}, 0, 78],
    ["outgrown by the bot, ends with 75 where Discord chose the number of shards", {}, 8, 75],
    ["and with 78 where the operator did", { SHARDS: "0-3", SHARD_COUNT: "4" }, 8, 78],
  ])("%s", async (_, env, leastShards, code) => {
    const program = supervise(env, insteadOfBots(SERVE));
    await program.written(READY, 2);
    sandbox.discord.gateway.misbehave({ leastShards });
    process.kill(begun(program)[1]!.pid, "SIGHUP");
    expect(await program.exited).toBe(code);
    expect(ended(program)).toEqual(["0,1: 0", "2,3: 78"]);
  });

  test("starts one again that exits 75, until it is told to stop", async () => {
    const again = `if (process.env.SHARDS === "2,3") process.exit(75); ${SERVE}`;
    const program = supervise({}, insteadOfBots(again));
    await program.written("a process of the bot is started again", 2);
    program.child.kill("SIGTERM");
    expect(await program.exited).toBe(0);
    expect(ended(program).slice(0, 3)).toEqual(["0,1: 0", "2,3: 75", "2,3: 75"]);
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
