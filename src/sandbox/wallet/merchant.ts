import type { Med } from "./meds.ts";
import type { SaleLedger } from "./sale-ledger.ts";
import type { Withdrawal } from "./withdrawal-book.ts";

/** An account of the wallet service with its one API key. */
export interface Merchant {
  readonly userId: string;
  readonly apiKey: string;
  revoked: boolean;
  readonly splitEnabled: boolean;
  readonly withdrawalsBlocked: boolean;
  readonly sales: SaleLedger;
  readonly withdrawals: Withdrawal[];
  readonly meds: readonly Med[];
  /** Accumulated split balance in centavos, by the recipient's user id. */
  readonly splitBalances: Map<string, number>;
}
