import type { AlertRoutes } from "./disputes/alert-routes.store.ts";
import type { ChargesService } from "./charges/charges.service.ts";
import type { AccountingFilesService } from "./accounting-files/accounting-files.service.ts";
import type { ConnectionsService } from "./accounts/accounts.service.ts";
import type { DefenceService } from "./defence/defence.service.ts";
import type { PrintService } from "./print/print.service.ts";
import type { ProofsService } from "./defence/proofs.service.ts";
import type { DisputeReading } from "./disputes/dispute-reading.service.ts";
import type { DisputeReminders } from "./disputes/dispute-reminders.service.ts";
import type { KeyOffersService } from "./accounts/key-offers.service.ts";
import type { MembersService } from "./accounts/members.service.ts";
import type { BalanceService } from "./balance/balance.service.ts";
import type { GoalsService } from "./goals/goals.service.ts";
import type { GuardsService } from "./money-guards/money-guards.service.ts";
import type { WebhooksService } from "./webhooks/webhooks.service.ts";
import type { TransactionsService } from "./transactions/transactions.service.ts";
import type { WithdrawalsService } from "./bot-money.ts";
import type { ReportRoutesService } from "./reports/report-routes.service.ts";
import type { SaleNoticesService } from "./sale-notices/sale-notices.service.ts";
import type { ClosesService } from "./closes/closes.service.ts";
import type { SalesService } from "./reports/sales.service.ts";
import type { SalesPeriodsService } from "./reports/sales-periods.service.ts";

type AccountsService = ConnectionsService & MembersService;

/** All services that commands use; built by the composition root. */
export interface Services {
  readonly accounts: AccountsService;
  readonly keyOffers: KeyOffersService;
  readonly sales: SalesService & SalesPeriodsService;
  readonly closes: ClosesService;
  readonly accountingFiles: AccountingFilesService;
  readonly transactions: TransactionsService;
  readonly charges: ChargesService;
  readonly goals: GoalsService;
  readonly reportRoutes: ReportRoutesService;
  readonly withdrawals: WithdrawalsService;
  readonly balance: BalanceService;
  readonly guards: GuardsService;
  readonly disputes: DisputeReading & DisputeReminders;
  readonly alertRoutes: Pick<AlertRoutes, "find" | "save">;
  readonly saleNotices: SaleNoticesService;
  readonly print: PrintService;
  readonly proofs: ProofsService;
  readonly defence: DefenceService;
  readonly webhooks: WebhooksService;
  /** Page where sellers answer a MED; undefined when the operator set none. */
  readonly medAnswerUrl: string | undefined;
  readonly clock: { readonly now: () => Temporal.Instant };
}
