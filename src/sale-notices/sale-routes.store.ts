import { recordAudit } from "../database/audit.ts";
import { storedFlag, storedInstant } from "../database/columns.ts";
import { cancelDeliveries } from "../delivery/outbox-cancel.store.ts";
import {
  changeLine,
  keptSuspension,
  ownersOfRoute,
  suspendRoute,
} from "../delivery/outbox-redirect.store.ts";
import { lockConnections } from "../accounts/wallet-accounts.store.ts";
import { saleRouteOf } from "./sale-tables.store.ts";
import { handOverSaleNotices, syncWatches } from "./sale-connections.store.ts";
import type { Account, DestinationChoice } from "../accounts/account.ts";
import type { Database } from "../schema.ts";
import type { RouteStore } from "../delivery/delivery.ts";
import type { Locale } from "../shared/locale.ts";
import type { SaleRoute } from "./sale-notice.ts";

/**
 * Servers' channels for notices of sales, and the sellers who agreed to them. Notices that wait for the channel before go
 * to the new one; switching the route off cancels them.
 */
export interface SaleRoutes extends RouteStore<SaleRoute> {
  /** The owner's choice; `off` without one. */
  readonly choiceOf: (accountId: string) => Promise<DestinationChoice>;
  /**
   * Notices begin with sales after `at`. A choice other than `channel` cancels the notices that wait for it, and `off`
   * all, unless another connection owes them as well. False when the account does not exist.
   */
  readonly choose: (
    guildId: string,
    ownerId: string,
    choice: DestinationChoice,
    at: Temporal.Instant,
    locale: Locale,
  ) => Promise<boolean>;
  /** Hands a seller's unsent notices to other connections that owe them as well. Gives the keys of those. */
  readonly handOver: (
    account: Pick<Account, "accountFp" | "id" | "ownerId">,
  ) => Promise<readonly string[]>;
}

export const saleRoutes = (db: Database): SaleRoutes => ({
  find: async (guildId) => {
    const row = await routeRow(db, guildId);
    return row && saleRouteOf(row);
  },
  save: saveRoute(db),
  suspend: suspendRoute(
    db,
    "sale_route",
    async (trx, { guildId, at, isFirst }) => {
      if (isFirst) await followChannel(trx, guildId, at);
    },
    lockConnections,
  ),
  owners: (guildId) =>
    ownersOfRoute(db, "sale_route", guildId, (sellers) =>
      sellers
        .innerJoin("sale_choice", "sale_choice.account_id", "account.id")
        .where("choice", "=", "channel"),
    ),
  choiceOf: (accountId) => choiceOf(db, accountId),
  choose: choose(db),
  handOver: ({ accountFp, id, ownerId }) =>
    db.transaction().execute(async (trx) => {
      // The others must not be removed until they have the notices.
      await lockConnections(trx);
      return await handOverSaleNotices(trx, { account_fp: accountFp, id, owner_id: ownerId });
    }),
});

const choiceOf = async (db: Database, accountId: string): Promise<DestinationChoice> => {
  const row = await db
    .selectFrom("sale_choice")
    .select("choice")
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return row?.choice ?? "off";
};

const routeRow = (db: Database, guildId: string) =>
  db.selectFrom("sale_route").selectAll().where("guild_id", "=", guildId).executeTakeFirst();

/** Wallet accounts of the sellers who chose the guild's channel. */
const followChannel = async (
  trx: Database,
  guildId: string,
  at: Temporal.Instant,
): Promise<void> => {
  const rows = await trx
    .selectFrom("account")
    .innerJoin("sale_choice", "sale_choice.account_id", "account.id")
    .select("account_fp")
    .distinct()
    .where("guild_id", "=", guildId)
    .where("choice", "=", "channel")
    .execute();
  await syncWatches(
    trx,
    rows.map((row) => row.account_fp),
    at,
  );
};

const saveRoute =
  (db: Database): SaleRoutes["save"] =>
  (guildId, change, at) =>
    db.transaction().execute(async (trx) => {
      await lockConnections(trx);
      const before = await routeRow(trx, guildId);
      const route = change(before && saleRouteOf(before));
      const { updatedBy: actor } = route;
      const row = {
        guild_id: guildId,
        channel_id: route.channelId,
        minimum_cents: route.minimum,
        active: storedFlag(route.active),
        locale: route.locale,
        suspended_at: keptSuspension(route, before),
        updated_by: actor,
      };
      await trx
        .insertInto("sale_route")
        .values(row)
        .onConflict((conflict) => conflict.column("guild_id").doUpdateSet(row))
        .execute();
      if (!route.active)
        await cancelDeliveries(trx, "sale_notice", { guildId }, at, "route_switched_off");
      else if (before !== undefined && before.channel_id !== route.channelId) {
        const old = { guildId, channelId: before.channel_id };
        await changeLine(trx, ["sale_notice"], guildId, old.channelId, route.channelId);
        // One that was attempted may stand in the old channel: in the new one it would be told twice.
        await cancelDeliveries(trx, "sale_notice", old, at, "channel_changed");
      }
      await followChannel(trx, guildId, at);
      await recordAudit(trx, { at, actor, action: "sale_route_saved", subject: guildId });
      return saleRouteOf(row);
    });

const choose =
  (db: Database): SaleRoutes["choose"] =>
  (guildId, ownerId, choice, at, locale) =>
    db.transaction().execute(async (trx) => {
      await lockConnections(trx);
      const account = await trx
        .updateTable("account")
        .set({ locale })
        .where("guild_id", "=", guildId)
        .where("owner_id", "=", ownerId)
        .returning(["id", "account_fp"])
        .executeTakeFirst();
      if (account === undefined) return false;
      const { id, account_fp: accountFp } = account;
      const before = await choiceOf(trx, id);
      // A repeated choice keeps its first date.
      if (before === choice) return true;
      await trx.deleteFrom("sale_choice").where("account_id", "=", id).execute();
      if (choice !== "off") {
        const row = { account_id: id, choice, since: storedInstant(at) };
        await trx.insertInto("sale_choice").values(row).execute();
      }
      if (before === "channel" || choice === "off") {
        await handOverSaleNotices(trx, { account_fp: accountFp, id, owner_id: ownerId });
        // Direct messages of an earlier choice may wait as well.
        const of = { accountId: id, inChannels: choice === "direct" };
        await cancelDeliveries(trx, "sale_notice", of, at, "consent_withdrawn");
      }
      await syncWatches(trx, [accountFp], at);
      await recordAudit(trx, { at, actor: ownerId, action: "sale_notices_chosen", subject: id });
      return true;
    });
