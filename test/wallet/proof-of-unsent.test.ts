import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import type { Dispatcher } from "undici";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { createMoneyAgent, sendRequest } from "#src/wallet/http.ts";
import { DEFAULT_LIMITS } from "#src/wallet/limits.ts";
import { type Answer, bytes, hang, reset, startAnsweringServer } from "./answering-server.ts";

const CHANNEL = "undici:client:sendHeaders";

/** Each as `path event`, in order. */
let events: string[] = [];

/** undici publishes this just before it writes a request: the proof of decisions 1.4. */
const onSendHeaders = (message: unknown) => {
  const { request } = message as { readonly request: { readonly path: string } };
  events.push(`${request.path} sendHeaders`);
};

beforeEach(() => {
  events = [];
  subscribe(CHANNEL, onSendHeaders);
});

afterEach(() => {
  unsubscribe(CHANNEL, onSendHeaders);
});

const watch = (agent: Dispatcher): Dispatcher =>
  Object.assign(Object.create(agent) as Dispatcher, {
    dispatch: (options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) =>
      agent.dispatch(options, {
        ...handler,
        onRequestStart: (controller, context) => {
          events.push(`${options.path} start`);
          handler.onRequestStart?.(controller, context);
        },
      }),
  });

/** Few connections, so that requests queue for one. */
const openAgent = (moneyConnections = 4) => {
  const agent = createMoneyAgent({ ...DEFAULT_LIMITS, moneyConnections });
  onTestFinished(() => agent.destroy());
  return agent;
};

const post = (dispatcher: Dispatcher, origin: string, path: string, deadlineMs: number) =>
  sendRequest(dispatcher, { origin, method: "POST", path, headers: {}, body: "{}" }, deadlineMs);

/** Our proof for a request beside undici's announcements. */
const ofPath = (path: string) => ({
  started: events.includes(`${path} start`),
  written: events.includes(`${path} sendHeaders`),
});

describe("a request that undici never gave a connection", () => {
  test.each<readonly [string, Answer | undefined]>([
    ["a port where nobody listens", undefined],
    ["silence", hang],
    ["a reset", reset],
    ["garbage", bytes("?")],
    ["a 500", { status: 500 }],
    ["an answer", { body: "{}" }],
  ])("was not announced as written either, when it met %s", async (_name, answer) => {
    const agent = openAgent();
    const server = answer && (await startAnsweringServer(answer));
    const origin = server?.baseUrl ?? "http://127.0.0.1:1";

    const outcome = await post(watch(agent), origin, "/one", answer === hang ? 1_000 : 10_000);

    const { started, written } = ofPath("/one");
    expect(started).toBe(server !== undefined);
    expect(written).toBe(started);
    expect(!outcome.complete && outcome.kind === "unreachable").toBe(!started);
    expect(events).toEqual(started ? ["/one start", "/one sendHeaders"] : []);
  });

  test("was not announced as written either, when its agent was closed or destroyed", async () => {
    const server = await startAnsweringServer({ body: "{}" });
    const closed = openAgent();
    await closed.close();
    const destroyed = openAgent();
    await destroyed.destroy();

    for (const agent of [closed, destroyed]) {
      const outcome = await post(watch(agent), server.baseUrl, "/one", 10_000);
      expect(outcome).toMatchObject({ complete: false, kind: "unreachable" });
    }
    expect(events).toEqual([]);
    expect(server.received).toEqual([]);
  });

  test("while it stood in line beyond its deadline never leaves afterwards", async () => {
    const arrived = Promise.withResolvers<Socket>();
    const server = await startAnsweringServer((socket) => arrived.resolve(socket));
    const agent = openAgent(1);
    const first = post(agent, server.baseUrl, "/first", 10_000);
    const holding = await arrived.promise;

    const outcome = await post(watch(agent), server.baseUrl, "/second", 5);
    holding.destroy();
    await first;
    await agent.close();

    expect(outcome).toMatchObject({ complete: false, kind: "unreachable", code: "DEADLINE" });
    expect(ofPath("/second").written).toBe(false);
    expect(server.received.map(({ path }) => path)).toEqual(["/first"]);
  });

  test("never reaches the service, wherever its deadline falls: 600 of them", async () => {
    const server = await startAnsweringServer({ body: "{}" });
    const agent = openAgent();
    const watched = watch(agent);
    const outcomes = new Map<string, string>();
    for (let round = 0; round < 10; round += 1) {
      const many = Array.from({ length: 60 }, async (_, n) => {
        const path = `/${round}-${n}`;
        const outcome = await post(watched, server.baseUrl, path, n / 6);
        outcomes.set(path, outcome.complete ? "complete" : outcome.kind);
      });
      await Promise.all(many);
    }
    // Queued requests get a connection now, or never.
    await agent.close();

    const arrived = new Set(server.received.map(({ path }) => path));
    const unsent = [...outcomes].filter(([, kind]) => kind === "unreachable").map(([path]) => path);
    expect(unsent.length).toBeGreaterThan(0);
    expect(unsent.filter((path) => arrived.has(path) || ofPath(path).written)).toEqual([]);
    expect(
      [...outcomes.keys()].filter((path) => ofPath(path).written && !ofPath(path).started),
    ).toEqual([]);
    expect(server.received.length).toBe(arrived.size);
  });
});
