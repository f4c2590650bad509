import { isDiscordId } from "../domain/discord-id.ts";
import type { AcceptedWithdrawal, SplitWithdrawRequest } from "../domain/withdrawal.ts";
import { acceptedWithdrawal } from "./accepted-withdrawal.ts";
import type { MoneyOperation } from "./money-operation.ts";

const isPossible = ({ recipientUserId, pixKey }: SplitWithdrawRequest): boolean =>
  isDiscordId(recipientUserId) && pixKey.length > 0;

/**
 * The withdrawal of a recipient's whole split balance. `turbo` is always sent: left out it means turbo. Without a body
 * for a recipient who cannot be one. Source: service.md 2.1, 2.2, 4.1.
 */
export const splitWithdrawal = (
  request: SplitWithdrawRequest,
): MoneyOperation<AcceptedWithdrawal> => {
  const { recipientUserId, pixKey, turbo } = request;
  const body = JSON.stringify({ recipientUserId, pixKey, turbo });
  return {
    route: "/v1/split/withdraw",
    body: isPossible(request) ? body : undefined,
    accepted: acceptedWithdrawal,
  };
};
