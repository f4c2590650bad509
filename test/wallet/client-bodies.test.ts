import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { WalletClient } from "#src/wallet/client.ts";
import { calls, isMoney, kindOf, type OperationName } from "./calls.ts";
import { assumed } from "./expected/assumed.ts";
import { disputes } from "./expected/disputes.ts";
import { reports, transactions } from "./expected/transactions.ts";
import { splitWithdrawals, withdrawals } from "./expected/withdrawals.ts";
import { connectTo, fixture, plain, walletErrorOf, walletKey } from "./wallet-setup.ts";

const fixtures = readdirSync(new URL("../fixtures/wallet", import.meta.url)).map((file) =>
  file.replace(/\.json$/, ""),
);

const EMPTY_DAY = Temporal.PlainDate.from("2025-01-01");

const operations: Readonly<Record<string, OperationName>> = {
  "sales-report": "salesReport",
  transaction: "transaction",
  withdrawal: "withdrawal",
  med: "dispute",
  "meds-summary": "disputeSummary",
  "split-withdraw": "splitWithdraw",
  "assumed-transactions": "transactions",
  "assumed-meds": "disputes",
  "assumed-balance": "balance",
  "assumed-withdrawals": "withdrawals",
  "assumed-pix-validate": "checkPixKey",
  "assumed-charge": "createCharge",
  "assumed-charge-status": "chargeStatus",
  "assumed-withdraw": "withdraw",
  "assumed-withdraw-cancel": "cancelWithdrawal",
  "assumed-refund": "refund",
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
    const files = fixtures.filter((name) => !/(^|\.)(error|request)\./.test(name));

    expect(names.toSorted()).toEqual(files.toSorted());
  });

  test.each(names)("%s is read in full", async (name) => {
    const { client } = await connectTo({ headers, body: fixture(name) });

    expect(plain(await read(name, client))).toEqual(successes[name]);
  });

  test.each(names)("%s is read despite fields that the document does not know", async (name) => {
    const known = JSON.parse(fixture(name), (_key, value: unknown) =>
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? { ...value, novidade: [{ x: 1 }] }
        : value,
    );
    const { client } = await connectTo({ headers, body: JSON.stringify(known) });

    expect(plain(await read(name, client))).toEqual(successes[name]);
  });
});

/** The operation of each documented failure body, and the body's meaning with a status of 200, 400 and 404. */
const failures: Readonly<Record<string, readonly [OperationName, string, string, string]>> = {
  "error.too-many-requests": ["salesReport", "malformed", "invalid_request", "not_found"],
  "med.error.not-found": ["dispute", "not_found", "not_found", "not_found"],
  "sales-report.error.date-format": ["salesReport", "refused", "invalid_request", "not_found"],
  "sales-report.error.date-missing": ["salesReport", "refused", "invalid_request", "not_found"],
  "transaction.error.not-found": ["transaction", "not_found", "not_found", "not_found"],
  "withdrawal.error.not-found": ["withdrawal", "not_found", "not_found", "not_found"],
};

/** Refusals of a split withdrawal with undocumented wording: only the status distinguishes them. */
const refusals = [
  "split-withdraw.error.not-enabled",
  "split-withdraw.error.withdrawal-pending",
] as const;

/** Its meaning is tested in `classify-money.test.ts`. */
const SHORTFALL = "split-withdraw.error.insufficient-balance";

describe("documented failure bodies", () => {
  const names = Object.keys(failures);

  test("are all covered", () => {
    const files = fixtures.filter((name) => /(^|\.)error\./.test(name));

    expect([...names, ...refusals, SHORTFALL].toSorted()).toEqual(files.toSorted());
  });

  test.each(names)(
    "%s is judged by its body, whatever undocumented status it has",
    async (name) => {
      const [operation, ...kinds] = failures[name] ?? ["salesReport"];
      const { client } = await connectTo(
        ...[200, 400, 404].map((status) => ({ status, body: fixture(name) })),
      );

      for (const [index, status] of [200, 400, 404].entries()) {
        const error = await walletErrorOf(calls[operation](client, walletKey()));
        expect(error).toMatchObject({ kind: kinds[index], status, requestId: "req_example" });
      }
    },
  );

  test.each(refusals)("%s is a refusal, whatever undocumented status it has", async (name) => {
    const statuses = [200, 400, 404, 410] as const;
    const { client } = await connectTo(
      ...statuses.map((status) => ({ status, body: fixture(name) })),
    );
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
    const { client } = await connectTo({ status: 429, body: fixture(name) });

    const error = await walletErrorOf(calls.salesReport(client, walletKey()));

    expect(error).toMatchObject({ kind: "rate_limited", status: 429, retryAfterMs: 30_000 });
  });

  test.each([
    ["amounts that are no decimals", { availableSplitBalance: "sete", minimumWithdrawal: "10.00" }],
    ["numbers instead of strings", { availableSplitBalance: 7.35, minimumWithdrawal: 10 }],
    ["other details", { reason: "limit" }],
  ])("a refused withdrawal with %s is a refusal like any other", async (_name, details) => {
    const body = JSON.stringify({ success: false, message: "Não.", details });
    const { client } = await connectTo({ body });

    expect(await calls.splitWithdraw(client, walletKey())).toMatchObject({
      state: "rejected",
      reason: "refused",
      shortfall: undefined,
    });
  });
});

type Json = Record<string, unknown>;

const pathsOf = (value: unknown, before = ""): readonly string[] =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => [
        before + name,
        ...pathsOf(inner, `${before}${name}.`),
      ])
    : [];

const withField = (body: string, path: string, value: unknown): string => {
  const root = JSON.parse(body) as Json;
  const names = path.split(".");
  const last = names.pop() ?? "";
  let holder = root;
  for (const name of names) holder = holder[name] as Json;
  holder[last] = value;
  return JSON.stringify(root);
};

const outcomes = async (operation: OperationName, bodies: readonly string[]) => {
  const { client } = await connectTo(...bodies.map((body) => ({ body })));
  const kinds: string[] = [];
  while (kinds.length < bodies.length) {
    kinds.push(await kindOf(calls[operation](client, walletKey())));
  }
  return kinds;
};

/**
 * The fields that the bot requires: `path.*` stands for each field of an object. All other fields may be missing or
 * have another type.
 */
const needs: Readonly<Record<string, readonly [OperationName, RegExp]>> = {
  "sales-report": [
    "salesReport",
    /^(success|date|userId|summary(\.\w+)?|breakdown(\.\w+(\.\w+)?)?)$/,
  ],
  "transaction.payment.approved": [
    "transaction",
    /^(success|transaction(\.(txid|amount|netAmount|fee|type|status|paymentType|createdAt|updatedAt))?)$/,
  ],
  "transaction.withdrawal-turbo.approved": [
    "transaction",
    /^(success|transaction(\.(txid|amount|netAmount|fee|type|status|paymentType|createdAt|updatedAt|withdrawalInfo\.pixKey))?)$/,
  ],
  "withdrawal.turbo.failed": [
    "withdrawal",
    /^(success|withdrawal(\.(txid|amount|netAmount|fee|status|paymentType|pixKey|pixKeyType|isTurbo|requestedAt|createdAt|updatedAt))?)$/,
  ],
  "med.api.pending": [
    "dispute",
    /^(success|med(\.(infractionId|txid|amount|frozenAmount|status|analysisStatus|situationType|infractionDate|description|dueDate|createdAt))?)$/,
  ],
  "meds-summary": ["disputeSummary", /^(success|summary(\.\w+(\.\w+)?)?)$/],
  "split-withdraw.turbo": ["splitWithdraw", /^(success|withdrawal(\.txid)?)$/],
  "assumed-transactions": ["transactions", /^transactions$/],
  "assumed-meds": ["disputes", /^meds$/],
  "assumed-balance": ["balance", /^balance(\.available)?$/],
  "assumed-withdrawals": ["withdrawals", /^withdrawals(\.0(\.txid)?|\.1(\.id)?)?$/],
  "assumed-pix-validate": ["checkPixKey", /^$/],
  "assumed-charge": ["createCharge", /^$/],
  "assumed-charge-status": ["chargeStatus", /^$/],
  "assumed-withdraw.normal": ["withdraw", /^(success|withdrawal(\.txid)?)$/],
  "assumed-withdraw-cancel": ["cancelWithdrawal", /^success$/],
  "assumed-refund": ["refund", /^success$/],
};

describe("what a body may lack", () => {
  test.each(Object.keys(needs))(
    "%s is read without any field but the needed ones",
    async (name) => {
      const [operation, needed] = needs[name] ?? ["salesReport", /^$/];
      const body = fixture(name);
      const paths = pathsOf(JSON.parse(body));
      const [whole, lacking] = isMoney(operation)
        ? ["accepted", "unknown"]
        : ["value", "malformed"];
      const kinds = await outcomes(
        operation,
        paths.map((path) => withField(body, path, undefined)),
      );

      expect(Object.fromEntries(paths.map((path, n) => [path, kinds[n]]))).toEqual(
        Object.fromEntries(paths.map((path) => [path, needed.test(path) ? lacking : whole])),
      );
    },
  );

  test.each([
    ["transaction.payment.approved", "transaction", "transaction.metadata", 7],
    ["transaction.payment.approved", "transaction", "transaction.payer", null],
    ["transaction.payment.approved", "transaction", "transaction.payer", "Camila"],
    ["withdrawal.turbo.failed", "withdrawal", "transferStatus", "FAILED"],
    ["withdrawal.turbo.failed", "withdrawal", "withdrawal.metadata", []],
    ["med.api.pending", "dispute", "originalTransaction", { type: "api" }],
    ["med.esales.disagreed-rejected", "dispute", "originalTransaction.buyer", { id: 1 }],
  ] as const)("%s is read although %s has %s as %j", async (name, operation, path, value) => {
    expect(await outcomes(operation, [withField(fixture(name), path, value)])).toEqual(["value"]);
  });

  test.each([
    ["sales-report", "salesReport", "summary.totalSales", "777"],
    ["sales-report", "salesReport", "summary.totalSales", 1e300],
    ["sales-report", "salesReport", "summary.totalFees", "46.62"],
    ["sales-report", "salesReport", "breakdown.api.count", 1.5],
    ["sales-report", "salesReport", "breakdown.api.count", -1],
    ["sales-report", "salesReport", "userId", 1_092_746_381_520_374],
    ["sales-report", "salesReport", "date", "2025-03-14"],
    ["sales-report", "salesReport", "date", "03/14/2025"],
    ["withdrawal.turbo.failed", "withdrawal", "withdrawal.isTurbo", "true"],
    ["withdrawal.turbo.failed", "withdrawal", "withdrawal.failedAt", "yesterday"],
    ["withdrawal.turbo.failed", "withdrawal", "withdrawal.status", ""],
    ["med.api.pending", "dispute", "med.dueDate", "2025-02-30T00:00:00.000Z"],
    ["med.api.pending", "dispute", "med.dueDate", 1_741_957_522_418],
    ["meds-summary", "disputeSummary", "summary.byStatus.total", "7"],
  ] as const)("%s is malformed: %s with %s as %j", async (name, operation, path, value) => {
    expect(await outcomes(operation, [withField(fixture(name), path, value)])).toEqual([
      "malformed",
    ]);
  });
});

describe("values of enumerations that nobody knew", () => {
  test.each([
    ["transaction.payment.approved", "transaction", "transaction", ["type", "status"]],
    ["withdrawal.turbo.failed", "withdrawal", "withdrawal", ["status", "pixKeyType"]],
    ["med.api.pending", "dispute", "med", ["status", "analysisStatus"]],
  ] as const)("of %s are kept as they came", async (name, operation, holder, fields) => {
    for (const field of fields) {
      const body = withField(fixture(name), `${holder}.${field}`, "Estado Novo");
      const { client } = await connectTo({ body });

      expect(await calls[operation](client, walletKey())).toHaveProperty(field, "Estado Novo");
    }
  });
});

test("what was wrong with a body is told by field names, not by what came", async () => {
  const body = withField(fixture("sales-report"), "summary.totalSales", "segredo");
  const { client, logged } = await connectTo({ body });

  const error = await walletErrorOf(calls.salesReport(client, walletKey()));

  expect(error.cause).toMatchObject({ message: "summary.totalSales invalid_type" });
  expect(logged()).toContain("summary.totalSales invalid_type");
  expect(logged()).not.toContain("segredo");
});
