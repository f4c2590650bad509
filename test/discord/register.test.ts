import { execFile, fork } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { commands } from "#commands/index.ts";
import { PROGRAM_ENVIRONMENT } from "../support/program-environment.ts";
import { runHere } from "../support/run-here.ts";
import { startFakeRest, type FakeRest, type RestConduct } from "./support/fake-rest.ts";
import { APPLICATION_ID } from "./support/interactions.ts";

const TOKEN = "a-bot-token-of-the-tests";
const COMMANDS_PATH = `/api/v10/applications/${APPLICATION_ID}/commands`;

let discord: FakeRest;
beforeEach(async () => {
  discord = await startFakeRest();
});
afterEach(() => discord.stop());

/** As an operator starts it. */
const register = (env: Readonly<Record<string, string>>) =>
  new Promise<{ code: number | null; output: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      ["src/register.ts"],
      { env: { ...PROGRAM_ENVIRONMENT, ...env } },
      (_, stdout, stderr) => resolve({ code: child.exitCode, output: stdout + stderr }),
    );
  });

test("publishes all commands once, and finds them there the next time", async () => {
  let held: unknown = [];
  discord.answer(({ method, path, body }) => {
    if (path === "/api/v10/applications/@me") return { status: 200, body: { id: APPLICATION_ID } };
    if (method === "PUT") held = body;
    return { status: 200, body: held };
  });
  const env = { DISCORD_TOKEN: TOKEN, DISCORD_API_URL: discord.apiUrl };
  expect(await register(env)).toEqual({
    code: 0,
    output: `Published ${commands.length} commands.\n`,
  });
  expect(await runHere("register", env)).toMatchObject({
    code: 0,
    said: expect.stringContaining("nothing"),
  });
  expect(discord.requests.filter(({ method }) => method === "PUT")).toMatchObject([
    { path: COMMANDS_PATH, headers: { authorization: `Bot ${TOKEN}` } },
  ]);
});

test.each([
  [
    { status: 403, headers: { "content-type": "text/html" }, body: "<html>Attention</html>" },
    {
      code: 75,
      said: "Discord does not serve us now (GET /applications/@me answered 403): try again later.\n",
    },
  ],
  [
    { status: 403, body: { code: 20001, message: "Only users can use this" } },
    { code: 1, said: "GET /applications/@me answered 403 (20001).\n" },
  ],
  [
    { status: 503, body: "" },
    {
      code: 75,
      said: "Discord does not serve us now (GET /applications/@me answered 503): try again later.\n",
    },
  ],
  ["reset", { code: 75, said: "Discord did not answer: try again later.\n" }],
] satisfies readonly (readonly [RestConduct, object])[])(
  "a first answer %j is told in a sentence",
  async (conduct, told) => {
    discord.answer(() => conduct);
    expect(
      await runHere("register", { DISCORD_TOKEN: TOKEN, DISCORD_API_URL: discord.apiUrl }),
    ).toEqual(told);
  },
);

test("a limit that lasts is told in a sentence, and not waited out", async () => {
  discord.answer(({ method, path }) => {
    if (path === "/api/v10/applications/@me") return { status: 200, body: { id: APPLICATION_ID } };
    if (method === "GET") return { status: 200, body: [] };
    const headers = { "retry-after": "3600" };
    return { status: 429, headers, body: { code: 30034, retry_after: 3600, global: false } };
  });
  expect(
    await runHere("register", { DISCORD_TOKEN: TOKEN, DISCORD_API_URL: discord.apiUrl }),
  ).toEqual({
    code: 75,
    said: `Discord does not serve us now (PUT /applications/${APPLICATION_ID}/commands answered 429): try again later.\n`,
  });
});

/** Timers of a minute or longer fire at the first message from the test. */
const HELD_TIMERS = `
  const { setTimeout } = globalThis;
  const held = [];
  globalThis.setTimeout = (end, ms, ...given) => {
    if (ms < 60_000) return setTimeout(end, ms, ...given);
    held.push(end);
    return setTimeout(() => {});
  };
  process.once("message", () => {
    process.disconnect();
    for (const end of held) end();
  });`;

test("an answer without an end is told in a sentence once its time is over", async () => {
  discord.answer(() => ({ status: 200, stall: true }));
  const child = fork("src/register.ts", {
    env: { ...PROGRAM_ENVIRONMENT, DISCORD_TOKEN: TOKEN, DISCORD_API_URL: discord.apiUrl },
    execArgv: ["--import", `data:text/javascript,${encodeURIComponent(HELD_TIMERS)}`],
    silent: true,
  });
  onTestFinished(() => void child.kill());
  await discord.request(({ path }) => path === "/api/v10/applications/@me");
  child.send("over");
  const [output, exit] = await Promise.all([
    text(child.stdout as Readable),
    once(child, "exit") as Promise<[code: number]>,
  ]);
  expect(output).toBe("Discord did not answer: try again later.\n");
  expect(exit[0]).toBe(75);
});
