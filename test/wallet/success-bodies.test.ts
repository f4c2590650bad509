import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";

import type { WalletClient } from "#src/wallet/wallet-client.ts";
import { startAnsweringServer } from "./answering-server.ts";
import { calls, isMoney, type OperationName } from "./calls.ts";
import { assumed } from "./expected/assumed.ts";
import { disputes } from "./expected/disputes.ts";
import { reports } from "./expected/sales.ts";
import { splitWithdrawals } from "./expected/split-withdrawals.ts";
import { transactions } from "./expected/transactions.ts";
import { withdrawals } from "./expected/withdrawals.ts";
import { connectClient, fixture, plain, walletKey } from "./wallet-setup.ts";

const EMPTY_DAY = Temporal.PlainDate.from("2025-01-01");

const operations: Readonly<Record<string, OperationName>> = {
  "sales-report": "salesReport",
  transaction: "transaction",
  withdrawal: "withdrawal",
  med: "dispute",
  "meds-summary": "disputeSummary",
  "split-withdraw": "splitWithdraw",
  "assumed-meds": "disputes",
  "assumed-balance": "balance",
  "assumed-withdrawals": "withdrawals",
  "assumed-pix-validate": "checkPixKey",
  "assumed-withdraw": "withdraw",
  "assumed-withdraw-cancel": "cancelWithdrawal",
};

const operationOf = (name: string): OperationName =>
  operations[name.split(".")[0] ?? ""] ?? "salesReport";

const read = (name: string, client: WalletClient): Promise<unknown> => {
  const key = walletKey();
  if (name === "sales-report.empty") return client.salesReport(key, EMPTY_DAY, "interactive");
  return calls[operationOf(name)](client, key);
};

const successes: Readonly<Record<string, unknown>> = {
  ...reports,
  ...transactions,
  ...withdrawals,
  ...disputes,
  ...splitWithdrawals,
  ...assumed,
};

/** The service's clock is ten seconds ahead of the tests'. */
const headers = { date: "Fri, 14 Mar 2025 13:05:20 GMT" };

describe("documented and assumed success bodies", () => {
  const names = Object.keys(successes);

  test("are all covered", () => {
    const files = readdirSync(new URL("../fixtures/wallet", import.meta.url))
      .map((file) => file.replace(/\.json$/, ""))
      .filter((name) => !/(^|\.)(error|request)\./.test(name));

    expect(names.toSorted()).toEqual(files.toSorted());
  });

  test.each(names)("%s is read in full", async (name) => {
    const server = await startAnsweringServer({ headers, body: fixture(name) });
    const { client } = connectClient(server.baseUrl);

    expect(plain(await read(name, client))).toEqual(successes[name]);
  });

  test.each(names)("%s is read despite fields that the document does not know", async (name) => {
    const known = JSON.parse(fixture(name), (_key, value: unknown) =>
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? { ...value, novidade: [{ x: 1 }] }
        : value,
    );
    const server = await startAnsweringServer({ headers, body: JSON.stringify(known) });
    const { client } = connectClient(server.baseUrl);

    expect(plain(await read(name, client))).toEqual(successes[name]);
  });

  test.each(names)("%s is a success with any 2xx", async (name) => {
    const server = await startAnsweringServer({ status: 202, headers, body: fixture(name) });
    const { client } = connectClient(server.baseUrl);
    const expected = isMoney(operationOf(name))
      ? { ...(successes[name] as object), httpStatus: 202 }
      : successes[name];

    expect(plain(await read(name, client))).toEqual(expected);
  });
});
