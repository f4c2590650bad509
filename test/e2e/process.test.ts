import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { commands } from "#commands/index.ts";
import { type Sandbox, startSandbox } from "#src/sandbox/start-sandbox.ts";
import { ANA } from "#src/sandbox/world.ts";
import { temporaryFolder } from "../support/databases.ts";
import { formOf, openStage, recording, textOf, type } from "./support/stage.ts";
import { startProgram } from "./support/start-program.ts";

const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

const run = (...how: Parameters<typeof startProgram>) => {
  const program = startProgram(...how);
  cleanups.push(program.kill);
  return program;
};

const sandboxEnvironment = async (): Promise<{ sandbox: Sandbox; env: Record<string, string> }> => {
  const folder = temporaryFolder();
  const sandbox = await startSandbox(recording());
  cleanups.push(
    () => folder.remove(),
    () => sandbox.stop(),
  );
  const databaseUrl = `sqlite:${join(folder.path, "balcao.db")}`;
  return { sandbox, env: { ...sandbox.botEnvironment(databaseUrl), LOG_LEVEL: "info" } };
};

const CACHE = join(import.meta.dirname, "../../node_modules/.cache");

/** Makes the process believe that it runs on an older Node. */
const OLD_NODE = `data:text/javascript,Object.defineProperty(process, "versions", { value: { node: "20.20.2" } })`;

const preload = (program: string): readonly string[] => [
  "--import",
  `data:text/javascript,${encodeURIComponent(program)}`,
];

/** Writes the name of each module of the bot that is loaded, and ends before the first of its sources. */
const NAME_MODULES = preload(`
  import { registerHooks } from "node:module";
  import { writeSync } from "node:fs";
  registerHooks({ load: (url, context, next) => {
    const name = /\\/(?:src|commands)\\/.*|\\/balcao\\/[0-9a-f]{64}\\.mjs$/.exec(url)?.[0];
    if (name !== undefined) writeSync(1, "loaded " + name + "\\n");
    if (name === "/src/main.ts") process.exit(0);
    return next(url, context);
  } });
`);
/** Adds the name of each step that makes the bundle last to a file. */
const nameWrites = (file: string) => {
  const inBundler = preload(`
    import fs from "node:fs";
    import { syncBuiltinESMExports } from "node:module";
    for (const name of ["fsyncSync", "renameSync"]) {
      const real = fs[name];
      fs[name] = (...given) => {
        fs.appendFileSync(${JSON.stringify(file)}, name + "\\n");
        return real(...given);
      };
    }
    syncBuiltinESMExports();
  `);
  return preload(`
    import programs from "node:child_process";
    import { syncBuiltinESMExports } from "node:module";
    const real = programs.spawnSync;
    programs.spawnSync = (node, given, how) => real(node, [...${JSON.stringify(inBundler)}, ...given], how);
    syncBuiltinESMExports();
  `);
};
/** Names the folder of the compile cache, and ends before anything is compiled into it. */
const NAME_CACHE = preload(`
  import module from "node:module";
  import { writeSync } from "node:fs";
  module.enableCompileCache = (folder) => {
    writeSync(1, String(folder));
    process.exit(0);
  };
  module.syncBuiltinESMExports();
`);
/** Ends the 20 s of a stop at once. */
const SHORT_STOP = preload(`
  process.once("SIGTERM", () => {
    const real = setTimeout;
    globalThis.setTimeout = (work, ms, ...given) => real(work, ms === 20_000 ? 0 : ms, ...given);
  });
`);
/** Runs another program in the place of the bundler. */
const bundledBy = (program: string) =>
  preload(`
  import fs from "node:fs";
  import programs from "node:child_process";
  import { syncBuiltinESMExports } from "node:module";
  const real = programs.spawnSync;
  fs.existsSync = () => false;
  programs.spawnSync = (node, given, how) => real(node, ["--eval", ${JSON.stringify(program)}], how);
  syncBuiltinESMExports();
`);

describe("npm start", () => {
  test("loads the bot as one module, which it makes when it is missing, and flushes to the disk before it gets its name", async () => {
    const folder = join(CACHE, "balcao");
    rmSync(folder, { recursive: true, force: true });
    const temporary = temporaryFolder();
    cleanups.push(() => temporary.remove());
    const writes = join(temporary.path, "writes");
    for (const _ of [1, 2]) {
      const { exited, output } = run("src/start.js", {}, [...NAME_MODULES, ...nameWrites(writes)]);
      expect(await exited).toBe(78);
      expect(output().match(/(?<=^loaded ).*(?=$)/gm)).toEqual([
        "/src/start.js",
        "/src/require-node.js",
        "/src/compile-cache.js",
        "/src/bundle.js",
        `/balcao/${readdirSync(folder).join()}`,
      ]);
      expect(readFileSync(writes, "utf8")).toBe("fsyncSync\nrenameSync\n");
    }
  });

  test.each([
    "src/start.js",
    "src/shards.js",
    "src/reports/picture/picture-worker.js",
    "src/print/print-worker.js",
  ])("%s keeps no compiled code where other users may write", async (program) => {
    const { exited, output } = run(program, { NODE_COMPILE_CACHE: "" }, NAME_CACHE);
    expect(await exited).toBe(0);
    expect(output()).toBe(join(CACHE, "balcao-compiled"));
  });

  test.each([
    ["cannot be written", `throw Error("EROFS: read-only file system")`, "Error: EROFS: read-only"],
    [
      "is not finished, as its process is killed",
      `process.kill(process.pid, "SIGKILL")`,
      "SIGKILL",
    ],
  ])("starts from its sources where the bundle %s, and says why", async (_, program, reason) => {
    const { exited, output } = run("src/start.js", {}, [...NAME_MODULES, ...bundledBy(program)]);
    expect(await exited).toBe(0);
    expect(output()).toContain(`Balcão could not be bundled in node_modules/.cache (${reason}`);
    expect(output()).toContain("loaded /src/main.ts");
  });

  test("goes on where a sentence cannot be written, as the reader of its log has ended", async () => {
    const { sandbox, env } = await sandboxEnvironment();
    const { child, exited } = run("src/start.js", env, bundledBy("process.exit(1)"));
    child.stderr.destroy();
    await expect.poll(sandbox.discord.gateway.connections, { timeout: 20_000 }).toBe(1);
    child.kill("SIGTERM");
    expect(await exited).toBe(0);
  });

  test("on an older Node says which one it needs and how to get it, and exits 78", async () => {
    const { exited, output } = run("src/start.js", {}, ["--import", OLD_NODE]);
    expect(await exited).toBe(78);
    expect(output()).toMatch(/^Balcão needs Node 26 .* this is Node 20\.20\.2: install .*\n$/);
  });

  test("without variables lists every problem, names the demo, exits 78, and leaves no file in the temporary folder", async () => {
    const folder = temporaryFolder();
    cleanups.push(() => folder.remove());
    const { exited, output } = run("src/start.js", { TMPDIR: folder.path, NODE_COMPILE_CACHE: "" });
    expect(await exited).toBe(78);
    expect(readdirSync(folder.path)).toEqual([]);
    for (const word of ["DISCORD_TOKEN", "WALLET_BASE_URL", "MASTER_KEY", "npm run demo"])
      expect(output()).toContain(word);
  });

  test("S16: a damaged database is told in one sentence, without a stack, and exits 78", async () => {
    const { env } = await sandboxEnvironment();
    writeFileSync(env["DATABASE_URL"]!.slice("sqlite:".length), "somebody's letter ".repeat(300));
    const { exited, output } = run("src/start.js", env);
    expect(await exited).toBe(78);
    expect(output()).toMatch(/is damaged or is no database: .*npm run restore -- FILE/);
    expect(output()).not.toMatch(/ {4}at |node:|"stack"/);
  });

  test("registers the commands, serves, exits 0 on SIGTERM", async () => {
    const { sandbox, env } = await sandboxEnvironment();
    const { child, exited, written } = run("src/start.js", env);
    await written('"msg":"ready"');
    expect(
      sandbox.discord
        .commands()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(commands.map(({ definition }) => definition.name).sort());
    const shown = await type(sandbox.discord.person(ANA.id), "ajuda");
    expect(textOf(shown)).toContain("Balcão");
    child.kill("SIGTERM");
    expect(await exited).toBe(0);
  });

  test("says which key its ring lacks, where a part of the database needs it", async () => {
    const stage = await openStage();
    const said = async (ring: string): Promise<string> => {
      const before = stage.logged().length;
      await stage.restart({ MASTER_KEY: ring });
      return stage.logged().slice(before);
    };
    const first = stage.sandbox.botEnvironment("")["MASTER_KEY"]!;
    const next = `next:${randomBytes(32).toString("base64")}`;
    const lacks = /^The key ring \(MASTER_KEY\) lacks a key .* \(next\): .* add the line /m;
    expect(await said(`${next}\n${first}`)).not.toMatch(lacks);
    await stage.connectAna();
    expect(await said(first)).toMatch(lacks);
    expect(await said(`${first}\n${next}`)).not.toMatch(lacks);
  });

  test("finishes what is in flight before it stops, and exits 0 on SIGINT too", async () => {
    const { sandbox, env } = await sandboxEnvironment();
    const { child, exited, written } = run("src/start.js", env);
    await written('"msg":"ready"');
    const ana = sandbox.discord.person(ANA.id);
    const form = formOf(await type(ana, "conta conectar"));
    sandbox.wallet.settings.latencyMs = 1_300;
    const answer = ana.submitModal(form, { api_key: ANA.apiKey });
    await expect.poll(() => sandbox.discord.requests().at(-1)?.body).toMatchObject({ type: 5 });
    child.kill("SIGINT");
    expect(textOf(await answer)).toContain("Chave conectada");
    expect(await exited).toBe(0);
  });

  test("exits 1 when it could not stop in 20 s, and says so", async () => {
    const { sandbox, env } = await sandboxEnvironment();
    const { child, exited, written, output } = run("src/start.js", env, SHORT_STOP);
    await written('"msg":"ready"');
    const ana = sandbox.discord.person(ANA.id);
    const form = formOf(await type(ana, "conta conectar"));
    sandbox.wallet.settings.latencyMs = 60_000;
    void ana.submitModal(form, { api_key: ANA.apiKey });
    await expect.poll(() => sandbox.discord.requests().at(-1)?.body).toMatchObject({ type: 5 });
    child.kill("SIGTERM");
    expect(await exited).toBe(1);
    expect(output()).toContain("stopped after 20 s with work under way");
  });

  test("exits 78 when Discord closes with 4004, and says at any log level that it refuses the token", async () => {
    const { sandbox, env } = await sandboxEnvironment();
    const { exited, output } = run("src/start.js", { ...env, LOG_LEVEL: "fatal" });
    await expect.poll(sandbox.discord.gateway.connections, { timeout: 10_000 }).toBe(1);
    sandbox.discord.gateway.drop(4004);
    expect(await exited).toBe(78);
    expect(output()).toMatch(/^Discord refuses DISCORD_TOKEN: copy the bot's token again\.$/m);
  });

  test("exits 78 when Discord refuses the token", async () => {
    const { env } = await sandboxEnvironment();
    const { exited } = run("src/start.js", {
      ...env,
      DISCORD_TOKEN: "another-sandbox-token-000000",
    });
    expect(await exited).toBe(78);
  });

  test.each([
    ["Discord cannot be reached", { DISCORD_API_URL: "http://127.0.0.1:1/api" }],
    ["PostgreSQL cannot be reached", { DATABASE_URL: "postgres://u:hidden-words@127.0.0.1:1/x" }],
  ])("exits 75 when %s, so that its supervisor tries again", async (_, changed) => {
    const { env } = await sandboxEnvironment();
    const { exited, output } = run("src/start.js", { ...env, ...changed });
    expect(await exited).toBe(75);
    expect(output()).toMatch(/^(Discord|The database) .*later/m);
    expect(output()).not.toContain("hidden-words");
  });
});
