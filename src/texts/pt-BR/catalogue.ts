import { account } from "./account.ts";
import { balance } from "./balance.ts";
import { commands } from "./commands.ts";
import { disputeAlerts } from "./dispute-alerts.ts";
import { disputes } from "./disputes.ts";
import { dossier } from "./dossier.ts";
import { userErrors, walletErrors, unexpected, errorLabels } from "./errors.ts";
import { format } from "./format.ts";
import { guards } from "./guards.ts";
import { help } from "./help.ts";
import { notices } from "./notices.ts";
import { people } from "./people.ts";
import { proofs } from "./proofs.ts";
import { reports } from "./reports.ts";
import { restored } from "./restored.ts";
import { sales } from "./sales.ts";
import { withdraw } from "./withdraw.ts";
import { withdrawOutcomes } from "./withdraw-outcomes.ts";
import { withdrawals } from "./withdrawals.ts";

export const catalogue = {
  format,
  commands,
  account,
  people,
  sales,
  proofs,
  reports,
  restored,
  withdraw,
  withdrawOutcomes,
  withdrawals,
  balance,
  disputes,
  disputeAlerts,
  dossier,
  guards,
  notices,
  help,
  userErrors,
  walletErrors,
  unexpected,
  errorLabels,
};
