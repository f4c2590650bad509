import { sql } from "kysely";
import { REPEAT_SUFFIX } from "../domain/dispute-alert.ts";
import type { DisputeWatch } from "../domain/dispute-stores.ts";
import { storedInstant } from "./columns.ts";
import type { Database } from "./schema.ts";

/** Counts alerts that Discord refused, or that wait for a channel that is lost. */
export const undeliveredAlerts =
  (db: Database): DisputeWatch["undelivered"] =>
  async (accountId, since) => {
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
      .where("refused.kind", "=", "dispute_alert")
      .where("refused.state", "in", ["dead", "blocked"])
      // One that is blocked has not ended: what it has is its next probe.
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
              .where("repeat.dedupe_key", "=", sql<string>`refused.dedupe_key || ${REPEAT_SUFFIX}`)
              .where("repeat.state", "=", "sent"),
          ),
        ),
      )
      .executeTakeFirstOrThrow();
    return count;
  };
