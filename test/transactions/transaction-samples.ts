import type { Locale } from "#src/shared/locale.ts";
import { cents } from "#src/shared/money.ts";
import type { ListedTransaction, Transaction } from "#src/transactions/transaction.ts";
import type { TransactionDetailFacts } from "#src/transactions/transactions.view.ts";
import { NOW } from "../support/samples.ts";

export const TXID = "a41f07c98e2d4b6391d05c7f";

/** A sale of the list, with all that a row may tell. */
export const sampleRow = (changes: Partial<ListedTransaction> = {}): ListedTransaction => ({
  txid: TXID,
  amount: cents(24_900),
  net: cents(23_406),
  type: "payment",
  status: "approved",
  description: "Plano VIP mensal",
  createdAt: NOW,
  updatedAt: NOW,
  ...changes,
});

export const samplePayment = (changes: Partial<Transaction> = {}): Transaction => ({
  txid: TXID,
  amount: cents(24_900),
  fee: cents(1_494),
  net: cents(23_406),
  type: "payment",
  status: "approved",
  modality: "link",
  description: "Plano VIP mensal",
  redirectUrl: undefined,
  providerId: undefined,
  payer: {
    name: "Camila Ribeiro Fontes",
    document: "***.482.917-**",
    bankName: "Banco Horizonte Azul S.A.",
    bankCode: "091",
    accountType: "checking",
  },
  withdrawal: undefined,
  createdAt: NOW,
  updatedAt: NOW,
  ...changes,
});

export const samplePayout = (changes: Partial<Transaction> = {}): Transaction => ({
  ...samplePayment(),
  txid: "w7e20b8d5f314a0c9c46a1d3",
  type: "withdrawal",
  modality: "turbo",
  description: undefined,
  payer: undefined,
  withdrawal: { pixKey: "ana@loja.example", scheduledFor: undefined, transferId: "trf_9b17" },
  ...changes,
});

export const transactionFacts = (
  transaction: Transaction,
  locale: Locale = "pt-BR",
): TransactionDetailFacts => ({
  transaction,
  dispute: { watchId: "account-1", infractionId: "b3c5e0f2-66d1" },
  refundEnabled: true,
  readAt: NOW,
  locale,
});

/** A row, and transactions in full, whose texts are all the given one. */
export const hostileTransaction = (text: string): ListedTransaction =>
  sampleRow({ txid: text, type: text, status: text, description: text });

export const hostilePayment = (text: string): Transaction =>
  samplePayment({
    txid: text,
    type: text,
    status: text,
    modality: text,
    description: text,
    redirectUrl: text,
    providerId: text,
    payer: {
      name: text,
      document: text,
      bankName: text,
      bankCode: text,
      accountType: text,
    },
  });

export const hostilePayout = (text: string): Transaction =>
  samplePayout({
    txid: text,
    status: text,
    withdrawal: { pixKey: "ana@loja.example", scheduledFor: NOW, transferId: text },
  });
