import type { MoneyWallet } from "#src/withdrawals/money-services.service.ts";
import type { WithdrawAnswer } from "#src/withdrawals/withdrawal.ts";
import type { WalletKey } from "#src/accounts/wallet-key.ts";
import type { Clock } from "#src/shared/time.ts";
import type { Cents } from "#src/shared/money.ts";
import type { Dice } from "../simulate/dice.ts";
import { createPlainWallet, LOST, type PlainWallet, REFUSED } from "../withdrawals/plain-wallet.ts";

/** One request that moves money, and whether it was executed. */
export interface Post {
  readonly amount: Cents | undefined;
  readonly executed: boolean;
}

export interface ModelWallet extends MoneyWallet {
  readonly posts: readonly Post[];
  /** Maximum number of concurrent requests of one account. */
  readonly mostAtOnce: () => number;
}

const FORBIDDEN = { ...REFUSED, reason: "forbidden", httpStatus: 403 } as const;

/** A plain wallet for each account: `yields` lets other tasks run in between; the dice decide whether an answer is lost. */
export const createModelWallet = (
  clock: Clock,
  dice: Dice,
  yields: () => Promise<void>,
): ModelWallet => {
  const posts: Post[] = [];
  const accounts = new Map<string, { readonly plain: PlainWallet; underWay: number }>();
  let mostAtOnce = 0;

  const accountOf = ({ fingerprint }: WalletKey) => {
    const account = accounts.get(fingerprint) ?? { plain: createPlainWallet(clock), underWay: 0 };
    account.plain.available = 90_000_000;
    accounts.set(fingerprint, account);
    return account;
  };

  const post = async (
    key: WalletKey,
    amount: Cents | undefined,
    send: (wallet: MoneyWallet) => Promise<WithdrawAnswer>,
  ): Promise<WithdrawAnswer> => {
    const account = accountOf(key);
    mostAtOnce = Math.max(mostAtOnce, ++account.underWay);
    await yields();
    const fate = dice.between(0, 9);
    account.plain.works = fate < 8;
    account.plain.answer = fate < 7 ? undefined : fate === 9 ? FORBIDDEN : LOST;
    const answer = await send(account.plain.wallet);
    posts.push({ amount, executed: fate < 8 });
    await yields();
    account.underWay--;
    return answer;
  };

  const { wallet } = createPlainWallet(clock);
  const reads = Object.fromEntries(
    (Object.keys(wallet) as (keyof MoneyWallet)[]).map((name) => [
      name,
      async (key: WalletKey, ...given: unknown[]): Promise<unknown> => {
        await yields();
        const read = accountOf(key).plain.wallet[name] as (...all: unknown[]) => Promise<unknown>;
        return await read(key, ...given);
      },
    ]),
  ) as unknown as MoneyWallet;

  return {
    ...reads,
    posts,
    mostAtOnce: () => mostAtOnce,
    withdraw: (key, request) => post(key, request.amount, (plain) => plain.withdraw(key, request)),
    splitWithdraw: (key, request) =>
      post(key, undefined, (plain) => plain.splitWithdraw(key, request)),
  };
};
