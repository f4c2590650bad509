import type { OpenListings } from "../domain/money-stores.ts";
import type { WithdrawKind } from "../domain/withdraw-op.ts";
import type { Database } from "./schema.ts";

const nameOf = (accountFp: string, kind: WithdrawKind): string =>
  `open_listed|${kind}|${accountFp}`;

/** Rows of `meta`, one for each account and kind whose open withdrawals were seen in the list. */
export const openListings = (db: Database): OpenListings => ({
  note: async (accountFp, kind) => {
    await db
      .insertInto("meta")
      .values({ name: nameOf(accountFp, kind), value: "seen" })
      .onConflict((conflict) => conflict.column("name").doNothing())
      .execute();
  },
  isKnown: async (accountFp, kind) => {
    const row = await db
      .selectFrom("meta")
      .select("name")
      .where("name", "=", nameOf(accountFp, kind))
      .executeTakeFirst();
    return row !== undefined;
  },
});
