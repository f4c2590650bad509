import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

let folder: string;
let demo: ChildProcess;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "balcao-demo-test-"));
});

afterEach(() => {
  demo.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

const run = (...args: readonly string[]): void => {
  demo = spawn(process.execPath, ["src/sandbox/demo.ts", ...args], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, TMPDIR: folder },
  });
};

const printed = async (pattern: RegExp): Promise<string> => {
  let text = "";
  for await (const piece of demo.stdout ?? []) {
    text += String(piece);
    const found = pattern.exec(text);
    if (found !== null) return found[1] ?? found[0];
  }
  throw new Error(`The demo ended without printing ${pattern}; it printed:\n${text}`);
};

const childrenOf = (pid: number | undefined): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);

const isGone = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
};

const leftovers = (): string[] =>
  readdirSync(folder).filter((name) => name.startsWith("balcao-demo-"));

/** The process tree is read from /proc. */
const onLinux = test.runIf(process.platform === "linux");

onLinux(
  "starting over brings a new demo to the address, and Ctrl+C leaves nothing behind",
  async () => {
    run();
    const url = await printed(/(http:\/\/127\.0\.0\.1:\d+)/);
    expect((await fetch(url)).status).toBe(200);
    const [bot] = childrenOf(demo.pid);
    expect(bot).toBeDefined();
    expect(leftovers()).toHaveLength(1);
    const answered = fetch(`${url}/start-over`, {
      method: "POST",
      headers: { origin: url },
      body: "{}",
    });
    expect((await answered).status).toBe(200);
    await expect.poll(() => isGone(bot ?? 0)).toBe(true);
    await expect.poll(() => fetch(url).then(({ status }) => status, String)).toBe(200);
    expect(leftovers()).toHaveLength(1);
    const [newBot] = childrenOf(demo.pid);
    expect(newBot).toBeDefined();
    demo.kill("SIGINT");
    expect(await once(demo, "exit")).toEqual([0, null]);
    expect(isGone(newBot ?? 0)).toBe(true);
    expect(leftovers()).toEqual([]);
  },
);

onLinux("the bot of a demo that was killed ends by itself", async () => {
  run();
  await printed(/http/);
  const [bot] = childrenOf(demo.pid);
  demo.kill("SIGKILL");
  await expect.poll(() => isGone(bot ?? 0)).toBe(true);
});

onLinux(
  "a SIGTERM for npm, which its shell keeps to itself, ends demo and bot all the same",
  async () => {
    // With a second command after it, the shell stays a parent process instead of becoming the demo.
    demo = spawn("sh", ["-c", `"${process.execPath}" src/sandbox/demo.ts; true`], {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, TMPDIR: folder, npm_lifecycle_event: "demo" },
    });
    const url = await printed(/(http:\/\/127\.0\.0\.1:\d+)/);
    const [node] = childrenOf(demo.pid);
    const [bot] = childrenOf(node);
    demo.kill("SIGTERM");
    await expect.poll(() => isGone(node ?? 0) && isGone(bot ?? 0), { timeout: 10_000 }).toBe(true);
    await expect(fetch(url)).rejects.toThrow();
    expect(leftovers()).toEqual([]);
  },
);

test("the check goes through the whole story and succeeds", async () => {
  run("--check");
  const [text, [code]] = await Promise.all([
    printed(/[^]*nada ficou para trás/),
    once(demo, "exit") as Promise<[number | null]>,
  ]);
  expect(code).toBe(0);
  expect(text.match(/✓/g)).toHaveLength(26);
  expect(leftovers()).toEqual([]);
});
