import * as z from "zod";
import { isLaterRow } from "../transactions/transaction-list.ts";
import type {
  ListedTransaction,
  Payer,
  Transaction,
  TransactionPage,
} from "../transactions/transaction.ts";
import {
  type AnswerFacts,
  type ParseResult,
  resourceRead,
  routeRead,
  type Send,
} from "./operation.ts";
import {
  amountNames,
  arraysOf,
  camelKeys,
  type Fields,
  firstOf,
  isFields,
  listedRows,
  listedTime,
  pagingOf,
  readInTurns,
} from "./undocumented-list.ts";
import {
  lineText,
  optionalOrIgnored,
  orNull,
  readAs,
  readerOf,
  wireAmount,
  wireEnum,
  wireId,
  wireInstant,
  wireMoney,
  wirePathId,
  wireText,
  wireWord,
} from "./wire.ts";

const LIST_ROUTE = "/v1/transactions";

/** Names under which arrays may stand, at the root or one level below it. */
const PLACES = ["transactions", "payments", "data", "items", "results"];

/** Names of a row's fields: the name of the documented detail first, then other usual names. */
const NAMES = {
  txid: ["txid", "txId", "transactionId", "id"],
  ...amountNames,
  type: ["type", "transactionType"],
  status: ["status", "state"],
  description: ["description", "productName", "product", "title"],
  createdAt: ["createdAt", "created", "date"],
  updatedAt: ["updatedAt", "approvedAt", "paidAt"],
} as const;

/** Words of the documented detail. Source: service.md 2.3; `expired` from 2.7. */
const wireType = wireWord(["payment", "withdrawal"]);
const wireStatus = wireWord([
  "pending",
  "approved",
  "refunded",
  "expired",
  "scheduled",
  "processing",
]);

const asId = readAs(wirePathId);
const asAmount = readAs(wireAmount);
const asTime = readAs(listedTime);
const asType = readAs(wireType);
const asStatus = readAs(wireStatus);
const asText = readAs(z.string().trim().min(1).pipe(lineText));

const txidOf = (fields: Fields): string | undefined => firstOf([fields], NAMES.txid, asId)?.value;

const itemOf = (row: unknown): ListedTransaction | undefined => {
  const fields = camelKeys(row);
  if (!isFields(fields)) return undefined;
  const txid = txidOf(fields);
  return txid === undefined ? undefined : { txid, ...rowOf(fields) };
};

const rowOf = (fields: Fields): Omit<ListedTransaction, "txid"> => {
  const below = ["metadata", "product"].map((name) => camelKeys(fields[name])).filter(isFields);
  const nearest = <T>(
    name: keyof typeof NAMES,
    read: (value: unknown) => T | undefined,
    places: readonly Fields[] = [fields],
  ) => firstOf(places, NAMES[name], read)?.value;
  return {
    amount: nearest("amount", asAmount),
    net: nearest("net", asAmount),
    type: nearest("type", asType),
    status: nearest("status", asStatus),
    description:
      nearest("description", asText, [fields, ...below]) ?? firstOf(below, ["name"], asText)?.value,
    createdAt: nearest("createdAt", asTime),
    updatedAt: nearest("updatedAt", asTime),
  };
};

/** Separates a query from our note of the number that the first page had; never sent, as a fragment. */
const NOTE = "#first=";

const queryOf = (cursor: string | undefined): string => cursor?.split(NOTE)[0] ?? "";

/**
 * The cursor of the page after this one. Numbers of pages begin at 0 or 1, which only the first page shows: a last page
 * is told from the one before it by the number noted there.
 */
const cursorAfter = (
  paging: ReturnType<typeof pagingOf>,
  cursor: string | undefined,
): string | undefined => {
  if (paging === undefined || paging.kind === "unreachable") return undefined;
  if (paging.kind === "next") return paging.query === queryOf(cursor) ? undefined : paging.query;
  const noted = cursor?.split(NOTE)[1];
  const base = noted === undefined ? Math.min(1, paging.number ?? 0) : Number(noted);
  if (paging.before(base) + 1 >= paging.pages) return undefined;
  return paging.number === undefined ? paging.at(1) : `${paging.at(1)}${NOTE}${base}`;
};

const unnamedRowOf = (row: unknown): Omit<ListedTransaction, "txid"> | undefined => {
  const fields = camelKeys(row);
  return isFields(fields) && txidOf(fields) === undefined ? rowOf(fields) : undefined;
};

const unnamedRowsOf = async (answer: object): Promise<TransactionPage["unnamedRows"]> =>
  (await readInTurns(arraysOf(answer, PLACES).flat(), unnamedRowOf)).filter(
    (row) => row !== undefined,
  );

const readPage = async (
  answer: object,
  cursor: string | undefined,
  { skewMs }: AnswerFacts,
): Promise<ParseResult<TransactionPage>> => {
  const rows = await listedRows(answer, PLACES, itemOf, "txid", isLaterRow);
  if (!rows.ok) return rows;
  const { items, unnamed, shown } = rows.value;
  const paging = pagingOf(answer, PLACES, LIST_ROUTE, shown, queryOf(cursor));
  const cut = paging?.kind === "unreachable" && { isCut: true };
  const next = cursorAfter(paging, cursor);
  const unnamedRows = unnamed === 0 ? undefined : await unnamedRowsOf(answer);
  return { ok: true, value: { items, unnamed, unnamedRows, next, ...cut, skewMs } };
};

/**
 * One page of the account's transactions, payments and withdrawals, in the service's length and order: the first page,
 * or the page of `cursor`, which is the `next` of the page before it.
 *
 * AN ASSUMPTION: the document names this operation and shows no shape (service.md 4.7). Rows stand at the root or in
 * arrays under usual names; a row counts when it has a txid. Its other fields are read by the names of the documented
 * detail or by other usual names, and are undefined when they cannot be read.
 * @throws WalletError
 */
export const getTransactions = (send: Send, cursor: string | undefined): Promise<TransactionPage> =>
  send({
    ...routeRead(LIST_ROUTE, queryOf(cursor)),
    read: (answer, facts) => readPage(answer, cursor, facts),
    unshown: true,
  });

const wirePayer = z
  .object({
    name: wireText,
    document: wireText,
    bank: optionalOrIgnored(z.object({ name: wireText, code: wireText })),
    accountType: wireText,
  })
  .transform((wire): Payer => ({
    name: wire.name,
    document: wire.document,
    bankName: wire.bank?.name,
    bankCode: wire.bank?.code,
    accountType: wire.accountType,
  }));

const wireTransaction = z.object({
  txid: wireId,
  amount: wireMoney,
  netAmount: wireMoney,
  fee: wireMoney,
  type: wireType,
  status: wireStatus,
  paymentType: wireEnum<"link" | "normal" | "turbo">(),
  // The document mixes both spellings here.
  metadata: optionalOrIgnored(
    z.object({ description: wireText, redirectUrl: wireText, provider_id: wireText }),
  ),
  withdrawalInfo: orNull(
    z.object({
      pixKey: z.string(),
      scheduledFor: optionalOrIgnored(wireInstant),
      transferId: wireText,
    }),
  ),
  payer: optionalOrIgnored(wirePayer),
  createdAt: wireInstant,
  updatedAt: wireInstant,
});

const wireDetail = z
  .object({ transaction: wireTransaction })
  .transform(({ transaction }): Transaction => {
    const { netAmount, paymentType, metadata, withdrawalInfo, ...same } = transaction;
    return {
      ...same,
      net: netAmount,
      modality: paymentType,
      description: metadata?.description,
      redirectUrl: metadata?.redirectUrl,
      providerId: metadata?.provider_id,
      withdrawal: withdrawalInfo,
    };
  });

const readDetail = readerOf(wireDetail);

const readTransaction = (answer: object, { skewMs }: AnswerFacts): ParseResult<Transaction> => {
  const detail = readDetail(answer);
  return detail.ok ? { ok: true, value: { ...detail.value, skewMs } } : detail;
};

/**
 * One transaction in full. A transaction of another account reads as a missing one.
 * Source: service.md 2.3, 4.2.
 * @throws WalletError; `not_found`, and `invalid_request` for text that cannot be an id
 */
export const getTransaction = async (send: Send, txid: string): Promise<Transaction> =>
  send({
    ...resourceRead("/v1/transactions/{txid}", txid),
    read: readTransaction,
    fresh: true,
  });
