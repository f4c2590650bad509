import { request } from "undici";
import { expect, test } from "vitest";
import { createFaults, type Fault, type FaultKind } from "#src/sandbox/faults.ts";
import { APPLICATION, CHANNELS } from "#src/sandbox/world.ts";
import { type Running, startDiscord } from "./running.ts";

const ROUTE = "POST /channels/{id}/messages";

const post = async ({ discord }: Running): Promise<string> => {
  const response = await request(`${discord.apiUrl}/v10/channels/${CHANNELS.vendas.id}/messages`, {
    method: "POST",
    headers: { authorization: `Bot ${APPLICATION.token}`, "content-type": "application/json" },
    body: JSON.stringify({ content: "oi" }),
    headersTimeout: 5_000,
  });
  return `${response.statusCode} ${await response.body.text()}`;
};

const KINDS: readonly (readonly [FaultKind, RegExp])[] = [
  [{ kind: "status", status: 500 }, /^500 \{/],
  [{ kind: "status", status: 502 }, /^502 \{/],
  [{ kind: "reset" }, /ECONNRESET/],
  [{ kind: "hang", ms: 10 }, /ECONNRESET/],
  [{ kind: "html" }, /^200 <!doctype html>/],
  [{ kind: "html", status: 403 }, /^403 <!doctype html>/],
  [{ kind: "broken_json" }, /^200 \{"id": "\d+$/],
  [{ kind: "close" }, /UND_ERR_SOCKET/],
];

for (const at of ["before", "after"] as const) {
  test.for(KINDS)(`a fault ${at} the effect: %o`, async ([kind, answered]) => {
    const running = await startDiscord();
    running.faults.failNext(ROUTE, { ...kind, at });
    const outcome = await post(running).catch((error: unknown) =>
      String((error as { code?: string }).code),
    );
    expect(outcome).toMatch(answered);
    const made = running.discord.messages(CHANNELS.vendas.id);
    expect(made).toHaveLength(at === "before" ? 0 : 1);
    expect(running.discord.requests().at(-1)).toMatchObject({ route: ROUTE, faulty: true });
    expect(await post(running)).toMatch(/^200 \{.*\}$/);
  });
}

test("a request that hangs for good ends when the server stops", async () => {
  const running = await startDiscord();
  running.faults.failNext(ROUTE, { kind: "hang", at: "after" });
  const changed = new Promise((resolve) => {
    running.discord.onChange(() => resolve(undefined));
  });
  const hanging = post(running).catch((error: unknown) => (error as { code: string }).code);
  await changed;
  await running.discord.stop();
  expect(await hanging).toMatch(/UND_ERR_SOCKET|ECONNRESET/);
});

const drawn = (seed: number, routes: readonly string[]): readonly (Fault | undefined)[] => {
  const faults = createFaults({
    seed,
    share: 0.35,
    faults: KINDS.map(([kind]) => ({ ...kind, at: "after" })),
  });
  return routes.map((route) => faults.next(route));
};

test("a plan fails its share of the requests, the same ones for the same seed", () => {
  const routes = Array.from({ length: 10_000 }, () => ROUTE);
  const failed = drawn(1, routes).filter((fault) => fault !== undefined);
  expect(failed.length).toBeGreaterThan(3_200);
  expect(failed.length).toBeLessThan(3_800);
  expect(drawn(1, routes)).toEqual(drawn(1, routes));
  expect(drawn(2, routes)).not.toEqual(drawn(1, routes));
  expect(new Set(failed.map((fault) => JSON.stringify(fault))).size).toBe(KINDS.length);
});

test("requests of other routes in between change nothing", () => {
  const alone = drawn(
    7,
    Array.from({ length: 100 }, () => ROUTE),
  );
  const mixed = drawn(
    7,
    Array.from({ length: 200 }, (_, at) => (at % 2 === 0 ? ROUTE : "GET /users/@me")),
  );
  expect(mixed.filter((_, at) => at % 2 === 0)).toEqual(alone);
});

test("a plan may leave routes alone, and ends when told", () => {
  const fault: Fault = { kind: "reset", at: "before" };
  const faults = createFaults();
  faults.setPlan({ seed: 1, share: 1, faults: [fault], appliesTo: (route) => route === "a" });
  expect([faults.next("a"), faults.next("b")]).toEqual([fault, undefined]);
  faults.setPlan(undefined);
  expect(faults.next("a")).toBeUndefined();
  expect(faults.count()).toBe(1);
});
