import type { Account } from "../../domain/account.ts";
import type { WithdrawOp } from "../../domain/withdraw-op.ts";
import type { MoneyNeeds } from "./money-needs.ts";

/** An owner of a wallet account, as they are written to. */
export interface Told {
  readonly account: Account;
  readonly locale: WithdrawOp["locale"];
}

/** Each owner of the wallet account once, in the language that they last withdrew in. */
export const ownersOf = async (needs: MoneyNeeds, accountFp: string): Promise<readonly Told[]> => {
  const accounts = await needs.connectionsOf(accountFp);
  const byOwner = new Map(accounts.map((account) => [account.ownerId, account]));
  return await Promise.all(
    [...byOwner.values()].map(async (account) => {
      const [last] = await needs.journal.list({ ownerId: account.ownerId, limit: 1 });
      return { account, locale: last?.locale ?? "pt-BR" };
    }),
  );
};
