import { request as send } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningPage, startPage } from "#src/sandbox/page/page-server.ts";
import type { PageView } from "#src/sandbox/page/page-view.ts";
import { type Sandbox, startSandbox } from "#src/sandbox/start-sandbox.ts";
import { ANA, BRUNO } from "#src/sandbox/world.ts";
import { pushedView } from "./pushed-view.ts";

const START = Temporal.Instant.from("2026-11-21T17:30:00Z");
let sandbox: Sandbox;
let page: RunningPage;

beforeAll(async () => {
  sandbox = await startSandbox({ start: START });
  page = await startPage({ sandbox, port: 0 });
});
afterAll(async () => {
  await page.stop();
  await sandbox.stop();
});

interface Answer {
  readonly status: number | undefined;
  readonly text: string;
  readonly policy: string;
}

/** `fetch` cannot set the Host header. */
const ask = (
  path: string,
  options: { host?: string; origin?: string; method?: string; body?: unknown } = {},
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { host, origin, method = "GET", body } = options;
    const headers = {
      ...(host === undefined ? {} : { host }),
      ...(origin === undefined ? {} : { origin }),
    };
    const request = send(new URL(path, page.url), { method, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => (text += part));
      response.on("end", () =>
        resolve({
          status: response.statusCode,
          text,
          policy: String(response.headers["content-security-policy"]),
        }),
      );
    });
    request.on("error", reject).end(body === undefined ? undefined : JSON.stringify(body));
  });

const post = (path: string, body: unknown, origin = page.url): Promise<Answer> =>
  ask(path, { method: "POST", origin, body });

const firstView = (personId: string): Promise<PageView> =>
  pushedView(page.url, () => true, personId);

describe("the page's server", () => {
  test("answers nobody who calls this machine by another name", async () => {
    expect((await ask("/", { host: "balcao.example" })).status).toBe(403);
  });

  test("lets no other site act, nor a request without an origin", async () => {
    const move = { kind: "by", minutes: 60 };
    expect((await post("/clock", move, "https://example.com")).status).toBe(403);
    expect((await ask("/clock", { method: "POST", body: move })).status).toBe(403);
  });

  test("allows only its own scripts, by the policy that it sends", async () => {
    const { status, policy, text } = await ask("/");
    expect(status).toBe(200);
    expect(policy).toContain("default-src 'self'");
    expect(policy).toMatch(/script-src 'self' 'sha256-[\w+/=]+'(;|$)/);
    expect(text).not.toMatch(/<script>|\son\w+=/);
  });

  test("serves every module that another one imports", async () => {
    const { text } = await ask("/");
    const { imports } = JSON.parse(/<script type="importmap">(.*)<\/script>/.exec(text)?.[1] ?? "");
    const waiting = ["/client/app.ts"];
    const seen = new Set<string>();
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      if (seen.has(path)) continue;
      seen.add(path);
      const module = await ask(path);
      expect([path, module.status]).toEqual([path, 200]);
      const code = module.text.replaceAll(/\/\*[\s\S]*?\*\//g, "");
      for (const [, name = ""] of code.matchAll(/(?:from|import)\s*["']([^"'\s]+)["']/g)) {
        const prefix = Object.keys(imports).find(
          (key) => key.endsWith("/") && name.startsWith(key),
        );
        const mapped = imports[name] ?? (prefix && imports[prefix] + name.slice(prefix.length));
        waiting.push(mapped ?? new URL(name, `http://x${path}`).pathname);
      }
    }
    expect(seen.size).toBeGreaterThan(60);
  });

  test("serves nothing else of the disk", async () => {
    for (const path of [
      "/vendor/lit/package.json",
      "/vendor/lit/..%2f..%2fpackage.json",
      "/client/../page-server.ts",
      "/styles/..%2findex.html",
      "/vendor/undici/index.js",
    ]) {
      expect([path, (await ask(path)).status]).toEqual([path, 404]);
    }
  });

  test("shows the first person when nobody is named, and the named one otherwise", async () => {
    expect((await firstView("")).me.id).toBe(ANA.id);
    expect((await firstView(BRUNO.id)).me.name).toBe("Bruno");
  });

  test("moves the clock to the next 21:05 of Brasília, and never back", async () => {
    expect((await post("/clock", { kind: "next_report" })).text).toBe('{"outcome":"moved"}');
    expect(sandbox.clock.now().toString()).toMatch(/^2026-11-22T00:05:0/);
    const back = await post("/clock", { kind: "to", local: "2026-11-21T10:00" });
    expect(back.text).toBe('{"outcome":"past"}');
    expect((await firstView("")).now).toMatch(/^2026-11-22T00:05:/);
  });

  test("moves the clock up to 30 days at a time: beyond it, reports would come late", async () => {
    const before = sandbox.clock.now().epochMilliseconds;
    const far = await post("/clock", { kind: "to", local: "2026-12-25T10:00" });
    expect(far.text).toBe('{"outcome":"too_far"}');
    expect(sandbox.clock.now().epochMilliseconds - before).toBeLessThan(60_000);
  });

  test("refuses what the page would never send", async () => {
    expect((await post("/clock", { kind: "by", minutes: -1 })).status).toBe(400);
    expect((await post("/sell", { owner: "1", origin: "api", reais: 10 })).status).toBe(400);
    expect((await post("/act", { kind: "format", person: ANA.id })).status).toBe(400);
    expect((await post("/act", "x".repeat(70_000))).status).toBe(400);
  });

  test("takes options as long as Discord does", async () => {
    const act = (length: number) =>
      post("/act", {
        kind: "command",
        person: ANA.id,
        channelId: sandbox.discord.visibleTo(ANA.id).channels[0]?.id,
        name: "vendas",
        subcommand: null,
        options: { data: "x".repeat(length) },
      });
    expect((await act(6_000)).status).toBe(200);
    expect((await act(6_001)).status).toBe(400);
  });

  test("says that a command failed when no bot is connected", async () => {
    const { text } = await post("/act", {
      kind: "command",
      person: ANA.id,
      channelId: sandbox.discord.visibleTo(ANA.id).channels[0]?.id,
      name: "vendas",
      subcommand: null,
      options: {},
    });
    expect(JSON.parse(text)).toMatchObject({ kind: "failed" });
  });
});
