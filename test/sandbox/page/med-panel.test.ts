import { afterEach, beforeEach, expect, test } from "vitest";
import { type RunningPage, startPage } from "#src/sandbox/page/page-server.ts";
import type { PageMed } from "#src/sandbox/page/page-view.ts";
import { type Sandbox, startSandbox } from "#src/sandbox/start-sandbox.ts";
import { ANA } from "#src/sandbox/world.ts";
import { pushedWallet } from "./pushed-view.ts";

const OPEN = { kind: "open", owner: ANA.id, reais: 120, situation: "FRAUDE", hours: 5 };
const HOUR_MS = 3_600_000;

let sandbox: Sandbox;
let page: RunningPage;

beforeEach(async () => {
  sandbox = await startSandbox({ start: Temporal.Instant.from("2026-11-21T17:30:00Z") });
  page = await startPage({ sandbox, port: 0 });
});
afterEach(async () => {
  await page.stop();
  await sandbox.stop();
});

const post = (body: unknown): Promise<Response> =>
  fetch(`${page.url}/med`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: page.url },
    body: JSON.stringify(body),
  });
const outcome = async (body: object): Promise<unknown> => (await post(body)).json();
const meds = async (): Promise<readonly PageMed[]> =>
  (await pushedWallet(page.url, () => true)).meds;
const opened = async (): Promise<string> => {
  await post(OPEN);
  return (await meds())[0]?.infractionId ?? "";
};

test("those that can still change stand before the decided ones, and the oldest are left out", async () => {
  const states = (await meds()).map(({ state }) => state);
  expect(states).toEqual(["pending", "agreed", "disagreed", "pending", "canceled", "rejected"]);
});

test("one that is opened comes first, can be answered and decided, and its net leaves the balance", async () => {
  expect(await outcome(OPEN)).toEqual({ outcome: "done" });
  const { available, meds: shown } = await pushedWallet(page.url, () => true);
  expect(available).toBe(2_367.55);
  expect(shown[0]).toMatchObject({
    amount: 120,
    state: "pending",
    canAnswer: true,
    canDecide: true,
  });
});

test.each([
  [
    { kind: "answer", answer: "disagreed" },
    { state: "disagreed", canDecide: true },
  ],
  [
    { kind: "answer", answer: "agreed" },
    { state: "agreed", canDecide: true },
  ],
  [
    { kind: "decide", decision: "accepted" },
    { state: "accepted", canDecide: false },
  ],
  [
    { kind: "decide", decision: "rejected" },
    { state: "rejected", canDecide: false },
  ],
  [{ kind: "cancel" }, { state: "canceled", canDecide: false }],
])("%j is seen at once, and is refused the second time", async (act, seen) => {
  const infractionId = await opened();
  const body = { ...act, owner: ANA.id, infractionId };
  expect(await outcome(body)).toEqual({ outcome: "done" });
  const med = (await meds()).find((each) => each.infractionId === infractionId);
  expect(med).toMatchObject({ ...seen, canAnswer: false });
  expect(await outcome(body)).toEqual({ outcome: "refused" });
});

test("a deadline that passes is seen without anybody's doing", async () => {
  const infractionId = await opened();
  sandbox.clock.moveBy(5 * HOUR_MS - 150);
  const stateOf = (shown: readonly PageMed[]) =>
    shown.find((each) => each.infractionId === infractionId)?.state;
  const wallet = await pushedWallet(page.url, (each) => stateOf(each.meds) === "overdue");
  expect(wallet.meds[0]).toMatchObject({ state: "overdue", canAnswer: true });
});

test.each([
  { ...OPEN, owner: "1180000000000000203" },
  { ...OPEN, reais: 0 },
  { ...OPEN, hours: 0 },
  { ...OPEN, situation: "OUTRA" },
  { kind: "answer", owner: ANA.id, infractionId: "x", answer: "maybe" },
  { kind: "empty" },
])("what the page would never send is refused: %j", async (body) => {
  expect((await post(body)).status).toBe(400);
});
