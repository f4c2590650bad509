import type { MoneyAnswer } from "#src/withdrawals/withdrawal.ts";
import type { Priority, WalletKey } from "#src/accounts/wallet-key.ts";
import { cents } from "#src/shared/money.ts";
import type { WalletClient } from "#src/wallet/client.ts";
import { DAY } from "./wallet-setup.ts";

export type ReadName =
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

export type MoneyName =
  | "createCharge"
  | "splitWithdraw"
  | "withdraw"
  | "cancelWithdrawal"
  | "refund";

export type OperationName = ReadName | MoneyName;

const TXID = "w7e20b8d5f31";
const KEY = "+5511900000000";
const SPLIT = { recipientUserId: "1184620937715208273", pixKey: KEY, turbo: false };
const CHARGE = { amount: cents(7_990), description: "Plano VIP mensal" };
const WITHDRAW = { amount: cents(12_035), pixKey: KEY, turbo: false };

type ReadCall = (client: WalletClient, key: WalletKey) => Promise<unknown>;

const readsWith = (priority: Priority, cursor?: string): Readonly<Record<ReadName, ReadCall>> => ({
  salesReport: (client, key) => client.salesReport(key, DAY, priority),
  transaction: (client, key) => client.transaction(key, "a41f07c98e2d", priority),
  transactions: (client, key) => client.transactions(key, cursor, priority),
  withdrawal: (client, key) => client.withdrawal(key, TXID, priority),
  dispute: (client, key) => client.dispute(key, "b3c5e0f2-66d1", priority),
  disputes: (client, key) => client.disputes(key, priority),
  disputeSummary: (client, key) => client.disputeSummary(key, priority),
  balance: (client, key) => client.balance(key, priority),
  withdrawals: (client, key) => client.withdrawals(key, priority),
  chargeStatus: (client, key) => client.chargeStatus(key, TXID, CHARGE, priority),
  checkPixKey: (client, key) => client.checkPixKey(key, KEY, priority),
});

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

/** One call of each operation; those that move money choose their own priority. `cursor`: of a page of transactions. */
export const callsWith = (priority: Priority, cursor?: string) => ({
  ...readsWith(priority, cursor),
  ...moneyCalls,
});

export const calls = callsWith("interactive");
export const readNames = Object.keys(readsWith("interactive")) as readonly ReadName[];

export const kindOf = async (call: Promise<unknown>): Promise<string> =>
  call.then(
    (value) =>
      typeof value === "object" && value !== null && "state" in value
        ? String(value.state)
        : "value",
    (error: { readonly kind: string }) => error.kind,
  );
