import type { PixKey } from "../../domain/pix-key.ts";
import type { WalletKey } from "../../domain/wallet-key.ts";
import type { WithdrawOp } from "../../domain/withdraw-op.ts";
import { isUnanswered, UserError } from "../../shared/errors.ts";
import type { MoneyNeeds } from "./money-needs.ts";
import type { WithdrawOrder } from "./money-services.ts";
import { type Reading, reading, requireAuthorized, valueOf } from "../wallet-reading.ts";
import type { Connection } from "./withdraw-account.ts";

const isLost = (read: Reading<unknown>): boolean => !read.ok && isUnanswered(read.error.kind);

/**
 * A service that answers none of two reads would leave a request that moves money in doubt. One that cannot be read in
 * another way, as where a listing does not exist, is there.
 * @throws UserError service_down
 */
export const requireAnswering = async (
  { wallet }: Pick<MoneyNeeds, "wallet">,
  { kind, targetTxid }: Pick<WithdrawOp, "kind" | "targetTxid">,
  key: WalletKey,
): Promise<void> => {
  if (!isLost(await reading(wallet.balance(key, "money")))) return;
  const second =
    kind === "cancel"
      ? wallet.withdrawal(key, targetTxid ?? "", "money")
      : wallet.withdrawals(key, "money");
  if (isLost(await reading<unknown>(second))) throw new UserError({ kind: "service_down" });
};

/** Reads all at once what the confirmation shows. @throws WalletError; UserError pix_key_refused, service_down */
export const preflight = async (
  needs: MoneyNeeds,
  order: WithdrawOrder,
  { key }: Connection,
  to: PixKey,
) => {
  const { wallet } = needs;
  const [balance, list, check] = await Promise.all([
    reading(wallet.balance(key, "interactive")),
    reading(wallet.withdrawals(key, "interactive")),
    reading(wallet.checkPixKey(key, to.value, "interactive")),
  ]);
  requireAuthorized(balance, list, check);
  if (isLost(balance) && isLost(list)) throw new UserError({ kind: "service_down" });
  const wholeBalance = order.what.kind === "own" && order.what.amount === "all";
  if (wholeBalance && !balance.ok) throw balance.error;
  const holder = valueOf(check);
  if (holder?.valid === false) throw new UserError({ kind: "pix_key_refused" });
  return { available: valueOf(balance)?.available, page: valueOf(list), holder };
};
