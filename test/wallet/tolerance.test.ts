import { describe, expect, test } from "vitest";

import { startAnsweringServer } from "./answering-server.ts";
import { calls, isMoney, kindOf, type OperationName } from "./calls.ts";
import { connectClient, fixture, walletErrorOf, walletKey } from "./wallet-setup.ts";

type Json = Record<string, unknown>;

/** Every field of a body by its path, objects included. */
const pathsOf = (value: unknown, before = ""): readonly string[] =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => [
        before + name,
        ...pathsOf(inner, `${before}${name}.`),
      ])
    : [];

/** The body with one field changed; `undefined` removes it. */
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
  const server = await startAnsweringServer(...bodies.map((body) => ({ body })));
  const { client } = connectClient(server.baseUrl);
  const kinds: string[] = [];
  while (kinds.length < bodies.length) {
    kinds.push(await kindOf(calls[operation](client, walletKey())));
  }
  return kinds;
};

/** What the bot needs of a body: `path.*` for each field of an object. Everything else may be missing or of another type. */
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
  "assumed-meds": ["disputes", /^meds$/],
  "assumed-balance": ["balance", /^balance(\.available)?$/],
  "assumed-withdrawals": ["withdrawals", /^withdrawals(\.0(\.txid)?|\.1(\.id)?)?$/],
  "assumed-pix-validate": ["checkPixKey", /^$/],
  "assumed-withdraw.normal": ["withdraw", /^(success|withdrawal(\.txid)?)$/],
  "assumed-withdraw-cancel": ["cancelWithdrawal", /^success$/],
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
      const server = await startAnsweringServer({ body });
      const { client } = connectClient(server.baseUrl);

      expect(await calls[operation](client, walletKey())).toHaveProperty(field, "Estado Novo");
    }
  });
});

test("what was wrong with a body is told by field names, not by what came", async () => {
  const body = withField(fixture("sales-report"), "summary.totalSales", "segredo");
  const server = await startAnsweringServer({ body });
  const { client, logged } = connectClient(server.baseUrl);

  const error = await walletErrorOf(calls.salesReport(client, walletKey()));

  expect(error.cause).toMatchObject({ message: "summary.totalSales invalid_type" });
  expect(logged()).toContain("summary.totalSales invalid_type");
  expect(logged()).not.toContain("segredo");
});
