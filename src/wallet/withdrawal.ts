import * as z from "zod";

import type { Withdrawal } from "../domain/withdrawal.ts";
import type { Send } from "./operation.ts";
import { resourcePath } from "./path.ts";
import { adornment, orNull, readerOf, wireEnum, wireId, wireInstant, wireMoney } from "./wire.ts";

const ROUTE = "/v1/withdrawals/{txid}";

const text = adornment(z.string());

const wireWithdrawal = z.object({
  txid: wireId,
  amount: wireMoney,
  netAmount: wireMoney,
  fee: wireMoney,
  status: wireEnum<"scheduled" | "processing" | "completed" | "failed" | "cancelled">(),
  paymentType: wireEnum<"normal" | "turbo">(),
  pixKey: z.string(),
  pixKeyType: wireEnum<"CPF" | "CNPJ" | "EMAIL" | "PHONE" | "EVP">(),
  bankName: text,
  accountHolder: text,
  transferId: text,
  isTurbo: z.boolean(),
  requestedAt: wireInstant,
  scheduledFor: orNull(wireInstant),
  completedAt: orNull(wireInstant),
  failedAt: orNull(wireInstant),
  failReason: text,
  metadata: adornment(
    z.object({
      error_code: text,
      provider_transfer_id: text,
      provider_batch_id: text,
      frozenBalance: adornment(wireMoney),
      balanceAlreadyDeducted: adornment(z.boolean()),
    }),
  ),
  createdAt: wireInstant,
  updatedAt: wireInstant,
});

const wireProcessor = z.object({ provider: text, status: text, lastStatus: text });

const wireAnswer = z
  .object({ withdrawal: wireWithdrawal, transferStatus: adornment(wireProcessor) })
  .transform(({ withdrawal, transferStatus }): Withdrawal => {
    const { netAmount, paymentType, metadata, ...same } = withdrawal;
    const processor = transferStatus && {
      name: transferStatus.provider,
      status: transferStatus.status,
      lastStatus: transferStatus.lastStatus,
    };
    return {
      ...same,
      net: netAmount,
      modality: paymentType,
      errorCode: metadata?.error_code,
      providerTransferId: metadata?.provider_transfer_id,
      providerBatchId: metadata?.provider_batch_id,
      frozenBalance: metadata?.frozenBalance,
      balanceDeducted: metadata?.balanceAlreadyDeducted,
      processor,
    };
  });

const read = readerOf(wireAnswer);

/**
 * One withdrawal as it stands; it may well be a failed one. Another account's looks like a missing one.
 * Source: service.md 2.4, 4.3.
 * @throws WalletError; `not_found`, and `invalid_request` for what cannot be an id
 */
export const getWithdrawal = async (send: Send, txid: string): Promise<Withdrawal> =>
  send({
    method: "GET",
    route: ROUTE,
    path: resourcePath(ROUTE, txid),
    read,
    fresh: true,
    refusal: "not_found",
  });
