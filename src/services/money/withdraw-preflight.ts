import type { PixKey } from "../../domain/pix-key.ts";
import { UserError } from "../../shared/errors.ts";
import type { MoneyNeeds } from "./money-needs.ts";
import type { WithdrawOrder } from "./money-services.ts";
import { reading, requireAuthorized, valueOf } from "../wallet-reading.ts";
import type { Connection } from "./withdraw-account.ts";

/** Reads all at once what the confirmation shows. @throws WalletError; UserError pix_key_refused */
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
  const wholeBalance = order.what.kind === "own" && order.what.amount === "all";
  if (wholeBalance && !balance.ok) throw balance.error;
  const holder = valueOf(check);
  if (holder?.valid === false) throw new UserError({ kind: "pix_key_refused" });
  return { available: valueOf(balance)?.available, page: valueOf(list), holder };
};
