/** Settings that a test may change while the wallet runs. */
export interface WalletSettings {
  /** Delay of every answer, in milliseconds of real time. */
  latencyMs: number;
  /** Rows of the only page of `GET /v1/withdrawals`. */
  withdrawalPageSize: number;
  /** False allows withdrawals without limits, as the limits would hide a withdrawal that a client requests twice. */
  withdrawalLimits: boolean;
  /** Rows of each page of `GET /v1/transactions`; an answer at the root names no further page. */
  transactionPageSize: number;
  /** Of the list in `GET /v1/transactions`, which the document does not show. */
  transactionListShape: "transactions" | "payments" | "root" | "unreadable";
}

export const DEFAULT_SETTINGS: Readonly<WalletSettings> = {
  latencyMs: 0,
  withdrawalPageSize: 20,
  withdrawalLimits: true,
  transactionPageSize: 20,
  transactionListShape: "transactions",
};
