import * as z from "zod";
import { type DisputePage, isClosed, type ListedDispute } from "../disputes/dispute-list.ts";
import { type ParseResult, resourceRead, routeRead, type Send } from "./operation.ts";
import {
  camelKeys,
  listedRows,
  listedTime,
  type Paged,
  pagingOf,
  withFurtherPages,
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
  wireTexts,
  wireWord,
} from "./wire.ts";
import type { ContestedSale, Dispute, DisputeSummary, RefundFact } from "../disputes/dispute.ts";

const LIST_ROUTE = "/v1/meds";

/** Names under which arrays may stand, at the root or one level below it. */
const PLACES = ["meds", "infractions", "data", "items", "results"];

const listedText = optionalOrIgnored(z.string().min(1).max(256));

/**
 * Fields are named as in the documented detail. Only `infractionId` is required; other fields are ignored when
 * unreadable.
 */
const wireItem = z
  .object({
    infractionId: wirePathId,
    txid: listedText,
    amount: optionalOrIgnored(wireAmount),
    frozenAmount: optionalOrIgnored(wireAmount),
    status: optionalOrIgnored(wireWord(["pending", "agreed", "disagreed", "canceled"])),
    analysisStatus: optionalOrIgnored(wireWord(["pending", "accepted", "rejected"])),
    infractionDate: listedTime,
    createdAt: listedTime,
    dueDate: listedTime,
  })
  .transform(({ frozenAmount, infractionDate, createdAt, dueDate, ...same }): ListedDispute => ({
    ...same,
    frozen: frozenAmount,
    contestedAt: infractionDate ?? createdAt,
    dueAt: dueDate,
  }));

const itemOf = (row: unknown): ListedDispute | undefined => readAs(wireItem)(camelKeys(row));

/** Rows have no time of change: a dispute is closed where no row of it says otherwise, as a closed one forbids no refund. */
const isLater = (row: ListedDispute, before: ListedDispute): boolean =>
  isClosed(before) && !isClosed(row);

interface ListPage extends Omit<DisputePage, "isWhole">, Paged<ListedDispute> {}

const readPage = async (answer: object, asked: string): Promise<ParseResult<ListPage>> => {
  const rows = await listedRows(answer, PLACES, itemOf, "infractionId", isLater);
  if (!rows.ok) return rows;
  const { items, unnamed, shown } = rows.value;
  const paging = pagingOf(answer, PLACES, LIST_ROUTE, shown, asked);
  return { ok: true, value: { items, unnamed, paging } };
};

/**
 * The account's disputes in the service's order: the first page, and up to five further pages that the answer names.
 *
 * AN ASSUMPTION: the document names this operation, says that ids are obtained from it (service.md 4.4) and shows no
 * shape (4.7). Items stand at the root or in arrays under usual names. An item counts when it has an `infractionId`:
 * a dispute too many costs one read, a missed dispute costs its amount. Its other fields are read by the names of the
 * documented detail. An item without `infractionDate` is taken to have been opened at its `createdAt`: the detail has
 * both.
 * @throws WalletError
 */
export const getDisputes = async (send: Send): Promise<DisputePage> => {
  const page = (query: string): Promise<ListPage> =>
    send({
      ...routeRead(LIST_ROUTE, query),
      read: (answer) => readPage(answer, query),
      unshown: true,
    });
  const first = await page("");
  let { unnamed } = first;
  const read = async (query: string): Promise<ListPage> => {
    const further = await page(query);
    unnamed += further.unnamed;
    return further;
  };
  const { items, isWhole } = await withFurtherPages(first, "infractionId", read, isLater);
  return { items, unnamed, isWhole };
};

const MOST_FACTS = 8;
const MOST_LEVELS = 2;

const factsIn = (value: unknown, name: string, levels: number): readonly RefundFact[] => {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
    return [{ name, value: String(value) }];
  }
  if (typeof value !== "object" || value === null || Array.isArray(value) || levels === 0)
    return [];
  return Object.entries(value).flatMap(([inner, each]: [string, unknown]) =>
    factsIn(each, name === "" ? inner : `${name}.${inner}`, levels - 1),
  );
};

/**
 * The state of a refund. Its fields are not documented (service.md 2.5): single values are kept under their own
 * names. A refund without such values is an empty list, not undefined.
 */
const wireRefund = z
  .unknown()
  .optional()
  .transform((refund): readonly RefundFact[] | undefined =>
    refund === undefined || refund === null
      ? undefined
      : factsIn(refund, "", MOST_LEVELS).slice(0, MOST_FACTS),
  );

const wireSale = z
  .object({
    type: wireEnum<"api" | "esales">(),
    txid: wireId,
    amount: wireMoney,
    fee: wireMoney,
    netAmount: wireMoney,
    status: wireText,
    description: wireText,
    productName: wireTexts,
    buyer: wireTexts,
    createdAt: wireInstant,
  })
  .transform(({ type, netAmount, ...same }): ContestedSale => ({
    ...same,
    origin: type,
    net: netAmount,
  }));

const wireDispute = z.object({
  infractionId: wirePathId,
  txid: wireId,
  amount: wireMoney,
  frozenAmount: wireMoney,
  status: wireEnum<"pending" | "agreed" | "disagreed" | "canceled">(),
  analysisStatus: wireEnum<"pending" | "accepted" | "rejected">(),
  situationType: lineText,
  infractionDate: wireInstant,
  description: z.string(),
  dueDate: wireInstant,
  analysisDate: orNull(wireInstant),
  analysisDescription: wireText,
  payer: optionalOrIgnored(z.object({ name: wireText, taxId: wireText })),
  refund: wireRefund,
  createdAt: wireInstant,
  resolvedAt: orNull(wireInstant),
});

const wireSaleTxid = z.object({ txid: wireId });

/**
 * The contested sale is optional: the deadline has to reach the seller without it too. Its txid is read apart: it may
 * be the contested payment's, which must not be refunded, however unreadable the rest of the sale is.
 */
const wireAnswer = z
  .object({ med: wireDispute, originalTransaction: z.unknown().optional() })
  .transform(({ med, originalTransaction }): Dispute => {
    const { frozenAmount, situationType, infractionDate, dueDate, payer, ...others } = med;
    const { analysisDate, analysisDescription, ...same } = others;
    return {
      ...same,
      frozen: frozenAmount,
      situation: situationType,
      contestedAt: infractionDate,
      dueAt: dueDate,
      answeredAt: analysisDate,
      answer: analysisDescription,
      payerName: payer?.name,
      payerTaxId: payer?.taxId,
      sale: readAs(wireSale)(originalTransaction),
      saleTxid: readAs(wireSaleTxid)(originalTransaction)?.txid,
    };
  });

const count = z.int().nonnegative();

const wireSummary = z
  .object({
    summary: z.object({
      byStatus: z.object({
        pending: count,
        agreed: count,
        disagreed: count,
        canceled: count,
        total: count,
      }),
      byAnalysis: z.object({ pending: count, accepted: count, rejected: count }),
      amounts: z.object({ currentlyFrozen: wireMoney, totalLost: wireMoney }),
    }),
  })
  .transform(({ summary: { amounts, ...counts } }): DisputeSummary => ({
    ...counts,
    frozen: amounts.currentlyFrozen,
    lost: amounts.totalLost,
  }));

const readDispute = readerOf(wireAnswer);
const readSummary = readerOf(wireSummary);

/**
 * One dispute, with the contested sale where the service knows it. A dispute of another account reads as a missing
 * one.
 * Source: service.md 2.5, 4.4.
 * @throws WalletError; `not_found`, and `invalid_request` for text that cannot be an id
 */
export const getDispute = async (send: Send, infractionId: string): Promise<Dispute> =>
  send({ ...resourceRead("/v1/meds/{infractionId}", infractionId), read: readDispute });

/**
 * Counts and amounts over all disputes; all zero without disputes. Source: service.md 2.6, 4.5.
 * @throws WalletError
 */
export const getDisputeSummary = (send: Send): Promise<DisputeSummary> =>
  send({ ...routeRead("/v1/meds/summary"), read: readSummary });
