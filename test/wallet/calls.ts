import type { WalletClient } from "#src/wallet/wallet-client.ts";
import type { WalletKey } from "#src/wallet/wallet-key.ts";
import { DAY } from "./wallet-setup.ts";

export type OperationName =
  | "salesReport"
  | "transaction"
  | "withdrawal"
  | "dispute"
  | "disputeSummary"
  | "splitWithdraw";

type Call = (client: WalletClient, key: WalletKey) => Promise<unknown>;

const SPLIT = { recipientUserId: "1184620937715208273", pixKey: "+5511900000000", turbo: false };

/** One call of each operation, as a person would cause it. */
export const calls: Readonly<Record<OperationName, Call>> = {
  salesReport: (client, key) => client.salesReport(key, DAY, "interactive"),
  transaction: (client, key) => client.transaction(key, "a41f07c98e2d", "interactive"),
  withdrawal: (client, key) => client.withdrawal(key, "w7e20b8d5f31", "interactive"),
  dispute: (client, key) => client.dispute(key, "b3c5e0f2-66d1", "interactive"),
  disputeSummary: (client, key) => client.disputeSummary(key, "interactive"),
  splitWithdraw: (client, key) => client.splitWithdraw(key, SPLIT),
};
