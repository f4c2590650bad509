import * as z from "zod";

import type { AcceptedWithdrawal } from "../domain/withdrawal.ts";
import type { AcceptedForm } from "./money-operation.ts";
import { adornment, readerOf, wireEnum, wireId, wireMoney, wireTime } from "./wire.ts";

const money = adornment(wireMoney);
const text = adornment(z.string());
const time = adornment(wireTime);

const PRINTABLE = /^\P{C}+$/u;

const wireAccepted = z
  .object({
    withdrawal: z.object({
      // What no database keeps and no person reads would be lost: without it the withdrawal has to be found again.
      txid: wireId.regex(PRINTABLE),
      providerId: text,
      amount: money,
      netAmount: money,
      fee: money,
      feeType: adornment(wireEnum<"normal" | "turbo">()),
      pixKey: text,
      pixKeyOwner: text,
      status: adornment(wireEnum<"processing" | "scheduled">()),
      splitRecipientUserId: text,
      requestedAt: time,
      estimatedProcessingAt: time,
      previousSplitBalance: money,
      newSplitBalance: money,
    }),
  })
  .transform(({ withdrawal: wire }): AcceptedWithdrawal => ({
    txid: wire.txid,
    amount: wire.amount,
    fee: wire.fee,
    net: wire.netAmount,
    modality: wire.feeType,
    status: wire.status,
    pixKey: wire.pixKey,
    pixKeyOwner: wire.pixKeyOwner,
    recipientUserId: wire.splitRecipientUserId,
    providerId: wire.providerId,
    requestedAt: wire.requestedAt,
    estimatedProcessingAt: wire.estimatedProcessingAt,
    previousBalance: wire.previousSplitBalance,
    newBalance: wire.newSplitBalance,
  }));

/**
 * The withdrawal object of an accepted request. With its `txid` the money is on its way, whatever else is missing or
 * of another type. Source: service.md 2.2.
 */
export const acceptedWithdrawal: AcceptedForm<AcceptedWithdrawal> = {
  read: readerOf(wireAccepted),
  essence: ({ txid }) => ({
    txid,
    amount: undefined,
    fee: undefined,
    net: undefined,
    modality: undefined,
    status: undefined,
    pixKey: undefined,
    pixKeyOwner: undefined,
    recipientUserId: undefined,
    providerId: undefined,
    requestedAt: undefined,
    estimatedProcessingAt: undefined,
    previousBalance: undefined,
    newBalance: undefined,
  }),
};
