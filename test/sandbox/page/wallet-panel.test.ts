import { afterEach, beforeEach, expect, test } from "vitest";
import { type RunningPage, startPage } from "#src/sandbox/page/page-server.ts";
import type { PageWallet } from "#src/sandbox/page/page-view.ts";
import { type Sandbox, startSandbox } from "#src/sandbox/start-sandbox.ts";
import { ANA, BRUNO } from "#src/sandbox/world.ts";
import { pushedWallet } from "./pushed-view.ts";

const PIX_KEY = "painel@lojaaurora.example";
const DASHBOARD = { kind: "dashboard", owner: ANA.id, reais: 35, pixKey: PIX_KEY, turbo: true };

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
  fetch(`${page.url}/wallet`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: page.url },
    body: JSON.stringify(body),
  });

const pushed = (fits: (wallet: PageWallet) => boolean): Promise<PageWallet> =>
  pushedWallet(page.url, fits);
const now = (): Promise<PageWallet> => pushed(() => true);

const withdraw = (): Promise<Response> =>
  fetch(`${sandbox.wallet.baseUrl}/v1/withdraw`, {
    method: "POST",
    headers: { authorization: `Bearer ${ANA.apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ amount: 50, pixKey: PIX_KEY, turbo: true }),
  });

test("the view has both sellers' balances, and nothing withdrawn at first", async () => {
  expect(await now()).toMatchObject({
    personId: ANA.id,
    name: "Ana",
    available: 2_480.35,
    trouble: { loseAnswer: false, loseRequest: false, fail: false },
    withdrawals: [],
  });
});

test("a withdrawal in the dashboard lowers the balance, and is seen to be paid by itself", async () => {
  expect(await (await post(DASHBOARD)).json()).toEqual({ refused: null });
  expect(await now()).toMatchObject({
    available: 2_445.35,
    withdrawals: [{ amount: 35, source: "dashboard", status: "processing", pixKey: PIX_KEY }],
  });
  sandbox.clock.moveBy(5_900);
  const paid = await pushed(({ withdrawals }) => withdrawals[0]?.status === "completed");
  expect(paid.available).toBe(2_445.35);
});

test("what the service refuses in the dashboard is told in its words", async () => {
  await post(DASHBOARD);
  const { refused } = (await (await post(DASHBOARD)).json()) as { readonly refused: string };
  expect(refused).toContain("pendente");
});

test("an answer that is set to be lost is lost once, and the withdrawal is made", async () => {
  await post({ kind: "lose_answer", on: true });
  expect((await now()).trouble).toMatchObject({ loseAnswer: true, loseRequest: false });
  await expect(withdraw()).rejects.toThrow();
  expect(await now()).toMatchObject({
    trouble: { loseAnswer: false },
    withdrawals: [{ source: "api" }],
  });
  expect((await withdraw()).status).toBe(409);
});

test("a request that is set to be lost is not carried out", async () => {
  await post({ kind: "lose_request", on: true });
  await expect(withdraw()).rejects.toThrow();
  expect(await now()).toMatchObject({ trouble: { loseRequest: false }, withdrawals: [] });
  expect((await withdraw()).status).toBe(200);
});

test("a switch that was put back changes nothing", async () => {
  for (const on of [true, false]) {
    await post({ kind: "lose_answer", on });
    await post({ kind: "fail", owner: ANA.id, on });
  }
  expect((await withdraw()).status).toBe(200);
  expect(sandbox.wallet.executed(ANA.id)).toMatchObject([{ end: { status: "completed" } }]);
});

test("the next withdrawal of an account fails when set to, that of another does not", async () => {
  await post({ kind: "fail", owner: BRUNO.id, on: true });
  await withdraw();
  expect(sandbox.wallet.executed(ANA.id)).toMatchObject([{ end: { status: "completed" } }]);
  sandbox.wallet.dashboardWithdraw(BRUNO.id, { amountCents: 10_00, pixKey: PIX_KEY, turbo: true });
  expect(sandbox.wallet.executed(BRUNO.id)).toMatchObject([{ end: { status: "failed" } }]);
});

test.each([
  { ...DASHBOARD, owner: "1180000000000000203" },
  { ...DASHBOARD, reais: 0.001 },
  { kind: "lose_answer" },
  { kind: "empty" },
])("what the page would never send is refused: %j", async (body) => {
  expect((await post(body)).status).toBe(400);
});
