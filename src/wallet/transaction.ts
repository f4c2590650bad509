import * as z from "zod";
import type { Payer, Transaction } from "../domain/withdrawal.ts";
import { resourcePath, type Send } from "./operation.ts";
import {
  optionalOrIgnored,
  orNull,
  readerOf,
  wireEnum,
  wireId,
  wireInstant,
  wireMoney,
} from "./wire.ts";

const ROUTE = "/v1/transactions/{txid}";

const text = optionalOrIgnored(z.string());

const wirePayer = z
  .object({
    name: text,
    document: text,
    bank: optionalOrIgnored(z.object({ name: text, code: text })),
  })
  .transform((wire): Payer => ({
    name: wire.name,
    document: wire.document,
    bankName: wire.bank?.name,
    bankCode: wire.bank?.code,
  }));

const wireTransaction = z.object({
  txid: wireId,
  amount: wireMoney,
  netAmount: wireMoney,
  fee: wireMoney,
  type: wireEnum<"payment" | "withdrawal">(),
  status: wireEnum<"pending" | "approved" | "refunded" | "scheduled" | "processing">(),
  paymentType: wireEnum<"link" | "normal" | "turbo">(),
  metadata: optionalOrIgnored(z.object({ description: text })),
  withdrawalInfo: orNull(
    z.object({
      pixKey: z.string(),
      scheduledFor: optionalOrIgnored(wireInstant),
      transferId: text,
    }),
  ),
  payer: optionalOrIgnored(wirePayer),
  createdAt: wireInstant,
  updatedAt: wireInstant,
});

const wireAnswer = z
  .object({ transaction: wireTransaction })
  .transform(({ transaction: wire }): Transaction => ({
    txid: wire.txid,
    amount: wire.amount,
    fee: wire.fee,
    net: wire.netAmount,
    type: wire.type,
    status: wire.status,
    modality: wire.paymentType,
    description: wire.metadata?.description,
    payer: wire.payer,
    withdrawal: wire.withdrawalInfo && {
      pixKey: wire.withdrawalInfo.pixKey,
      scheduledFor: wire.withdrawalInfo.scheduledFor,
      transferId: wire.withdrawalInfo.transferId,
    },
    createdAt: wire.createdAt,
    updatedAt: wire.updatedAt,
  }));

const read = readerOf(wireAnswer);

/**
 * One transaction in full. A transaction of another account reads as a missing one.
 * Source: service.md 2.3, 4.2.
 * @throws WalletError; `not_found`, and `invalid_request` for text that cannot be an id
 */
export const getTransaction = async (send: Send, txid: string): Promise<Transaction> =>
  send({
    method: "GET",
    route: ROUTE,
    path: resourcePath(ROUTE, txid),
    read,
    fresh: true,
    refusal: "not_found",
  });
