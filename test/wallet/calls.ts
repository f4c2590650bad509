import type { MoneyAnswer } from "#src/withdrawals/withdrawal.ts";
import type { WalletKey } from "#src/accounts/wallet-key.ts";
import { cents } from "#src/shared/money.ts";
import type { WalletClient } from "#src/wallet/client.ts";
import { DAY } from "./wallet-setup.ts";

type ReadName =
  | "salesReport"
  | "transaction"
  | "transactions"
  | "withdrawal"
  | "dispute"
  | "disputes"
  | "disputeSummary"
  | "balance"
  | "withdrawals"
  | "chargeStatus"
  | "checkPixKey";

type MoneyName = "createCharge" | "splitWithdraw" | "withdraw" | "cancelWithdrawal" | "refund";

export type OperationName = ReadName | MoneyName;

const TXID = "w7e20b8d5f31";
const KEY = "+5511900000000";
const SPLIT = { recipientUserId: "1184620937715208273", pixKey: KEY, turbo: false };
const CHARGE = { amount: cents(7_990), description: "Plano VIP mensal" };
const WITHDRAW = { amount: cents(12_035), pixKey: KEY, turbo: false };

/** One call of each read, with interactive priority. */
const reads: Readonly<
  Record<ReadName, (client: WalletClient, key: WalletKey) => Promise<unknown>>
> = {
  salesReport: (client, key) => client.salesReport(key, DAY, "interactive"),
  transaction: (client, key) => client.transaction(key, "a41f07c98e2d", "interactive"),
  transactions: (client, key) => client.transactions(key, undefined, "interactive"),
  withdrawal: (client, key) => client.withdrawal(key, TXID, "interactive"),
  dispute: (client, key) => client.dispute(key, "b3c5e0f2-66d1", "interactive"),
  disputes: (client, key) => client.disputes(key, "interactive"),
  disputeSummary: (client, key) => client.disputeSummary(key, "interactive"),
  balance: (client, key) => client.balance(key, "interactive"),
  withdrawals: (client, key) => client.withdrawals(key, "interactive"),
  chargeStatus: (client, key) => client.chargeStatus(key, TXID, CHARGE, "interactive"),
  checkPixKey: (client, key) => client.checkPixKey(key, KEY, "interactive"),
};

type MoneyCall = (client: WalletClient, key: WalletKey) => Promise<MoneyAnswer<unknown>>;

export const moneyCalls: Readonly<Record<MoneyName, MoneyCall>> = {
  createCharge: (client, key) => client.createCharge(key, CHARGE),
  splitWithdraw: (client, key) => client.splitWithdraw(key, SPLIT),
  withdraw: (client, key) => client.withdraw(key, WITHDRAW),
  cancelWithdrawal: (client, key) => client.cancelWithdrawal(key, TXID),
  refund: (client, key) => client.refund(key, "a41f07c98e2d"),
};

export const moneyNames = Object.keys(moneyCalls) as readonly MoneyName[];

/** Those that count against the quota of withdrawals. */
export const withdrawalNames = moneyNames.filter((name) => name !== "createCharge");

export const isMoney = (name: OperationName): name is MoneyName => Object.hasOwn(moneyCalls, name);

export const calls = { ...reads, ...moneyCalls };

export const kindOf = async (call: Promise<unknown>): Promise<string> =>
  call.then(
    (value) =>
      typeof value === "object" && value !== null && "state" in value
        ? String(value.state)
        : "value",
    (error: { readonly kind: string }) => error.kind,
  );
