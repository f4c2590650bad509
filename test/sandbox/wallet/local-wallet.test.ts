import { beforeEach, describe, expect, test } from "vitest";
import { ANA, BRUNO } from "#src/sandbox/world.ts";
import { START, walletUnderTest, type WalletUnderTest } from "./wallet-support.ts";

let its: WalletUnderTest;

beforeEach(async () => {
  its = await walletUnderTest(ANA.apiKey);
});

const report = (date: string, key?: string) =>
  its.ask(`/v1/sales/report?date=${encodeURIComponent(date)}`, key === undefined ? {} : { key });

describe("identity", () => {
  test.each([
    ["missing", ""],
    ["unknown", "sk_sandbox_ninguem"],
  ])("a %s key is answered with 401 and a request id", async (_, key) => {
    const { status, requestId, body } = await report("17/11/2026", key);
    expect(status).toBe(401);
    expect(requestId).toMatch(/^req_/);
    expect(body).toMatchObject({ success: false, message: expect.any(String) });
  });

  test("a key revoked while the sandbox runs stops working", async () => {
    expect((await report("17/11/2026")).status).toBe(200);
    its.wallet.revoke(ANA.apiKey);
    expect((await report("17/11/2026")).status).toBe(401);
  });

  test("the report names the account that the key belongs to", async () => {
    expect((await report("17/11/2026")).body.userId).toBe(ANA.id);
    expect((await report("17/11/2026", BRUNO.apiKey)).body.userId).toBe(BRUNO.id);
  });

  test("a wrong endpoint is answered with 404", async () => {
    const { status, body } = await its.ask("/v1/nothing");
    expect(status).toBe(404);
    expect(body.error).toBe("Not Found");
  });
});

describe("the sales report", () => {
  test("of yesterday has sales of both origins that add up", async () => {
    const { body } = await report("17/11/2026");
    expect(body.success).toBe(true);
    expect(body.breakdown.api.count).toBeGreaterThan(0);
    expect(body.breakdown.esales.count).toBeGreaterThan(0);
    expect(body.summary.totalSales).toBeCloseTo(
      body.breakdown.api.totalSales + body.breakdown.esales.totalSales,
      6,
    );
    expect(body.summary.totalNet).toBeCloseTo(body.summary.totalSales - body.summary.totalFees, 6);
  });

  test("of the quiet weekday is all zeros", async () => {
    const none = { count: 0, totalSales: 0, totalFees: 0, totalNet: 0 };
    const { body } = await report("15/11/2026");
    expect(body.summary).toEqual({ totalSales: 0, totalFees: 0, totalNet: 0 });
    expect(body.breakdown).toEqual({ api: none, esales: none });
  });

  test("grows with the hours of the open day", async () => {
    const morning = await report("18/11/2026");
    its.moveTo(START.add({ hours: 9 }));
    const night = await report("18/11/2026");
    expect(night.body.summary.totalSales).toBeGreaterThan(morning.body.summary.totalSales);
  });

  test("places a late evening sale in Brasília on the next UTC day", async () => {
    const before = [await report("17/11/2026"), await report("18/11/2026")];
    its.wallet.sale({
      owner: ANA.id,
      origin: "api",
      reais: 249,
      at: Temporal.Instant.from("2026-11-17T22:30:00-03:00"),
    });
    const after = [await report("17/11/2026"), await report("18/11/2026")];
    expect(after[0]?.body).toEqual(before[0]?.body);
    expect(after[1]?.body.breakdown.api.count).toBe(before[1]?.body.breakdown.api.count + 1);
  });

  test("counts a live sale with 6% of fee", async () => {
    const before = (await report("15/11/2026")).body.breakdown.api;
    const at = Temporal.Instant.from("2026-11-15T12:00:00Z");
    its.wallet.sale({ owner: ANA.id, origin: "api", reais: 249, at });
    const { body } = await report("15/11/2026");
    expect(before.count).toBe(0);
    expect(body.breakdown.api).toEqual({
      count: 1,
      totalSales: 249,
      totalFees: 14.94,
      totalNet: 234.06,
    });
  });

  test.each([["2026-11-17"], ["31/02/2026"], ["1/1/2026"], ["ontem"], [""]])(
    "refuses the date %j",
    async (date) => {
      const { status, body } = await report(date);
      expect(status).toBe(400);
      expect(body).toMatchObject({
        success: false,
        message: expect.stringContaining("DD/MM/YYYY"),
      });
    },
  );

  test("refuses a missing date with the other message", async () => {
    const missing = await its.ask("/v1/sales/report");
    expect(missing.body).not.toEqual((await report("ontem")).body);
    expect(missing.body.message).toContain("obrigatório");
  });
});

describe("limits and faults", () => {
  test("the 61st request of a minute is answered with 429, and one a minute later is not", async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 60; i++) statuses.push((await report("17/11/2026")).status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    const refused = await report("17/11/2026");
    expect(refused.status).toBe(429);
    expect(refused.body.retryAfter).toBe(60);
    expect((await report("17/11/2026", BRUNO.apiKey)).status).toBe(200);
    its.moveTo(START.add({ seconds: 60 }));
    expect((await report("17/11/2026")).status).toBe(200);
  });

  test("a clock moved back does not leave the limit stuck", async () => {
    for (let i = 0; i < 60; i++) await report("17/11/2026");
    its.moveTo(START.subtract({ hours: 1 }));
    expect((await report("17/11/2026")).status).toBe(200);
  });

  test("a planned fault replaces the answer and keeps the request id", async () => {
    its.faults.failNext("GET /v1/sales/report", { kind: "status", status: 500, at: "after" });
    const faulty = await report("17/11/2026");
    expect(faulty.status).toBe(500);
    expect(faulty.requestId).toMatch(/^req_/);
    expect((await report("17/11/2026")).status).toBe(200);
  });

  test("requests are listed without the key that they carried", async () => {
    await report("17/11/2026");
    expect(its.wallet.requests).toMatchObject([
      { method: "GET", path: "/v1/sales/report?date=17%2F11%2F2026", userId: ANA.id, status: 200 },
    ]);
    expect(JSON.stringify(its.wallet.requests)).not.toContain(ANA.apiKey);
  });
});
