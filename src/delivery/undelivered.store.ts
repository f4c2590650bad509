import { sql } from "kysely";
import type { DeliveryKind } from "./delivery-policies.ts";
import { storedInstant } from "../database/columns.ts";
import type { Database } from "../schema.ts";

/**
 * Number of posts since `since`, of all the owner's connections of the wallet account, that did not reach the owner: those
 * of these kinds that Discord refused, and those that wait for a lost channel. `place`: direct messages alone, as the
 * posts of a server's channel concern others too.
 */
export const undelivered =
  (db: Database, kinds: readonly DeliveryKind[], place?: "person") =>
  async (accountId: string, since: Temporal.Instant): Promise<number> => {
    const { count } = await db
      .selectFrom("outbox as refused")
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .where("refused.account_id", "in", (eb) =>
        eb
          .selectFrom("account")
          .innerJoin("account as asked", "asked.watch_id", "account.watch_id")
          .select("account.id")
          .where("asked.id", "=", accountId),
      )
      .where("refused.kind", "in", kinds)
      .$if(place !== undefined, (query) => query.where("refused.target_kind", "=", "person"))
      // The words of the partial index, which SQLite uses for no parameter.
      .where(sql<boolean>`refused.state in ('dead', 'blocked')`)
      // A blocked delivery is not settled: `not_before` is the time of its next probe.
      .where(
        ({ fn }) => fn.coalesce("refused.settled_at", "refused.not_before"),
        ">=",
        storedInstant(since),
      )
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom("outbox as repeat")
              .select("repeat.dedupe_key")
              .whereRef("repeat.repeat_of", "=", "refused.dedupe_key")
              .where("repeat.state", "=", "sent"),
          ),
        ),
      )
      .executeTakeFirstOrThrow();
    return count;
  };
