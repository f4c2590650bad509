import type { Migration } from "kysely/migration";
import { firstTables } from "./0001-first-tables.ts";
import { money } from "./0002-money.ts";
import { disputes } from "./0003-disputes.ts";
import { walletAccounts } from "./0004-wallet-accounts.ts";
import { lockUnknownOutcomes } from "./0005-lock-unknown-outcomes.ts";
import { restores } from "./0006-restores.ts";
import { people } from "./0007-people.ts";
import { pinLocks } from "./0008-pin-locks.ts";
import { unlistedDisputes } from "./0009-unlisted-disputes.ts";
import { deliveryFacts } from "./0010-delivery-facts.ts";
import { watchIndex } from "./0011-watch-index.ts";
import { chargeTables } from "./0012-charges.ts";
import { refunds } from "./0013-refunds.ts";
import { saleNoticeTables } from "./0014-sale-notices.ts";
import { webhooks } from "./0015-webhooks.ts";
import { salesDaysTable } from "./0016-sales-days.ts";
import { storeReports } from "./0017-store-reports.ts";
import { closesTable } from "./0018-closes.ts";
import { goalTable } from "./0019-goals.ts";
import { replacedAlerts } from "./0020-replaced-alerts.ts";
import { directReports } from "./0021-direct-reports.ts";
import { operationMessages } from "./0022-operation-messages.ts";
import { directHours } from "./0023-direct-hours.ts";
import { directCloses } from "./0024-direct-closes.ts";
import { refundedDays } from "./0025-refunded-days.ts";
import { closeKind } from "./0026-close-kind.ts";
import { progressId } from "./0027-progress-id.ts";
import { clockSetBack } from "./0028-clock-set-back.ts";
import { unprovenDisputes } from "./0029-unproven-disputes.ts";
import { queryIndexes } from "./0030-query-indexes.ts";
import { unreadDisputes } from "./0031-unread-disputes.ts";
import { toldQuestions } from "./0032-told-questions.ts";
import { saleTxids } from "./0033-sale-txids.ts";
import { knownWallets } from "./0034-known-wallets.ts";
import { cardLocales } from "./0035-card-locales.ts";
import { unreadSales } from "./0036-unread-sales.ts";
import { leftCharges } from "./0037-left-charges.ts";
import { unreadColumns } from "./0038-unread-columns.ts";
import { settledTexts } from "./0039-settled-texts.ts";

/**
 * Every migration, in order. A released migration is never changed: `test/fixtures/released-migrations.json` holds its
 * hash.
 */
export const migrations: Readonly<Record<string, Migration>> = {
  "0001-first-tables": firstTables,
  "0002-money": money,
  "0003-disputes": disputes,
  "0004-wallet-accounts": walletAccounts,
  "0005-lock-unknown-outcomes": lockUnknownOutcomes,
  "0006-restores": restores,
  "0007-people": people,
  "0008-pin-locks": pinLocks,
  "0009-unlisted-disputes": unlistedDisputes,
  "0010-delivery-facts": deliveryFacts,
  "0011-watch-index": watchIndex,
  "0012-charges": chargeTables,
  "0013-refunds": refunds,
  "0014-sale-notices": saleNoticeTables,
  "0015-webhooks": webhooks,
  "0016-sales-days": salesDaysTable,
  "0017-store-reports": storeReports,
  "0018-closes": closesTable,
  "0019-goals": goalTable,
  "0020-replaced-alerts": replacedAlerts,
  "0021-direct-reports": directReports,
  "0022-operation-messages": operationMessages,
  "0023-direct-hours": directHours,
  "0024-direct-closes": directCloses,
  "0025-refunded-days": refundedDays,
  "0026-close-kind": closeKind,
  "0027-progress-id": progressId,
  "0028-clock-set-back": clockSetBack,
  "0029-unproven-disputes": unprovenDisputes,
  "0030-query-indexes": queryIndexes,
  "0031-unread-disputes": unreadDisputes,
  "0032-told-questions": toldQuestions,
  "0033-sale-txids": saleTxids,
  "0034-known-wallets": knownWallets,
  "0035-card-locales": cardLocales,
  "0036-unread-sales": unreadSales,
  "0037-left-charges": leftCharges,
  "0038-unread-columns": unreadColumns,
  "0039-settled-texts": settledTexts,
};
