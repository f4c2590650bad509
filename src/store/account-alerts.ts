import type { Account } from "../domain/account.ts";
import type { AlertChoice } from "../domain/dispute-alert.ts";
import { accountOf } from "./account-row.ts";
import { recordAudit } from "./audit.ts";
import { redirectAlertsToOwners } from "./outbox-alerts.ts";
import { withdrawPosts } from "./outbox-withdraw.ts";
import type { Database } from "./schema.ts";
import { untellWaiting } from "./untold-steps.ts";

/** `AccountsStore.setAlerts`. */
export const chooseAlerts = (
  db: Database,
  guildId: string,
  ownerId: string,
  alerts: AlertChoice,
  at: Temporal.Instant,
  locale?: Account["locale"],
): Promise<Account | undefined> =>
  db.transaction().execute(async (trx) => {
    const row = await trx
      .updateTable("account")
      .set({ alerts, ...(locale !== undefined && { locale }) })
      .where("guild_id", "=", guildId)
      .where("owner_id", "=", ownerId)
      .returningAll()
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const of = { accountId: row.id };
    if (alerts === "direct") await redirectAlertsToOwners(trx, of);
    if (alerts === "off") {
      await untellWaiting(trx, row.id, at);
      await withdrawPosts(trx, "dispute_alert", of, at, "alerts_off");
    }
    await recordAudit(trx, { at, actor: ownerId, action: "alerts_chosen", subject: row.id });
    return accountOf(row);
  });
