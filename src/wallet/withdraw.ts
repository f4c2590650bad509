import type { AcceptedWithdrawal, WithdrawRequest } from "../domain/withdrawal.ts";
import type { Cents } from "../shared/money.ts";
import { acceptedWithdrawal } from "./accepted-withdrawal.ts";
import type { MoneyOperation } from "./money-operation.ts";

/** Far beyond any balance, and far below where a JSON number would lose centavos or take an exponent. */
const LARGEST = 1e13;

const isAmount = (amount: Cents): boolean =>
  Number.isSafeInteger(amount) && amount > 0 && amount <= LARGEST;

/**
 * The withdrawal of an amount of the balance.
 *
 * AN ASSUMPTION: the document names this operation and shows neither its request nor its answer (service.md 4.7). By
 * analogy with the split withdrawal (2.1, 2.2) the request is `amount`, a JSON number in reais with at most two
 * decimals (1), `pixKey`, and `turbo`, always sent; the answer is read as that of the split withdrawal.
 */
export const withdrawal = ({
  amount,
  pixKey,
  turbo,
}: WithdrawRequest): MoneyOperation<AcceptedWithdrawal> => ({
  route: "/v1/withdraw",
  body:
    isAmount(amount) && pixKey.length > 0
      ? JSON.stringify({ amount: amount / 100, pixKey, turbo })
      : undefined,
  accepted: acceptedWithdrawal,
});
