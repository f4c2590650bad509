import { beforeEach, describe, expect, test } from "vitest";
import { MED_STATUSES } from "#src/sandbox/wallet/meds.ts";
import { seededMeds } from "#src/sandbox/wallet/seeded-merchants.ts";
import { ANA, BRUNO } from "#src/sandbox/world.ts";
import { START, walletUnderTest, type WalletUnderTest } from "./wallet-support.ts";

let its: WalletUnderTest;

beforeEach(async () => {
  its = await walletUnderTest(ANA.apiKey);
});

describe("transactions", () => {
  test("an api sale reads as an approved payment with its payer", async () => {
    const txid = its.wallet.sale({ owner: ANA.id, origin: "api", reais: 89.5, product: "Plano" });
    const { body } = await its.ask(`/v1/transactions/${txid}`);
    expect(body.transaction).toMatchObject({
      txid,
      amount: 89.5,
      fee: 5.37,
      netAmount: 84.13,
      type: "payment",
      status: "approved",
      paymentType: "link",
      metadata: { description: "Plano" },
      withdrawalInfo: null,
      payer: { bank: { code: "091" } },
    });
  });

  test("a completed turbo withdrawal reads as approved, without payer", async () => {
    const { body } = await its.ask("/v1/transactions/w1b6c94e07da2453f8e90c25a");
    expect(body.transaction).toMatchObject({ type: "withdrawal", status: "approved", fee: 3.5 });
    expect(body.transaction.metadata.provider_id).toBe(body.transaction.withdrawalInfo.transferId);
    expect(body.transaction).not.toHaveProperty("payer");
  });

  test("an unknown one, and one of another account, have the same answer", async () => {
    const txid = its.wallet.sale({ owner: BRUNO.id, origin: "api", reais: 10 });
    const unknown = await its.ask("/v1/transactions/none");
    expect(unknown.status).toBe(404);
    expect(unknown.body).toEqual({ error: "Not Found", message: expect.any(String) });
    expect((await its.ask(`/v1/transactions/${txid}`)).body).toEqual(unknown.body);
  });
});

describe("the list of transactions", () => {
  const rowsOf = async (path: string) => (await its.ask(path)).body.transactions;

  test("has sales of this interface and withdrawals, newest first, without payers", async () => {
    its.wallet.sale({ owner: ANA.id, origin: "esales", reais: 10 });
    const txid = its.wallet.sale({ owner: ANA.id, origin: "api", reais: 89.5, product: "Plano" });
    its.wallet.settings.transactionPageSize = 1_000;
    const rows: readonly Record<string, unknown>[] = await rowsOf("/v1/transactions");

    expect(rows[0]).toMatchObject({ txid, amount: 89.5, metadata: { description: "Plano" } });
    expect(new Set(rows.map(({ type }) => type))).toEqual(new Set(["payment", "withdrawal"]));
    expect(rows.filter((row) => "payer" in row || "withdrawalInfo" in row)).toEqual([]);
    const times = rows.map(({ createdAt }) => Date.parse(String(createdAt)));
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    for (const row of rows.slice(0, 40)) {
      const { body } = await its.ask(`/v1/transactions/${String(row["txid"])}`);
      expect(body.transaction).toMatchObject(row);
    }
  });

  test("has pages, each with its number and how many there are", async () => {
    const { body } = await its.ask("/v1/transactions");
    const { page, totalPages, total, limit } = body.pagination;
    expect([page, limit, totalPages]).toEqual([1, 20, Math.ceil(total / 20)]);
    const last = await rowsOf(`/v1/transactions?page=${totalPages}`);
    expect(last).toHaveLength(total - (totalPages - 1) * 20);
    expect(await rowsOf(`/v1/transactions?page=${totalPages + 1}`)).toEqual([]);
    expect(await rowsOf("/v1/transactions?page=0")).toEqual(body.transactions);
  });

  test("takes the shape of the settings", async () => {
    its.wallet.settings.transactionListShape = "root";
    expect((await its.ask("/v1/transactions")).body).toHaveLength(20);
    its.wallet.settings.transactionListShape = "payments";
    expect((await its.ask("/v1/transactions")).body.payments).toHaveLength(20);
    its.wallet.settings.transactionListShape = "unreadable";
    expect((await its.ask("/v1/transactions")).body.page.content).toHaveLength(20);
  });
});

describe("withdrawals", () => {
  test.each([
    ["w7e20b8d5f314a0c9c46a1d3", "completed", null],
    ["w52d8f61b90c74ae2b3178e0f", "cancelled", null],
    ["w1b6c94e07da2453f8e90c25a", "completed", "DONE"],
    ["w8c3a5190e6bf42d7a05d6e91", "failed", "FAILED"],
  ])("%s is %s", async (txid, status, processorStatus) => {
    const { body } = await its.ask(`/v1/withdrawals/${txid}`);
    expect(body.withdrawal.status).toBe(status);
    expect(body.withdrawal.netAmount).toBeCloseTo(body.withdrawal.amount - body.withdrawal.fee, 6);
    expect(body.withdrawal.failReason === null).toBe(status !== "failed");
    expect(body.transferStatus?.status ?? null).toBe(processorStatus);
  });

  test("a scheduled one completes when its time has come", async () => {
    const asked = { amount: 310, pixKey: "financeiro@lojaaurora.example", turbo: false };
    const { body } = await its.ask("/v1/withdraw", { method: "POST", body: asked });
    const read = async () =>
      (await its.ask(`/v1/withdrawals/${body.withdrawal.txid}`)).body.withdrawal;
    expect(await read()).toMatchObject({ status: "scheduled", completedAt: null, bankName: null });
    its.moveTo(START.add({ hours: 24, seconds: 1 }));
    expect((await read()).status).toBe("processing");
    its.moveTo(START.add({ hours: 25 }));
    expect(await read()).toMatchObject({
      status: "completed",
      completedAt: "2026-11-19T15:01:30.000Z",
    });
  });

  test("one of another account is not found", async () => {
    const { status, body } = await its.ask("/v1/withdrawals/w4f0e7ac2b8d94516a3cb7e08");
    expect(status).toBe(404);
    expect(body).toEqual({ success: false, message: expect.any(String) });
  });
});

describe("MEDs", () => {
  const meds = seededMeds(START);

  test.each(meds.map((med) => [med.infractionId, med] as const))(
    "%s has its two states, and the form of its payment",
    async (id, { status, analysisStatus, original, answer }) => {
      const { body } = await its.ask(`/v1/meds/${id}`);
      expect(body.med).toMatchObject({ infractionId: id, status, analysisStatus });
      expect(body.med.frozenAmount).toBeLessThan(body.med.amount);
      expect(body.med.analysisDate === null).toBe(answer === undefined);
      expect(body.originalTransaction?.type).toBe(original?.type);
      expect("originalTransaction" in body).toBe(original !== undefined);
    },
  );

  test("the summary counts them on both axes", async () => {
    const { body } = await its.ask("/v1/meds/summary");
    const { byStatus, byAnalysis, amounts } = body.summary;
    expect(byStatus.total).toBe(meds.length);
    for (const status of MED_STATUSES)
      expect(byStatus[status]).toBe(meds.filter((med) => med.status === status).length);
    expect(byAnalysis.pending + byAnalysis.accepted + byAnalysis.rejected).toBe(meds.length);
    expect(amounts).toEqual({ currentlyFrozen: 380.13, totalLost: 319.6 });
  });

  test("without any the summary is all zeros", async () => {
    const { body } = await its.ask("/v1/meds/summary", { key: BRUNO.apiKey });
    expect(body.summary).toEqual({
      byStatus: { pending: 0, agreed: 0, disagreed: 0, canceled: 0, total: 0 },
      byAnalysis: { pending: 0, accepted: 0, rejected: 0 },
      amounts: { currentlyFrozen: 0, totalLost: 0 },
    });
  });

  test("an unknown one is not found", async () => {
    const { status, body } = await its.ask("/v1/meds/none");
    expect([status, body.success]).toEqual([404, false]);
  });
});
