import * as z from "zod";

import type { SplitWithdrawOutcome, SplitWithdrawRequest } from "../domain/withdrawal.ts";
import { WalletError } from "../shared/errors.ts";
import { cents, type Cents } from "../shared/money.ts";
import type { Operation } from "./operation.ts";
import { adornment, readerOf, wireEnum, wireEpochMs, wireId, wireMoney } from "./wire.ts";

const ROUTE = "/v1/split/withdraw";

const USER_ID = /^\d{17,20}$/;
const DECIMAL = /^(\d{1,11})(?:[.,](\d{1,2}))?$/;

const money = adornment(wireMoney);
const text = adornment(z.string());

const wireAccepted = z
  .object({
    withdrawal: z.object({
      txid: wireId,
      providerId: text,
      amount: money,
      netAmount: money,
      fee: money,
      feeType: adornment(wireEnum<"normal" | "turbo">()),
      pixKey: text,
      pixKeyOwner: text,
      status: adornment(wireEnum<"processing" | "scheduled">()),
      splitRecipientUserId: text,
      requestedAt: adornment(wireEpochMs),
      estimatedProcessingAt: adornment(wireEpochMs),
      previousSplitBalance: money,
      newSplitBalance: money,
    }),
  })
  .transform(({ withdrawal: wire }): SplitWithdrawOutcome => {
    const withdrawal = {
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
    };
    return { kind: "accepted", withdrawal };
  });

const centsFromDecimal = (decimal: string): Cents | undefined => {
  const [, reais, fraction = ""] = DECIMAL.exec(decimal) ?? [];
  return reais === undefined ? undefined : cents(Number(reais + fraction.padEnd(2, "0")));
};

const wireShortfall = z.object({
  details: z.object({ availableSplitBalance: z.string(), minimumWithdrawal: z.string() }),
});

const readAccepted = readerOf(wireAccepted);
const readShortfall = readerOf(wireShortfall);

const readRefusal = (answer: object): SplitWithdrawOutcome | undefined => {
  const reading = readShortfall(answer);
  if (!reading.valid) return undefined;
  const available = centsFromDecimal(reading.value.details.availableSplitBalance);
  const minimum = centsFromDecimal(reading.value.details.minimumWithdrawal);
  if (available === undefined || minimum === undefined) return undefined;
  return { kind: "insufficient_balance", available, minimum };
};

/**
 * The withdrawal of a recipient's whole split balance. `turbo` is always sent: left out it means turbo.
 * Source: service.md 2.1, 2.2, 4.1.
 * @throws WalletError invalid_request for a recipient who cannot be one, before anything is sent
 */
export const splitWithdrawal = (request: SplitWithdrawRequest): Operation<SplitWithdrawOutcome> => {
  if (!USER_ID.test(request.recipientUserId) || request.pixKey.length === 0) {
    throw new WalletError({ kind: "invalid_request", method: "POST", route: ROUTE });
  }
  const { recipientUserId, pixKey, turbo } = request;
  return {
    method: "POST",
    route: ROUTE,
    path: ROUTE,
    body: JSON.stringify({ recipientUserId, pixKey, turbo }),
    read: readAccepted,
    readRefusal,
    refusal: "refused",
  };
};
