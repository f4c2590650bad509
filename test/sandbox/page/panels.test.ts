import { beforeEach, describe, expect, test } from "vitest";
import type { PageMed, PageWallet } from "#src/sandbox/page/page-view.ts";
import type { BotState } from "#src/sandbox/start-bot-process.ts";
import { ANA, APPLICATION, BRUNO } from "#src/sandbox/world.ts";
import { openPage, type OpenPage, pushedView, pushedWallet } from "./pushed-view.ts";

let page: OpenPage;

describe("the wallet panel", () => {
  beforeEach(async () => {
    page = await openPage();
  });

  const PIX_KEY = "painel@lojaaurora.example";
  const DASHBOARD = { kind: "dashboard", owner: ANA.id, reais: 35, pixKey: PIX_KEY, turbo: true };

  const post = (body: unknown): Promise<Response> => page.post("/wallet", body);

  const pushed = (fits: (wallet: PageWallet) => boolean): Promise<PageWallet> =>
    pushedWallet(page.url, fits);
  const now = (): Promise<PageWallet> => pushed(() => true);

  const withdraw = (): Promise<Response> =>
    fetch(`${page.sandbox.wallet.baseUrl}/v1/withdraw`, {
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
    page.sandbox.clock.moveBy(5_900);
    const paid = await pushed(({ withdrawals }) => withdrawals[0]?.status === "completed");
    expect(paid.available).toBe(2_445.35);
  });

  test("what the service refuses in the dashboard is told in its words", async () => {
    await post(DASHBOARD);
    const { refused } = (await (await post(DASHBOARD)).json()) as { readonly refused: string };
    expect(refused).toContain("pendente");
  });

  test("the address of a webhook is registered, and one beyond this machine is not", async () => {
    const address = "http://127.0.0.1:9/ganchos/x";
    const webhook = (address: string) => post({ kind: "webhook", owner: ANA.id, address });
    expect(await (await webhook(` ${address} `)).json()).toEqual({ refused: null });
    expect((await now()).webhook).toBe(address);
    const refused = await (await webhook("https://example.com/x")).json();
    expect(refused).toEqual({ refused: expect.any(String) });
    expect((await now()).webhook).toBe(address);
    await webhook("");
    expect((await now()).webhook).toBe("");
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
    expect(page.sandbox.wallet.executed(ANA.id)).toMatchObject([{ end: { status: "completed" } }]);
  });

  test("the next withdrawal of an account fails when set to, that of another does not", async () => {
    await post({ kind: "fail", owner: BRUNO.id, on: true });
    await withdraw();
    expect(page.sandbox.wallet.executed(ANA.id)).toMatchObject([{ end: { status: "completed" } }]);
    page.sandbox.wallet.dashboardWithdraw(BRUNO.id, {
      amountCents: 10_00,
      pixKey: PIX_KEY,
      turbo: true,
    });
    expect(page.sandbox.wallet.executed(BRUNO.id)).toMatchObject([{ end: { status: "failed" } }]);
  });

  test.each([
    { ...DASHBOARD, owner: "1180000000000000203" },
    { ...DASHBOARD, reais: 0.001 },
    { kind: "lose_answer" },
    { kind: "empty" },
  ])("what the page would never send is refused: %j", async (body) => {
    expect((await post(body)).status).toBe(400);
  });
});

describe("the panel of sales", () => {
  beforeEach(async () => {
    page = await openPage();
  });

  test.each([
    ["pay", "approved"],
    ["expire", "expired"],
  ])("lets a charge end by %s, once", async (kind, state) => {
    await fetch(`${page.sandbox.wallet.baseUrl}/v1/payment/create`, {
      method: "POST",
      headers: { authorization: `Bearer ${ANA.apiKey}`, "content-type": "application/json" },
      body: JSON.stringify({ amount: 79.9, description: "Plano VIP mensal" }),
    });
    const [charge] = (await pushedWallet(page.url, () => true)).payments;
    expect(charge).toMatchObject({ amount: 79.9, description: "Plano VIP mensal" });
    const act = async (): Promise<unknown> =>
      (await page.post("/charge", { kind, owner: ANA.id, txid: charge?.txid })).json();
    expect(await act()).toEqual({ outcome: "done" });
    expect((await pushedWallet(page.url, () => true)).payments[0]?.state).toBe(state);
    expect(await act()).toEqual({ outcome: "refused" });
  });
});

describe("a refund at the service", () => {
  beforeEach(async () => {
    page = await openPage();
  });

  const now = () => pushedWallet(page.url, () => true);
  const sell = (): string =>
    page.sandbox.wallet.sale({ owner: ANA.id, origin: "api", reais: 79.9, product: "Plano VIP" });

  test("is made in the dashboard, once", async () => {
    const act = { kind: "refund", owner: ANA.id, txid: sell() };
    expect((await now()).payments[0]).toMatchObject({ txid: act.txid, canPay: false });
    expect(await (await page.post("/charge", act)).json()).toEqual({ outcome: "done" });
    expect((await now()).payments[0]?.state).toBe("refunded");
    expect(await (await page.post("/charge", act)).json()).toEqual({ outcome: "refused" });
  });

  test.each([
    ["refuse_refund", 400],
    ["late_refund", 200],
  ])("with %s meets the next one only", async (kind, status) => {
    await page.post("/wallet", { kind, owner: ANA.id, on: true });
    const txids = [sell(), sell()];
    const answers = [];
    for (const txid of txids)
      answers.push(
        await fetch(`${page.sandbox.wallet.baseUrl}/v1/refund`, {
          method: "POST",
          headers: { authorization: `Bearer ${ANA.apiKey}`, "content-type": "application/json" },
          body: JSON.stringify({ txid }),
        }),
      );
    expect(answers.map((answer) => answer.status)).toEqual([status, 200]);
    const states = (await now()).payments
      .filter(({ txid }) => txids.includes(txid))
      .map(({ txid, state }) => [txids.indexOf(txid), state]);
    expect(Object.fromEntries(states)).toEqual({ 0: "approved", 1: "refunded" });
    expect((await now()).trouble).toMatchObject({ refuseRefund: false, lateRefund: false });
  });
});

describe("the MED panel", () => {
  beforeEach(async () => {
    page = await openPage();
  });

  const OPEN = { kind: "open", owner: ANA.id, reais: 120, situation: "FRAUDE", hours: 5 };
  const HOUR_MS = 3_600_000;

  const post = (body: unknown): Promise<Response> => page.post("/med", body);
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
    page.sandbox.clock.moveBy(5 * HOUR_MS - 150);
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
});

describe("the outage panel", () => {
  let state: BotState;
  let mayStart: boolean;

  beforeEach(async () => {
    state = "on";
    mayStart = true;
    const bot = {
      state: () => state,
      kill: async () => void (state = "off"),
      start: async () => {
        if (!mayStart) throw new Error("Discord is out of reach");
        state = "on";
      },
      onChange: () => () => {},
    };
    page = await openPage(bot);
  });

  const change = async (what: string, up: boolean): Promise<number> =>
    (await page.post("/outage", { what, up })).status;
  const outages = async () => (await pushedView(page.url)).outages;
  const wallet = () =>
    fetch(`${page.sandbox.wallet.baseUrl}/v1/balance`, {
      headers: { authorization: `Bearer ${ANA.apiKey}` },
    });
  const discord = () =>
    fetch(`${page.sandbox.discord.apiUrl}/v10/gateway/bot`, {
      headers: { authorization: `Bot ${APPLICATION.token}` },
    });

  test("the wallet goes down alone, and comes back", async () => {
    await change("wallet", false);
    await expect(wallet()).rejects.toThrow("fetch failed");
    expect((await discord()).status).toBe(200);
    expect(await outages()).toEqual({ bot: "on", wallet: "off", discord: "on" });
    await change("wallet", true);
    expect((await wallet()).ok).toBe(true);
    expect((await outages()).wallet).toBe("on");
  });

  test("Discord goes down beside the wallet, and each comes back by itself", async () => {
    await change("discord", false);
    await change("wallet", false);
    await expect(discord()).rejects.toThrow("fetch failed");
    await change("wallet", true);
    await expect(discord()).rejects.toThrow("fetch failed");
    expect((await wallet()).ok).toBe(true);
    await change("discord", true);
    expect((await discord()).status).toBe(200);
  });

  test("the bot is killed and started, and the page hears when it could not", async () => {
    await change("bot", false);
    expect((await outages()).bot).toBe("off");
    mayStart = false;
    expect(await change("bot", true)).toBe(500);
    mayStart = true;
    expect(await change("bot", true)).toBe(200);
    expect((await outages()).bot).toBe("on");
  });
});
