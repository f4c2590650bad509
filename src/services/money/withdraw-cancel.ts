import { readPixKey } from "../../domain/pix-key.ts";
import { isNight } from "../../domain/withdraw-limits.ts";
import type { Withdrawal } from "../../domain/withdrawal.ts";
import type { WalletKey } from "../../domain/wallet-key.ts";
import { UserError, WalletError } from "../../shared/errors.ts";
import { Secret } from "../../shared/secret.ts";
import type { MoneyNeeds } from "./money-needs.ts";
import type { Actor, Confirmation } from "./money-services.ts";
import { connectionOfActor, originOf } from "./withdraw-account.ts";
import { guardsOf, requireEnabled } from "./withdraw-rules.ts";
import { newToken } from "./withdraw-token.ts";

/** @throws UserError withdrawal_not_found, not_cancellable; WalletError */
const scheduledWithdrawal = async (
  needs: MoneyNeeds,
  key: WalletKey,
  txid: string,
): Promise<Withdrawal> => {
  try {
    const withdrawal = await needs.wallet.withdrawal(key, txid, "interactive");
    if (withdrawal.status !== "scheduled") throw new UserError({ kind: "not_cancellable" });
    return withdrawal;
  } catch (error) {
    if (error instanceof WalletError && error.kind === "not_found") {
      throw new UserError({ kind: "withdrawal_not_found" });
    }
    throw error;
  }
};

/** The key as the service writes it, for the person to know it by. */
const shownKey = (pixKey: string): Confirmation["pixKey"] => {
  const read = readPixKey(pixKey);
  const type = read.kind === "key" ? read.key.type : "unknown";
  return { value: new Secret(pixKey), type, suspect: false };
};

/** See `WithdrawalsService.prepareCancel`. */
export const prepareCancel = async (
  needs: MoneyNeeds,
  actor: Actor,
  txid: string,
): Promise<Confirmation> => {
  requireEnabled(needs, "cancel");
  const connection = await connectionOfActor(needs, actor);
  const withdrawal = await scheduledWithdrawal(needs, connection.key, txid);
  const guards = await guardsOf(needs, actor.userId);
  const now = needs.clock.now();
  const { token, hash, expiresAt } = newToken(needs, now);
  const op = await needs.journal.draft(
    {
      ...originOf(actor, connection),
      kind: "cancel",
      amount: withdrawal.amount,
      pixKey: "",
      pixKeyHash: "",
      pixKeyMasked: "",
      recipientId: undefined,
      targetTxid: txid,
      confirmationsLeft: 1,
      confirmTokenHash: hash,
      confirmExpiresAt: expiresAt,
      preTxids: undefined,
      preBalance: undefined,
      skewMs: undefined,
    },
    now,
  );
  return {
    kind: "confirmation",
    op,
    token,
    expiresAt,
    confirmationsLeft: 1,
    askedTwice: [],
    pinRequired: guards.pin !== undefined,
    pixKey: shownKey(withdrawal.pixKey),
    holderName: withdrawal.accountHolder,
    bankName: withdrawal.bankName,
    quotes: undefined,
    available: undefined,
    sentMeanwhile: false,
    underWay: [],
    recent: undefined,
    nextAllowedAt: now,
    night: isNight(now),
    lastSplitBalance: undefined,
    keySaved: false,
  };
};
