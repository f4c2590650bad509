import type { Account } from "../domain/account.ts";
import type { AlertChoice } from "../domain/dispute-alert.ts";
import { accountOf } from "./account-row.ts";
import { recordAudit } from "./audit.ts";
import { rowsOfWatch } from "./account-connections.ts";
import { redirectAlertsToOwners } from "./outbox-alerts.ts";
import { giveAlertsTo } from "./outbox-withdraw.ts";
import type { Database } from "./schema.ts";
import { withdrawWaiting } from "./untold-steps.ts";
import { lockConnections } from "./wallet-accounts.ts";

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
    await lockConnections(trx);
    const row = await trx
      .updateTable("account")
      .set({ alerts, ...(locale !== undefined && { locale }) })
      .where("guild_id", "=", guildId)
      .where("owner_id", "=", ownerId)
      .returningAll()
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const [told = row] = await rowsOfWatch(trx, row.watch_id);
    if (told.alerts === "off") await withdrawWaiting(trx, row.watch_id, at, "alerts_off");
    // Another connection of the owner's still wants them.
    else if (alerts !== "channel") await redirectAlertsToOwners(trx, { accountId: row.id });
    if (alerts === "off" && told.id !== row.id) await giveAlertsTo(trx, row.id, told);
    await recordAudit(trx, { at, actor: ownerId, action: "alerts_chosen", subject: row.id });
    return accountOf(row);
  });
