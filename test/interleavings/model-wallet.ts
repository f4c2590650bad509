import type { MoneyWallet } from "#src/withdrawals/money-services.service.ts";
import type { Withdrawal, WithdrawAnswer } from "#src/withdrawals/withdrawal.ts";
import type { WalletKey } from "#src/accounts/wallet-key.ts";
import type { Clock } from "#src/shared/time.ts";
import { WalletError } from "#src/shared/errors.ts";
import { cents, type Cents } from "#src/shared/money.ts";
import type { Dice } from "../simulate/dice.ts";
import { LOST, REFUSED, UNTOLD } from "../withdrawals/plain-wallet.ts";

/** One request that moves money, and whether it was executed. */
export interface Post {
  readonly fingerprint: string;
  readonly amount: Cents | undefined;
  readonly executed: boolean;
}

export interface ModelWallet extends MoneyWallet {
  readonly posts: readonly Post[];
  /** Maximum number of concurrent requests of one account. */
  readonly mostAtOnce: () => number;
}

const FEE = cents(350);
const BALANCE = cents(90_000_000);

const CLOSED = {
  state: "not_sent",
  reason: "closed",
  errorCode: "closed",
  retryAfterMs: undefined,
} as const;

/** A wallet service in memory: `yields` lets other tasks run in between; the dice decide whether an answer is lost. */
export const createModelWallet = (
  clock: Clock,
  dice: Dice,
  yields: () => Promise<void>,
): ModelWallet => {
  const posts: Post[] = [];
  const made = new Map<string, Withdrawal[]>();
  const underWay = new Map<string, number>();
  let mostAtOnce = 0;
  let txids = 0;

  const withdrawalsOf = ({ fingerprint }: WalletKey): readonly Withdrawal[] =>
    made.get(fingerprint) ?? [];

  const make = (key: WalletKey, amount: Cents, pixKey: string, turbo: boolean): Withdrawal => {
    const at = clock.now();
    const withdrawal: Withdrawal = {
      txid: `W${String(++txids).padStart(12, "0")}`,
      amount,
      fee: FEE,
      net: cents(amount - FEE),
      status: "processing",
      modality: turbo ? "turbo" : "normal",
      isTurbo: turbo,
      pixKey,
      pixKeyType: "EMAIL",
      ...UNTOLD,
      requestedAt: at,
      scheduledFor: undefined,
      createdAt: at,
      updatedAt: at,
    };
    made.set(key.fingerprint, [...withdrawalsOf(key), withdrawal]);
    return withdrawal;
  };

  const post = async (
    key: WalletKey,
    amount: Cents | undefined,
    carryOut: () => Withdrawal,
  ): Promise<WithdrawAnswer> => {
    const { fingerprint } = key;
    const now = (underWay.get(fingerprint) ?? 0) + 1;
    underWay.set(fingerprint, now);
    mostAtOnce = Math.max(mostAtOnce, now);
    await yields();
    const fate = dice.between(0, 9);
    const executed = fate < 8;
    const withdrawal = executed ? carryOut() : undefined;
    posts.push({ fingerprint, amount, executed });
    await yields();
    underWay.set(fingerprint, (underWay.get(fingerprint) ?? 1) - 1);
    if (withdrawal !== undefined && fate < 7)
      return {
        state: "accepted",
        httpStatus: 200,
        requestId: undefined,
        value: {
          ...withdrawal,
          pixKeyOwner: undefined,
          estimatedProcessingAt: undefined,
          previousBalance: undefined,
          newBalance: undefined,
        },
      };
    return fate === 9 ? { ...REFUSED, reason: "forbidden", httpStatus: 403 } : LOST;
  };

  const refuse = (route: string): never => {
    throw new WalletError({ kind: "not_found", method: "GET", route, status: 404 });
  };

  return {
    posts,
    mostAtOnce: () => mostAtOnce,
    balance: async () => {
      await yields();
      return { available: BALANCE };
    },
    withdrawals: async (key) => {
      await yields();
      const items = withdrawalsOf(key).map(({ txid, requestedAt, amount, status }) => ({
        txid,
        requestedAt,
        amount,
        status,
      }));
      return { items, skewMs: 0 };
    },
    withdrawal: async (key, txid) => {
      await yields();
      return (
        withdrawalsOf(key).find((each) => each.txid === txid) ?? refuse("/v1/withdrawals/{txid}")
      );
    },
    transaction: async () => refuse("/v1/transactions/{txid}"),
    disputeSummary: async () => refuse("/v1/meds/summary"),
    disputes: async () => refuse("/v1/meds"),
    dispute: async () => refuse("/v1/meds/{infractionId}"),
    checkPixKey: async () => {
      await yields();
      return { valid: undefined, holderName: undefined, bankName: undefined };
    },
    withdraw: (key, { amount, pixKey, turbo }) =>
      post(key, amount, () => make(key, amount, pixKey, turbo)),
    splitWithdraw: (key, { pixKey, turbo }) =>
      post(key, undefined, () => make(key, cents(125_080), pixKey, turbo)),
    cancelWithdrawal: async () => CLOSED,
    refund: async () => CLOSED,
    refundTurn: async () => {},
  };
};
