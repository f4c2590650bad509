import type { ChargeCode } from "./charges.ts";

/** Shapes of the list in `GET /v1/withdrawals`, which the document does not show. */
export const LIST_SHAPES = [
  "withdrawals",
  "data",
  "items",
  "results",
  "root",
  "unreadable",
] as const;
export type ListShape = (typeof LIST_SHAPES)[number];

/** Shapes of the list in `GET /v1/meds`, which the document does not show. */
const MED_LIST_SHAPES = [
  "meds",
  "infractions",
  "data",
  "items",
  "results",
  "root",
  "unreadable",
] as const;
export type MedListShape = (typeof MED_LIST_SHAPES)[number];

/** Shapes of the list in `GET /v1/transactions`, which the document does not show. */
export const TRANSACTION_LIST_SHAPES = [
  "transactions",
  "payments",
  "data",
  "items",
  "results",
  "root",
  "unreadable",
] as const;
export type TransactionListShape = (typeof TRANSACTION_LIST_SHAPES)[number];

/** Settings that a test may change while the wallet runs. */
export interface WalletSettings {
  /** Delay of every answer, in milliseconds of real time. */
  latencyMs: number;
  /** Rows of the only page of `GET /v1/withdrawals`. */
  withdrawalPageSize: number;
  withdrawalListShape: ListShape;
  /** False allows withdrawals without limits, as the limits would hide a withdrawal that a client requests twice. */
  withdrawalLimits: boolean;
  /** Rows of the only page of `GET /v1/meds`. */
  medPageSize: number;
  medListShape: MedListShape;
  /** Rows of each page of `GET /v1/transactions`; an answer at the root names no further page. */
  transactionPageSize: number;
  transactionListShape: TransactionListShape;
  /** Days from the deadline of an unanswered MED until it is accepted automatically; undefined for never. */
  medAcceptedAfterDays: number | undefined;
  /** The code in the answers about charges. */
  chargeCode: ChargeCode;
}

export const DEFAULT_SETTINGS: Readonly<WalletSettings> = {
  latencyMs: 0,
  withdrawalPageSize: 20,
  withdrawalListShape: "withdrawals",
  withdrawalLimits: true,
  medPageSize: 20,
  medListShape: "meds",
  transactionPageSize: 20,
  transactionListShape: "transactions",
  medAcceptedAfterDays: undefined,
  chargeCode: "whole",
};
