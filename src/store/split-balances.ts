import type { SplitBalances } from "../domain/money-stores.ts";
import { cents } from "../shared/money.ts";
import { instantOf, storedInstant } from "./columns.ts";
import type { Database } from "./schema.ts";

/** Split balances as the service last stated them: an answer that comes late replaces no newer one. */
export const splitBalances = (db: Database): SplitBalances => ({
  note: async (accountFp, recipientId, balance, at) => {
    const said = { balance_cents: balance, at: storedInstant(at) };
    await db
      .insertInto("split_balance")
      .values({ account_fp: accountFp, recipient_id: recipientId, ...said })
      .onConflict((conflict) =>
        conflict
          .columns(["account_fp", "recipient_id"])
          .doUpdateSet(said)
          .where("split_balance.at", "<=", said.at),
      )
      .execute();
  },
  last: async (accountFp, recipientId) => {
    const row = await db
      .selectFrom("split_balance")
      .select(["balance_cents", "at"])
      .where("account_fp", "=", accountFp)
      .where("recipient_id", "=", recipientId)
      .executeTakeFirst();
    return row && { balance: cents(row.balance_cents), at: instantOf(row.at) };
  },
});
