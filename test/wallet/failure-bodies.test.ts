import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";

import { startAnsweringServer } from "./answering-server.ts";
import { calls, type OperationName } from "./calls.ts";
import { connectClient, fixture, walletErrorOf, walletKey } from "./wallet-setup.ts";

/** The operation of each documented failure body, and what the body stands for with a status of 200, 400 and 404. */
const failures: Readonly<Record<string, readonly [OperationName, string, string, string]>> = {
  "error.too-many-requests": ["salesReport", "malformed", "invalid_request", "not_found"],
  "med.error.not-found": ["dispute", "not_found", "not_found", "not_found"],
  "sales-report.error.date-format": ["salesReport", "refused", "invalid_request", "not_found"],
  "sales-report.error.date-missing": ["salesReport", "refused", "invalid_request", "not_found"],
  "transaction.error.not-found": ["transaction", "not_found", "not_found", "not_found"],
  "withdrawal.error.not-found": ["withdrawal", "not_found", "not_found", "not_found"],
};

/** Refusals of a split withdrawal, whose wording is not documented: the status alone tells them apart, if anything. */
const refusals = [
  "split-withdraw.error.not-enabled",
  "split-withdraw.error.withdrawal-pending",
] as const;

const SHORTFALL = "split-withdraw.error.insufficient-balance";

describe("documented failure bodies", () => {
  const names = Object.keys(failures);

  test("are all covered", () => {
    const files = readdirSync(new URL("../fixtures/wallet", import.meta.url))
      .map((file) => file.replace(/\.json$/, ""))
      .filter((name) => /(^|\.)error\./.test(name));

    expect([...names, ...refusals, SHORTFALL].toSorted()).toEqual(files.toSorted());
  });

  test.each(names)(
    "%s is judged by its body, whatever undocumented status it has",
    async (name) => {
      const [operation, ...kinds] = failures[name] ?? ["salesReport"];
      const server = await startAnsweringServer(
        ...[200, 400, 404].map((status) => ({ status, body: fixture(name) })),
      );
      const { client } = connectClient(server.baseUrl);

      for (const [index, status] of [200, 400, 404].entries()) {
        const error = await walletErrorOf(calls[operation](client, walletKey()));
        expect(error).toMatchObject({ kind: kinds[index], status, requestId: "req_example" });
      }
    },
  );

  test.each(refusals)("%s is a refusal, whatever undocumented status it has", async (name) => {
    const statuses = [200, 400, 404, 410] as const;
    const server = await startAnsweringServer(
      ...statuses.map((status) => ({ status, body: fixture(name) })),
    );
    const { client } = connectClient(server.baseUrl);
    const { message } = JSON.parse(fixture(name)) as { readonly message: string };

    for (const [index, reason] of ["refused", "invalid", "not_found", "refused"].entries()) {
      expect(await calls.splitWithdraw(client, walletKey())).toEqual({
        state: "rejected",
        reason,
        httpStatus: statuses[index],
        requestId: "req_example",
        message,
        retryAfterMs: undefined,
        shortfall: undefined,
      });
    }
  });

  test("error.too-many-requests with its status says for how long to wait", async () => {
    const name = "error.too-many-requests";
    const server = await startAnsweringServer({ status: 429, body: fixture(name) });
    const { client } = connectClient(server.baseUrl);

    const error = await walletErrorOf(calls.salesReport(client, walletKey()));

    expect(error).toMatchObject({ kind: "rate_limited", status: 429, retryAfterMs: 30_000 });
  });

  test.each([200, 400, 403, 422])(
    "an insufficient split balance is told apart with status %d",
    async (status) => {
      const server = await startAnsweringServer({ status, body: fixture(SHORTFALL) });
      const { client } = connectClient(server.baseUrl);

      expect(await calls.splitWithdraw(client, walletKey())).toMatchObject({
        state: "rejected",
        reason: "insufficient_split_balance",
        httpStatus: status,
        shortfall: { available: 735, minimum: 1_000 },
      });
    },
  );

  test.each([
    ["amounts that are no decimals", { availableSplitBalance: "sete", minimumWithdrawal: "10.00" }],
    ["numbers instead of strings", { availableSplitBalance: 7.35, minimumWithdrawal: 10 }],
    ["other details", { reason: "limit" }],
  ])("a refused withdrawal with %s is a refusal like any other", async (_name, details) => {
    const body = JSON.stringify({ success: false, message: "Não.", details });
    const server = await startAnsweringServer({ body });
    const { client } = connectClient(server.baseUrl);

    expect(await calls.splitWithdraw(client, walletKey())).toMatchObject({
      state: "rejected",
      reason: "refused",
      shortfall: undefined,
    });
  });
});
